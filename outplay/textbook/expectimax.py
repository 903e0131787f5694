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
               limits: Limits | None = None, trace: bool = False, prune: bool = False) -> Result:
    """The action with the greatest expected value for the player to move; the other player, if any, plays by the model.

    With a depth, EVAL stands in for the rest. Only actions count as depth: a roll of the dice belongs to the action before it.
    With `prune`, a chance node is left as soon as the greatest value that the game knows for all outcomes to come would not
    lift its average above what another action is worth (Ballard's Star1 for one player, 1983); the value is the same.
    """
    need("expectimax", position.game, players=(1, 2), sum="zero", information="perfect", shifted=True,
         use="deals" if position.game.traits.information == "hidden" else "maxn")
    search = Search("expectimax", position, depth=depth, evaluate=evaluate, limits=limits, trace=trace)
    agent = max(position.side(), 0)  # at a chance node: MAX
    sign = -1 if agent == 1 else 1  # values are MAX's, and player 1 wants them low

    utmost = max(sign * bound for bound in search.traits.bounds) * search.scale  # the best that can happen
    if search.depth is not None or evaluate is not None:
        utmost = max(abs(bound) for bound in search.traits.bounds) * search.scale  # an evaluation may be anything below that

    def value(position: Position, left: float, has: float) -> tuple[float, Line]:
        """What the position is worth to MAX; the agent already `has` so much by another action (with its sign)."""
        search.enter(position)
        if position.is_terminal() or left == 0:
            return search.leaf(position), ()
        if position.side() == agent:
            return max_value(position, left, has)
        return exp_value(position, left, has)

    def max_value(position: Position, left: float, has: float) -> tuple[float, Line]:
        best, best_line = -sign * INFINITY, ()
        for action in position.actions():
            v, line = value(search.result(position, action), left - 1, max(has, sign * best))
            if sign * v > sign * best:
                best, best_line = v, (action, *line)
        return search.leave(position, best), best_line

    def exp_value(position: Position, left: float, has: float) -> tuple[float, Line]:
        by_dice = position.player() == CHANCE
        average, to_come = 0.0, 1.0
        outcomes = list(position.chances() if by_dice else model(position))
        for tried, (outcome, probability) in enumerate(outcomes, start=1):
            # What this outcome must exceed for the average to exceed what the agent has, were all others as good as can be.
            wanted = (has - sign * average - (to_come - probability) * utmost) / probability if prune and probability else -INFINITY
            v, _ = value(search.result(position, outcome), left if by_dice else left - 1, wanted)
            average += probability * v
            to_come -= probability
            if prune and tried < len(outcomes) and sign * average + to_come * utmost <= has:
                reason = f"at most {sign * average + to_come * utmost:g}, and {has:g} is to be had elsewhere"
                search.cut(position, average, [each for each, _ in outcomes[tried:]], reason)
                average += to_come * sign * utmost  # a bound that no better action hides behind
                break
        return search.leave(position, average, rule="average"), ()

    def whole(position: Position, left: float) -> tuple[Value, Line]:
        v, line = value(position, left, -INFINITY)
        return (v if search.traits.players == 2 else (v,)), line

    return search.decide(whole, position, INFINITY if search.depth is None else search.depth)
