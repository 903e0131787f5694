"""The process in which a Python player lives: `python -m outplay.hosting FILE NAME DEPTH`, spoken to by `guests`.

It reads lines on its standard input and answers each `go` with one line; what the player prints goes nowhere. Before the player's
file is read, the process shuts itself off from other processes, programs and the network, and where it has no box around it (the
last word is `bare`), from writing files and from the memory of others, too (`outplay.sandbox.shut`).
"""

from __future__ import annotations

import base64
import importlib
import inspect
import os
import pickle
import random
import sys
import traceback
from collections.abc import Callable
from typing import Any

from outplay.errors import OutplayError, shorten
from outplay.files import own_module, read_module
from outplay.game import Game, Position, load
from outplay.sandbox import die_with_parent
from outplay.sandbox.seal import shut
from outplay.values import Limits

BARE = "bare"
"""The last word to a host that has no box around it."""


def read_file(path: str, name: str, depth: int) -> Any:
    """The player of a file, ready to be asked: a class is made, a function is taken as it is."""
    folder = os.path.dirname(path)
    sys.path.insert(0, folder)
    module = own_module("player_file_" + os.path.basename(path)[:-3], path)
    sys.modules[module.__name__] = module
    read_module(module)
    found = getattr(module, name, None) if name else _only(module)
    if found is None:
        raise ValueError(f"there is no {name!r} in {os.path.basename(path)}")
    if isinstance(found, type):
        found = found()
    if inspect.isfunction(found) and found.__name__.startswith("evaluate"):
        return searching(found, depth)
    return found


def _only(module: Any) -> Any:
    """The one player that a file defines."""
    own = [thing for thing in vars(module).values() if getattr(thing, "__module__", "") == module.__name__]
    classes = [thing for thing in own if isinstance(thing, type) and (hasattr(thing, "choose") or hasattr(thing, "pick"))]
    functions = [thing for thing in own if inspect.isfunction(thing) and not thing.__name__.startswith("_")]
    named = [thing for thing in functions if thing.__name__ in ("choose", "player", "move")]
    for found in (classes, named, functions):
        if len(found) == 1:
            return found[0]
        if found:
            raise ValueError(f"the file has several players, name one: {', '.join(each.__name__ for each in found)}")
    raise ValueError("the file has no player: a class with choose(self, position, limits), or a function of a position")


def searching(evaluate: Callable[..., float], depth: int) -> Callable[[Position], Any]:
    """A player that searches so many plies with an evaluation."""

    def choose(position: Position) -> Any:
        best = importlib.import_module("outplay.players.algorithms").best  # of a room above: only who evaluates needs it
        return best(position, evaluate=evaluate, depth=depth).action

    return choose


def ask(player: Any, position: Position, limits: Limits) -> Any:
    """The action that a player of any kind wants."""
    if not hasattr(player, "choose"):
        return player(position) if _takes(player) == 1 else player(position, limits)
    return player.choose(position, limits)


def _takes(function: Any) -> int:
    """How many arguments a function must be given, and may: one that takes a position alone takes one."""
    try:
        kinds = [each for each in inspect.signature(function).parameters.values()
                 if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]  # fmt: skip
    except (TypeError, ValueError):
        return 1
    return max(1, min(2, len(kinds)))


def warm(position: Position) -> None:
    """Have the rules compiled that a position's questions run, which they are after some hundred calls."""
    game = position.game
    while not game._compiled:  # type: ignore[attr-defined]  # of a compiled game
        game.facts(position.state)
    game.facts(position.state)
    actions = position.actions()
    if actions and not position.is_chance():
        position.result(actions[0])


class Host:
    """One player between its lines."""

    def __init__(self, player: Any) -> None:
        self.player = player
        self.game: Game | None = None
        self.position: Position | None = None
        self.seed, self.is_new, self.limits = 0, False, Limits()
        self.played = ""

    def hear(self, line: str) -> str | None:
        """What one line is answered with; nothing, mostly."""
        word, _, rest = line.partition(" ")
        if word == "new":
            self.game, self.is_new, self.position = load(rest), True, None
        elif word == "seed":
            self.seed = int(rest)
            random.seed(self.seed)  # the same game again is the same game
        elif word in ("played", "chance"):
            self.played = rest if word == "chance" else rest.partition(" ")[2]
        elif word == "state":
            self._advance(Position(self.game, pickle.loads(base64.b64decode(rest))))  # type: ignore[arg-type]
        elif word == "time":
            self.limits = Limits(seconds=float(rest))
        elif word == "clock":
            left, more = rest.split()
            self.limits = Limits(remaining=float(left), increment=float(more))
        elif word == "ready?":
            return self._get_ready()
        elif word == "go":
            return self._answer()
        return None

    def _advance(self, view: Position) -> None:
        """The position goes on, and a player that wants to hear of it does."""
        before, self.position = self.position, view
        if before is None or self.is_new:
            self.is_new = False
            if hasattr(self.player, "begin"):
                self.player.begin(view, seed=self.seed)
        elif hasattr(self.player, "follow"):
            action = None
            if self.played != "?":
                try:
                    action = before.parse_action(self.played)
                except OutplayError:
                    action = int(self.played) if self.played.isdigit() else None
            self.player.follow(action, view)

    def _get_ready(self) -> str:
        assert self.position is not None
        if hasattr(self.game, "rules") and self.game.may_compile:  # type: ignore[union-attr]
            warm(self.position)
        if hasattr(self.player, "get_ready"):
            self.player.get_ready(self.position)
        return "ready"

    def _answer(self) -> str:
        assert self.position is not None
        action = ask(self.player, self.position, self.limits)
        if isinstance(action, str) and action not in self.position.actions():
            return " ".join(action.split()) or "nothing"
        if action in self.position.actions():
            return self.position.action_text(action)
        return shorten(" ".join(repr(action).split()), 80)


def _where(problem: BaseException, path: str) -> str:
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == path]
    said = " ".join(str(problem).split())
    return f"{type(problem).__name__}: {shorten(said, 160)}" + (f" (line {lines[-1]})" if lines else "")


def main(words: list[str]) -> None:
    """Serve one player until the input ends, or the process that asks does while this one is stopped."""
    die_with_parent()
    source = os.fdopen(os.dup(0), "r", encoding="utf-8", errors="replace")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # what a player prints nobody reads, and its questions nobody answers
        os.dup2(nothing, stream)
    path = words[0]
    shut(bare=words[-1] == BARE)
    host: Host | None = None
    for line in source:
        try:
            if host is None:
                if path == "--pickled":
                    sys.path[:] = dict.fromkeys([*sys.path, *words[1].split(os.pathsep)])
                    player = pickle.loads(base64.b64decode(line.split()[2]))
                else:
                    player = read_file(path, words[1], int(words[2]))
                host = Host(player)
                said: str | None = "ready"
            else:
                said = host.hear(line.rstrip("\n"))
        except BaseException as problem:  # whatever somebody's code raises, sys.exit too
            said = f"failed {_where(problem, path)}"
        if said is not None:
            print(said, file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
