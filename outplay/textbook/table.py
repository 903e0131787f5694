"""Alpha-beta with a transposition table: a position reached by two ways is searched once (Greenblatt 1967, Breuker 1998).

What a search with a window proves of a position may be only a bound, so the table keeps a lower and an upper one. They serve a
later visit when they close its window; else the best action known is tried first.

>>> from outplay.game import load
>>> from outplay.textbook.alphabeta import alphabeta
>>> position = load("tic-tac-toe").position(".../.x./..o x")
>>> result = alphabeta_with_table(position)
>>> result.value, result.nodes < alphabeta(position).nodes, result.facts["hits"] > 0
(0.0, True, True)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from outplay.game import Position
from outplay.textbook.ordering import Order, as_given
from outplay.textbook.search import INFINITY, NOTHING, Evaluate, Line, Search, need_two_players
from outplay.values import Limits, Result


class Entry(NamedTuple):
    """What the table knows of a position: between which bounds its value lies, and the lines that prove them."""

    lower: float = -INFINITY
    upper: float = INFINITY
    lower_line: Line = ()
    upper_line: Line = ()


def alphabeta_with_table(position: Position, *, depth: int | None = None, evaluate: Evaluate | None = None,
                         order: Order = as_given, limits: Limits | None = None, trace: bool = False) -> Result:
    """Alpha-beta's value; `facts` counts the positions in the table and how often it was of use."""
    need_two_players("alphabeta-table", position)
    search = Search("alphabeta-table", position, depth=depth, evaluate=evaluate, relative=True, limits=limits, trace=trace)
    return search.decide(remembering(search, order), position, -INFINITY, INFINITY)


def remembering(search: Search, order: Order = as_given) -> Callable[[Position, float, float], tuple[float, Line]]:
    """The recursion of alpha-beta with a table of its own, to be called as often as one likes, with any window."""
    table: dict[tuple[Position, int | None], Entry] = {}
    search.facts.update(hits=0, positions=0)

    def value(position: Position, alpha: float, beta: float) -> tuple[float, Line]:
        search.enter(position, alpha, beta)
        if search.is_leaf(position):
            return search.leaf(position), ()
        # A value is one to a depth: what was found by looking three plies ahead says nothing of looking four ahead.
        key = position, None if search.depth is None else search.depth - len(search.path)
        known = table.get(key, Entry())
        if known.lower >= beta or known.lower == known.upper:
            search.facts["hits"] += 1
            return search.leave(position, known.lower, table="lower"), known.lower_line
        if known.upper <= alpha:
            search.facts["hits"] += 1
            return search.leave(position, known.upper, table="upper"), known.upper_line

        best, line, floor = -INFINITY, NOTHING, alpha
        actions = order(position, position.actions())
        if known.lower_line:
            first = known.lower_line[0]
            actions = [first, *(action for action in actions if action != first)]
        for tried, action in enumerate(actions, start=1):
            v, rest = search.after(value, position, action, floor, beta)
            if v > best:
                best, line = v, (action, *rest)
            if best >= beta:
                search.cut_by_beta(position, best, actions[tried:], floor, beta)
                break
            floor = max(floor, best)

        if best > alpha:  # it failed high or is exact: the position is worth at least this
            known = known._replace(lower=best, lower_line=line)
        if best < beta:  # it failed low or is exact: the position is worth at most this
            known = known._replace(upper=best, upper_line=line)
        table[key] = known
        search.facts["positions"] = len(table)
        return search.leave(position, best), line

    return value
