"""Forward pruning by beam: at each position only the few most promising actions are looked at at all (Shannon's type B, 1950).

Unlike alpha-beta this may throw away the best action, and the result says so: `exact` is False once anything was dropped. It
may be fatal, as when the sacrifice a1 looks worst of all and wins:

>>> from outplay.game import load
>>> position = load("tree", tree="[[9, 9], [1, 1], [2, 0]]").start()
>>> looks = {"a1": -3, "a2": 1, "a3": 2}
>>> eval_ = lambda position, player: (1 - 2 * player) * looks.get(position.text(), 0)
>>> [beam(position, width=width, evaluate=eval_).value for width in (1, 2, 3)]
[0.0, 1.0, 9.0]
"""

from __future__ import annotations

from outplay.game import Position
from outplay.textbook.ordering import Order, by_evaluation
from outplay.textbook.search import INFINITY, NOTHING, Evaluate, Line, Search, need_two_players, whole_number
from outplay.values import Limits, Result


def beam(position: Position, *, width: int = 5, depth: int | None = None, evaluate: Evaluate | None = None,
         order: Order | None = None, limits: Limits | None = None, trace: bool = False) -> Result:
    """Alpha-beta among the `width` actions that come first in `order`; left out, the order is that of EVAL."""
    need_two_players("beam", position)
    whole_number("width", width, 1)
    search = Search("beam", position, depth=depth, evaluate=evaluate, relative=True, limits=limits, trace=trace)
    order = order or by_evaluation(evaluate)

    def value(position: Position, alpha: float, beta: float) -> tuple[float, Line]:
        search.enter(position, alpha, beta)
        if search.is_leaf(position):
            return search.leaf(position), ()
        best, line = -INFINITY, NOTHING
        promising = order(position, position.actions())
        actions, dropped = promising[:width], promising[width:]
        if dropped:
            search.exact = False
            search.cut(position, None, dropped, f"not among the {width} most promising", (alpha, beta))
        for tried, action in enumerate(actions, start=1):
            v, rest = search.after(value, position, action, alpha, beta)
            if v > best:
                best, line = v, (action, *rest)
            if best >= beta:
                search.cut_by_beta(position, best, actions[tried:], alpha, beta)
                break
            alpha = max(alpha, best)
        return search.leave(position, best), line

    return search.decide(value, position, -INFINITY, INFINITY)
