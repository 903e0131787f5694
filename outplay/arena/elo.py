"""What a match score says about strength: the Elo difference with its error, and the sequential test that stops as early as it may.

Arpad Elo's scale (1978) turns an expected score into a difference of ratings; Abraham Wald's sequential probability ratio test
(1945) decides between two of them. Games come in pairs from one opening with the sides changed, and the pairs are what varies.

>>> elo(Tally(wins=60, draws=20, losses=20)).difference
147.19...
>>> elo(Tally(wins=10)).difference
inf
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Tally:
    """Games won, drawn and lost by the first of two players; ``pairs`` are its scores (0 to 2) in complete pairs of games."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[float, ...] = ()

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of points won, a draw counting half."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5


@dataclass(frozen=True)
class Elo:
    """A difference of ratings and the half width of its 95 % interval."""

    difference: float
    error: float


def rating(score: float) -> float:
    """The Elo difference at which this share of points is expected."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return -400 * math.log10(1 / score - 1)


def expected(difference: float) -> float:
    """The share of points expected at an Elo difference.

    >>> round(expected(100), 3)
    0.64
    """
    return 1 / (1 + 10 ** (-difference / 400))


def elo(tally: Tally) -> Elo:
    """The Elo difference that a tally shows, with the 95 % interval by its standard error."""
    if tally.games == 0:
        return Elo(0.0, math.inf)
    spread = 1.96 * standard_error(tally)
    low, high = rating(tally.score - spread), rating(tally.score + spread)
    return Elo(rating(tally.score), (high - low) / 2 if math.isfinite(high - low) else math.inf)


def standard_error(tally: Tally) -> float:
    """The standard error of the score: over pairs where all games are paired, over games otherwise."""
    if len(tally.pairs) * 2 == tally.games and len(tally.pairs) > 1:
        return _spread([pair / 2 for pair in tally.pairs])
    points = [1.0] * tally.wins + [0.5] * tally.draws + [0.0] * tally.losses
    return _spread(points) if len(points) > 1 else math.inf


def _spread(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))


@dataclass(frozen=True)
class Sprt:
    """Is the first player at least `high` Elo stronger, or at most `low`? Wrong with probability 5 % either way."""

    low: float = 0.0
    high: float = 10.0
    risk: float = 0.05

    def ratio(self, tally: Tally) -> float:
        """The logarithm of how much likelier the tally is at `high` than at `low` (normal approximation of the score)."""
        error = standard_error(tally)
        if tally.games < 2 or not math.isfinite(error):
            return 0.0
        # A score without any spread yet says little: one pseudo-draw of each kind keeps the ratio finite.
        variance = max(error**2, 0.25 / tally.games**2)
        low, high = expected(self.low), expected(self.high)
        return (high - low) * (2 * tally.score - low - high) / (2 * variance)

    def verdict(self, tally: Tally) -> str | None:
        """ "stronger", "not stronger", or None while the question is open.

        >>> Sprt(0, 50).verdict(Tally(wins=80, draws=20, losses=20))
        'stronger'
        >>> Sprt(0, 50).verdict(Tally(wins=3, losses=2)) is None
        True
        """
        bound = math.log((1 - self.risk) / self.risk)
        ratio = self.ratio(tally)
        return "stronger" if ratio >= bound else "not stronger" if ratio <= -bound else None
