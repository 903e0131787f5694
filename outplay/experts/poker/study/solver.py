"""Solving a study: iterations over all deals in threads, exploitability by best answers, and what there is to look at afterwards.

>>> from outplay.cards import cards
>>> study = Study(cards("Qs Jh 2h 7c 3d"), pot=100, stack=100, ranges=("AA,TT:0.5", "KK"), sizes="100")
>>> report = study.run(200)
>>> round(report.exploitability, 3) < 0.01                       # per cent of the pot
True
>>> round(report.values[0] + report.values[1], 3)                # of the pot, each seat's expectation
100.0
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from outplay.engine.pacing import in_threads
from outplay.errors import BadValue
from outplay.experts.poker.study.betting import DECIDE, STREETS, Betting, Forest, Sizes
from outplay.experts.poker.study.deals import SWAPS, Deals, parse_range
from outplay.experts.poker.study.device import Walker, torch_for
from outplay.experts.poker.study.kernels import BEST, LANES, LEARN, MEAN, Place, Room, Store, go_down, go_up, play_river, play_turn

TURN_PART = 1 / 45
"""How likely each card of a turn is where two hands are known."""
ALPHA, BELOW, GAMMA = 1.5, 0.5, 3.0
"""How regrets above zero fade and average strategies (discounted regret minimization), and what is left of regrets below zero."""


@dataclass(frozen=True)
class Report:
    """Where a study stands."""

    iterations: int
    seconds: float
    exploitability: float
    """What a best answer wins on average over both seats, in percent of the pot."""
    values: tuple[float, float]
    """What each seat expects of the pot, in chips; together they are the pot."""


class Need(NamedTuple):
    """What a study needs before it starts."""

    wide: int
    """Bytes with numbers of 32 bits."""
    narrow: int
    """And of 16."""
    nodes: int
    """Decisions, counted on every different board."""
    boards: int


class Part(NamedTuple):
    """What one way to the turn and one card share."""

    leaf: int  # the deal among those of the flop's betting
    turn: int  # the number of the card
    forest: int
    place: tuple[Place, Place]
    places: np.ndarray  # [river, seat]
    vectors: np.ndarray


class Study:
    """A heads-up hold'em hand from the board on."""

    def __init__(self, board: Sequence[int], *, pot: int, stack: int, ranges: tuple[str | np.ndarray, str | np.ndarray],
                 sizes: str | Sizes = "50", bits: int = 32, threads: int = 1, device: str = "cpu") -> None:
        if bits not in (16, 32):
            raise BadValue(f"numbers of a study have 16 or 32 bits, got {bits}")
        self.sizes = Sizes.parse(sizes) if isinstance(sizes, str) else sizes
        weights = [parse_range(each) if isinstance(each, str) else np.asarray(each, float) for each in ranges]
        self.ranges: tuple[str, str] = (_text(ranges[0]), _text(ranges[1]))
        self.deals = Deals(board, weights[0], weights[1])
        self.streets = 6 - len(self.deals.board)
        self.betting = Betting(pot, stack, self.sizes, self.streets)
        self.pot, self.stack, self.bits, self.threads = pot, stack, bits, threads
        self.iterations, self.seconds = 0, 0.0
        self.can_learn = True
        self._walker: Walker | None = None
        self.move_to(device)
        self.parts: list[Part] = []
        self._plan()
        self.stores: list[Store] = []
        self._rooms: list[tuple[tuple[Room, Room], ...]] = []

    # ---------------------------------------------------------------- memory

    def _plan(self) -> None:
        """Where every vector will stand."""
        at, row, nodes = [0, 0], [0, 0], 0
        self._lengths: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
        betting, deals = self.betting, self.deals

        def take(forest: int, hands: Sequence[int]) -> tuple[Place, Place]:
            nonlocal nodes
            nodes += int((betting.whole[forest].kind == DECIDE).sum())
            found = []
            for seat in (0, 1):
                found.append(Place(at[seat], row[seat]))
                self._lengths[seat].append((betting.rows[forest][seat], int(hands[seat])))
                at[seat] += betting.rows[forest][seat] * int(hands[seat])
                row[seat] += betting.rows[forest][seat]
            return found[0], found[1]

        whole = [len(each) for each in deals.numbers]
        live = [each.live for each in deals.fields]

        def rivers(forest: int, turn: int) -> tuple[np.ndarray, np.ndarray]:
            of = deals.turns[turn]
            places = np.zeros((len(of.rivers), 2), np.int64)
            vectors = np.zeros((len(of.rivers), 2), np.int64)
            if betting.below[forest]:
                below = betting.below[forest][0][0]
                for r in range(len(of.rivers)):
                    found = take(below, [live[seat][of.begin + r] for seat in (0, 1)])
                    for seat in (0, 1):
                        places[r, seat], vectors[r, seat] = found[seat]
            return places, vectors

        if self.streets == 1:
            self.trunk = take(0, [live[seat][0] for seat in (0, 1)])
        else:
            self.trunk = take(0, whole)
        if self.streets == 2:
            self.parts.append(Part(-1, 0, 0, self.trunk, *rivers(0, 0)))
        elif self.streets == 3:
            for leaf, (forest, _) in enumerate(betting.below[0]):
                for turn in range(len(deals.turns)):
                    place = take(forest, whole)
                    self.parts.append(Part(leaf, turn, forest, place, *rivers(forest, turn)))
        self._sizes, self._vectors = tuple(at), tuple(row)
        numbers = sum(at)
        self.need = Need(8 * numbers, 4 * numbers + 8 * sum(row), nodes, len(deals.boards))

    @property
    def memory(self) -> int:
        """Bytes that the chosen kind of numbers takes."""
        return self.need.wide if self.bits == 32 else self.need.narrow

    def lengths(self, seat: int) -> np.ndarray:
        """How long each vector of a seat is."""
        counts, hands = np.array(self._lengths[seat], np.int64).T
        return np.repeat(hands, counts)

    def whole_weights(self, seat: int) -> np.ndarray:
        """The seat's range on this board, as weights of the 1326 hands."""
        whole = np.zeros(1326)
        whole[self.deals.numbers[seat]] = self.deals.weights[seat]
        return whole

    def begin(self) -> None:
        """Take the memory: nothing is learned yet."""
        for seat in (0, 1):
            size, vectors = self._sizes[seat], self._vectors[seat]
            wide, narrow = (size, 0) if self.bits == 32 else (0, size)
            scales = 0 if self.bits == 32 else vectors
            self.stores.append(Store(np.zeros(wide, np.float32), np.zeros(wide, np.float32), np.zeros(narrow, np.int16),
                                     np.zeros(narrow, np.int16), np.zeros(scales, np.float32), np.zeros(scales, np.float32)))
        whole = [len(each) for each in self.deals.numbers]
        for _ in range(self.threads + 1):  # the last is the flop's
            self._rooms.append(tuple((_room(self._of_street(1), seat, whole), _room(self._of_street(2), seat, whole))
                                     for seat in (0, 1)))
        self._flop = tuple(_room([self.betting.whole[0]], seat, whole) for seat in (0, 1))

    def rooms(self, seat: int) -> tuple[Room, Room]:
        """Where a walk for a seat works: the turn's room and the river's."""
        return self._rooms[-1][seat]

    def flop_room(self, seat: int) -> Room:
        """And the flop's."""
        return self._flop[seat]

    def _of_street(self, street: int) -> list[Forest]:
        return [forest for forest, at in zip(self.betting.whole, self.betting.street, strict=True) if at == street]

    def move_to(self, device: str) -> None:
        """Learn on a GPU (`cuda`) from now on, or on the processor (`cpu`; `torch` does what a GPU does, to be compared)."""
        if device != "cpu":
            torch_for(device)
            if self.bits != 32:
                raise BadValue("a study on a GPU has numbers of 32 bits, not of 16")
        self.device = device

    @property
    def walker(self) -> Walker:
        """What walks on the device, made when it is first asked."""
        if self._walker is None:
            if not self.stores:
                self.begin()
            self._walker = Walker(self, self.device)
        return self._walker

    # ---------------------------------------------------------------- walks

    def walk(self, mode: int, me: int, fades: np.ndarray, stop: threading.Event | None = None) -> np.ndarray:
        """One walk over everything; what each hand of the seat expects, times the weight of the other's hands."""
        if not self.stores:
            self.begin()
        if self.device != "cpu":
            return self.walker.walk(mode, me, fades)
        deals, other = self.deals, 1 - me
        mine, theirs = self.stores[me], self.stores[other]
        hands, their_hands = deals.hands[me], deals.hands[other]
        if self.streets == 1:
            room = self._rooms[0][me][1]
            order, their_order = deals.fields[me].order[0], deals.fields[other].order[0]
            live, their_live = deals.fields[me].live[0], deals.fields[other].live[0]
            room.own[0, :live] = deals.weights[me][order[:live]]
            room.other[0, :their_live] = deals.weights[other][their_order[:their_live]]
            play_river(mode, me, self.betting.whole[0], mine, theirs, self.trunk[me], self.trunk[other], deals.fields[me],
                       deals.fields[other], 0, room, fades)
            found = np.zeros(len(hands.low), np.float32)
            found[order[:live]] = room.value[0, :live]
            return found
        if self.streets == 2:
            room = self._rooms[0][me][0]
            room.own[0, : len(hands.low)] = deals.weights[me]
            room.other[0, : len(their_hands.low)] = deals.weights[other]
            self.walk_turn(mode, me, self.parts[0], self._rooms[0][me], fades)
            return np.array(room.value[0, : len(hands.low)])
        room = self._flop[me]
        room.own[0, : len(hands.low)] = deals.weights[me]
        room.other[0, : len(their_hands.low)] = deals.weights[other]
        forest = self.betting.whole[0]
        go_down(mode, me, forest, mine, theirs, self.trunk[me], self.trunk[other], hands, their_hands, room)
        outs = np.zeros((len(self.parts), len(hands.low)), np.float32)
        tickets = itertools.count()

        cut = False

        def work(number: int) -> None:
            nonlocal cut
            rooms = self._rooms[number][me]
            while (ticket := next(tickets)) < len(self.parts):
                if stop is not None and stop.is_set():
                    cut = True
                    return
                part = self.parts[ticket]
                self._deal(mode, me, forest, part, room, rooms[0])
                self.walk_turn(mode, me, part, rooms, fades)
                outs[ticket] = rooms[0].value[0, : len(hands.low)]

        in_threads(self.threads, work)
        values = room.value[:, : len(hands.low)]
        if cut:  # some turns have learned once more; the flop learns only from all of them
            return np.array(values[0])
        values[forest.deals] = 0
        part_of = np.float32(TURN_PART)
        for ticket, part in enumerate(self.parts):
            turn = deals.turns[part.turn]
            value = np.where((deals.cards[me] == turn.card).any(axis=1), 0, outs[ticket]) * part_of
            row = values[forest.deals[part.leaf]]
            row += value
            for swap in turn.copies:
                row[deals.swapped[me][swap]] += value
        go_up(mode, me, forest, mine, self.trunk[me], hands, room, fades)
        return np.array(values[0])

    def _deal(self, mode: int, me: int, forest: Forest, part: Part, above: Room, room: Room) -> None:
        """Reaches of a turn: hands that hold the card are out."""
        card, leaf, other = self.deals.turns[part.turn].card, forest.deals[part.leaf], 1 - me
        for target, source, seat in ((room.other, above.other, other), (room.own, above.own, me)):
            count = len(self.deals.numbers[seat])
            free = ~(self.deals.cards[seat] == card).any(axis=1)
            target[0, :count] = source[forest.slot[seat, leaf], :count] * free

    def walk_turn(self, mode: int, me: int, part: Part, rooms: tuple[Room, Room], fades: np.ndarray) -> None:
        """A walk over one turn, whose reaches stand in the rooms."""
        betting, deals, other = self.betting, self.deals, 1 - me
        turn = deals.turns[part.turn]
        below = betting.whole[betting.below[part.forest][0][0]] if betting.below[part.forest] else betting.whole[part.forest]
        copies = np.full((len(turn.rivers), 3), -1, np.int64)
        for r, (_, swaps) in enumerate(turn.rivers):
            copies[r, : len(swaps)] = swaps
        boards = np.arange(turn.begin, turn.begin + len(turn.rivers))
        play_turn(mode, me, betting.whole[part.forest], below, self.stores[me], self.stores[other], part.place[me],
                  part.place[other], part.places, part.vectors, boards, copies, deals.swapped[me], deals.hands[me],
                  deals.hands[other], deals.fields[me], deals.fields[other], rooms[0], rooms[1], fades)

    # ---------------------------------------------------------------- learning

    def _iterate(self, stop: threading.Event | None = None) -> None:
        t = self.iterations
        fades = np.array([t**ALPHA / (t**ALPHA + 1), BELOW, (t / (t + 1)) ** GAMMA], np.float32)
        for seat in (0, 1):
            self.walk(LEARN, seat, fades, stop)
        if stop is None or not stop.is_set():
            self.iterations += 1

    def worth(self, mode: int = MEAN) -> tuple[float, float]:
        """What each seat expects of the pot, in chips: playing its average, or (BEST) the best answer to the other's."""
        fades = np.zeros(3, np.float32)
        found = []
        for seat in (0, 1):
            values = self.walk(mode, seat, fades).astype(float)
            found.append(self.pot / 2 + float(values @ self.deals.weights[seat].astype(float)) / self.deals.pairs)
        return found[0], found[1]

    def exploitability(self) -> float:
        """What best answers win more than the pot, on average over both seats, in percent of the pot."""
        return 100 * (sum(self.worth(BEST)) - self.pot) / 2 / self.pot

    def report(self) -> Report:
        """Where the study stands."""
        return Report(self.iterations, self.seconds, self.exploitability(), self.worth(MEAN))

    def search(self, iterations: int | None = None, *, seconds: float | None = None, target: float | None = None,
               stop: threading.Event | None = None, progress: Callable[[int], None] | None = None) -> Iterator[Report]:
        """Learn, with a report after each while, until the iterations are done, the time is over, or the target is met.

        The target is an exploitability in percent of the pot. Whatever stops it, what is learned is kept.
        """
        if not self.can_learn:
            raise BadValue("a file of strategies alone cannot learn on: open one that was kept whole")
        try:
            yield from self._search(iterations, seconds, target, stop, progress)
        finally:
            if self._walker is not None:
                self._walker.give()

    def _search(self, iterations: int | None, seconds: float | None, target: float | None, stop: threading.Event | None,
                progress: Callable[[int], None] | None) -> Iterator[Report]:
        if self.device != "cpu":
            self.walker  # noqa: B018  (cards and matrices go there before the clock runs)
        begun, before = time.perf_counter(), self.seconds
        end = None if iterations is None else self.iterations + iterations
        look = self.iterations + 10
        found: Report | None = None

        def over() -> bool:
            return (stop is not None and stop.is_set()) or (seconds is not None and time.perf_counter() - begun >= seconds)

        while True:
            done = over() or (end is not None and self.iterations >= end)
            if done and found is not None and stop is not None and stop.is_set():
                yield found  # at once: what was known before still holds of what was learned by then
                return
            if done or self.iterations >= look:
                self.seconds = before + time.perf_counter() - begun
                found = self.report()
                self.seconds = before + time.perf_counter() - begun
                yield found
                if done or (target is not None and found.exploitability <= target):
                    return
                look = self.iterations + 10
            self._iterate(stop)
            if progress is not None:
                progress(self.iterations)

    def run(self, iterations: int | None = None, **limits: Any) -> Report:
        """The last report of a search."""
        *_, found = self.search(iterations, **limits)
        return found

    def equity(self) -> tuple[float, float]:
        """The part of the pot that each seat would win if nobody bet any more."""
        plain = Study(self.deals.board, pot=2, stack=0, ranges=(self.whole_weights(0), self.whole_weights(1)), sizes="50")
        first = plain.worth(MEAN)[0] / 2
        return first, 1 - first


def _text(given: str | np.ndarray) -> str:
    return given if isinstance(given, str) else ""


def _room(forests: list[Forest], me: int, hands: Sequence[int]) -> Room:
    """Room for the largest of some forests."""
    slots = [max((int(each.slot[seat].max()) + 1 for each in forests), default=1) for seat in (0, 1)]
    nodes = max((len(each.kind) for each in forests), default=1)
    rows = max((int(each.count[(each.kind == DECIDE) & (each.player == me)].sum()) for each in forests), default=1)
    own, other = hands[me], hands[1 - me]
    return Room(np.zeros((slots[me], own), np.float32), np.zeros((slots[1 - me], other), np.float32),
                np.zeros((max(rows, 1), own), np.float32), np.zeros((nodes, own), np.float32),
                np.zeros(max(own, other), np.float32), np.zeros((other + 1, LANES), np.float32),
                np.zeros((own, LANES), np.float32), np.zeros((52, LANES), np.float32))


__all__ = ["STREETS", "SWAPS", "Need", "Report", "Study"]
