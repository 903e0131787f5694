"""What a point is: between the utilities and evaluations of a game, and the whole numbers that alpha-beta counts in.

A kernel's value is (utility - centre) * scale * grain * spread. `centre` is half of a constant sum, so that two sides' values
cancel; `scale` is the game's own points per unit of utility; `grain` makes points finer where the game's evaluation has fractions;
`spread` leaves room for the distance to the end of the game. `stake` is what a clear gain is in points, the unit of margins.

>>> from outplay.game import load
>>> chess = Units.of(load("chess"), distance=True)
>>> chess.grain, chess.stake, chess.points(150), chess.value(-37 * 1024)
(1, 100.0, 150, -37.0)
"""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass, replace

import numpy as np

from outplay.engine.alphabeta.bounds import INFINITY
from outplay.engine.alphabeta.steps import MOST_POINTS, SPREAD
from outplay.errors import Unsuitable
from outplay.game import CompiledGame, Game

FINE = 100.0  # kernel points in a stake, at least, where evaluations have fractions
GRAINS = (1, 2, 4, 5, 8, 10, 12, 60, 100, 120, 1000, 1024, 10_000)  # tried in turn where utilities have fractions
GAMES, PLIES = 8, 40  # random games by which a stake is measured
CLEAR = 75  # percent: a stake is as large as the change of the evaluation by this share of random plies


def middle(game: Game) -> tuple[float, float]:
    """Half of what the utilities add up to, and the greatest distance of a utility from there."""
    centre = (game.traits.total or 0.0) / 2
    return centre, max(abs(bound - centre) for bound in game.traits.bounds)


def need_countable(game: Game, *, distance: bool, in_points: bool = True) -> None:
    """Refuse a game whose utilities are too great for the kernels' whole numbers."""
    greatest, spread = middle(game)[1] * (game.traits.scale if in_points else 1.0), SPREAD if distance else 1
    if not np.isfinite(greatest) or greatest * spread >= INFINITY:
        limit = INFINITY // spread
        raise Unsuitable(f"the engine counts in whole numbers up to {limit}; {game.name} goes up to {greatest:g}: use the textbook")


@dataclass(frozen=True)
class Units:
    """The arithmetic of one search."""

    scale: float
    spread: int
    grain: int
    centre: float
    stake: float
    most: float  # the greatest distance of a utility from the centre

    @classmethod
    def of(cls, game: CompiledGame, *, distance: bool, in_points: bool = True) -> Units:
        """The units that suit a game; without points, utilities alone are counted."""
        need_countable(game, distance=distance, in_points=in_points)
        traits = game.traits
        centre, most = middle(game)
        stake, is_whole = stake_of(game) if in_points else (1.0, True)
        units = cls(float(traits.scale) if in_points else 1.0, SPREAD if distance else 1, 1, centre, stake, most)
        if not is_whole:
            grain = max(1, int(np.ceil(FINE / stake)))
            while grain > 1 and not replace(units, grain=grain)._fits():
                grain //= 2
            units = replace(units, grain=grain)
        return units

    def finer(self) -> Units | None:
        """The same with a finer grain, for utilities between whole numbers; None where there is none."""
        grain = next((each for each in GRAINS if each > self.grain), None)
        if grain is None or not (made := replace(self, grain=grain))._fits():
            return None
        return made

    def _fits(self) -> bool:
        greatest = self.most * self.scale * self.grain
        return bool(np.isfinite(greatest)) and greatest * self.spread < INFINITY and greatest <= MOST_POINTS

    def whole(self, utility: float) -> int:
        """A utility in the kernel's numbers."""
        return round((utility - self.centre) * self.scale * self.grain) * self.spread

    def greatest(self) -> int:
        """The greatest value that there can be."""
        return round(self.most * self.scale * self.grain) * self.spread

    def points(self, hundredths: int) -> int:
        """A margin in hundredths of a stake as points of the kernel, without spread; not 0 unless it is 0."""
        return max(1, round(hundredths * self.stake / 100 * self.grain)) if hundredths else 0

    def value(self, value: int) -> float:
        """A kernel's value in points of the game, for the side to move, the centre still taken off."""
        return in_points(value, self.spread)[0] / self.grain


def in_points(value: int, spread: int) -> tuple[int, int | None]:
    """A kernel's value without its distance, and the plies to the end where that end is in sight.

    >>> in_points(5 * 1024 - 3, 1024), in_points(-5 * 1024 + 3, 1024), in_points(7 * 1024, 1024), in_points(-1, 1)
    ((5, 3), (-5, 3), (7, None), (-1, None))
    """
    size = abs(value)
    points = -(-size // spread)
    plies = points * spread - size
    return (points if value >= 0 else -points), plies or None


@functools.lru_cache(maxsize=256)
def stake_of(game: CompiledGame) -> tuple[float, bool]:
    """What a clear gain is in points, and whether all evaluations are whole numbers: by the rules, or by random games."""
    given = game.rules.stake
    if not game.offers("evaluate"):
        return 1.0, True
    if given is not None and given >= FINE / 2:
        return float(given), True
    face, source = type(game)(game.rules, compiled=False), random.Random(0)  # plain Python: nothing is compiled for this
    changes, is_whole = [], True
    for _ in range(GAMES):
        position, before = face.start(), None
        for _ in range(PLIES):
            if position.is_terminal():
                break
            value = float(position.evaluate(0))
            is_whole = is_whole and value == round(value)
            if before is not None and value != before:
                changes.append(abs(value - before))
            before = value
            position = position.result(source.choice(position.actions()))
    measured = float(np.percentile(changes, CLEAR)) if changes else 1.0
    return (float(given) if given is not None else measured), is_whole
