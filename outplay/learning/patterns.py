"""Learn the weights of patterns from how games ended (Michael Buro, 1995 and after), for any game that has them.

Games begin with random moves, so that no two are alike, and go on by searches of some plies. Once the last phases are reached, the
engine solves the position: that is the outcome of all that was played since the last random move. Each position is taught what the
searches of the plies behind it said, fading, and the outcome (TD(lambda), with searches in place of glances). The end itself is
solved position by position, with random moves in between. Another round begins with games by the new weights.

The game's `evaluation` says what is learned: `patterns` (an `outplay.evaluations.patterns.Patterns`) and `pattern_weights` (its
table); its class has the method `pattern_state()`, which gives both words of discs, the player to move first, and the phase.
Everything is kept in a folder; a run that was stopped goes on there.
"""

from __future__ import annotations

import io
import json
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from outplay import evaluations
from outplay.engine.alphabeta.bounds import INFINITY
from outplay.engine.alphabeta.deepening import open_root
from outplay.engine.alphabeta.exact_kernel import run_exact
from outplay.engine.alphabeta.options import Options
from outplay.engine.alphabeta.table import MOST_DEPTH, Table
from outplay.engine.alphabeta.units import Units
from outplay.engine.alphabeta.workspace import Workspace
from outplay.engine.memory import load_state
from outplay.engine.pacing import at_work
from outplay.errors import BadValue, Unsuitable
from outplay.files import read_arrays, write_whole
from outplay.game import CompiledGame
from outplay.jit import below, f64, i64, inlined, kernel, random_source, uniform

RARE = 20.0  # a weight that so many positions have seen moves half as fast as one that all have
RATE = 0.6
RANDOM_PLIES = 24  # fewer than this begin a game
ASTRAY = 0.25  # the share of random moves where every position is solved
MEGABYTES = 8  # of the table that a thread's searches share
PIECE, ROOM = 4, 8192
"""Games between two looks at the clock, and the positions that there is room for."""
HELD_OUT = 32
"""One piece of games in so many is never learned from."""
POSITION = np.dtype([("mine", "<u8"), ("theirs", "<u8"), ("target", "<f4"), ("phase", "u1"), ("held", "u1"), ("rest", "<u2")])
"""Both words of discs, the player to move first; what it gets in the end, in points; whether it is held out."""


@dataclass(frozen=True)
class Plan:
    """How much to learn from."""

    rounds: int = 2
    positions: int = 40_000  # for each phase, on average
    depth: int = 4  # of the searches that play the games
    solved: int = 3  # so many phases at the end are solved
    trace: float = 0.9  # TD(lambda)'s lambda: what the searches of the next plies said counts too, each ply by so much less
    epochs: int = 40  # of the fit
    seed: int = 1


search = inlined(run_exact.python)


@inlined
def think(work: Any, count: Any, depth: Any) -> Any:
    """Search states[0], whose actions are listed, to a depth: value and action for the mover."""
    c = work.control[0]
    c.nodes, c.until = 0, 1 << 60
    open_root(work.frames, work.control, -INFINITY, INFINITY, depth, count)
    search(work)
    return i64(work.frames[0].best), i64(work.frames[0].action)


@inlined
def ended(out: Any, seats: Any, first: Any, filled: Any, worth: Any, trace: Any) -> None:
    """Positions of a game get what came of it, `worth` to seat 0, and what was said on the way there, what is far off fading.

    A search that ends in a guess thinks well of whoever moves last; from ply to ply that is the other, so that it cancels out.
    """
    later = worth
    for i in range(filled - 1, first - 1, -1):
        sign = 1.0 if seats[i] == 0 else -1.0
        later = (1.0 - trace) * sign * f64(out[i].target) + trace * later
        out[i].target = sign * later


@kernel
def play_games(work: Any, start: Any, games: Any, depth: Any, solved_from: Any, scale: Any, trace: Any, source: Any,
               out: Any, seats: Any) -> Any:
    """Play so many games, or until the room is full; returns how many positions are known by their outcome now."""
    states, actions = work.states, work.actions
    filled = i64(0)
    for _ in range(games):
        states[0] = start[0]
        opening, ply, first = i64(below(source, RANDOM_PLIES)), i64(0), filled
        is_known = False  # what comes of the positions from `first` on
        while filled < len(out):
            count = i64(states[0].actions(actions[0]))
            if count == 0:
                if not is_known:
                    ended(out, seats, first, filled, scale * f64(states[0].utility(0)), trace)
                is_known = True
                break
            action = i64(actions[0, below(source, count)])
            if ply >= opening:
                out[filled].mine, out[filled].theirs, phase = states[0].pattern_state()
                out[filled].phase = phase
                seats[filled] = states[0].player()
                late = phase >= solved_from
                value, best = think(work, count, i64(MOST_DEPTH) if late else i64(depth))
                out[filled].target = value
                filled += 1
                if late and not is_known:
                    ended(out, seats, first, filled, f64(value) if seats[filled - 1] == 0 else -f64(value), trace)
                    is_known = True
                if not late or uniform(source) >= ASTRAY:
                    action = best
            states[0].play(action)
            ply += 1
        if not is_known:  # the room is full
            return first
    return filled


class Generator:
    """One thread's games: a workspace of the engine and the room that a piece of them fills."""

    def __init__(self, game: CompiledGame, plan: Plan, solved_from: int, seed: int) -> None:
        rules = game.rules
        self.workspace = Workspace(game, Table(MEGABYTES))
        self.workspace.prepare(game.start(), Options(solving=True), "pvs", Units.of(game, distance=False))
        self.start = rules.states(1)
        load_state(self.start, 0, game.start())
        self.rest = plan.depth, solved_from, float(game.traits.scale), float(plan.trace), random_source(seed)
        self.out, self.seats = np.zeros(ROOM, POSITION), np.zeros(ROOM, np.uint8)

    def piece(self, games: int) -> np.ndarray:
        """The positions of so many games, with what came of each."""
        with np.errstate(over="ignore"):
            filled = play_games(self.workspace.work, self.start, games, *self.rest, self.out, self.seats)
        return self.out[:filled].copy()


@kernel
def _descend(weights: Any, indexes: Any, counts: Any, targets: Any, epochs: Any, rate: Any) -> Any:
    """Least squares by going down the gradient, sample after sample, each weight the slower the more often it is seen."""
    error = 0.0
    for epoch in range(epochs):
        error = 0.0
        step = rate / (1.0 + 3.0 * epoch / epochs)
        for i in range(len(targets)):
            guess = 0.0
            for j in range(indexes.shape[1]):
                guess += weights[indexes[i, j]]
            miss = targets[i] - guess
            error += miss * miss
            for j in range(indexes.shape[1]):
                weights[indexes[i, j]] += step * miss * counts[indexes[i, j]]
    return np.sqrt(error / max(1, len(targets)))


def fit(patterns: Any, mine: np.ndarray, theirs: np.ndarray, targets: np.ndarray, start: np.ndarray,
        epochs: int) -> tuple[np.ndarray, float]:
    """The weights of one phase that tell the targets best, beginning from others, and how far they are off (root mean square)."""
    twins = patterns.twins()
    indexes = twins[patterns.indexes(mine, theirs)].astype(np.int32)
    seen = np.bincount(indexes.ravel(), minlength=patterns.size + 1)
    ordered = np.sort(indexes, axis=1)
    first = np.concatenate([np.ones((len(ordered), 1), bool), ordered[:, 1:] != ordered[:, :-1]], axis=1)
    samples = np.bincount(ordered[first], minlength=patterns.size + 1)
    # Hardly seen: hardly moved; seen several times in one position: moved that often at once.
    caution = samples / (seen + RARE) / patterns.count * (samples / np.maximum(seen, 1))
    weights = start.astype(np.float64)[twins]  # one number for both of a pair: they began alike
    off = _descend(weights, indexes, caution, targets, epochs, RATE)
    weights[-1] = 0.0
    return weights[twins], float(off)


def off_by(patterns: Any, weights: np.ndarray, some: np.ndarray) -> float:
    """How far the weights of a phase are off what came of positions (root mean square), in points."""
    if not len(some):
        return float("nan")
    rows = patterns.indexes(some["mine"], some["theirs"])
    return float(np.sqrt(np.mean((weights[rows].sum(1) - some["target"]) ** 2)))


def _declared(game: CompiledGame) -> tuple[Any, Any]:
    """The patterns of a game and their table."""
    found = evaluations.of(game)
    return found.patterns, found.pattern_weights


def learn(game: Any, plan: Plan, folder: Path, tell: Callable[[str], None] = print, threads: int = 1,
          stop: threading.Event | None = None) -> Path:
    """Learn the weights as planned, into `weights.npz` of the folder; what is there already is taken over."""
    patterns, table = _declared(game)
    if patterns is None or table is None:
        raise Unsuitable(f"{game.name} has nothing to tune: its `evaluation` names no weights and no patterns")
    if min(plan.rounds, plan.positions, plan.depth, plan.epochs) < 1:
        raise BadValue("rounds, positions, depth and epochs must be 1 or more")
    folder.mkdir(parents=True, exist_ok=True)
    file, diary = folder / "weights.npz", folder / "progress.json"
    weights = table.array.astype(np.float64)
    done: dict[str, Any] = {"plan": asdict(plan), "round": 0}
    if diary.exists():
        before = json.loads(diary.read_text())
        if before["plan"] != done["plan"]:
            raise BadValue(f"{folder} holds a run with another plan ({before['plan']}): give the same numbers or another folder")
        done = before
        if file.exists():
            weights = read_arrays(file)["weights"].astype(np.float64)
        tell(f"going on in round {done['round'] + 1}")
    write_whole(diary, json.dumps(done).encode())
    stop = stop or threading.Event()
    while done["round"] < plan.rounds:
        _put(table, weights)
        kept = folder / f"positions-{done['round'] + 1}.bin"
        _play(game, plan, done["round"], kept, threads, stop, tell)
        if stop.is_set():
            break
        some = np.fromfile(kept, POSITION)
        weights = _learned(patterns, weights, some, plan, threads, game.traits.scale, tell)
        _put(table, weights)
        done["round"] += 1
        content = io.BytesIO()
        np.savez_compressed(content, weights=table.array)
        write_whole(file, content.getvalue())
        write_whole(diary, json.dumps(done).encode())
    return file


def _play(game: CompiledGame, plan: Plan, number: int, kept: Path, threads: int, stop: threading.Event,
          tell: Callable[[str], None]) -> None:
    """Games until a round has its positions; they stand in a file, to which an interrupted run adds."""
    patterns, _ = _declared(game)
    wanted = plan.positions * patterns.phases
    have = kept.stat().st_size // POSITION.itemsize if kept.exists() else 0
    if have:
        os.truncate(kept, have * POSITION.itemsize)  # the end of one that was killed as it wrote
    guard, pieces = threading.Lock(), [0]
    began, begun_with, told = time.monotonic(), have, [time.monotonic()]
    out, halt, first = kept.open("ab"), threading.Event(), (plan.seed * 1000 + number) * 1_000_003 + have

    def work(thread: int) -> None:
        nonlocal have
        generator = Generator(game, plan, patterns.phases - plan.solved, first + thread)
        while have < wanted and not halt.is_set():
            made = generator.piece(PIECE)
            with guard:
                made["held"] = pieces[0] % HELD_OUT == HELD_OUT - 1
                pieces[0] += 1
                have += len(made)
                out.write(made.tobytes())

    with out:
        for _ in at_work(threads, work, halt, lambda: stop.is_set() or have >= wanted):
            if time.monotonic() > told[0] + 2:
                told[0] = time.monotonic()
                speed = (have - begun_with) / (told[0] - began)
                tell(f"round {number + 1}: {have:,} of {wanted:,} positions, {speed:,.0f} a second")


def _learned(patterns: Any, weights: np.ndarray, some: np.ndarray, plan: Plan, threads: int, scale: float,
             tell: Callable[[str], None]) -> np.ndarray:
    """The weights of all phases that tell best what came of positions; a phase of none is like the one behind it."""
    found = weights.copy()
    tested = some[some["held"] != 0]
    taught = some[some["held"] == 0]

    def one(phase: int) -> str:
        mine, held = (part[part["phase"] == phase] for part in (taught, tested))
        if not len(mine):
            return ""
        before = off_by(patterns, weights[phase], held)
        targets = mine["target"].astype(np.float64)
        found[phase], _ = fit(patterns, mine["mine"], mine["theirs"], targets, weights[phase], plan.epochs)
        after = off_by(patterns, found[phase], held)
        return f"phase {phase}: {len(mine):,} positions; on others off by {after / scale:.2f}, before {before / scale:.2f}"

    with ThreadPoolExecutor(threads) as pool:
        for line in filter(None, pool.map(one, range(patterns.phases))):
            tell(line)
    for phase in range(patterns.phases - 2, -1, -1):
        if not found[phase].any():
            found[phase] = found[phase + 1]
    return found


def _put(table: Any, weights: np.ndarray) -> None:
    """Let compiled code read these weights from now on."""
    numbers = table.array
    numbers.flags.writeable = True
    numbers[...] = np.clip(np.round(weights), -32768, 32767)
    numbers.flags.writeable = False
