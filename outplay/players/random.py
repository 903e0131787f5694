"""A player that takes any action, each with the same probability: the yardstick that every other player must beat.

>>> from outplay.game import load
>>> position = load("tic-tac-toe").start()
>>> [position.action_text(RandomPlayer(seed).choose(position)) for seed in range(4)]
['c2', 'a2', 'a2', 'a1']
"""

from __future__ import annotations

import numpy as np

from outplay.game import Position
from outplay.jit import below, random_source
from outplay.players.base import Player
from outplay.values import Action, Limits


class RandomPlayer(Player):
    """Takes any action; the same seed takes the same ones in the same game."""

    def __init__(self, seed: int = 0) -> None:
        self.name = f"random:seed={seed}"
        self.seed = seed
        self._source = random_source(seed)

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Other random numbers for each game of a match, whichever were played before."""
        self._source = random_source(self.seed + (seed << 32))

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """Any action."""
        actions = view.actions()
        with np.errstate(over="ignore"):
            return actions[below(self._source, len(actions))]
