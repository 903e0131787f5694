"""Negamax: alpha-beta with one rule for both players, since what MAX wins MIN loses (Knuth and Moore 1975).

    max(a, b) = -min(-a, -b)

So every value is that of the player to move, and turns its sign when the turn passes; the window turns with it.

>>> from outplay.game import load
>>> result = negamax(load("tree", tree="[[3,12,8],[2,4,6],[14,5,2]]").start())
>>> result.value, result.line, result.leaves
(3.0, (0, 0), 7)
"""

from __future__ import annotations

from outplay.game import Position
from outplay.textbook.ordering import Order, as_given
from outplay.textbook.search import INFINITY, NOTHING, Evaluate, Line, Search, need_two_players
from outplay.values import Limits, Result


def negamax(position: Position, *, depth: int | None = None, evaluate: Evaluate | None = None,
            window: tuple[float, float] = (-INFINITY, INFINITY), order: Order = as_given, limits: Limits | None = None,
            trace: bool = False) -> Result:
    """Alpha-beta's action and value by half the code; the window is MAX's, as the value of the result is."""
    need_two_players("negamax", position)
    search = Search("negamax", position, depth=depth, evaluate=evaluate, relative=True, limits=limits, trace=trace)

    def value(position: Position, alpha: float, beta: float) -> tuple[float, Line]:
        search.enter(position, alpha, beta)
        if search.is_leaf(position):
            return search.leaf(position), ()
        best, line = -INFINITY, NOTHING
        actions = order(position, position.actions())
        for tried, action in enumerate(actions, start=1):
            v, rest = search.after(value, position, action, alpha, beta)  # -value(child, -beta, -alpha)
            if v > best:
                best, line = v, (action, *rest)
            if best >= beta:
                search.cut_by_beta(position, best, actions[tried:], alpha, beta)
                break
            alpha = max(alpha, best)
        return search.leave(position, best), line

    return search.decide_in(window, value, position)
