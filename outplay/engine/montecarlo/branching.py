"""The average branching factor of a game: how many actions a position offers, over random games.

>>> from outplay.game import load
>>> measured = branching(load("tic-tac-toe").start(), games=50)
>>> 4 < measured.mean < 7, measured.most, measured.positions > 300
(True, 9, True)
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from outplay.game import Position

MOST_POSITIONS = 20_000
"""Positions that are looked at, at most: the answer is then the same on any machine, and comes in a second or two."""


@dataclass(frozen=True)
class Branching:
    """What positions offered: the mean and the most actions, over so many positions of players and so many games."""

    mean: float
    most: int
    positions: int
    games: int
    plies: float  # moves of players in a game, on average


def branching(position: Position, games: int = 100, seed: int = 0) -> Branching:
    """Play random games and count the actions wherever a player moves; a game that is cut counts as far as it went."""
    source = random.Random(seed)
    positions = actions = most = played = 0
    while played < games and positions < MOST_POSITIONS:
        at = position
        while not at.is_terminal() and positions < MOST_POSITIONS:
            if at.is_chance():
                at = at.result(at.sample_chance(source.getrandbits(31)))
                continue
            listed = at.actions()
            positions, actions, most = positions + 1, actions + len(listed), max(most, len(listed))
            at = at.result(source.choice(listed))
        played += 1
    return Branching(actions / max(1, positions), most, positions, played, positions / max(1, played))
