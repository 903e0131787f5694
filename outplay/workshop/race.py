"""Which of several variants is the strongest? A race: games go where they tell most, and losers are dropped early.

All variants that are left meet on one scale: the result of a pair between two of them says how far they are apart, and every pair
played by either of them helps to place it (a normal posterior over the ratings, updated pair by pair). The next pair is played by
the leader and the one that may most likely still be better. A variant is dropped when it is most unlikely to be the best; the race
is over when one is left, or when none of the others is likely to be better than the leader by as much as one cares for. A test for
each pair of variants, one after the other, has to place each of them anew.

>>> import random
>>> found = simulate([0, 0, -20, 30, -10, 5], care=10, seed=3)
>>> found.winner, found.games < simulate_tests([0, 0, -20, 30, -10, 5], care=10, seed=3).games
(3, True)
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from outplay.arena.elo import Sprt, Tally, expected
from outplay.errors import BadValue

WIDE = 60.0
"""How far apart variants are thought to lie before a game is played, in Elo."""
RISK = 0.05
"""How likely the race may be wrong."""
NOISE = 0.35
"""The spread of the points of a pair, before any was seen: with few draws it is larger, and is learned."""
PER_ELO = math.log(10) / 400 / 4
"""How much the share of points grows by an Elo, near a half."""


@dataclass
class Race:
    """Variants, what is known of them, and who is still in it."""

    count: int
    care: float = 10.0
    """Elo that one cares for: who is better by less need not be found."""
    risk: float = RISK
    left: list[int] = field(default_factory=list)
    pairs: int = 0

    def __post_init__(self) -> None:
        if self.count < 2:
            raise BadValue(f"a race needs two variants or more, got {self.count}")
        self.left = list(range(self.count))
        self._precision = np.eye(self.count) / WIDE**2
        self._weighted = np.zeros(self.count)
        self.played = np.zeros(self.count, int)
        self._squares, self._seen = NOISE**2 * 10, 10.0

    @property
    def _variance(self) -> float:
        """Of a pair's difference from what was to be expected, in Elo squared."""
        return self._squares / self._seen / PER_ELO**2 / 4

    def learn(self, first: int, second: int, points: float) -> None:
        """A pair's points for its first, 0 to 2."""
        mean, _ = self.places()
        miss = points - 2 * expected(mean[first] - mean[second])
        self._squares += miss * miss
        self._seen += 1
        told = (points / 2 - 0.5) / PER_ELO
        way = np.zeros(self.count)
        way[first], way[second] = 1.0, -1.0
        self._precision += np.outer(way, way) / self._variance
        self._weighted += way * told / self._variance
        self.pairs += 1
        self.played[[first, second]] += 1
        self._drop()

    def places(self) -> tuple[np.ndarray, np.ndarray]:
        """The ratings, and how they vary together."""
        spread = np.linalg.inv(self._precision)
        return spread @ self._weighted, spread

    def better(self, one: int, than: int, by: float = 0.0) -> float:
        """How likely a variant is better than another by so many Elo."""
        mean, spread = self.places()
        variance = max(spread[one, one] + spread[than, than] - 2 * spread[one, than], 1e-12)
        return 0.5 * math.erfc((by - (mean[one] - mean[than])) / math.sqrt(2 * variance))

    @property
    def leader(self) -> int:
        """The best of those left, as far as is known."""
        mean, _ = self.places()
        return max(self.left, key=lambda each: mean[each])

    def _drop(self) -> None:
        leader = self.leader
        self.left = [each for each in self.left if each == leader or self.better(each, leader) > self.risk / self.count]

    @property
    def is_over(self) -> bool:
        """Whether the leader has won."""
        leader = self.leader
        return all(self.better(each, leader, self.care) < self.risk / self.count for each in self.left if each != leader)

    def next_pair(self) -> tuple[int, int]:
        """Who meets next: the leader, and who may most likely be better by what one cares for."""
        leader = self.leader
        rivals = [each for each in self.left if each != leader] or [each for each in range(self.count) if each != leader]
        return leader, max(rivals, key=lambda each: (self.better(each, leader, self.care / 2), -self.played[each]))


@dataclass(frozen=True)
class Found:
    """Who won, and after how many games."""

    winner: int
    games: int


def player_of(elos: list[float], draws: float, source: random.Random) -> Callable[[int, int], float]:
    """Simulated players: the points of a pair between two of these strengths, with this share of draws between equals."""

    def play(first: int, second: int) -> float:
        share = expected(elos[first] - elos[second])
        drawn = draws * 4 * share * (1 - share)
        total = 0.0
        for _ in range(2):
            drew = source.random()
            total += 0.5 if drew < drawn else 1.0 if drew < drawn + share - drawn / 2 else 0.0
        return total

    return play


def simulate(elos: list[float], *, care: float = 10.0, draws: float = 0.4, seed: int = 0, most: int = 200_000) -> Found:
    """A race among simulated players."""
    play = player_of(elos, draws, random.Random(f"race {seed}"))
    race = Race(len(elos), care)
    while not race.is_over and 2 * race.pairs < most:
        first, second = race.next_pair()
        for _ in range(4):  # several at a time, as on several cores
            race.learn(first, second, play(first, second))
    return Found(race.leader, 2 * race.pairs)


def simulate_tests(elos: list[float], *, care: float = 10.0, draws: float = 0.4, seed: int = 0) -> Found:
    """The same by tests: each challenger in turn against the champion, by SPRT (0, what one cares for)."""
    play = player_of(elos, draws, random.Random(f"tests {seed}"))
    champion, games = 0, 0
    test = Sprt(0.0, care)
    for challenger in range(1, len(elos)):
        counts = [0, 0, 0, 0, 0]
        verdict = None
        while verdict is None:
            for _ in range(16):
                counts[round(2 * play(challenger, champion))] += 1
            games += 32
            verdict = test.verdict(_tally(counts))
        if verdict == "stronger":
            champion = challenger
    return Found(champion, games)


def _tally(counts: list[int]) -> Tally:
    pairs = tuple(half / 2 for half, count in enumerate(counts) for _ in range(count))
    wins = 2 * counts[4] + counts[3]
    losses = 2 * counts[0] + counts[1]
    return Tally(wins, 2 * sum(counts) - wins - losses, losses, pairs)
