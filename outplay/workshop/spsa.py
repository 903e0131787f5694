"""Tune numbers of a player by playing: simultaneous perturbation stochastic approximation (James Spall, 1992).

All numbers are shifted at once, each up or down by the toss of a coin, and the player shifted one way plays a pair of games against
the one shifted the other way. The difference of their points is a slope along that direction, whatever the number of parameters; a
small step follows it. Step k has the length a / (k + A)^0.602, the shift k^-0.101 (Spall's exponents).

>>> class Toy(Tuner):                                   # a player whose strength is known: best at 3
...     def play(self, plus, minus, number):
...         better = (plus["x"] - 3) ** 2 < (minus["x"] - 3) ** 2
...         return 2.0 if better else 0.0
>>> toy = Toy([parse_knob("x=1:0..10")], pairs=400, seed=1)
>>> toy.run_alone()
>>> abs(toy.values()["x"] - 3) < 0.5
True
"""

from __future__ import annotations

import hashlib
import json
import math
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from outplay.arena.elo import Sprt, Tally, elo
from outplay.errors import BadValue, shorten
from outplay.files import write_whole
from outplay.workshop.pairs import Job, Variant, play, with_options

ALPHA, GAMMA = 0.602, 0.101
BATCH = 8
"""Pairs that begin from the same numbers: they can be played at once, and give the same however many are."""
SHIFT = 1 / 12
"""A shift at the end, as a part of the range."""
GAIN = 0.05
"""How far a number moves at the end for a pair won by two points, as a part of the shift."""


@dataclass(frozen=True)
class Knob:
    """One number: where it begins, its range, how far it is shifted at the end, and whether it is whole."""

    name: str
    start: float
    low: float
    high: float
    shift: float
    is_whole: bool = False

    def value(self, number: float) -> float:
        """The number as the player takes it."""
        held = min(max(number, self.low), self.high)
        return float(round(held)) if self.is_whole else held

    def text(self, number: float) -> str:
        """And as it is written."""
        value = self.value(number)
        return str(int(value)) if self.is_whole else f"{value:.6g}"


def parse_knob(text: str) -> Knob:
    """What `KEY=START:LOW..HIGH` or `KEY=START:LOW..HIGH/SHIFT` asks for.

    >>> parse_knob("exploration=1.4:0.2..4").shift, parse_knob("depth=4:1..9/1").is_whole
    (0.31666666666666665, True)
    """
    key, equals, rest = text.partition("=")
    begun, colon, span = rest.partition(":")
    low, dots, high = span.partition("..")
    high, _, shift = high.partition("/")
    try:
        if not (equals and colon and dots and key.strip()):
            raise ValueError
        numbers = [float(each) for each in (begun, low, high)]
        by = float(shift) if shift else (numbers[2] - numbers[1]) * SHIFT
    except ValueError:
        raise BadValue(f"--spsa expects KEY=START:LOW..HIGH, with /SHIFT where wanted, such as exploration=1.4:0.2..4; got "
                       f"{shorten(text)!r}") from None
    start, least, most = numbers
    if not (least <= start <= most and least < most and by > 0 and all(map(math.isfinite, [*numbers, by]))):
        raise BadValue(f"--spsa {key.strip()}: the start must lie in its range, and the range hold more than one value: "
                       f"{shorten(rest)!r}")
    is_whole = not any("." in each.replace("..", "") or "e" in each.lower() for each in (begun, low, high))
    return Knob(key.strip(), start, least, most, max(by, 0.5) if is_whole else by, is_whole)


@dataclass
class Tuner:
    """The numbers as they stand; what is played is up to who derives from it."""

    knobs: Sequence[Knob]
    pairs: int = 1000
    seed: int = 0
    done: int = 0
    at: list[float] = field(default_factory=list)
    """Where each number stands, in shifts from its start."""
    course: list[list[float]] = field(default_factory=list)
    """The numbers after each batch."""
    points: list[float] = field(default_factory=list)
    """The points of each pair's first."""

    def __post_init__(self) -> None:
        if not self.knobs:
            raise BadValue("nothing to tune: give --spsa KEY=START:LOW..HIGH at least once")
        if self.pairs < 1:
            raise BadValue(f"games must be 2 or more, got {2 * self.pairs}")
        self.at = self.at or [0.0] * len(self.knobs)

    def numbers(self, at: Sequence[float]) -> dict[str, float]:
        """Values of the numbers for a place."""
        return {knob.name: knob.value(knob.start + knob.shift * each) for knob, each in zip(self.knobs, at, strict=True)}

    def values(self) -> dict[str, float]:
        """The numbers as they stand: the mean of the last quarter of the way, which is steadier than its end."""
        last = self.course[-max(1, len(self.course) // 4) :] or [self.at]
        return self.numbers([sum(each) / len(last) for each in zip(*last, strict=True)])

    def ask(self, number: int) -> tuple[dict[str, float], dict[str, float], list[int]]:
        """What pair `number` compares: the numbers shifted one way, the other way, and which way each was."""
        coins = random.Random(f"{self.seed}/{number}")
        ways = [coins.choice((-1, 1)) for _ in self.knobs]
        size = self._shift(number)
        plus, minus = ([each + sign * size * way for each, way in zip(self.at, ways, strict=True)] for sign in (1, -1))
        return self.numbers(plus), self.numbers(minus), ways

    def _shift(self, number: int) -> float:
        return float((self.pairs / (number + 1)) ** GAMMA)

    def _step(self, number: int) -> float:
        steady = 0.1 * self.pairs
        return float(GAIN * ((self.pairs + steady) / (number + 1 + steady)) ** ALPHA)

    def learn(self, results: Sequence[tuple[list[int], float]]) -> None:
        """Follow what a batch of pairs says: which way each number was shifted, and the points, 0 to 2."""
        moves = [0.0] * len(self.knobs)
        for ways, points in results:
            scale = self._step(self.done) / self._shift(self.done) * (points - 1.0)
            for k, way in enumerate(ways):
                moves[k] += scale * way
            self.done += 1
            self.points.append(points)
        for k, knob in enumerate(self.knobs):
            least, most = ((edge - knob.start) / knob.shift for edge in (knob.low, knob.high))
            self.at[k] = min(max(self.at[k] + moves[k], least), most)
        self.course.append(list(self.at))

    def play(self, plus: dict[str, float], minus: dict[str, float], number: int) -> float:
        """The points of a pair, 0 to 2."""
        raise NotImplementedError

    def run_alone(self) -> None:
        """All of it, pair after pair."""
        while self.done < self.pairs:
            batch = range(self.done, min(self.done + BATCH, self.pairs))
            asked = [(number, *self.ask(number)) for number in batch]
            self.learn([(ways, self.play(plus, minus, number)) for number, plus, minus, ways in asked])


@dataclass(frozen=True)
class Task:
    """What is tuned: a player of a game."""

    game: str
    player: str
    knobs: tuple[Knob, ...]
    is_weights: bool = False
    seconds: float | None = None
    seed: int = 0

    def variant(self, values: dict[str, float]) -> Variant:
        """The player with these numbers."""
        if self.is_weights:
            return Variant(self.player, tuple(values[knob.name] for knob in self.knobs))
        return Variant(with_options(self.player, {knob.name: knob.text(values[knob.name]) for knob in self.knobs}))

    def start(self) -> Variant:
        """The player as it was."""
        return self.variant({knob.name: knob.start for knob in self.knobs})

    def stamp(self) -> str:
        """What a kept state must agree in."""
        told = repr((self.game, self.player, self.knobs, self.is_weights, self.seconds, self.seed))
        return hashlib.sha256(told.encode()).hexdigest()[:16]


def weight_knobs(rules: Any) -> tuple[Knob, ...]:
    """A knob for each weight of a game's evaluation."""
    from outplay.evaluations import of as declared

    if not rules.offers("evaluate"):
        raise BadValue(f"{rules.name} has no evaluation whose weights could be tuned")
    weights = [float(each) for each in rules.default_weights()]
    names = list(declared(rules).names) or [f"weight {number + 1}" for number in range(len(weights))]
    usual = sorted(abs(each) for each in weights)[len(weights) // 2] or 1.0
    return tuple(Knob(name, weight, weight - 4 * max(abs(weight), usual / 2), weight + 4 * max(abs(weight), usual / 2),
                      0.3 * max(abs(weight), usual / 2)) for name, weight in zip(names, weights, strict=True))


@dataclass
class State:
    """A tuning and its proof, as they are kept."""

    tuner: Tuner
    checked: list[float]
    """The points of each pair of the tuned player against the one as it was."""
    stamp: str

    def save(self, folder: Path) -> None:
        """Write it whole."""
        folder.mkdir(parents=True, exist_ok=True)
        told = {"stamp": self.stamp, "pairs": self.tuner.pairs, "done": self.tuner.done, "at": self.tuner.at,
                "course": self.tuner.course, "points": self.tuner.points, "checked": self.checked}
        write_whole(folder / "spsa.json", json.dumps(told))

    @classmethod
    def read(cls, folder: Path, task: Task, pairs: int) -> State:
        """What was kept, or a beginning."""
        fresh = cls(Tuner(task.knobs, pairs, task.seed), [], task.stamp())
        file = folder / "spsa.json"
        if not file.exists():
            return fresh
        try:
            told = json.loads(file.read_text(encoding="utf-8"))
            if told["stamp"] != fresh.stamp or told["pairs"] != pairs:
                raise BadValue(f"{folder} keeps the tuning of something else: take another folder, or the same options")
            tuner = Tuner(task.knobs, pairs, task.seed, int(told["done"]), [float(each) for each in told["at"]],
                          [[float(part) for part in each] for each in told["course"]], [float(each) for each in told["points"]])
            return cls(tuner, [float(each) for each in told["checked"]], fresh.stamp)
        except (OSError, ValueError, KeyError, TypeError):
            raise BadValue(f"{file} is damaged, or no state of a tuning") from None


def tally_of(points: Sequence[float]) -> Tally:
    """Pairs as a tally: each pair brings 0 to 2 points.

    >>> tally_of([2.0, 1.0, 0.5]).score
    0.583...
    """
    wins = draws = losses = 0
    for each in points:
        two = {2.0: (2, 0, 0), 1.5: (1, 1, 0), 1.0: (0, 2, 0), 0.5: (0, 1, 1), 0.0: (0, 0, 2)}[each]
        wins, draws, losses = wins + two[0], draws + two[1], losses + two[2]
    return Tally(wins, draws, losses, tuple(points))


def tune(task: Task, state: State, *, workers: int = 1, address: str | None = None, stop: threading.Event | None = None,
         folder: Path | None = None, hear: Callable[[], None] = lambda: None) -> Iterator[State]:
    """Tune until all pairs are played, with the state after each batch; with a folder it is kept there."""
    tuner = state.tuner
    while tuner.done < tuner.pairs:
        batch = range(tuner.done, min(tuner.done + BATCH, tuner.pairs))
        asked = [tuner.ask(number) for number in batch]
        jobs = [Job(task.game, task.variant(plus), task.variant(minus), number, task.seed, task.seconds)
                for number, (plus, minus, _) in zip(batch, asked, strict=True)]
        found = [points for _, points in play(jobs, workers=workers, address=address, stop=stop, hear=hear)]
        if len(found) < len(jobs):
            return
        tuner.learn([(ways, points) for (_, _, ways), points in zip(asked, found, strict=True)])
        if folder is not None:
            state.save(folder)
        yield state


def verify(task: Task, state: State, most: int, test: Sprt, *, workers: int = 1, address: str | None = None,
           stop: threading.Event | None = None, folder: Path | None = None,
           hear: Callable[[], None] = lambda: None) -> Iterator[Tally]:
    """Play the tuned player against the one as it was until the test decides, or `most` pairs are played."""
    tuned, before = task.variant(state.tuner.values()), task.start()
    offset = 1_000_000  # openings that the tuning has not seen
    while len(state.checked) < most and test.verdict(tally_of(state.checked)) is None:
        numbers = range(len(state.checked), min(len(state.checked) + BATCH, most))
        jobs = [Job(task.game, tuned, before, offset + number, task.seed, task.seconds) for number in numbers]
        found = [points for _, points in play(jobs, workers=workers, address=address, stop=stop, hear=hear)]
        state.checked += found
        if folder is not None:
            state.save(folder)
        if found:
            yield tally_of(state.checked)
        if len(found) < len(jobs):
            return


def curve(state: State) -> str:
    """The way of each number, from its lowest to its highest place, as a line of blocks."""
    blocks, lines = "▁▂▃▄▅▆▇█", []
    names = max(len(knob.name) for knob in state.tuner.knobs)
    for k, knob in enumerate(state.tuner.knobs):
        way = [knob.start, *(knob.start + knob.shift * each[k] for each in state.tuner.course)]
        shown = [way[round(i * (len(way) - 1) / 59)] for i in range(60)] if len(way) > 60 else way
        least, most = min(shown), max(shown)
        told = "".join(blocks[round(7 * (each - least) / (most - least))] if most > least else "▄" for each in shown)
        lines.append(f"{knob.name:<{names}}  {told}  {knob.text(least)} to {knob.text(most)}")
    return "\n".join(lines)


__all__ = ["Knob", "State", "Task", "Tuner", "curve", "elo", "parse_knob", "tally_of", "tune", "verify", "weight_knobs"]
