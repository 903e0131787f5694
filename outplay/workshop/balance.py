"""Make a game fair: look among the parameters of its rules for those with which whoever moves first wins half of the points.

Each setting of the parameters is an arm of a bandit: games of strong players go where they tell most, to settings that may be
nearer to a half than the best known one (an upper bound on fairness, as UCB1 bounds a mean), until one is fair within two points
of a hundred or the time is over.

>>> list(settings([vary("komi=0.5..2.5/1"), vary("size=5|7")]))[:2]
[{'komi': 0.5, 'size': 5}, {'komi': 0.5, 'size': 7}]
"""

from __future__ import annotations

import itertools
import math
import os
import statistics
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from outplay.errors import BadValue, OutplayError, shorten
from outplay.game import Game, load
from outplay.names import Name, parse
from outplay.players import player
from outplay.playing import Play
from outplay.workshop.pairs import PATIENCE, Either
from outplay.workshop.weigh import MOST_WORKERS, play_out, share_of

FAIR = 0.02
"""How far from a half a share may be."""
MOST_SETTINGS = 200
PLAYER = "auto:level=strong"
SECONDS = 0.05


@dataclass(frozen=True)
class Vary:
    """One parameter and the values that are tried."""

    key: str
    values: tuple[Any, ...]


@dataclass
class Tried:
    """One setting: its games, and the points of whoever moved first."""

    values: dict[str, Any]
    game: Game
    points: list[float] = field(default_factory=list)
    drawn: int = 0
    plies: int = 0
    waiting: int = 0  # games that are being played

    @property
    def first(self) -> float:
        """The share of whoever moves first, with one drawn game beside its own."""
        return (sum(self.points) + 0.5) / (len(self.points) + 1)

    @property
    def error(self) -> float:
        """Half the 95 % interval."""
        if not self.points:
            return math.inf
        spread = max(statistics.pvariance(self.points), 0.25 / len(self.points))
        return 1.96 * math.sqrt(spread / len(self.points))

    def fields(self) -> dict[str, Any]:
        """All of it for JSON."""
        games = len(self.points)
        return {"parameters": self.values, "first": self.first if games else None, "error": self.error if games else None,
                "games": games, "drawn": self.drawn / games if games else None,
                "plies": self.plies / games if games else None}  # fmt: skip


def vary(text: str) -> Vary:
    """What `KEY=A..B`, `KEY=A..B/STEP` or `KEY=A|B|C` asks for.

    >>> vary("komi=0.5..2.5/0.5").values, vary("width=5..7").values, vary("misere=yes|no").values
    ((0.5, 1.0, 1.5, 2.0, 2.5), (5, 6, 7), ('yes', 'no'))
    """
    key, equals, rest = text.partition("=")
    if not equals or not key.strip() or not rest.strip():
        raise BadValue(f"--vary must be KEY=A..B, KEY=A..B/STEP or KEY=A|B|C, got {shorten(text)!r}")
    if ".." not in rest:
        return Vary(key.strip(), tuple(_value(each.strip()) for each in rest.split("|")))
    least, _, most = rest.partition("..")
    most, _, step = most.partition("/")
    try:
        low, high, by = float(least), float(most), float(step or 1)
    except ValueError:
        raise BadValue(f"--vary {key.strip()}: expected numbers as in 1..9 or 0.5..7.5/1, got {shorten(rest)!r}") from None
    if not (math.isfinite(low) and math.isfinite(high) and by > 0 and low <= high):
        raise BadValue(f"--vary {key.strip()}: {shorten(rest)!r} holds no value: the first must not exceed the last")
    count = int((high - low) / by + 1e-9) + 1
    if count > MOST_SETTINGS:
        raise BadValue(f"--vary {key.strip()}: {count:,} values are too many: at most {MOST_SETTINGS}")
    is_whole = all(part == int(part) for part in (low, by)) and "." not in least + most + step.replace("..", "")
    return Vary(key.strip(), tuple(int(low + by * number) if is_whole else round(low + by * number, 9) for number in range(count)))


def _value(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def settings(asked: Sequence[Vary]) -> Iterator[dict[str, Any]]:
    """Every combination of the values."""
    total = math.prod(len(each.values) for each in asked)
    if total > MOST_SETTINGS:
        raise BadValue(f"{total:,} settings are too many to try (at most {MOST_SETTINGS}): vary fewer, or in larger steps")
    for values in itertools.product(*(each.values for each in asked)):
        yield dict(zip((each.key for each in asked), values, strict=True))


def games_of(text: str, asked: Sequence[Vary]) -> list[Tried]:
    """A game for each setting; settings that the rules refuse are left out, and none left is a mistake."""
    name = parse(text, "game")
    found, refused = [], ""
    for values in settings(asked):
        written = Name(name.base, name.part, {**name.options, **{key: str(value) for key, value in values.items()}})
        try:
            game = load(str(written))
            game.start()
        except OutplayError as problem:
            refused = str(problem)
            continue
        found.append(Tried(values, game))
    if not found:
        raise BadValue(f"no setting gives a game: {refused}")
    if found[0].game.players != 2:
        raise BadValue(f"balance is for games of two players; {found[0].game.name} has {found[0].game.players}")
    return found


def balance(text: str, asked: Sequence[Vary], *, seconds: float = 120.0, who: str = PLAYER, seed: int = 0,
            stop: threading.Event | None = None) -> Iterator[list[Tried]]:
    """All settings, the fairest first, after each game; it ends when the fairest is known to be within two points, or by time."""
    tried = games_of(text, asked)
    begun, number = time.monotonic(), 0
    workers = min(os.cpu_count() or 1, MOST_WORKERS)
    ended, at_work = Either(stop), threading.local()

    def played(arm: Tried, seed_: int) -> Play | None:
        seated = at_work.__dict__.setdefault("players", {})  # of one thread: what they remember is no business of another's
        if arm.game.name not in seated:
            seated[arm.game.name] = [player(who, seed=seed + seat) for seat in range(2)]
        return play_out(arm.game, seated[arm.game.name], seed_, SECONDS, ended)

    waiting: deque[tuple[Tried, Future[Play | None]]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            while time.monotonic() - begun < seconds and not ended.is_set():
                while len(waiting) < 2 * workers:
                    arm = min(tried, key=lambda each: _promise(each, number))
                    arm.waiting += 1
                    waiting.append((arm, pool.submit(played, arm, seed + number)))
                    number += 1
                arm, future = waiting[0]
                try:
                    one = future.result(PATIENCE)
                except TimeoutError:
                    continue
                waiting.popleft()
                arm.waiting -= 1
                if one is None or one.outcome is None:
                    return
                utilities = one.outcome.utilities
                arm.points.append(share_of(utilities))
                arm.drawn += len(set(utilities)) == 1
                arm.plies += len(one.plies)
                ranked = sorted(tried, key=lambda each: (not each.points, abs(each.first - 0.5) + 0.25 * min(each.error, 1.0)))
                yield ranked
                if abs(ranked[0].first - 0.5) + ranked[0].error < FAIR:
                    return
        finally:
            ended.set()  # whoever stopped listening wants nothing more
            for _, future in waiting:
                future.cancel()


def _promise(arm: Tried, games: int) -> float:
    """How far from a half a setting is at least, as far as is known: the next game goes where this is smallest."""
    count = len(arm.points) + arm.waiting
    if count < 2 or not arm.points:
        return -2.0 + count
    return abs(arm.first - 0.5) - 0.5 * math.sqrt(math.log(max(2, games)) / count)
