"""A picture for a game that has none: its text where that is rows of letters, else its fields.

>>> from outplay.picture import Picture
>>> [cell.symbol for cell in from_text("x../.o./... x").cells[0]]
['x', '', '']
>>> from_fields({"heaps": [3, 4, 5], "turn": 1}).rows
('heaps', 'turn')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from outplay.game import Position
from outplay.game.notation import field_names
from outplay.picture import Cell, Picture

EMPTY = "._- "


def picture_of(position: Position) -> Picture | None:
    """The game's own picture; without one, what its text or its fields show. None where even that shows nothing."""
    return position.picture() or from_text(position.text()) or from_fields(fields_of(position))


def from_text(text: str) -> Picture | None:
    """A board out of rows of letters such as x../.o./... x; None where the text is no such board."""
    rows = text.split(" ")[0].split("/")
    if len(rows) < 2 or len({len(row) for row in rows}) != 1 or not 1 <= len(rows[0]) <= 30 or len(rows) > 30:
        return None
    letters = list(dict.fromkeys(letter for row in sorted(rows) for letter in row if letter.isalpha()))
    owners = {letter: number for number, letter in enumerate(sorted(letters, key=lambda x: "xXoO".find(x) if x in "xXoO" else 9))}

    def cell(letter: str) -> Cell:
        if letter == "#":
            return Cell("#", "wall")
        return Cell() if letter in EMPTY else Cell(letter, "text", owners.get(letter))

    return Picture(cells=tuple(tuple(map(cell, row)) for row in rows), caption=text.partition(" ")[2][:60])


def fields_of(position: Position) -> Mapping[str, Any]:
    """The fields of a position by name."""
    state = position.state
    try:
        record = position.game.record(state)
        return {name: record[name] for name in field_names(record)} if hasattr(record, "dtype") else {}
    except Exception:
        return dict(vars(state)) if hasattr(state, "__dict__") else {"state": state}


def from_fields(fields: Mapping[str, Any]) -> Picture | None:
    """One row a field, or a board where a field is one."""
    rows: list[tuple[str, list[Any]]] = []
    for name, value in fields.items():
        listed = value.tolist() if hasattr(value, "tolist") else value
        if isinstance(listed, list) and listed and isinstance(listed[0], list):
            rows += [(name if number == 0 else "", row) for number, row in enumerate(listed[:20])]
        else:
            rows.append((name, list(listed) if isinstance(listed, list | tuple) else [listed]))
    rows = [(name, row[:24]) for name, row in rows[:20]]
    if not rows:
        return None
    wide = max(len(row) for _, row in rows)
    cells = tuple(tuple(Cell(str(value)[:6] or " ", "text") for value in row) + (Cell(" ", ground="off"),) * (wide - len(row))
                  for _, row in rows)  # fmt: skip
    return Picture(cells=cells, rows=tuple(name for name, _ in rows))
