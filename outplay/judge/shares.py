"""What a value means: the shares of games that are won, drawn and lost from there, fitted for each game on games of its own.

A value that is proved needs no fit. An estimate v of the first player's, in the game's unit, becomes

    won = s((v - draw) / width),   lost = s((-v - draw) / width),   drawn = the rest,   s(x) = 1 / (1 + e^-x)

and a small share `slips` of all that goes any way, whatever the value says, and where what happened still differs from that, the
share is read by a line through a point for each tenth of the scale (`bend`);

with a width that may grow with the plies that are left (where the rules tell them), as discs counted early say less than discs
counted late. `outplay calibrate GAME` plays games of mixed strength, looks at their positions and finds the numbers by maximum
likelihood; the fits of our own games come with the package (`calibrations.json`). Another game is fitted on a few quick games when
the first estimate is to be read.

>>> even = Fit(width=1.0, draw=0.5).shares(0.0)
>>> round(even.won, 3), round(even.drawn, 3), even.share
(0.378, 0.245, 0.5)
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from outplay.errors import BadValue
from outplay.files import write_whole

SHIPPED = Path(__file__).with_name("calibrations.json")
MOST_SLIPS = 0.3
SLIPS_DRAWN = 0.5  # of the slips, in games that know draws
MANY = 400  # so many positions in a tenth of the scale say how it is to be read
BY_FEATURES = " by features"  # behind the family's name, where a network judges other kinds of the game
FAR = 30.0  # further from the middle nothing changes any more


@dataclass(frozen=True)
class Shares:
    """How games go on from here, as a seat sees it: won, drawn and lost add up to 1."""

    won: float
    drawn: float
    lost: float

    @property
    def share(self) -> float:
        """The share of winning, a draw counting half."""
        return self.won + self.drawn / 2

    def turned(self) -> Shares:
        """The same for the other side."""
        return Shares(self.lost, self.drawn, self.won)


@dataclass(frozen=True)
class Fit:
    """How to read the estimates of one game."""

    width: float = 1.0  # in the unit, where no plies are left or the rules do not tell
    growth: float = 0.0  # the width is e^growth times as large for each 10 plies left
    draw: float = 0.0  # half the distance, in the unit, between as many wins as the rest and as many losses as the rest
    slips: float = 0.0  # of so many games the value tells nothing: they are won or lost by slips that come later
    tempo: float = 0.0  # by how much, in the unit, a value is too good for whoever is to move where the search ends
    jump: float = 0.0  # nineteen of twenty values change by no more, in the unit, from a depth to the next; 0: not measured
    unit: str = ""
    games: int = 0
    positions: int = 0
    error: float = 0.0  # the greatest distance between foretold and happened in ten parts of the scale, in shares
    curve: tuple[tuple[float, float, int], ...] = field(default=())  # foretold, happened, how many
    bend: tuple[tuple[float, float], ...] = field(default=())  # shares above a half, each with what it is read as

    def shares(self, value: float, left: int = 0) -> Shares:
        """Won, drawn and lost for the one whose value it is."""
        width = self.width * math.exp(self.growth * left / 10)
        draw = self.draw * math.exp(self.growth * left / 10)
        won, lost = logistic((value - draw) / width), logistic((-value - draw) / width)
        rest, drawn = 1 - self.slips, SLIPS_DRAWN if self.draw > 0 else 0.0
        even = (1 - drawn) / 2 * self.slips
        told = Shares(rest * won + even, rest * max(0.0, 1 - won - lost) + drawn * self.slips, rest * lost + even)
        return bent(told, self.bend) if self.bend else told


def bent(told: Shares, bend: Sequence[tuple[float, float]]) -> Shares:
    """Shares whose sum is read by a line through points, the same from both sides; as many draws as there is room for.

    >>> [round(bent(told, [(0.8, 0.7)]).share, 6) for told in (Shares(0.7, 0.2, 0.1), Shares(0.1, 0.2, 0.7))]
    [0.7, 0.3]
    """
    if told.share < 0.5 - 1e-9:
        return bent(told.turned(), bend).turned()
    points = [(0.5, 0.5), *bend, (1.0, 1.0)]
    share = float(np.interp(told.share, [one for one, _ in points], [other for _, other in points]))
    drawn = min(told.drawn, 2 * (1 - share))
    won = share - drawn / 2
    return Shares(won, drawn, 1 - won - drawn)


def logistic(x: float) -> float:
    """1 / (1 + e^-x), without overflow."""
    return 1 / (1 + math.exp(-min(FAR, max(-FAR, x))))


# ---------------------------------------------------------------- units


@dataclass(frozen=True)
class Unit:
    """What values of a game are counted in when people hear of them."""

    name: str  # in the plural, such as "pawns"
    points: float  # points of the evaluation in one
    utility: float  # of them in one unit of utility; 0 where a utility is the game itself

    def words(self, amount: float) -> str:
        """An amount in words.

        >>> from outplay.game import load
        >>> unit_of(load("chess")).words(1.234), unit_of(load("othello")).words(1)
        ('1.2 pawns', '1 disc')
        """
        told = f"{amount:.2g}" if abs(amount) < 0.1 else f"{amount:.1f}".removesuffix(".0")
        name = self.name.removesuffix("s") if told in ("1", "-1") and not self.name.endswith("ss") else self.name
        name = "man" if name == "men" and told in ("1", "-1") else name
        return f"{told} {name}"

    def signed(self, amount: float) -> str:
        """An amount with its sign."""
        return f"{'−' if amount < 0 else '+'}{self.words(abs(amount))}"


PLURALS = {"man": "men"}


def unit_of(game: Any) -> Unit:
    """The unit of a game: its evaluation's, made whole ("hundredths of a disc" are discs).

    >>> from outplay.game import load
    >>> unit_of(load("checkers")).name, unit_of(load("tic-tac-toe")).name
    ('men', 'games')
    """
    traits = game.traits
    is_plain = traits.bounds in ((-1.0, 1.0), (0.0, 1.0))
    counted = game.offers("evaluate") and getattr(game, "unit", "")
    unit, points = str(counted or getattr(game, "pays", "") or getattr(game, "unit", "") or "points"), 1.0
    if unit == "centipawns":
        unit, points = "pawns", 100.0
    elif found := re.fullmatch(r"(hundredths|thousandths|ten thousandths) of (an? )?(.+)", unit):
        points = {"hundredths": 100.0, "thousandths": 1000.0, "ten thousandths": 10_000.0}[found[1]]
        unit = PLURALS.get(found[3], found[3] if found[2] is None else found[3] + "s")
        if found[2] is None:  # of something that there is once: in hundredths of it
            unit, points = f"% of {unit}", points / 100
    if is_plain and not game.offers("evaluate"):
        return Unit("games", traits.scale, 1.0)
    return Unit(unit, points, 0.0 if is_plain else traits.scale / points)


def drawn_out(value: float, unit: Unit) -> float:
    """A share of won games drawn out over all numbers, as a curve wants it; other units are so already."""
    if unit.name != "games":
        return value
    share = min(1 - 1e-4, max(1e-4, (value + 1) / 2))
    return math.log(share / (1 - share))


# ---------------------------------------------------------------- fitting


def fitted(values: Sequence[float], scores: Sequence[float], left: Sequence[int], start: float) -> Fit:
    """The fit that makes what happened likeliest: `scores` are the first player's, 1 for a win, 0.5 for a draw.

    >>> rng = np.random.default_rng(0)
    >>> told = rng.normal(0, 3, 4000)
    >>> came = (rng.random(4000) < 1 / (1 + np.exp(-told / 2))).astype(float)
    >>> abs(fitted(told, came, [0] * 4000, 1.0).width - 2) < 0.15
    True
    """
    v, s, p = np.asarray(values, float), np.asarray(scores, float), np.asarray(left, float) / 10
    has_draws, has_left = bool(np.any(s == 0.5)), bool(np.any(p > 0))

    def cost(theta: np.ndarray) -> float:
        stretch = np.exp(theta[1] * p)
        width, draw = math.exp(theta[0]) * stretch, theta[2] * stretch
        won, lost = (1 / (1 + np.exp(-np.clip(x / width, -FAR, FAR))) for x in (v - draw, -v - draw))
        drawn = SLIPS_DRAWN if has_draws else 0.0
        told = np.where(s > 0.5, won, np.where(s < 0.5, lost, 1 - won - lost))
        likely = (1 - theta[3]) * told + theta[3] * np.where(s == 0.5, drawn, (1 - drawn) / 2)
        return float(-np.log(np.maximum(likely, 1e-9)).mean()) + 1e-4 * float(theta[1] ** 2)

    theta, steps = (
        np.array([math.log(max(start, 1e-9)), 0.0, start / 2 if has_draws else 0.0, 0.05]),
        np.array([1.0, 0.2, start, 0.02]),
    )
    best = cost(theta)
    free = [0, 3, *([1] if has_left else []), *([2] if has_draws else [])]
    for _ in range(200):  # along each axis, a step that shrinks where it does not help
        for axis in free:
            for sign in (1, -1):
                tried = theta.copy()
                tried[axis] += sign * steps[axis]
                if tried[2] >= 0 and 0 <= tried[3] <= MOST_SLIPS and (worth := cost(tried)) < best:
                    theta, best = tried, worth
                    steps[axis] *= 1.5
                    break
            else:
                steps[axis] *= 0.6
    fit = Fit(width=math.exp(theta[0]), growth=float(theta[1]), draw=float(theta[2]), slips=float(theta[3]), positions=len(v))
    fit = replace(fit, bend=bend_of(reliability([fit.shares(a, b).share for a, b in zip(values, left, strict=True)], scores)))
    curve = reliability([fit.shares(a, b).share for a, b in zip(values, left, strict=True)], scores)
    return replace(fit, curve=curve, error=round(worst(curve), 4))


def bend_of(curve: Sequence[tuple[float, float, int]]) -> tuple[tuple[float, float], ...]:
    """How shares above a half are to be read, by what happened: rising, and only where many positions tell."""
    points: list[tuple[float, float]] = []
    for foretold, happened, count in curve:
        if foretold > 0.5 and count >= MANY:
            points.append((foretold, max(points[-1][1] if points else 0.5, min(happened, 1 - 1e-3))))
    return tuple(points)


def reliability(foretold: Sequence[float], happened: Sequence[float]) -> tuple[tuple[float, float, int], ...]:
    """Tenth by tenth of the scale: the mean share foretold, the mean that happened, and how many positions."""
    rows = []
    for tenth in range(10):
        inside = [(a, b) for a, b in zip(foretold, happened, strict=True) if min(9, int(a * 10)) == tenth]
        if inside:
            rows.append(
                (round(sum(a for a, _ in inside) / len(inside), 4), round(sum(b for _, b in inside) / len(inside), 4), len(inside))
            )
    return tuple(rows)


def worst(curve: Sequence[tuple[float, float, int]], least: int = 100) -> float:
    """The greatest distance between foretold and happened where there are enough positions to tell."""
    return max((abs(a - b) for a, b, count in curve if count >= least), default=0.0)


# ---------------------------------------------------------------- files


@functools.cache
def shipped() -> dict[str, Fit]:
    """The fits that come with the package, by the family of the game."""
    return read(SHIPPED) if SHIPPED.exists() else {}


def known(game: Any) -> Fit | None:
    """The fit that comes with the package for a game; kinds of a game that its network is not for have another than the others.

    >>> from outplay.game import load
    >>> english, russian = (known(load(f"checkers:variant={kind}")) for kind in ("english", "russian"))
    >>> english is not None and russian is not None and english.width < russian.width
    True
    """
    from outplay.engine import preferences

    by_features = game.family in preferences.NETWORKS and not preferences.network(game)
    return shipped().get(game.family + BY_FEATURES * by_features)


def read(path: Path) -> dict[str, Fit]:
    """Fits out of a file."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    pairs = ("curve", "bend")
    return {
        name: Fit(**{**row, **{each: tuple(tuple(point) for point in row.get(each, ())) for each in pairs}})
        for name, row in kept.items()
    }


def fit_in(path: Path, game: Any) -> Fit:
    """The fit of one game out of a file that somebody named."""
    family = game.family
    try:
        known = read(path)
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise BadValue(
            f"cannot read fits from {path}: {getattr(problem, 'strerror', None) or 'outplay calibrate --out writes them'}"
        ) from None
    if family not in known:
        raise BadValue(f"{path} has no fit for {family}: outplay calibrate {family!r} --out {path} makes one")
    return known[family]


def write(path: Path, fits: dict[str, Fit]) -> None:
    """Fits into a file, a game a line."""
    rows = [f"{json.dumps(name)}: {json.dumps(asdict(fits[name]))}" for name in sorted(fits)]
    write_whole(path, "{\n" + ",\n".join(rows) + "\n}\n")
