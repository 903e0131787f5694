"""Quiescence search: trust EVAL only where nothing violent is pending (Shannon 1950, Harris 1975).

A search that stops between a capture and the recapture counts a piece that is as good as lost. So at the depth limit the forcing
actions are played out. The player to move may also "stand pat", keep what EVAL says, since nobody is forced to capture.

MAX can take a defended pawn with the queen (a1), or play a quiet move (a2). One ply deep, the pawn looks won:

>>> from outplay.game import load
>>> from outplay.textbook.cutoff import h_minimax
>>> position = load("tree", tree="[[-8, 1], [0, 0]]").start()
>>> material = {"root": 0, "a1": 1, "a2": 0}
>>> eval_ = lambda position, player: (1 - 2 * player) * material[position.text()]
>>> recapture = lambda position: position.actions()[:1] if position.text() == "a1" else ()
>>> position.action_text(h_minimax(position, 1, evaluate=eval_).action)
'a1'
>>> result = quiescence(position, depth=1, evaluate=eval_, forcing=recapture)
>>> position.action_text(result.action), result.value
('a2', 0.0)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from outplay.game import Position
from outplay.textbook.ordering import Order, as_given
from outplay.textbook.search import INFINITY, NOTHING, Evaluate, Line, Search, need_two_players
from outplay.values import Action, Limits, Result


def quiescence(position: Position, *, depth: int | None = None, evaluate: Evaluate | None = None,
               forcing: Callable[[Position], Sequence[Action]] = Position.forcing, order: Order = as_given,
               limits: Limits | None = None, trace: bool = False) -> Result:
    """Alpha-beta to a depth, then forcing actions only; a game that names none is quiet everywhere."""
    need_two_players("quiescence", position)
    search = Search("quiescence", position, depth=depth, evaluate=evaluate, relative=True, limits=limits, trace=trace)

    def value(position: Position, alpha: float, beta: float) -> tuple[float, Line]:
        if search.depth is not None and len(search.path) >= search.depth:
            return quiet_value(position, alpha, beta)
        search.enter(position, alpha, beta)
        if position.is_terminal():
            return search.leaf(position), ()
        return best_of(value, position, position.actions(), -INFINITY, alpha, beta)

    def quiet_value(position: Position, alpha: float, beta: float) -> tuple[float, Line]:
        search.enter(position, alpha, beta)
        forced = () if position.is_terminal() else forcing(position)
        if not forced:
            return search.leaf(position), ()
        stand_pat = search.worth(position, search.first) * search.sign(position)
        if stand_pat >= beta:
            search.cut_by_beta(position, stand_pat, forced, alpha, beta)
            return search.leaf(position), ()
        return best_of(quiet_value, position, forced, stand_pat, max(alpha, stand_pat), beta)

    def best_of(value: Callable, position: Position, actions: Sequence[Action], best: float, alpha: float,
                beta: float) -> tuple[float, Line]:
        line = NOTHING
        actions = order(position, actions)
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
