"""A*: expand the node with the least f = g + h, the cost so far and the estimate of the rest (Hart, Nilsson and Raphael 1968).

If h never says more than the truth (it is *admissible*), the first way found is a cheapest one: a dearer goal in the fringe would
have a greater f than some node on the cheapest way.

>>> from outplay.game import load
>>> from outplay.textbook.uniform_cost import uniform_cost
>>> start = load("fifteen puzzle", width=3, height=3, slides=30).start()
>>> a_star(start).depth == uniform_cost(start).depth, a_star(start).nodes < uniform_cost(start).nodes / 10
(True, True)

With a `weight` above 1 the estimate counts for more: fewer nodes, and a way that costs at most `weight` times the cheapest
(Pohl 1970).
"""

from __future__ import annotations

from outplay.errors import BadValue
from outplay.game import Position
from outplay.textbook.tree_search import Node, Ordered, search_with
from outplay.values import Limits, Result


def a_star(position: Position, *, weight: float = 1, limits: Limits | None = None, trace: bool = False) -> Result:
    """The cheapest way, looking first where the whole way may be cheapest."""
    if not isinstance(weight, int | float) or not 1 <= weight < float("inf"):
        raise BadValue(f"weight must be a number of at least 1, got {weight!r}")

    def whole_way(node: Node) -> tuple[float, float]:
        estimate = node.position.estimate()
        return node.cost + weight * estimate, estimate  # of equals, the one nearest to the goal

    return search_with("a-star", position, Ordered(whole_way), limits=limits, trace=trace)
