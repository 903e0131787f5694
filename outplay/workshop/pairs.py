"""Paired games between two variants, many at once: in threads of this machine, or on a cluster of Ray.

Both games of a pair begin from the same opening with the seats exchanged, and depend on the seed and the pair's number alone.

>>> job = Job("tic-tac-toe", Variant("minimax"), Variant("random"), number=0)
>>> play_pair(*job) >= 1.0
True
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from outplay.arena.match import MOST_PLIES, opening_seed, play_game, points_of, random_opening, usual_plies
from outplay.errors import BadValue
from outplay.files import write_whole
from outplay.game import Game, load
from outplay.players import player
from outplay.values import Limits

PATIENCE = 0.1
"""Seconds between two looks at whether somebody wants to stop."""


class Variant(NamedTuple):
    """A player by its text, and the weights of its evaluation where it has ones of its own."""

    text: str
    weights: tuple[float, ...] = ()

    def told(self) -> str:
        """The text as a person would write it."""
        return self.text


class Job(NamedTuple):
    """One pair of games to play."""

    game: str
    first: Variant
    second: Variant
    number: int
    seed: int = 0
    seconds: float | None = None


@functools.lru_cache(maxsize=8)
def _loaded(text: str) -> tuple[Game, int]:
    game = load(text)
    return game, usual_plies(game.start())


def seat(variant: Variant, seed: int = 0) -> Any:
    """The player that a variant is."""
    from outplay.names import parse

    if parse(variant.text, "player").base.lower() == "human":
        raise BadValue("a person does not play pairs of games by the hundred: name a player that thinks by itself")
    if not variant.weights:
        return player(variant.text, seed=seed)
    lines = "".join(f"{weight!r}\n" for weight in variant.weights)
    file = Path(_folder().name) / f"{hashlib.sha256(lines.encode()).hexdigest()[:16]}.txt"
    write_whole(file, lines)  # several threads may write the same
    return player(with_options(variant.text, {"weights": str(file)}), seed=seed)


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Where this process keeps weights for players to read; gone when it ends."""
    return tempfile.TemporaryDirectory(prefix="outplay-weights-")


def with_options(text: str, options: dict[str, str]) -> str:
    """A player's text with some options said anew.

    >>> with_options("engine:mcts,exploration=1,simulations=50", {"exploration": "2"})
    'engine:mcts,simulations=50,exploration=2'
    """
    from outplay.names import Name, parse

    name = parse(text, "player")
    kept = {key: value for key, value in name.options.items() if key not in options}
    return str(Name(name.base, name.part, {**kept, **options}))


def play_pair(game: str, first: Variant, second: Variant, number: int, seed: int = 0, seconds: float | None = None,
              stop: threading.Event | None = None) -> float | None:
    """Play both games of a pair: the points of the first variant, 0 to 2; None where it was stopped."""
    loaded, plies = _loaded(game)
    if loaded.players != 2:
        raise BadValue(f"variants are compared at games of two players; {loaded.name} has {loaded.players}")
    opening = random_opening(loaded.start(), plies, opening_seed(seed, number))
    seats = [seat(first, seed), seat(second, seed + 1)]  # anew: what a player remembers would depend on who played before
    limits = Limits(seconds=seconds) if seconds is not None else None
    total = 0.0
    for turn in (0, 1):
        played = play_game(seats[::-1] if turn else seats, opening, limits=limits, seed=opening_seed(seed, 2 * number + turn),
                           stop=stop, most_plies=MOST_PLIES)
        if played.outcome is None:
            return None
        total += points_of(played, turn)
    return total


class Either(threading.Event):
    """Set once somebody sets it, or the event that it was given."""

    def __init__(self, other: threading.Event | None) -> None:
        super().__init__()
        self._other = other

    def is_set(self) -> bool:
        """Whether either is."""
        return super().is_set() or (self._other is not None and self._other.is_set())


def play(jobs: Iterable[Job], *, workers: int = 1, address: str | None = None, stop: threading.Event | None = None,
         hear: Callable[[], None] = lambda: None) -> Iterator[tuple[Job, float]]:
    """The points of each pair, in the order of the jobs; what is unfinished when `stop` is set is dropped.

    Jobs are asked for as they are needed, at most two a worker ahead.
    """
    if address is not None:
        from outplay.arena.cluster import spread

        handed: deque[Job] = deque()

        def pieces() -> Iterator[tuple[Any, ...]]:
            for job in jobs:
                handed.append(job)
                yield tuple(job)

        for points in spread(play_pair, pieces(), address=address, stop=stop):
            job = handed.popleft()
            if points is None:
                return
            yield job, points
        return
    ended = Either(stop)
    waiting: deque[tuple[Job, Future[float | None]]] = deque()
    source = iter(jobs)
    with ThreadPoolExecutor(max(1, workers)) as pool:
        try:
            while True:
                while len(waiting) < 2 * workers and (more := next(source, None)) is not None:
                    waiting.append((more, pool.submit(play_pair, *more, stop=ended)))
                if not waiting:
                    return
                job, future = waiting[0]
                while not future.done():
                    hear()
                    if ended.is_set():
                        return
                    with contextlib.suppress(TimeoutError):
                        future.exception(PATIENCE)
                waiting.popleft()
                points = future.result()
                if points is None or ended.is_set():
                    return
                yield job, points
        finally:
            ended.set()  # whoever stopped listening wants nothing more
            for _, future in waiting:
                future.cancel()
