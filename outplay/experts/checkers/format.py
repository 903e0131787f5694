"""Games of checkers as PDN files."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from outplay.errors import BadNotation
from outplay.experts.checkers import pdn
from outplay.formats.games import Format, Taken
from outplay.formats.movetext import Problem
from outplay.game import Position
from outplay.values import Record


def begins(text: str) -> Any:
    """Whether a text is PDN and no PGN: a type of game among the tags, or squares by their numbers."""
    if not (text.startswith("[") or text[:1].isdecimal()):
        return False
    return re.search(r"^\[GameType ", text, re.MULTILINE) or re.search(r"(?m)^1\.\s*[a-h]?\d+[-x:][a-h]?\d+", text)


def read(text: str) -> Taken:
    """The first game of a file."""
    game = next(iter(pdn.read(text.splitlines())))
    if isinstance(game, Problem):
        raise BadNotation(f"this PDN cannot be read: {game.message}")
    record = game.record()
    is_usual = game.start().game.start().text() == record.start
    tags = tuple((key, value) for key, value in game.tags.items() if key not in ("FEN", "GameType"))
    notes = tuple((record.actions[:ply], said) for ply, said in enumerate(game.comments, start=1) if said)
    return Taken(record.game, record.actions, None if is_usual else record.start, names=record.players, tags=tags, notes=notes)


def write(begun: Position, record: Record, lines: Sequence[Sequence[str]]) -> str:
    """A game as one of a file, with the day it was written."""
    tags = {} if record.tags else {"Event": "Outplay", "Date": datetime.date.today().strftime("%Y.%m.%d")}
    tags |= {key: value for key, value in record.tags if key not in ("Black", "White", "Result")}
    said = dict(record.notes)
    comments = tuple(said.get(record.actions[:ply], "") for ply in range(1, len(record.actions) + 1))
    return pdn.write(pdn.from_record(replace(record, comments=comments if any(comments) else record.comments), **tags)) + "\n"


FORMAT = Format("PDN (checkers)", begins, read, write, parted=r"\n(?=\[Event )")
