"""Work on several machines, by Ray (the extra `ray`): piece after piece wherever there is a free core.

`spread` is all there is: a function of a module, the arguments of each call, and the answers in the order of the calls. What a
piece gives depends on its arguments alone, so it does not matter who works on it, and the answers equal those at home; a piece
whose worker or machine dies is done again. Tournaments, double-dummy and endgame tables, tuning and learning are such pieces.

A game of a tournament depends on the seed and its number alone, as long as players are limited by depth, nodes or simulations and
not by time. What travels is small: names in, a record out.
"""

from __future__ import annotations

import functools
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from outplay.arena.match import opening_seed, play_game, random_opening, schedule, usual_plies
from outplay.errors import OutplayError, Unavailable
from outplay.game import Game, Position, load
from outplay.players import player
from outplay.values import Limits, Record

AHEAD = 2
"""Games that are handed out beyond those being played, for each core: enough that no core waits."""
PATIENCE = 0.2
"""Seconds between two looks at whether somebody wants to stop."""
_is_own = threading.Event()
"""Set while this process is connected by `connect`, and not by somebody who uses Ray for other things, too."""


def connect(address: str) -> Any:
    """Ray, connected: to the cluster at an address, with `auto` to one that runs or else to the cores of this machine."""
    try:
        import ray
    except ImportError:
        raise Unavailable("clusters need Ray: install it with `pip install outplay[ray]`") from None
    # That a machine has died Ray prints on the standard output whatever it was told, in the middle of an answer in JSON.
    vars(ray._private.worker)["_worker_logs_enabled"] = False
    if ray.is_initialized():
        return ray
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    _is_own.set()
    try:
        ray.init(address=address, **quiet)
    except (ConnectionError, ValueError, RuntimeError, OSError) as problem:
        if address != "auto":
            said = " ".join(str(problem).split())[:160]
            raise Unavailable(f"no cluster of Ray at {address}: {said or type(problem).__name__}") from None
        ray.init(include_dashboard=False, **quiet)
    return ray


def _drop_unfinished(ray: Any) -> None:
    """End what is handed out and not wanted any more: a cluster stops the work of whoever leaves it.

    Ray's own `cancel` is no way to do that: where a piece is finished in the same moment, it aborts the process that asked (Ray
    2.60, "Tried to complete task that was not pending"). Where Ray was connected by somebody else, the pieces run to their ends.
    """
    if _is_own.is_set():
        _is_own.clear()
        ray.shutdown()


def spread(work: Callable[..., Any], pieces: Iterable[tuple[Any, ...]], *, address: str = "auto", at_once: int | None = None,
           stop: threading.Event | None = None) -> Iterator[Any]:
    """What `work` gives for each piece, in their order; `at_once` bounds how many are handed out, `stop` drops the unfinished."""
    ray = connect(address)
    remote = ray.remote(max_retries=-1, num_cpus=1, scheduling_strategy="SPREAD")(work)  # else Ray fills one machine first
    most = at_once or max(1, int(ray.cluster_resources().get("CPU", 1))) * AHEAD
    waiting: deque[Any] = deque()
    source = iter(pieces)
    try:
        while True:
            while len(waiting) < most:
                piece = next(source, None)
                if piece is None:
                    break
                waiting.append(remote.remote(*piece))
            if not waiting:
                return
            while not ray.wait([waiting[0]], timeout=PATIENCE)[0]:
                if stop is not None and stop.is_set():
                    return
            try:
                answer = ray.get(waiting.popleft())
            except ray.exceptions.RayTaskError as problem:  # the same one line as at home
                if isinstance(problem.cause, OutplayError):
                    raise problem.cause from None
                raise
            if stop is not None and stop.is_set():
                return
            yield answer
    finally:
        if waiting:
            _drop_unfinished(ray)


# ---------------------------------------------------------------- tournaments


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
    return play_game([players[seat] for seat in seats], random_opening(begun, plies, opening_seed(seed, opening)), limits=limits,
                     clock=clock, seed=opening_seed(seed, number))


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
    text, where = begun.text(), game.origin or game.name
    pieces = ((where, text, tuple(names), tuple(shown or names), each.seats, each.opening, plies, seed, number, seconds, clock)
              for number, each in enumerate(rounds) if number >= done)  # fmt: skip
    for record in spread(one_game, pieces, address=address, stop=stop):
        if record.outcome is None:
            return
        yield record


# ---------------------------------------------------------------- endgame tables


def one_slice(game: str, men: int, folder: str, name: str) -> dict[str, Any]:
    """Build one slice of a game's endgame tables from those that lie in the folder, write it there, and count it."""
    from outplay.engine.tables.retrograde import Tables

    tables = Tables(load(game), men)
    try:
        wanted = next(each for each in tables.slices if each.name == name)
        if name not in tables.load(folder):
            tables.build_slice(wanted)
            tables.save_slice(folder, wanted)
        return tables.facts(name)
    finally:
        tables.close()


def endgame_tables(game: Game, men: int, folder: str, *, address: str = "auto",
                   stop: threading.Event | None = None) -> Iterator[dict[str, Any]]:
    """The facts of each slice of a game's tables. A slice needs those before it, so there is one at a time, on some machine."""
    from outplay.engine.tables.retrograde import slices_of

    pieces = ((game.origin or game.name, men, folder, each.name) for each in slices_of(game, men))
    return spread(one_slice, pieces, address=address, at_once=1, stop=stop)
