"""Uniform-cost search: always expand what was cheapest to reach (Dijkstra 1959).

On a map with mud (each digit is what a step onto that cell costs) the cheapest way is not the one with the fewest steps:

>>> from outplay.game import load
>>> from outplay.textbook.breadth_first import breadth_first
>>> muddy = load("grid", map="S9G/.../...").start()
>>> uniform_cost(muddy).facts["cost"], breadth_first(muddy).facts["cost"]
(4, 10)
"""

from __future__ import annotations

from outplay.game import Position
from outplay.textbook.tree_search import Ordered, search_with
from outplay.values import Limits, Result


def uniform_cost(position: Position, *, limits: Limits | None = None, trace: bool = False) -> Result:
    """The cheapest way."""
    return search_with("uniform-cost", position, Ordered(lambda node: node.cost), limits=limits, trace=trace)
