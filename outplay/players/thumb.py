"""A player by rule of thumb: it takes what the game's own playouts would (the method `choose` of its rules), and searches nothing.

>>> from outplay.game import load
>>> position = load("monopoly:players=2").start().play("x51")
>>> position.action_text(Thumb().choose(position))
'buy'
>>> Thumb().choose(load("nim").start())
Traceback (most recent call last):
outplay.errors.Unsuitable: nim has no rule of thumb: its rules give no `choose`
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.errors import Unsuitable
from outplay.game import Position
from outplay.jit import random_source
from outplay.players.base import Player
from outplay.values import Action, Limits


class Thumb(Player):
    """Takes what a playout would; the same seed takes the same in the same game."""

    def __init__(self, seed: int = 0) -> None:
        self.name = f"thumb:seed={seed}"
        self.seed = seed
        self._source = random_source(seed)

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Other random numbers for each game of a match, whichever were played before."""
        self._source = random_source(self.seed + (seed << 32))

    def get_ready(self, position: Position) -> None:
        """Refuse a game without a rule of thumb."""
        if not position.game.offers("choose"):
            raise Unsuitable(f"{position.game.name} has no rule of thumb: its rules give no `choose`")

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """What the rules choose."""
        self.get_ready(view)
        game: Any = view.game
        with np.errstate(over="ignore"):
            return int(game.record(view.state).choose(game.rules.room(game.rules.most_actions + 16), self._source))
