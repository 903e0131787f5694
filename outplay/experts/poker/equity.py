"""What hold'em hands and ranges are worth against each other: exactly, by all boards that can come, or by random ones.

>>> found = equity(["AhKh", "QsQd"])
>>> [round(share, 4) for share in found.equities], found.exact, found.deals
([0.4621, 0.5379], True, 1712304)
>>> [round(share, 3) for share in equity(["22+", "ATs+"], "Kh7h2c").equities]
[0.63, 0.37]

Two ranges meet on a board without a look at each pair of hands: all hands are sorted by strength once, and going up the list one
knows how many of the other's hands lie below, and how many of those hold a card of one's own.
"""

from __future__ import annotations

import functools
import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from outplay.cards import cards, cards_text
from outplay.engine.pacing import in_threads
from outplay.errors import BadNotation, BadValue
from outplay.games.holdem.evaluator import BITS, KEYS, START, STRONGEST, strength_of
from outplay.games.holdem.ranges import CLASS_OF_HAND, CLASS_SIZES, HANDS, Hand, hand_number, hand_text, hands_of
from outplay.jit import below, i64, inlined, kernel, pointer, random_source, u64

EXACT_WORK = 3e9
"""Boards times hands above which `equity` samples, unless it is told to be exact."""
SAMPLES = 2_000_000
SPLIT = 64
"""Pieces into which the boards are cut: between two of them threads look for Ctrl-C."""


class Board(NamedTuple):
    """The board as far as it lies, and what can still come."""

    deck: np.ndarray  # cards that nobody is known to hold
    need: int  # cards until the board is whole
    key: np.uint64  # of the cards that lie, for `strength_of`
    bits: np.uint64
    symmetric: bool  # whether no suit differs from another


class Field(NamedTuple):
    """The hands that meet: line by line, or where there are no lines, two ranges over one list of hands."""

    keys: np.ndarray  # [hand], for `strength_of`
    bits: np.ndarray
    lines: np.ndarray  # [line, player]: the hand of each
    firsts: np.ndarray  # [hand]: its two cards
    seconds: np.ndarray
    mine: np.ndarray  # [hand]: its weight in either range
    theirs: np.ndarray


class Room(NamedTuple):
    """The memory that `run_boards` works in."""

    chosen: np.ndarray  # [level]: the place in the deck of the card laid there
    key_at: np.ndarray  # [level]: key and bits of the board up to there
    bits_at: np.ndarray
    strengths: np.ndarray  # [hand]: on the board at hand; 0 where they share a card
    order: np.ndarray  # hands from the weakest to the strongest, and room to sort them
    spare: np.ndarray
    buckets: np.ndarray
    by_card: np.ndarray  # [card]: the weight of the other's hands with it: weaker ones, equal ones, all
    group: np.ndarray
    totals: np.ndarray

    @classmethod
    def of(cls, hands: int) -> Room:
        """Room for so many hands."""
        words, whole = functools.partial(np.zeros, dtype=np.uint64), functools.partial(np.zeros, dtype=np.int64)
        return cls(chosen=whole(7), key_at=words(7), bits_at=words(7), strengths=whole(hands), order=whole(hands),
                   spare=whole(hands), buckets=whole(130), by_card=np.zeros(52), group=np.zeros(52), totals=np.zeros(52))


class Tally(NamedTuple):
    """What the players got, summed over all deals."""

    shares: np.ndarray  # [player]: of the pot
    wins: np.ndarray  # [player]: pots taken alone, and shared ones
    ties: np.ndarray
    done: np.ndarray  # [0]: how many deals


# ---------------------------------------------------------------- kernels


@kernel
def count_hands(part: Any, parts: Any, counts: Any) -> None:
    """How many of all hands of seven cards have each strength, over every `parts`-th pair of lowest cards."""
    pair = 0
    for a in range(52):
        for b in range(a):
            pair += 1
            if pair % parts != part:
                continue
            key_b, bits_b = START + KEYS[a] + KEYS[b], BITS[a] | BITS[b]
            for c in range(b):
                key_c, bits_c = key_b + KEYS[c], bits_b | BITS[c]
                for d in range(c):
                    key_d, bits_d = key_c + KEYS[d], bits_c | BITS[d]
                    for e in range(d):
                        key_e, bits_e = key_d + KEYS[e], bits_d | BITS[e]
                        for f in range(e):
                            key_f, bits_f = key_e + KEYS[f], bits_e | BITS[f]
                            for g in range(f):
                                counts[strength_of(key_f + KEYS[g], bits_f | BITS[g])] += 1


@inlined
def score(strengths: Any, line: Any, players: Any, weight: Any, shares: Any, wins: Any, ties: Any) -> Any:
    """Give the pot of one deal to the strongest; returns False where a hand and the board share a card."""
    best, winners = i64(0), 0
    for p in range(players):
        here = i64(strengths[line[p]])
        if here == 0:
            return False
        if here > best:
            best, winners = here, 1
        elif here == best:
            winners += 1
    for p in range(players):
        if strengths[line[p]] == best:
            shares[p] += weight / winners
            if winners == 1:
                wins[p] += weight
            else:
                ties[p] += weight
    return True


@inlined
def sort_by_strength(strengths: Any, order: Any, spare: Any, buckets: Any, live: Any) -> None:
    """Put the first `live` hands of `order` in the order of their strengths: by the lower seven bits, then by the upper ones."""
    strengths, order, spare, buckets = pointer(strengths), pointer(order), pointer(spare), pointer(buckets)
    for turn in range(2):
        for b in range(129):
            buckets[b] = 0
        for k in range(live):
            buckets[((strengths[order[k]] >> (7 * turn)) & 127) + 1] += 1
        for b in range(128):
            buckets[b + 1] += buckets[b]
        for k in range(live):
            b = (strengths[order[k]] >> (7 * turn)) & 127
            spare[buckets[b]] = order[k]
            buckets[b] += 1
        for k in range(live):
            order[k] = spare[k]


@inlined
def meet(field: Any, room: Any, weight: Any, tally: Any) -> None:
    """Two ranges on one board: hands sorted by strength, and each hand of the first range compared with all below it at once."""
    firsts, seconds, mine, theirs = field.firsts, field.seconds, field.mine, field.theirs
    strengths, order, by_card, group, totals = room.strengths, room.order, room.by_card, room.group, room.totals
    shares, wins, ties = tally.shares, tally.wins, tally.ties
    hands, live = len(strengths), 0
    firsts, seconds, mine, theirs = pointer(firsts), pointer(seconds), pointer(mine), pointer(theirs)
    strengths, order, by_card = pointer(strengths), pointer(order), pointer(by_card)
    group, totals = pointer(group), pointer(totals)
    for k in range(hands):
        if strengths[k] != 0:
            order[live] = k
            live += 1
    sort_by_strength(room.strengths, room.order, room.spare, room.buckets, live)
    for card in range(52):
        by_card[card], group[card], totals[card] = 0.0, 0.0, 0.0
    below_me, every = 0.0, 0.0
    for k in range(live):
        hand = order[k]
        every += theirs[hand]
        totals[firsts[hand]] += theirs[hand]
        totals[seconds[hand]] += theirs[hand]
    begin = 0
    while begin < live:
        end = begin
        level = strengths[order[begin]]
        same = 0.0
        while end < live and strengths[order[end]] == level:
            hand = order[end]
            same += theirs[hand]
            group[firsts[hand]] += theirs[hand]
            group[seconds[hand]] += theirs[hand]
            end += 1
        for k in range(begin, end):
            hand = order[k]
            if mine[hand] > 0.0:
                a, b = firsts[hand], seconds[hand]
                won = below_me - by_card[a] - by_card[b]
                tied = same - group[a] - group[b] + theirs[hand]
                met = every - totals[a] - totals[b] + theirs[hand]
                factor = weight * mine[hand]
                wins[0] += factor * won
                wins[1] += factor * (met - won - tied)
                ties[0] += factor * tied
                ties[1] += factor * tied
                shares[0] += factor * (won + 0.5 * tied)
                shares[1] += factor * (met - won - 0.5 * tied)
        below_me += same
        for k in range(begin, end):
            hand = order[k]
            by_card[firsts[hand]] += theirs[hand]
            by_card[seconds[hand]] += theirs[hand]
            group[firsts[hand]], group[seconds[hand]] = 0.0, 0.0
        begin = end


@inlined
def twins(seen: Any) -> Any:
    """How many boards one stands for when suits are all alike: 0 unless its suits are in order, else the ways to rename them."""
    c, d = seen & u64(0xFFFF), (seen >> u64(16)) & u64(0xFFFF)
    h, s = (seen >> u64(32)) & u64(0xFFFF), seen >> u64(48)
    if c < d or d < h or h < s:
        return 0
    ways, run = 24, 1
    if c == d:
        run += 1
        ways //= run
    else:
        run = 1
    if d == h:
        run += 1
        ways //= run
    else:
        run = 1
    if h == s:
        run += 1
        ways //= run
    return ways


@kernel
def run_boards(board: Any, field: Any, room: Any, tally: Any, part: Any, parts: Any) -> None:
    """All boards of a part: each hand's strength once, then every line of hands (or both ranges) compared.

    Where no suit differs from another (`symmetric`), one board stands for all its twins.
    Boards are counted by their first two cards, of which every `parts`-th pair is this part's.
    """
    deck, need, symmetric = board.deck, board.need, board.symmetric
    keys, bits, lines = field.keys, field.bits, field.lines
    chosen, key_at, bits_at, strengths = room.chosen, room.key_at, room.bits_at, room.strengths
    players = lines.shape[1]
    level, pair = 0, 0
    chosen[0] = -1
    key_at[0], bits_at[0] = board.key, board.bits
    while level >= 0:
        if level == need:
            key, seen = key_at[level], bits_at[level]
            weight = 1
            if symmetric:
                weight = twins(seen)
                if weight == 0:
                    level -= 1
                    continue
            for hand in range(len(keys)):
                strengths[hand] = 0 if bits[hand] & seen else strength_of(key + keys[hand], seen | bits[hand])
            if len(lines) == 0:
                meet(field, room, float(weight), tally)
                tally.done[0] += weight
            else:
                for line in range(len(lines)):
                    if score(strengths, lines[line], players, float(weight), tally.shares, tally.wins, tally.ties):
                        tally.done[0] += weight
            level -= 1
            continue
        chosen[level] += 1
        card = chosen[level]
        if card + (need - level - 1) >= len(deck):
            level -= 1
            continue
        if level == min(1, need - 1):
            pair += 1
            if pair % parts != part:
                continue
        key_at[level + 1] = key_at[level] + KEYS[deck[card]]
        bits_at[level + 1] = bits_at[level] | BITS[deck[card]]
        chosen[level + 1] = card
        level += 1


@inlined
def sample_deal(source: Any, keys: Any, bits: Any, starts: Any, players: Any, board_key: Any, board_bits: Any, need: Any,
                strengths: Any, holding: Any) -> None:
    """One random deal: a hand from each range, none with a card of another, and the rest of the board."""
    while True:
        seen, fine = board_bits, True
        for p in range(players):
            hand = starts[p] + below(source, starts[p + 1] - starts[p])
            if bits[hand] & seen:
                fine = False
                break
            seen |= bits[hand]
            holding[p] = hand
        if fine:
            break
    key, table = board_key, board_bits
    left = need
    while left > 0:
        card = below(source, 52)
        if not BITS[card] & seen:
            seen |= BITS[card]
            table |= BITS[card]
            key += KEYS[card]
            left -= 1
    for p in range(players):
        strengths[p] = strength_of(key + keys[holding[p]], table | bits[holding[p]])


@kernel
def run_samples(source: Any, keys: Any, bits: Any, starts: Any, board_key: Any, board_bits: Any, need: Any, samples: Any,
                strengths: Any, holding: Any, line: Any, shares: Any, wins: Any, ties: Any) -> None:
    """Random deals."""
    players = len(starts) - 1
    for _ in range(samples):
        sample_deal(source, keys, bits, starts, players, board_key, board_bits, need, strengths, holding)
        score(strengths, line, players, 1.0, shares, wins, ties)


@kernel
def run_preflop(keys: Any, bits: Any, classes: Any, part: Any, parts: Any, strengths: Any, order: Any, spare: Any, buckets: Any,
                below_me: Any, group: Any, halves: Any) -> None:
    """Before the flop, all 169 classes against each other: halves[i, j] gets 2 for each win and 1 for each tie of i's hands.

    Going up the sorted hands of a board, `below_me` counts those passed by class; the hands that share a card are taken off again.
    """
    pair = 0
    for a in range(52):
        for b in range(a):
            pair += 1
            if pair % parts != part:
                continue
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        seen = BITS[a] | BITS[b] | BITS[c] | BITS[d] | BITS[e]
                        weight = twins(seen)
                        if weight > 0:
                            key = START + KEYS[a] + KEYS[b] + KEYS[c] + KEYS[d] + KEYS[e]
                            live = 0
                            for hand in range(len(keys)):
                                strengths[hand] = 0
                                if not bits[hand] & seen:
                                    strengths[hand] = strength_of(key + keys[hand], seen | bits[hand])
                                    order[live] = hand
                                    live += 1
                            sort_by_strength(strengths, order, spare, buckets, live)
                            compare_classes(strengths, order, live, classes, weight, below_me, group, halves)


@inlined
def compare_classes(strengths: Any, order: Any, live: Any, classes: Any, weight: Any, below_me: Any, group: Any,
                    halves: Any) -> None:
    """One board of `run_preflop`."""
    for k in range(169):
        below_me[k], group[k] = 0, 0
    begin = 0
    while begin < live:
        level = strengths[order[begin]]
        end = begin
        while end < live and strengths[order[end]] == level:
            group[classes[order[end]]] += weight
            end += 1
        for k in range(begin, end):
            hand = order[k]
            mine = classes[hand]
            for other in range(169):
                halves[mine, other] += 2 * below_me[other] + group[other]
            high = 1
            while high * (high + 1) // 2 <= hand:
                high += 1
            low = hand - high * (high - 1) // 2
            for turn in range(2):
                own = high if turn == 0 else low
                for card in range(52):
                    if card != own and not (turn == 1 and card == high):
                        top, bottom = max(own, card), min(own, card)
                        rival = top * (top - 1) // 2 + bottom
                        there = strengths[rival]
                        if there != 0 and there <= level:
                            halves[mine, classes[rival]] -= weight * (1 if there == level else 2)
        for k in range(begin, end):
            group[classes[order[k]]] = 0
            below_me[classes[order[k]]] += weight
        begin = end


# ---------------------------------------------------------------- what people call


@dataclass(frozen=True)
class Equity:
    """What each hand or range wins of the pot on average."""

    equities: tuple[float, ...]
    wins: tuple[float, ...]  # how often it takes the pot alone
    ties: tuple[float, ...]  # how often it shares the best hand
    errors: tuple[float, ...]  # standard errors; 0 where the count is exact
    exact: bool
    deals: int  # boards and hands looked at
    seconds: float
    hands: tuple[str, ...]
    board: str
    device: str = "cpu"


def count_classes(threads: int = 1) -> tuple[int, ...]:
    """How many of the 133,784,560 hands of seven cards are of each class, the weakest first."""
    from outplay.games.holdem.evaluator import LEAST

    counts = np.zeros((threads, STRONGEST + 1), np.int64)
    in_threads(threads, lambda part: count_hands(part, threads, counts[part]))
    return tuple(int(each.sum()) for each in np.split(counts.sum(axis=0), LEAST[1:]))


def preflop_halves(threads: int = 1, progress: Callable[[float], None] | None = None) -> np.ndarray:
    """Twice the wins plus the ties of each class of hands against each other one, over all hands and boards: [169, 169]."""
    with np.errstate(over="ignore"):
        keys = np.array([KEYS.array[a] + KEYS.array[b] for a, b in HANDS], np.uint64)
    bits = np.array([BITS.array[a] | BITS.array[b] for a, b in HANDS], np.uint64)
    halves = np.zeros((threads, 169, 169), np.int64)
    parts = SPLIT * threads

    def work(number: int) -> None:
        room = np.zeros(1326, np.int64), np.zeros(1326, np.int64), np.zeros(1326, np.int64), np.zeros(130, np.int64)
        counts = np.zeros(169, np.int64), np.zeros(169, np.int64)
        for part in range(number, parts, threads):
            run_preflop(keys, bits, CLASS_OF_HAND, part, parts, *room, *counts, halves[number])
            if progress is not None and number == 0:
                progress((part + 1) / parts)

    in_threads(threads, work)
    return halves.sum(axis=0)


def equity(ranges: Sequence[str | Iterable[Hand]], board: str | Iterable[int] = "", *, exact: bool | None = None,
           samples: int | None = None, threads: int = 1, seed: int = 0, device: str = "cpu",
           stop: threading.Event | None = None, progress: Callable[[float], None] | None = None) -> Equity:
    """What each range is worth against the others: exact where that is a matter of seconds or asked for, else by random deals."""
    spots = _spots(ranges, board)
    if device not in ("cpu", "cuda"):
        raise BadValue(f"device must be cpu or cuda, got {device!r}")
    if samples is not None and samples < 1:
        raise BadValue(f"samples must be 1 or more, got {samples}")
    if exact and samples:
        raise BadValue("either exact or a number of samples, not both")
    boards = math.comb(len(spots.deck), spots.need)
    lines = spots.lines()
    if spots.is_symmetric():
        boards = boards // 19
    work = boards * float(len(spots.keys) + (0 if lines is None else len(lines) * len(spots.ranges)))
    possible = lines is not None or len(spots.ranges) == 2
    if samples is None and device == "cpu" and possible and (exact or work <= EXACT_WORK):
        return _exact(spots, lines, threads, stop, progress)
    if exact:
        raise BadValue(f"an exact answer would take {work:.1g} steps: give --samples, a board or smaller ranges")
    count = samples or SAMPLES
    if device == "cuda":
        from outplay.experts.poker.equity_cuda import sampled as on_gpu

        return on_gpu(spots, count, seed)
    return _sampled(spots, count, threads, seed, stop, progress)


class _spots:
    """A request as arrays: the ranges' hands one after the other, the board, and the cards that may still come."""

    def __init__(self, ranges: Sequence[str | Iterable[Hand]], board: str | Iterable[int]) -> None:
        if len(ranges) < 2:
            raise BadValue(f"equity needs two or more hands or ranges, got {len(ranges)}")
        if len(ranges) > 10:
            raise BadValue(f"at most ten hands or ranges sit at a table, got {len(ranges)}")
        self.board = cards(board) if isinstance(board, str) else tuple(board)
        if len(self.board) > 5:
            raise BadNotation(f"a board has at most five cards, got {cards_text(self.board)}")
        self.ranges: list[list[Hand]] = []
        self.names = tuple(each if isinstance(each, str) else ",".join(hand_text(hand) for hand in each) for each in ranges)
        for name, each in zip(self.names, ranges, strict=True):
            hands = hands_of(each) if isinstance(each, str) else tuple(each)
            kept = [hand for hand in hands if not set(hand) & set(self.board)]
            if not kept:
                raise BadNotation(f"no hand of {name!r} is left on the board {cards_text(self.board)}")
            self.ranges.append(kept)
        single = [each[0] for each in self.ranges if len(each) == 1]
        known = [card for hand in single for card in hand]
        for card in known:
            if known.count(card) > 1:
                raise BadNotation(f"the card {cards_text([card])} is in two hands")
        self.ranges = [each if len(each) == 1 else [hand for hand in each if not set(hand) & set(known)] for each in self.ranges]
        if not all(self.ranges):
            raise BadNotation("one range has no hand left beside the cards of the others")
        self.deck = np.array([card for card in range(52) if card not in self.board and card not in known], np.int64)
        self.need = 5 - len(self.board)
        with np.errstate(over="ignore"):
            self.key = START + u64(sum(int(KEYS.array[card]) for card in self.board))
            self.seen = u64(sum(int(BITS.array[card]) for card in self.board))
            flat = [hand for each in self.ranges for hand in each]
            self.keys = np.array([KEYS.array[a] + KEYS.array[b] for a, b in flat], np.uint64)
        self.bits = np.array([BITS.array[a] | BITS.array[b] for a, b in flat], np.uint64)
        self.starts = np.concatenate(([0], np.cumsum([len(each) for each in self.ranges]))).astype(np.int64)

    @functools.cached_property
    def _classes_whole(self) -> bool:
        for each in self.ranges:
            counts = np.bincount(CLASS_OF_HAND[[hand_number(hand) for hand in each]], minlength=169)
            if not ((counts == 0) | (counts == CLASS_SIZES)).all():
                return False
        return True

    def is_symmetric(self) -> bool:
        """Whether no suit differs from another: no board yet, and each class of hands is in a range or not."""
        return self.need == 5 and self._classes_whole

    def lines(self, most: int = 200_000) -> np.ndarray | None:
        """All ways to give each range one of its hands, or None where they are too many (two large ranges meet otherwise)."""
        count = math.prod(len(each) for each in self.ranges)
        if count > most or (len(self.ranges) == 2 and count > 4 * len(self.keys)):
            return None
        found = np.array(np.meshgrid(*(np.arange(a, b) for a, b in zip(self.starts, self.starts[1:], strict=False)), indexing="ij"))
        found = found.reshape(len(self.ranges), -1).T
        seen, fine = np.zeros(len(found), np.uint64), np.ones(len(found), bool)
        for p in range(len(self.ranges)):
            fine &= seen & self.bits[found[:, p]] == 0
            seen |= self.bits[found[:, p]]
        if not fine.any():
            raise BadNotation("the ranges leave no way to give every player a hand")
        return np.ascontiguousarray(found[fine], np.int64)


def _exact(spots: Any, lines: np.ndarray | None, threads: int, stop: threading.Event | None, progress: Any) -> Equity:
    players, started = len(spots.ranges), time.perf_counter()
    keys, bits = spots.keys, spots.bits
    mine = theirs = np.zeros(0)
    firsts = seconds = np.zeros(0, np.int64)
    if lines is None:  # two ranges over one list of hands
        hands = sorted({hand for each in spots.ranges for hand in each}, key=hand_number)
        with np.errstate(over="ignore"):
            keys = np.array([KEYS.array[a] + KEYS.array[b] for a, b in hands], np.uint64)
        bits = np.array([BITS.array[a] | BITS.array[b] for a, b in hands], np.uint64)
        firsts, seconds = (np.array(each, np.int64) for each in zip(*hands, strict=True))
        mine, theirs = (np.array([float(hand in kept) for hand in hands]) for kept in (set(each) for each in spots.ranges))
        lines = np.zeros((0, players), np.int64)
    board = Board(spots.deck, spots.need, spots.key, spots.seen, spots.is_symmetric())
    field = Field(keys, bits, lines, firsts, seconds, mine, theirs)
    totals = np.zeros((threads, 3, players))
    done = np.zeros((threads, 1), np.int64)
    parts = SPLIT * threads if spots.need > 1 else threads
    told = [0]

    def work(number: int) -> None:
        shares, wins, ties = totals[number]
        room, tally = Room.of(len(keys)), Tally(shares, wins, ties, done[number])
        for part in range(number, parts, threads):
            if stop is not None and stop.is_set():
                return
            run_boards(board, field, room, tally, part, parts)
            told[0] += 1
            if progress is not None and number == 0:
                progress(told[0] / parts)

    in_threads(threads, work)
    if stop is not None and stop.is_set():
        raise KeyboardInterrupt
    shares, wins, ties = totals.sum(axis=0)
    whole = shares.sum()
    return Equity(tuple((shares / whole).tolist()), tuple((wins / whole).tolist()), tuple((ties / whole).tolist()),
                  (0.0,) * players, True, int(done.sum()), time.perf_counter() - started, spots.names, cards_text(spots.board))


def _sampled(spots: Any, samples: int, threads: int, seed: int, stop: threading.Event | None, progress: Any) -> Equity:
    players, started = len(spots.ranges), time.perf_counter()
    totals = np.zeros((threads, 3, players))
    done = [0] * threads
    _check_possible(spots)

    def work(number: int) -> None:
        source = random_source(seed * 1_000_003 + number)
        room = np.zeros(players, np.int64), np.zeros(players, np.int64), np.arange(players)
        wanted = samples // threads + (number < samples % threads)
        while done[number] < wanted and not (stop is not None and stop.is_set()):
            step = min(100_000, wanted - done[number])
            run_samples(source, spots.keys, spots.bits, spots.starts, spots.key, spots.seen, spots.need, step, *room,
                        *totals[number])
            done[number] += step
            if progress is not None and number == 0:
                progress(done[0] / max(wanted, 1))

    in_threads(threads, work)
    return summary(spots, totals.sum(axis=0), sum(done), time.perf_counter() - started, "cpu")


def summary(spots: Any, totals: np.ndarray, samples: int, seconds: float, device: str) -> Equity:
    """An Equity from the sums of random deals."""
    shares, wins, ties = totals
    means = shares / samples
    errors = np.sqrt(np.maximum(means * (1 - means), 0.0) / samples)  # a share of the pot lies between 0 and 1: at most this
    return Equity(tuple(means.tolist()), tuple((wins / samples).tolist()), tuple((ties / samples).tolist()),
                  tuple(errors.tolist()), False, samples, seconds, spots.names, cards_text(spots.board), device)


def _check_possible(spots: Any) -> None:
    """Refuse ranges that no deal can serve, at which sampling would never end."""

    def serve(p: int, seen: int) -> bool:
        if p == len(spots.ranges):
            return True
        for hand in spots.ranges[p]:
            bits = (1 << hand[0]) | (1 << hand[1])
            if not bits & seen and serve(p + 1, seen | bits):
                return True
        return False

    if not serve(0, 0):
        raise BadNotation("the ranges leave no way to give every player a hand")


__all__ = ["Equity", "count_classes", "equity"]
