"""Levels of play for people, the same words for every game: fewer positions looked at, and slips among the best actions.

>>> level("club").rating, level("1234").rating, level("full").rating
(1500, 1234, None)
>>> level("beginner").nodes, level("club").nodes
(120, 61440)
>>> level("clubb")
Traceback (most recent call last):
outplay.errors.UnknownName: unknown level 'clubb': did you mean 'club'?

The ratings are meant for chess, where positions are doubled for every hundred points; other games share the numbers of positions
and the slips, which are measured in stakes (what a clear gain is worth in the points of the game, a pawn in chess).
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from outplay.errors import BadValue, UnknownName
from outplay.game import Position
from outplay.values import UTILITY, Action, Limits, Result

LEVELS: dict[str, int | None] = {"beginner": 600, "casual": 1000, "club": 1500, "strong": 1900, "master": 2300, "full": None}
"""Words for people, and the rating that each stands for in chess."""

LEAST, MOST = 500, 2500
LINES = 4
"""Among how many of the best actions a player below full strength chooses."""

NODES_A_SIMULATION = 60
STAKE = 100.0


@dataclass(frozen=True)
class Level:
    """How well to play; without a rating, as well as can be."""

    rating: int | None = None

    @property
    def nodes(self) -> int | None:
        """How many positions a player of this rating may look at: doubled for every hundred points."""
        return None if self.rating is None else int(60 * 2 ** ((self.rating - 500) / 100))

    @property
    def slip(self) -> float:
        """The spread of an error of judgement, in stakes: about a pawn at 800, none from 2000 on."""
        return 0.0 if self.rating is None else max(0.0, (2000 - self.rating) / 1200)

    def within(self, limits: Limits, is_monte_carlo: bool) -> Limits:
        """The limits of a search at this level."""
        if self.nodes is None:
            return limits
        if is_monte_carlo:
            few = max(8, self.nodes // NODES_A_SIMULATION)
            return replace(limits, simulations=min(few, limits.simulations or few))
        return replace(limits, nodes=min(self.nodes, limits.nodes or self.nodes))

    def choose(self, position: Position, found: Result, source: random.Random) -> Action:
        """The action of a player of this level: the best one, unless an error of judgement makes another look better."""
        worths = worths_of(position, found)
        if self.slip == 0.0 or found.action is None:
            return found.action
        if len(worths) < 2:  # the search says nothing of the others: now and then any of them
            return source.choice(position.actions()) if source.random() < self.slip / 4 else found.action
        spread = self.slip * stake_of(position, found)
        best = sorted(worths, key=lambda action: -worths[action])[:LINES]
        return max(best, key=lambda action: worths[action] + source.gauss(0, spread))


def level(text: str | int) -> Level:
    """The level that a word or a rating names."""
    word = str(text).strip().lower()
    if word.isdecimal():
        if len(word) > 5 or not LEAST <= int(word) <= MOST:
            raise BadValue(f"level must be a rating from {LEAST} to {MOST} or one of {', '.join(LEVELS)}, got {word[:20]}")
        return Level(int(word))
    if word not in LEVELS:
        raise UnknownName("level", str(text), LEVELS)
    return Level(LEVELS[word])


def stake_of(position: Position, found: Result) -> float:
    """What a clear gain is worth in the unit of a result: a tenth of all there is where values are utilities."""
    if found.unit == UTILITY:
        least, most = position.game.traits.bounds
        return (most - least) / 10
    return float(getattr(getattr(position.game, "rules", None), "stake", 0) or STAKE)


def worths_of(position: Position, found: Result) -> Mapping[Any, float]:
    """What each action is worth to the player to move, as far as a result tells."""
    mover = position.player()

    def mine(value: Any) -> float:
        return float(value[mover]) if isinstance(value, tuple) else float(value) if mover == 0 else -float(value)

    return {one.action: mine(one.value) for one in found.choices if one.value is not None}
