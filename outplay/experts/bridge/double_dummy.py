"""Bridge with open cards: how many tricks each side takes when everybody sees everything and nobody errs.

>>> from outplay.games.bridge.notation import parse_hands
>>> deal = parse_hands("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
>>> solver = DoubleDummy(deal)
>>> solver.tricks("S", "N")                                 # North on lead against spades: tricks of North and South
5
>>> {card_text(card): tricks for card, tricks in solver.cards("NT", "S").items() if tricks == 6}
{'SK': 6, 'S5': 6, ...}
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from outplay.engine.pacing import Pacer, Watch
from outplay.errors import BadValue, Unavailable
from outplay.experts.bridge import double_dummy_kernel as dd
from outplay.games.bridge.notation import NOTRUMP, SEATS, STRAINS, card_name, card_text, cards_of, parse_hands, seat, strain
from outplay.values import Limits

ROOM = 12_000_000
"""Numbers of the table, about two million entries: when it is full, it is emptied."""


class Memory:
    """The arrays of one search, made once and used for deal after deal (one thread)."""

    def __init__(self, room: int = ROOM) -> None:
        self.owners = np.zeros(4 * 8192, np.int32)
        self.lengths = np.zeros(4 * 8192, np.int32)
        self.index = np.zeros(2 << 16, np.int64)
        self.entries = np.zeros(room, np.int64)
        self.work = np.zeros(dd.WORK, np.int64)
        self.frames = np.zeros(dd.PLIES, dd.FRAME)
        self.moves = np.zeros(dd.PLIES * dd.MOVES, np.int64)
        self.answers = np.zeros(dd.ANSWERS + 1, np.int32)


class DoubleDummy:
    """All questions about one deal or ending. Answers are tricks of North and South in the tricks that are still to come.

    It gives up when `stop` is set, or at the moment `until` of `time.perf_counter`.
    """

    def __init__(self, hands: Sequence[int], *, memory: Memory | None = None, stop: threading.Event | None = None,
                 until: float | None = None, progress: Callable[[int], None] | None = None) -> None:
        self.hands = np.array([int(hand) for hand in hands], np.int64)
        self.stop, self.until, self.progress = stop, until, progress
        self.nodes = 0
        self.memory = memory or Memory()
        self._trump: int | None = None
        self._slots = min(16, 6 + int(max(int(hand).bit_count() for hand in hands)))
        dd.prepare(self.hands, self.memory.owners, self.memory.lengths)

    def tricks(self, trump: int | str, leader: int | str, trick: Sequence[int] = (), guess: int | None = None) -> int:
        """Tricks of North and South from here on, the cards of `trick` on the table (`leader` led to it) being in nobody's hand."""
        trump, leader = _strain(trump), _seat(leader)
        self._begin(trump)
        most = self._check(leader, trick)
        low, high = 0, most
        asked = self._guess(trump, most) if guess is None else min(max(guess, 0), most)
        need = max(1, asked)
        while low < high:
            if self._at_least(need, leader, trick):
                low = need
            else:
                high = need - 1
            need = low + 1 if need <= low else high
        return low

    def cards(self, trump: int | str, leader: int | str, trick: Sequence[int] = (), guess: int | None = None) -> dict[int, int]:
        """For each card that the next to play may play: the tricks of North and South."""
        trump, leader = _strain(trump), _seat(leader)
        self._begin(trump)
        player = (leader + len(trick)) % 4
        mine = int(self.hands[player])
        if trick:
            follows = mine & (0x1FFF << (trick[0] & 48))
            mine = follows or mine
        everyone = int(self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3])
        for card in trick:
            everyone |= 1 << card
        found: dict[int, int] = {}
        previous = -1
        if guess is None:
            guess = self.tricks(trump, leader, trick)
        for card in cards_of(mine):
            if previous >= 0 and previous >> 4 == card >> 4 and (everyone & ((1 << previous) - 1)) >> (card + 1) == 0:
                found[card] = found[previous]
            else:
                found[card] = self._after(trump, leader, trick, card, guess)
            previous = card
        return found

    def _after(self, trump: int, leader: int, trick: Sequence[int], card: int, guess: int) -> int:
        """The tricks after one card; a fourth card ends the trick."""
        played = [*trick, card]
        player = (leader + len(trick)) % 4
        self.hands[player] ^= 1 << card
        try:
            if len(played) < 4:
                return self.tricks(trump, leader, played, guess)
            winner = winner_of(played, leader, trump)
            won = 1 - winner % 2
            return won + self.tricks(trump, winner, (), guess - won)
        finally:
            self.hands[player] ^= 1 << card

    def _guess(self, trump: int, most: int) -> int:
        """Where the search begins: North's and South's share of the tricks as that of the points, and some for longer trumps."""
        points, trumps = [0, 0], [0, 0]
        for who, hand in enumerate(map(int, self.hands)):
            for worth, rank in ((4, 12), (3, 11), (2, 10), (1, 9)):
                points[who % 2] += worth * (hand >> rank & 0x0001_0001_0001_0001).bit_count()
            if trump != NOTRUMP:
                trumps[who % 2] += (hand >> 16 * trump & 0x1FFF).bit_count()
        share = points[0] / sum(points) if any(points) else 0.5
        return min(max(round(most * share + 0.2 * (trumps[0] - trumps[1])), 0), most)

    def _begin(self, trump: int) -> None:
        memory = self.memory
        if trump != self._trump:
            memory.index[: 2 << self._slots] = 0
            memory.work[dd.FILLED], memory.work[dd.SHAPES] = 1, 0  # number 0 of the table: no entries
            self._trump = trump

    def _check(self, leader: int, trick: Sequence[int]) -> int:
        """How many tricks are to come; refuses hands of different lengths and a trick that nobody could have played."""
        left = [int(hand).bit_count() for hand in self.hands]
        want = max(left[(leader + k) % 4] + (1 if k < len(trick) else 0) for k in range(4))
        for k in range(4):
            who = (leader + k) % 4
            if left[who] + (1 if k < len(trick) else 0) != want:
                raise BadValue(f"every seat needs the same number of cards, but {SEATS[who]} has {left[who]} of {want}")
        for card in trick:
            if any(int(hand) >> card & 1 for hand in self.hands):
                raise BadValue(f"{card_name(card)} lies on the table and is in a hand, too")
        if want == 0:
            return 0
        return want

    def _at_least(self, need: int, leader: int, trick: Sequence[int]) -> bool:
        """Whether North and South take so many of the tricks to come."""
        memory = self.memory
        frame, work = memory.frames[0], memory.work
        rest = int(self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3])
        start = rest
        for card in trick:
            start |= 1 << card
        trump = int(self._trump or 0) if self._trump != NOTRUMP else dd.NONE
        frame.rest, frame.start, frame.need = rest, start, need
        frame.seat, frame.place = (leader + len(trick)) % 4, len(trick)
        if trick:
            winner = winner_of(trick, leader, self._trump or 0)
            frame.best, frame.winner, frame.led = trick[(winner - leader) % 4], winner, trick[0] >> 4
        work[dd.PLY], work[dd.TRUMP], work[dd.SLOTS] = 0, trump, self._slots
        work[dd.NODES] = 0
        watch = Watch(Limits(seconds=None if self.until is None else max(0.0, self.until - time.perf_counter())), self.stop)
        pacer, answer = Pacer(watch), dd.RUNNING
        while answer == dd.RUNNING:
            if watch.is_over(0):
                raise Unavailable("stopped before the answer was found")
            answer = pacer.slice(self._slice)
            if self.progress is not None:
                self.progress(self.nodes + int(work[dd.NODES]))
        self.nodes += int(work[dd.NODES])
        return answer == dd.YES

    def _slice(self, nodes: int) -> int:
        memory = self.memory
        return int(dd.search(self.hands, memory.owners, memory.lengths, memory.index, memory.entries, memory.work, memory.frames,
                             memory.moves, memory.answers, nodes))


def winner_of(trick: Sequence[int], leader: int, trump: int) -> int:
    """Who wins a trick, or is winning it so far.

    >>> winner_of([16 * 3 + 5, 16 * 3 + 9, 16 * 0 + 2, 16 * 3 + 11], 2, trump=0)
    0
    """
    best, winner = trick[0], leader
    for k, card in enumerate(trick[1:], 1):
        if (card >> 4 == best >> 4 and card > best) or (card >> 4 != best >> 4 and card >> 4 == trump):
            best, winner = card, (leader + k) % 4
    return winner


def table(hands: Sequence[int], *, memory: Memory | None = None, stop: threading.Event | None = None,
          progress: Callable[[int], None] | None = None) -> dict[str, dict[str, int]]:
    """The tricks of each declarer in each strain."""
    return table_of(DoubleDummy(hands, memory=memory, stop=stop, progress=progress))


def table_of(solver: DoubleDummy, strains: Sequence[int] = (0, 1, 2, 3, 4)) -> dict[str, dict[str, int]]:
    """The same for some strains of a solver's deal; the four leaders of a strain share what was found."""
    found: dict[str, dict[str, int]] = {name: {} for name in SEATS}
    total = int(solver.hands[0]).bit_count()
    for trump in strains:
        known: int | None = None
        for leader in (0, 2, 1, 3):
            known = solver.tricks(trump, leader, (), known)
            declarer = (leader + 3) % 4
            found[SEATS[declarer]][STRAINS[trump]] = known if declarer % 2 == 0 else total - known
    return found


def _strain(text: int | str) -> int:
    return strain(text) if isinstance(text, str) else text


def _seat(text: int | str) -> int:
    return seat(text) if isinstance(text, str) else text


__all__ = ["DoubleDummy", "Memory", "card_text", "table", "table_of", "winner_of"]


def one_table(deal: str, stop: threading.Event | None = None) -> dict[str, dict[str, int]]:
    """The tricks of every declarer in every strain of one deal, written as text."""
    return table(parse_hands(deal), stop=stop)


def many_tables(deals: Sequence[str], *, address: str | None = None, stop: threading.Event | None = None) -> Iterator[dict]:
    """The double-dummy tables of many deals in their order, on a cluster or, without an address, here."""
    if address is None:
        return (one_table(deal, stop) for deal in deals)
    from outplay.arena.cluster import spread

    return spread(one_table, ((deal,) for deal in deals), address=address, stop=stop)
