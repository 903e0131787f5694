"""Minimax: what a position is worth when both sides play as well as can be (Zermelo 1913, von Neumann 1928, Shannon 1950).

    MINIMAX(s) = UTILITY(s)                                if TERMINAL-TEST(s)
                 max over actions of MINIMAX(RESULT(s, a)) if PLAYER(s) = MAX
                 min over actions of MINIMAX(RESULT(s, a)) if PLAYER(s) = MIN

The lectures' two-ply tree, whose three MIN nodes are worth 3, 2 and 2:

>>> from outplay.game import load
>>> position = load("tree", tree="[[3,12,8],[2,4,6],[14,5,2]]").start()
>>> result = minimax(position)
>>> result.value, position.action_text(result.action), result.nodes, result.leaves
(3.0, 'a1', 13, 9)
"""

from __future__ import annotations

from outplay.game import Position
from outplay.textbook.cutoff import h_minimax
from outplay.textbook.search import INFINITY, NOTHING, Line, Search, need_two_players
from outplay.values import Limits, Result


def minimax(position: Position, *, limits: Limits | None = None, trace: bool = False) -> Result:
    """The best action against a perfect opponent, by going through the whole tree (with a depth, it is H-MINIMAX)."""
    if limits is not None and limits.depth is not None:
        return h_minimax(position, limits=limits, trace=trace)
    need_two_players("minimax", position)
    search = Search("minimax", position, limits=limits, trace=trace)

    def value(position: Position) -> tuple[float, Line]:
        return max_value(position) if position.side() == 0 else min_value(position)

    def max_value(position: Position) -> tuple[float, Line]:
        search.enter(position)
        if position.is_terminal():
            return search.leaf(position), ()
        best, line = -INFINITY, NOTHING
        for action in position.actions():
            v, rest = value(search.result(position, action))
            if v > best:
                best, line = v, (action, *rest)
        return search.leave(position, best), line

    def min_value(position: Position) -> tuple[float, Line]:
        search.enter(position)
        if position.is_terminal():
            return search.leaf(position), ()
        best, line = INFINITY, NOTHING
        for action in position.actions():
            v, rest = value(search.result(position, action))
            if v < best:
                best, line = v, (action, *rest)
        return search.leave(position, best), line

    return search.decide(value, position)
