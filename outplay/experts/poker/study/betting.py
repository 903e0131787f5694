"""The betting of a study as a tree without cards: which sizes are offered, and what is at stake where it ends.

Sizes are one word a street, `BETS:RAISES` in percent of the pot (of the pot after a call, for a raise), several with commas, `a`
for all-in, and `first|last` where the two seats differ:

>>> betting = Betting(pot=100, stack=100, sizes=Sizes.parse("50:100 50:100 50,a:100"), streets=1)
>>> [betting.label[node] for node in betting.children(0)]
['check', 'bet 50', 'all in']
>>> Sizes.parse("50:x 50 50")
Traceback (most recent call last):
outplay.errors.BadNotation: expected sizes such as 52:45 or 33,75:50,a (bets:raises in percent of the pot), got '50:x'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from outplay.errors import BadNotation, BadValue, shorten

DECIDE, FOLD, SHOWDOWN, DEAL = 0, 1, 2, 3
"""Kinds of nodes: somebody acts; somebody has folded; hands are compared; a card is dealt."""
STREETS = ("flop", "turn", "river")
ALL_IN = -1.0
MOST_NODES = 1_000_000

Offer = tuple[tuple[float, ...], tuple[float, ...]]
"""Bets and raises as parts of the pot."""


@dataclass(frozen=True)
class Sizes:
    """What each seat may bet and raise on each street."""

    offers: tuple[tuple[Offer, Offer], ...]
    """[street from the flop on][seat]"""
    text: str = ""

    @classmethod
    def parse(cls, text: str) -> Sizes:
        """Sizes from a text: one word for every street, or three from the flop on."""
        words = text.split()
        if len(words) == 1:
            words *= 3
        if len(words) != 3:
            raise BadNotation(f"expected sizes of flop, turn and river, such as 52:45 55:45 70:45, got {shorten(text)!r}")
        offers = []
        for word in words:
            parts = word.split("|")
            if len(parts) > 2:
                raise _wrong(word)
            offers.append((_offer(parts[0]), _offer(parts[-1])))
        return cls(tuple(offers), text)


def _offer(text: str) -> Offer:
    bets, _, raises = text.partition(":")
    return _parts(bets, text), _parts(raises, text)


def _parts(text: str, word: str) -> tuple[float, ...]:
    found = []
    for part in text.split(","):
        if part in ("", "-"):
            continue
        try:
            share = ALL_IN if part.lower() == "a" else float(part.rstrip("%")) / 100
        except ValueError:
            raise _wrong(word) from None
        if share != ALL_IN and not 0 < share <= 100:
            raise _wrong(word)
        found.append(share)
    return tuple(found)


def _wrong(text: str) -> BadNotation:
    return BadNotation(f"expected sizes such as 52:45 or 33,75:50,a (bets:raises in percent of the pot), got {shorten(text)!r}")


class Forest(NamedTuple):
    """The betting of one street after one way to come there, as kernels take it: parents before their children."""

    kind: np.ndarray  # [node]
    player: np.ndarray  # [node]: who decides, or has folded
    first: np.ndarray  # [node]: its first child; the others follow
    count: np.ndarray  # [node]
    amount: np.ndarray  # [node]: what the loser loses, half of the pot before the study included
    slot: np.ndarray  # [seat, node]: the row in which the seat's reach of the node stands
    row: np.ndarray  # [node]: the row of its first action among those of its player
    showdowns: np.ndarray  # nodes
    folds: np.ndarray
    deals: np.ndarray  # the k-th is the k-th root of the next street


@dataclass
class _State:
    street: int
    put: tuple[int, int]
    before: int  # what each had put in when the street began
    turn: int
    acted: bool  # whether a check would end the street
    step: int  # the last raise, in chips


class Betting:
    """All of it, numbered street by street and way by way."""

    def __init__(self, pot: int, stack: int, sizes: Sizes, streets: int = 3) -> None:
        if pot < 1 or stack < 0:
            raise BadValue(f"a study needs a pot of 1 chip or more and a stack of 0 or more, got {pot} and {stack}")
        self.pot, self.stack, self.sizes = pot, stack, sizes
        self.first_street = 3 - streets
        self.label: list[str] = []
        self.put: list[tuple[int, int]] = []
        self._kind: list[int] = []
        self._player: list[int] = []
        self._first: list[int] = []
        self._count: list[int] = []
        self.bounds: list[tuple[int, int]] = []
        """[forest]: its first node, and the one after its last."""
        self.street: list[int] = []
        self.below: list[list[tuple[int, int]]] = []
        """[forest][deal]: the forest that follows, and the number of the root in it."""
        self.whole: list[Forest] = []
        start = _State(self.first_street, (0, 0), 0, 0, False, 0)
        self._grow([start])
        self.rows = [tuple(int(sum(each.count[(each.kind == DECIDE) & (each.player == seat)])) for seat in (0, 1))
                     for each in self.whole]
        """[forest][seat]: how many actions the seat has there."""

    def children(self, node: int) -> range:
        """The nodes that the actions at a node lead to."""
        return range(self._first[node], self._first[node] + self._count[node])

    def _grow(self, roots: list[_State | None]) -> int:
        """Number a forest breadth first, then those below it."""
        begin = len(self.label)
        waiting: list[tuple[_State | None, str, tuple[int, int], int]] = []
        for root in roots:
            assert root is not None
            waiting.append((root, "", root.put, -1))
        states: list[_State | None] = []
        at = 0
        while at < len(waiting):
            state, label, put, folder = waiting[at]
            at += 1
            self.label.append(label)
            self.put.append(put)
            states.append(state)
            self._first.append(-1)
            self._count.append(0)
            self._player.append(-1)
            if state is None:
                self._kind.append(FOLD)
                self._player[-1] = folder
                continue
            if state.turn < 0 or state.before == self.stack:  # the street is over, or nobody has chips left
                self._kind.append(SHOWDOWN if state.street == 2 else DEAL)
                continue
            self._kind.append(DECIDE)
            self._player[-1] = state.turn
            options = list(self._options(state))
            self._first[-1], self._count[-1] = begin + len(waiting), len(options)
            waiting += options
            if begin + len(waiting) > MOST_NODES:
                raise BadValue("these sizes make a tree of betting with more than a million nodes: offer fewer")
        end = len(self.label)
        number = len(self.bounds)
        self.bounds.append((begin, end))
        self.street.append(roots[0].street if roots[0] else 0)
        self.below.append([])
        self.whole.append(self._as_arrays(begin, end, len(roots)))
        deals = [begin + int(node) for node in self.whole[number].deals]
        following: list[_State | None] = []
        for node in deals:
            state = states[node - begin]
            assert state is not None
            following.append(_State(state.street + 1, state.put, state.put[0], 0, False, 0))
        if not following:
            return number
        if self.street[number] == 0:
            for each in following:
                self.below[number].append((self._grow([each]), 0))
        else:
            down = self._grow(following)
            self.below[number] += [(down, k) for k in range(len(following))]
        return number

    def _options(self, state: _State) -> Iterator[tuple[_State | None, str, tuple[int, int], int]]:
        me, other = state.turn, 1 - state.turn
        mine, theirs = state.put[me], state.put[other]
        owed, street = theirs - mine, state.street
        bets, raises = self.sizes.offers[street][me]
        if owed:
            yield None, "fold", state.put, me
            paid = self._paid(me, theirs, state.put)
            yield _State(street, paid, state.before, -1, True, 0), "call", paid, -1
        else:
            ends = state.acted
            yield _State(street, state.put, state.before, -1 if ends else other, True, 0), "check", state.put, -1
        if theirs >= self.stack:
            return
        pot = self.pot + 2 * theirs
        amounts = set()
        for share in raises if owed else bets:
            more = self.stack - theirs if share == ALL_IN else max(int(np.floor(pot * share + 0.5)), state.step, 1)
            amounts.add(min(theirs + more, self.stack))
        for amount in sorted(amounts):
            paid = self._paid(me, amount, state.put)
            word = "all in" if amount == self.stack else f"{'raise' if owed else 'bet'} {amount - state.before}"
            yield _State(street, paid, state.before, other, True, amount - theirs), word, paid, -1

    @staticmethod
    def _paid(me: int, amount: int, put: tuple[int, int]) -> tuple[int, int]:
        return (amount, put[1]) if me == 0 else (put[0], amount)

    def _as_arrays(self, begin: int, end: int, roots: int) -> Forest:
        size = end - begin
        kind = np.array(self._kind[begin:end], np.int64)
        player = np.array(self._player[begin:end], np.int64)
        first = np.array([each - begin for each in self._first[begin:end]], np.int64)
        count = np.array(self._count[begin:end], np.int64)
        amount = np.array([self.pot / 2 + min(self.put[node]) for node in range(begin, end)], np.float32)
        slot = np.zeros((2, size), np.int64)
        slot[:, :roots] = np.arange(roots)
        used, rows = [roots, roots], [0, 0]
        row = np.zeros(size, np.int64)
        for node in range(size):
            if kind[node] != DECIDE:
                continue
            seat, begun, many = int(player[node]), int(first[node]), int(count[node])
            slot[1 - seat, begun : begun + many] = slot[1 - seat, node]
            slot[seat, begun : begun + many] = np.arange(used[seat], used[seat] + many)
            used[seat] += many
            row[node] = rows[seat]
            rows[seat] += many
        return Forest(kind, player, first, count, amount, slot, row, np.flatnonzero(kind == SHOWDOWN),
                      np.flatnonzero(kind == FOLD), np.flatnonzero(kind == DEAL))
