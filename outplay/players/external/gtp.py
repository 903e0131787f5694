"""Players that speak the Go text protocol (Gunnar Farnebäck, 2002)."""

from __future__ import annotations

import contextlib
import time

from outplay.errors import Unavailable, shorten
from outplay.game import Position
from outplay.players import external
from outplay.players.base import Resigned
from outplay.values import Limits


class GtpPlayer(external.External):
    """A program that speaks the Go text protocol."""

    plays = "go and othello"
    thinks_in_seconds = True

    def greet(self) -> None:
        """`protocol_version`, then the options as commands of their own, such as `level=10` for `level 10`."""
        self._send("protocol_version")
        self._cleans = False
        with contextlib.suppress(Unavailable):
            self._cleans = "kgs-genmove_cleanup" in self._send("list_commands").split()
        for key, value in self.options.items():
            self._send(f"{key} {value}")

    def _send(self, command: str, seconds: float = 0.0) -> str:
        """One command and its answer, which ends with an empty line."""
        self.program.say(command)
        until = time.monotonic() + seconds + external.PATIENCE
        lines: list[str] = []
        while True:
            line = self.program.hear(until)
            if line:
                lines.append(line)
            elif lines:
                break
        if not lines[0].startswith("="):
            raise Unavailable(f"{self.name} answers {shorten(' '.join(lines))!r} to {command!r}")
        return "\n".join(lines).lstrip("=0123456789 ")

    def set_up(self, position: Position) -> None:
        """The board's size, the komi, and the stones that are on it."""
        self._told = 0
        if position.game.family == "othello":
            return self._set_up_othello(position)
        words = position.text().split()
        rows = words[0].split("/")
        self._send(f"boardsize {len(rows)}")
        self._send("clear_board")
        self._send(f"komi {position.game.rules.parameters['komi']:g}")
        for point, stone in enumerate("".join(rows)):
            if stone != ".":
                self._send(f"play {'black' if stone == 'x' else 'white'} {position.action_text(point)}")

    def _set_up_othello(self, position: Position) -> None:
        """The start, or another position by the command that GRhino has for it."""
        self._send(f"boardsize {position.game.rules.parameters['size']}")
        self._send("clear_board")
        if position != position.game.start():
            self._send(f"grhino-setup_board {position.text()}")

    def ask(self, position: Position, limits: Limits) -> str:
        """The moves it has not heard, the time, and `genmove`."""
        colors = ("black", "white")
        for number, text in enumerate(self._moves[self._told :]):
            mover = (position.player() + len(self._moves) - self._told - number) % 2
            self._send(f"play {colors[mover]} {text}")
        self._told = len(self._moves) + 1  # it knows its own move
        seconds = limits.seconds if limits.seconds is not None else 5.0
        if limits.seconds is not None:
            with contextlib.suppress(Unavailable):
                self._send(f"time_settings 0 {max(1, round(seconds))} 1")
        # Our referee counts every stone as it stands: after a pass, dead ones have to be taken off by playing.
        after_pass = bool(self._moves) and self._moves[-1].lower() == "pass"
        command = "kgs-genmove_cleanup" if self._cleans and after_pass else "genmove"
        answer = self._send(f"{command} {colors[position.player()]}", 60.0 + seconds)
        if answer.lower() == "resign":
            raise Resigned(f"{self.name} resigned")
        return answer
