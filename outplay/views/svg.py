"""A picture as one standalone SVG file, light or dark as the reader's system is.

>>> from outplay.game import load
>>> drawing = board(load("tic-tac-toe").start().play("b2 a1").picture(), title="tic-tac-toe")
>>> drawing.startswith("<svg"), drawing.count('data-piece="ring"')
(True, 1)
>>> sheet = draw(load("tic-tac-toe").start().play("b2").picture())
>>> sheet.places[4]
Place(id='1,1', x=76.0, y=60.0, width=48, height=48, name='b2', here='blue cross')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from outplay.picture import Cell, Graph, Picture, Points, Spot, Table, Track
from outplay.views import pieces
from outplay.views.boards import board_in_front, boards_of, draw_cells, draw_points, draw_stacked
from outplay.views.sheet import MARGIN, SIZE, Drawing, Place, Sheet, spot_id
from outplay.views.tables import draw_small_table, draw_table, seen_from
from outplay.views.theme import STYLE
from outplay.views.tracks import draw_graph, draw_track

__all__ = ["MARGIN", "SIZE", "Drawing", "Place", "board", "board_in_front", "boards_of", "draw", "icon", "seen_from", "spot_id"]


def board(picture: Picture, title: str = "board", turned: bool = False) -> str:
    """The drawing alone; `title` is what a screen reader says, `turned` looks from the other side."""
    return draw(picture, title, turned).svg


def draw(
    picture: Picture,
    title: str = "board",
    turned: bool = False,
    marks: Mapping[Spot, str] | None = None,
    styled: bool = True,
    narrow: bool = False,
    front: int = 0,
    names: Sequence[str] = (),
) -> Drawing:
    """The drawing with its places; `marks` come below the picture's own, and a page that has the style sheet asks for none.

    Boards side by side stand under their `names`. For a `narrow` screen hands are laid in rows that a finger can hit, and boards
    side by side come one below the other: the one in `front` large, the rest small.
    """
    sheet = Sheet(picture, turned, {**(marks or {}), **picture.marks}, narrow=narrow)
    if isinstance(picture, Points):
        draw_points(sheet, picture)
    elif isinstance(picture, Table):
        if narrow:
            draw_small_table(sheet, picture)
        else:
            draw_table(sheet, picture)
    elif narrow and len(parts := boards_of(picture)) > 1:
        draw_stacked(sheet, picture, parts, front, names)
    elif isinstance(picture, Track):
        draw_track(sheet, picture)
    elif isinstance(picture, Graph):
        draw_graph(sheet, picture)
    else:
        draw_cells(sheet, picture, names)
    return sheet.finish(title, styled)


def icon(cell: Cell, colours: tuple[str, ...] = (), styled: bool = False) -> str:
    """One piece alone, such as what a promotion offers."""
    colour = pieces.colour(cell, colours)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="scene icon" viewBox="-26 -28 52 56" '
        'width="48" height="48" aria-hidden="true">'
        f"{f'<style>{STYLE}</style>' if styled else ''}<defs>{pieces.needed([cell])}</defs>"
        f'<g class="piece {cell.piece or "text"} c-{colour}">{pieces.body(cell)}</g></svg>'
    )
