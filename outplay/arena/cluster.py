"""Tournaments on several machines, by Ray (the extra `ray`): game after game wherever there is a free core.

A game depends on the seed and its number alone, so it does not matter who plays it: the records come in the order of their
numbers and equal those of the same tournament at home, as long as players are limited by depth, nodes or simulations and not by
time. A game whose worker dies is played again. What travels is small: names in, a record out.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from outplay.arena.match import play_game, random_opening, schedule, usual_plies
from outplay.errors import Unavailable
from outplay.game import Game, Position, load
from outplay.players import player
from outplay.values import Limits, Record

AHEAD = 2
"""Games that are handed out beyond those being played, for each core: enough that no core waits."""
PATIENCE = 0.2
"""Seconds between two looks at whether somebody wants to stop."""


def connect(address: str) -> Any:
    """Ray, connected: to the cluster at an address, with `auto` to one that runs or else to the cores of this machine."""
    try:
        import ray
    except ImportError:
        raise Unavailable("clusters need Ray: install it with `pip install outplay[ray]`") from None
    if ray.is_initialized():
        return ray
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    try:
        ray.init(address=address, **quiet)
    except (ConnectionError, ValueError, RuntimeError, OSError) as problem:
        if address != "auto":
            said = " ".join(str(problem).split())[:160]
            raise Unavailable(f"no cluster of Ray at {address}: {said or type(problem).__name__}") from None
        ray.init(include_dashboard=False, **quiet)
    return ray


@functools.lru_cache(maxsize=4)
def _seated(names: tuple[str, ...], seed: int) -> list[Any]:
    """The players of a tournament, made once in each worker: their tables and compiled code stay from game to game."""
    return [player(name, seed=seed + number) for number, name in enumerate(names)]


def one_game(game: str, start: str, names: tuple[str, ...], shown: tuple[str, ...], seats: tuple[int, ...], opening: int,
             plies: int, seed: int, number: int, seconds: float | None, clock: tuple[float, float] | None) -> Record:
    """Play the game of one number, here and now."""
    begun = load(game).position(start)
    players = _seated(names, seed)
    for each, name in zip(players, shown, strict=True):
        each.name = name
    limits = Limits(seconds=seconds) if seconds is not None else None
    return play_game([players[seat] for seat in seats], random_opening(begun, plies, seed + opening), limits=limits, clock=clock,
                     seed=seed + number)


def tournament(
    game: Game,
    names: Sequence[str],
    *,
    games: int,
    address: str = "auto",
    shown: Sequence[str] | None = None,
    gauntlet: bool = False,
    seconds: float | None = None,
    clock: tuple[float, float] | None = None,
    opening_plies: int | None = None,
    seed: int = 0,
    start: Position | None = None,
    done: int = 0,
    stop: threading.Event | None = None,
) -> Iterator[Record]:
    """The records of a tournament between players given by their texts, in the order of the games; as `outplay.arena.tournament`.

    `shown` are the names in the records, where they differ. Once `stop` is set, what is unfinished is dropped.
    """
    rounds = schedule(len(names), game.players, games, gauntlet)
    begun = start or game.start()
    plies = usual_plies(begun) if opening_plies is None else opening_plies
    ray = connect(address)
    remote = ray.remote(max_retries=-1, num_cpus=1)(one_game)
    at_once = max(1, int(ray.cluster_resources().get("CPU", 1))) * AHEAD
    text, where = begun.text(), game.origin or game.name
    waiting: dict[int, Any] = {}
    following = done
    try:
        for number in range(done, len(rounds)):
            while following < len(rounds) and len(waiting) < at_once:
                each = rounds[following]
                waiting[following] = remote.remote(where, text, tuple(names), tuple(shown or names), each.seats, each.opening,
                                                   plies, seed, following, seconds, clock)
                following += 1
            while not ray.wait([waiting[number]], timeout=PATIENCE)[0]:
                if stop is not None and stop.is_set():
                    return
            record = ray.get(waiting.pop(number))
            if record.outcome is None or (stop is not None and stop.is_set()):
                return
            yield record
    finally:
        for handle in waiting.values():
            ray.cancel(handle, force=True)
