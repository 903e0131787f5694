"""Boards on a sheet: cells as squares, lines, holes and hexes, one board or several; and backgammon's points."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from outplay.picture import Cell, Picture, Points
from outplay.views import pieces
from outplay.views.sheet import MARGIN, SIZE, Sheet

HULLS = {
    "left": "M24-15H4C-10-15-18-8-22 0C-18 8-10 15 4 15H24",
    "right": "M-24-15H10C17-15 21-9 21-6V6C21 9 17 15 10 15H-24",
    "across": "M-24-15H24V15H-24Z",
    "top": "M-15 24V4C-15-10-8-18 0-22C8-18 15-10 15 4V24",
    "bottom": "M-15-24V10C-15 17-9 21-6 21H6C9 21 15 17 15 10V-24",
    "down": "M-15-24H15V24H-15Z",
    "alone": "M-22 0C-18-8-8-15 4-15C14-15 20-9 20 0C20 9 14 15 4 15C-8 15-18 8-22 0Z",
}
"""A ship from bow to stern: each part around the centre of its cell."""


def draw_cells(sheet: Sheet, picture: Picture, names: Sequence[str] = ()) -> None:
    """Boards of cells: squares, lines, holes, hexes; several side by side stand under their names."""
    surface = picture.surface
    sheet.kind = (
        f"{surface} {picture.look or {'lines': 'wood', 'holes': 'frame'}.get(surface, 'wood' if picture.checkered else '')}"
    )
    height, width = len(picture.cells), picture.width
    hexes = surface in ("hexes", "hexagon")
    step_x, step_y = (SIZE, SIZE * 0.866) if hexes else (SIZE, SIZE)
    left = max(28.0, 12.0 + 7.6 * max(map(len, picture.rows))) if any(picture.rows) else float(MARGIN)
    if sheet.narrow and width > 12:  # every pixel is the board's
        left = 20.0
    top = float(MARGIN) + (0 if not sheet.hands_at("above") else sheet.hands_height("above"))
    parts = boards_of(picture)
    if len(parts) > 1 and len(names) == len(parts):
        for part, name in zip(parts, names, strict=True):
            sheet.words("board-name", left + (part.start + part.stop) / 2 * SIZE, top + 6, name)
        top += 16
    total = width * step_x + (height - 1) * step_x / 2 * (surface == "hexes")
    edge = 6 if surface in ("lines", "holes") else 0  # of the plate around the cells
    below = 26.0 + edge if any(picture.columns) else float(MARGIN)
    hand_width = max(total, 220.0) if picture.hands else total
    if picture.hands:
        sheet.hands_block(sheet.hands_at("above"), left, MARGIN, hand_width)
    tall = height * step_y + (step_x * 0.29 if hexes else 0)

    def corner(row: int, column: int) -> tuple[float, float]:
        if sheet.turned and surface not in ("holes", "hexes", "hexagon"):
            row, column = height - 1 - row, width - 1 - column
        shift = row * step_x / 2 if surface == "hexes" else (width - len(picture.cells[row])) * step_x / 2 if hexes else 0
        return left + column * step_x + shift, top + row * step_y

    if surface in ("squares", "lines", "holes"):
        sheet.ground.append(
            f'<rect class="plate" x="{left - edge:g}" y="{top - edge:g}" width="{total + 2 * edge:g}" '
            f'height="{tall + 2 * edge:g}" rx="{edge + 3 if edge else 0}"/>'
        )
    if surface == "lines":
        _lines(sheet, height, width, left, top)
    for row, cells in enumerate(picture.cells):
        for column, cell in enumerate(cells):
            x, y = corner(row, column)
            _cell(sheet, picture, row, column, cell, x, y)
    for row, label in enumerate(picture.rows[:height]):
        x, y = corner(row, 0)
        at = min(x, corner(row, len(picture.cells[row]) - 1)[0]) if hexes else left
        sheet.words("label", at - left / 2 - 2 * (20 < left <= 28), y + step_y / 2, label)
    for column, label in enumerate(picture.columns[:width]):
        x, _ = corner(height - 1, column)
        sheet.words("label", x + step_x / 2, top + tall + edge + (below - edge) / 2, label)
    sheet.width = left + max(total, hand_width) + (9 if sheet.narrow and width > 12 else MARGIN)
    sheet.height = top + tall + below
    if picture.dice:
        sheet.draw_dice(left + 20, sheet.height + 16)
        sheet.height += 44
    if sheet.narrow and total > 500:
        for hand in sheet.hands_at("below"):
            sheet.height += sheet.large_hand(hand, left, sheet.height + 6, total)
    elif sheet.hands_at("below"):
        sheet.height += 4
        sheet.height += sheet.hands_block(sheet.hands_at("below"), left, sheet.height, hand_width)


def _lines(sheet: Sheet, height: int, width: int, left: float, top: float) -> None:
    first_x, last_x = left + SIZE / 2, left + (width - 0.5) * SIZE
    first_y, last_y = top + SIZE / 2, top + (height - 0.5) * SIZE
    path = "".join(f"M{first_x:g} {first_y + row * SIZE:g}H{last_x:g}" for row in range(height))
    path += "".join(f"M{first_x + column * SIZE:g} {first_y:g}V{last_y:g}" for column in range(width))
    sheet.ground.append(f'<path class="grid-line" d="{path}"/>')
    stars = "".join(
        f'<circle class="star-point" cx="{first_x + c * SIZE:g}" cy="{first_y + r * SIZE:g}" r="4.5"/>'
        for r, c in star_points(height, width)
    )
    sheet.ground.append(stars)


def _cell(sheet: Sheet, picture: Picture, row: int, column: int, cell: Cell, x: float, y: float) -> None:
    spot = (row, column + sheet.first_column)
    ground = cell.ground or ("wall" if cell.piece == "wall" else "")
    shaded = picture.checkered and (row + column) % 2 == 1
    centre_x, centre_y = x + SIZE / 2, y + SIZE / 2
    surface = picture.surface
    if surface == "squares" and ground != "off":
        kind = f"ground-{ground.lower().replace(' ', '-')}" if ground else "shade" if shaded else "square"
        sheet.ground.append(f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{SIZE}" height="{SIZE}"/>')
        if ground.startswith("hull "):
            sheet.ground.append(f'<path class="hull" transform="translate({centre_x:g} {centre_y:g})" d="{HULLS[ground[5:]]}"/>')
        if ground == "dirt":
            sheet.ground.append(
                f'<g class="piece c-grey" transform="translate({x + 7:g} {y + 12:g}) scale(0.7)">{pieces.SHAPES["dirt"]}</g>'
            )
        words = {"3W": "3W", "2W": "2W", "3L": "3L", "2L": "2L"}.get(ground, "")
        if words and not cell.symbol:
            sheet.words("premium", centre_x, centre_y, words)
        if ground == "star" and not cell.symbol:
            sheet.words("premium star-mark", centre_x, centre_y, "★")
        if cell.note and cell.piece != "tile":
            sheet.words("square-number", x + 7, y + 7, cell.note)
    elif surface == "holes" and ground != "off":
        sheet.ground.append(f'<circle class="hole-in-frame" cx="{centre_x:g}" cy="{centre_y:g}" r="19"/>')
    elif surface in ("hexes", "hexagon") and ground != "off":
        sheet.ground.append(
            f'<path class="hex{" ground-" + ground if ground else ""}" d="{hexagon(centre_x, y + SIZE * 0.577)}"/>'
        )
        centre_y = y + SIZE * 0.577
    told = sheet.marks.get(spot) or ("note" if cell.mark is True else cell.mark)
    if told:
        if surface in ("hexes", "hexagon"):
            sheet.below.append(f'<path class="mark {str(told).split(" ")[0]}" d="{hexagon(centre_x, centre_y)}"/>')
        else:
            sheet.mark(str(told), x, y, SIZE, SIZE, surface in ("lines", "holes"), over=bool(cell.piece))
    if told == "last" and cell.piece == "tile":  # which covers its square
        sheet.above.append(f'<rect class="tile-mark" x="{x + 2:g}" y="{y + 2:g}" width="{SIZE - 4}" height="{SIZE - 4}" rx="5"/>')
    scale = 0.88 if surface in ("hexes", "hexagon") else 1.0
    if cell.piece == "card":
        scale = 0.85
    if ground != "off":
        sheet.place(spot, x, y, SIZE, SIZE, pieces.name_of(cell, picture.colours, surface))
    if ground != "off" and not (ground == "dirt" and not cell.piece):  # nothing there, or drawn already
        sheet.put(spot, cell, centre_x, centre_y, scale, is_dead=bool(cell.piece) and str(told).startswith("territory"))


def draw_stacked(sheet: Sheet, picture: Picture, parts: Sequence[range], front: int, names: Sequence[str]) -> None:
    """Boards side by side, one below the other: the one in front large, the others small."""
    board = max(len(part) for part in parts) * SIZE + 40.0
    for number in [front, *(number for number in range(len(parts)) if number != front)]:
        columns = parts[number]
        scale = 1.0 if number == front else 0.6
        if number < len(names):
            sheet.words("board-name", board / 2, sheet.height + 13, names[number])
            sheet.height += 15
        origin = ((1 - scale) * board / 2, sheet.height, scale)
        sub = Sheet(sheet.picture, sheet.turned, sheet.marks, first_column=columns.start, origin=origin)
        cells = tuple(tuple(row[columns.start : columns.stop]) for row in picture.cells)
        draw_cells(sub, replace(picture, cells=cells, columns=picture.columns[columns.start : columns.stop], hands=(), dice=()))
        sheet.kind = sub.kind
        sheet.width = max(sheet.width, sub.width)
        sheet.embed(sub)
        sheet.height += scale * sub.height


def draw_points(sheet: Sheet, picture: Points) -> None:
    """Backgammon's board; the first player moves from 24 to 1 and has the home at the lower right."""
    sheet.kind = "points"
    wide, tall, bar, tray = (46.0, 250.0, 46.0, 40.0) if sheet.narrow else (46.0, 190.0, 54.0, 62.0)
    gap = 54.0
    board_width = 12 * wide + bar
    left, top = (10.0 if sheet.narrow else 14.0), 26.0
    sheet.width = 2 * left + board_width + 8 + tray
    sheet.height = top + 2 * tall + gap + 26
    bottom = top + 2 * tall + gap
    sheet.ground.append(
        f'<rect class="rim" x="{left - 8:g}" y="{top - 20:g}" width="{board_width + tray + 24:g}" '
        f'height="{2 * tall + gap + 40:g}" rx="8"/>'
    )
    for start in (left, left + 6 * wide + bar):
        sheet.ground.append(f'<rect class="field" x="{start:g}" y="{top:g}" width="{6 * wide:g}" height="{2 * tall + gap:g}"/>')
    tray_x = left + board_width + 8
    sheet.ground.append(
        f'<rect class="tray" x="{tray_x:g}" y="{top:g}" width="{tray:g}" height="{tall:g}" rx="4"/>'
        f'<rect class="tray" x="{tray_x:g}" y="{bottom - tall:g}" width="{tray:g}" height="{tall:g}" rx="4"/>'
    )
    for number in range(1, 25):
        seen = 25 - number if sheet.turned else number
        low = seen <= 12
        column = 12 - seen if low else seen - 13
        x = left + column * wide + (bar if column >= 6 else 0)
        tip = bottom - tall + 12 if low else top + tall - 12
        base = bottom if low else top
        sheet.ground.append(
            f'<path class="point {"dark" if number % 2 else "light"}" d="M{x + 1:g} {base:g}L{x + wide / 2:g} {tip:g}'
            f'L{x + wide - 1:g} {base:g}Z"/>'
        )
        if number in sheet.marks:
            sheet.below.append(
                f'<rect class="mark point-mark {sheet.marks[number].split(" ")[0]}" x="{x + 2:g}" '
                f'y="{bottom - 5 if low else top:g}" width="{wide - 4:g}" height="5"/>'
            )
        sheet.words("point-number", x + wide / 2, base + 9 if low else base - 9, str(number))
        owner, count = picture.points[number - 1]
        _stack(sheet, number, owner, count, x, base, wide, tall, low)
    for player in range(2):
        low = (player == 0) != sheet.turned
        x = left + 6 * wide
        middle = top + tall + gap / 2
        count = picture.bar[player]
        sheet.place(
            ("bar", player),
            x,
            middle if low else top,
            bar,
            bottom - middle,
            pieces.name_of(Cell("", "checker", player, count=count), picture.colours) if count else "",
        )
        for number in range(min(count, 4)):
            shown = Cell("o", "checker", player, count=count if number == min(count, 4) - 1 and count > 1 else 1)
            sheet.put(("bar", player), shown, x + bar / 2, middle + (34 + 34 * number if low else -34 - 34 * number), 0.92)
        y = bottom - tall if low else top
        off = picture.off[player]
        sheet.place(("off", player), tray_x, y, tray, tall, f"{off} borne off")
        for number in range(off):
            at = bottom - 9 - 11 * number if low else top + 2 + 11 * number
            colour = pieces.colour(Cell("", "checker", player), picture.colours)
            sheet.standing.append(
                f'<g class="piece edge c-{colour}" data-spot="off,{player}" data-piece="checker" '
                f'transform="translate({tray_x + tray / 2:g} {at + 3:g})"><rect x="{-tray / 2 + 8:g}" y="-4.5" '
                f'width="{tray - 16:g}" height="9" rx="3"/></g>'
            )
        if off:
            sheet.words("off-count", tray_x + tray / 2, y + (14 if low else tall - 12), str(off))
    if picture.cube:
        y = {None: top + tall + gap / 2, 0: bottom - tall - gap / 2 + 30, 1: top + tall + gap / 2 - 3}[picture.cube_owner]
        if picture.cube_owner is not None:
            y = bottom - 24 if (picture.cube_owner == 0) != sheet.turned else top + 24
        x = left + 6 * wide + bar / 2
        sheet.above.append(
            f'<g class="cube-at" transform="translate({x:g} {y:g})">{pieces.body(Cell(str(picture.cube), "cube"))}</g>'
        )
    if picture.dice:
        sheet.draw_dice(left + 9 * wide + bar - 20 * (len(picture.dice) - 1), top + tall + gap / 2, None)


def _stack(
    sheet: Sheet, spot: int, owner: int | None, count: int, x: float, base: float, wide: float, tall: float, low: bool
) -> None:
    piece = Cell("o", "checker", owner, count=count)
    y = base - tall if low else base
    sheet.place(spot, x, y, wide, tall, pieces.name_of(piece, sheet.picture.colours) if owner is not None and count else "")
    if owner is None or not count:
        return
    shown = min(count, 5)
    step = min(43.0, (tall - 30) / max(1, shown - 1)) if shown > 4 else 43.0
    for number in range(shown):
        at = 22 + number * step
        top_one = number == shown - 1
        sheet.put(
            spot,
            Cell("o", "checker", owner, count=count if top_one and count > 5 else 1),
            x + wide / 2,
            base - at if low else base + at,
            0.94,
        )


def boards_of(picture: Picture) -> list[range]:
    """The columns of each board where several stand side by side, with an empty column between them.

    >>> sea = (Cell(), Cell())
    >>> boards_of(Picture(cells=((*sea, Cell(ground="off"), *sea),)))
    [range(0, 2), range(3, 5)]
    """
    if type(picture) is not Picture or picture.surface not in ("squares", "lines"):
        return [range(picture.width)]
    gaps = [c for c in range(picture.width) if all(row[c].ground == "off" for row in picture.cells)]
    edges = [-1, *gaps, picture.width]
    return [range(start + 1, end) for start, end in pairwise(edges) if end > start + 1]


def board_in_front(picture: Picture, mine: bool) -> int:
    """Which of several boards side by side matters now: the one that is touched if the turn is `mine`, else another."""
    parts = boards_of(picture)
    if len(parts) == 1:
        return 0
    touched = {spot[1] for spots in picture.touches.values() for spot in spots[:1] if isinstance(spot, tuple)}
    at = next((number for number, part in enumerate(parts) if touched & set(part)), len(parts) - 1)
    return at if mine else (at + 1) % len(parts)


def star_points(height: int, width: int) -> Iterable[tuple[int, int]]:
    """The dotted points of a Go board."""
    if height != width or height < 7:
        return [(height // 2, width // 2)] if height == width and height % 2 and height >= 5 else []
    edge = 3 if height >= 12 else 2
    ends = (edge, height - 1 - edge)
    points = [(r, c) for r in ends for c in ends]
    if height % 2:
        middle = height // 2
        points.append((middle, middle))
        if height >= 15:
            points += [(middle, c) for c in ends] + [(r, middle) for r in ends]
    return points


def hexagon(x: float, y: float) -> str:
    """The path of a cell of six sides around a point."""
    radius = SIZE * 0.577
    corners = ((x + radius * math.sin(k * math.pi / 3), y - radius * math.cos(k * math.pi / 3)) for k in range(6))
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in corners) + "Z"
