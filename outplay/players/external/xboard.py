"""Players that speak the protocol of XBoard (Tim Mann, 1991), version 2 or 1."""

from __future__ import annotations

import contextlib
import re
import time

from outplay.errors import IllegalAction, Unavailable, shorten
from outplay.game import Position
from outplay.players import external
from outplay.players.base import Resigned
from outplay.values import Limits

FEATURES = 2.0
"""Seconds in which a program may announce what it can, its start included."""


class XboardPlayer(external.External):
    """A program that speaks the protocol of XBoard, version 2 or 1."""

    def greet(self) -> None:
        """`xboard`, `protover 2`, and whatever features the program announces within its first seconds."""
        self.features = {"setboard": "0", "usermove": "0", "san": "0", "ping": "0"}
        self.program.say("xboard")
        self.program.say("protover 2")
        until = time.monotonic() + FEATURES
        with contextlib.suppress(Unavailable):
            while True:
                line = self.program.hear(until, must=False)
                if "feature" in line:
                    self.features.update((key, value.strip('"')) for key, value in re.findall(r'(\w+)=("[^"]*"|\S+)', line))
                    if self.features.get("done") == "1":
                        break
        if not self.program.is_running():
            raise Unavailable(f"program {self.program.name!r} has ended by itself")
        for key, value in self.options.items():
            self.program.say(f"option {key}={value}")

    def set_up(self, position: Position) -> None:
        """`new`, and the board where it is not the usual one."""
        self.program.say("new")
        self.program.say("force")
        if position != position.game.start():
            if self.features["setboard"] != "1":
                raise Unavailable(f"{self.name} can only begin from the start of a game")
            self.program.say(f"setboard {position.text()}")
        self._told, self._is_new = 0, True

    def ask(self, position: Position, limits: Limits) -> str:
        """`force`, the moves it has not heard, the time, and `go` until `move`."""
        self.program.say("force")
        for text in self._moves[self._told :]:
            self.program.say(f"usermove {text}" if self.features["usermove"] == "1" else text)
        self._told = len(self._moves) + 1  # it knows its own move
        if limits.depth is not None:
            self.program.say(f"sd {limits.depth}")
        seconds = external.longest(limits, 1.0)
        if limits.remaining is None:
            self.program.say(f"st {seconds:g}")  # parts of a second are beyond the protocol, but most programs understand them
        else:
            if self._is_new:
                minutes, rest = divmod(round(limits.remaining), 60)
                self.program.say(f"level 0 {minutes}:{rest:02} {limits.increment or 0:g}")
                self._is_new = False
            self.program.say(f"time {round(100 * limits.remaining)}")
            self.program.say(f"otim {round(100 * limits.remaining)}")
        for _ in range(self.program.lines.qsize()):  # what it said meanwhile is no answer
            self.program.hear(time.monotonic() + 0.1)
        self.program.say("go")
        until = time.monotonic() + seconds + external.OVERTIME
        while True:
            line = self.program.hear(until)
            found = re.match(r"(?:move\s+|My move is\s*:?\s*|\d+\.\s*\.\.\.\s*)(\S+)", line)
            if found:
                return found[1]
            if re.match(r"(Illegal move|Error)", line):
                raise IllegalAction(f"{self.name} says {shorten(line)!r} in {position.text()}")
            if line.startswith("resign"):
                raise Resigned(f"{self.name} resigned")
            # A result is no answer: it is the last game's, told late, or a claim, and who has a claim is the arbiter's business.
