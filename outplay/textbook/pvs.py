"""Principal variation search, or NegaScout (Marsland and Campbell 1982, Reinefeld 1983).

In a well ordered tree the first action is best. So only the first one is searched with the whole window; of each other one a
search with a null window, in which there is room for no value, asks whether it is better at all. Only one that is better is
searched again for its value.

>>> from outplay.game import load
>>> result = pvs(load("tree", tree="[[3,12,8],[2,4,6],[14,5,2]]").start())
>>> result.value, result.line, result.leaves, result.facts["again"]
(3.0, (0, 0), 7, 0)
>>> pvs(load("tree", tree="[[2,4,6],[3,12,8],[14,5,2]]").start()).facts["again"]
1
"""

from __future__ import annotations

from outplay.game import Position
from outplay.textbook.ordering import Order, as_given
from outplay.textbook.search import INFINITY, NOTHING, Evaluate, Line, Search, just_above, need_two_players
from outplay.values import Limits, Result


def pvs(position: Position, *, depth: int | None = None, evaluate: Evaluate | None = None, order: Order = as_given,
        limits: Limits | None = None, trace: bool = False) -> Result:
    """Alpha-beta's value; `facts["again"]` counts the actions that had to be searched twice."""
    need_two_players("pvs", position)
    search = Search("pvs", position, depth=depth, evaluate=evaluate, relative=True, limits=limits, trace=trace)
    search.facts["again"] = 0

    def value(position: Position, alpha: float, beta: float) -> tuple[float, Line]:
        search.enter(position, alpha, beta)
        if search.is_leaf(position):
            return search.leaf(position), ()
        best, line = -INFINITY, NOTHING
        actions = order(position, position.actions())
        for tried, action in enumerate(actions, start=1):
            if tried == 1:
                v, rest = search.after(value, position, action, alpha, beta)
            else:
                v, rest = search.after(value, position, action, alpha, just_above(alpha))
                if alpha < v < beta:
                    search.facts["again"] += 1
                    v, rest = search.after(value, position, action, alpha, beta)
            if v > best:
                best, line = v, (action, *rest)
            if best >= beta:
                search.cut_by_beta(position, best, actions[tried:], alpha, beta)
                break
            alpha = max(alpha, best)
        return search.leave(position, best), line

    return search.decide(value, position, -INFINITY, INFINITY)
