"""Re-solving: a part of a game solved anew from a public state, to its end or to a depth, so that the whole gets no worse.

A *blueprint* for the whole game says how likely each seat comes to a public state with each of its hands: by Bayes, the product of
what it played on the way. From there on a seat may think again. If it trusted the other's range, the other could deviate before;
so the part is solved *safely* (Burch, Johanson and Bowling 2014): each hand of the other may decline to enter it for what the
blueprint conceded to it, and then the new strategy concedes no more. With a depth the part ends early: there both go on by the
blueprint, and the other chooses for each hand among several ways to go on (Brown, Sandholm and Amos 2018), of which some are its
best answers to what was found so far. Where the time was too short to do better, the blueprint stays.

>>> from outplay.game import load
>>> from outplay.engine.regret.public import PublicSolver
>>> blueprint = PublicSolver(load("leduc poker"))
>>> blueprint.advance(10)
>>> after_the_card = [child for node in range(blueprint.tree.nodes) if blueprint.tree.player[node] == CHANCE
...                   for child in blueprint.tree.children(node)]
>>> better = resolved(blueprint, after_the_card, iterations=100)
>>> lost = [sum(blueprint.evaluate(numbers)[1]) / 2 for numbers in (blueprint.sums, better)]
>>> lost[1] < 0.9 * lost[0]
True
"""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Sequence

import numpy as np

from outplay.engine.regret.public import PublicSolver
from outplay.engine.regret.public_tree import END, PublicTree, last_actions
from outplay.errors import BadValue, Unsuitable
from outplay.values import CHANCE

TRUST = 0.3
"""Of the other's range, how much is believed to be the blueprint's: safety alone would give no reason to do better than it."""
ROUNDS = 4
"""How often a part that is cut asks what the other's best answer beyond the cut is, and lets it choose that one, too."""
LEANING = 5.0
"""How many times as likely an action becomes for one who leans to it."""


def part_of(tree: PublicTree, root: int, start: np.ndarray, depth: int | None = None, strategy: np.ndarray | None = None,
            chooser: int = 0, answers: Sequence[np.ndarray] = ()) -> tuple[PublicTree, np.ndarray]:
    """The public tree from a node on, cut after some actions; and of each of its nodes the one of the whole (-1 for a new one).

    Where it is cut, `chooser` says with each hand how it goes on, and both go on by `strategy`, more or less.
    """
    order, at, depths = [root], 0, [0]
    cut: list[int] = []
    first, count = {}, {}
    while at < len(order):
        node = order[at]
        if tree.player[node] != END and depth is not None and depths[at] >= depth:
            cut.append(at)
        elif tree.player[node] != END:
            first[at], count[at] = len(order), int(tree.count[node])
            order.extend(tree.children(node))
            depths.extend([depths[at] + (tree.player[node] != CHANCE)] * int(tree.count[node]))
        at += 1
    if cut and (strategy is None or tree.is_sorted):
        raise Unsuitable("a part cut at a depth needs a strategy to go on by, and tables of what pairs of hands are worth")
    old = list(order)
    player = [int(tree.player[node]) for node in order]
    parents = {child: node for node in first for child in range(first[node], first[node] + count[node])}
    tables: list[np.ndarray] = []
    leaves: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    for node in cut:
        ways = leanings(tree, order[node], strategy, chooser, answers)
        player[node], first[node], count[node] = chooser, len(old), len(ways)
        for values in ways:
            parents[len(old)] = node
            leaves[len(old)] = values
            old.append(-1)
            player.append(END)
    size = len(old)
    last = last_actions(player, parents)
    ends = np.array([node for node in range(size) if player[node] == END], np.int64)
    table, factor = np.zeros((2, len(ends)), np.int64), np.ones((2, len(ends)))
    pays = np.zeros((len(ends) if tree.is_sorted else 0, 2, 3))
    for k, node in enumerate(ends):
        if node in leaves:
            for seat in range(2):
                table[seat, k] = len(tree.tables) + len(tables)
                tables.append(leaves[node][seat])
        else:
            known = int(np.searchsorted(tree.ends, old[node]))
            table[:, k], factor[:, k] = tree.table[:, known], tree.factor[:, known]
            if tree.is_sorted:
                pays[k] = tree.pays[known]
    where = np.array(old, np.int64)
    beside = np.where(where >= 0, where, root)  # what a leaf looks like does not matter
    return dataclasses.replace(
        tree, states=tree.states[beside], player=np.array(player, np.int64), action=np.where(where >= 0, tree.action[beside], -1),
        first=np.array([first.get(node, 0) for node in range(size)], np.int64),
        count=np.array([count.get(node, 0) for node in range(size)], np.int64), last=last, board=tree.board[beside],
        start=np.ascontiguousarray(start), ends=ends, table=table, factor=factor, pays=pays,
        tables=np.concatenate((tree.tables, tables)) if tables else tree.tables), where  # fmt: skip


def leanings(tree: PublicTree, root: int, strategy: np.ndarray, chooser: int,
             answers: Sequence[np.ndarray]) -> list[tuple[np.ndarray, np.ndarray]]:
    """What pairs of hands are worth to both seats from a node on by a strategy; then by each way of going on of the chooser's.

    It leans to a kind of action (the place of an action among those of its node: fold, call, raise), or gives one of the answers.
    """
    most = int(max((tree.count[node] for node in range(tree.nodes) if tree.player[node] == chooser), default=0))

    def worth(node: int, kind: int) -> tuple[np.ndarray, np.ndarray]:
        if tree.player[node] == END:
            k = int(np.searchsorted(tree.ends, node))
            return tree.factor[0, k] * tree.tables[tree.table[0, k]], tree.factor[1, k] * tree.tables[tree.table[1, k]]
        seat, children = int(tree.player[node]), list(tree.children(node))
        total = np.zeros(tree.tables.shape[1:]), np.zeros(tree.tables.shape[1:])
        shares = (answers[kind - most] if kind >= most and seat == chooser else strategy)[children].copy()
        if seat == chooser and 0 <= kind < len(children):
            shares[kind] *= LEANING
            shares /= shares.sum(axis=0)
        for k, child in enumerate(children):
            for mine, found in enumerate(worth(child, kind)):  # a table has the other's hands in rows and one's own in columns
                total[mine][:] += found if seat == CHANCE else found * (shares[k][None, :] if seat == mine else shares[k][:, None])
        return total

    return [worth(root, kind) for kind in range(-1, most + len(answers))]


def best_actions(tree: PublicTree, values: np.ndarray, seat: int) -> np.ndarray:
    """The best action of each node and hand of a seat, from what each is worth, as a strategy."""
    found = np.zeros((tree.nodes, tree.hands))
    for node in tree.deciding(seat):
        children = np.array(tree.children(node))
        found[children[values[children].argmax(axis=0)], np.arange(tree.hands)] = 1.0
    return found


def resolve(blueprint: PublicSolver, root: int, seat: int, *, numbers: np.ndarray | None = None, iterations: int | None = None,
            seconds: float | None = None, depth: int | None = None, safe: bool = True, threads: int = 1,
            stop: threading.Event | None = None) -> tuple[np.ndarray, np.ndarray, int]:
    """A seat's new strategy from a public state on: the nodes it speaks of, their rows, and the iterations done.

    `numbers` are the blueprint's, its sums if left out. Ends after some iterations or seconds.
    """
    if iterations is None and seconds is None:
        iterations = 200
    if depth is not None and depth < 1:
        raise BadValue(f"depth must be 1 or more, got {depth}")
    begun = time.perf_counter()
    tree, other = blueprint.tree, 1 - seat
    numbers = blueprint.sums if numbers is None else numbers
    strategy, own = blueprint.reaches(numbers)
    start = np.ones((2, tree.hands))
    start[seat] = own[tree.last[seat, root]]
    if not safe:
        start[other] = own[tree.last[other, root]]
    if not start.any(axis=1).all():
        return np.zeros(0, np.int64), np.zeros((0, tree.hands)), 0
    likely = own[tree.last[other, root]] / max(own[tree.last[other, root]].max(), 1e-300)
    whole, places = part_of(tree, root, start)
    rest = PublicSolver(blueprint.game, "cfr+", tree=whole)
    now = np.vstack((strategy[places], np.zeros((2, tree.hands))))  # both seats' strategy from the root on
    values = rest.worth(now, other, best=True)
    conceded = values[other - 2].copy()
    place = {int(node): k for k, node in enumerate(places)}
    answers: list[np.ndarray] = []
    done, rounds = 0, 1 if depth is None else ROUNDS
    for number in range(1, rounds + 1):
        if depth is not None:
            answer = np.zeros_like(strategy)
            answer[places] = best_actions(whole, values, other)
            answers.append(answer)
        part, where = (whole, places) if depth is None else part_of(tree, root, start, depth, strategy, other, answers)
        solver = PublicSolver(blueprint.game, "cfr+", tree=part, threads=threads)
        done = _solve(solver, other, conceded if safe else None, likely, None if iterations is None else iterations // rounds or 1,
                      None if seconds is None else begun + seconds * number / rounds, stop)
        mine = np.array([child for node in part.deciding(seat) if where[node] >= 0 for child in part.children(node)], np.int64)
        nodes, rows = where[mine], solver.average()[mine]
        if number < rounds or safe:  # what would the other do against this where it may do what it likes?
            now[[place[int(node)] for node in nodes]] = rows
            values = rest.worth(now, other, best=True)
    if safe:
        more = values[other - 2] - conceded
        if (1 - TRUST) * np.maximum(more, 0.0).sum() + TRUST * likely @ more > 0:  # too little time: the blueprint was better
            rows = strategy[nodes]
    return nodes, rows, done


def _solve(solver: PublicSolver, other: int, conceded: np.ndarray | None, likely: np.ndarray, iterations: int | None,
           until: float | None, stop: threading.Event | None) -> int:
    """Iterations over a part which each hand of the other enters, or declines to for what it is conceded."""
    regrets, done, half = np.zeros((2, len(likely))), 0, np.full(len(likely), 0.5)

    def entering() -> np.ndarray:
        total = regrets.sum(axis=0)
        return np.divide(regrets[0], total, out=half.copy(), where=total > 0)

    while (iterations is None or done < iterations) and (until is None or done == 0 or time.perf_counter() < until):
        if stop is not None and stop.is_set():
            break
        solver.advance(1)
        done += 1
        if conceded is not None:
            entered, enters = solver._values[solver.tree.nodes + other], entering()
            regrets += np.stack((entered, conceded)) - (enters * entered + (1 - enters) * conceded)
            np.maximum(regrets, 0.0, out=regrets)
            solver._own[solver.tree.nodes + other] = (1 - TRUST) * entering() + TRUST * likely
    return done


def resolved(blueprint: PublicSolver, roots: Sequence[int], *, iterations: int = 200, depth: int | None = None, safe: bool = True,
             ) -> np.ndarray:
    """The whole strategy in which both seats think again at each of some public states, no two of which follow each other."""
    strategy = blueprint.average()
    for root in roots:
        for seat in range(2):
            nodes, rows, _ = resolve(blueprint, root, seat, iterations=iterations, depth=depth, safe=safe)
            strategy[nodes] = rows
    return strategy
