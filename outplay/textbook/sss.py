"""SSS*: of all ways to answer every move of the opponent's, follow the one that may still be worth most (Stockman 1979).

Its first form kept a sorted list of such ways; Plaat, Schaeffer, Pijls and de Bruin (1996) showed that alpha-beta with a table
looks at the same leaves in the same order, if its null windows come down from above: MTD(f) with a first guess too high. Each test
lowers what the root may be worth at most, until one holds. No leaf is looked at that alpha-beta skips in the same order of actions;
the price is the memory, and to come back to the same leaves in later tests.

>>> from outplay.game import load
>>> from outplay.textbook.alphabeta import alphabeta
>>> position = load("tree", tree="[[3,12,8],[9,4,6],[14,5,2]]").start()
>>> def leaves(search):
...     return len({step.path for step in search(position, trace=True).trace if step.event == "leaf"})
>>> leaves(sss), leaves(alphabeta)
(7, 9)
>>> sss(position).facts["passes"]
((inf, 14.0), (14.0, 9.0), (9.0, 5.0), (5.0, 4.0), (4.0, 4.0))
"""

from __future__ import annotations

from outplay.game import Position
from outplay.textbook.mtdf import by_null_windows
from outplay.textbook.ordering import Order, as_given
from outplay.textbook.search import INFINITY, Evaluate, Search, need_two_players
from outplay.values import Limits, Result


def sss(position: Position, *, depth: int | None = None, evaluate: Evaluate | None = None, order: Order = as_given,
        limits: Limits | None = None, trace: bool = False) -> Result:
    """Minimax's value, best first; `facts["passes"]` has the bound that each search tested and what came back."""
    need_two_players("sss", position)
    search = Search("sss", position, depth=depth, evaluate=evaluate, relative=True, limits=limits, trace=trace)
    return by_null_windows(search, position, INFINITY, order)
