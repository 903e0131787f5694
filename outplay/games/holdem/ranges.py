"""Ranges of hold'em hands as poker players write them: ``22+,ATs+,KQo,76s-54s,AhKh,15%,random``.

>>> len(hands_of("22+")), len(hands_of("AKs")), len(hands_of("AK")), len(hands_of("random"))
(78, 4, 16, 1326)
>>> len(hands_of("ATs+,KQo")), [hand_text(hand) for hand in hands_of("AhKh")]
(28, ['AhKh'])
>>> class_text(0), class_text(class_of_hand((51, 47))), len(hands_of("10%"))
('22', 'AKs', 134)
>>> hands_of("A1s")
Traceback (most recent call last):
outplay.errors.BadNotation: expected hands such as AhKd, QQ+, ATs+, KQo, 76s-54s, 15% or random, got 'A1s'

A *class* is one of the 169 hands that differ before the flop: 13 pairs, 78 suited, 78 offsuit hands, numbered like a chart.
"""

from __future__ import annotations

import functools
import re

import numpy as np

from outplay.cards import RANKS, cards, cards_text
from outplay.errors import BadNotation, shorten

Hand = tuple[int, int]
"""Two cards, the higher number first."""

HANDS: tuple[Hand, ...] = tuple((high, low) for high in range(52) for low in range(high))
"""All 1326 hands; hand k is `HANDS[k]`, and (high, low) has the number high * (high - 1) // 2 + low."""


def hand_number(hand: Hand) -> int:
    """The number of a hand."""
    high, low = max(hand), min(hand)
    return high * (high - 1) // 2 + low


def hand_text(hand: Hand) -> str:
    """A hand, its higher card first."""
    return cards_text(sorted(hand, reverse=True))


def class_of_hand(hand: Hand) -> int:
    """The class of a hand: 13 * row + column of the chart, pairs on the diagonal, suited hands where the row is the higher rank."""
    first, second = max(hand) // 4, min(hand) // 4
    return 13 * first + second if hand[0] % 4 == hand[1] % 4 else 13 * second + first


def class_text(number: int) -> str:
    """A class as players write it: AA, AKs, AKo."""
    row, column = divmod(number, 13)
    high, low = max(row, column), min(row, column)
    return RANKS[high] + RANKS[low] + ("" if row == column else "s" if row > column else "o")


CLASS_OF_HAND = np.array([class_of_hand(hand) for hand in HANDS])
CLASS_SIZES = np.bincount(CLASS_OF_HAND, minlength=169)
"""How many hands each class has: 6, 4 or 12."""


def hands_of(text: str) -> tuple[Hand, ...]:
    """The hands of a range, each once."""
    found: dict[Hand, None] = {}
    parts = [part for part in re.split(r"[,;\s]+", text.strip()) if part]
    if not parts:
        raise BadNotation("expected a range of hands such as 22+,ATs+, got nothing")
    for part in parts:
        found.update(dict.fromkeys(_part(part)))
    return tuple(found)


def _part(text: str) -> list[Hand]:
    if text.lower() in ("random", "any", "xx", "100%"):
        return list(HANDS)
    share = re.fullmatch(r"(\d+(?:\.\d+)?)%", text)
    if share and 0 < float(share[1]) <= 100:
        return _best(float(share[1]) / 100)
    if re.fullmatch(r"(?i)([2-9tjqka]|10)[cdhs♣♦♥♠]([2-9tjqka]|10)[cdhs♣♦♥♠]", text):
        first, second = cards(text)
        return [(max(first, second), min(first, second))]
    single = re.fullmatch(r"(?i)([2-9tjqka])([2-9tjqka])([so]?)(\+?)", text)
    if single:
        return _classes(single[1], single[2], single[3].lower(), bool(single[4]), text)
    between = re.fullmatch(r"(?i)([2-9tjqka])([2-9tjqka])([so]?)-([2-9tjqka])([2-9tjqka])([so]?)", text)
    if between and between[3].lower() == between[6].lower():
        return _between(between, text)
    raise _wrong(text)


def _wrong(text: str) -> BadNotation:
    return BadNotation(f"expected hands such as AhKd, QQ+, ATs+, KQo, 76s-54s, 15% or random, got {shorten(text)!r}")


def _rank(letter: str) -> int:
    return RANKS.index(letter.upper())


def _of_class(high: int, low: int, kind: str) -> list[Hand]:
    """The hands of two ranks: suited, offsuit or both."""
    found = [hand for hand in HANDS if {hand[0] // 4, hand[1] // 4} == {high,
                                                                        low} and (high != low or hand[0] // 4 == hand[1] // 4)]
    if kind and high != low:
        found = [hand for hand in found if (hand[0] % 4 == hand[1] % 4) == (kind == "s")]
    return found


def _classes(first: str, second: str, kind: str, upward: bool, text: str) -> list[Hand]:
    high, low = sorted((_rank(first), _rank(second)), reverse=True)
    if high == low:
        if kind:
            raise _wrong(text)
        return [hand for rank in range(high, 13 if upward else high + 1) for hand in _of_class(rank, rank, "")]
    return [hand for kicker in range(low, high if upward else low + 1) for hand in _of_class(high, kicker, kind)]


def _between(parts: re.Match, text: str) -> list[Hand]:
    kind = parts[3].lower()
    one = sorted((_rank(parts[1]), _rank(parts[2])), reverse=True)
    other = sorted((_rank(parts[4]), _rank(parts[5])), reverse=True)
    (high, low), (least_high, least_low) = (one, other) if one >= other else (other, one)
    if high == low and least_high == least_low and not kind:  # 88-55
        return [hand for rank in range(least_high, high + 1) for hand in _of_class(rank, rank, "")]
    if high == least_high and high != low:  # A5s-A2s
        return [hand for kicker in range(least_low, low + 1) for hand in _of_class(high, kicker, kind)]
    if high != low and high - low == least_high - least_low:  # 76s-54s
        return [hand for step in range(high - least_high + 1) for hand in _of_class(least_high + step, least_low + step, kind)]
    raise _wrong(text)


@functools.cache
def _ranking() -> np.ndarray:
    """The classes from the best to the worst, by what they win against a random hand."""
    from outplay.games.holdem.preflop import EQUITIES, WEIGHTS

    against_random = (EQUITIES * WEIGHTS).sum(axis=1) / WEIGHTS.sum(axis=1)
    return np.argsort(-against_random, kind="stable")


def _best(share: float) -> list[Hand]:
    """The best hands by what they win against a random one, as many classes as come nearest to the share."""
    sizes = np.cumsum(CLASS_SIZES[_ranking()])
    count = int(np.argmin(np.abs(sizes - share * len(HANDS)))) + 1
    kept = {int(number) for number in _ranking()[:count]}
    return [hand for k, hand in enumerate(HANDS) if int(CLASS_OF_HAND[k]) in kept]
