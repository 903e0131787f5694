"""Random games by the million: from a position to the end, choosing at random (or by the game's own `choose`).

>>> from outplay.game import load
>>> played = playouts(load("tic-tac-toe").start(), games=1000, seed=1)
>>> played.games, played.means[0] > 0  # the first player wins most random games
(1000, True)

A game that does not end is cut after the `horizon` of its rules and judged by `evaluate`, or as the middle of all outcomes.

The same rules also run on a GPU (`playouts_cuda`). With one seed the result is always the same, on any number of threads.
"""

from __future__ import annotations

import functools
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from outplay.engine.memory import action_list, horizon_of, load_state, probability_rows, refuse_overrun, weights_of
from outplay.engine.pacing import Pacer, Watch, at_work
from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.game import Position
from outplay.jit import always_inlined, below, f64, i64, inlined, kernel, load_record, random_source, record_of, uniform
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
    return player_step(state, actions, source)


@inlined
def player_step(state: Any, actions: Any, source: Any) -> Any:
    """Make one random move of a player."""
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


TALLY = np.dtype((np.record, [(name, np.int64) for name in ("left", "moves", "cut", "overrun")]))
"""Of one part: the games that are left; moves, and games that were cut, of those that have been played."""
IDLE = -1  # moves of no game
SMALL, MANY = 64, 20_000
"""Bytes of a state up to which, and games from which on, it is tried whether a thread does better with two games in turns."""


class Room(NamedTuple):
    """The arrays of one thread."""

    roots: Any  # [1]: where games begin
    actions: Any  # room for a list
    probabilities: Any
    weights: Any  # of the game's evaluation


class Units(NamedTuple):
    """What a game is cut by, and what it is worth then."""

    horizon: int
    scale: float
    least: float
    greatest: float
    total: float  # what the utilities add up to, NaN where that differs

    @classmethod
    def of(cls, rules: Any, horizon: int) -> Units:
        """Those of a game."""
        traits = rules.traits
        least, greatest = traits.bounds
        return cls(horizon, float(traits.scale), float(least), float(greatest), known_total(rules))


class Count(NamedTuple):
    """What came of one part of the games."""

    tally: Any  # [1]: TALLY
    sums: Any  # [seat]: of utilities
    squares: Any


class Lane(NamedTuple):
    """Games that are played one after the other: those of one part."""

    room: Room
    counts: Count
    source: Any  # of random numbers


@always_inlined
def is_due(lane: Any, until: Any) -> Any:
    """Whether another game is to be played: there is one, and there were not so many moves yet."""
    return lane.counts.tally[0].left > 0 and lane.counts.tally[0].moves < until


@always_inlined
def add_game(lane: Any, state: Any, made: Any, status: Any, units: Any) -> None:
    """Count a game that ended so after so many moves."""
    room, played, sums = lane.room, lane.counts.tally[0], lane.counts.sums
    if status == OVERRUN:
        played.overrun = 1
        played.left = 0
        return
    is_cut = status == PLAYED
    add_utilities(state, is_cut, len(sums), units.total, room.weights, units.scale, units.least, units.greatest, sums,
                  lane.counts.squares)  # fmt: skip
    played.moves += made
    played.cut += i64(is_cut)
    played.left -= 1


@kernel
def _playouts(lane: Any, units: Any, moves: Any) -> None:
    """Play until no game is left, or about so many moves more."""
    room, until, state = lane.room, lane.counts.tally[0].moves + moves, record_of(lane.room.roots)
    while is_due(lane, until):
        load_record(state, room.roots, 0)
        made, status = play_out(state, room.actions, room.probabilities, lane.source, units.horizon)
        add_game(lane, state, made, status, units)


@kernel
def _playouts_of_two(one: Any, other: Any, units: Any, moves: Any) -> None:
    """The same for two lanes in turns: a move has to wait for the one before it, and meanwhile the other's is computed."""
    until, also_until = one.counts.tally[0].moves + moves, other.counts.tally[0].moves + moves
    state, also_state = record_of(one.room.roots), record_of(other.room.roots)
    since, also = first_move(one, state, until), first_move(other, also_state, also_until)
    while since != IDLE or also != IDLE:
        if since != IDLE:
            since = next_move(one, state, since, units, until)
        if also != IDLE:
            also = next_move(other, also_state, also, units, also_until)


@always_inlined
def first_move(lane: Any, state: Any, until: Any) -> Any:
    """Set a game up where one is due: 0 moves made, else IDLE."""
    if not is_due(lane, until):
        return i64(IDLE)
    load_record(state, lane.room.roots, 0)
    return i64(0)


@always_inlined
def next_move(lane: Any, state: Any, since: Any, units: Any, until: Any) -> Any:
    """Make one move after `since`, and begin another game where this one has ended. How many moves have then been made."""
    status = PLAYED
    if since < units.horizon:
        status = random_step(state, lane.room.actions, lane.room.probabilities, lane.source)
        if status == PLAYED:
            return since + 1
    add_game(lane, state, since, status, units)
    return first_move(lane, state, until)


def _one_by_one(one: Lane, other: Lane, units: Units, moves: int) -> None:
    """The games of one lane, and then those of the other."""
    _playouts(one if one.counts.tally[0].left else other, units, moves)


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
        from outplay.engine.montecarlo import playouts_cuda

        return playouts_cuda.playouts(position, games, seed, furthest)
    rules.bind()  # before the threads start
    units = Units.of(rules, furthest)
    # Each part has random numbers of its own, and their number depends on that of the games alone: so the threads change nothing.
    parts = min(games, max(FEWEST_PARTS, min(games // PART, MOST_PARTS)))
    waiting = iter(range(parts))
    # One part more than there is, without a game: the other lane's, where a last part is alone.
    sums, squares = np.zeros((parts + 1, rules.players)), np.zeros((parts + 1, rules.players))
    tallies, watch = np.zeros((parts + 1, 1), TALLY), Watch(Limits(), stop)
    tallies["left"][:parts, 0] = [games // parts + (part < games % parts) for part in range(parts)]
    # Two in turns gain half where moves have few branches, and lose a quarter where they have many: tried out, as either way the
    # games are the same.
    ways = (_one_by_one, _playouts_of_two) if games >= MANY and rules.layout.itemsize <= SMALL else (_one_by_one,)

    def work() -> None:
        rooms = [Room(rules.states(1), action_list(rules), probability_rows(rules, 1)[0], weights_of(rules)) for _ in range(2)]
        for room in rooms:
            load_state(room.roots, 0, position)
        pacer = Pacer(watch, first=20_000)
        speeds: list[float] = []  # moves a second, way by way
        while (taken := [next(waiting, parts) for _ in rooms])[0] < parts:
            sources = (random_source(seed + 0x5851F42D4C957F2D * part) for part in taken)
            one, other = (Lane(room, Count(tallies[part], sums[part], squares[part]), source)
                          for room, part, source in zip(rooms, taken, sources, strict=True))  # fmt: skip
            is_trial = len(speeds) < len(ways)
            some = functools.partial(ways[len(speeds) if is_trial else speeds.index(max(speeds))], one, other, units)
            some(0)  # compiles
            begun = time.thread_time()
            while tallies["left"][taken].any() and not tallies["overrun"].any():
                if watch.ended.is_set() or watch.is_over(0):
                    return
                pacer.slice(some)
            if is_trial:
                speeds.append(float(tallies["moves"][taken].sum()) / max(time.thread_time() - begun, 1e-9))

    if threads == 1 and progress is None:
        work()
    else:
        for _ in at_work(threads, lambda number: work(), watch.ended):
            if progress is not None:
                progress(games - int(tallies["left"].sum()))
    seconds = watch.elapsed()
    if tallies["overrun"].any():
        refuse_overrun(position.game)
    left, moves, cut = (int(tallies[name].sum()) for name in ("left", "moves", "cut"))
    return summary(sums.sum(0), squares.sum(0), games - left, moves, seconds, threads=threads, cut=cut)


def summary(sums: np.ndarray, squares: np.ndarray, games: int, moves: int, seconds: float, **where: Any) -> Playouts:
    """Means and their standard errors from sums and sums of squares."""
    means = sums / max(games, 1)
    variances = np.maximum(squares / max(games, 1) - means**2, 0.0)
    errors = tuple(math.sqrt(variance / max(games, 1)) for variance in variances)
    return Playouts(games, moves, tuple(means.tolist()), errors, seconds, **where)
