"""MTD(f): close in on the value by searches with a null window only (Plaat, Schaeffer, Pijls and de Bruin 1996).

Each search with an empty window just below a guess proves that the value is at least the guess, or less than it. The bound it
returns is the next guess, and the table keeps the repeated searches cheap. The better the first guess `f`, the fewer of them.

>>> from outplay.game import load
>>> position = load("tree", tree="[[3,12,8],[2,4,6],[14,5,2]]").start()
>>> result = mtdf(position)
>>> result.value, result.action, result.facts["passes"]
(3.0, 0, ((0.0, 3.0), (3.0000000000000004, 3.0)))
>>> mtdf(position, guess=12.0).facts["passes"]
((12.0, 5.0), (5.0, 3.0), (3.0, 3.0))
"""

from __future__ import annotations

from outplay.game import Position
from outplay.textbook.ordering import Order, as_given
from outplay.textbook.search import INFINITY, NOTHING, Evaluate, Line, Search, just_above, just_below, need_two_players
from outplay.textbook.table import remembering
from outplay.values import Limits, Result


def mtdf(position: Position, *, guess: float = 0.0, depth: int | None = None, evaluate: Evaluate | None = None,
         order: Order = as_given, limits: Limits | None = None, trace: bool = False) -> Result:
    """Alpha-beta's value from a first guess at MAX's; `facts["passes"]` has what each search tested and what came back."""
    need_two_players("mtdf", position)
    search = Search("mtdf", position, depth=depth, evaluate=evaluate, relative=True, limits=limits, trace=trace)
    return by_null_windows(search, position, search.sign(position) * guess, order)


def by_null_windows(search: Search, position: Position, guess: float, order: Order) -> Result:
    """The loop of searches with an empty window, from a first guess for the player to move."""
    with_memory = remembering(search, order)
    sign = search.sign(position)
    search.facts["passes"] = ()

    def close_in(position: Position, found: float) -> tuple[float, Line]:
        lower, upper, best_line = -INFINITY, INFINITY, NOTHING
        while lower < upper:
            tested = just_above(found) if found == lower else found
            found, line = with_memory(position, just_below(tested), tested)
            search.facts["passes"] += ((sign * tested + 0.0, sign * found + 0.0),)
            if found < tested:
                upper = found
            else:
                lower, best_line = found, line  # only a search that fails high shows which action is good
        return found, best_line

    return search.decide(close_in, position, guess)
