"""Ratings of people, who play now and then and get better: Glicko-2 (Mark Glickman, 2012).

A rating has a deviation, which grows while nobody plays, and a volatility, by which a rating may run away. Games are looked at
together in periods; here each day on which somebody played is one. The example is the one of Glickman's paper:

>>> somebody = Rating(1500, 200)
>>> after = somebody.after([(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)])
>>> round(after.rating, 1), round(after.deviation, 1), round(after.volatility, 5)
(1464.1, 151.5, 0.06)
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from outplay.errors import BadValue, shorten
from outplay.files import write_whole

SCALE = 400 / math.log(10)
"""Points of a rating that are one unit of the model."""
CONSTRAINT = 0.5
"""How little volatilities change (tau): from 0.3 to 1.2."""
PRECISE = 1e-6


@dataclass(frozen=True)
class Rating:
    """How strong somebody is believed to be, how unsure that is, and how unsteady the strength."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06

    @property
    def interval(self) -> tuple[float, float]:
        """Where the strength lies with 95 %."""
        return self.rating - 1.96 * self.deviation, self.rating + 1.96 * self.deviation

    def expected(self, other: Rating) -> float:
        """The share of points to expect against somebody, both being as unsure as they are.

        >>> round(Rating(1700, 50).expected(Rating(1500, 50)), 2)
        0.75
        """
        both = math.hypot(self.deviation, other.deviation) / SCALE
        return _expected((self.rating - other.rating) / SCALE, both)

    def after(self, games: Iterable[tuple[Rating, float]]) -> Rating:
        """The rating after a period with these games: the others' ratings before it, and the points won (1, 0.5, 0)."""
        met = list(games)
        deviation = self.deviation / SCALE
        if not met:
            return self.idle()
        parts = []
        for other, points in met:
            if not 0.0 <= points <= 1.0:
                raise BadValue(f"the points of a game must be from 0 to 1, got {points!r}")
            weight = _weight(other.deviation / SCALE)
            parts.append((weight, _expected((self.rating - other.rating) / SCALE, other.deviation / SCALE), points))
        information = sum(weight**2 * share * (1 - share) for weight, share, _ in parts)
        surplus = sum(weight * (points - share) for weight, share, points in parts)
        variance = 1 / max(information, 1e-12)
        volatility = _volatility(self.volatility, deviation, variance, variance * surplus)
        widened = deviation**2 + volatility**2
        deviation = 1 / math.sqrt(1 / widened + 1 / variance)
        return Rating(self.rating + SCALE * deviation**2 * surplus, min(350.0, SCALE * deviation), volatility)

    def idle(self, periods: float = 1.0) -> Rating:
        """The rating after periods without a game: as high as before, and less sure."""
        widened = math.sqrt((self.deviation / SCALE) ** 2 + max(0.0, periods) * self.volatility**2)
        return Rating(self.rating, min(350.0, SCALE * widened), self.volatility)


def _weight(deviation: float) -> float:
    """How much a game against somebody so unsure tells."""
    return 1 / math.sqrt(1 + 3 * deviation**2 / math.pi**2)


def _expected(difference: float, deviation: float) -> float:
    return 1 / (1 + math.exp(-max(-40.0, min(40.0, _weight(deviation) * difference))))


def _volatility(before: float, deviation: float, variance: float, surprise: float) -> float:
    """The volatility that explains the surprise best: Glickman's step 5, by the Illinois method."""
    start = math.log(before**2)

    def slope(x: float) -> float:
        grown = math.exp(x)
        total = deviation**2 + variance + grown
        return grown * (surprise**2 - total) / (2 * total**2) - (x - start) / CONSTRAINT**2

    low = start
    if surprise**2 > deviation**2 + variance:
        high = math.log(surprise**2 - deviation**2 - variance)
    else:
        steps = 1
        while slope(start - steps * CONSTRAINT) < 0:
            steps += 1
        high = start - steps * CONSTRAINT
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > PRECISE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)


@dataclass
class Person:
    """The rating at the begin of a day, and that day's games."""

    before: Rating
    day: int  # days since 1970
    games: list[tuple[tuple[float, float, float], float]] = field(default_factory=list)
    played: int = 0


@dataclass
class Ratings:
    """Who has which rating at which game, kept in a file on this machine; nothing leaves it.

    >>> kept = Ratings()
    >>> kept.played("nim", "Ada", Rating(1500, 60), 1.0, day=20_000)
    >>> told = kept.of("nim", "Ada", day=20_000)
    >>> told.rating > 1600, told.deviation < 350, kept.of("chess", "Ada") == Rating()
    (True, True, True)
    """

    people: dict[str, dict[str, Person]] = field(default_factory=dict)
    """By game and name."""

    def of(self, game: str, name: str, *, day: int | None = None) -> Rating:
        """Somebody's rating at a game, today's games counted; on a later day less sure."""
        person = self.people.get(game, {}).get(name)
        if person is None:
            return Rating()
        now = person.before.after([(Rating(*other), points) for other, points in person.games]) if person.games else person.before
        return now if day is None else now.idle(max(0, day - person.day))

    def played(self, game: str, name: str, other: Rating, points: float, *, day: int) -> None:
        """Note a game: against whom, and the points (1, 0.5, 0). The games of a day are one period."""
        if not 0.0 <= points <= 1.0:
            raise BadValue(f"the points of a game must be from 0 to 1, got {points!r}")
        people = self.people.setdefault(game, {})
        person = people.get(name)
        if person is None:
            person = people[name] = Person(Rating(), day)
        elif day > person.day:  # what was played before is a period of its own, and the days between are idle ones
            before = self.of(game, name).idle(max(0, day - person.day - 1))
            person = people[name] = Person(before, day, played=person.played)
        person.games.append(((other.rating, other.deviation, other.volatility), points))
        person.played += 1

    def table(self, game: str, *, day: int | None = None) -> list[tuple[str, Rating, int]]:
        """Everybody of a game with rating and number of games, the strongest first."""
        rows = [(name, self.of(game, name, day=day), person.played) for name, person in self.people.get(game, {}).items()]
        return sorted(rows, key=lambda row: (-row[1].rating, row[0]))

    def save(self, path: str | Path) -> None:
        """Write the file."""
        told = {game: {name: {"before": asdict(person.before), "day": person.day, "games": person.games, "played": person.played}
                       for name, person in people.items()} for game, people in self.people.items()}  # fmt: skip
        write_whole(path, json.dumps(told, indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def read(cls, path: str | Path) -> Ratings:
        """Ratings from their file; where there is none yet, nobody has one."""
        path = Path(path)
        if not path.exists():
            return cls()
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            found = cls()
            for game, people in told.items():
                for name, person in people.items():
                    games = [((float(a), float(b), float(c)), float(points)) for (a, b, c), points in person["games"]]
                    before = Rating(**{key: float(value) for key, value in person["before"].items()})
                    found.people.setdefault(str(game), {})[str(name)] = Person(before, int(person["day"]), games,
                                                                               int(person["played"]))  # fmt: skip
            return found
        except OSError as problem:
            raise BadValue(f"cannot read ratings {shorten(str(path))!r}: {problem.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise BadValue(f"{shorten(str(path))!r} is no file of ratings") from None


def opponent(elo: float, error: float) -> Rating:
    """A rung of a ladder as somebody to be rated against: its Elo, with `random` at 0, and the 95 % error.

    >>> opponent(300, 98).deviation
    50.0
    """
    return Rating(elo, min(350.0, max(30.0, error / 1.96)))
