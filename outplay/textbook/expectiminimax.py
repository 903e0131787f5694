"""Expectiminimax: MAX takes the greatest value, MIN the least, and a chance node is worth its average (Michie 1966).

Minimax looks only at the worst case, the average weighs it: a sure 10 against 9 with 0.3 and 100 with 0.7.

>>> from outplay.game import load
>>> position = load("tree", tree='{"max": {"a1": 10, "a2": {"chance": [[0.3, 9], [0.7, 100]]}}}').start()
>>> result = expectiminimax(position)
>>> position.action_text(result.action), round(result.value, 9)
('a2', 72.7)
"""

from __future__ import annotations

from outplay.game import Position, need
from outplay.textbook.search import INFINITY, Evaluate, Line, Search
from outplay.values import CHANCE, Limits, Result


def expectiminimax(position: Position, *, depth: int | None = None, evaluate: Evaluate | None = None,
                   limits: Limits | None = None, trace: bool = False) -> Result:
    """The action with the best expected value against a perfect opponent.

    With a depth, EVAL stands in for the rest. Only actions count as depth: a roll of the dice belongs to the action before it,
    so depth 4 of backgammon has 20 x (21 x 20)^3 leaves.
    """
    need_chance_for_two("expectiminimax", position)
    search = Search("expectiminimax", position, depth=depth, evaluate=evaluate, limits=limits, trace=trace)

    def value(position: Position, left: float) -> tuple[float, Line]:
        search.enter(position)
        if position.is_terminal() or left == 0:
            return search.leaf(position), ()
        if position.player() == CHANCE:
            return chance_value(position, left)
        return max_value(position, left) if position.side() == 0 else min_value(position, left)

    def max_value(position: Position, left: float) -> tuple[float, Line]:
        best, best_line = -INFINITY, ()
        for action in position.actions():
            v, line = value(search.result(position, action), left - 1)
            if v > best:
                best, best_line = v, (action, *line)
        return search.leave(position, best), best_line

    def min_value(position: Position, left: float) -> tuple[float, Line]:
        best, best_line = INFINITY, ()
        for action in position.actions():
            v, line = value(search.result(position, action), left - 1)
            if v < best:
                best, best_line = v, (action, *line)
        return search.leave(position, best), best_line

    def chance_value(position: Position, left: float) -> tuple[float, Line]:
        average = 0.0
        for outcome, probability in position.chances():
            average += probability * value(search.result(position, outcome), left)[0]
        return search.leave(position, average), ()  # the line ends where chance decides

    return search.decide(value, position, INFINITY if search.depth is None else search.depth)


def need_chance_for_two(algorithm: str, position: Position) -> None:
    """Refuse all but two-player zero-sum games with open cards, naming what fits instead."""
    traits = position.game.traits
    use = "deals" if traits.information == "hidden" else "expectimax" if traits.players == 1 else "maxn"
    need(algorithm, position.game, players=2, sum="zero", information="perfect", use=use, shifted=True)
