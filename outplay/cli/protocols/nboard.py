"""`outplay nboard`: Othello for boards that speak the protocol of NBoard (Chris Welty, version 2) on standard input and output."""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Callable
from typing import Annotated, Any

from outplay.cli.commands import Option
from outplay.cli.common import Seconds
from outplay.cli.protocols.loop import Dialect, serve
from outplay.errors import BadNotation, BadValue, shorten

SECONDS = 1.0
"""How long a move may take where nobody says."""


def nboard(time: Seconds = None,
           level: Annotated[str, Option("--level", metavar="LEVEL", help="How well to play: beginner to full.")] = "full",
           ) -> None:
    """Play Othello for a board that speaks the NBoard protocol on standard input and output."""
    serve(NBoard(lambda text: print(text, flush=True), time or SECONDS, level, warms=True))


class NBoard(Dialect):
    """One board: the game in progress, and the player who thinks about it."""

    def __init__(self, say: Callable[[str], object], seconds: float = SECONDS, level: str = "full", warms: bool = False) -> None:
        from outplay.game import load
        from outplay.players import Searcher
        from outplay.playing import Play

        super().__init__(say)
        self.game: Any = load("othello")
        self.play = Play(self.game)
        self.seconds, self.depth = seconds, 60
        self.thinker = Searcher("auto", level=level)
        if warms:
            self.thinker.warm(self.play.start, lambda problem: None)  # the first move that is asked for tells it

    def complain(self, problem: str) -> None:
        """Tell what is wrong."""
        self.say(f"status {problem}")

    def answer(self, line: str) -> None:
        """Do what a line asks; what the protocol does not know is passed over, as it asks."""
        word, rest = (*line.split(None, 1), "", "")[:2]
        rest = rest.strip()
        if word == "nboard":
            self.say("set myname Outplay")
        elif word == "ping":
            self.say(f"pong {rest}")
        elif word == "set":
            self._set(*rest.partition(" ")[::2])
        elif word == "move":
            move = rest.partition("/")[0]
            if not move:
                raise BadNotation("expected a move such as F5, got none")
            self.play.push("pass" if move.upper().startswith("PA") else move.lower())
        elif word in ("go", "hint"):
            if self.play.position.is_terminal():
                raise BadValue("the game is over")
            lines = int(rest) if word == "hint" and rest.isdecimal() and len(rest) < 3 else 1
            self.go(lambda stop: self._think(word == "hint", max(1, lines), stop))
        elif word == "learn":
            self.say("learned")

    def _set(self, name: str, value: str) -> None:
        from outplay.experts.othello.files import read_ggf
        from outplay.playing import Play

        if name == "game":
            found = read_ggf(value)[0]
            found.positions()  # tells which move cannot be played
            self.play = Play(self.game, start=found.start, actions=found.moves)
        elif name == "depth":
            if not value.strip().isdecimal() or len(value) > 9 or int(value) < 1:
                raise BadValue(f"depth must be a whole number from 1, got {shorten(value)!r}")
            self.depth = int(value)

    def _think(self, hints: bool, lines: int, stop: threading.Event) -> None:
        """The move that is played, or the best ones with their values: in discs, for the player to move."""
        from outplay.values import Limits

        began, position, thinker = clock.perf_counter(), self.play.position, self.thinker
        limits = Limits(seconds=self.seconds) if self.depth >= 60 else Limits(depth=self.depth, seconds=self.seconds)
        thinker.stop = stop
        thinker.seen(self.play.positions)
        self.say("status Outplay is thinking")
        action = thinker.pick(position, limits, lines=lines)
        found: Any = thinker.last
        seconds = clock.perf_counter() - began
        sign = (1 if position.player() == 0 else -1) / (found.scale if found is not None else 1.0)
        choices = [one for one in found.choices if one.value is not None][:lines] if found is not None else []
        if hints:
            for one in choices:
                self.say(f"search {_line(position, one.line or (one.action,))} {sign * one.value:.2f} 0 {found.depth}")
            if not choices:
                self.say(f"search {_line(position, (action,))} 0.00 0 0")
        else:
            value = next((sign * one.value for one in choices if one.action == action), 0.0)
            if found is not None:
                self.say(f"nodestats {found.nodes} {seconds:.2f}")
            self.say(f"=== {_line(position, (action,))}/{value:.2f}/{seconds:.2f}")
        self.say("status")


def _line(position: Any, line: Any) -> str:
    """Moves as the protocol writes them, one behind the other."""
    texts = []
    for action in line:
        text = position.action_text(action)
        texts.append("PA" if text == "pass" else text.upper())
        position = position.result(action)
    return "".join(texts)
