"""Playing cards as whole numbers, and the way players write them: what poker and bridge share.

A card is ``4 * rank + suit``: ranks from 0 (the deuce) to 12 (the ace), suits in the order clubs, diamonds, hearts, spades. So the
numbers go up by rank, and a pair are neighbours.

>>> card("As"), card("2c"), card_text(51)
(51, 0, 'As')
>>> cards("AhKh"), cards("10s 9♦")
((50, 46), (35, 29))
>>> cards_text((50, 46), symbols=True)
'A♥K♥'
>>> cards("AhKx")
Traceback (most recent call last):
outplay.errors.BadNotation: expected cards such as AhKd (ranks 23456789TJQKA, suits cdhs), got 'Kx'
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from outplay.errors import BadNotation, shorten

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
RANK_NAMES = ("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
DECK = tuple(range(52))


def card_text(number: int, symbols: bool = False) -> str:
    """A card as players write it: its rank and its suit."""
    return RANKS[number // 4] + (SUIT_SYMBOLS if symbols else SUITS)[number % 4]


def cards_text(numbers: Iterable[int], symbols: bool = False, between: str = "") -> str:
    """Several cards in a row."""
    return between.join(card_text(number, symbols) for number in numbers)


def card(text: str) -> int:
    """The card that a text means; the ten may be written T or 10, the suit as a letter or a symbol."""
    found = cards(text)
    if len(found) != 1:
        raise BadNotation(f"expected one card such as Ah, got {shorten(text)!r}")
    return found[0]


def cards(text: str) -> tuple[int, ...]:
    """The cards that a text lists, in its order, with or without spaces or commas; no card comes twice."""
    found: list[int] = []
    rest = re.sub(r"[\s,]+", "", text).replace("10", "T")
    while rest:
        rank, suit = RANKS.find(rest[0].upper()), _suit(rest[1:2])
        if rank < 0 or suit < 0:
            raise BadNotation(f"expected cards such as AhKd (ranks {RANKS}, suits {SUITS}), got {shorten(rest)!r}")
        found.append(4 * rank + suit)
        rest = rest[2:]
    for number in found:
        if found.count(number) > 1:
            raise BadNotation(f"the card {card_text(number)} stands twice in {shorten(text)!r}")
    return tuple(found)


def _suit(letter: str) -> int:
    if not letter:
        return -1
    return max(SUITS.find(letter.lower()), SUIT_SYMBOLS.find(letter))
