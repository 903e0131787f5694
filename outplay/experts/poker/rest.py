"""The rest of a hand of heads-up hold'em, solved anew from a trained strategy: turn and river card by card, to the end.

A trained strategy (`outplay.experts.poker.limit`) sees buckets. From the turn on there is no need to: by Bayes it says how likely
each seat has come here with each of its 1326 hands, and with these ranges the rest of the limit game has a public tree of some
12,000 states on the turn and 27 on the river, all hands of a seat in one vector. `resolve` solves it so that no hand of the other
gets more than the trained strategy concedes.

>>> from outplay.cards import cards
>>> from outplay.game import load
>>> solver = HoldemSolver(load("hold'em:kind=limit"))
>>> solver.advance(100)
>>> rest = Rest(solver, (1, 1, 1, 1, 1, 1), cards("2h7s9dJh3s"))                  # nobody bet; now the river
>>> rest.tree.nodes, rest.tree.hands, rest.ranges.shape
(27, 1081, (2, 1326))
>>> shares = rest.shares(1, hand_number(cards("Tc8c")), (5,), iterations=50)       # bet at, with the best hand there is
>>> shares[0] < 0.01
True
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from outplay.engine.regret.public import PublicSolver
from outplay.engine.regret.public_tree import END, PublicTree, laid_out
from outplay.engine.regret.resolve import resolve
from outplay.errors import Unsuitable
from outplay.experts.poker.limit import HoldemSolver
from outplay.experts.poker.local_response import find_all_buckets
from outplay.games.holdem.evaluator import strengths
from outplay.games.holdem.ranges import HANDS, hand_number
from outplay.jit import kernel, random_source, u64
from outplay.values import CHANCE

PAIRS = np.array(HANDS, np.int64)
SHOWN = (0, 3, 4, 5, 5, 0)
"""Cards on the board in each round, at a showdown, and after a fold, where no more are needed."""
FLOOR = 1e-4
"""With at least this share each hand is taken to play each action: nobody is ruled out by what a strategy would not do."""
RUNS = 960
"""Random hands by which each of the 1326 hands is judged on flop and turn."""


@kernel
def bucket_hands(cards: Any, street: Any, highs: Any, lows: Any, classes: Any, runs: Any, source: Any, buckets: Any) -> None:
    """The bucket of each hand that the board leaves."""
    find_all_buckets(cards, street, u64(0), highs, lows, classes, runs, source, buckets)


def buckets_on(solver: HoldemSolver, board: Sequence[int]) -> np.ndarray:
    """The bucket of each of the 1326 hands on a board, as the trained strategy sees it; 0 where the board holds a card of it."""
    street = {0: 0, 3: 1, 4: 2, 5: 3}[len(board)]
    table = np.zeros(9, np.int64)
    table[4 : 4 + len(board)] = board
    found = np.zeros(len(HANDS), np.int64)
    seed = sum(52**k * int(card) for k, card in enumerate(board)) % 2**61
    bucket_hands(table, street, PAIRS[:, 0].copy(), PAIRS[:, 1].copy(), solver.classes, RUNS, random_source(seed), found)
    return found


def strategy_of(solver: HoldemSolver, node: int, buckets: np.ndarray) -> np.ndarray:
    """What the trained strategy plays at a node of the betting: [kind of action, hand]."""
    width = solver.betting.width
    rows = solver.sums.reshape(-1, width)[int(solver.betting.offset[node]) // width + buckets].T.astype(float)
    rows = np.where((solver.betting.child[node] >= 0)[:, None], np.maximum(rows, 0.0), 0.0)
    total = rows.sum(axis=0)
    even = (solver.betting.child[node] >= 0) / (solver.betting.child[node] >= 0).sum()
    return np.where(total > 0, rows / np.where(total > 0, total, 1.0), even[:, None])


def free_of(board: Sequence[int]) -> np.ndarray:
    """Which hands a board leaves."""
    return np.asarray(~np.isin(PAIRS, np.array(board, np.int64)).any(axis=1))


class Rest:
    """What is left of a hand from the first action of the present round on, with the ranges with which both come there."""

    EARLIEST = 2  # the round from which on this is done

    def __init__(self, solver: HoldemSolver, log: Sequence[int], board: Sequence[int],
                 played: Mapping[tuple[int, ...], np.ndarray] | None = None, *, threads: int = 1) -> None:
        """`log` are the actions of the hand so far, 0 to fold, 1 to call, then the raises from the smallest on; `played` says of
        some of them, by the actions before, what was played instead of the trained strategy: [kind of action, hand]."""
        betting = solver.betting
        self.solver, self.board = solver, tuple(board)
        self.buckets: dict[tuple[int, ...], np.ndarray] = {}
        self.ranges = np.ones((2, len(HANDS)))
        node, at = 0, 0
        street = next(street for street in range(4) if SHOWN[street] == len(board))
        while betting.round[node] < street:
            here, seat = tuple(log[:at]), int(betting.player[node])
            known = (played or {}).get(here)
            shares = known if known is not None else strategy_of(solver, node, self.bucket(board[: SHOWN[betting.round[node]]]))
            kind = min(log[at], betting.width - 1)
            self.ranges[seat] *= np.maximum(shares[kind], FLOOR)
            node, at = int(betting.child[node, kind]), at + 1
        if street < self.EARLIEST:
            raise Unsuitable(f"the rest of a hand is solved here from the {('start', 'flop', 'turn')[self.EARLIEST]} on")
        self.root, self.log = node, tuple(log[:at])  # where the round began
        self.ranges *= free_of(board)
        self.tree, self.where, self.boards = self._grow()
        self.public = PublicSolver(solver.game, "cfr+", tree=self.tree, threads=threads)

    def bucket(self, board: Sequence[int]) -> np.ndarray:
        """The buckets on a board, found once."""
        if tuple(board) not in self.buckets:
            self.buckets[tuple(board)] = buckets_on(self.solver, board)
        return self.buckets[tuple(board)]

    def _grow(self) -> tuple[PublicTree, np.ndarray, list[tuple[int, ...]]]:
        """The public tree from the root on; of each of its nodes, the one of the betting; and the boards."""
        betting = self.solver.betting

        def follow(here: Any) -> tuple[int, list[tuple[Any, int]]]:
            node, table = here
            if len(table) < SHOWN[betting.round[node]]:  # the next card
                return CHANCE, [((node, (*table, card)), card) for card in range(52) if card not in table]
            if betting.player[node] < 0:
                return END, []
            kinds = [kind for kind in range(betting.width) if betting.child[node, kind] >= 0]
            return int(betting.player[node]), [((int(betting.child[node, kind]), table), kind) for kind in kinds]

        places, shape = laid_out((self.root, self.board), follow)
        where, board = [node for node, _ in places], [table for _, table in places]
        boards = {each: number for number, each in enumerate(dict.fromkeys(board))}
        hands = np.flatnonzero(free_of(self.board))
        cards = PAIRS[hands]
        start = np.ascontiguousarray(self.ranges[:, hands])
        held = np.bincount(cards.ravel(), weights=np.repeat(start[1], 2), minlength=52)
        total = float(start[0] @ (start[1].sum() - held[cards].sum(axis=1) + start[1]))
        shares = np.array([1 / total if len(each) == len(self.board) else 1 / total / (48 - len(self.board)) for each in boards])
        alive = np.array([free_of(each)[hands] for each in boards])
        ends = np.flatnonzero(shape["player"] == END)
        kinds, pays = np.zeros((2, len(ends)), np.int64), np.zeros((len(ends), 2, 3))
        orders: dict[tuple[int, bool], int] = {}
        ranks: list[np.ndarray] = []
        for k, end in enumerate(ends):
            number, there = boards[board[end]], where[end]
            met = betting.round[there] == 4
            if (number, met) not in orders:
                orders[number, met] = len(ranks)
                ranks.append(self._ranks(board[end], hands, alive[number]) if met else np.zeros(len(hands), np.int64))
            kinds[:, k] = orders[number, met]
            stake = float(betting.staked[there].min()) * shares[number]
            if met:
                pays[k] = -stake, 0.0, stake
            else:
                loser = 0 if betting.folded[there] & 1 else 1
                pays[k, loser, 1], pays[k, 1 - loser, 1] = -stake, stake
        lives = [int(alive[number].sum()) for number, _ in orders]
        order = np.zeros((len(ranks), len(hands)), np.int64)
        for k, (number, _) in enumerate(orders):
            live = np.flatnonzero(alive[number])
            order[k, : len(live)] = live[np.argsort(ranks[k][live], kind="stable")]
        return PublicTree(
            game=self.solver.game, states=np.zeros(len(where), np.int8), **shape,
            board=np.array([boards[each] for each in board], np.int64), numbers=hands.astype(np.int64), start=start,
            alive=np.repeat(alive[:, None], 2, axis=1), weights=np.zeros((0, 1, 1)), shares=shares, ends=ends, table=kinds,
            factor=np.ones((2, len(ends))), tables=np.zeros((0, 1, 1)), pays=pays, orders=order, lives=np.array(lives, np.int64),
            ranks=np.array(ranks), cards=cards), np.array(where, np.int64), list(boards)  # fmt: skip

    def _ranks(self, board: tuple[int, ...], hands: np.ndarray, alive: np.ndarray) -> np.ndarray:
        """How strong each hand is on a whole board."""
        found = np.zeros(len(hands), np.int64)
        sevens = np.hstack((PAIRS[hands[alive]], np.broadcast_to(board, (int(alive.sum()), 5))))
        found[alive] = strengths(sevens)
        return found

    def trained(self) -> np.ndarray:
        """What the trained strategy plays in the tree, as numbers of it."""
        numbers, tree = np.zeros_like(self.public.sums), self.tree
        for node in np.flatnonzero(tree.player >= 0):
            shares = strategy_of(self.solver, int(self.where[node]), self.bucket(self.boards[tree.board[node]])[tree.numbers])
            for child in tree.children(int(node)):
                numbers[child] = shares[tree.action[child]]
        return numbers

    def think(self, seat: int, *, iterations: int | None = None, seconds: float | None = None,
              stop: threading.Event | None = None) -> tuple[np.ndarray, int]:
        """A seat's strategy for the rest, as numbers of the tree, and the iterations done."""
        numbers = self.trained()
        nodes, rows, done = resolve(self.public, 0, seat, numbers=numbers, iterations=iterations, seconds=seconds, stop=stop,
                                    threads=self.public.threads)
        numbers[nodes] = rows
        return numbers, done

    def node(self, log: Sequence[int]) -> int:
        """The node after the actions of a hand in this round."""
        at = 0
        for action in log[len(self.log) :]:
            kind = min(action, self.solver.betting.width - 1)
            at = next(child for child in self.tree.children(at) if self.tree.action[child] == kind)
        return at

    def mixtures(self, numbers: np.ndarray, node: int) -> np.ndarray:
        """What each of the 1326 hands plays at a node by numbers of the tree: [kind of action, hand]."""
        found = np.zeros((self.solver.betting.width, len(HANDS)))
        for child in self.tree.children(node):
            found[self.tree.action[child], self.tree.numbers] = np.maximum(numbers[child], 0.0)
        total = found.sum(axis=0)
        even = np.zeros(self.solver.betting.width)
        even[[int(self.tree.action[child]) for child in self.tree.children(node)]] = 1 / int(self.tree.count[node])
        return np.where(total > 0, found / np.where(total > 0, total, 1.0), even[:, None])

    def shares(self, seat: int, hand: int, log: Sequence[int] = (), **limits: Any) -> dict[int, float]:
        """What a hand plays after the actions of this round, when its seat has thought again: 0 fold, 1 call, 2 raise."""
        node = self.node((*self.log, *log))
        found = self.mixtures(self.think(seat, **limits)[0], node)
        return {int(self.tree.action[child]): float(found[self.tree.action[child], hand]) for child in self.tree.children(node)}


__all__ = ["Rest", "buckets_on", "hand_number", "strategy_of"]
