"""A picture for a game that has none: its text where that is rows of letters, else its fields.

>>> from outplay.picture import Picture
>>> [cell.symbol for cell in from_text("x../.o./... x").cells[0]]
['x', '', '']
>>> from_fields({"heaps": [3, 4, 5], "turn": 1}).rows
('heaps', 'turn')
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from outplay.game import Position
from outplay.game.notation import field_names
from outplay.picture import Cell, Picture

EMPTY = "._- "
MOST_SIDE, MOST_LISTED = 20, 8


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
    """One row a field, or a board where a field is one: a field of small numbers that fill a square, 1 and 2 as two colours' discs.

    >>> board = from_fields({"board": [1, 0, 2, 0, 1, 0, 0, 0, 2], "turn": 1})
    >>> [[cell.piece for cell in row] for row in board.cells], board.caption
    ([['disc', '', 'disc'], ['', 'disc', ''], ['', '', 'disc']], 'turn: 1')
    """
    if (square := _square(fields)) is not None:
        return square
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


def _square(fields: Mapping[str, Any]) -> Picture | None:
    """The board of the one field whose numbers are 0, 1 and 2 and fill a square or rows, the others in words below it."""
    boards, others = [], []
    for name, value in fields.items():
        listed = value.tolist() if hasattr(value, "tolist") else value
        has_rows = isinstance(listed, list) and bool(listed) and isinstance(listed[0], list)
        flat = [each for row in listed for each in row] if has_rows else listed
        long = len(flat) if isinstance(flat, list | tuple) else 0
        side = math.isqrt(long)
        is_square = side >= 3 and side * side == long
        rows = listed if has_rows else [flat[k : k + side] for k in range(0, long, side)] if is_square else []
        if rows and 3 <= len(rows) <= MOST_SIDE and len(rows[0]) <= MOST_SIDE and set(flat) <= {0, 1, 2}:
            boards.append(rows)
        elif not isinstance(flat, list | tuple) or len(flat) <= MOST_LISTED:
            others.append(f"{name}: {' '.join(map(str, flat)) if isinstance(flat, list | tuple) else flat}")
        else:
            return None
    if len(boards) != 1:
        return None
    cells = tuple(tuple(Cell(str(value), "disc", value - 1) if value else Cell() for value in row) for row in boards[0])
    return Picture(cells=cells, caption=", ".join(others)[:90], colours=("blue", "orange"))
