"""Random games by the million: from a position to the end, choosing at random (or by the game's own `choose`).

>>> from outplay.game import load
>>> played = playouts(load("tic-tac-toe").start(), games=1000, seed=1)
>>> played.games, played.means[0] > 0  # the first player wins most random games
(1000, True)

A game that does not end is cut after the `horizon` of its rules and judged by `evaluate`, or as the middle of all outcomes.

The same rules also run on a GPU (`outplay.engine.cuda`). With one seed the result is always the same, on any number of threads.
"""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from outplay.engine.memory import action_list, horizon_of, load_state, probability_rows, refuse_overrun, weights_of
from outplay.engine.pacing import Pacer, Watch
from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.game import Position
from outplay.jit import below, f64, inlined, kernel, random_source, uniform
from outplay.values import CHANCE, Limits

DEVICES = ("cpu", "cuda")
FEWEST_PARTS, MOST_PARTS, PART = 16, 1024, 5000  # parts that games are dealt out in, and games in one where that makes more
PLAYED, ENDED, OVERRUN = 0, 1, 2  # what came of a step: a move, the end of the game, more actions than the rules promise


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
    cut: int = 0  # games that the horizon cut

    @property
    def games_per_second(self) -> float:
        """The speed."""
        return self.games / self.seconds if self.seconds else 0.0


@inlined
def random_step(state: Any, actions: Any, probabilities: Any, source: Any) -> Any:
    """Make one random move, of a player or of chance: PLAYED, ENDED or OVERRUN."""
    if (state.offers_chances() or state.offers_draw()) and state.player() == CHANCE:
        return chance_step(state, actions, probabilities, source)
    if state.is_drawn():
        return ENDED
    if state.offers_choose():
        action = state.choose(actions, source)
        if action < 0:
            return ENDED
        state.play(action)
        return PLAYED
    count = state.actions(actions)
    if count == 0:
        return ENDED
    if count > len(actions):
        return OVERRUN
    state.play(actions[below(source, count)])
    return PLAYED


@inlined
def chance_step(state: Any, actions: Any, probabilities: Any, source: Any) -> Any:
    """Let chance move: one outcome that the game draws, or one out of its list."""
    if state.offers_draw():  # also where the outcomes could be listed: one is enough here
        state.play(state.draw(source))
        return PLAYED
    count = state.chances(actions, probabilities)
    if count == 0:
        return ENDED
    if count > len(actions):
        return OVERRUN
    state.play(actions[pick_outcome(probabilities, count, source)])
    return PLAYED


@inlined
def pick_outcome(probabilities: Any, count: Any, source: Any) -> Any:
    """The index of one of `count` outcomes, each as likely as its probability says."""
    left = uniform(source)
    pick = 0
    while pick < count - 1 and left >= probabilities[pick]:
        left -= probabilities[pick]
        pick += 1
    return pick


@inlined
def play_out(state: Any, actions: Any, probabilities: Any, source: Any, horizon: Any) -> Any:
    """Play one state on at random: the moves made, and PLAYED where the horizon cut the game, else ENDED or OVERRUN."""
    moves = 0
    status = PLAYED
    while moves < horizon:
        status = random_step(state, actions, probabilities, source)
        if status != PLAYED:
            break
        moves += 1
    return moves, status


@inlined
def judged(state: Any, player: Any, weights: Any, scale: Any, least: Any, greatest: Any) -> Any:
    """What a game that was cut is worth to a player: EVAL as a utility, or the middle of all utilities."""
    if state.offers_evaluate():
        return min(max(f64(state.evaluate(player, weights)) / scale, least), greatest)
    return 0.5 * (least + greatest)


@inlined
def add_utilities(state: Any, is_cut: Any, players: Any, total: Any, weights: Any, scale: Any, least: Any, greatest: Any,
                  sums: Any, squares: Any) -> None:
    """Add up what a game is worth to each player; the last one's share follows from a known total (else NaN)."""
    rest = total
    for player in range(players):
        if player == players - 1 and rest == rest:
            utility = f64(rest)
        elif is_cut:
            utility = judged(state, player, weights, scale, least, greatest)
        else:
            utility = f64(state.utility(player))
        rest -= utility
        sums[player] += utility
        squares[player] += utility * utility


TALLY = np.dtype((np.record, [(name, np.int64) for name in ("games", "moves", "cut", "overrun")]))
"""What has been played of one part so far."""


@kernel
def _playouts(roots: Any, states: Any, actions: Any, probabilities: Any, weights: Any, source: Any, games: Any, moves: Any,
              horizon: Any, scale: Any, least: Any, greatest: Any, total: Any, tally: Any, sums: Any, squares: Any) -> None:
    """Play until there are so many games in all, or about so many moves more."""
    played = tally[0]
    until = played.moves + moves
    while played.games < games and played.moves < until:
        states[0] = roots[0]
        made, status = play_out(states[0], actions, probabilities, source, horizon)
        played.moves += made
        if status == OVERRUN:
            played.overrun = 1
            return
        if status == PLAYED:
            played.cut += 1
        add_utilities(states[0], status == PLAYED, len(sums), total, weights, scale, least, greatest, sums, squares)
        played.games += 1


def known_total(rules: Any) -> float:
    """What the utilities of two players or more add up to, NaN where that differs from game to game."""
    return math.nan if rules.traits.total is None else float(rules.traits.total)


def playouts(position: Position, games: int, seed: int = 0, *, threads: int = 1, device: str = "cpu",
             progress: Callable[[int], None] | None = None, stop: threading.Event | None = None,
             horizon: int | None = None) -> Playouts:
    """Play many random games from a position of a compiled game; `progress` is told how many are done.

    A `stop` ends it with the games played so far. `horizon` is the number of moves after which a game is cut, the rules' own unless
    given.
    """
    if device not in DEVICES:
        raise UnknownName("device", device, DEVICES)
    for name, value in (("games", games), ("threads", threads), ("horizon", 1 if horizon is None else horizon)):
        if value < 1:
            raise BadValue(f"{name} must be 1 or more, got {value}")
    if not hasattr(position.game, "rules"):
        raise Unsuitable(f"playouts need a compiled game; {position.game.name} is written in plain Python")
    rules: Any = position.game.rules
    furthest = horizon_of(rules) if horizon is None else horizon
    if device == "cuda":
        from outplay.engine import cuda

        return cuda.playouts(position, games, seed, furthest)
    rules.states(1)  # binds the methods, before the threads start
    (least, greatest), scale, total = rules.traits.bounds, rules.traits.scale, known_total(rules)
    # Each part has random numbers of its own, and their number depends on that of the games alone: so the threads change nothing.
    parts = min(games, max(FEWEST_PARTS, min(games // PART, MOST_PARTS)))
    waiting = iter(range(parts))
    sums, squares = np.zeros((parts, rules.players)), np.zeros((parts, rules.players))
    tallies, watch = np.zeros((parts, 1), TALLY), Watch(Limits(), stop)

    def work() -> None:
        roots, states = rules.states(1), rules.states(1)
        load_state(roots, 0, position)
        actions, probabilities, weights = action_list(rules), probability_rows(rules, 1)[0], weights_of(rules)
        pacer = Pacer(watch, first=20_000)
        for part in waiting:
            quota, tally = games // parts + (part < games % parts), tallies[part]
            source = random_source(seed + 0x5851F42D4C957F2D * part)
            some = functools.partial(_some, part, quota, source, roots, states, actions, probabilities, weights)
            while tally["games"][0] < quota and not tallies["overrun"].any():
                if watch.ended.is_set() or watch.is_over(0):
                    return
                pacer.slice(some)

    def _some(part: int, quota: int, source: Any, roots: Any, states: Any, actions: Any, probabilities: Any, weights: Any,
              moves: int) -> None:
        _playouts(roots, states, actions, probabilities, weights, source, quota, moves, furthest, scale, least, greatest, total,
                  tallies[part], sums[part], squares[part])

    if threads == 1 and progress is None:
        work()
    else:
        workers = [threading.Thread(target=work, daemon=True) for _ in range(threads)]
        for worker in workers:
            worker.start()
        try:
            for worker in workers:
                while worker.is_alive():
                    worker.join(0.1)
                    if progress is not None:
                        progress(int(tallies["games"].sum()))
        finally:
            watch.ended.set()
            for worker in workers:
                worker.join()
    seconds = watch.elapsed()
    if tallies["overrun"].any():
        refuse_overrun(position.game)
    done, moves, cut = (int(tallies[name].sum()) for name in ("games", "moves", "cut"))
    return summary(sums.sum(0), squares.sum(0), done, moves, seconds, threads=threads, cut=cut)


def summary(sums: np.ndarray, squares: np.ndarray, games: int, moves: int, seconds: float, **where: Any) -> Playouts:
    """Means and their standard errors from sums and sums of squares."""
    means = sums / max(games, 1)
    variances = np.maximum(squares / max(games, 1) - means**2, 0.0)
    errors = tuple(math.sqrt(variance / max(games, 1)) for variance in variances)
    return Playouts(games, moves, tuple(means.tolist()), errors, seconds, **where)
