"""Expectimax: MAX takes the greatest value, and everything else is chance, worth its average (Michie 1966).

An outcome that nobody chooses is worth its share of the average:

>>> from outplay.game import load
>>> expectimax(load("tree", tree='{"chance": [["1/2", 8], ["1/3", 24], ["1/6", -12]]}').start()).value
10.0

Against another player, MIN is renamed EXP: it plays by a model, here each action equally likely. What minimax would take for
fear of the 0, expectimax leaves for the average of 50:

>>> position = load("tree", tree='{"max": {"safe": [10, 20], "bold": [0, 100]}}').start()
>>> result = expectimax(position)
>>> position.action_text(result.action), result.value
('bold', 50.0)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from outplay.game import Position, need
from outplay.textbook.search import INFINITY, Evaluate, Line, Search
from outplay.values import CHANCE, Action, Limits, Result, Value

Model = Callable[[Position], Iterable[tuple[Action, float]]]
"""What EXP does: each of its actions with its probability."""


def equally_likely(position: Position) -> list[tuple[Action, float]]:
    """The model of a player who does not care."""
    return [(action, 1 / len(position.actions())) for action in position.actions()]


def expectimax(position: Position, *, depth: int | None = None, model: Model = equally_likely, evaluate: Evaluate | None = None,
               limits: Limits | None = None, trace: bool = False) -> Result:
    """The action with the greatest expected value for the player to move; the other player, if any, plays by the model.

    With a depth, EVAL stands in for the rest. Only actions count as depth: a roll of the dice belongs to the action before it.
    """
    need("expectimax", position.game, players=(1, 2), sum="zero", information="perfect",
         use="deals" if position.game.traits.information == "hidden" else "maxn")
    search = Search("expectimax", position, depth=depth, evaluate=evaluate, limits=limits, trace=trace)
    agent = max(position.player(), 0)  # at a chance node: MAX
    sign = -1 if agent == 1 else 1  # values are MAX's, and player 1 wants them low

    def value(position: Position, left: float) -> tuple[float, Line]:
        search.enter(position)
        if position.is_terminal() or left == 0:
            return search.leaf(position), ()
        if position.player() == agent:
            return max_value(position, left)
        return exp_value(position, left)

    def max_value(position: Position, left: float) -> tuple[float, Line]:
        best, best_line = -sign * INFINITY, ()
        for action in position.actions():
            v, line = value(search.result(position, action), left - 1)
            if sign * v > sign * best:
                best, best_line = v, (action, *line)
        return search.leave(position, best), best_line

    def exp_value(position: Position, left: float) -> tuple[float, Line]:
        by_dice = position.player() == CHANCE
        average = 0.0
        for outcome, probability in position.chances() if by_dice else model(position):
            average += probability * value(search.result(position, outcome), left if by_dice else left - 1)[0]
        return search.leave(position, average, rule="average"), ()

    def whole(position: Position, left: float) -> tuple[Value, Line]:
        v, line = value(position, left)
        return (v if search.traits.players == 2 else (v,)), line

    return search.decide(whole, position, INFINITY if search.depth is None else search.depth)
