"""A picture as one standalone SVG file, light or dark as the reader's system is.

>>> from outplay.game import load
>>> drawing = board(load("tic-tac-toe").start().play("b2 a1").picture(), title="tic-tac-toe")
>>> drawing.startswith("<svg"), drawing.count('class="ring p1"')
(True, 1)
"""

from __future__ import annotations

from html import escape

from outplay.values import Cell, Picture

SIZE = 48
"""The side of one square."""

STYLE = """
svg { --ground: #ffffff; --square: #f1f3f7; --shade: #dfe4ec; --line: #b9c1ce; --ink: #2a303b; --wall: #7b8494; --mark: #ffd84d;
      --p0: #1f6feb; --p1: #d9480f; --p2: #2b8a3e; --p3: #9c36b5; --p4: #0b7285; --p5: #a61e4d; }
@media (prefers-color-scheme: dark) {
  svg { --ground: #14171c; --square: #1f242c; --shade: #2a313c; --line: #465062; --ink: #d7dde8; --wall: #6a7485; --mark: #8a6d00;
        --p0: #6cb0ff; --p1: #ff9a5a; --p2: #6fce83; --p3: #d08be4; --p4: #5fc7d6; --p5: #f187aa; } }
.ground { fill: var(--ground); }
.square { fill: var(--square); stroke: var(--line); }
.shade { fill: var(--shade); stroke: var(--line); }
.mark { fill: var(--mark); stroke: var(--line); }
.wall { fill: var(--wall); stroke: var(--line); }
.label, .caption, .text { fill: var(--ink); font-family: system-ui, sans-serif; text-anchor: middle; dominant-baseline: central; }
.label { font-size: 14px; opacity: 0.75; }
.caption { font-size: 15px; }
.text { font-weight: 600; }
.cross, .ring { fill: none; stroke-width: 6; stroke-linecap: round; }
""" + "".join(
    f".disc.p{p}, .text.p{p} {{ fill: var(--p{p}); }}\n.cross.p{p}, .ring.p{p} {{ stroke: var(--p{p}); }}\n" for p in range(6)
)


def corner(picture: Picture) -> tuple[int, int]:
    """Where the first square begins, from the left and from the top."""
    return (28 if any(picture.rows) else 12), 12


def board(picture: Picture, title: str = "board") -> str:
    """The board with its labels and caption; `title` is what a screen reader says."""
    height = len(picture.cells)
    width = max((len(row) for row in picture.cells), default=0)
    left, _ = corner(picture)
    below = 28 if any(picture.columns) else 12
    total_width = left + width * SIZE + 12
    if picture.caption:
        total_width = max(total_width, 8 * len(picture.caption) + 24)
    total_height = 12 + height * SIZE + below + (26 if picture.caption else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total_width}" height="{total_height}" '
        f'viewBox="0 0 {total_width} {total_height}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="ground" width="{total_width}" height="{total_height}" rx="8"/>',
    ]
    for row, cells in enumerate(picture.cells):
        y = 12 + row * SIZE
        if row < len(picture.rows):
            parts.append(_words("label", left / 2, y + SIZE / 2, picture.rows[row]))
        for column, cell in enumerate(cells):
            parts.append(_square(left + column * SIZE, y, cell, picture.checkered and (row + column) % 2 == 1))
            parts.append(_piece(left + (column + 0.5) * SIZE, y + SIZE / 2, cell))
    for column, label in enumerate(picture.columns[:width]):
        parts.append(_words("label", left + (column + 0.5) * SIZE, 12 + height * SIZE + below / 2, label))
    if picture.caption:
        parts.append(_words("caption", total_width / 2, total_height - 16, picture.caption))
    return "\n".join(part for part in parts if part) + "\n</svg>\n"


def _square(x: float, y: float, cell: Cell, shaded: bool) -> str:
    kind = "mark" if cell.mark else "wall" if cell.piece == "wall" else "shade" if shaded else "square"
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{SIZE}" height="{SIZE}"/>'


def _piece(x: float, y: float, cell: Cell) -> str:
    owner = "" if cell.owner is None else f" p{cell.owner % 6}"
    if cell.piece in ("disc", "stone"):
        return f'<circle class="disc{owner}" cx="{x:g}" cy="{y:g}" r="{SIZE * 0.38:g}"/>'
    if cell.piece == "ring":
        return f'<circle class="ring{owner}" cx="{x:g}" cy="{y:g}" r="{SIZE * 0.29:g}"/>'
    if cell.piece == "cross":
        reach = SIZE * 0.27
        return (
            f'<path class="cross{owner}" d="M{x - reach:g} {y - reach:g}L{x + reach:g} {y + reach:g}'
            f'M{x + reach:g} {y - reach:g}L{x - reach:g} {y + reach:g}"/>'
        )
    if cell.piece == "wall" or not cell.symbol:
        return ""
    size = {1: 0.62, 2: 0.42, 3: 0.42}.get(len(cell.symbol), 0.3)
    return _words(f"text{owner}", x, y, cell.symbol, SIZE * size)


def _words(kind: str, x: float, y: float, text: str, size: float | None = None) -> str:
    font = "" if size is None else f' font-size="{size:g}"'
    return f'<text class="{kind}" x="{x:g}" y="{y:g}"{font}>{escape(text)}</text>'
