"""Regret minimization over the public tree: the regrets of a node are one vector of hands for each action.

The iterations are those of `regret` over the flat tree, a vector at a time: a seat's reach of a node is the row of its last
action on the way there.

>>> from outplay.game import load
>>> solver = PublicSolver(load("leduc poker"), "cfr+")
>>> report = solver.run(2000)
>>> abs(report.value + 0.0856064) < 1e-4, report.exploitability < 1e-3
(True, True)
"""

# mypy: disable-error-code="assignment,arg-type,call-overload,operator"
from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from outplay.engine.public_tree import PublicTree, build, see
from outplay.engine.regret import ALGORITHMS, EXPONENTS, Learner, Report, check_game, checkpoint, policy_of_rows, rules_stamp
from outplay.errors import BadValue, UnknownName
from outplay.files import write_whole
from outplay.game import Position
from outplay.jit import inlined, kernel
from outplay.values import Policy

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
    """Add what each hand gets against a vector of the other's hands: those below it, as strong, and above it."""
    for card in range(len(every)):
        by_card[card], every[card] = 0.0, 0.0
    total, below = 0.0, 0.0
    for k in range(live):
        hand = order[k]
        total += reach[hand]
        every[cards[hand, 0]] += reach[hand]
        every[cards[hand, 1]] += reach[hand]
    if live == 0 or ranks[order[0]] == ranks[order[live - 1]]:  # nothing is compared
        for k in range(live):
            hand = order[k]
            out[hand] += pay[1] * (total - every[cards[hand, 0]] - every[cards[hand, 1]] + reach[hand])
        return
    begin = 0
    while begin < live:
        end = begin
        level = ranks[order[begin]]
        before = below
        while end < live and ranks[order[end]] == level:
            hand = order[end]
            weaker = before - by_card[cards[hand, 0]] - by_card[cards[hand, 1]]
            out[hand] += (pay[2] - pay[1]) * weaker
            below += reach[hand]
            end += 1
        for k in range(begin, end):
            hand = order[k]
            by_card[cards[hand, 0]] += reach[hand]
            by_card[cards[hand, 1]] += reach[hand]
        for k in range(begin, end):
            hand = order[k]
            upto = below - by_card[cards[hand, 0]] - by_card[cards[hand, 1]] + reach[hand]
            whole = total - every[cards[hand, 0]] - every[cards[hand, 1]] + reach[hand]
            out[hand] += pay[1] * upto + pay[0] * (whole - upto)
        begin = end


@inlined
def meet_ends(me: Any, ends: Any, last: Any, table: Any, factor: Any, tables: Any, pays: Any, orders: Any, lives: Any, ranks: Any,
              cards: Any, own: Any, values: Any, by_card: Any, every: Any) -> None:
    """Add what a seat's hands get at each end to its last action before it."""
    hands = values.shape[1]
    for k in range(len(ends)):
        row, other, kind = last[me, ends[k]], last[1 - me, ends[k]], table[me, k]
        if len(orders) > 0:
            sweep(orders[kind], lives[kind], ranks[kind], cards, own[other], pays[k, me], by_card, every, values[row])
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
def learn_seat(deciding: Any, first: Any, count: Any, last: Any, regrets: Any, sums: Any, strategy: Any, own: Any, values: Any,
               total: Any, t: Any, plus: Any, alpha: Any, beta: Any, gamma: Any, fading: Any) -> None:
    """From a seat's last node to its first: what it is worth to each hand, and what each action's regret becomes."""
    hands = len(total)
    weight, floor = (float(t), 0.0) if plus else (1.0, -np.inf)
    above_zero, below_zero, sums_fade = 1.0, 1.0, 1.0
    if fading:
        above_zero, below_zero = float(t) ** alpha, float(t) ** beta
        above_zero, below_zero = above_zero / (above_zero + 1.0), below_zero / (below_zero + 1.0)
        sums_fade = (t / (t + 1.0)) ** gamma
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


@kernel
def iterate(begin: Any, end: Any, deciding0: Any, deciding1: Any, first: Any, count: Any, last: Any, ends: Any, table: Any,
            factor: Any, tables: Any, pays: Any, orders: Any, lives: Any, ranks: Any, cards: Any, regrets: Any, sums: Any,
            strategy: Any, own: Any, values: Any, total: Any, by_card: Any, every: Any, plus: Any, alpha: Any, beta: Any,
            gamma: Any, fading: Any) -> None:
    """Iterations begin + 1 to end, one seat's regrets after the other's."""
    spread_seat(deciding0, first, count, last[0], regrets, strategy, own, total)
    spread_seat(deciding1, first, count, last[1], regrets, strategy, own, total)
    for t in range(begin + 1, end + 1):
        for me in range(2):
            deciding = deciding0 if me == 0 else deciding1
            clear_values(me, deciding, first, count, values)
            meet_ends(me, ends, last, table, factor, tables, pays, orders, lives, ranks, cards, own, values, by_card, every)
            learn_seat(deciding, first, count, last[me], regrets, sums, strategy, own, values, total, t, plus, alpha, beta, gamma,
                       fading)
            spread_seat(deciding, first, count, last[me], regrets, strategy, own, total)


@kernel
def answer(me: Any, best: Any, deciding: Any, first: Any, count: Any, last: Any, ends: Any, table: Any, factor: Any, tables: Any,
           pays: Any, orders: Any, lives: Any, ranks: Any, cards: Any, strategy: Any, own: Any, values: Any, total: Any,
           by_card: Any, every: Any) -> None:
    """What each hand of a seat gets at each action against the other's strategy: by its own one, or by the best answer."""
    hands = len(total)
    clear_values(me, deciding, first, count, values)
    meet_ends(me, ends, last, table, factor, tables, pays, orders, lives, ranks, cards, own, values, by_card, every)
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


class PublicSolver(Learner):
    """CFR and its variants over vectors of hands; the same iterations as `RegretSolver` over the flat tree."""

    def __init__(self, game: Any, algorithm: str = "cfr+", *, tree: PublicTree | None = None, position: Position | None = None,
                 ranges: Sequence[np.ndarray] | None = None, memory: float = 4096, stop: threading.Event | None = None,
                 progress: Any = None) -> None:
        if algorithm not in ALGORITHMS:
            raise UnknownName("regret algorithm", algorithm, ALGORITHMS)
        check_game(algorithm, game)
        self.game, self.algorithm = game, algorithm
        self.tree = tree if tree is not None else build(game, position, ranges, memory=memory, stop=stop, progress=progress)
        self.promise = game.traits.sum != "general"
        self.iterations, self.seconds = 0, 0.0
        self.deciding = [self.tree.deciding(seat) for seat in range(2)]
        shape = self.tree.nodes + 2, self.tree.hands
        self.regrets, self.sums, self._strategy, self._own, self._values = (np.zeros(shape) for _ in range(5))
        self._own[-2:] = self.tree.start
        cards = int(self.tree.cards.max()) + 1 if self.tree.hands else 1
        self._room = np.zeros(self.tree.hands), np.zeros(cards), np.zeros(cards)

    def _shape(self) -> tuple[np.ndarray, ...]:
        tree = self.tree
        return (tree.first, tree.count, tree.last, tree.ends, tree.table, tree.factor, tree.tables, tree.pays, tree.orders,
                tree.lives, tree.ranks, tree.cards)

    def advance(self, iterations: int) -> None:
        """Do that many iterations."""
        plus, fading = self.algorithm == "cfr+", self.algorithm in EXPONENTS
        iterate(self.iterations, self.iterations + iterations, *self.deciding, *self._shape(), self.regrets, self.sums,
                self._strategy, self._own, self._values, *self._room, plus, *EXPONENTS.get(self.algorithm, (0.0, 0.0, 0.0)), fading)
        self.iterations += iterations

    # ------------------------------------------------ what was learned
    def average(self) -> np.ndarray:
        """The average strategy: of each node and hand, how likely the action that leads there is."""
        return self.reaches(self.sums)[0]

    def reaches(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The strategy that numbers ask for, and how likely it makes each action's node, chance and the other apart."""
        strategy, own = np.zeros_like(self._strategy), np.zeros_like(self._own)
        own[-2:] = self.tree.start
        for seat in range(2):
            spread(self.deciding[seat], self.tree.first, self.tree.count, self.tree.last[seat], numbers, strategy, own,
                   self._room[0])
        return strategy, own

    def worth(self, numbers: np.ndarray, seat: int, *, best: bool) -> np.ndarray:
        """What each hand of a seat gets at each action's node, weighed by how likely chance and the other bring it there."""
        strategy, own = self.reaches(numbers)
        values = np.zeros_like(self._values)
        answer(seat, best, self.deciding[seat], *self._shape(), strategy, own, values, *self._room)
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
