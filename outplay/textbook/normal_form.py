"""The normal form: a game of two as one table, its rows and columns the complete plans of both players (von Neumann 1928).

A *pure strategy* says in advance what to do at each information set. Two of them play against each other, and the average over
chance is an entry of the table. The table of rock-paper-scissors is the famous one:

>>> from outplay.game import load
>>> table = normal_form(load("rock-paper-scissors").start())
>>> [[int(entry) for entry in row] for row in table.entries]
[[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
>>> value, rows, columns = solve_matrix(table.entries)
>>> round(value, 6) + 0.0, [round(share, 4) for share in rows]
(0.0, [0.3333, 0.3333, 0.3333])

Plans are many: with n information sets of two actions there are 2**n, which is why the sequence form and regrets were invented.
Solving needs a linear program, and SciPy does it (`pip install scipy`); `fictitious_play` does without.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from outplay.errors import Unavailable
from outplay.game import Position, need
from outplay.textbook.information import Key, Tree

MOST = 5000
"""Plans of one player above which nobody wants to see the table."""


@dataclass(frozen=True)
class NormalForm:
    """A table of what each pair of plans is worth to the first player."""

    plans: tuple[tuple[dict[Key, int], ...], ...]  # of each player: at each information set the index of an action
    entries: tuple[tuple[float, ...], ...]  # [row plan][column plan]


def normal_form(position: Position) -> NormalForm:
    """The table of a two-player zero-sum game from this position on."""
    need("the normal form", position.game, players=2, sum="zero", information="hidden", use="minimax")
    tree = Tree(position, "the normal form")
    plans = []
    for player in range(2):
        mine = [each for key, each in tree.sets.items() if key[0] == player]
        if math.prod(len(each.actions) for each in mine) > MOST:
            raise Unavailable(f"{position.game.name} has more than {MOST} plans for player {player}: use the sequence form")
        ways = itertools.product(*(range(len(each.actions)) for each in mine))
        plans.append(tuple({each.key: k for each, k in zip(mine, way, strict=True)} for way in ways))

    def sure(plan: dict[Key, int]) -> dict[Key, list[float]]:
        return {key: [float(k == j) for j in range(len(tree.sets[key].actions))] for key, k in plan.items()}

    rows, columns = ([sure(plan) for plan in each] for each in plans)
    entries = tuple(tuple(tree.values({**row, **column})[tree.root][0] for column in columns) for row in rows)
    return NormalForm((plans[0], plans[1]), entries)


def solve_matrix(entries: Sequence[Sequence[float]]) -> tuple[float, list[float], list[float]]:
    """The value of a matrix game to the row player, and an optimal mixture of each player, by linear programming (Dantzig 1951).

    >>> value, rows, columns = solve_matrix([[2, -1], [-1, 1]])
    >>> round(value, 6), [round(share, 6) for share in rows]
    (0.2, [0.4, 0.6])
    """
    try:
        from scipy.optimize import linprog
    except ImportError:
        raise Unavailable("linear programs need SciPy: pip install scipy, or use fictitious_play") from None
    rows, columns = len(entries), len(entries[0])
    # Greatest v so that every column gives the row player at least v; the prices of these conditions are the columns' mixture.
    found = linprog(
        [0.0] * rows + [-1.0],
        A_ub=[[-entries[i][j] for i in range(rows)] + [1.0] for j in range(columns)], b_ub=[0.0] * columns,
        A_eq=[[1.0] * rows + [0.0]], b_eq=[1.0], bounds=[(0, None)] * rows + [(None, None)],
    )  # fmt: skip
    return float(found.x[-1]), [float(share) for share in found.x[:-1]], [float(-price) for price in found.ineqlin.marginals]
