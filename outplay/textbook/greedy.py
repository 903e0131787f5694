"""Greedy best-first search: always expand what seems nearest to the goal, whatever it cost to get there (Doran and Michie 1966).

It finds a way fast, and it walks into every trap that looks like a short cut:

>>> from outplay.game import load
>>> from outplay.textbook.a_star import a_star
>>> trap = load("grid", map=".....G/.###.#/...#.#/S#...#/......").start()
>>> greedy(trap).nodes <= a_star(trap).nodes, greedy(trap).facts["cost"] >= a_star(trap).facts["cost"]
(True, True)
"""

from __future__ import annotations

from outplay.game import Position
from outplay.textbook.tree_search import Ordered, search_with
from outplay.values import Limits, Result


def greedy(position: Position, *, limits: Limits | None = None, trace: bool = False) -> Result:
    """A way by following the estimate alone; seldom the cheapest."""
    nearest_first = Ordered(lambda node: node.position.estimate(), measure=lambda node: 0)
    return search_with("greedy", position, nearest_first, limits=limits, trace=trace)
