"""The cards of a study: the hands of both ranges, the turns and rivers that differ, and how hands compare on each board.

Suits that the board has dealt alike, and both ranges hold alike, can be exchanged: of turns (and rivers) that differ only so, one
is solved and the others follow from it.

>>> from outplay.cards import cards
>>> deals = Deals(cards("QsJh2h"), parse_range("AA,KQs"), parse_range("22+"))
>>> len(deals.turns), sum(len(each.rivers) for each in deals.turns)          # 36 of 49 turns, 1,429 of 2,352 boards
(36, 1429)
>>> float(parse_range("AA:0.5,76s")[hand_number((51, 50))])
0.5
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from outplay.cards import cards_text
from outplay.errors import BadNotation, BadValue, shorten
from outplay.games.holdem.evaluator import strengths
from outplay.games.holdem.ranges import HANDS, hand_number, hands_of

ALL = np.array(HANDS, np.int64)
SWAPS = tuple((a, b) for a in range(4) for b in range(a + 1, 4))


def parse_range(text: str) -> np.ndarray:
    """The weight of each of the 1326 hands: `88+,AJo+:0.5,random` with a share after a colon where it is not 1."""
    weights = np.zeros(len(HANDS))
    parts = [part for part in re.split(r"[,;\s]+", text.strip()) if part]
    if not parts:
        raise BadNotation("expected a range such as 22+,ATs+,KQo:0.5, got nothing")
    for part in parts:
        hands, _, share = part.partition(":")
        try:
            weight = float(share) if share else 1.0
        except ValueError:
            weight = -1.0
        if not 0 <= weight <= 1:
            raise BadNotation(f"expected a share from 0 to 1 after the colon, got {shorten(part)!r}")
        for hand in hands_of(hands):
            weights[hand_number(hand)] = weight
    return weights


def exchange(number: np.ndarray, swap: tuple[int, int]) -> np.ndarray:
    """Cards with two suits exchanged."""
    suits = np.arange(4)
    suits[list(swap)] = suits[list(swap)[::-1]]
    return number // 4 * 4 + suits[number % 4]


class Hands(NamedTuple):
    """The hands of one seat, as kernels take them."""

    low: np.ndarray  # [hand]: a card
    high: np.ndarray
    same: np.ndarray  # [hand]: the same hand among the other seat's; their number where it has none


class Field(NamedTuple):
    """The hands of one seat on each river that is solved, the weakest first."""

    live: np.ndarray  # [board]: how many there are
    order: np.ndarray  # [board, k]: which hand
    rank: np.ndarray  # [board, k]: its strength
    low: np.ndarray  # [board, k]
    high: np.ndarray
    same: np.ndarray  # [board, k]: where the same hand stands among the other's; their number where nowhere


@dataclass
class Turn:
    """One turn that is solved."""

    card: int
    copies: tuple[int, ...]
    """Swaps of suits that make the turns which follow from it."""
    rivers: list[tuple[int, tuple[int, ...]]]
    """The rivers that are solved, each with its copies."""
    begin: int
    """The number of its first board."""


class Deals:
    """All cards that can come."""

    def __init__(self, board: Sequence[int], first: np.ndarray, second: np.ndarray) -> None:
        self.board = tuple(int(card) for card in board)
        if not 3 <= len(self.board) <= 5 or len(set(self.board)) != len(self.board):
            got = cards_text(self.board) or "none"
            raise BadValue(f"a study begins with three to five different cards on the table, got {got}")
        dead = np.isin(ALL, self.board).any(axis=1)
        weights = [np.where(dead, 0.0, each) for each in (first, second)]
        self.numbers = [np.flatnonzero(each) for each in weights]
        self.cards = [ALL[each] for each in self.numbers]
        for seat, found in enumerate(self.numbers):
            if not len(found):
                raise BadValue(f"the {('first', 'second')[seat]} range has no hand left on {cards_text(self.board)}")
        self.weights = [weights[seat][self.numbers[seat]].astype(np.float32) for seat in (0, 1)]
        self.place = []
        for seat in (0, 1):
            place = np.full(len(HANDS), len(self.numbers[seat]))
            place[self.numbers[seat]] = np.arange(len(self.numbers[seat]))
            self.place.append(place)
        self._together: dict[int, np.ndarray] = {}
        apart = self.weights[0].astype(float) @ (1 - self.shared(0)) @ self.weights[1].astype(float)
        if not apart > 0:
            raise BadValue("the two ranges cannot be held at the same time: every pair of hands shares a card")
        self.pairs = float(apart)
        """The weight of all pairs of hands that can be held at once."""
        self.hands = [Hands(self.cards[seat][:, 1].astype(np.uint8), self.cards[seat][:, 0].astype(np.uint8),
                            self.place[1 - seat][self.numbers[seat]].astype(np.int64)) for seat in (0, 1)]
        even = [swap for swap in SWAPS if all(self._even(weights[seat], swap) for seat in (0, 1))]
        self.swapped = [self._swapped(seat) for seat in (0, 1)]
        """[seat][swap, hand]: which hand each becomes when two suits are exchanged."""
        self.turns = self._turns(even)
        self.boards = self._boards()
        self.fields = self._fields()

    def shared(self, seat: int) -> np.ndarray:
        """Which of a seat's hands share a card with which of the other's: [hand, the other's]."""
        if seat not in self._together:
            self._together[seat] = _shared(self.cards[seat], self.cards[1 - seat])
        return self._together[seat]

    @staticmethod
    def _even(weights: np.ndarray, swap: tuple[int, int]) -> bool:
        return bool(np.array_equal(weights, weights[_exchanged(swap)]))

    def _swapped(self, seat: int) -> np.ndarray:
        found = np.zeros((len(SWAPS), len(self.numbers[seat])), np.int64)
        for k, swap in enumerate(SWAPS):
            place = self.place[seat][_exchanged(swap)[self.numbers[seat]]]
            found[k] = np.where(place < len(self.numbers[seat]), place, 0)  # used only where the range is even in these suits
        return found

    def _turns(self, even: list[tuple[int, int]]) -> list[Turn]:
        if len(self.board) == 5:
            return [Turn(-1, (), [(-1, ())], 0)]
        turns = [(-1, ())] if len(self.board) == 4 else _different(self.board, even)
        found, begin = [], 0
        for card, copies in turns:
            seen = self.board if card < 0 else (*self.board, card)
            rivers = _different(seen, even)
            found.append(Turn(card, copies, rivers, begin))
            begin += len(rivers)
        return found

    def _boards(self) -> list[tuple[int, ...]]:
        return [tuple(card for card in (*self.board, turn.card, river) if card >= 0)
                for turn in self.turns for river, _ in turn.rivers]

    def _fields(self) -> list[Field]:
        """Sort both seats' hands on every board."""
        boards = np.array(self.boards, np.uint8)
        orders, ranks, lives = [], [], []
        for seat in (0, 1):
            hands = self.cards[seat]
            count = len(hands)
            sevens = np.concatenate([np.repeat(boards, count, axis=0), np.tile(hands.astype(np.uint8), (len(boards), 1))], axis=1)
            values = strengths(sevens).reshape(len(boards), count).astype(np.int64)
            taken = (hands[None, :, :, None] == boards[:, None, None, :].astype(np.int64)).any(axis=(2, 3))
            values[taken] = 1 << 20  # last, and not counted
            order = np.argsort(values, axis=1, kind="stable")
            orders.append(order)
            ranks.append(np.take_along_axis(values, order, axis=1))
            lives.append((~taken).sum(axis=1))
        found = []
        for seat in (0, 1):
            order, other = orders[seat], orders[1 - seat]
            theirs = len(self.numbers[1 - seat])
            where = np.zeros((len(boards), theirs + 1), np.int64)  # of each of the other's hands, its place in their order
            np.put_along_axis(where, other, np.tile(np.arange(theirs), (len(boards), 1)), axis=1)
            where[:, theirs] = 1 << 20
            same = np.take_along_axis(where, self.hands[seat].same[order], axis=1)
            same = np.where(same < lives[1 - seat][:, None], same, lives[1 - seat][:, None])
            found.append(Field(lives[seat].astype(np.int64), order.astype(np.int64), ranks[seat].astype(np.int64),
                               self.hands[seat].low[order], self.hands[seat].high[order], same.astype(np.int64)))
        return found


def _exchanged(swap: tuple[int, int]) -> np.ndarray:
    """Where each of the 1326 hands goes when two suits are exchanged."""
    moved = exchange(ALL, swap)
    high, low = moved.max(axis=1), moved.min(axis=1)
    return high * (high - 1) // 2 + low


def _shared(mine: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Which pairs of hands share a card."""
    return (mine[:, None, :, None] == theirs[None, :, None, :]).any(axis=(2, 3)).astype(float)


def _different(seen: Sequence[int], even: list[tuple[int, int]]) -> list[tuple[int, tuple[int, ...]]]:
    """The next cards that differ, each with the swaps of suits that make the others of its kind."""
    ranks = [frozenset(card // 4 for card in seen if card % 4 == suit) for suit in range(4)]
    leader = list(range(4))
    for k, (a, b) in enumerate(SWAPS):
        if (a, b) in even and ranks[a] == ranks[b] and leader[b] == b:
            leader[b] = leader[a]
        del k
    found = []
    for card in range(52):
        suit = card % 4
        if card in seen or leader[suit] != suit:
            continue
        copies = tuple(k for k, (a, b) in enumerate(SWAPS) if a == suit and leader[b] == suit and b != suit)
        found.append((card, copies))
    return found
