"""Fit the weights of an evaluation to the results of games (Arthur Samuel's idea, 1959; as a logistic fit, Peter Österlund, 2014).

Any compiled game whose `evaluate` is linear in its weights can be tuned. `sample` plays games of the engine against itself and
keeps quiet positions with the result; `features` asks the evaluation itself for each weight's share, by setting that weight to 1
and all others to 0; `steepness` finds how many points make a win likely, so that the fit need not shrink or stretch all weights
for that; `fit` then finds the weights under which the logistic curve of the value predicts the results best.

>>> import numpy as np
>>> share = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
>>> found, _ = fit(share, np.array([0.9, 0.5, 0.9]), np.zeros(2), steps=400, hold=0.0)
>>> bool(found[0] > 50 > abs(found[1]))
True
"""

from __future__ import annotations

import hashlib
import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from outplay.arena.match import OPENING_PLIES, usual_plies
from outplay.errors import BadValue, Unsuitable
from outplay.files import read_checked, write_checked
from outplay.game import CompiledGame, Game, Position
from outplay.jit import kernel
from outplay.players import Searcher
from outplay.playing import Play, settle
from outplay.values import Ending, Limits, Outcome

POINTS = 400.0 / np.log(10.0) * 0.7
"""How many points of value make odds e times better, where nothing better is known."""

DEEP = 16
"""Plies after which a search of self-play stops, however few nodes it took: endings with little left would go on and on."""

PIECE_GAMES = 100
"""Games of self-play in one piece of a sample."""

PIECE = 1000
"""States whose features are computed between two words about progress."""

DECIDED, DULL, DULL_PLIES = 0.1, 0.001, 20
"""Parts of a won game's points beyond which a game counts as won, and within which for so many plies on end as drawn."""


@dataclass(frozen=True)
class Fitting:
    """How the weights of one game's evaluation are fitted, where that is special."""

    is_fit: Callable[[Position], bool]
    """Whether a position teaches anything."""
    groups: Callable[[], list[np.ndarray]]
    """The numbers of weights that belong together."""
    text: Callable[[np.ndarray], str]
    """The weights as the text of a file."""


@dataclass
class Sample:
    """Positions as an array of states, what player 0 got from each (1 won, 0.5 drawn, 0 lost), and what the search said."""

    states: np.ndarray
    results: np.ndarray
    values: np.ndarray


def sample(game: CompiledGame, games: int, *, nodes: int = 1500, seed: int = 0, random_plies: int = 8, most_plies: int = 240,
           share: float = 0.7, is_fit: Callable[[Any], bool] | None = None, stop: threading.Event | None = None,
           progress: Callable[[int, int], None] | None = None, address: str | None = None, folder: Path | None = None) -> Sample:
    """Play games of the engine against itself from random openings; keep positions whose best action is quiet.

    They are played in pieces of PIECE_GAMES, each with a seed and a player of its own, so that a cluster of Ray at `address` gives
    the same sample as this machine. Once `stop` is set, what is finished so far is the sample. With a `folder`, finished pieces are
    kept there, and not played again.
    """
    if games < 1:
        raise BadValue(f"games must be 1 or more, got {games}")
    if not game.offers("evaluate"):
        raise Unsuitable(f"tuning needs an evaluation; {game.name} has none")
    usual = usual_plies(game.start())
    random_plies = usual if usual < OPENING_PLIES else random_plies  # a short game is not played out by chance alone
    parts = [(count, nodes, seed + first, random_plies, most_plies, share)
             for first in range(0, games, PIECE_GAMES) for count in [min(PIECE_GAMES, games - first)]]
    found = [None if folder is None else _kept(folder, game, part) for part in parts]
    missing = [number for number, piece in enumerate(found) if piece is None]

    def kept_before() -> int:
        return sum(len(piece.results) for piece in found if piece is not None)

    def finish(number: int, piece: Sample) -> None:
        found[number] = piece
        if folder is not None:
            write_checked(_place(folder, game, parts[number]), states=piece.states.view(np.uint8), results=piece.results,
                          values=piece.values)

    if address is None:
        for number in missing:
            before, kept = sum(part[0] for part, piece in zip(parts, found, strict=True) if piece is not None), kept_before()
            told = None if progress is None else lambda done, more, before=before, kept=kept: progress(before + done, kept + more)
            piece = _piece(game, *parts[number], is_fit, stop, told)
            if stop is not None and stop.is_set():
                found[number] = piece  # a part of it, which is not kept
                break
            finish(number, piece)
    else:
        from outplay.arena.cluster import spread

        where = game.origin or game.name
        pieces = ((where, *parts[number], is_fit) for number in missing)
        for number, piece in zip(missing, spread(_piece_away, pieces, address=address, stop=stop), strict=False):
            finish(number, piece)
            if progress is not None:
                progress(sum(part[0] for part, each in zip(parts, found, strict=True) if each is not None), kept_before())
    whole = [piece for piece in found if piece is not None]
    states = game.rules.states(kept_before())
    if len(states):
        states[:] = np.concatenate([each.states for each in whole])
    results, values = (np.concatenate([np.zeros(0), *(getattr(each, name) for each in whole)]) for name in ("results", "values"))
    return Sample(states, results, values)


def _place(folder: Path, game: CompiledGame, part: tuple[Any, ...]) -> Path:
    """Where a piece of a sample is kept; its name holds all that it depends on, the rules among it."""
    told = repr((game.name, game.rules.layout.names[-1], part))
    return folder / f"{part[0]}-games-{hashlib.sha256(told.encode()).hexdigest()[:16]}.sample"


def _kept(folder: Path, game: CompiledGame, part: tuple[Any, ...]) -> Sample | None:
    """A piece that was played before."""
    held = read_checked(_place(folder, game, part))
    if held is None:
        return None
    states = game.rules.states(len(held["results"]))
    states.view(np.uint8)[:] = held["states"]
    return Sample(states, held["results"], held["values"])


def _piece_away(game: str, *rest: Any) -> Sample:
    """A piece of a sample on another machine, where games go by their names."""
    from outplay.game import load

    return _piece(load(game), *rest)


def _piece(game: Game, games: int, nodes: int, seed: int, random_plies: int, most_plies: int, share: float,
           is_fit: Callable[[Any], bool] | None = None, stop: threading.Event | None = None,
           progress: Callable[[int, int], None] | None = None) -> Sample:
    source = random.Random(seed)
    thinker = Searcher("engine:pvs", Limits(nodes=nodes, depth=DEEP), memory=16)
    kept: list[bytes] = []
    results: list[float] = []
    values: list[float] = []
    scale = game.traits.scale
    for number in range(games):
        opening = game.start()
        for _ in range(random_plies + source.randrange(2)):
            opening = settle(opening, source.getrandbits(32))
            if opening.is_terminal():
                break
            opening = opening.result(source.choice(opening.actions()))
        play = Play(game, [thinker, thinker], start=settle(opening, number), seed=seed + number, most_plies=most_plies)
        mine: list[tuple[bytes, float]] = []
        dull = 0
        for event in play.run(stop):
            if event.thought is None or event.kind != "thought":
                continue
            value = float(event.thought.in_utilities()) * scale  # type: ignore[arg-type]  # two players: one number
            if abs(value) > DECIDED * scale or "distance" in event.thought.facts:
                play.finish(Outcome((1.0, -1.0) if value > 0 else (-1.0, 1.0)), "decided")
                continue
            dull = dull + 1 if abs(value) <= DULL * scale else 0
            if dull >= DULL_PLIES and len(play.plies) > 2 * DULL_PLIES:
                play.finish(Outcome(game.drawn_utilities()), "dull", Ending.NO_PROGRESS)
                continue
            is_kept = len(play.plies) > min(4, random_plies - 1) and source.random() < share
            if is_kept and (is_fit is None or is_fit(play.position)) and _is_quiet(play.position, event.action):
                mine.append((cast(bytes, play.position.state), value))
        if play.outcome is None:  # stopped
            break
        low, high = game.traits.bounds
        paid = play.outcome.utilities[0]
        result = paid > 0 if play.ending is Ending.DECIDED else (paid - low) / (high - low)
        kept += [state for state, _ in mine]
        values += [value for _, value in mine]
        results += [float(result)] * len(mine)
        if progress is not None:
            progress(number + 1, len(kept))
    states = game.rules.states(len(kept))
    states.view(np.uint8)[:] = np.frombuffer(b"".join(kept), np.uint8)
    return Sample(states, np.array(results), np.array(values))


def _is_quiet(position: Any, action: Any) -> bool:
    """Whether the evaluation alone can judge a position: no threat to answer, and the best action is no forcing one."""
    with np.errstate(over="ignore"):
        return not position.game.record(position.state).urgent() and action not in position.forcing()


@kernel
def _shares(states: Any, weights: Any, out: Any) -> None:
    """Row i gets the value of state i, for player 0, under each unit vector of weights."""
    for i in range(len(states)):
        for j in range(len(weights)):
            weights[j] = 1.0
            out[i, j] = states[i].evaluate(0, weights)
            weights[j] = 0.0


def features(game: CompiledGame, states: np.ndarray, progress: Callable[[int], None] | None = None) -> np.ndarray:
    """Each weight's share in the value of each state, for player 0; `progress` hears how many states are done."""
    count = len(game.default_weights())
    out = np.zeros((len(states), count), np.float32)
    for first in range(0, len(states), PIECE):
        _shares(states[first : first + PIECE], np.zeros(count), out[first : first + PIECE])
        if progress is not None:
            progress(min(first + PIECE, len(states)))
    return out


def steepness(values: np.ndarray, results: np.ndarray) -> float:
    """How many points make odds e times better: the number under which these values predict these results best.

    >>> values = np.linspace(-500, 500, 41)
    >>> round(steepness(values, 1 / (1 + np.exp(-values / 200))))
    200
    """
    candidates = np.arange(40.0, 800.0, 5.0)
    misses = [np.mean((1.0 / (1.0 + np.exp(-values / points)) - results) ** 2) for points in candidates]
    return float(candidates[int(np.argmin(misses))])


def blend(found: Sample, share: float = 0.1, points: float = POINTS) -> np.ndarray:
    """Targets between the result of the game, which has this share, and what the search thought of the position.

    A result is the same for all positions of a game; what the search thought tells of each one, so fewer games are enough.
    """
    if not 0 <= share <= 1:
        raise BadValue(f"the share of results must be from 0 to 1, got {share:g}")
    return share * found.results + (1 - share) / (1.0 + np.exp(-found.values / points))


def error(shares: np.ndarray, targets: np.ndarray, weights: np.ndarray, points: float = POINTS) -> float:
    """The mean squared error of the predicted results."""
    guess = 1.0 / (1.0 + np.exp(-(shares @ weights.astype(shares.dtype)) / points))
    return float(np.mean((guess - targets) ** 2))


def fit_groups(shares: np.ndarray, targets: np.ndarray, start: np.ndarray, groups: Sequence[np.ndarray], *, steps: int = 500,
               hold: float = 3e-4, points: float = POINTS,
               progress: Callable[[int, float], None] | None = None) -> tuple[np.ndarray, float]:
    """Fit one factor for each group of weights in place of every single weight: what a few thousand positions can bear."""
    together = np.stack([shares[:, group] @ start[group] for group in groups], axis=1).astype(shares.dtype)
    ones = np.ones(len(groups))
    factors, least = fit(together, targets, ones, steps=steps, hold=hold, rate=0.01, points=points, progress=progress)
    weights = start.astype(np.float64).copy()
    for group, factor in zip(groups, factors, strict=True):
        weights[group] *= factor
    return weights, least


def fit(shares: np.ndarray, targets: np.ndarray, start: np.ndarray, *, steps: int = 600, hold: float = 3e-8, rate: float = 1.0,
        points: float = POINTS, progress: Callable[[int, float], None] | None = None) -> tuple[np.ndarray, float]:
    """The weights with the least squared error of sigmoid(value) against the targets, and that error; `hold` keeps them near."""
    weights = start.astype(np.float64).copy()
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    error = 0.0
    for step in range(1, steps + 1):
        guess = 1.0 / (1.0 + np.exp(-(shares @ weights.astype(shares.dtype)) / points))
        miss = guess - targets
        error = float(np.mean(miss * miss))
        pull = (miss * guess * (1 - guess)).astype(shares.dtype)
        slope = shares.T @ pull * (2.0 / points / len(targets)) + 2 * hold * (weights - start)
        # Adam (Kingma and Ba, 2014), with steps in points.
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope * slope
        weights -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-12)
        if progress is not None:
            progress(step, error)
    return weights, error


def fit_pieces(shares: np.ndarray, targets: np.ndarray, start: np.ndarray, points: float, seed: int = 0, *, passes: int = 24,
               piece: int = 4096, rate: float = 1.0, hold: float = 2e-9) -> np.ndarray:
    """The same for so many positions that every step takes some of them only; the steps grow smaller to the end. `hold` is for
    weights that hardly any position says something about.

    >>> share = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> found = fit_pieces(np.tile(share, (50, 1)), np.tile([0.9, 0.5, 0.9], 50), np.zeros(2), 20.0, passes=300)
    >>> bool(found[0] > 40 > abs(found[1]))
    True
    """
    source, weights = np.random.default_rng(seed), start.astype(np.float64).copy()
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    size = min(piece, len(targets))
    steps = max(1, passes * len(targets) // max(1, size))
    for step in range(1, steps + 1):
        chosen = source.integers(len(targets), size=size)
        some = shares[chosen]
        guess = 1.0 / (1.0 + np.exp(-(some @ weights.astype(shares.dtype)) / points))
        pull = ((guess - targets[chosen]) * guess * (1 - guess)).astype(shares.dtype)
        slope = some.T @ pull * (2.0 / points / size) + 2 * hold * (weights - start)
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope * slope
        now = rate * (1 - (step - 1) / steps)
        weights -= now * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-12)
    return weights
