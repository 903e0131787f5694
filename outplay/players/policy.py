"""Any player's policy as a distribution: what expectimax wants to know of an opponent.

A player that chooses at random is likely to play each action; a Monte Carlo search each as often as it visited it; any other player
always plays what it chooses.

>>> from outplay.engine.frames.chance import expectimax
>>> from outplay.game import load
>>> from outplay.players import player
>>> position = load("tic-tac-toe").position("x.o/.../..x o")
>>> against_random = expectimax(position, policy=policy_of(player("random")))
>>> against_the_best = expectimax(position, policy=policy_of(player("alphabeta")))
>>> round(against_random.value, 3), against_the_best.value
(-0.8, 1.0)
"""

from __future__ import annotations

from collections.abc import Callable

from outplay.game import Position
from outplay.players.base import Player
from outplay.players.random import RandomPlayer
from outplay.values import Action

Policy = Callable[[Position], list[tuple[Action, float]]]


def policy_of(player: Player) -> Policy:
    """How likely a player is to play each action of a position."""

    def distribution(position: Position) -> list[tuple[Action, float]]:
        if isinstance(player, RandomPlayer):
            return [(action, 1 / len(position.actions())) for action in position.actions()]
        chosen = player.choose(position)
        last = getattr(player, "last", None)
        visits = {} if last is None else {one.action: one.visits for one in last.choices if one.visits}
        total = sum(visits.values())
        return [(action, count / total) for action, count in visits.items()] if total else [(chosen, 1.0)]

    return distribution
