"""Iterative deepening: depth 1, then 2, then 3, ... until the time is up (Slate and Atkin 1977, Korf 1985).

There is always an answer, that of the last depth finished; and the best actions found at one depth are tried first at the next,
which saves more than the repeated shallow work costs. `settled` ends it earlier, once the value hardly changes from one depth to
the next, which lecture notes on isolation call quiescent search.

>>> from outplay.game import load
>>> from outplay.values import Limits
>>> position = load("tic-tac-toe").position("x.o/.o./..x x")
>>> [(result.depth, result.value, position.action_text(result.action)) for result in iterative_deepening(position)]
[(1, 0.0, 'b3'), (2, 0.0, 'a1'), (3, 1.0, 'a1'), (4, 1.0, 'a1'), (5, 1.0, 'a1')]
>>> deepen(position, limits=Limits(depth=3)).line
(6, 1, 3)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from outplay.game import Position
from outplay.textbook.search import INFINITY, NOTHING, Evaluate, Line, OutOfTime, Search, need_two_players
from outplay.values import Action, Limits, Result


def iterative_deepening(position: Position, limits: Limits | None = None, *, evaluate: Evaluate | None = None,
                        reorder: bool = True, settled: float | None = None, trace: bool = False) -> Iterator[Result]:
    """One Result for each depth finished; nodes and seconds count from the start of the first, the trace is the last one's.

    The first depth is always finished. It ends when a limit is reached, when nothing had to be cut off any more, or when three
    depths in a row differ by no more than `settled`: two would be an odd and an even one, and who moved last looks better off.
    """
    need_two_players("iterative-deepening", position)
    search = Search("iterative-deepening", position, depth=0, evaluate=evaluate, relative=True, trace=trace)
    limits = limits or Limits()
    found_best: dict[Position, Action] = {}

    def value(position: Position, alpha: float, beta: float) -> tuple[float, Line]:
        search.enter(position, alpha, beta)
        if search.is_leaf(position):
            return search.leaf(position), ()
        best, line = -INFINITY, NOTHING
        actions = best_of_last_depth_first(position)
        for tried, action in enumerate(actions, start=1):
            v, rest = search.after(value, position, action, alpha, beta)
            if v > best:
                best, line = v, (action, *rest)
            if best >= beta:
                search.cut_by_beta(position, best, actions[tried:], alpha, beta)
                break
            alpha = max(alpha, best)
        found_best[position] = line[0]
        return search.leave(position, best), line

    def best_of_last_depth_first(position: Position) -> Sequence[Action]:
        actions, best = position.actions(), found_best.get(position)
        if not reorder or best is None:
            return actions
        return [best, *(action for action in actions if action != best)]

    def depths() -> Iterator[Result]:
        values: list[float] = []
        if limits.depth == 0:  # H-MINIMAX(s, 0) = EVAL(s)
            yield search.decide(value, position, -INFINITY, INFINITY, depth=0)
            return
        for depth in itertools.count(1):
            if depth > 1 and depth > (limits.depth or INFINITY):
                return
            search.restart(depth)
            try:
                result = search.decide(value, position, -INFINITY, INFINITY, depth=depth)
            except OutOfTime:
                return
            assert isinstance(result.value, float)
            values.append(result.value)
            is_settled = settled is not None and depth > 2 and max(values[-3:]) - min(values[-3:]) <= settled
            yield replace(result, facts={**result.facts, "settled": True}) if is_settled else result
            if search.exact or is_settled:
                return
            search.limit(limits)

    return depths()


def deepen(position: Position, *, limits: Limits | None = None, evaluate: Evaluate | None = None, reorder: bool = True,
           settled: float | None = None, trace: bool = False) -> Result:
    """The answer of the deepest search that the limits allow; with `trace`, the fact `traces` holds that of each depth."""
    results = list(iterative_deepening(position, limits, evaluate=evaluate, reorder=reorder, settled=settled, trace=trace))
    last = results[-1]
    return replace(last, facts={**last.facts, "traces": tuple(each.trace for each in results)}) if trace else last
