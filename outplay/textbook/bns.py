"""Best Node Search: find the best action without asking what it is worth (Rutko 2011).

Guess a value that separates the best action from the rest, and test each action against it with a null window. One that passes
alone is the best. When several pass, the guess was too low and only they stay in the race; when none does, it was too high.

>>> from outplay.game import load
>>> position = load("tree", tree="[[3,12,8],[2,4,6],[14,5,2]]").start()
>>> result = best_node_search(position)
>>> result.value, result.action, result.facts["tests"]
(3.0, 0, (4.667, -2.667))
"""

from __future__ import annotations

from collections.abc import Sequence

from outplay.game import Position
from outplay.textbook.ordering import Order, as_given
from outplay.textbook.search import INFINITY, NOTHING, Evaluate, Line, Search, just_above, just_below, need_two_players
from outplay.textbook.table import remembering
from outplay.values import Action, Limits, Result


def best_node_search(position: Position, *, depth: int | None = None, evaluate: Evaluate | None = None, order: Order = as_given,
                     limits: Limits | None = None, trace: bool = False) -> Result:
    """The best action, and then its value; `facts` has the tests that decided, and the nodes that it took to decide."""
    need_two_players("bns", position)
    search = Search("bns", position, depth=depth, evaluate=evaluate, relative=True, limits=limits, trace=trace)
    with_memory = remembering(search, order)
    search.facts["tests"] = ()
    span = sorted(bound * search.scale * search.sign(position) for bound in search.traits.bounds)

    def passes(position: Position, action: Action, tested: float) -> tuple[float, Line]:
        """At least `tested`, or less: a bound on what the action is worth to the player who takes it."""
        return search.after(with_memory, position, action, just_below(tested), tested)

    def decide(position: Position) -> tuple[float, Line]:
        search.enter(position)
        if search.is_leaf(position):
            return search.leaf(position), ()
        racing = list(order(position, position.actions()))
        lower, upper = -INFINITY, INFINITY
        while len(racing) > 1 and lower < upper:
            tested = next_guess(lower, upper, len(racing), span)
            answers = [(action, passes(position, action, tested)[0]) for action in racing]
            search.facts["tests"] += (round(search.sign(position) * tested, 3) + 0.0,)
            better = [(action, v) for action, v in answers if v >= tested]
            if better:
                better.sort(key=lambda answer: -answer[1])
                racing, lower = [action for action, _ in better], better[0][1]
            else:
                upper = max(v for _, v in answers)
        search.facts["nodes to decide"] = search.nodes
        value, line = close_in(position, racing[0], max(lower, span[0]))
        return search.leave(position, value), line

    def close_in(position: Position, action: Action, found: float) -> tuple[float, Line]:
        """The value of the one action, as MTD(f) finds it."""
        lower, upper, best_line = -INFINITY, INFINITY, NOTHING
        while lower < upper:
            tested = just_above(found) if found == lower else found
            found, line = passes(position, action, tested)
            if found < tested:
                upper = found
            else:
                lower, best_line = found, line
        return found, (action, *best_line)

    return search.decide(decide, position)


def next_guess(lower: float, upper: float, racing: int, span: Sequence[float]) -> float:
    """A value that splits the range as if the racing actions were spread evenly over it: the more, the nearer to the top.

    `span` stands in for bounds that are not known yet; it may turn out too narrow where EVAL is bolder than the utilities.

    >>> next_guess(-INFINITY, INFINITY, 3, (0, 12)), next_guess(4, 10, 2, (0, 12)), next_guess(20, INFINITY, 2, (0, 12)) > 20
    (8.0, 7.0, True)
    """
    low = lower if lower > -INFINITY else min(span[0], upper)
    high = upper if upper < INFINITY else max(span[1], lower)
    guess = low + (high - low) * (racing - 1) / racing
    if guess <= lower:
        guess = upper if upper < INFINITY else just_above(lower)
    return guess
