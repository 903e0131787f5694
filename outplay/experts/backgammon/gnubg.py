"""GNU Backgammon as a player: `gnubg`, `gnubg:ply=2`; a program of its own, spoken to over its standard input and output.

    outplay match backgammon engine:depth=2 gnubg:ply=0 --games 50

`ply` is how far it looks ahead (0: it judges the positions after its own turn), `noise` makes it err (the standard deviation of an
error added to its equities), `program` says where it lies when it is not on the path. It is told each position whole, as its own
position ID and match ID, and asked for a hint; it also doubles, takes and drops.

>>> turn_of(["1. Cubeless 0-ply   8/5 6/5                      Eq.: +0.159"]), turn_of(["There are no legal moves."])
('8/5+6/5', 'no-move')
>>> turn_of(["Proper cube action: Redouble, pass"]), turn_of(["Proper cube action: Too good to double, pass (3.1%)"])
('double', 'roll')
"""

from __future__ import annotations

import contextlib
import re
import tempfile
import time

from outplay.errors import BadValue, Unavailable, UnknownName, shorten
from outplay.game import Position
from outplay.games.backgammon import ANSWER, OFFER
from outplay.names import parse
from outplay.players.external import PATIENCE, External
from outplay.values import Limits

QUIETLY = ("set automatic roll off", "set automatic game off", "set automatic move off", "set automatic bearoff off",
           "set player 0 human", "set player 1 human", "set confirm new off", "set beavers 0", "new session")  # fmt: skip
CHEQUERS, CUBE = "set evaluation chequerplay evaluation", "set evaluation cubedecision evaluation"
END = "show clockwise"
"""Its answer is one line, always the same: a sign that all before it is said."""

THINKING = 120.0
"""Seconds that a hint may take; at 0 plies it takes a hundredth of one."""

OPTIONS = ("ply", "noise", "program")


class GnubgPlayer(External):
    """GNU Backgammon, asked for hints."""

    plays = "backgammon"

    def __init__(self, name: str, options: dict[str, str]) -> None:
        for key in options:
            if key not in OPTIONS:
                raise UnknownName("option of player gnubg", key, OPTIONS)
        self.plies = _number(name, "ply", options.get("ply", "0"), 4)
        self.noise = _number(name, "noise", options.get("noise", "0"), 10)
        self.folder = tempfile.TemporaryDirectory(prefix="outplay-gnubg-")  # it would write into the user's own otherwise
        command = [options.get("program", "gnubg"), "--tty", "--quiet", "--no-rc", "--lang=C", f"--prefsdir={self.folder.name}"]
        super().__init__(name, command, None, {})

    def greet(self) -> None:
        """Settings: nothing by itself, so many plies, so much noise."""
        for kind in (CHEQUERS, CUBE):
            self._send(*QUIETLY, f"{kind} plies {self.plies:g}", f"{kind} noise {self.noise:g}")
        self._cubeful: bool | None = None

    def _send(self, *commands: str, seconds: float = PATIENCE) -> list[str]:
        """Commands and what is said to them."""
        for command in (*commands, END):
            self.program.say(command)
        until = time.monotonic() + seconds
        lines: list[str] = []
        while "clockwise" not in (line := self.program.hear(until)):
            lines.append(line)
        return lines

    def ask(self, position: Position, limits: Limits) -> str:
        """`set gnubgid` and `hint`; without a cube it shall not reckon with one."""
        record = position.game.record(position.state).copy()
        cubeful = position.game.rules.parameters["cube"]
        if cubeful != self._cubeful:
            self._send(f"{CHEQUERS} cubeful {'on' if cubeful else 'off'}")
            self._cubeful = cubeful
        answering = record.phase == ANSWER
        if answering:  # it can only be asked as the one who doubles
            record.turn, record.phase = 1 - record.turn, OFFER
        identity = ":".join(record.text().split(":")[:2])
        said = self._send(f"set gnubgid {identity}", "hint 1", seconds=THINKING)
        if answering:
            action = " ".join(line for line in said if line.startswith("Proper cube action:"))
            return "drop" if "pass" in action else "take"
        turn = turn_of(said)
        if turn is None:
            raise Unavailable(f"{self.name} gave no hint in {position.text()}: {shorten(' '.join(said[-3:]))!r}")
        return turn

    def close(self) -> None:
        """End the program and leave nothing behind."""
        super().close()
        with contextlib.suppress(OSError):
            self.folder.cleanup()


def turn_of(lines: list[str]) -> str | None:
    """The action that a hint recommends, in our notation; None: there is none in it."""
    for line in lines:
        if found := re.match(r"1\.\s+Cube(?:ful|less)\s+\S+\s+(\S.*?)\s+(?:Eq\.|MWC)", line):
            return "+".join(found[1].split())
        if line.startswith("There are no legal moves"):
            return "no-move"
        if found := re.match(r"Proper cube action: (.*)", line):
            return "double" if re.match(r"(Double|Redouble)\b", found[1]) else "roll"
    return None


def _number(name: str, key: str, text: str, most: int) -> float:
    try:
        value = float(text)
        if not 0 <= value <= most or (key == "ply" and value != int(value)):
            raise ValueError
    except ValueError:
        kind = "whole number" if key == "ply" else "number"
        raise BadValue(f"player {shorten(name)!r}: {key} must be a {kind} from 0 to {most}, got {text!r}") from None
    return value


def from_text(text: str, seed: int = 0) -> GnubgPlayer:
    """The player that `gnubg` or `gnubg:ply=2,noise=0.05` means; it draws nothing, so no seed is used."""
    return GnubgPlayer(text.strip(), parse(text, "player").options)
