"""The sheet that a picture is drawn on, in layers, and what all surfaces put there: pieces, marks, words, hands, dice.

>>> sheet = Sheet(Picture(cells=()), False, {})
>>> sheet.words("caption", 3, 4, "to move")
>>> sheet.ground
['<text class="caption" x="3" y="4">to move</text>']
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html import escape

from outplay.picture import Cell, Hand, Picture, Spot
from outplay.views import pieces
from outplay.views.theme import STYLE

SIZE = 48
"""The side of one square."""

MARGIN = 12


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


def spot_of(text: str) -> Spot:
    """A spot out of its text: numbers where its parts are numbers.

    >>> spot_of("3,4"), spot_of("bag")
    ((3, 4), 'bag')
    """
    parts = tuple(int(part) if part.lstrip("-").isdecimal() and len(part) < 9 else part for part in text.split(","))
    return parts if len(parts) > 1 else parts[0]


@dataclass
class Sheet:
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

    def place(self, spot: Spot, x: float, y: float, width: float, height: float, here: str = "") -> None:
        """A place that may be touched, and where its middle is."""
        self.places.append(Place(spot_id(spot), x, y, width, height, self.picture.spot_name(spot), here))
        self.where[spot] = (x + width / 2, y + height / 2)

    def put(self, spot: Spot, cell: Cell, x: float, y: float, scale: float = 1.0, is_dead: bool = False) -> None:
        """A piece, in the middle of its place."""
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
        """A text, on the ground unless another layer is named."""
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
        """The hands on one side."""
        return [hand for hand in self.picture.hands if hand.side == side]

    def large_hand(self, hand: Hand, x: float, y: float, width: float) -> float:
        """A hand below a board on a narrow screen, its things as large as they fit in one row; the height it took."""
        tall, wide = size_of(hand)
        scale = min(2.2, width / (max(7, len(hand.things)) * (wide + 2))) if hand.things else 1.6
        sub = Sheet(self.picture, self.turned, self.marks, origin=(x, y, scale))
        sub.hand(hand, 0, 0, width / scale)
        self.embed(sub)
        return scale * (18 + tall + 8)

    def embed(self, sub: Sheet) -> None:
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
        tall, wide = size_of(hand)
        self.name_hand(hand, x, y, centre=x + width / 2 if centred else None)
        if centred and hand.things:
            row = min(width, wide + (len(hand.things) - 1) * (wide + 4))
            x, width = x + (width - row) / 2, row
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
            self.put_thing(hand, number, x + number * step, y + 18, touch, tall)

    def name_hand(self, hand: Hand, x: float, y: float, centre: float | None = None) -> None:
        """Whose hand it is, in a line above it."""
        label = hand.name + (f" · {hand.note}" if hand.note else "")
        has_swatch = hand.owner is not None and bool(self.picture.colours)
        if has_swatch:
            assert hand.owner is not None
            colour = self.picture.colours[hand.owner % len(self.picture.colours)]
            left = x if centre is None else centre - 3.6 * len(label) - 16
            self.ground.append(f'<circle class="swatch c-{colour}" cx="{left + 6:g}" cy="{y + 8:g}" r="5"/>')
        kind = "hand-name" + (" turn" if hand.mark else "") + (" centred" if centre is not None else "")
        self.words(kind, (x + 16 * has_swatch) if centre is None else centre, y + 8, label)

    def put_thing(self, hand: Hand, number: int, left: float, top: float, touch: float, tall: float) -> None:
        """One thing of a hand, with a place that is `touch` wide."""
        thing, spot = hand.things[number], (hand.name, number)
        self.place(spot, left, top, touch, tall, pieces.name_of(thing, self.picture.colours))
        rise = -6 if self.marks.get(spot) or thing.mark else 0
        self.put(spot, thing, left + size_of(hand)[1] / 2, top + tall / 2 + rise)

    def hands_block(self, hands: list[Hand], x: float, y: float, width: float, centred: bool = False) -> float:
        """Several hands below each other; the height they took."""
        top = y
        for hand in hands:
            self.hand(hand, x, y, width, centred)
            y += 18 + size_of(hand)[0] + 14
        return y - top

    def draw_dice(self, x: float, y: float, owner: int | None = None) -> None:
        """The dice that were thrown, side by side."""
        for number, pips in enumerate(self.picture.dice):
            colour = "white" if owner in (None, 0) else "black"
            self.above.append(f'<g class="dice c-{colour}" transform="translate({x + 40 * number:g} {y:g})">{pieces.die(pips)}</g>')

    def layers(self) -> tuple[list[str], ...]:
        """From the ground up."""
        return self.ground, self.below, self.standing, self.above

    def hands_height(self, side: str) -> float:
        """How much room the hands on one side take."""
        return float(sum(32 + size_of(hand)[0] for hand in self.hands_at(side)))

    def finish(self, title: str, styled: bool) -> Drawing:
        """Arrows, the line that won and the caption; then all layers, from the ground up, as one drawing."""
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


def size_of(hand: Hand) -> tuple[float, float]:
    """How tall and how wide one thing of a hand is; a hand without things is a line of words."""
    if not hand.things:
        return 4.0, 46.0
    if any(thing.piece == "card" for thing in hand.things):
        return float(pieces.CARD[1]), float(pieces.CARD[0])
    return 46.0, 46.0
