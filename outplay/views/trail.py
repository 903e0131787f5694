"""What a search for a way has looked at, drawn on the board where the player walks: a plus for every place, brackets for the way.

>>> from outplay.game import load
>>> from outplay.textbook.a_star import a_star
>>> from outplay.views import text
>>> start = load("grid", map="....../.S#.G./......").start()
>>> print(text.board(trail(start, a_star(start, trace=True))))
. . . . . .
.(@)# .(G).
.(+ + + +).
"""

from __future__ import annotations

from dataclasses import replace

from outplay.game import Position
from outplay.values import Cell, Picture, Result

SEEN = "+"


def trail(start: Position, result: Result) -> Picture | None:
    """The board of a traced search: where the player's piece stood in what was looked at, and on the way that was found.

    None for a game without a picture. The player's piece is whatever the picture gives to the first player.
    """
    picture = start.picture()
    if picture is None:
        return None
    here = _spots(start)
    seen: set[tuple[int, int]] = set()
    known: dict[tuple, Position] = {(): start}
    for step in result.trace:
        if step.path not in known:
            parent = known.get(step.path[:-1]) or _follow(start, step.path[:-1])
            known[step.path] = parent.result(step.path[-1])
            seen |= _spots(known[step.path])
    way = here | set().union(*(_spots(_follow(start, result.line[: n + 1])) for n in range(len(result.line))))
    rows = [list(row) for row in picture.cells]
    for r, c in seen | way:
        plain = rows[r][c] if rows[r][c].symbol else Cell(SEEN, "text")
        rows[r][c] = replace(plain, mark=(r, c) in way)
    return replace(picture, cells=tuple(map(tuple, rows)), touches={})


def _follow(position: Position, line: tuple) -> Position:
    for action in line:
        position = position.result(action)
    return position


def _spots(position: Position) -> set[tuple[int, int]]:
    """Where the first player's pieces stand."""
    picture = position.picture()
    assert picture is not None
    return {(r, c) for r, row in enumerate(picture.cells) for c, cell in enumerate(row) if cell.owner == 0}
