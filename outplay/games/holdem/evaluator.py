"""How strong the best five of seven cards are: two additions and two look-ups a hand at native speed.

A strength is a whole number from 1 (seven high) to 7462 (royal flush); equal hands have equal strengths, better ones greater.

>>> from outplay.cards import cards
>>> strength(cards("AhKhQhJhTh2c2d")), strength(cards("7c5d4h3s2c"))
(7462, 1)
>>> in_words(strength(cards("KhKd7s7c2h9d4s")))
'two pair, kings and sevens'

Every card has a number, and a hand's *key* is the sum of its cards' numbers. The upper part of a key counts the cards of each suit
(from 3 up, so that a fifth card sets a bit); the lower part is a random number of 29 bits a rank, so chosen that the 49,205
multisets of seven ranks have different sums. A table of displacements (first-fit, after Fredman, Komlós and Szemerédi 1984) sends
those sums to different places of 65,536, where the strengths lie: 160 kB together, which a processor keeps close and a GPU keeps
in its caches.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np

from outplay.cards import RANK_NAMES, cards_text
from outplay.errors import BadValue
from outplay.jit import i64, inlined, kernel, lowest, mix, table, u16, u64

CLASSES = ("high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind",
           "straight flush")
SIZES = (1277, 2860, 858, 858, 10, 1277, 156, 156, 10)  # different strengths of each class
LEAST = tuple(itertools.accumulate(SIZES[:-1], initial=1))  # the weakest strength of each class
STRONGEST = sum(SIZES)
SLOTS, ROWS = 1 << 16, 1 << 13
LOW, ROW = u64(SLOTS - 1), u64(ROWS - 1)
SUIT_SHIFT, SUIT_STEP = u64(48), u64(4)
START = u64(0x3333 << 48)  # the key of no card: a suit's counter says 8 at its fifth card
FIVE = u64(0x8888 << 48)
SEED = 1  # the sums of seven ranks differ for this one


# ---------------------------------------------------------------- the order of hands, once


def _top(masks: np.ndarray, count: int) -> np.ndarray:
    """The highest `count` ranks of each set of ranks (13 bits)."""
    left, kept = masks.copy(), np.zeros_like(masks)
    for _ in range(count):
        top = _highest(left)
        kept |= top
        left &= ~top
    return kept


def _highest(masks: np.ndarray) -> np.ndarray:
    spread = masks | masks >> 1
    spread |= spread >> 2
    spread |= spread >> 4
    spread |= spread >> 8
    return spread & ~(spread >> 1)


def _straight(masks: np.ndarray) -> np.ndarray:
    """The highest card of the best straight of each set of ranks, as a bit; an ace also stands below the deuce."""
    wheel = (masks << 1) | (masks >> 12 & 1)
    runs = wheel & wheel >> 1 & wheel >> 2 & wheel >> 3 & wheel >> 4
    return _highest(runs) << 3


def _codes(counts: np.ndarray) -> np.ndarray:
    """A number for each multiset of ranks [hand, rank] that grows with the strength of its best five cards, no flush among them."""
    bits = np.int64(1) << np.arange(13, dtype=np.int64)
    one, two, three, four = (((counts >= n) * bits).sum(axis=1) for n in (1, 2, 3, 4))
    triple = _highest(three)
    pair = _highest(two & ~triple)
    pairs = _top(two, 2)
    run = _straight(one)
    quads = _highest(four)
    codes = _top(one, 5)  # the class above, then what made it, then the kickers
    for rank, holds, made, kickers in (
        (1, two > 0, _highest(two), _top(one & ~_highest(two), 3)),
        (2, _highest(two) != pairs, pairs, _top(one & ~pairs, 1)),
        (3, three > 0, triple, _top(one & ~triple, 2)),
        (4, run > 0, run, 0),
        (6, (triple > 0) & (pair > 0), triple, pair),
        (7, four > 0, quads, _top(one & ~quads, 1)),
    ):
        codes = np.where(holds, (rank << 26) | (made << 13) | kickers, codes)
    return codes


def _flush_codes(masks: np.ndarray) -> np.ndarray:
    run = _straight(masks)
    return np.where(run > 0, (8 << 26) | (run << 13), (5 << 26) | _top(masks, 5))


def _multisets(cards: int) -> np.ndarray:
    """All ways to have so many cards of thirteen ranks, at most four of each: [way, rank]."""
    ways = np.zeros((1, 0), np.int8)
    for _ in range(13):
        ways = np.concatenate([np.column_stack((ways, np.full(len(ways), n, np.int8))) for n in range(5)])
        ways = ways[ways.sum(axis=1) <= cards]
    return ways[ways.sum(axis=1) == cards]


@functools.cache
def _order() -> np.ndarray:
    """The codes of all 7462 different hands of five cards, the weakest first."""
    masks = np.arange(8192)
    five = masks[[int(mask).bit_count() == 5 for mask in masks]]
    return np.unique(np.concatenate((_codes(_multisets(5)), _flush_codes(five))))


def _dense(codes: np.ndarray) -> np.ndarray:
    return np.searchsorted(_order(), codes) + 1


def rank_numbers() -> np.ndarray:
    """The part of a card's number that its rank decides."""
    with np.errstate(over="ignore"):
        return np.array([mix(u64(16 * SEED + rank)) >> u64(35) for rank in range(13)], np.uint64)


@functools.cache
def _placed() -> tuple[np.ndarray, np.ndarray]:
    """Displacements by row, and strengths by place, for hands of seven cards without a flush."""
    ways = _multisets(7)
    keys = (ways.astype(np.uint64) @ rank_numbers()) & np.uint64((1 << 29) - 1)
    strengths = _dense(_codes(ways))
    rows = (keys >> np.uint64(16)).astype(np.int64)
    sizes = np.bincount(rows, minlength=ROWS)
    order = np.lexsort((keys, -sizes[rows] * ROWS + rows))  # the fullest rows first, each together
    displacements, places = np.zeros(ROWS, np.uint16), np.zeros(SLOTS, np.uint16)
    if not place((keys[order] & np.uint64(0xFFFF)).astype(np.int64), rows[order], strengths[order], displacements, places):
        raise AssertionError("the numbers of the ranks do not tell all hands apart")
    return displacements, places


@kernel
def place(lows: Any, rows: Any, strengths: Any, displacements: Any, places: Any) -> Any:
    """Find for each row the first displacement at which all its hands fall on free places."""
    begin = 0
    while begin < len(rows):
        end = begin
        while end < len(rows) and rows[end] == rows[begin]:
            end += 1
        shift = 0
        while shift < SLOTS:
            free = True
            for k in range(begin, end):
                if places[(lows[k] + shift) & (SLOTS - 1)] != 0:
                    free = False
                    break
            if free:
                break
            shift += 1
        if shift == SLOTS:
            return False
        displacements[rows[begin]] = shift
        for k in range(begin, end):
            at = (lows[k] + shift) & (SLOTS - 1)
            if places[at] != 0:
                return False  # two hands of one row with the same sum
            places[at] = strengths[k]
        begin = end
    return True


def card_keys() -> np.ndarray:
    """The number of each card: its rank's, and one more card of its suit."""
    ranks = rank_numbers()
    return np.array([ranks[c // 4] + np.uint64(1 << (48 + 4 * (c % 4))) for c in range(52)], np.uint64)


DISPLACEMENTS = table("displacements of hands", lambda: _placed()[0], dtype=np.uint16, shape=ROWS)
PLACES = table("strengths of hands", lambda: _placed()[1], dtype=np.uint16, shape=SLOTS)
FLUSHES = table("strengths of flushes", lambda: _flushes(), dtype=np.uint16, shape=8192)
KEYS = table("numbers of cards", card_keys, dtype=np.uint64, shape=52)
BITS = table("bits of cards", lambda: [1 << (16 * (c % 4) + c // 4) for c in range(52)], dtype=np.uint64, shape=52)
"""A set of cards as 64 bits: sixteen for each suit, of which thirteen are used."""


def _flushes() -> np.ndarray:
    masks = np.arange(8192)
    enough = np.array([int(mask).bit_count() >= 5 for mask in masks])
    return np.where(enough, _dense(np.where(enough, _flush_codes(masks), _order()[0])), 0).astype(np.uint16)


# ---------------------------------------------------------------- look-ups


@inlined
def strength_of(key: Any, bits: Any) -> Any:
    """The strength of seven cards, from the sum of their keys (and START) and the union of their bits."""
    if key & FIVE:
        suit = u64(lowest(key & FIVE) - 51) >> u64(2)
        return i64(FLUSHES[(bits >> (suit * u64(16))) & u64(0x1FFF)])
    return i64(PLACES[((key & LOW) + u64(DISPLACEMENTS[(key >> u64(16)) & ROW])) & LOW])


@inlined
def strength_of_seven(hands: Any, row: Any) -> Any:
    """The strength of row `row` of an array [hand, 7] of cards."""
    key = START + KEYS[hands[row, 0]] + KEYS[hands[row, 1]] + KEYS[hands[row, 2]] + KEYS[hands[row, 3]]
    key += KEYS[hands[row, 4]] + KEYS[hands[row, 5]] + KEYS[hands[row, 6]]
    bits = u64(0)
    if key & FIVE:
        for k in range(7):
            bits |= BITS[hands[row, k]]
    return strength_of(key, bits)


@kernel
def strengths_of_sevens(hands: Any, out: Any) -> None:
    """The strengths of many hands, an array [hand, 7] of cards as bytes."""
    for row in range(len(hands)):
        out[row] = u16(strength_of_seven(hands, row))


def strengths(hands: Any) -> np.ndarray:
    """The strengths of many hands of seven cards at once, given as an array [hand, 7]."""
    hands = np.ascontiguousarray(hands, np.uint8)
    if hands.ndim != 2 or hands.shape[1] != 7 or (hands.size and hands.max() > 51):
        raise BadValue(f"expected an array of seven cards (0 to 51) a row, got the shape {hands.shape}")
    out = np.zeros(len(hands), np.uint16)
    strengths_of_sevens(hands, out)
    return out


def strength(hand: Iterable[int]) -> int:
    """The strength of the best five of five, six or seven cards."""
    numbers = tuple(int(card) for card in hand)
    if not 5 <= len(numbers) <= 7 or len(set(numbers)) != len(numbers) or not all(0 <= card < 52 for card in numbers):
        raise BadValue(f"expected five to seven different cards, got {cards_text(numbers) or 'none'}")
    counts = np.bincount([card // 4 for card in numbers], minlength=13)[None, :].astype(np.int64)
    best = int(_codes(counts)[0])
    for suit in range(4):
        ranks = [card // 4 for card in numbers if card % 4 == suit]
        if len(ranks) >= 5:
            best = max(best, int(_flush_codes(np.array([sum(1 << rank for rank in ranks)]))[0]))
    return int(_dense(np.array([best]))[0])


def class_of(value: int) -> int:
    """The class of a strength: its index in CLASSES."""
    return sum(value >= least for least in LEAST) - 1


def in_words(value: int) -> str:
    """A strength as players say it: "two pair, kings and sevens"."""
    code = int(_order()[value - 1])
    kind, made, kickers = code >> 26, (code >> 13) & 0x1FFF, code & 0x1FFF
    named = [RANK_NAMES[rank] for rank in range(12, -1, -1) if (made or kickers) >> rank & 1]
    many = [name + ("es" if name == "six" else "s") for name in named]
    top = RANK_NAMES[max(kickers.bit_length() - 1, 0)]
    if kind == 8:
        return "royal flush" if made == 1 << 12 else f"straight flush, {named[0]} high"
    return (
        f"{named[0]} high", f"pair of {many[0]}", f"two pair, {' and '.join(many)}", f"three of a kind, {many[0]}",
        f"straight, {named[0]} high", f"flush, {named[0]} high",
        f"full house, {many[0]} full of {top}{'es' if top == 'six' else 's'}",
        f"four of a kind, {many[0]}",
    )[kind]  # fmt: skip
