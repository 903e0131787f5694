"""Players that anybody can bring: a program in any language, or a class or function in a Python file, in a process of its own.

    program:./mine                        any program that speaks the lines of docs/bring-your-own.md
    program:node mine.js,time=0.5         half a second a move, unless the match says otherwise
    python:mine.py                        the one player in that file: a class with `choose` or `pick`, or a function
    python:mine.py:Greedy,memory=256      that one, with 256 MB
    python:mine.py:evaluate,depth=2       an evaluation: the textbook's h-alphabeta searches two plies with it

`time` is the seconds a move where nobody gives any (10), `memory` the megabytes of each process (1024), `processes` how many
there may be (1 for Python, 32 for programs), `processor` the seconds of processor time (600), and `sandbox=yes` or `no` whether
the box of bubblewrap is put around it: read-only files, no network, no other process to be seen. A Python player gets it where
it can be had, a program only when it is asked for, as it may need the network or a file to write. A player that hangs, crashes,
floods or ends loses that game, and begins the next one anew.

>>> script = "echo ready; while read -r word first rest; do test $word = legal && it=$first; test $word = go && echo $it; done"
>>> made = guest(f"program:sh -c '{script}'")
>>> from outplay.playing import Play
>>> with Play("nim:heaps=1-2", [made, "random"]) as play:
...     play.finished().actions[0]
'a1'
>>> made.close()
"""

from __future__ import annotations

import base64
import hashlib
import math
import os
import pickle
import re
import shlex
import sys
import threading
import time
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from outplay.errors import BadNotation, BadValue, IllegalAction, OutplayError, Unavailable, Unsuitable, shorten
from outplay.game import Position
from outplay.hosting import BARE, ask, warm
from outplay.names import Option, read_options
from outplay.players.base import Player, Resigned
from outplay.players.external import find_program
from outplay.players.searcher import given_first
from outplay.playing import GRACE, LAG
from outplay.sandbox import Bounds, Box, Broken, Guest, can_box, own_environment
from outplay.values import Limits

KINDS = ("program", "python")
VERSION = 1
"""Of the protocol."""
PATIENCE = 60.0
"""Seconds in which a guest has to start and to say `ready`: a Python one reads its file and loads the game."""
MOST_WAITING = 20
"""How many times its time one with room is waited for by the clock, with all the remarks that it makes."""
OPTIONS = (
    Option("time", "number", 10.0, "seconds a move where nobody gives any", least=0.001),
    Option("memory", "whole", 1024, "megabytes of data of each of its processes", least=16),
    Option("processor", "number", 600.0, "seconds of processor time of each of its processes", least=1),
    Option("processes", "whole", None, "processes at a time; 1 for Python, 32 for programs", least=1),
    Option("sandbox", "switch", None, "bubblewrap's box around it; for Python where it can be had"),
    Option("depth", "whole", 2, "plies, for a function that evaluates", least=1),
)


def guest(text: str, seed: int = 0) -> GuestPlayer:
    """The player that a text such as `python:mine.py:Greedy,memory=256` names; its process starts at once."""
    kind, _, rest = text.strip().partition(":")
    what, *parts = re.split(r",(?=\s*[\w ]+=)", rest)
    if kind not in KINDS or not what.strip():
        raise BadValue(f"expected program:COMMAND or python:FILE.py[:NAME], got {shorten(text)!r}")
    given = {}
    for part in parts:
        key, _, value = part.partition("=")
        given[key.strip()] = value.strip()
    options = read_options(f"player {kind}", given, OPTIONS)
    bounds = Bounds(memory=options.get("memory", 1024), processor=options.get("processor", 600.0),
                    processes=options.get("processes") or (32 if kind == "program" else 1))  # fmt: skip
    limits = Limits(seconds=options["time"]) if "time" in options else None
    if kind == "program":
        try:
            words = shlex.split(what)
        except ValueError as problem:
            raise BadValue(f"player {shorten(text)!r}: {str(problem).lower()}") from None
        command = [words[0] if "/" in words[0] else find_program(words[0]), *words[1:]]
        return GuestPlayer(text.strip(), command, limits, bounds, wants_box=options.get("sandbox") or False)
    found = re.fullmatch(r"(.*\.py)(?::(\w+))?", what.strip())
    if found is None:
        raise BadValue(f"player {shorten(text)!r}: expected python:FILE.py or python:FILE.py:NAME")
    if not os.path.isfile(found[1]):
        raise BadValue(f"player {shorten(text)!r}: no such file: {found[1]}")
    file = os.path.abspath(found[1])
    command = python_command(file, found[2] or "", str(options.get("depth", 2)))
    return GuestPlayer(text.strip(), command, limits, bounds, wants_box=options.get("sandbox"), folder=os.path.dirname(file),
                       is_python=True)


def python_command(*words: str) -> list[str]:
    """The command line of the program that houses a Python player."""
    return [sys.executable, "-m", "outplay.hosting", *words]


class GuestPlayer(Player):
    """A player behind lines of text; whatever it does costs it its game and nothing else."""

    def __init__(self, name: str, command: Sequence[str], limits: Limits | None, bounds: Bounds, *, wants_box: bool | None = False,
                 folder: str | None = None, is_python: bool = False, packed: str = "", box: Box | None = None,
                 environment: Mapping[str, str] | None = None, room: float = 1.0) -> None:
        if wants_box and not can_box():
            raise BadValue(f"player {shorten(name)!r}: sandbox=yes needs bubblewrap (bwrap), which cannot be had here")
        self.name, self.limits, self.bounds, self.command = name, limits, bounds, list(command)
        self.folder, self.is_python, self.room = folder, is_python, room
        self.environment = dict(environment or {})
        self.box = box or (Box(scratch="") if wants_box or (wants_box is None and can_box()) else None)
        self._hello = f"outplay {VERSION} {packed}".rstrip()
        self._now: Position | None = None
        self._news: list[str] = []
        self._guest: Guest | None = None
        self._used = 0.0
        self._game = ""
        self._start()

    def _start(self) -> None:
        self._close()
        environment = own_environment(PYTHONPATH=_paths(), **self.environment) if self.is_python else None
        command = [*self.command, BARE] if self.is_python and self.box is None else self.command
        self._guest = Guest(command, self.bounds, self.box, self.folder, environment, name=self.name, room=self.room)
        self._used, self._game = 0.0, ""
        try:
            self._ask(self._hello, PATIENCE / self.room)
        except OutplayError as problem:
            self._close()
            raise Unavailable(f"player {shorten(self.name)!r}: {problem}") from None
        self._guest.rest()

    def _ask(self, lines: str, seconds: float, stop: threading.Event | None = None) -> str:
        """Say something and hear the answer, which is the next line that is no remark."""
        assert self._guest is not None
        until = time.monotonic() + seconds * (1 if self.room == 1 else MOST_WAITING)
        if lines != self._hello:  # what it says of itself at its start may be the answer to that
            self._guest.forget()
        self._guest.wake()
        self._guest.say(lines, seconds, stop)
        said = 0
        while True:
            line = self._guest.hear(max(0.0, min(seconds, until - time.monotonic())), stop).strip()
            if line and not line.startswith("#"):
                break
            if stop is not None and stop.is_set():
                return ""
            said += len(line) + 1
            if said > self.bounds.output:
                self._guest.fail("output", f"wrote more than {self.bounds.output:,} bytes for one answer")
        if line.startswith("failed"):
            raise Unsuitable(shorten(line[6:].strip(), 300) or "it says so itself")
        return line

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Another game; a guest that has ended, or has used up half its time, is started anew."""
        if self._guest is None or not self._guest.is_running() or self._used > self.bounds.processor / 2:
            self._start()
        self._now = view
        game = view.game
        name = _found_anywhere(game.origin) if self.is_python and game.origin else game.name
        self._news = [f"new {name}", f"seats {game.players}", f"seed {_told_seed(seed)}", *self._told(view)]

    def follow(self, action: Any, view: Position) -> None:
        """Keep what happened until the guest is asked."""
        if self._now is not None:
            mover = self._now.player()
            text = "?" if action is None else self._now.action_text(action)
            self._news.append(f"chance {text}" if self._now.is_chance() else f"played {mover} {text}")
            if self.is_python:
                self._news.extend(self._told(view))
        self._now = view

    def get_ready(self, position: Position) -> None:
        """Let a Python guest load the game, and have its rules compiled on disk before."""
        if not self.is_python:
            return
        game = position.game
        if hasattr(game, "rules") and game.may_compile:  # type: ignore[attr-defined]  # a compiled one
            warm(position)
        if not game.origin and not _is_named(game.name):
            raise Unsuitable(f"player {shorten(self.name)!r} needs a game that another process can load by its name or file, "
                             f"got {game.name}")
        self.begin(position)
        if self._game != self._news[0]:
            self._ask("\n".join([*self._news, "ready?"]), PATIENCE / self.room)
            self._game = self._news[0]
        self._now = None

    def pick(self, view: Position, limits: Limits | None) -> Any:
        """The guest's action; an answer that is none gets one more try."""
        if self._now != view or self._guest is None or not self._guest.is_running():
            self.begin(view)  # a single position, or one after it was ended in the middle of a game
        given = given_first(limits, self.limits) if self.limits else limits or Limits()
        texts = {view.action_text(action): action for action in view.actions()}
        lines = [*self._news, f"seat {view.player()}"]
        if not self.is_python:
            lines += [f"position {view.text()}", "legal\t" + "\t".join(texts)]
        lines += [*_clock(given), "go"]
        self._news = []
        seconds = _longest(given)
        begun = time.monotonic()
        try:
            answer = self._ask("\n".join(lines), seconds, self.stop)
            for attempt in (1, 2):
                if self.stop is not None and self.stop.is_set():
                    self._close()  # it is still thinking
                    return view.actions()[0]  # which nobody will play
                if answer == "resign":
                    raise Resigned(f"{self.name} resigned")
                found = texts.get(answer)
                if found is None:
                    found = _read(view, answer)
                if found is not None:
                    return found
                if attempt == 1:
                    told = f"error illegal action {shorten(answer)!r}: expected one of those after `legal`"
                    left = seconds if self.room > 1 else seconds - (time.monotonic() - begun)
                    answer = self._ask(f"{told}\ngo", left, self.stop)
            self._close()
            raise IllegalAction(f"{shorten(answer)!r} is illegal in {shorten(view.text(), 120)}")
        except Broken as problem:
            if problem.kind == "time":
                raise Broken("time", f"no answer after {seconds:.3g} s") from None
            raise
        finally:
            self._used += time.monotonic() - begun
            if self._guest is not None:
                self._guest.rest()

    def _told(self, view: Position) -> list[str]:
        """A position as a Python guest gets it: whole, as its own copy of the game has it."""
        if not self.is_python:
            return []
        return ["state " + base64.b64encode(pickle.dumps(view.state)).decode()]

    def _close(self) -> None:
        if self._guest is not None:
            self._guest.close()

    def close(self) -> None:
        """End its process."""
        self._close()


def _told_seed(seed: int) -> int:
    """What a guest may draw by: the game's own seed says what every die will show and what everybody holds."""
    return int.from_bytes(hashlib.blake2b(f"{seed} for a guest".encode(), digest_size=4).digest(), "big")


def _paths() -> str:
    """Where a Python guest finds our modules, wherever it is started."""
    return os.pathsep.join([os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
                            *(each for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each)])  # fmt: skip


def _found_anywhere(origin: str) -> str:
    """How a file's game is found from another folder, too."""
    file, colon, rest = origin.partition(".py")
    return f"{os.path.abspath(file + colon)}{rest}" if colon and "://" not in origin else origin


def _is_named(name: str) -> bool:
    from outplay.game import load

    try:
        return bool(load(name))
    except OutplayError:
        return False


def _read(view: Position, answer: str) -> Any:
    try:
        return view.parse_action(answer)
    except (BadNotation, IllegalAction):
        return None


def _clock(limits: Limits) -> list[str]:
    if limits.remaining is not None:
        return [f"clock {limits.remaining:.3f} {limits.increment or 0:g}"]
    return [f"time {limits.seconds:g}"] if limits.seconds is not None else [f"time {OPTIONS[0].default:g}"]


def _longest(limits: Limits) -> float:
    """Seconds after which a guest that has not answered is ended: a little later than it has lost by the referee's clock."""
    if limits.remaining is not None:
        return min(limits.remaining, limits.seconds or math.inf) + LAG + GRACE
    return (OPTIONS[0].default if limits.seconds is None else limits.seconds) + GRACE


# ---------------------------------------------------------------- Python players given as objects


def bounded(players: Sequence[Any], has_time: bool) -> list[Any]:
    """The players of a match under a time limit: those that are somebody's own objects in a process of their own each.

    What cannot be taken to another process (its class or function is defined in a notebook or at the prompt) stays where it is, and
    a warning says what then is not held back.
    """
    held = [_bounded(each) if has_time and _is_foreign(each) else each for each in players]
    return [Function(each) if callable(each) and not hasattr(each, "choose") else each for each in held]


class Function(Player):
    """A function of somebody's as a player in this process."""

    def __init__(self, function: Any) -> None:
        self.function, self.name = function, getattr(function, "__name__", type(function).__name__)

    def pick(self, view: Position, limits: Limits | None) -> Any:
        """What it answers."""
        return ask(self.function, view, limits or Limits())


def _is_foreign(player: Any) -> bool:
    return not type(player).__module__.startswith("outplay.") and not (callable(player) and
                                                                       getattr(player, "__module__", "").startswith("outplay."))


def _bounded(player: Any) -> Any:
    name = str(getattr(player, "name", "") or getattr(player, "__name__", "") or type(player).__name__)
    try:
        if (player.__module__ if callable(player) and hasattr(player, "__name__") else type(player).__module__) == "__main__":
            raise pickle.PicklingError("it is defined in __main__")
        packed = base64.b64encode(pickle.dumps(player)).decode()
        folders = os.pathsep.join(each or os.getcwd() for each in sys.path)
        made = GuestPlayer(name, python_command("--pickled", folders), None, Bounds(processes=1), is_python=True, packed=packed)
    except (pickle.PicklingError, AttributeError, TypeError, OutplayError) as problem:
        warnings.warn(f"the player {name!r} runs in this process, where an endless loop, sys.exit or its memory are not held back: "
                      f"{shorten(' '.join(str(problem).split()), 160)}; as python:FILE.py:NAME it gets a process of its own",
                      RuntimeWarning, stacklevel=4)  # fmt: skip
        return player
    return made
