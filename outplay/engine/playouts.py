"""Random games by the million: from a position to the end, choosing at random (or by the game's own `choose`).

>>> from outplay.game import load
>>> played = playouts(load("tic-tac-toe").start(), games=1000, seed=1)
>>> played.games, played.means[0] > 0  # the first player wins most random games
(1000, True)

The same rules also run on a GPU (`outplay.engine.cuda`). With one seed and one number of threads the result is always the same.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from outplay.engine.workspace import load_state
from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.game import Position
from outplay.jit import f64, inlined, kernel, random_source, uniform
from outplay.values import CHANCE

DEVICES = ("cpu", "cuda")
SLICE = 20_000
"""Moves, about, between two looks at the stop flag: a few milliseconds in a fast game."""


@dataclass(frozen=True)
class Playouts:
    """What many random games came to."""

    games: int
    moves: int
    means: tuple[float, ...]  # the mean utility of each player
    errors: tuple[float, ...]  # the standard error of each mean
    seconds: float
    device: str = "cpu"
    threads: int = 1

    @property
    def games_per_second(self) -> float:
        """The speed."""
        return self.games / self.seconds if self.seconds else 0.0


@inlined
def random_step(state: Any, actions: Any, probabilities: Any, source: Any) -> Any:
    """Make one random move, of a player or of chance; False at the end of the game."""
    if state.offers_chances() and state.player() == CHANCE:
        count = state.chances(actions, probabilities)
        if count == 0:
            return False
        state.play(actions[draw(probabilities, count, source)])
        return True
    if state.is_drawn():
        return False
    action = state.choose(actions, source)
    if action < 0:
        return False
    state.play(action)
    return True


@inlined
def draw(probabilities: Any, count: Any, source: Any) -> Any:
    """The index of one of `count` outcomes, each as likely as its probability says."""
    left = uniform(source)
    pick = 0
    while pick < count - 1 and left >= probabilities[pick]:
        left -= probabilities[pick]
        pick += 1
    return pick


@inlined
def play_out(state: Any, actions: Any, probabilities: Any, source: Any) -> Any:
    """Play one state to its end at random; returns the number of moves made."""
    moves = 0
    while random_step(state, actions, probabilities, source):
        moves += 1
    return moves


@inlined
def add_utilities(state: Any, players: Any, total: Any, sums: Any, squares: Any) -> None:
    """Add up what a finished game is worth to each player; the last one's share follows from a known total (else NaN)."""
    rest = total
    for player in range(players):
        utility = f64(rest if player == players - 1 and rest == rest else state.utility(player))
        rest -= utility
        sums[player] += utility
        squares[player] += utility * utility


@kernel
def _playouts(
    roots: Any, states: Any, actions: Any, probabilities: Any, source: Any, games: Any, total: Any, sums: Any, squares: Any
) -> Any:
    moves = 0
    for _ in range(games):
        states[0] = roots[0]
        moves += play_out(states[0], actions, probabilities, source)
        add_utilities(states[0], len(sums), total, sums, squares)
    return moves


def known_total(rules: Any) -> float:
    """What the utilities of two players or more add up to, NaN where that differs from game to game."""
    return math.nan if rules.traits.total is None else float(rules.traits.total)


def playouts(position: Position, games: int, seed: int = 0, *, threads: int = 1, device: str = "cpu",
             progress: Callable[[int], None] | None = None) -> Playouts:
    """Play many random games from a position of a compiled game; `progress` is told how many are done."""
    if device not in DEVICES:
        raise UnknownName("device", device, DEVICES)
    if games < 1 or threads < 1:
        raise BadValue(f"{'games' if games < 1 else 'threads'} must be 1 or more, got {games if games < 1 else threads}")
    if not hasattr(position.game, "rules"):
        raise Unsuitable(f"playouts need a compiled game; {position.game.name} is written in plain Python")
    if device == "cuda":
        from outplay.engine import cuda

        return cuda.playouts(position, games, seed)
    rules = position.game.rules
    rules.states(1)  # binds the methods, before the threads start
    total = known_total(rules)
    sums, squares = np.zeros((threads, rules.players)), np.zeros((threads, rules.players))
    moves, done = [0] * threads, [0] * threads
    stop = threading.Event()

    def work(index: int, quota: int) -> None:
        roots, states = rules.states(1), rules.states(1)
        load_state(roots, 0, position)
        actions, probabilities = np.zeros(rules.most_actions, np.int32), np.zeros(rules.most_actions)
        source = random_source(seed + 0x5851F42D4C957F2D * index)
        count = 1
        while done[index] < quota and not stop.is_set():
            count = min(count, quota - done[index])
            moves[index] += int(_playouts(roots, states, actions, probabilities, source, count, total, sums[index], squares[index]))
            done[index] += count
            count = max(1, SLICE * done[index] // (moves[index] + 1))

    quotas = [games // threads + (index < games % threads) for index in range(threads)]
    started = time.perf_counter()
    if threads == 1 and progress is None:
        work(0, games)
    else:
        workers = [threading.Thread(target=work, args=item, daemon=True) for item in enumerate(quotas)]
        for worker in workers:
            worker.start()
        try:
            for worker in workers:
                while worker.is_alive():
                    worker.join(0.1)
                    if progress is not None:
                        progress(sum(done))
        finally:
            stop.set()
            for worker in workers:
                worker.join()
    seconds = time.perf_counter() - started
    return summary(sums.sum(0), squares.sum(0), sum(done), sum(moves), seconds, threads=threads)


def summary(sums: np.ndarray, squares: np.ndarray, games: int, moves: int, seconds: float, **where: Any) -> Playouts:
    """Means and their standard errors from sums and sums of squares."""
    means = sums / games
    variances = np.maximum(squares / games - means**2, 0.0)
    errors = tuple(math.sqrt(variance / games) for variance in variances)
    return Playouts(games, moves, tuple(means.tolist()), errors, seconds, **where)
