"""Regret minimization over the public tree: the regrets of a node are one vector of hands for each action.

The iterations are those of `regret` over the flat tree, a vector at a time: a seat's reach of a node is the row of its last
action on the way there.

>>> from outplay.game import load
>>> solver = PublicSolver(load("leduc poker"), "cfr+")
>>> report = solver.run(2000)
>>> abs(report.value + 0.0856064) < 1e-4, report.exploitability < 1e-3
(True, True)
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.engine.regret.equilibrium import (
    ALGORITHMS,
    Learner,
    Report,
    Variant,
    check_game,
    checkpoint,
    policy_of_rows,
    rules_stamp,
)
from outplay.engine.regret.public_tree import PublicTree, build, see
from outplay.errors import BadValue, UnknownName
from outplay.files import write_whole
from outplay.game import Game, Position
from outplay.jit import inlined, kernel
from outplay.values import CHANCE, Policy

# ---------------------------------------------------------------- what the kernels take


class Nodes(NamedTuple):
    """The nodes of a public tree, which are also its actions: those that lead to them."""

    first: np.ndarray  # [node]: its first child; the others follow
    count: np.ndarray  # [node]: its children
    last: np.ndarray  # [seat, node]: the row of the seat's last action on the way there


class Cut(NamedTuple):
    """How the nodes are shared among the parts of the tree (see `Parts`)."""

    roots: np.ndarray  # [part]: its first node
    bounds: np.ndarray  # [part, 0 to 2]: where its nodes begin among those that seat 0 decides, seat 1 decides, and the ends
    deciding0: np.ndarray  # the nodes that seat 0 decides, part by part
    deciding1: np.ndarray  # those of seat 1
    row: np.ndarray  # [seat, node]: as `Nodes.last`, but what was done above a part stands in a row of the part's own


class Ends(NamedTuple):
    """The ends, and what the hands get there: by tables, or by comparing sorted hands."""

    nodes: np.ndarray  # [end]
    table: np.ndarray  # [seat, end]: the table, or the order of the hands, that counts there
    factor: np.ndarray  # [seat, end]: what the table is multiplied by
    tables: np.ndarray  # [table, the other's hand, hand]
    pays: np.ndarray  # [end, seat, 0 to 2]: what a hand gets that is weaker, as strong, and stronger
    orders: np.ndarray  # [order, k]: the hands, the weakest first; none where there are tables
    lives: np.ndarray  # [order]: how many hands are possible
    ranks: np.ndarray  # [order, k]: of the hands in that order
    cards: np.ndarray  # [order, k, 0 and 1]


class Learned(NamedTuple):
    """Vectors of hands: one for each action."""

    regrets: np.ndarray
    sums: np.ndarray  # of reaches: the average strategy
    strategy: np.ndarray  # what the regrets ask for
    own: np.ndarray  # how likely the seat itself comes there
    values: np.ndarray  # what the action is worth in this iteration


class Room(NamedTuple):
    """What one thread needs beside the vectors."""

    total: np.ndarray  # [hand]
    by_card: np.ndarray  # [card]: what the other holds with it below a rank
    every: np.ndarray  # [card]: and at all ranks


# ---------------------------------------------------------------- passes over one seat's nodes


@inlined
def spread_seat(deciding: Any, first: Any, count: Any, last: Any, numbers: Any, strategy: Any, own: Any, total: Any) -> None:
    """The strategy that regrets (or sums) ask for at a seat's nodes, and how likely it makes each of its actions."""
    hands = len(total)
    for k in range(len(deciding)):
        node = deciding[k]
        begin, end, above = first[node], first[node] + count[node], last[node]
        even = 1.0 / count[node]
        for h in range(hands):
            total[h] = 0.0
        for c in range(begin, end):
            for h in range(hands):
                total[h] += max(numbers[c, h], 0.0)
        for h in range(hands):
            total[h] = 1.0 / total[h] if total[h] > 0.0 else 0.0
        for c in range(begin, end):
            for h in range(hands):
                share = max(numbers[c, h], 0.0) * total[h] if total[h] > 0.0 else even
                strategy[c, h] = share
                own[c, h] = own[above, h] * share


@inlined
def sweep(order: Any, live: Any, ranks: Any, cards: Any, reach: Any, pay: Any, by_card: Any, every: Any, out: Any) -> None:
    """Add what each hand gets against a vector of the other's hands: those below it, as strong, and above it.

    Hands come by rank, the weakest first: `order` says which, `ranks` and `cards` are theirs in that order. What the other
    holds is summed over all hands, and for each card over the hands with that card, which cannot be held beside it.
    """
    for card in range(len(every)):
        by_card[card], every[card] = 0.0, 0.0
    total, below = 0.0, 0.0
    for k in range(live):
        here = reach[order[k]]
        total += here
        every[cards[k, 0]] += here
        every[cards[k, 1]] += here
    if live == 0 or ranks[0] == ranks[live - 1]:  # nothing is compared
        for k in range(live):
            hand = order[k]
            out[hand] += pay[1] * (total - every[cards[k, 0]] - every[cards[k, 1]] + reach[hand])
        return
    lost, tied, won = pay[0], pay[1] - pay[0], pay[2] - pay[1]
    begin = 0
    while begin < live:
        end, level, before = begin, ranks[begin], below
        while end < live and ranks[end] == level:
            hand = order[end]
            out[hand] += won * (before - by_card[cards[end, 0]] - by_card[cards[end, 1]])
            below += reach[hand]
            end += 1
        for k in range(begin, end):
            here = reach[order[k]]
            by_card[cards[k, 0]] += here
            by_card[cards[k, 1]] += here
        for k in range(begin, end):
            hand = order[k]
            low, high, here = cards[k, 0], cards[k, 1], reach[hand]
            out[hand] += tied * (below - by_card[low] - by_card[high] + here) + lost * (total - every[low] - every[high] + here)
        begin = end


@inlined
def meet_ends(me: Any, ends: Any, begin: Any, end: Any, last: Any, own: Any, values: Any, room: Any) -> None:
    """Add what a seat's hands get at ends begin to end to its last action before each."""
    hands = values.shape[1]
    nodes, table, factor, tables, pays, orders = ends.nodes, ends.table, ends.factor, ends.tables, ends.pays, ends.orders
    for k in range(begin, end):
        row, other, kind = last[me, nodes[k]], last[1 - me, nodes[k]], table[me, k]
        if len(orders) > 0:
            sweep(orders[kind], ends.lives[kind], ends.ranks[kind], ends.cards[kind], own[other], pays[k, me], room.by_card,
                  room.every, values[row])
        else:
            for o in range(hands):
                reach = own[other, o] * factor[me, k]
                if reach != 0.0:
                    for h in range(hands):
                        values[row, h] += reach * tables[kind, o, h]


@inlined
def clear_values(me: Any, deciding: Any, first: Any, count: Any, values: Any) -> None:
    """Forget what a seat's actions were worth."""
    hands = values.shape[1]
    for h in range(hands):
        values[len(values) - 2 + me, h] = 0.0
    for k in range(len(deciding)):
        for c in range(first[deciding[k]], first[deciding[k]] + count[deciding[k]]):
            for h in range(hands):
                values[c, h] = 0.0


@inlined
def learn_seat(deciding: Any, first: Any, count: Any, last: Any, learned: Any, total: Any, t: Any, variant: Any) -> None:
    """From a seat's last node to its first: what it is worth to each hand, and what each action's regret becomes."""
    hands = len(total)
    regrets, sums, strategy, own, values = learned.regrets, learned.sums, learned.strategy, learned.own, learned.values
    weight, floor = (float(t), 0.0) if variant.plus else (1.0, -np.inf)
    above_zero, below_zero, sums_fade = 1.0, 1.0, 1.0
    if variant.fading:
        above_zero, below_zero = float(t) ** variant.alpha, float(t) ** variant.beta
        above_zero, below_zero = above_zero / (above_zero + 1.0), below_zero / (below_zero + 1.0)
        sums_fade = (t / (t + 1.0)) ** variant.gamma
    for back in range(len(deciding)):
        node = deciding[len(deciding) - 1 - back]
        begin, end, above = first[node], first[node] + count[node], last[node]
        for h in range(hands):
            total[h] = 0.0
        for c in range(begin, end):
            for h in range(hands):
                total[h] += strategy[c, h] * values[c, h]
        for c in range(begin, end):
            for h in range(hands):
                regret = max(regrets[c, h] + values[c, h] - total[h], floor)
                regrets[c, h] = regret * (above_zero if regret > 0.0 else below_zero)
                sums[c, h] = (sums[c, h] + weight * own[c, h]) * sums_fade
        for h in range(hands):
            values[above, h] += total[h]


@inlined
def learn_part(me: Any, part: Any, nodes: Any, cut: Any, ends: Any, learned: Any, room: Any, t: Any, variant: Any) -> None:
    """One part of the tree in one iteration of a seat: take over what the other plays now, and learn.

    Part 0 is the trunk. What a seat did above another part stands in a row of that part's own, so that parts need not wait for
    each other: how likely it comes there is taken from the trunk before, what it gets there is added to the trunk after.
    """
    first, count, last, row, roots, bounds = nodes.first, nodes.count, nodes.last, cut.row, cut.roots, cut.bounds
    regrets, strategy, own, values, total = learned.regrets, learned.strategy, learned.own, learned.values, room.total
    hands = values.shape[1]
    mine0, mine1, other0, other1 = bounds[part, me], bounds[part + 1, me], bounds[part, 1 - me], bounds[part + 1, 1 - me]
    deciding, others = (cut.deciding0, cut.deciding1) if me == 0 else (cut.deciding1, cut.deciding0)
    if part > 0:
        for seat in range(2):
            above, here = last[seat, roots[part]], row[seat, roots[part]]
            for h in range(hands):
                own[here, h] = own[above, h]
        spread_seat(others[other0:other1], first, count, row[1 - me], regrets, strategy, own, total)
    for h in range(hands):
        values[row[me, roots[part]], h] = 0.0
    for k in range(mine0, mine1):
        for c in range(first[deciding[k]], first[deciding[k]] + count[deciding[k]]):
            for h in range(hands):
                values[c, h] = 0.0
    meet_ends(me, ends, bounds[part, 2], bounds[part + 1, 2], row, own, values, room)
    if part == 0:
        for below in range(1, len(roots)):  # always in this order: sums are the same to the bit, whoever worked on the parts
            above, there = last[me, roots[below]], row[me, roots[below]]
            for h in range(hands):
                values[above, h] += values[there, h]
    learn_seat(deciding[mine0:mine1], first, count, row[me], learned, total, t, variant)
    if part == 0:
        spread_seat(deciding[mine0:mine1], first, count, row[me], regrets, strategy, own, total)


@kernel
def learn_parts(me: Any, begin: Any, end: Any, nodes: Any, cut: Any, ends: Any, learned: Any, room: Any, t: Any,
                variant: Any) -> None:
    """Some parts of the tree in one iteration of a seat; those of one iteration may go to several threads, the trunk comes last."""
    for part in range(begin, end):
        learn_part(me, part, nodes, cut, ends, learned, room, t, variant)


@kernel
def iterate(begin: Any, end: Any, nodes: Any, cut: Any, ends: Any, learned: Any, room: Any, variant: Any) -> None:
    """Iterations begin + 1 to end, one seat's regrets after the other's."""
    parts = len(cut.roots)
    for t in range(begin + 1, end + 1):
        for me in range(2):
            for number in range(1, parts + 1):
                learn_part(me, number % parts, nodes, cut, ends, learned, room, t, variant)


@kernel
def begin_iterations(nodes: Any, cut: Any, learned: Any, room: Any) -> None:
    """What both seats play before the first iteration, in the trunk and in each part."""
    roots, bounds, row, own = cut.roots, cut.bounds, cut.row, learned.own
    for part in range(len(roots)):
        for seat in range(2):
            if part > 0:
                for h in range(own.shape[1]):
                    own[row[seat, roots[part]], h] = own[nodes.last[seat, roots[part]], h]
            deciding = cut.deciding0 if seat == 0 else cut.deciding1
            spread_seat(deciding[bounds[part, seat] : bounds[part + 1, seat]], nodes.first, nodes.count, row[seat],
                        learned.regrets, learned.strategy, own, room.total)


@kernel
def answer(me: Any, best: Any, deciding: Any, nodes: Any, ends: Any, strategy: Any, own: Any, values: Any, room: Any) -> None:
    """What each hand of a seat gets at each action against the other's strategy: by its own one, or by the best answer."""
    first, count, last, hands = nodes.first, nodes.count, nodes.last, values.shape[1]
    clear_values(me, deciding, first, count, values)
    meet_ends(me, ends, 0, len(ends.nodes), last, own, values, room)
    for back in range(len(deciding)):
        node = deciding[len(deciding) - 1 - back]
        begin, end, above = first[node], first[node] + count[node], last[me, node]
        for h in range(hands):
            worth = values[begin, h]
            if best:
                for c in range(begin + 1, end):
                    worth = max(worth, values[c, h])
            else:
                worth *= strategy[begin, h]
                for c in range(begin + 1, end):
                    worth += strategy[c, h] * values[c, h]
            values[above, h] += worth


@kernel
def spread(deciding: Any, first: Any, count: Any, last: Any, numbers: Any, strategy: Any, own: Any, total: Any) -> None:
    """`spread_seat` as a kernel of its own: also turns sums of reaches into the average strategy."""
    spread_seat(deciding, first, count, last, numbers, strategy, own, total)


# ---------------------------------------------------------------- the solver


LARGE = 200_000
"""Numbers of a vector for each public state up to which a tree stays in one piece: it is near the processor anyway."""


class Parts:
    """The tree cut below its first chance nodes: a trunk, and one part for each way in which the next open cards fall.

    Within a part the two seats meet nobody from another one, so that an iteration takes part after part, each small enough to
    stay near the processor, or several at the same time.
    """

    def __init__(self, tree: PublicTree) -> None:
        part = np.zeros(tree.nodes, np.int64)
        roots = [0]
        for node in range(tree.nodes if tree.nodes * tree.hands >= LARGE else 0):
            for child in tree.children(node):
                part[child] = part[node]
                if tree.player[node] == CHANCE and part[node] == 0:
                    part[child] = len(roots)
                    roots.append(child)
        starts = np.array(roots, np.int64)
        self.rows = tree.nodes + 2 * len(roots)  # after the nodes, two of the root and two of each part
        row = tree.last.copy()
        for seat in range(2):
            above = (part > 0) & (tree.last[seat] == tree.last[seat][starts[part]])
            row[seat][above] = tree.nodes + 2 * part[above] + seat

        def sorted_by_part(nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            order = np.argsort(part[nodes], kind="stable")
            return order, np.searchsorted(part[nodes][order], np.arange(len(roots) + 1))

        found = [sorted_by_part(nodes) for nodes in (tree.deciding(0), tree.deciding(1), tree.ends)]
        bounds = np.stack([bounds for _, bounds in found], axis=1)
        self.cut = Cut(starts, bounds, tree.deciding(0)[found[0][0]], tree.deciding(1)[found[1][0]], row)
        ranks = np.take_along_axis(tree.ranks, tree.orders, axis=1)  # both in the order of the hands
        self.all_ends = Ends(tree.ends, tree.table, tree.factor, tree.tables, tree.pays, tree.orders, tree.lives, ranks,
                             tree.cards[tree.orders])
        order = found[2][0]
        self.ends = self.all_ends._replace(  # part by part
            nodes=tree.ends[order], table=tree.table[:, order], factor=tree.factor[:, order],
            pays=tree.pays[order] if tree.is_sorted else tree.pays)


class PublicSolver(Learner):
    """CFR and its variants over vectors of hands; the same iterations as `RegretSolver` over the flat tree."""

    def __init__(self, game: Game, algorithm: str = "cfr+", *, tree: PublicTree | None = None, position: Position | None = None,
                 ranges: Sequence[np.ndarray] | None = None, memory: float = 4096, threads: int = 1,
                 stop: threading.Event | None = None, progress: Any = None) -> None:
        if algorithm not in ALGORITHMS:
            raise UnknownName("regret algorithm", algorithm, ALGORITHMS)
        check_game(algorithm, game)
        self.game, self.algorithm = game, algorithm
        self.tree = tree if tree is not None else build(game, position, ranges, memory=memory, stop=stop, progress=progress)
        self.promise = game.traits.sum != "general"
        self.iterations, self.seconds = 0, 0.0
        if threads < 1:
            raise BadValue(f"threads must be 1 or more, got {threads}")
        self.deciding = [self.tree.deciding(seat) for seat in range(2)]
        shape = self.tree.nodes + 2, self.tree.hands
        self.regrets, self.sums, self._strategy = (np.zeros(shape) for _ in range(3))
        self._parts = Parts(self.tree)
        self.threads = max(1, min(threads, len(self._parts.cut.roots) - 1))
        self._own, self._values = (np.zeros((self._parts.rows, self.tree.hands)) for _ in range(2))
        self._own[self.tree.nodes : self.tree.nodes + 2] = self.tree.start
        self._rooms = [self._new_room() for _ in range(self.threads)]

    def _new_room(self) -> Room:
        cards = int(self.tree.cards.max()) + 1 if self.tree.hands else 1
        return Room(np.zeros(self.tree.hands), np.zeros(cards), np.zeros(cards))

    def _nodes(self) -> Nodes:
        return Nodes(self.tree.first, self.tree.count, self.tree.last)

    def advance(self, iterations: int) -> None:
        """Do that many iterations; on any number of threads the same, to the bit."""
        variant, nodes, cut, ends = Variant.of(self.algorithm), self._nodes(), self._parts.cut, self._parts.ends
        learned = Learned(self.regrets, self.sums, self._strategy, self._own, self._values)
        begin_iterations(nodes, cut, learned, self._rooms[0])
        begin, end = self.iterations, self.iterations + iterations
        if self.threads == 1:
            iterate(begin, end, nodes, cut, ends, learned, self._rooms[0], variant)
        else:
            edges = [1 + (len(cut.roots) - 1) * k // self.threads for k in range(self.threads + 1)]
            with ThreadPoolExecutor(self.threads) as pool:
                for t in range(begin + 1, end + 1):
                    for me in range(2):
                        list(pool.map(lambda number, me=me, t=t: learn_parts(me, edges[number], edges[number + 1], nodes, cut, ends,
                                                                             learned, self._rooms[number], t, variant),
                                      range(self.threads)))
                        learn_parts(me, 0, 1, nodes, cut, ends, learned, self._rooms[0], t, variant)
        self.iterations += iterations

    # ------------------------------------------------ what was learned
    def average(self) -> np.ndarray:
        """The average strategy: of each node and hand, how likely the action that leads there is."""
        return self.reaches(self.sums)[0]

    def reaches(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The strategy that numbers ask for, and how likely it makes each action's node, chance and the other apart."""
        strategy, own = np.zeros_like(self._strategy), np.zeros_like(self._strategy)
        own[-2:] = self.tree.start
        for seat in range(2):
            spread(self.deciding[seat], self.tree.first, self.tree.count, self.tree.last[seat], numbers, strategy, own,
                   self._rooms[0].total)
        return strategy, own

    def worth(self, numbers: np.ndarray, seat: int, *, best: bool) -> np.ndarray:
        """What each hand of a seat gets at each action's node, weighed by how likely chance and the other bring it there."""
        strategy, own = self.reaches(numbers)
        values = np.zeros_like(self._strategy)
        answer(seat, best, self.deciding[seat], self._nodes(), self._parts.all_ends, strategy, own, values, self._rooms[0])
        return values

    def report(self) -> Report:
        """How good the average strategy is."""
        values, responses = self.evaluate(self.sums)
        return Report(self.algorithm, self.iterations, self.seconds, values, responses, self.tree.information_sets,
                      self.tree.nodes, self.promise, "public", self.tree.hands)

    def evaluate(self, numbers: np.ndarray) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """What each seat gets when both play what numbers ask for, and what each would get by the best answer."""
        found = [tuple(float(self.tree.start[seat] @ self.worth(numbers, seat, best=best)[seat - 2]) for seat in range(2))
                 for best in (False, True)]
        return found[0], found[1]

    def table(self) -> Iterator[tuple[int, Position, dict[int, float], float]]:
        """Each information set: its player, what it sees, the mixture, and how likely it is reached; likeliest first."""
        tree, (strategy, own) = self.tree, self.reaches(self.sums)
        found: list[tuple[float, int, int, int]] = []
        for node in np.flatnonzero(tree.player >= 0):
            seat = int(tree.player[node])
            reach = own[tree.last[seat, node]] * tree.meet(node, seat, own[tree.last[1 - seat, node]])
            found.extend((float(reach[h]), seat, int(node), int(h)) for h in np.flatnonzero(tree.alive[tree.board[node], seat]))
        found.sort(key=lambda each: (-each[0], *each[1:]))
        views = self.views([each[2] for each in found], [each[3] for each in found])
        for (reach, seat, node, hand), view in zip(found, views, strict=True):
            yield seat, view, {int(tree.action[c]): float(strategy[c, hand]) for c in tree.children(node)}, reach

    def views(self, nodes: Sequence[int], columns: Sequence[int]) -> list[Position]:
        """What the player to move sees at nodes with the hands of columns."""
        out = self.game.rules.states(max(1, len(nodes)))
        where = np.array(nodes, np.int64)
        see(self.tree.states, where, self.tree.player[where], self.tree.numbers[np.array(columns, np.int64)], out)
        return [Position(self.game, out[k : k + 1].tobytes()) for k in range(len(nodes))]

    def policy(self) -> Policy:
        """The average strategy as a policy that can be saved and played."""
        return policy_of_rows(self.game, self.table())

    def numbers_of(self, shares: Callable[[Position], dict[Any, float]]) -> np.ndarray:
        """A strategy given by views, such as `policy.shares`, as numbers of this tree; alike where it says nothing."""
        tree, numbers = self.tree, np.zeros_like(self.sums)
        for node in np.flatnonzero(tree.player >= 0):
            columns = np.flatnonzero(tree.alive[tree.board[node], tree.player[node]])
            for hand, view in zip(columns, self.views([int(node)] * len(columns), columns.tolist()), strict=True):
                known = shares(view)
                for c in tree.children(node):
                    numbers[c, hand] = known.get(int(tree.action[c]), 0.0)
        return numbers

    # ------------------------------------------------ checkpoints
    def save(self, file: str | Path) -> None:
        """Write all that is needed to go on later."""
        write_whole(file, lambda out: np.savez(
            out, game=self.game.name, rules=rules_stamp(self.game), algorithm=self.algorithm, form="public",
            iterations=self.iterations, seconds=self.seconds, regrets=self.regrets, sums=self.sums))

    def resume(self, file: str | Path) -> None:
        """Go on from a checkpoint; refuses one of another game, of other rules or of another algorithm."""
        saved = checkpoint(file, self.game, self.algorithm, "public")
        if saved["regrets"].shape != self.regrets.shape:
            raise BadValue(f"{file} was saved for another part of {self.game.name}")
        self.regrets[:], self.sums[:] = saved["regrets"], saved["sums"]
        self.iterations, self.seconds = int(saved["iterations"]), float(saved["seconds"])
