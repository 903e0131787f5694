"""Games of chess as PGN files."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence

from outplay.errors import BadNotation
from outplay.experts.chess import pgn
from outplay.formats.games import Format, Taken, spelled
from outplay.game import Position
from outplay.values import Record


def read(text: str) -> Taken:
    """The first game of a file, with its variations."""
    game = next(iter(pgn.read(text.splitlines(), variations=True)))
    if isinstance(game, pgn.Problem):
        raise BadNotation(f"this PGN cannot be read: {game.message}")
    record, begun = game.record(), game.start()
    is_usual = begun.game.start().text() == record.start
    lines = tuple(spelled(begun, line) for line in game.lines)
    tags = tuple((key, value) for key, value in game.tags.items() if key not in ("FEN", "SetUp"))
    notes = tuple((spelled(begun, way), note) for way, note in game.notes.items())
    return Taken(record.game, record.actions, None if is_usual else record.start, names=record.players, lines=lines, tags=tags,
                 notes=notes)


def write(begun: Position, record: Record, lines: Sequence[Sequence[str]]) -> str:
    """A game as one of a file, with the day it was written and why it ended."""
    today = {"Event": "Outplay", "Site": "?", "Date": datetime.date.today().strftime("%Y.%m.%d")}
    tags = {} if record.tags else today  # a game that came with tags was not played today
    if record.reason:
        tags["Termination"] = record.reason
    return pgn.write(pgn.from_record(record, lines, **tags)) + "\n"


FORMAT = Format("PGN (chess)", lambda text: re.match(r'\[\s*\w+\s*"|\d', text), read, write, parted=r"\n(?=\[Event )")
