"""Players that speak Hub, the protocol of draughts engines (Fabien Letouzey, for Scan, 2015)."""

from __future__ import annotations

import time
from typing import Any

from outplay.errors import Unavailable, Unsuitable, shorten
from outplay.game import Position
from outplay.players import external
from outplay.protocols import hub
from outplay.values import Limits


class HubPlayer(external.External):
    """A program that speaks Hub: draughts engines."""

    plays = "checkers"
    thinks_in_seconds = True

    def greet(self) -> None:
        """`hub`, what it can do, and what is set."""
        self.program.say("hub")
        until = time.monotonic() + external.PATIENCE
        self._parameters: set[str] = set()
        while (line := hub.parse(self.program.hear(until))) is None or line.name != "wait":
            if line is not None and line.name == "param":
                self._parameters.add(line.pairs.get("name", ""))
        for key, value in self.options.items():
            self.program.say(hub.line("set-param", name=key, value=value))
        self._is_ready = False

    def set_up(self, position: Position) -> None:
        """Tell which relative it is; the position goes with every question."""
        rules: Any = position.game.rules
        variant = rules.parameters["variant"]
        if "variant" in self._parameters:
            self.program.say(hub.line("set-param", name="variant", value="normal" if variant == "international" else variant))
        elif variant != "international":
            raise Unsuitable(f"{self.name} plays international draughts only")
        if not self._is_ready:
            self.program.say("init")
            until = time.monotonic() + 60.0
            while self.program.hear(until) != "ready":
                pass
            self._is_ready = True
        self.program.say("new-game")

    def ask(self, position: Position, limits: Limits) -> str:
        """The position as it stands, the level, and `go think`."""
        squares = 50 if "international" in position.game.name else 32
        self.program.say(hub.line("pos", pos=hub.write_position(position.text(), squares)))
        level: dict[str, Any] = {"depth": limits.depth, "nodes": limits.nodes, "move_time": limits.seconds}
        self.program.say(hub.line("level", **{key: value for key, value in level.items() if value is not None}))
        self.program.say("go think")
        until = time.monotonic() + external.longest(limits, 60.0) + 60.0
        while True:
            line = hub.parse(self.program.hear(until))
            if line is not None and line.name == "error":
                raise Unavailable(f"program {shorten(self.program.name)!r} said: {shorten(line.pairs.get('message', ''))}")
            if line is not None and line.name == "done":
                return line.pairs.get("move", "")
