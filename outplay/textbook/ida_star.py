"""IDA*: depth-first iterative deepening on f = g + h instead of the depth (Korf 1985).

Each round follows every way whose cost so far plus the estimate of the rest stays within a bound. The first bound is the estimate
of the start, the next is the least f that lay beyond the last. So the first way found is a cheapest one,
in memory for one path only.

>>> from outplay.game import load
>>> start = load("fifteen puzzle").position("4 1 2 3 5 6 10 7 8 9 0 11 12 13 14 15")
>>> result = ida_star(start)
>>> result.depth, result.facts["bounds"]
(4, (4,))
"""

from __future__ import annotations

from outplay.errors import Unavailable
from outplay.game import Position
from outplay.textbook.dfid import cost_of, end_of
from outplay.textbook.search import INFINITY, Line, Search
from outplay.textbook.tree_search import need_one_player
from outplay.values import Limits, Result


def ida_star(position: Position, *, limits: Limits | None = None, trace: bool = False) -> Result:
    """The cheapest way, in little memory."""
    need_one_player("ida-star", position)
    search = Search("ida-star", position, limits=limits, trace=trace)
    way: list[Position] = []  # a position that is on the way already closes a circle

    def look(position: Position, g: float, bound: float) -> tuple[Line | None, float]:
        """A way within the bound, or None; and the least f that lay beyond it."""
        search.enter(position)
        f = g + position.estimate()
        if f > bound:
            search.cut(position, f, position.actions() or (None,), f"f = {g:g} + {f - g:g} is beyond the bound {bound:g}")
            search.leave(position, f, way=f"f = {f:g} is beyond the bound")
            return None, f
        if position.is_solved():
            search.leave(position, g, way=f"the goal, at a cost of {g:g}")
            return (), f
        if search.depth is not None and len(way) >= search.depth:
            search.exact = False
            search.leave(position, f, way="as deep as was asked for")
            return None, INFINITY
        beyond = INFINITY
        way.append(position)
        for action in position.actions():
            child = search.result(position, action)
            if child in way:
                search.path.pop()
                continue
            line, least = look(child, g + position.cost(action), bound)
            if line is not None:
                search.leave(position, least, way=f"the goal lies this way, at a cost of {least:g}")
                return (action, *line), least
            beyond = min(beyond, least)
        way.pop()
        search.leave(position, beyond, way=f"nothing within the bound; the least f beyond it is {beyond:g}")
        return None, beyond

    bound = position.estimate()
    bounds = []
    while bound < INFINITY:
        bounds.append(bound)
        way.clear()
        search.restart(search.depth)
        try:
            line, bound = look(position, 0, bound)
        except RecursionError:
            raise Unavailable(f"ida-star came {search.deepest} actions deep, more than Python's stack holds: use a-star") from None
        if line is not None:
            value, cost = end_of(position, line).utility(0), cost_of(position, line)
            search.exact = True
            return search.report((value,), line, depth=len(line), cost=cost, bounds=tuple(bounds))
    return search.report((0.0,), (), cost=None, bounds=tuple(bounds))
