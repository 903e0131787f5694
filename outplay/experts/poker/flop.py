"""The flop of heads-up limit hold'em, solved anew from a trained strategy: to the turn, and beyond it by what was trained.

The rest of a hand from the flop on has some eight million public states, too many to be solved in seconds. So it is cut where the
turn is dealt (`regret_resolve` says why that is safe). There a table says what each pair of hands is worth when both go on as they
were trained; and because the other need not do that, it may choose for each hand among several ways to go on: as trained, or
leaning to folding, to calling, to raising (Brown, Sandholm and Amos 2018).

The tables are exact as far as the cards go: all 1,176 turns and rivers decide what a hand wins if nobody bets any more. What the
betting adds is taken from every turn with a few random rivers.

>>> from outplay.cards import cards
>>> from outplay.game import load
>>> solver = HoldemSolver(load("hold'em:kind=limit"))
>>> solver.advance(100)
>>> flop = Flop(solver, (1, 1), cards("2h7s9d"), seat=1, ways=1, rivers=1)
>>> flop.tree.nodes, flop.tree.hands, len(flop.tree.tables)                      # nine ways to come to the turn
(36, 1176, 19)
"""

from __future__ import annotations

import itertools
import math
import random
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from outplay.engine.pacing import in_threads
from outplay.engine.regret.public_tree import END, PublicTree, laid_out
from outplay.engine.regret.resolve import LEANING
from outplay.experts.poker.limit import BUCKETS, HoldemSolver
from outplay.experts.poker.rest import PAIRS, Rest, free_of, strategy_of
from outplay.jit import kernel

WAYS = 4
"""Ways to go on among which the other chooses: as trained, and leaning to fold, call and raise."""
RIVERS = 2
"""Random rivers after each turn by which the betting beyond the cut is judged."""
RUN_OUTS = 990
"""Turns and rivers that two hands and a flop leave."""
RARE = 1e-5
"""How likely a line of betting is that need not be followed."""


class Beyond(NamedTuple):
    """What both do after the turn is dealt, by their buckets: [way, how the betting on the turn ends, ...]."""

    mine: np.ndarray  # [way, end of the turn, bucket on the turn]: how likely seat 0 bets so
    theirs: np.ndarray  # and seat 1
    shown: np.ndarray  # [way, end of the turn, bucket on the river of seat 0, of seat 1]: chips that the stronger hand wins
    folded: np.ndarray  # the same: chips that seat 0 wins without a showdown
    early: np.ndarray  # [way, bucket on the turn of seat 0, of seat 1]: chips that seat 0 wins on the turn


@kernel
def run_out(ranks: Any, begin: Any, end: Any, out: Any) -> None:
    """Boards won less boards lost by each of some hands [hand, the other's hand]; a rank of 0: the board holds a card of it."""
    hands = ranks.shape[1]
    for mine in range(begin, end):
        for board in range(len(ranks)):
            here = ranks[board, mine]
            if here > 0:
                for other in range(hands):
                    there = ranks[board, other]
                    out[mine, other] += np.float32(((here > there) - (here < there)) * (there > 0))


@kernel
def add_board(kinds: Any, turn: Any, river: Any, ranks: Any, begin: Any, end: Any, beyond: Any, stakes: Any, showdown: Any,
              certain: Any, out: Any) -> None:
    """Add what the betting makes of each pair of hands on one board to out[way, hand, the other's hand].

    `kinds` says which pair of buckets each hand has, `turn` and `river` which buckets these are; a hand that the board rules out
    has the kind after the last. `showdown` and `certain` are room for one kind against each.
    """
    mine, theirs, shown, folded, early = beyond
    classes, hands = len(turn), len(kinds)
    for way in range(begin, end):
        for a in range(classes):
            for b in range(classes):
                showdown[b], certain[b] = -stakes[way], early[way, turn[a], turn[b]]
            showdown[classes], certain[classes] = 0.0, 0.0
            for last in range(mine.shape[1]):
                first = mine[way, last, turn[a]]
                if first > RARE:
                    for b in range(classes):
                        likely = first * theirs[way, last, turn[b]]
                        showdown[b] += likely * shown[way, last, river[a], river[b]]
                        certain[b] += likely * folded[way, last, river[a], river[b]]
            for i in range(hands):
                if kinds[i] == a:
                    here = ranks[i]
                    for j in range(hands):
                        there = ranks[j]
                        out[way, i, j] += showdown[kinds[j]] * np.float32((here > there) - (here < there)) + certain[kinds[j]]


Line = tuple[int, np.ndarray, np.ndarray]
"""The node at which a round's betting ends, and how likely each seat bets so, by its buckets."""


def ends_of(solver: HoldemSolver, root: int, street: int, chooser: int, way: int) -> Iterator[Line]:
    """All ways in which the betting of a round goes on from a node."""
    betting, even = solver.betting, np.ones(BUCKETS[street])
    waiting = [(root, even, even)]
    while waiting:
        node, mine, theirs = waiting.pop()
        if betting.round[node] != street:
            yield node, mine, theirs
            continue
        for kind, share in leaning(solver, node, street, chooser, way):
            below = int(betting.child[node, kind])
            waiting.append((below, mine * share, theirs) if betting.player[node] == 0 else (below, mine, theirs * share))


def going_on(solver: HoldemSolver, root: int, chooser: int, way: int) -> tuple[list[Line], np.ndarray]:
    """How the betting on the turn leads to the river; and what seat 0 wins where it does not, by the buckets of both."""
    found, early = list[Line](), np.zeros((BUCKETS[2], BUCKETS[2]))
    for node, mine, theirs in ends_of(solver, root, 2, chooser, way):
        if solver.betting.round[node] == 5:
            early += chips(solver.betting, node) * np.outer(mine, theirs)
        else:
            found.append((node, mine, theirs))
    return found, early


def on_the_river(solver: HoldemSolver, root: int, chooser: int, way: int) -> tuple[np.ndarray, np.ndarray]:
    """By the buckets of both [seat 0's, seat 1's]: chips that the stronger hand wins, and that seat 0 wins without a showdown."""
    shown, folded = np.zeros((2, BUCKETS[3], BUCKETS[3]))
    for node, mine, theirs in ends_of(solver, root, 3, chooser, way):
        if solver.betting.round[node] == 4:
            shown += float(solver.betting.staked[node].min()) * np.outer(mine, theirs)
        else:
            folded += chips(solver.betting, node) * np.outer(mine, theirs)
    return shown, folded


def leaning(solver: HoldemSolver, node: int, street: int, chooser: int, way: int) -> list[tuple[int, np.ndarray]]:
    """The actions of a node and how likely each bucket takes them; the chooser leans to one on ways 1 to 3."""
    shares = strategy_of(solver, node, np.arange(BUCKETS[street]))
    if way > 0 and solver.betting.player[node] == chooser:
        shares[way - 1] *= LEANING
        shares /= shares.sum(axis=0)
    return [(kind, shares[kind]) for kind in range(3) if solver.betting.child[node, kind] >= 0]


def chips(betting: Any, node: int) -> float:
    """What seat 0 wins where one has folded."""
    return float(betting.staked[node].min()) * (-1 if betting.folded[node] & 1 else 1)


def beyond(solver: HoldemSolver, leaves: Sequence[int], chooser: int, ways: int) -> Beyond:
    """What both do after the turn from each leaf on; the ways of the first leaf first."""
    found = [going_on(solver, leaf, chooser, way) for leaf in leaves for way in range(ways)]
    most = max(len(ends) for ends, _ in found)
    mine, theirs = np.zeros((2, len(found), most, BUCKETS[2]), np.float32)
    shown, folded = np.zeros((2, len(found), most, BUCKETS[3], BUCKETS[3]), np.float32)
    for k, (ends, _) in enumerate(found):
        for last, (node, first, second) in enumerate(ends):
            mine[k, last], theirs[k, last] = first, second
            shown[k, last], folded[k, last] = on_the_river(solver, node, chooser, k % ways)
    return Beyond(mine, theirs, shown, folded, np.array([early for _, early in found], np.float32))


class Flop(Rest):
    """What is left of the flop, cut where the turn is dealt; for one seat's thinking, the other chooses how to go on there."""

    EARLIEST = 1

    def __init__(self, solver: HoldemSolver, log: Sequence[int], board: Sequence[int],
                 played: Mapping[tuple[int, ...], np.ndarray] | None = None, *, seat: int = 0, threads: int = 1,
                 ways: int = WAYS, rivers: int = RIVERS, until: float = math.inf, stop: threading.Event | None = None) -> None:
        """`until` is the moment of `time.monotonic` from which on no more rivers are looked at."""
        self.seat, self.ways, self.rivers, self._threads, self._until, self._stop = seat, ways, rivers, threads, until, stop
        super().__init__(solver, log, board, played)

    def _grow(self) -> tuple[PublicTree, np.ndarray, list[tuple[int, ...]]]:
        betting, other = self.solver.betting, 1 - self.seat
        leaves: list[int] = []

        def follow(node: int) -> tuple[int, list[tuple[int, int]]]:
            if node < 0 or betting.round[node] == 5:
                return END, []
            if betting.round[node] == 1:
                kinds = [kind for kind in range(3) if betting.child[node, kind] >= 0]
                return int(betting.player[node]), [(int(betting.child[node, kind]), kind) for kind in kinds]
            leaves.append(node)  # the turn comes: the other chooses how to go on
            return other, [(-len(leaves), way) for way in range(self.ways)]

        where, shape = laid_out(self.root, follow)
        action, hands = shape["action"], np.flatnonzero(free_of(self.board))
        cards = PAIRS[hands]
        apart = ~(cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
        start = np.ascontiguousarray(self.ranges[:, hands])
        scale = 1.0 / float(start[0] @ apart @ start[1])
        half = 1 + len(leaves) * self.ways  # first what they are worth with seat 0's hands in rows, then with seat 1's
        tables = np.zeros((2 * half - 1, len(hands), len(hands)), np.float32)
        tables[0] = apart
        self._weigh(leaves, hands, tables[1:half])
        tables[1:half] *= apart
        tables[half:] = tables[1:half].transpose(0, 2, 1)
        ends = np.flatnonzero(shape["player"] == END)
        table, factor = np.zeros((2, len(ends)), np.int64), np.full((2, len(ends)), scale)
        for k, end in enumerate(ends):
            if where[end] < 0:
                table[:, k] = (-where[end] - 1) * self.ways + action[end] + np.array([half, 1])  # rows are the other's hands
            else:
                factor[:, k] *= chips(betting, where[end])
        factor[1] *= -1
        return PublicTree(
            game=self.solver.game, states=np.zeros(len(where), np.int8), **shape,
            board=np.zeros(len(where), np.int64), numbers=hands.astype(np.int64), start=start,
            alive=np.ones((1, 2, len(hands)), bool), weights=np.zeros((0, 1, 1)), shares=np.ones(1), ends=ends, table=table,
            factor=factor, tables=tables, pays=np.zeros((0, 2, 3)), orders=np.zeros((0, 1), np.int64), lives=np.zeros(0, np.int64),
            ranks=np.zeros((0, 1), np.int64), cards=cards), np.array(where, np.int64), [self.board]  # fmt: skip

    def _weigh(self, leaves: Sequence[int], hands: np.ndarray, out: np.ndarray) -> None:
        """What each pair of hands is worth to seat 0 at each leaf and way: out[leaf and way, seat 0's hand, seat 1's]."""
        left = [card for card in range(52) if card not in self.board]
        run_outs = [(*self.board, *pair) for pair in itertools.combinations(left, 2)]
        everything = np.array([self._ranks(each, hands, free_of(each)[hands]) for each in run_outs], np.int16)
        even, seen = np.zeros((2, len(hands), len(hands)), np.float32)
        stakes = np.repeat([float(self.solver.betting.staked[leaf].min()) for leaf in leaves], self.ways).astype(np.float32)
        after = beyond(self.solver, leaves, 1 - self.seat, self.ways)

        def each_hand(number: int) -> None:
            run_out(everything, *self._share(number, len(hands)), even)

        in_threads(self._threads, each_hand)
        source, rivers = random.Random(str(self.board)), dict[int, list[int]]()
        for turn in left:
            rivers[turn] = source.sample([card for card in left if card != turn], self.rivers)
        for turn, k in [(turn, k) for k in range(self.rivers) for turn in source.sample(left, len(left))]:
            if time.monotonic() > self._until or (self._stop is not None and self._stop.is_set()):
                break
            whole = (*self.board, turn, rivers[turn][k])
            alive = free_of(whole)[hands]
            seen += np.outer(alive, alive)
            buckets = self.bucket((*self.board, turn))[hands] * BUCKETS[3] + self.bucket(whole)[hands]
            both, live = np.unique(buckets[alive], return_inverse=True)
            kinds = np.full(len(hands), len(both), np.int32)
            kinds[alive] = live
            ranks = self._ranks(whole, hands, alive).astype(np.int32)

            def each_way(number: int, both: np.ndarray = both, kinds: np.ndarray = kinds, ranks: np.ndarray = ranks) -> None:
                room = np.zeros((2, len(both) + 1), np.float32)
                add_board(kinds, both // BUCKETS[3], both % BUCKETS[3], ranks, *self._share(number, len(stakes)), after, stakes,
                          room[0], room[1], out)

            in_threads(self._threads, each_way)
        out /= np.maximum(seen, 1.0)
        for way, stake in enumerate(stakes):
            out[way] += stake / RUN_OUTS * even

    def _share(self, number: int, size: int) -> tuple[int, int]:
        """What one of the threads does: from where to where."""
        return size * number // self._threads, size * (number + 1) // self._threads

    def trained(self) -> np.ndarray:
        """What the trained strategy plays in the tree, as numbers of it; at the cut it goes on as trained."""
        numbers, tree, buckets = np.zeros_like(self.public.sums), self.tree, self.bucket(self.board)
        for node in np.flatnonzero(tree.player >= 0):
            children = list(tree.children(int(node)))
            if self.solver.betting.round[self.where[node]] == 1:
                shares = strategy_of(self.solver, int(self.where[node]), buckets[tree.numbers])
                for child in children:
                    numbers[child] = shares[tree.action[child]]
            else:
                numbers[children[0]] = 1.0
        return numbers
