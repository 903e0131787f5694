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

import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from itertools import pairwise

from outplay.picture import Cell, Graph, Hand, Picture, Points, Spot, Table, Track
from outplay.views import pieces
from outplay.views.theme import STYLE

SIZE = 48
"""The side of one square."""

MARGIN = 12

SMALL_TABLE = 346.0
"""How wide a card table is where the screen is narrow: a card is then as wide as a fingertip."""


@dataclass(frozen=True)
class Place:
    """Where a spot lies in the drawing, its name and what stands there in words."""

    id: str
    x: float
    y: float
    width: float
    height: float
    name: str
    here: str = ""


@dataclass(frozen=True)
class Drawing:
    """A drawing with the places that may be touched."""

    svg: str
    width: float
    height: float
    places: tuple[Place, ...]


def spot_id(spot: Spot) -> str:
    """A spot as one text, the same on the page and here."""
    return ",".join(map(str, spot)) if isinstance(spot, tuple) else str(spot)


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
    sheet = _Sheet(picture, turned, {**(marks or {}), **picture.marks}, narrow=narrow)
    if isinstance(picture, Points):
        sheet.points(picture)
    elif isinstance(picture, Table):
        if narrow:
            sheet.small_table(picture)
        else:
            sheet.table(picture)
    elif narrow and len(parts := boards_of(picture)) > 1:
        sheet.stacked(picture, parts, front, names)
    elif isinstance(picture, Track):
        sheet.track(picture)
    elif isinstance(picture, Graph):
        sheet.graph(picture)
    else:
        sheet.cells(picture, names)
    return sheet.finish(title, styled)


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


def seen_from(picture: Picture, name: str, half: bool = False) -> Picture:
    """A card table turned so that the hand of this name lies below, or (`half`) across from there.

    >>> seen_from(Table(hands=(Hand("North", side="above"), Hand("East", side="right"))), "East").hands[0].side
    'right'
    """
    sides = ("below", "left", "above", "right")
    own = next((sides.index(hand.side) for hand in picture.hands if hand.name == name and hand.side in sides), 0)
    quarters = (2 if half else 0) - own
    if not isinstance(picture, Table) or not quarters:
        return picture

    def turned(side: str) -> str:
        return sides[(sides.index(side) + quarters) % 4] if side in sides else side

    hands = tuple(replace(hand, side=turned(hand.side)) for hand in picture.hands)
    return replace(picture, hands=hands, from_sides=tuple(map(turned, picture.from_sides)))


@dataclass
class _Sheet:
    """What is drawn so far, in layers: the surface, marks under the pieces, the pieces, what lies above them."""

    picture: Picture
    turned: bool
    marks: Mapping[Spot, str]
    ground: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    standing: list[str] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    used: list[Cell] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    where: dict[Spot, tuple[float, float]] = field(default_factory=dict)
    width: float = 0.0
    height: float = 0.0
    kind: str = ""
    first_column: int = 0  # of a board that is one of several
    origin: tuple[float, float, float] = (0.0, 0.0, 1.0)  # where a sheet that is part of another lies on it, and how large
    narrow: bool = False

    # ------------------------------------------------------------ the parts

    def place(self, spot: Spot, x: float, y: float, width: float, height: float, here: str = "") -> None:
        self.places.append(Place(spot_id(spot), x, y, width, height, self.picture.spot_name(spot), here))
        self.where[spot] = (x + width / 2, y + height / 2)

    def put(self, spot: Spot, cell: Cell, x: float, y: float, scale: float = 1.0, is_dead: bool = False) -> None:
        inside = pieces.body(cell)
        if not inside:
            return
        self.used.append(cell)
        colour = pieces.colour(cell, self.picture.colours, self.picture.surface)
        name = cell.piece or "text"
        left, top, factor = self.origin
        x, y, scale = left + factor * x, top + factor * y, factor * scale
        wide = f" scale({scale:.4g})" if scale != 1 else ""
        second = (" second" if cell.owner == 1 else "") + (" dead" if is_dead else "")
        self.standing.append(
            f'<g class="piece {name} c-{colour}{second}" data-spot="{escape(spot_id(spot))}" data-piece="{escape(name)}" '
            f'transform="translate({x:g} {y:g}){wide}">{inside}</g>'
        )

    def words(self, kind: str, x: float, y: float, text: str, size: float | None = None, layer: list[str] | None = None) -> None:
        font = "" if size is None else f' font-size="{size:g}"'
        (self.ground if layer is None else layer).append(f'<text class="{kind}" x="{x:g}" y="{y:g}"{font}>{escape(text)}</text>')

    def mark(self, kind: str, x: float, y: float, width: float, height: float, round_: bool = False, over: bool = False) -> None:
        """One mark on a place, over what stands there or below it; kind may be "territory 1"."""
        word, _, owner = kind.partition(" ")
        cx, cy = x + width / 2, y + height / 2
        if word == "territory":
            colour = pieces.colour(Cell("", "stone", int(owner or 0)), self.picture.colours)
            (self.above if over else self.below).append(
                f'<rect class="mark territory c-{colour}" x="{cx - 7:g}" y="{cy - 7:g}" width="14" height="14" rx="2"/>'
            )
        elif word in ("target", "threat"):
            self.above.append(
                f'<circle class="mark {word}" cx="{cx:g}" cy="{cy:g}" r="{7 if word == "target" else width / 2 - 4:g}"/>'
            )
        elif round_:
            layer = self.above if word in ("last", "line") else self.below
            layer.append(f'<circle class="mark on-line {word}" cx="{cx:g}" cy="{cy:g}" r="{width * 0.2:g}"/>')
        else:
            self.below.append(f'<rect class="mark {word}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>')

    def hands_at(self, side: str) -> list[Hand]:
        return [hand for hand in self.picture.hands if hand.side == side]

    def large_hand(self, hand: Hand, x: float, y: float, width: float) -> float:
        """A hand below a board on a narrow screen, its things as large as they fit in one row; the height it took."""
        tall, wide = _size(hand)
        scale = min(2.2, width / (max(7, len(hand.things)) * (wide + 2))) if hand.things else 1.6
        sub = _Sheet(self.picture, self.turned, self.marks, origin=(x, y, scale))
        sub.hand(hand, 0, 0, width / scale)
        self.embed(sub)
        return scale * (18 + tall + 8)

    def embed(self, sub: _Sheet) -> None:
        """Another sheet on this one; its pieces know already where they stand, so that a page can move them anywhere."""
        x, y, scale = sub.origin
        self.standing += sub.standing
        for layer, content in ((self.ground, sub.ground), (self.below, sub.below), (self.above, sub.above)):
            if content:
                layer.append(f'<g transform="translate({x:g} {y:g}) scale({scale:.4g})">{"".join(content)}</g>')
        for at in sub.places:
            left, top = x + scale * at.x, y + scale * at.y
            self.places.append(replace(at, x=left, y=top, width=scale * at.width, height=scale * at.height))
        self.where |= {spot: (x + scale * u, y + scale * v) for spot, (u, v) in sub.where.items()}
        self.used += sub.used

    def hand(self, hand: Hand, x: float, y: float, width: float, centred: bool = False) -> None:
        """A hand in one row that begins at (x, y), or in the middle of the width; cards overlap where there is little room."""
        if centred:
            _, wide = _size(hand)
            row = min(width, wide + (len(hand.things) - 1) * (wide + 4)) if hand.things else 0.0
            used = max(row, min(width, 7.0 * len(hand.name + hand.note) + 30))
            x, width = x + (width - used) / 2, used
        self._hand_name(hand, x, y)
        tall, wide = _size(hand)
        if not hand.things:
            self.place(hand.name, x, y + 18, width, tall)
            return
        step = min(wide + 4, (width - wide) / max(1, len(hand.things) - 1)) if len(hand.things) > 1 else wide
        if all(thing.piece == "tile" for thing in hand.things):
            self.ground.append(
                f'<rect class="rack" x="{x - 4:g}" y="{y + 18 + tall * 0.55:g}" width="{step * len(hand.things) + 6:g}" '
                f'height="{tall * 0.55:g}" rx="4"/>'
            )
        for number in range(len(hand.things)):
            touch = wide if number == len(hand.things) - 1 else min(step, wide)
            self._thing(hand, number, x + number * step, y + 18, touch, tall)

    def _hand_name(self, hand: Hand, x: float, y: float, centre: float | None = None) -> None:
        label = hand.name + (f" · {hand.note}" if hand.note else "")
        if centre is not None:
            x = centre - 3.6 * len(label) - 8 * (hand.owner is not None)
        if hand.owner is not None and self.picture.colours:
            colour = self.picture.colours[hand.owner % len(self.picture.colours)]
            self.ground.append(f'<circle class="swatch c-{colour}" cx="{x + 6:g}" cy="{y + 8:g}" r="5"/>')
            x += 16
        self.words("hand-name" + (" turn" if hand.mark else ""), x, y + 8, label)

    def _thing(self, hand: Hand, number: int, left: float, top: float, touch: float, tall: float) -> None:
        """One thing of a hand, with a place that is `touch` wide."""
        thing, spot = hand.things[number], (hand.name, number)
        self.place(spot, left, top, touch, tall, pieces.name_of(thing, self.picture.colours))
        rise = -6 if self.marks.get(spot) or thing.mark else 0
        self.put(spot, thing, left + _size(hand)[1] / 2, top + tall / 2 + rise)

    def hands_block(self, hands: list[Hand], x: float, y: float, width: float, centred: bool = False) -> float:
        """Several hands below each other; the height they took."""
        top = y
        for hand in hands:
            self.hand(hand, x, y, width, centred)
            y += 18 + _size(hand)[0] + 14
        return y - top

    def draw_dice(self, x: float, y: float, owner: int | None = None) -> None:
        for number, pips in enumerate(self.picture.dice):
            colour = "white" if owner in (None, 0) else "black"
            self.above.append(f'<g class="dice c-{colour}" transform="translate({x + 40 * number:g} {y:g})">{pieces.die(pips)}</g>')

    # ------------------------------------------------------------ surfaces

    def cells(self, picture: Picture, names: Sequence[str] = ()) -> None:
        """Boards of cells: squares, lines, holes, hexes; several side by side stand under their names."""
        surface = picture.surface
        self.kind = (
            f"{surface} {picture.look or {'lines': 'wood', 'holes': 'frame'}.get(surface, 'wood' if picture.checkered else '')}"
        )
        height, width = len(picture.cells), picture.width
        hexes = surface in ("hexes", "hexagon")
        step_x, step_y = (SIZE, SIZE * 0.866) if hexes else (SIZE, SIZE)
        left = max(28.0, 12.0 + 7.6 * max(map(len, picture.rows))) if any(picture.rows) else float(MARGIN)
        if self.narrow and width > 12:  # every pixel is the board's
            left = 20.0
        top = float(MARGIN) + (0 if not self.hands_at("above") else self._hands_height("above"))
        parts = boards_of(picture)
        if len(parts) > 1 and len(names) == len(parts):
            for part, name in zip(parts, names, strict=True):
                self.words("board-name", left + (part.start + part.stop) / 2 * SIZE, top + 6, name)
            top += 16
        total = width * step_x + (height - 1) * step_x / 2 * (surface == "hexes")
        edge = 6 if surface in ("lines", "holes") else 0  # of the plate around the cells
        below = 26.0 + edge if any(picture.columns) else float(MARGIN)
        hand_width = max(total, 220.0) if picture.hands else total
        if picture.hands:
            self.hands_block(self.hands_at("above"), left, MARGIN, hand_width)
        tall = height * step_y + (step_x * 0.29 if hexes else 0)

        def corner(row: int, column: int) -> tuple[float, float]:
            if self.turned and surface not in ("holes", "hexes", "hexagon"):
                row, column = height - 1 - row, width - 1 - column
            shift = row * step_x / 2 if surface == "hexes" else (width - len(picture.cells[row])) * step_x / 2 if hexes else 0
            return left + column * step_x + shift, top + row * step_y

        if surface in ("squares", "lines", "holes"):
            self.ground.append(
                f'<rect class="plate" x="{left - edge:g}" y="{top - edge:g}" width="{total + 2 * edge:g}" '
                f'height="{tall + 2 * edge:g}" rx="{edge + 3 if edge else 0}"/>'
            )
        if surface == "lines":
            self._lines(height, width, left, top)
        for row, cells in enumerate(picture.cells):
            for column, cell in enumerate(cells):
                x, y = corner(row, column)
                self._cell(picture, row, column, cell, x, y)
        for row, label in enumerate(picture.rows[:height]):
            x, y = corner(row, 0)
            at = min(x, corner(row, len(picture.cells[row]) - 1)[0]) if hexes else left
            self.words("label", at - left / 2 - 2 * (20 < left <= 28), y + step_y / 2, label)
        for column, label in enumerate(picture.columns[:width]):
            x, _ = corner(height - 1, column)
            self.words("label", x + step_x / 2, top + tall + edge + (below - edge) / 2, label)
        self.width = left + max(total, hand_width) + (9 if self.narrow and width > 12 else MARGIN)
        self.height = top + tall + below
        if picture.dice:
            self.draw_dice(left + 20, self.height + 16)
            self.height += 44
        if self.narrow and total > 500:
            for hand in self.hands_at("below"):
                self.height += self.large_hand(hand, left, self.height + 6, total)
        elif self.hands_at("below"):
            self.height += 4
            self.height += self.hands_block(self.hands_at("below"), left, self.height, hand_width)

    def stacked(self, picture: Picture, parts: Sequence[range], front: int, names: Sequence[str]) -> None:
        """Boards side by side, one below the other: the one in front large, the others small."""
        board = max(len(part) for part in parts) * SIZE + 40.0
        for number in [front, *(number for number in range(len(parts)) if number != front)]:
            columns = parts[number]
            scale = 1.0 if number == front else 0.6
            if number < len(names):
                self.words("board-name", board / 2, self.height + 13, names[number])
                self.height += 15
            origin = ((1 - scale) * board / 2, self.height, scale)
            sub = _Sheet(self.picture, self.turned, self.marks, first_column=columns.start, origin=origin)
            cells = tuple(tuple(row[columns.start : columns.stop]) for row in picture.cells)
            sub.cells(replace(picture, cells=cells, columns=picture.columns[columns.start : columns.stop], hands=(), dice=()))
            self.kind = sub.kind
            self.width = max(self.width, sub.width)
            self.embed(sub)
            self.height += scale * sub.height

    def layers(self) -> tuple[list[str], ...]:
        """From the ground up."""
        return self.ground, self.below, self.standing, self.above

    def _hands_height(self, side: str) -> float:
        return float(sum(32 + _size(hand)[0] for hand in self.hands_at(side)))

    def _lines(self, height: int, width: int, left: float, top: float) -> None:
        first_x, last_x = left + SIZE / 2, left + (width - 0.5) * SIZE
        first_y, last_y = top + SIZE / 2, top + (height - 0.5) * SIZE
        path = "".join(f"M{first_x:g} {first_y + row * SIZE:g}H{last_x:g}" for row in range(height))
        path += "".join(f"M{first_x + column * SIZE:g} {first_y:g}V{last_y:g}" for column in range(width))
        self.ground.append(f'<path class="grid-line" d="{path}"/>')
        stars = "".join(
            f'<circle class="star-point" cx="{first_x + c * SIZE:g}" cy="{first_y + r * SIZE:g}" r="4.5"/>'
            for r, c in star_points(height, width)
        )
        self.ground.append(stars)

    def _cell(self, picture: Picture, row: int, column: int, cell: Cell, x: float, y: float) -> None:
        spot = (row, column + self.first_column)
        ground = cell.ground or ("wall" if cell.piece == "wall" else "")
        shaded = picture.checkered and (row + column) % 2 == 1
        centre_x, centre_y = x + SIZE / 2, y + SIZE / 2
        surface = picture.surface
        if surface == "squares" and ground != "off":
            kind = f"ground-{ground.lower().replace(' ', '-')}" if ground else "shade" if shaded else "square"
            self.ground.append(f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{SIZE}" height="{SIZE}"/>')
            if ground == "dirt":
                self.ground.append(
                    f'<g class="piece c-grey" transform="translate({x + 7:g} {y + 12:g}) scale(0.7)">{pieces.SHAPES["dirt"]}</g>'
                )
            words = {"3W": "3W", "2W": "2W", "3L": "3L", "2L": "2L"}.get(ground, "")
            if words and not cell.symbol:
                self.words("premium", centre_x, centre_y, words)
            if ground == "star" and not cell.symbol:
                self.words("premium star-mark", centre_x, centre_y, "★")
            if cell.note and cell.piece != "tile":
                self.words("square-number", x + 7, y + 7, cell.note)
        elif surface == "holes" and ground != "off":
            self.ground.append(f'<circle class="hole-in-frame" cx="{centre_x:g}" cy="{centre_y:g}" r="19"/>')
        elif surface in ("hexes", "hexagon") and ground != "off":
            self.ground.append(
                f'<path class="hex{" ground-" + ground if ground else ""}" d="{_hexagon(centre_x, y + SIZE * 0.577)}"/>'
            )
            centre_y = y + SIZE * 0.577
        told = self.marks.get(spot) or ("note" if cell.mark is True else cell.mark)
        if told:
            if surface in ("hexes", "hexagon"):
                self.below.append(f'<path class="mark {str(told).split(" ")[0]}" d="{_hexagon(centre_x, centre_y)}"/>')
            else:
                self.mark(str(told), x, y, SIZE, SIZE, surface in ("lines", "holes"), over=bool(cell.piece))
        scale = 0.88 if surface in ("hexes", "hexagon") else 1.0
        if cell.piece == "card":
            scale = 0.85
        if ground != "off":
            self.place(spot, x, y, SIZE, SIZE, pieces.name_of(cell, picture.colours, surface))
        if ground != "off" and not (ground == "dirt" and not cell.piece):  # nothing there, or drawn already
            self.put(spot, cell, centre_x, centre_y, scale, is_dead=bool(cell.piece) and str(told).startswith("territory"))

    def points(self, picture: Points) -> None:
        """Backgammon's board; the first player moves from 24 to 1 and has the home at the lower right."""
        self.kind = "points"
        wide, tall, bar, tray = (46.0, 250.0, 46.0, 40.0) if self.narrow else (46.0, 190.0, 54.0, 62.0)
        gap = 54.0
        board_width = 12 * wide + bar
        left, top = (10.0 if self.narrow else 14.0), 26.0
        self.width = 2 * left + board_width + 8 + tray
        self.height = top + 2 * tall + gap + 26
        bottom = top + 2 * tall + gap
        self.ground.append(
            f'<rect class="rim" x="{left - 8:g}" y="{top - 20:g}" width="{board_width + tray + 24:g}" '
            f'height="{2 * tall + gap + 40:g}" rx="8"/>'
        )
        for start in (left, left + 6 * wide + bar):
            self.ground.append(f'<rect class="field" x="{start:g}" y="{top:g}" width="{6 * wide:g}" height="{2 * tall + gap:g}"/>')
        tray_x = left + board_width + 8
        self.ground.append(
            f'<rect class="tray" x="{tray_x:g}" y="{top:g}" width="{tray:g}" height="{tall:g}" rx="4"/>'
            f'<rect class="tray" x="{tray_x:g}" y="{bottom - tall:g}" width="{tray:g}" height="{tall:g}" rx="4"/>'
        )
        for number in range(1, 25):
            seen = 25 - number if self.turned else number
            low = seen <= 12
            column = 12 - seen if low else seen - 13
            x = left + column * wide + (bar if column >= 6 else 0)
            tip = bottom - tall + 12 if low else top + tall - 12
            base = bottom if low else top
            self.ground.append(
                f'<path class="point {"dark" if number % 2 else "light"}" d="M{x + 1:g} {base:g}L{x + wide / 2:g} {tip:g}'
                f'L{x + wide - 1:g} {base:g}Z"/>'
            )
            if number in self.marks:
                self.below.append(
                    f'<rect class="mark point-mark {self.marks[number].split(" ")[0]}" x="{x + 2:g}" '
                    f'y="{bottom - 5 if low else top:g}" width="{wide - 4:g}" height="5"/>'
                )
            self.words("point-number", x + wide / 2, base + 9 if low else base - 9, str(number))
            owner, count = picture.points[number - 1]
            self._stack(number, owner, count, x, base, wide, tall, low)
        for player in range(2):
            low = (player == 0) != self.turned
            x = left + 6 * wide
            middle = top + tall + gap / 2
            count = picture.bar[player]
            self.place(
                ("bar", player),
                x,
                middle if low else top,
                bar,
                bottom - middle,
                pieces.name_of(Cell("", "checker", player, count=count), picture.colours) if count else "",
            )
            for number in range(min(count, 4)):
                shown = Cell("o", "checker", player, count=count if number == min(count, 4) - 1 and count > 1 else 1)
                self.put(("bar", player), shown, x + bar / 2, middle + (34 + 34 * number if low else -34 - 34 * number), 0.92)
            y = bottom - tall if low else top
            off = picture.off[player]
            self.place(("off", player), tray_x, y, tray, tall, f"{off} borne off")
            for number in range(off):
                at = bottom - 9 - 11 * number if low else top + 2 + 11 * number
                colour = pieces.colour(Cell("", "checker", player), picture.colours)
                self.standing.append(
                    f'<g class="piece edge c-{colour}" data-spot="off,{player}" data-piece="checker" '
                    f'transform="translate({tray_x + tray / 2:g} {at + 3:g})"><rect x="{-tray / 2 + 8:g}" y="-4.5" '
                    f'width="{tray - 16:g}" height="9" rx="3"/></g>'
                )
            if off:
                self.words("off-count", tray_x + tray / 2, y + (14 if low else tall - 12), str(off))
        if picture.cube:
            y = {None: top + tall + gap / 2, 0: bottom - tall - gap / 2 + 30, 1: top + tall + gap / 2 - 3}[picture.cube_owner]
            if picture.cube_owner is not None:
                y = bottom - 24 if (picture.cube_owner == 0) != self.turned else top + 24
            x = left + 6 * wide + bar / 2
            self.above.append(
                f'<g class="cube-at" transform="translate({x:g} {y:g})">{pieces.body(Cell(str(picture.cube), "cube"))}</g>'
            )
        if picture.dice:
            self.draw_dice(left + 9 * wide + bar - 20 * (len(picture.dice) - 1), top + tall + gap / 2, None)

    def _stack(self, spot: int, owner: int | None, count: int, x: float, base: float, wide: float, tall: float, low: bool) -> None:
        piece = Cell("o", "checker", owner, count=count)
        y = base - tall if low else base
        self.place(spot, x, y, wide, tall, pieces.name_of(piece, self.picture.colours) if owner is not None and count else "")
        if owner is None or not count:
            return
        shown = min(count, 5)
        step = min(43.0, (tall - 30) / max(1, shown - 1)) if shown > 4 else 43.0
        for number in range(shown):
            at = 22 + number * step
            top_one = number == shown - 1
            self.put(
                spot,
                Cell("o", "checker", owner, count=count if top_one and count > 5 else 1),
                x + wide / 2,
                base - at if low else base + at,
                0.94,
            )

    def table(self, picture: Table) -> None:
        """Hands on the four sides, and the middle between them."""
        self.kind = "table"
        around = any(hand.side in ("left", "right") for hand in picture.hands)  # as wide to the last card as with full hands
        wide = 640.0 if around else max([420.0, *(min(640, 46 * len(hand.things)) for hand in picture.hands)])
        sides = {side: self.hands_at(side) for side in ("above", "left", "right", "middle", "below")}
        x, y = 20.0, 18.0
        y += self.hands_block(sides["above"], x, y, wide, centred=True)
        middle_top = y
        column = 150.0
        left_height = float(sum(32 + _size(hand)[0] for hand in sides["left"]))
        right_height = float(sum(32 + _size(hand)[0] for hand in sides["right"]))
        room = 170.0 if around else 78.0 if picture.middle else 34.0
        middle_height = max(left_height, right_height, room + 24.0 * len(picture.words))
        self.hands_block(sides["left"], x, middle_top + (middle_height - left_height) / 2, column)
        self.hands_block(sides["right"], x + wide - column, middle_top + (middle_height - right_height) / 2, column)
        centre_x, centre_y = x + wide / 2, middle_top + (middle_height - 20.0 * len(picture.words)) / 2
        self._middle(picture, centre_x, centre_y)
        for number, line in enumerate(picture.words):
            below = middle_top + middle_height - 20 * (len(picture.words) - number) + 2
            self.words("table-words", centre_x, below, line)
            if line.startswith("pot "):
                self._chips(centre_x - 8 * len(line) / 2 - 26, below)
        y = middle_top + middle_height + 6
        y += self.hands_block(sides["below"], x, y, wide, centred=True)
        if picture.dice:
            self.draw_dice(x + 20, y + 14)
            y += 40
        self.width, self.height = wide + 40, y + 4
        self.ground.insert(0, f'<rect class="baize" x="4" y="4" width="{self.width - 8:g}" height="{self.height - 8:g}" rx="18"/>')

    def _middle(self, picture: Table, centre_x: float, centre_y: float) -> None:
        """What lies in the middle: a trick, each card before who played it, or cards in a row."""
        shifts = {"above": (0.0, -34.0), "below": (0.0, 34.0), "left": (-46.0, 0.0), "right": (46.0, 0.0)}
        for number, cell in enumerate(picture.middle):
            if picture.from_sides:
                dx, dy = shifts.get(picture.from_sides[number], (0.0, 0.0))
            else:
                dx, dy = 46 * (number - (len(picture.middle) - 1) / 2), 0.0
            spot = ("middle", number)
            self.place(spot, centre_x + dx - 19, centre_y + dy - 27, 38, 54, pieces.name_of(cell))
            self.put(spot, cell, centre_x + dx, centre_y + dy)

    def small_table(self, picture: Table) -> None:
        """The same on a narrow screen: open hands in rows of cards that a finger can hit, hidden ones as a small fan."""
        self.kind = "table"
        x, wide, y = 12.0, SMALL_TABLE, 14.0
        is_open = {hand.name: any(thing.symbol for thing in hand.things) or not hand.things for hand in picture.hands}
        beside = {side: [hand for hand in self.hands_at(side) if not is_open[hand.name]] for side in ("left", "right")}
        for side in ("above", "left", "right", "middle"):
            for hand in self.hands_at(side):
                if is_open[hand.name]:
                    y += self.rows_of_hand(hand, x, y, wide)
                elif side == "above":
                    y += self.small_fan(hand, x + wide / 2, y)
        lines = [line for words in picture.words for line in textwrap.wrap(words, 40)][-4:]
        room = 150.0 if picture.from_sides or beside["left"] or beside["right"] else 66.0 if picture.middle else 8.0
        centre_x, centre_y = x + wide / 2, y + room / 2
        for side, at in (("left", x + 44), ("right", x + wide - 44)):
            for number, hand in enumerate(beside[side]):
                self.small_fan(hand, at, centre_y - 24 * len(beside[side]) + 48 * number)
        self._middle(picture, centre_x, centre_y)
        y += room
        for line in lines:
            self.words("table-words", centre_x, y + 8, line)
            if line.startswith("pot "):
                self._chips(centre_x - 8 * len(line) / 2 - 26, y + 8)
            y += 18
        y += 6
        for hand in self.hands_at("below"):
            y += self.rows_of_hand(hand, x, y, wide) if is_open[hand.name] else self.small_fan(hand, centre_x, y)
        if picture.dice:
            self.draw_dice(x + 20, y + 14)
            y += 40
        self.width, self.height = wide + 2 * x, y + 2
        self.ground.insert(0, f'<rect class="baize" x="3" y="3" width="{self.width - 6:g}" height="{self.height - 6:g}" rx="14"/>')

    def rows_of_hand(self, hand: Hand, x: float, y: float, width: float) -> float:
        """A hand of which every card can be touched, in rows; the height it took."""
        tall, wide = _size(hand)
        self._hand_name(hand, x, y, centre=x + width / 2)
        if not hand.things:
            self.place(hand.name, x, y + 18, width, tall)
            return 18 + tall + 8
        begin = 0
        top = y + 18
        for end in rows_of(hand.things, max(1, int((width + 4) // (wide + 4)))):
            step = min(wide + 10, (width - wide) / max(1, end - begin - 1))
            left = x + (width - wide - step * (end - begin - 1)) / 2
            for number in range(begin, end):
                self._thing(hand, number, left + (number - begin) * step, top, min(step, wide + 4), tall)
            begin, top = end, top + tall + 6
        return top - y + 6

    def small_fan(self, hand: Hand, centre_x: float, y: float) -> float:
        """A hand that nobody here sees: its name, and as many small backs as it has cards; the height it took."""
        step, scale = 6.0, 0.45
        tall, wide = _size(hand)
        left = centre_x - (step * (len(hand.things) - 1)) / 2
        self._hand_name(hand, centre_x, y, centre=centre_x)
        for number, thing in enumerate(hand.things):
            spot: Spot = (hand.name, number)
            at = left + step * number
            self.place(spot, at - wide * scale / 2, y + 18, step, tall * scale, pieces.name_of(thing, self.picture.colours))
            self.put(spot, thing, at, y + 18 + tall * scale / 2, scale)
        return 18 + tall * scale + 10

    def _chips(self, x: float, y: float) -> None:
        """Two small stacks of chips beside the pot."""
        for dx, colour, high in ((0, "red", 3), (13, "blue", 2)):
            for number in range(high):
                self.above.append(f'<ellipse class="chip c-{colour}" cx="{x + dx:g}" cy="{y + 4 - 4 * number:g}" rx="7" ry="3.6"/>')

    def track(self, picture: Track) -> None:
        """Spaces around a square; corners are square, the rest half as wide as deep."""
        self.kind = "track"
        total = len(picture.spaces)
        side = max(1, math.ceil(total / 4))
        deep, wide = (66.0, 42.0) if self.narrow else (92.0, 64.0)
        length = 2 * deep + (side - 1) * wide
        left = top = 10.0
        self.width = self.height = length + 20
        self.ground.append(f'<rect class="track-table" x="{left:g}" y="{top:g}" width="{length:g}" height="{length:g}" rx="4"/>')
        for number, space in enumerate(picture.spaces):
            edge, along = divmod(number, side)
            corner = along == 0
            run = 0.0 if corner else deep + (along - 1) * wide
            w = deep if corner else wide
            x, y, width, height = {
                0: (left + length - run - w, top + length - deep, w, deep),
                1: (left, top + length - run - w, deep, w),
                2: (left + run, top, w, deep),
                3: (left + length - deep, top + run, deep, w),
            }[edge % 4]
            self.place(number, x, y, width, height, space.note)
            self.ground.append(f'<rect class="space" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>')
            kind = self.marks.get(number) or ("note" if space.mark is True else space.mark)
            if kind:
                self.mark(str(kind), x, y, width, height)
            bar_x, bar_y, bar_w, bar_h = {
                0: (x, y, width, 16.0),
                1: (x + width - 16, y, 16.0, height),
                2: (x, y + height - 16, width, 16.0),
                3: (x, y, 16.0, height),
            }[edge % 4]
            if space.group and not corner:
                self.ground.append(
                    f'<rect class="group c-{space.group}" x="{bar_x:g}" y="{bar_y:g}" width="{bar_w:g}" height="{bar_h:g}"/>'
                )
            for house in range(min(space.houses, 4) if space.houses < 5 else 1):
                along_bar = 2 + min(13.0, (wide - 3) / 4) * house
                hx, hy = (bar_x + along_bar, bar_y + 2) if bar_w > bar_h else (bar_x + 2, bar_y + along_bar)
                build = "hotel" if space.houses >= 5 else "house"
                self.above.append(
                    f'<rect class="{build}" x="{hx:g}" y="{hy:g}" width="{22 if build == "hotel" else 11}" height="12" rx="2"/>'
                )
            if space.owner is not None:
                colour = pieces.colour(Cell("", "token", space.owner), picture.colours)
                self.ground.append(f'<circle class="owner c-{colour}" cx="{x + width - 9:g}" cy="{y + height - 9:g}" r="6"/>')
            inner_y = y + (18 if edge % 4 == 0 and space.group else 4)
            if self.narrow:  # no room for names: their first letters, and what it costs
                at_x = x + width / 2 + (8 * (edge % 4 == 3) - 8 * (edge % 4 == 1)) * bool(space.group)
                short = space.name if corner else "".join(word[0] for word in space.name.split())
                self.words("space-short", at_x, inner_y + 10, short)
                if space.note and not corner:
                    self.words("space-price", at_x, inner_y + 24, space.note if len(space.note) < 5 else "")
                continue
            self._lines_of_words(
                space.name,
                x + width / 2 + (-8 if edge % 4 == 1 and space.group else 8 if edge % 4 == 3 and space.group else 0),
                inner_y + 9,
                width - (20 if edge % 2 and space.group else 6),
                space.note,
            )
        at: dict[int, int] = {}
        for player, where in enumerate(picture.tokens):
            if where is None:
                continue
            slot = at.get(where, 0)
            at[where] = slot + 1
            x, y = self.where[where]
            edge, along = divmod(where, side)
            if along > 0:  # what it costs stays in sight
                x -= 12 * (edge == 1)
                y += 17 if edge == 0 and picture.spaces[where].group else 4
            self.put(where, Cell(str(player + 1), "token", player), x - 12 + 18 * (slot % 3), y + 6 + 16 * (slot // 3), 0.62)
        lines = [line for words in picture.words for line in textwrap.wrap(words, int((length - 2 * deep) / 11))]
        tall = 30.0 * len(lines) + 48 * bool(picture.dice) + 48 * len(picture.hands)
        y = top + length / 2 - tall / 2 + 10
        for line in lines:
            self.words("track-words", left + length / 2, y, line)
            y += 28
        if picture.dice:
            self.draw_dice(left + length / 2 - 20 * (len(picture.dice) - 1), y + 12)
            y += 54
        for hand in picture.hands:
            self._estate(picture, hand, left + deep + 28, y)
            y += 48

    def _estate(self, picture: Track, hand: Hand, x: float, y: float) -> None:
        """What somebody has, in the middle of a track: a line of words, and each deed as a card with its group's colour."""
        colour = picture.colours[(hand.owner or 0) % len(picture.colours)] if picture.colours else "grey"
        self.ground.append(f'<circle class="swatch c-{colour}" cx="{x + 7:g}" cy="{y:g}" r="7"/>')
        self.words("estate" + (" turn" if hand.mark else ""), x + 22, y, hand.name)
        self.words("estate-note", x + 44, y, hand.note)
        for number, thing in enumerate(hand.things):
            at = int(thing.symbol) if thing.symbol.isdecimal() and int(thing.symbol) < len(picture.spaces) else 0
            left = x + 22 + 17 * number
            self.ground.append(
                f'<g class="deed"><title>{escape(picture.spaces[at].name)}</title>'
                f'<rect class="space" x="{left:g}" y="{y + 11:g}" width="14" height="19" rx="2"/>'
                f'<rect class="group c-{picture.spaces[at].group or "grey"}" x="{left:g}" y="{y + 11:g}" width="14" height="8"/>'
                "</g>"
            )
            if thing.note:
                self.words("deed-note", left + 7, y + 25, thing.note)

    def _lines_of_words(self, text: str, x: float, y: float, width: float, note: str) -> None:
        lines: list[str] = []
        for word in text.split():
            if lines and len(lines[-1]) + len(word) + 1 <= width / 4.7:
                lines[-1] += " " + word
            else:
                lines.append(word)
        for number, line in enumerate(lines[:4]):
            self.words("space-name", x, y + 10 * number, line)
        if note:
            self.words("space-note", x, y + 10 * min(4, len(lines)) + 2, note)

    def graph(self, picture: Graph) -> None:
        """Nodes and edges, or the regions of a map."""
        self.kind = "graph"
        if not picture.nodes:
            self.width = self.height = 2 * MARGIN
            return
        corners = [(node.x, node.y) for node in picture.nodes.values()]
        corners += [corner for node in picture.nodes.values() for corner in node.outline]
        least_x, least_y = min(x for x, _ in corners), min(y for _, y in corners)
        scale, radius = 76.0, 19.0

        def at(x: float, y: float) -> tuple[float, float]:
            return 34 + (x - least_x) * scale, 34 + (y - least_y) * scale

        for start, end in picture.edges:
            (x, y), (u, v) = at(picture.nodes[start].x, picture.nodes[start].y), at(picture.nodes[end].x, picture.nodes[end].y)
            self.ground.append(f'<path class="edge{" directed" if picture.directed else ""}" d="M{x:g} {y:g}L{u:g} {v:g}"/>')
            if label := picture.labels.get((start, end)):
                self.words("edge-label", (x + u) / 2 + (7 if u >= x else -7), (y + v) / 2, label, layer=self.below)
        for spot, node in picture.nodes.items():
            x, y = at(node.x, node.y)
            kind = str(self.marks.get(spot) or ("note" if node.mark is True else node.mark or ""))
            colour = "" if node.owner is None else " c-" + pieces.colour(Cell("", "disc", node.owner), picture.colours)
            classes = f"node {node.kind}{colour}{' marked ' + kind if kind else ''}"
            wide = max(radius, 4.6 * len(node.label) + 5)
            shape = {
                "max": f"M{x:g} {y - radius - 4:g}L{x + radius + 3:g} {y + radius - 3:g}H{x - radius - 3:g}Z",
                "min": f"M{x:g} {y + radius + 4:g}L{x + radius + 3:g} {y - radius + 3:g}H{x - radius - 3:g}Z",
                "box": f"M{x - wide:g} {y - 15:g}H{x + wide:g}V{y + 15:g}H{x - wide:g}Z",
            }.get(node.kind, "")
            if node.outline:
                path = "M" + "L".join("{:g} {:g}".format(*at(*corner)) for corner in node.outline) + "Z"
                self.ground.append(f'<path class="{classes.replace("node ", "node region ")}" d="{path}"/>')
            elif shape:
                self.standing.append(f'<path class="{classes}" data-spot="{escape(spot_id(spot))}" d="{shape}"/>')
            else:
                self.standing.append(
                    f'<circle class="{classes}" data-spot="{escape(spot_id(spot))}" cx="{x:g}" cy="{y:g}" r="{radius}"/>'
                )
            if node.label:
                self.words(
                    "node-label",
                    x,
                    y + (3 if node.kind == "max" else -2 if node.kind == "min" else 0),
                    node.label,
                    layer=self.standing,
                )
            self.place(spot, x - radius, y - radius, 2 * radius, 2 * radius)
        self.width = 68 + scale * (max(x for x, _ in corners) - least_x)
        self.height = 68 + scale * (max(y for _, y in corners) - least_y)

    # ------------------------------------------------------------ the whole

    def finish(self, title: str, styled: bool) -> Drawing:
        for number, (start, end) in enumerate(self.picture.arrows):
            if start in self.where and end in self.where:
                self.above.append(arrow(*self.where[start], *self.where[end], first=number == 0))
        line = [spot for spot, kind in self.marks.items() if kind == "line" and spot in self.where]
        line += [spot for spot in self.where if isinstance(spot, tuple) and self._cell_mark(spot) == "line"]
        if len(line) > 1:
            ends = max(((a, b) for a in line for b in line), key=lambda pair: math.dist(self.where[pair[0]], self.where[pair[1]]))
            (x, y), (u, v) = self.where[ends[0]], self.where[ends[1]]
            self.above.append(f'<path class="win-line" d="M{x:g} {y:g}L{u:g} {v:g}"/>')
        caption = self.picture.caption
        if caption:
            self.width = max(self.width, 7.4 * len(caption) + 24)
            self.height += 24
            self.words("caption", self.width / 2, self.height - 15, caption)
        width, height = math.ceil(self.width), math.ceil(self.height)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="scene {escape(self.kind.strip())}" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">',
            f"<title>{escape(title)}</title>",
            f"<style>{STYLE}</style>" if styled else "",
            f"<defs>{pieces.needed(self.used)}</defs>",
            f'<rect class="paper" width="{width}" height="{height}" rx="8"/>',
            *(
                f'<g class="{name}">{"".join(layer)}</g>'
                for name, layer in zip(("surface", "marks", "pieces", "above"), self.layers(), strict=True)
            ),
        ]
        return Drawing("\n".join(part for part in parts if part) + "\n</svg>\n", width, height, tuple(self.places))

    def _cell_mark(self, spot: Spot) -> bool | str:
        if type(self.picture) is not Picture or not isinstance(spot, tuple) or not isinstance(spot[0], int):
            return False
        return self.picture.cells[spot[0]][spot[1]].mark


def icon(cell: Cell, colours: tuple[str, ...] = (), styled: bool = False) -> str:
    """One piece alone, such as what a promotion offers."""
    colour = pieces.colour(cell, colours)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="scene icon" viewBox="-26 -28 52 56" '
        'width="48" height="48" aria-hidden="true">'
        f"{f'<style>{STYLE}</style>' if styled else ''}<defs>{pieces.needed([cell])}</defs>"
        f'<g class="piece {cell.piece or "text"} c-{colour}">{pieces.body(cell)}</g></svg>'
    )


def arrow(x: float, y: float, u: float, v: float, first: bool = True) -> str:
    """An arrow between two centres, as over a chess board."""
    length = math.hypot(u - x, v - y) or 1.0
    dx, dy = (u - x) / length, (v - y) / length
    tip_x, tip_y = u - 6 * dx, v - 6 * dy
    end_x, end_y = u - 22 * dx, v - 22 * dy
    return (
        f'<path class="arrow{"" if first else " other"}" d="M{x + 12 * dx:.1f} {y + 12 * dy:.1f}L{end_x:.1f} {end_y:.1f}"/>'
        f'<path class="arrow-head{"" if first else " other"}" d="M{tip_x:.1f} {tip_y:.1f}L{end_x - 9 * dy:.1f} {end_y + 9 * dx:.1f}'
        f'L{end_x + 9 * dy:.1f} {end_y - 9 * dx:.1f}Z"/>'
    )


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


def rows_of(things: Sequence[Cell], most: int) -> list[int]:
    """Where rows of at most so many things end: about as many in each, and a suit in one row where that can be.

    >>> rows_of([Cell(card, "card") for card in "As Ks 7s 4s Ah Kh Qh 9d 8d 3d Kc Qc 2c".split()], 8), rows_of([Cell()] * 5, 8)
    ([7, 13], [5])
    """
    ends, begin = [], 0
    for rows in range(math.ceil(len(things) / most), 0, -1):
        left = len(things) - begin
        least = max(1, left - (rows - 1) * most)
        even = math.ceil(left / rows)
        suits = [n for n in range(least, min(most, left) + 1)
                 if begin + n == len(things) or things[begin + n].symbol[-1:] != things[begin + n - 1].symbol[-1:]]  # fmt: skip
        near = [n for n in suits if abs(n - even) <= 1]
        begin += min(near, key=lambda n: abs(n - even)) if near else even
        ends.append(begin)
    return ends


def _size(hand: Hand) -> tuple[float, float]:
    """How tall and how wide one thing of a hand is; a hand without things is a line of words."""
    if not hand.things:
        return 4.0, 46.0
    if any(thing.piece == "card" for thing in hand.things):
        return float(pieces.CARD[1]), float(pieces.CARD[0])
    return 46.0, 46.0


def _hexagon(x: float, y: float) -> str:
    radius = SIZE * 0.577
    corners = ((x + radius * math.sin(k * math.pi / 3), y - radius * math.cos(k * math.pi / 3)) for k in range(6))
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in corners) + "Z"
