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

    def __str__(self) -> str:
        """The difference with its interval, where there are games enough for one.

        >>> print(Elo(58.4, 29.1), Elo(math.inf, math.inf), Elo(382.0, math.inf), sep="; ")
        +58 ± 29; beyond measure; +382 (too few games for an interval)
        """
        if not math.isfinite(self.difference):
            return "beyond measure"
        difference = round(self.difference) + 0
        return f"{difference:+d} " + (f"± {self.error:.0f}" if math.isfinite(self.error) else "(too few games for an interval)")


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


FEW = 10
"""Equal results below this number are no evidence of an interval of nothing."""


def elo(tally: Tally) -> Elo:
    """The Elo difference that a tally shows, with the 95 % interval by its standard error.

    A few games, or pairs of them, that all ended alike say nothing of how far such results spread:

    >>> print(elo(Tally(wins=2, draws=2, pairs=(1.5, 1.5))))
    +191 (too few games for an interval)
    """
    if tally.games == 0:
        return Elo(0.0, math.inf)
    spread = 1.96 * standard_error(tally)
    if spread == 0 and (len(tally.pairs) or tally.games) < FEW:
        return Elo(rating(tally.score), math.inf)
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


OUTCOMES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The shares of the points that a pair of games can bring: the five outcomes that the pentanomial statistics count."""


def pentanomial(tally: Tally) -> tuple[int, ...]:
    """How many pairs of games brought 0, 1/2, 1, 3/2 and 2 points.

    >>> pentanomial(Tally(wins=3, draws=2, losses=1, pairs=(2.0, 1.5, 0.5)))
    (0, 1, 0, 1, 1)
    """
    return tuple(sum(round(2 * pair) == number for pair in tally.pairs) for number in range(5))


def likelihood(counts: Sequence[float], values: Sequence[float], mean: float) -> list[float]:
    """The likeliest probabilities of these values, having been met so often, among all whose mean is the one given.

    With a multiplier x for the mean, each is its own share divided by 1 + x (value - mean); x is where the mean comes out right.
    """
    total = sum(counts)
    shares = [count / total for count in counts]
    low = -1 / (max(values) - mean) + 1e-12
    high = 1 / (mean - min(values)) - 1e-12
    for _ in range(100):  # the sum falls with x: halve the interval
        middle = (low + high) / 2
        if sum(share * (value - mean) / (1 + middle * (value - mean)) for share, value in zip(shares, values, strict=True)) > 0:
            low = middle
        else:
            high = middle
    return [share / (1 + low * (value - mean)) for share, value in zip(shares, values, strict=True)]


@dataclass(frozen=True)
class Sprt:
    """Is the first player at least `high` Elo stronger (H1), or at most `low` (H0)? Wrong with probability `risk` either way.

    Wald's test on the generalized likelihood ratio (Michel Van den Bergh, 2018): under either hypothesis the likeliest distribution
    of the five outcomes of a pair of games, given what was played. Games that are not paired are counted singly.
    """

    low: float = 0.0
    high: float = 10.0
    risk: float = 0.05

    @property
    def bound(self) -> float:
        """The ratio, up or down, that decides."""
        return math.log((1 - self.risk) / self.risk)

    def ratio(self, tally: Tally) -> float:
        """The logarithm of how much likelier the games are at `high` than at `low`."""
        paired = 2 * len(tally.pairs) == tally.games
        counts: Sequence[float] = pentanomial(tally) if paired else (tally.losses, 0, tally.draws, 0, tally.wins)
        if not sum(counts):
            return 0.0
        counts = [max(count, 1e-3) for count in counts]  # an outcome that was not met yet may still come
        under = [likelihood(counts, OUTCOMES, expected(difference)) for difference in (self.low, self.high)]
        return sum(count * math.log(high / low) for count, low, high in zip(counts, *under, strict=True))

    def verdict(self, tally: Tally) -> str | None:
        """ "stronger", "not stronger", or None while the question is open.

        >>> Sprt(0, 50).verdict(Tally(wins=80, draws=20, losses=20))
        'stronger'
        >>> Sprt(0, 50).verdict(Tally(wins=3, losses=2)) is None
        True
        """
        ratio = self.ratio(tally)
        return "stronger" if ratio >= self.bound else "not stronger" if ratio <= -self.bound else None

    def told(self, tally: Tally) -> str:
        """Where the test stands, with its hypotheses and why it stopped or goes on.

        >>> Sprt(0, 50).told(Tally(wins=80, draws=20, losses=20))
        'SPRT: H1 (at least 50 Elo) is accepted over H0 (at most 0 Elo): log likelihood ratio 8.95 reached 2.94'
        """
        ratio = self.ratio(tally)
        first, second = f"H0 (at most {self.low:g} Elo)", f"H1 (at least {self.high:g} Elo)"
        if ratio >= self.bound:
            return f"SPRT: {second} is accepted over {first}: log likelihood ratio {ratio:.2f} reached {self.bound:.2f}"
        if ratio <= -self.bound:
            return f"SPRT: {first} is accepted over {second}: log likelihood ratio {ratio:.2f} reached {-self.bound:.2f}"
        return f"SPRT: open between {first} and {second}: log likelihood ratio {ratio:.2f} is within ±{self.bound:.2f}"


def ratings(results: Sequence[tuple[int, int, float]], players: int) -> list[Elo]:
    """The Elo of each player from games (first, second, points of the first), about an average of 0, with its 95 % error.

    The model of Zermelo (1929) and of Bradley and Terry (1952), a draw counting half; one draw of everybody against an average
    player is added, so that nobody who won all its games is infinitely strong.

    >>> [round(each.difference) for each in ratings([(0, 1, 1.0)] * 30 + [(0, 1, 0.0)] * 10, 2)]
    [94, -94]
    """
    strength = [0.0] * players
    scale = math.log(10) / 400
    slope, curve = [0.0] * players, [1.0] * players
    for _ in range(200):
        slope = [0.5 - expected(each) for each in strength]
        curve = [expected(each) * (1 - expected(each)) for each in strength]
        for first, second, points in results:
            wanted = expected(strength[first] - strength[second])
            for player, sign in ((first, 1), (second, -1)):
                slope[player] += sign * (points - wanted)
                curve[player] += wanted * (1 - wanted)
        step = [0.5 * up / bend / scale for up, bend in zip(slope, curve, strict=True)]
        strength = [each + more for each, more in zip(strength, step, strict=True)]
        if max(map(abs, step)) < 1e-6:
            break
    middle = sum(strength) / players
    return [Elo(each - middle, 1.96 / math.sqrt(bend) / scale) for each, bend in zip(strength, curve, strict=True)]
