"""Killer moves: an action that cut at this depth a moment ago probably cuts here too (Huberman 1968, Akl and Newborn 1977).

Sister positions differ by one action, so that what refutes the one often refutes the other. Two killers are kept for each
distance from the root, and tried before everything else where they are legal.

>>> from outplay.game import load
>>> from outplay.textbook.negamax import negamax
>>> position = load("tic-tac-toe").position(".../.x./o.. x")
>>> killer_moves(position).value, killer_moves(position).nodes < negamax(position).nodes
(0.0, True)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from outplay.game import Position
from outplay.textbook.search import INFINITY, NOTHING, Evaluate, Line, Search, need_two_players
from outplay.values import Action, Limits, Result

KILLERS = 2  # kept for each distance from the root


def killer_moves(position: Position, *, depth: int | None = None, evaluate: Evaluate | None = None, limits: Limits | None = None,
                 trace: bool = False) -> Result:
    """Alpha-beta's value; `facts["killed"]` counts the cuts that a killer made."""
    need_two_players("killer", position)
    search = Search("killer", position, depth=depth, evaluate=evaluate, relative=True, limits=limits, trace=trace)
    killers: defaultdict[int, list[Action]] = defaultdict(list)
    search.facts["killed"] = 0

    def value(position: Position, alpha: float, beta: float) -> tuple[float, Line]:
        search.enter(position, alpha, beta)
        if search.is_leaf(position):
            return search.leaf(position), ()
        best, line = -INFINITY, NOTHING
        actions = killers_first(position, killers[len(search.path)])
        for tried, action in enumerate(actions, start=1):
            v, rest = search.after(value, position, action, alpha, beta)
            if v > best:
                best, line = v, (action, *rest)
            if best >= beta:
                search.cut_by_beta(position, best, actions[tried:], alpha, beta)
                remember(action, killers[len(search.path)])
                break
            alpha = max(alpha, best)
        return search.leave(position, best), line

    def killers_first(position: Position, known: list[Action]) -> Sequence[Action]:
        legal = [action for action in known if action in position.actions()]
        return [*legal, *(action for action in position.actions() if action not in legal)]

    def remember(action: Action, known: list[Action]) -> None:
        if action in known:
            search.facts["killed"] += 1
            known.remove(action)
        known.insert(0, action)
        del known[KILLERS:]

    return search.decide(value, position, -INFINITY, INFINITY)
