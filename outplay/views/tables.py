"""Card tables on a sheet: hands on the four sides and the middle between them, wide or as narrow as a phone."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import replace

from outplay.picture import Cell, Hand, Picture, Spot, Table
from outplay.views import pieces
from outplay.views.sheet import Sheet, size_of

SMALL_TABLE = 346.0
"""How wide a card table is where the screen is narrow: a card is then as wide as a fingertip."""


def draw_table(sheet: Sheet, picture: Table) -> None:
    """Hands on the four sides, and the middle between them."""
    sheet.kind = "table"
    if any(hand.side == "around" for hand in picture.hands):
        draw_oval(sheet, picture, 760.0, 430.0)
        return
    around = any(hand.side in ("left", "right") for hand in picture.hands)  # as wide to the last card as with full hands
    wide = 640.0 if around else max([420.0, *(min(640, 46 * len(hand.things)) for hand in picture.hands)])
    sides = {side: sheet.hands_at(side) for side in ("above", "left", "right", "middle", "below")}
    x, y = 20.0, 18.0
    y += sheet.hands_block(sides["above"], x, y, wide, centred=True)
    middle_top = y
    column = 150.0
    left_height = float(sum(32 + _tall(hand) for hand in sides["left"]))
    right_height = float(sum(32 + _tall(hand) for hand in sides["right"]))
    room = 170.0 if around else 78.0 if picture.middle else 34.0
    middle_height = max(left_height, right_height, room + 24.0 * len(picture.words))
    for side, at, high in (("left", x, left_height), ("right", x + wide - column, right_height)):
        top = middle_top + (middle_height - high) / 2
        for hand in sides[side]:
            if _is_long(hand):
                _suits(sheet, hand, at, top, column)
            else:
                sheet.hand(hand, at, top, column)
            top += 32 + _tall(hand)
    centre_x, centre_y = x + wide / 2, middle_top + (middle_height - 20.0 * len(picture.words)) / 2
    _middle(sheet, picture, centre_x, centre_y)
    for number, line in enumerate(picture.words):
        below = middle_top + middle_height - 20 * (len(picture.words) - number) + 2
        sheet.words("table-words", centre_x, below, line)
        if line.startswith("pot "):
            _chips(sheet, centre_x - 8 * len(line) / 2 - 26, below)
    for hand in sides["above"]:
        _before(sheet, hand, centre_x, middle_top - 40)
    y = middle_top + middle_height + 6
    for hand in sides["below"]:
        _before(sheet, hand, centre_x, y + 45)
    y += sheet.hands_block(sides["below"], x, y, wide, centred=True)
    if picture.dice:
        sheet.draw_dice(x + 20, y + 14)
        y += 40
    sheet.width, sheet.height = wide + 40, y + 4
    sheet.ground.insert(0, f'<rect class="baize" x="4" y="4" width="{sheet.width - 8:g}" height="{sheet.height - 8:g}" rx="18"/>')


LONG = 6
"""Open cards of a hand at the side, from which on each suit has a row."""
SUIT_ROW = 29.0


def _is_long(hand: Hand) -> bool:
    return len(hand.things) >= LONG and all(thing.symbol for thing in hand.things)


def _rows(hand: Hand) -> list[list[int]]:
    """The numbers of a hand's cards, suit by suit."""
    rows: list[list[int]] = []
    for number, thing in enumerate(hand.things):
        if not rows or hand.things[number - 1].symbol[-1:] != thing.symbol[-1:]:
            rows.append([])
        rows[-1].append(number)
    return rows


def _tall(hand: Hand) -> float:
    return size_of(hand)[0] + (SUIT_ROW * (len(_rows(hand)) - 1) if _is_long(hand) else 0.0)


def _suits(sheet: Sheet, hand: Hand, x: float, y: float, width: float) -> None:
    """An open hand with a row for each suit, one over the other, so that every card shows its rank."""
    tall, wide = size_of(hand)
    sheet.name_hand(hand, x, y)
    rows = _rows(hand)
    for at, row in enumerate(rows):
        step = min(19.0, (width - wide) / max(1, len(row) - 1))
        for k, number in enumerate(row):
            spot, left, top = (hand.name, number), x + step * k, y + 18 + SUIT_ROW * at
            touch, high = wide if k == len(row) - 1 else step, tall if at == len(rows) - 1 else SUIT_ROW
            sheet.place(spot, left, top, touch, high, pieces.name_of(hand.things[number]))
            sheet.put(spot, hand.things[number], left + wide / 2, top + tall / 2)


def draw_oval(sheet: Sheet, picture: Table, wide: float, tall: float) -> None:
    """Hands around an oval table, the first below and the others clockwise; stakes before them, the pot in the middle."""
    sheet.kind = "table"
    centre_x, centre_y = wide / 2, tall / 2
    scale = 1.0 if wide > tall else 0.8
    hands = [hand for hand in picture.hands if hand.side == "around"]
    for k, hand in enumerate(hands):
        angle = math.pi / 2 + 2 * math.pi * k / len(hands)
        x = centre_x + (wide / 2 - 74) * math.cos(angle)
        y = centre_y - 6 + (tall / 2 - 68) * math.sin(angle)
        is_own = any(thing.symbol for thing in hand.things)
        size = scale if is_own else 0.7 * scale
        cards = 38.0 * size * 1.08
        for number, thing in enumerate(hand.things):
            at = x + cards * (number - (len(hand.things) - 1) / 2)
            sheet.place((hand.name, number), at - 19 * size, y - 27 * size, 38 * size, 54 * size, pieces.name_of(thing))
            sheet.put((hand.name, number), thing, at, y - 4, size)
        kind = "hand-name centred" + (" turn" if hand.mark else "")
        sheet.words(kind, x, y + 27 * size + 9, hand.name)
        if hand.note:
            sheet.words("hand-name centred", x, y + 27 * size + 25, hand.note)
        inner_x, inner_y = centre_x + (x - centre_x) * 0.6, centre_y + (y - centre_y) * (0.5 if wide > tall else 0.62)
        if hand.stake:
            _stake(sheet, inner_x, inner_y, hand.stake)
        if hand.is_dealer:
            _button(sheet, x + cards + 14, y - 4)
    _middle(sheet, picture, centre_x, centre_y - 8)
    for number, line in enumerate(picture.words):
        sheet.words("table-words", centre_x, centre_y + 36 + 18 * number, line)
    sheet.width, sheet.height = wide, tall
    round_ = min(wide, tall) / 2 - 20
    sheet.ground.insert(0, f'<rect class="baize" x="4" y="4" width="{wide - 8:g}" height="{tall - 8:g}" rx="{round_:g}"/>')


def _before(sheet: Sheet, hand: Hand, x: float, y: float) -> None:
    """The stake and the button of a hand whose cards lie around x."""
    beside = 46.0 * max(1, len(hand.things)) / 2 + 30
    if hand.stake:
        _stake(sheet, x + beside, y, hand.stake)
    if hand.is_dealer:
        _button(sheet, x - beside, y)


def _stake(sheet: Sheet, x: float, y: float, amount: int) -> None:
    for number in range(3):
        sheet.above.append(f'<ellipse class="chip c-red" cx="{x:g}" cy="{y + 3 - 3.4 * number:g}" rx="7" ry="3.6"/>')
    sheet.words("stake", x + 12, y, str(amount), layer=sheet.above)


def _button(sheet: Sheet, x: float, y: float) -> None:
    sheet.above.append(f'<circle class="dealer" cx="{x:g}" cy="{y:g}" r="10"/>')
    sheet.words("dealer-mark", x, y + 0.5, "D", layer=sheet.above)


def _middle(sheet: Sheet, picture: Table, centre_x: float, centre_y: float) -> None:
    """What lies in the middle: a trick, each card before who played it, or cards in a row."""
    shifts = {"above": (0.0, -34.0), "below": (0.0, 34.0), "left": (-46.0, 0.0), "right": (46.0, 0.0)}
    for number, cell in enumerate(picture.middle):
        if picture.from_sides:
            dx, dy = shifts.get(picture.from_sides[number], (0.0, 0.0))
        else:
            dx, dy = 46 * (number - (len(picture.middle) - 1) / 2), 0.0
        spot = ("middle", number)
        sheet.place(spot, centre_x + dx - 19, centre_y + dy - 27, 38, 54, pieces.name_of(cell))
        sheet.put(spot, cell, centre_x + dx, centre_y + dy)


def draw_small_table(sheet: Sheet, picture: Table) -> None:
    """The same on a narrow screen: open hands in rows of cards that a finger can hit, hidden ones as a small fan."""
    sheet.kind = "table"
    if any(hand.side == "around" for hand in picture.hands):
        draw_oval(sheet, picture, 370.0, 440.0)
        return
    x, wide, y = 12.0, SMALL_TABLE, 14.0
    is_open = {hand.name: any(thing.symbol for thing in hand.things) or not hand.things for hand in picture.hands}
    beside = {side: [hand for hand in sheet.hands_at(side) if not is_open[hand.name]] for side in ("left", "right")}
    for side in ("above", "left", "right", "middle"):
        for hand in sheet.hands_at(side):
            if is_open[hand.name]:
                y += rows_of_hand(sheet, hand, x, y, wide)
            elif side == "above":
                _before(sheet, hand, x + wide / 2, y + 30)
                y += small_fan(sheet, hand, x + wide / 2, y)
    lines = [line for words in picture.words for line in textwrap.wrap(words, 40)][-4:]
    room = 150.0 if picture.from_sides or beside["left"] or beside["right"] else 66.0 if picture.middle else 8.0
    centre_x, centre_y = x + wide / 2, y + room / 2
    for side, at in (("left", x + 44), ("right", x + wide - 44)):
        for number, hand in enumerate(beside[side]):
            small_fan(sheet, hand, at, centre_y - 24 * len(beside[side]) + 48 * number)
    _middle(sheet, picture, centre_x, centre_y)
    y += room
    for line in lines:
        sheet.words("table-words", centre_x, y + 8, line)
        if line.startswith("pot "):
            _chips(sheet, centre_x - 8 * len(line) / 2 - 26, y + 8)
        y += 18
    y += 6
    for hand in sheet.hands_at("below"):
        _before(sheet, hand, centre_x, y + 45)
        y += rows_of_hand(sheet, hand, x, y, wide) if is_open[hand.name] else small_fan(sheet, hand, centre_x, y)
    if picture.dice:
        sheet.draw_dice(x + 20, y + 14)
        y += 40
    sheet.width, sheet.height = wide + 2 * x, y + 2
    sheet.ground.insert(0, f'<rect class="baize" x="3" y="3" width="{sheet.width - 6:g}" height="{sheet.height - 6:g}" rx="14"/>')


def rows_of_hand(sheet: Sheet, hand: Hand, x: float, y: float, width: float) -> float:
    """A hand of which every card can be touched, in rows; the height it took."""
    tall, wide = size_of(hand)
    sheet.name_hand(hand, x, y, centre=x + width / 2)
    if not hand.things:
        sheet.place(hand.name, x, y + 18, width, tall)
        return 18 + tall + 8
    begin = 0
    top = y + 18
    for end in rows_of(hand.things, max(1, int((width + 4) // (wide + 4)))):
        step = min(wide + 10, (width - wide) / max(1, end - begin - 1))
        left = x + (width - wide - step * (end - begin - 1)) / 2
        for number in range(begin, end):
            sheet.put_thing(hand, number, left + (number - begin) * step, top, min(step, wide + 4), tall)
        begin, top = end, top + tall + 6
    return top - y + 6


def small_fan(sheet: Sheet, hand: Hand, centre_x: float, y: float) -> float:
    """A hand that nobody here sees: its name, and as many small backs as it has cards; the height it took."""
    step, scale = 6.0, 0.45
    tall, wide = size_of(hand)
    left = centre_x - (step * (len(hand.things) - 1)) / 2
    sheet.name_hand(hand, centre_x, y, centre=centre_x)
    for number, thing in enumerate(hand.things):
        spot: Spot = (hand.name, number)
        at = left + step * number
        sheet.place(spot, at - wide * scale / 2, y + 18, step, tall * scale, pieces.name_of(thing, sheet.picture.colours))
        sheet.put(spot, thing, at, y + 18 + tall * scale / 2, scale)
    return 18 + tall * scale + 10


def _chips(sheet: Sheet, x: float, y: float) -> None:
    """Two small stacks of chips beside the pot."""
    for dx, colour, high in ((0, "red", 3), (13, "blue", 2)):
        for number in range(high):
            sheet.above.append(f'<ellipse class="chip c-{colour}" cx="{x + dx:g}" cy="{y + 4 - 4 * number:g}" rx="7" ry="3.6"/>')


def seen_from(picture: Picture, name: str, half: bool = False) -> Picture:
    """A card table turned so that the hand of this name lies below, or (`half`) across from there.

    >>> seen_from(Table(hands=(Hand("North", side="above"), Hand("East", side="right"))), "East").hands[0].side
    'right'
    """
    sides = ("below", "left", "above", "right")
    if any(hand.side == "around" for hand in picture.hands):
        at = next((number for number, hand in enumerate(picture.hands) if hand.name == name), 0)
        return replace(picture, hands=(*picture.hands[at:], *picture.hands[:at]))
    own = next((sides.index(hand.side) for hand in picture.hands if hand.name == name and hand.side in sides), 0)
    quarters = (2 if half else 0) - own
    if not isinstance(picture, Table) or not quarters:
        return picture

    def turned(side: str) -> str:
        return sides[(sides.index(side) + quarters) % 4] if side in sides else side

    hands = tuple(replace(hand, side=turned(hand.side)) for hand in picture.hands)
    return replace(picture, hands=hands, from_sides=tuple(map(turned, picture.from_sides)))


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
