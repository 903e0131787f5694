"""H-minimax: minimax that stops early and estimates, with CUTOFF-TEST for TERMINAL-TEST and EVAL for UTILITY (Shannon 1950).

    H-MINIMAX(s, d) = EVAL(s)                                           if CUTOFF-TEST(s, d)
                      max over actions of H-MINIMAX(RESULT(s, a), d + 1) if PLAYER(s) = MAX
                      min over actions of H-MINIMAX(RESULT(s, a), d + 1) if PLAYER(s) = MIN

Two moves deep, with the lines still open to each side as EVAL, the middle of tic-tac-toe looks best:

>>> from outplay.game import load
>>> def open_lines(position, player):
...     board = position.text().replace("/", "")
...     lines = ["012", "345", "678", "036", "147", "258", "048", "246"]
...     free = lambda other: sum(other not in [board[int(cell)] for cell in line] for line in lines)
...     return 0.01 * (free("xo"[1 - player]) - free("xo"[player]))
>>> position = load("tic-tac-toe").start()
>>> result = h_minimax(position, 2, evaluate=open_lines)
>>> position.action_text(result.action), round(result.value, 2), result.nodes, result.exact
('b2', 0.01, 82, False)
>>> h_alphabeta(position, 2, evaluate=open_lines).nodes
36
"""

from __future__ import annotations

from collections.abc import Callable

from outplay.game import Position
from outplay.textbook.ordering import Order, as_given
from outplay.textbook.search import INFINITY, NOTHING, Evaluate, Line, Search, need_two_players
from outplay.values import Limits, Result

CutoffTest = Callable[[Position, int], bool]
"""CUTOFF-TEST(s, d): whether to stop at a position, so many actions below the root."""


def h_minimax(position: Position, depth: int | None = None, *, evaluate: Evaluate | None = None, cutoff: CutoffTest | None = None,
              limits: Limits | None = None, trace: bool = False) -> Result:
    """Minimax down to a depth, or to where `cutoff` says stop; what stands there is worth what EVAL says."""
    need_two_players("h-minimax", position)
    search = Search("h-minimax", position, depth=depth, evaluate=evaluate, cutoff=cutoff, limits=limits, trace=trace)

    def value(position: Position) -> tuple[float, Line]:
        search.enter(position)
        if search.is_leaf(position):
            return search.leaf(position), ()
        better = float.__gt__ if position.side() == 0 else float.__lt__
        best, line = -INFINITY if position.side() == 0 else INFINITY, NOTHING
        for action in position.actions():
            v, rest = value(search.result(position, action))
            if better(v, best):
                best, line = v, (action, *rest)
        return search.leave(position, best), line

    return search.decide(value, position)


def h_alphabeta(position: Position, depth: int | None = None, *, evaluate: Evaluate | None = None,
                cutoff: CutoffTest | None = None, window: tuple[float, float] = (-INFINITY, INFINITY), order: Order = as_given,
                limits: Limits | None = None, trace: bool = False) -> Result:
    """H-minimax's action and value, without the branches that cannot change them."""
    need_two_players("h-alphabeta", position)
    search = Search("h-alphabeta", position, depth=depth, evaluate=evaluate, cutoff=cutoff, limits=limits, trace=trace)

    def value(position: Position, alpha: float, beta: float) -> tuple[float, Line]:
        return (max_value if position.side() == 0 else min_value)(position, alpha, beta)

    def max_value(position: Position, alpha: float, beta: float) -> tuple[float, Line]:
        search.enter(position, alpha, beta)
        if search.is_leaf(position):
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
        if search.is_leaf(position):
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
