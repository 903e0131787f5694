"""Breadth-first search: all positions one action away, then all two away, and so on (Moore 1959).

The first way found has the fewest actions.

>>> from outplay.game import load
>>> start = load("grid", map="S.#/..#/..G").start()
>>> result = breadth_first(start)
>>> result.depth, result.facts["cost"], result.value
(4, 4, (1.0,))
"""

from __future__ import annotations

from outplay.game import Position
from outplay.textbook.tree_search import Queue, search_with
from outplay.values import Limits, Result


def breadth_first(position: Position, *, limits: Limits | None = None, trace: bool = False) -> Result:
    """The way with the fewest actions."""
    return search_with("breadth-first", position, Queue(), limits=limits, trace=trace)
