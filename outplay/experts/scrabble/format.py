"""Games of Scrabble as GCG files."""

from __future__ import annotations

import re
from collections.abc import Sequence

from outplay.errors import BadNotation
from outplay.experts.scrabble import gcg
from outplay.formats.games import Format, Taken
from outplay.game import Position
from outplay.values import Record


def read(text: str) -> Taken:
    """The game of a file, taken up before its last turn."""
    game = gcg.read_gcg(text)
    if not game.moments:
        raise BadNotation("this GCG has no turns")
    last = game.moments[-1]  # what was drawn before is not in the file: the game is taken up before its last turn
    return Taken("scrabble", (), last.position.text(), names=tuple(name or short for short, name in game.players))


def write(begun: Position, record: Record, lines: Sequence[Sequence[str]]) -> str:
    """A game; empty where nobody has played yet."""
    position, moments = begun, []
    for text in record.actions:
        action = position.parse_action(text)
        if not position.is_chance() and position.action_text(action).partition(":")[0] not in ("accept", "challenge"):
            moments.append(gcg.Moment(position, action))
        position = position.result(action)
    names = (record.players[0], record.players[1]) if len(record.players) == 2 and all(record.players) else ("first", "second")
    return gcg.write_gcg(gcg.from_positions(moments, names)) if moments else ""


FORMAT = Format("GCG (Scrabble)", lambda text: re.search(r"^#player1 ", text, re.MULTILINE), read, write, only=r"players=[34]")
