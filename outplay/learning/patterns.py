"""Learn the weights of patterns from the end of the game backwards (Michael Buro, 1995 and after), for any game that has them.

Late positions are solved exactly by the engine; the weights of the last phase are fitted to what that found. Earlier positions are
searched some plies deep, which leads into a phase that is learned already: its values are the targets of the phase before. So the
truth about the end moves to the front, phase by phase, and another round begins with positions from games of the new weights.

The game's class says what is learned: `patterns` (an `outplay.patterns.Patterns`), `pattern_weights` (its table) and the method
`pattern_state()`, which gives both words of discs, those of the player to move first, and the phase.
Everything is kept in a folder after each phase; a run that was stopped goes on there.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from outplay.engine.bounds import INFINITY
from outplay.engine.options import Options
from outplay.engine.table import MOST_DEPTH, Table
from outplay.engine.units import Units
from outplay.engine.workspace import Workspace
from outplay.errors import BadValue, Unsuitable
from outplay.files import write_whole
from outplay.jit import below, i64, kernel, random_source, uniform

NOISE = 6.0  # in utilities: how far from the best judged action a move of the games may be, at most
RARE = 20.0  # a weight that so many positions have seen moves half as fast as one that all have
RATE = 0.6
RANDOM_PLIES = 20  # fewer than this begin a game


@dataclass(frozen=True)
class Plan:
    """How much to learn from."""

    rounds: int = 2
    positions: int = 40_000  # for each phase
    depth: int = 4  # of the searches that tell what a position is worth
    solved: int = 2  # so many phases at the end are solved
    epochs: int = 80  # of the fit
    seed: int = 1


@kernel
def _games(states: Any, actions: Any, weights: Any, source: Any, kept: Any, counts: Any, noise: Any) -> Any:
    """Play quick games with one ply of looking ahead and some noise until every phase has its positions; returns how many."""
    games = 0
    wanted = kept.shape[1]
    missing = i64(len(counts))
    while missing > 0 and games < 40 * wanted:
        games += 1
        states[0] = states[2]
        random_plies = below(source, RANDOM_PLIES)
        unsure = noise * uniform(source)
        ply = 0
        while True:
            count = states[0].actions(actions)
            if count == 0:
                break
            _, _, phase = states[0].pattern_state()
            if counts[phase] < wanted and below(source, 3) == 0:
                kept[phase, counts[phase]] = states[0]
                counts[phase] += 1
                if counts[phase] == wanted:
                    missing -= 1
            chosen = actions[below(source, count)]
            if ply >= random_plies:
                seat = states[0].player()
                best = -1e30
                for i in range(count):
                    states[1] = states[0]
                    states[1].play(actions[i])
                    value = states[1].evaluate(seat, weights) + unsure * uniform(source)
                    if value > best:
                        best = value
                        chosen = actions[i]
            states[0].play(chosen)
            ply += 1
    return games


@kernel
def _words(states: Any, mine: Any, theirs: Any) -> None:
    for i in range(len(states)):
        mine[i], theirs[i], _ = states[i].pattern_state()


@kernel
def _listed(states: Any, at: Any, out: Any) -> Any:
    return states[at].actions(out)


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


class Judge:
    """Searches many positions, each to the same depth: the engine without what it does for a person who waits."""

    def __init__(self, game: Any) -> None:
        self.game, self.table = game, Table(32)
        self.workspace = Workspace(game, self.table)
        self.workspace.prepare(game.start(), Options(solving=True), "pvs", Units.of(game, distance=False))

    def values(self, states: np.ndarray, depth: int, tell: Callable[[int], None] | None = None) -> np.ndarray:
        """What each position is worth to the player to move, in points."""
        self.table.clear()  # what other weights said is no longer true
        workspace, out = self.workspace, self.game.rules.room()
        found = np.zeros(len(states))
        for i in range(len(states)):
            count = _listed(states, i, out)
            workspace.states[0] = states[i]
            workspace.begin(out[:count].tolist(), -INFINITY, INFINITY, depth)
            workspace.control["nodes"] = 0
            workspace.go(1 << 60)
            found[i] = workspace.root()[0]
            if tell is not None and i % 1000 == 999:
                tell(i + 1)
        return found


def learn(game: Any, plan: Plan, folder: Path, tell: Callable[[str], None] = print) -> Path:
    """Learn the weights as planned, into `weights.npz` of the folder; what is there already is taken over."""
    patterns, table = getattr(game.rules, "patterns", None), getattr(game.rules, "pattern_weights", None)
    if patterns is None or table is None:
        raise Unsuitable(f"{game.name} has no patterns to learn: see outplay/patterns.py")
    if min(plan.rounds, plan.positions, plan.depth, plan.epochs) < 1:
        raise BadValue("rounds, positions, depth and epochs must be 1 or more")
    folder.mkdir(parents=True, exist_ok=True)
    file, diary = folder / "weights.npz", folder / "progress.json"
    weights = table.array.astype(np.float64)
    done = {"plan": asdict(plan), "round": 0, "phase": patterns.phases}
    if diary.exists() and file.exists():
        before = json.loads(diary.read_text())
        if before["plan"] != done["plan"]:
            raise BadValue(f"{folder} holds a run with another plan ({before['plan']}): give the same numbers or another folder")
        done, weights = before, np.load(file)["weights"].astype(np.float64)
        tell(f"going on in round {done['round'] + 1} before phase {done['phase']}")
    judge = Judge(game)
    while done["round"] < plan.rounds:
        _put(table, weights)
        kept = _positions(game, plan, done["round"])
        for phase in range(done["phase"] - 1, -1, -1):
            began = time.perf_counter()
            states = kept[phase]
            solved = phase >= patterns.phases - plan.solved
            targets = judge.values(states, MOST_DEPTH if solved else plan.depth)
            mine, theirs = np.zeros(len(states), np.uint64), np.zeros(len(states), np.uint64)
            _words(states, mine, theirs)
            last = phase + 1 == patterns.phases
            start = weights[phase] if last or weights[phase].any() else weights[phase + 1]
            weights[phase], off = fit(patterns, mine, theirs, targets, start, plan.epochs)
            _put(table, weights)
            done["phase"] = phase
            _save(file, diary, weights, done)
            tell(f"round {done['round'] + 1}, phase {phase}: {len(states)} positions, off by {off / game.traits.scale:.2f} "
                 f"({'solved' if solved else f'depth {plan.depth}'}, {time.perf_counter() - began:.0f} s)")
        done["round"], done["phase"] = done["round"] + 1, patterns.phases
        _save(file, diary, weights, done)
    return file


def _positions(game: Any, plan: Plan, number: int) -> np.ndarray:
    """Positions of every phase from quick games; a phase whose positions are too few gets some twice."""
    rules = game.rules
    states, kept = rules.states(3), rules.states(rules.patterns.phases * plan.positions).reshape(rules.patterns.phases, -1)
    states.view(np.uint8)[2 * rules.layout.itemsize :] = np.frombuffer(game.initial(), np.uint8)
    counts = np.zeros(rules.patterns.phases, np.int64)
    source = random_source(plan.seed * 1000 + number)
    _games(states, rules.room(), np.array(rules.weights), source, kept, counts, NOISE * game.traits.scale)
    for phase, count in enumerate(counts.tolist()):
        if count == 0:
            raise Unsuitable(f"{game.name}: no position of phase {phase} came up in the games")
        kept[phase, count:] = kept[phase, np.arange(plan.positions - count) % count]
    return kept


def _put(table: Any, weights: np.ndarray) -> None:
    """Let compiled code read these weights from now on."""
    numbers = table.array
    numbers.flags.writeable = True
    numbers[...] = np.clip(np.round(weights), -32768, 32767)
    numbers.flags.writeable = False


def _save(file: Path, diary: Path, weights: np.ndarray, done: dict[str, Any]) -> None:
    whole = io.BytesIO()
    np.savez_compressed(whole, weights=np.clip(np.round(weights), -32768, 32767).astype(np.int16))
    write_whole(file, whole.getvalue())
    write_whole(diary, json.dumps(done).encode())
