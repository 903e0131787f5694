"""Levels of play for people, the same words for every game: fewer positions looked at, and slips among the best actions.

>>> level("club").rating, level("1234").rating, level("full").rating
(1500, 1234, None)
>>> level("beginner").nodes, level("club").nodes
(120, 61440)
>>> level("clubb")
Traceback (most recent call last):
outplay.errors.UnknownName: unknown level 'clubb': did you mean 'club'?

Where they were measured for a game (`benchmarks/levels.py`), each level is one even step below the next: it wins about a third
of their games, or more where there is not so much between a beginner and perfect play. The ratings are meant for chess, where
positions are doubled for every hundred points; other games share the numbers of positions and the slips, which are measured in
stakes (what a clear gain is worth in the points of the game, a pawn in chess).
"""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from outplay.errors import BadValue, UnknownName
from outplay.game import Position
from outplay.values import UTILITY, Action, Limits, Result

LEVELS: dict[str, int | None] = {"beginner": 600, "casual": 1000, "club": 1500, "strong": 1900, "master": 2300, "full": None}
"""Words for people, and the rating that each stands for in chess."""

LEAST, MOST = 500, 2500
LINES = 4
"""Among how many of the best actions a player below full strength chooses, where its search does not say more."""
ALWAYS = {"perfect": 4, "hidden": 40}
"""An error so large is made always where a search says nothing of the other actions, a smaller one more seldom; in a game that
hides something those are bids, of which one wrong call spoils the hand."""

NODES_A_SIMULATION = 60
STAKE = 100.0


@dataclass(frozen=True)
class Level:
    """How well to play; without a rating, as well as can be."""

    rating: int | None = None
    word: str = ""
    measured: tuple[int, float] | None = None
    """Positions and spread of errors, where they were measured for the game."""

    @property
    def nodes(self) -> int | None:
        """How many positions a player of this rating may look at: doubled for every hundred points."""
        if self.measured is not None:
            return self.measured[0]
        return None if self.rating is None else int(60 * 2 ** ((self.rating - 500) / 100))

    @property
    def slip(self) -> float:
        """The spread of an error of judgement, in stakes: about a pawn at 800, none from 2000 on."""
        if self.measured is not None:
            return self.measured[1]
        return 0.0 if self.rating is None else max(0.0, (2000 - self.rating) / 1200)

    def of(self, game: Any) -> Level:
        """The level as it was measured for a game, so that one word is one step of strength; where it was not, as it is.

        >>> from outplay.game import load
        >>> level("club").of(load("tic-tac-toe")).slip > 0, level("1234").of(load("tic-tac-toe")) == level("1234")
        (True, True)
        """
        found = _measured().get(game.name, {}).get(self.word)
        return self if found is None else replace(self, measured=(int(found[0]), float(found[1])))

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
        worths, stake = worths_of(position, found), stake_of(position, found)
        if self.slip == 0.0 or found.action is None:
            return found.action
        if len(worths) < 2:  # no values: by how much it likes each
            worths = {one.action: one.share for one in found.choices if one.share is not None}
            stake = max(worths.values(), default=0.0)
        if len(worths) < 2:  # the search says nothing of the others: now and then one that stands near
            near = among(position.actions(), found.action)
            errs = source.random() < self.slip / ALWAYS[position.game.traits.information]
            return source.choice(near) if errs else found.action
        spread = self.slip * stake
        best = sorted(worths, key=lambda action: -worths[action])[: int(found.facts.get("among", LINES))]
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
    return Level(LEVELS[word], word)


def are_measured(game: str) -> bool:
    """Whether the levels of a game, by its name, were measured.

    >>> are_measured("chess"), are_measured("rock-paper-scissors")
    (True, False)
    """
    return game in _measured()


@functools.cache
def _measured() -> dict[str, dict[str, list[float]]]:
    """For each game that `benchmarks/levels.py` was run for: positions and errors of each level."""
    return dict(json.loads(Path(__file__).with_name("levels.json").read_text(encoding="utf-8")))


def among(actions: Sequence[Action], action: Action) -> Sequence[Action]:
    """Those that stand next to an action in the order of the rules, itself among them: a bid, and the bids one lower and higher.

    >>> among(["pass", "1C", "1D", "1H", "1S"], "pass"), among(["pass", "1C", "1D", "1H", "1S"], "1D")
    (['pass', '1C', '1D'], ['1C', '1D', '1H'])
    """
    place = max(1, min(actions.index(action), len(actions) - 2)) if len(actions) > 2 and action in actions else 1
    return actions[place - 1 : place + 2]


def stake_of(position: Position, found: Result) -> float:
    """What a clear gain is worth in the unit of a result: what the search says of its own, a tenth of all there is where values
    are utilities, and where they are proved a quarter, for then only a lost game is an error."""
    if "stake" in found.facts:
        return float(found.facts["stake"])
    if found.unit == UTILITY:
        least, most = position.game.traits.bounds
        return (most - least) / (4 if found.exact else 10)
    return float(getattr(getattr(position.game, "rules", None), "stake", 0) or STAKE)


def worths_of(position: Position, found: Result) -> Mapping[Any, float]:
    """What each action is worth to the player to move, as far as a result tells."""
    mover = position.player()

    def mine(value: Any) -> float:
        return float(value[mover]) if isinstance(value, tuple) else float(value) if mover == 0 else -float(value)

    return {one.action: mine(one.value) for one in found.choices if one.value is not None}
