"""Players that are other programs, spoken to over their standard input and output: `uci:PROGRAM` and `xboard:PROGRAM`.

    uci:stockfish                                   any engine that speaks UCI
    uci:stockfish,UCI_LimitStrength=true,UCI_Elo=1500,time=0.1
    xboard:phalanx -b - -l -                        any engine that speaks the protocol of XBoard (Tim Mann, 1991)
    xboard:gnuchess --xboard
    gtp:gnugo --mode gtp --level 1                  any Go program that speaks the Go text protocol
    hub:scan hub                                    any draughts engine that speaks Hub
    gnubg:ply=0                                     GNU Backgammon, which speaks a language of its own

After the program and its own arguments come, behind commas, the limits (time, depth, nodes) and the options of the engine. A
program is looked for on the path and then in the folders where systems put games.

>>> external("uci:no-such-engine")
Traceback (most recent call last):
outplay.errors.Unavailable: program 'no-such-engine' is not installed: it is neither on the path nor in /usr/games
"""

from __future__ import annotations

import contextlib
import importlib
import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
from typing import Any

from outplay.errors import BadNotation, BadValue, IllegalAction, OutplayError, Unavailable, Unsuitable, shorten
from outplay.game import Position
from outplay.players.base import Player
from outplay.players.searcher import given_first
from outplay.values import Limits, Result

GAME_FOLDERS = ("/usr/games", "/usr/local/games")
PROTOCOLS = {"uci": "UciPlayer", "xboard": "XboardPlayer", "gtp": "GtpPlayer", "hub": "HubPlayer"}
"""A module of this package each, and its class."""
PATIENCE = 10.0
"""Seconds that a program may take for every answer that should come at once, its start included."""
OVERTIME = 10.0
"""Seconds that a program may take for a move beyond what it was given."""

LONGEST_LINE, MOST_LINES = 1 << 16, 1 << 12
"""What a program may say at once: characters in a line, and lines that nobody has read yet."""

LIMITS = {"time": "seconds", "depth": "depth", "nodes": "nodes"}


def external(text: str, seed: int = 0) -> External:
    """The player that a text such as `uci:stockfish,time=0.1` names; the program starts at once."""
    protocol, _, rest = text.strip().partition(":")
    protocol = protocol.lower()
    if protocol not in PROTOCOLS or not rest.strip():
        raise BadValue(f"expected uci:PROGRAM, xboard:PROGRAM, gtp:PROGRAM or hub:PROGRAM, got {shorten(text)!r}")
    return started(text, getattr(importlib.import_module(f"outplay.players.external.{protocol}"), PROTOCOLS[protocol]))


def started(text: str, made: type[External]) -> External:
    """The player of a class that a text names: behind its protocol the program, then limits and options."""
    protocol, _, rest = text.strip().partition(":")
    if not rest.strip():
        raise BadValue(f"expected {protocol}:PROGRAM, got {shorten(text)!r}")
    command, *parts = re.split(r",(?=\s*[\w ]+=)", rest)
    limits: dict[str, Any] = {}
    options: dict[str, str] = {}
    for part in parts:
        key, value = _pair(text, part)
        if key in LIMITS:
            try:
                limits[LIMITS[key]] = float(value) if key == "time" else int(value)
            except ValueError:
                raise BadValue(f"player {shorten(text)!r}: {key} must be a number, got {value!r}") from None
        else:
            options[key] = value
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise BadValue(f"player {shorten(text)!r}: {str(problem).lower()}") from None
    return made(text.strip(), words, Limits(**limits) if limits else None, options)


def _pair(text: str, part: str) -> tuple[str, str]:
    key, equals, value = part.partition("=")
    if not equals:
        raise BadValue(f"player {shorten(text)!r}: expected key=value, got {shorten(part)!r}")
    return key.strip(), value.strip()


def find_program(name: str) -> str:
    """Where a program lies: on the path, or where systems put games."""
    found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(GAME_FOLDERS))
    if found is None:
        raise Unavailable(f"program {shorten(name)!r} is not installed: it is neither on the path nor in {GAME_FOLDERS[0]}")
    return found


class Program:
    """A running program: lines in, lines out, never a wait without an end, and never more than a bounded part of what it says."""

    def __init__(self, command: list[str]) -> None:
        self.name = command[0]
        try:
            self.process = subprocess.Popen(
                [find_program(command[0]), *command[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True,
                env={**os.environ, "PATH": os.pathsep.join([os.environ.get("PATH", os.defpath), *GAME_FOLDERS])},
            )  # fmt: skip  # in a session of its own: Ctrl-C does not end it in the middle of a word, and its children end with it
        except (OSError, ValueError) as problem:
            said = getattr(problem, "strerror", None) or problem
            raise Unavailable(f"program {shorten(self.name)!r} cannot be started: {said}") from None
        self.problem, self._is_over, self._is_killed = "has ended by itself", False, False
        self.lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Read lines into the queue; once that is full the program has to wait, like anybody whom nobody listens to."""
        assert self.process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            while line := self.process.stdout.readline(LONGEST_LINE):
                if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                    self.problem = f"wrote a line of more than {LONGEST_LINE:,} characters"
                    self.kill()
                    break
                self._put(line.decode("utf-8", "replace").strip())
        self._put(None)

    def _put(self, line: str | None) -> None:
        while not self._is_over:
            with contextlib.suppress(queue.Full):
                return self.lines.put(line, timeout=0.2)

    def say(self, line: str) -> None:
        """Send one line."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line.encode("utf-8", "replace") + b"\n")
            self.process.stdin.flush()
        except (BrokenPipeError, OSError, ValueError):
            raise Unavailable(f"program {shorten(self.name)!r} {self.problem}") from None

    def hear(self, until: float, must: bool = True) -> str:
        """The next line, at the latest at that moment of `time.monotonic()`: also one that talks without end has to answer.

        One that must answer and does not is ended, for it would be out of step for good; its next game starts it anew.
        """
        left = until - time.monotonic()
        try:
            if left < 0:
                raise queue.Empty
            line = self.lines.get(timeout=max(0.001, left))
        except queue.Empty:
            if must:
                self.kill()
            raise Unavailable(f"program {shorten(self.name)!r} does not answer") from None
        if line is None:
            self.kill()  # and whatever it left behind
            raise Unavailable(f"program {shorten(self.name)!r} {self.problem}")
        return line

    def is_running(self) -> bool:
        """Whether the program can still be spoken to."""
        return not self._is_killed and self.process.poll() is None

    def kill(self) -> None:
        """End the program and every process that it started."""
        self._is_killed = True
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            self.process.kill()

    def close(self) -> None:
        """End the program: politely, then surely."""
        with contextlib.suppress(OutplayError):
            self.say("quit")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(0.5)
        self.kill()
        self.process.wait()
        self._is_over = True


class External(Player):
    """What the protocols share: the program, and the moves of the game so far, which tell it of repetitions."""

    plays = "chess"

    def __init__(self, name: str, command: list[str], limits: Limits | None, options: dict[str, str]) -> None:
        if not command:
            raise BadValue(f"expected a program after the colon, got {shorten(name)!r}")
        self.name, self.limits, self.options, self.command = name, limits, options, command
        self._now: Position | None = None
        self._moves: list[str] = []
        self._is_set_up = False
        self._start()

    def _start(self) -> None:
        self.program = Program(self.command)
        self._is_set_up = False
        try:
            self.greet()
        except OutplayError:
            self.program.close()
            raise

    def greet(self) -> None:
        """The handshake."""
        raise NotImplementedError

    def set_up(self, position: Position) -> None:
        """Another game begins, from this position."""

    def ask(self, position: Position, limits: Limits) -> str:
        """The move that the program wants to play, in its own notation."""
        raise NotImplementedError

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Another game."""
        self._first = self._now = view
        self._moves, self._is_set_up = [], False

    def follow(self, action: Any, view: Position) -> None:
        """Keep the moves of the game."""
        if self._now is not None and action is not None:
            self._moves.append(self._now.action_text(action))
        self._now = view

    def get_ready(self, position: Position) -> None:
        """Refuse another game."""
        if position.game.family not in self.plays.split(" and "):
            raise Unsuitable(f"{self.name} plays {self.plays}; {position.game.name} needs another player")

    def pick(self, view: Position, limits: Limits | None) -> Any:
        """The program's move."""
        self.get_ready(view)
        if self._now != view:  # a single position, of no game that was followed
            self.begin(view)
        if not self.program.is_running():
            self._start()
        if not self._is_set_up:
            self.set_up(self._first)
            self._is_set_up = True
        text = self.ask(view, given_first(limits, self.limits) if self.limits else limits or Limits(seconds=1.0))
        try:
            action = view.parse_action(text)
        except (BadNotation, IllegalAction):
            raise IllegalAction(f"{self.name} played {shorten(text)!r}, which is illegal in {view.text()}") from None
        self.last = self.thought(action, view)
        return action

    def thought(self, action: Any, view: Position) -> Result | None:
        """What the program said about its move, where its protocol lets it."""
        return None

    def close(self) -> None:
        """End the program."""
        self.program.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.program.kill()


def longest(limits: Limits, otherwise: float) -> float:
    """How many seconds a move may take."""
    given = [seconds for seconds in (limits.seconds, limits.remaining) if seconds is not None]
    return min(given, default=otherwise)
