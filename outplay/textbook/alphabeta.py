"""Alpha-beta: minimax that skips what cannot change the decision (McCarthy 1956; Knuth and Moore 1975).

Alpha is the best that MAX is already sure of on the way to a node, beta the best that MIN is sure of. A node whose value leaves
the window between them will never be reached in play, so the rest of its actions is not looked at.

In the lectures' tree the second MIN node is left after its first leaf: a 2 is already less than the 3 that MAX has.

>>> from outplay.game import load
>>> position = load("tree", tree="[[3,12,8],[2,4,6],[14,5,2]]").start()
>>> result = alphabeta(position, trace=True)
>>> result.value, position.action_text(result.action), result.leaves
(3.0, 'a1', 7)
>>> cut, = [step for step in result.trace if step.event == "cut"]
>>> position.result(cut.path[0]).text(), cut.reason
('a2', '2 <= alpha 3: MAX has something at least as good')
"""

from __future__ import annotations

from outplay.game import Position
from outplay.textbook.cutoff import h_alphabeta
from outplay.textbook.ordering import Order, as_given
from outplay.textbook.search import INFINITY, NOTHING, Line, Search, need_two_players
from outplay.values import Limits, Result


def alphabeta(position: Position, *, window: tuple[float, float] = (-INFINITY, INFINITY), order: Order = as_given,
              limits: Limits | None = None, trace: bool = False) -> Result:
    """Minimax's action and value from fewer leaves; `order` says which actions to try first (with a depth: H-ALPHABETA).

    A value outside a narrower `window` is only a bound, and the result says so: `exact` is False, and `facts["bound"]` is
    "upper" (the true value is at most this) or "lower".
    """
    if limits is not None and limits.depth is not None:
        return h_alphabeta(position, window=window, order=order, limits=limits, trace=trace)
    need_two_players("alphabeta", position)
    search = Search("alphabeta", position, limits=limits, trace=trace)

    def value(position: Position, alpha: float, beta: float) -> tuple[float, Line]:
        return (max_value if position.side() == 0 else min_value)(position, alpha, beta)

    def max_value(position: Position, alpha: float, beta: float) -> tuple[float, Line]:
        search.enter(position, alpha, beta)
        if position.is_terminal():
            return search.leaf(position), ()
        best, line = -INFINITY, NOTHING
        actions = order(position, position.actions())
        for tried, action in enumerate(actions, start=1):
            v, rest = value(search.result(position, action), alpha, beta)
            if v > best:
                best, line = v, (action, *rest)
            if best >= beta:
                search.cut_by_beta(position, best, actions[tried:], alpha, beta)
                break
            alpha = max(alpha, best)
        return search.leave(position, best), line

    def min_value(position: Position, alpha: float, beta: float) -> tuple[float, Line]:
        search.enter(position, alpha, beta)
        if position.is_terminal():
            return search.leaf(position), ()
        best, line = INFINITY, NOTHING
        actions = order(position, position.actions())
        for tried, action in enumerate(actions, start=1):
            v, rest = value(search.result(position, action), alpha, beta)
            if v < best:
                best, line = v, (action, *rest)
            if best <= alpha:
                search.cut_by_alpha(position, best, actions[tried:], alpha, beta)
                break
            beta = min(beta, best)
        return search.leave(position, best), line

    return search.decide_in(window, value, position)
