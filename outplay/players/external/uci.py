"""Players that speak UCI, the universal chess interface (Stefan Meyer-Kahlen, 2000)."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping
from typing import Any

from outplay.errors import BadValue, UnknownName, shorten
from outplay.game import Position
from outplay.players import external
from outplay.protocols import uci
from outplay.values import Limits, Result

MATE = 30_000
"""What a mate is worth in an engine's thoughts, in centipawns."""


class UciPlayer(external.External):
    """A program that speaks UCI."""

    info: uci.Info | None = None

    def greet(self) -> None:
        """`uci` until `uciok`, then the options."""
        until = time.monotonic() + external.PATIENCE
        self.program.say("uci")
        offered: dict[str, str] = {}  # by name: what it may be, as the program says it
        while (line := self.program.hear(until)) != "uciok":
            if found := re.match(r"option name (.+?) type (.*)", line):
                offered[found[1]] = found[2]
        for key, value in self.options.items():
            self.program.say(f"setoption name {self._offered(key, str(value), offered)} value {value}")
        self._wait_until_ready()

    def _offered(self, key: str, value: str, offered: Mapping[str, str]) -> str:
        """The program's own name of an option that it has, whose value may be so."""
        if not offered:
            return key  # a program that lists nothing is believed to know
        name = next((each for each in offered if each.lower() == key.lower()), None)
        if name is None:
            raise UnknownName(f"option of program {shorten(self.program.name)!r}", key, offered)
        kind, _, rest = offered[name].partition(" ")
        bounds = [re.search(rf"\b{word} (-?\d+)", rest) for word in ("min", "max")]
        least, most = (int(each[1]) if each else None for each in bounds)
        wanted = ""
        if kind == "spin" and not (re.fullmatch(r"-?\d{1,18}", value) and (least is None or least <= int(value))
                                   and (most is None or int(value) <= most)):  # fmt: skip
            wanted = "a whole number" + ("" if least is None or most is None else f" from {least} to {most}")
        if kind == "check" and value.lower() not in ("true", "false"):
            wanted = "true or false"
        choices = re.findall(r"\bvar (\S+)", rest)
        if kind == "combo" and choices and value.lower() not in [each.lower() for each in choices]:
            wanted = f"one of {', '.join(choices)}"
        if wanted:
            raise BadValue(f"{name} of program {shorten(self.program.name)!r} must be {wanted}, got {shorten(value)!r}")
        return name

    def _wait_until_ready(self) -> None:
        until = time.monotonic() + external.PATIENCE
        self.program.say("isready")
        while self.program.hear(until) != "readyok":
            pass

    def set_up(self, position: Position) -> None:
        """`ucinewgame`."""
        self.program.say("ucinewgame")
        self._wait_until_ready()

    def ask(self, position: Position, limits: Limits) -> str:
        """`position` and `go` until `bestmove`."""
        moves = f" moves {' '.join(self._moves)}" if self._moves else ""
        self.program.say(f"position fen {self._first.text()}{moves}")
        milliseconds = None if limits.seconds is None else max(1, round(1000 * limits.seconds))
        given = {"movetime": milliseconds, "depth": limits.depth, "nodes": limits.nodes}
        if limits.remaining is not None:  # the other side's clock is not ours to tell; about the same is a fair guess
            left, more = max(1, round(1000 * limits.remaining)), round(1000 * (limits.increment or 0.0))
            given |= {"wtime": left, "btime": left, "winc": more, "binc": more}
        parts = [f"{key} {value}" for key, value in given.items() if value is not None]
        self.info = None
        self.program.say(" ".join(["go", *(parts or ["movetime 1000"])]))
        until = time.monotonic() + external.longest(limits, 600.0) + external.OVERTIME
        while True:
            words = self.program.hear(until).split()
            if words[:1] == ["bestmove"] and len(words) > 1:
                return words[1]
            if words[:1] == ["info"]:
                told = uci.parse_info(" ".join(words))
                if told.depth is not None and (told.points is not None or told.mate is not None):
                    self.info = told

    def thought(self, action: Any, view: Position) -> Result | None:
        """The last `info` with a score, as MAX has it; a mate is worth MATE less the moves to it."""
        told = self.info
        if told is None:
            return None
        points = float(told.points or 0) if told.mate is None else math.copysign(MATE - abs(told.mate), told.mate)
        value = points if view.player() == 0 else -points
        return Result(action, value, depth=told.depth or 0, nodes=told.nodes or 0, algorithm="uci", exact=False, unit="centipawns",
                      scale=MATE)
