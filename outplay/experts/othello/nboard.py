"""Programs that speak NBoard's protocol (Chris Welty) as players of Othello: `nboard:PROGRAM`."""

from __future__ import annotations

import time

from outplay.experts.othello.files import OthelloGame, write_ggf
from outplay.game import Position
from outplay.players import external
from outplay.players.external import External
from outplay.values import Limits


class NBoardPlayer(External):
    """A program that speaks NBoard's protocol: Othello engines."""

    plays = "othello"

    def greet(self) -> None:
        """`nboard 2`, and a ping to hear that it is there."""
        self._pings = 0
        self.program.say("nboard 2")
        for key, value in self.options.items():
            self.program.say(f"set {key} {value}")
        self._ping()

    def _ping(self) -> None:
        self._pings += 1
        self.program.say(f"ping {self._pings}")
        until = time.monotonic() + external.PATIENCE
        while self.program.hear(until).split() != ["pong", str(self._pings)]:
            pass

    def set_up(self, position: Position) -> None:
        """The position as the beginning of a game."""
        self.program.say(f"set game {write_ggf(OthelloGame((), start=position.text()))}")
        self._told = 0

    def ask(self, position: Position, limits: Limits) -> str:
        """The moves it has not heard, and `go`; it does not play its own move before it hears it."""
        for text in self._moves[self._told :]:
            self.program.say(f"move {'PA' if text == 'pass' else text.upper()}")
        self._told = len(self._moves)
        if limits.depth is not None:
            self.program.say(f"set depth {limits.depth}")
        self._ping()
        self.program.say("go")
        until = time.monotonic() + external.longest(limits, 60.0) + 60.0
        while True:
            line = self.program.hear(until)
            if line.startswith("==="):
                move = line[3:].strip().partition("/")[0].strip()
                return "pass" if move.upper().startswith("PA") else move


def from_text(text: str, seed: int = 0) -> External:
    """The player that `nboard:PROGRAM,time=1` names; the program starts at once, and takes no seed."""
    return external.started(text, NBoardPlayer)
