"""Fits of values to results: a game's own games of mixed strength, their positions looked at, and what came of them.

`outplay calibrate GAME` plays them with many nodes and keeps the fit; with `--strong`, each is taken back to some position on its
way and finished by players who do not slip. A game without a fit that was kept is fitted on a few quick games when its first
estimate is to be read, by nodes and a fixed seed, so that it is the same on every machine.

>>> from outplay.game import load
>>> fit = calibrate(load("isolation:width=4,height=4"), games=8, nodes=300)
>>> fit.games, fit.width > 0
(8, True)
"""

from __future__ import annotations

import random
import statistics
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from outplay.errors import OutplayError, Unsuitable
from outplay.game import CompiledGame, Position
from outplay.judge.shares import Fit, drawn_out, fitted, known, reliability, unit_of, worst
from outplay.judge.worth import Judge, Stopped, in_full, plies_left, whole_depth
from outplay.players.levels import level
from outplay.playing import chance_source, drawn
from outplay.values import Result

RATINGS = (1200, 1500, 1800, 2100)
"""How strong the players are: each game draws one of these for each seat."""

QUICK_GAMES, QUICK_NODES, QUICK_PLIES = 16, 300, 120
FEW = 40  # games, of which no half is enough for a fit
MOST_PLIES = 400
EVERY = 2  # so many plies lie between two positions that are looked at, on average
NOTED = 16  # so many plies of what strong players play are looked at: later ones tell the same story once more
OPENING = 4  # so many plies of a game are random, so that no two are alike

Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Seen:
    """One game: its result for the first player, and of each position that was looked at what was estimated."""

    score: float  # 1 won, 0.5 drawn, 0 lost
    values: list[float]
    ends: list[float]  # 1 where the first player moves at the end of the search, else -1
    left: list[int]  # plies, 0 where the rules do not tell
    jumps: list[float]  # by how much the value changes from a depth to the next


def fit_of(game: Any, stop: threading.Event | None = None) -> Fit:
    """The fit of a game: what comes with the package, else one made now."""
    found = known(game)
    if found is not None:
        return found
    key = game.name, getattr(game, "fingerprint", "")
    if key not in _made:
        try:
            _made[key] = calibrate(game, QUICK_GAMES, QUICK_NODES, plies=QUICK_PLIES, stop=stop)
        except Stopped:
            raise
        except OutplayError:  # a game whose quick games cannot be played: read as it stands
            _made[key] = Fit(width=_width(game))
    return _made[key]


_made: dict[Any, Fit] = {}


def _width(game: Any) -> float:
    judge = Judge(game, fit=Fit())
    stake = float(getattr(getattr(game, "rules", None), "stake", 0) or 0)
    if judge.unit.name == "games":
        return 1.0
    if stake:
        return 2 * stake / judge.unit.points
    low, high = game.traits.bounds
    return float(high - low) / 8 * max(judge.unit.utility, 1e-9) if judge.unit.utility else 1.0


def calibrate(
    game: Any,
    games: int,
    nodes: int,
    *,
    seed: int = 0,
    plies: int = MOST_PLIES,
    strong: bool = False,
    stop: threading.Event | None = None,
    told: Told | None = None,
) -> Fit:
    """The fit of a game, from so many games of its own and searches of so many nodes; of games that strong players finish."""
    seen: list[Seen] = []
    for number, one in enumerate(noted(game, games, nodes, seed=seed, plies=plies, strong=strong, stop=stop)):
        seen.append(one)
        if told is not None:
            told(number + 1, sum(len(each.values) for each in seen))
    return fit_to(game, seen)


def noted(
    game: Any,
    games: int,
    nodes: int,
    *,
    seed: int = 0,
    plies: int = MOST_PLIES,
    strong: bool = False,
    stop: threading.Event | None = None,
) -> Iterator[Seen]:
    """What was estimated in so many games of a game's own and what came of them, a game at a time."""
    traits = game.traits
    if traits.sides != 2 or traits.sum == "general":
        raise Unsuitable(
            f"calibrate needs two sides whose results cancel; {game.name} has {traits.sides}: shares are read off its values"
        )
    if traits.information == "hidden":
        raise Unsuitable(f"calibrate needs a game with nothing hidden; {game.name} is judged by deals")
    judge = Judge(game, nodes, proofs=0, fit=Fit(), stop=stop)
    middle = (traits.total or 0.0) / 2
    for number in range(games):
        source = random.Random(seed * 1_000_003 + number)
        found, outcome, jumps = (_finished_strongly if strong else _game)(game, judge, source, seed + number, plies, stop)
        score = 0.5 if abs(outcome - middle) < 1e-9 else float(outcome > middle)
        values, ends, left = (list(column) for column in zip(*found, strict=True)) if found else ([], [], [])
        yield Seen(score, values, ends, left, jumps)


def fit_to(game: Any, seen: Sequence[Seen]) -> Fit:
    """The fit that makes what came of these games likeliest; how well it holds is told by halves, each read by the other's fit."""
    fit = _likeliest(game, seen)
    if len(seen) < FEW:
        return fit
    foretold: list[float] = []
    happened: list[float] = []
    for half in (0, 1):
        other = _likeliest(game, seen[1 - half :: 2])
        for one in seen[half::2]:
            for value, end, rest in zip(one.values, one.ends, one.left, strict=True):
                share = other.shares(value - end * other.tempo, rest).share
                foretold += [share, 1 - share]
                happened += [one.score, 1 - one.score]
    curve = reliability(foretold, happened)
    return replace(fit, curve=curve, error=round(worst(curve), 4))


def _likeliest(game: Any, seen: Sequence[Seen]) -> Fit:
    unit = unit_of(game).name
    values = [value for one in seen for value in one.values]
    ends = [end for one in seen for end in one.ends]
    left = [rest for one in seen for rest in one.left]
    scores = [one.score for one in seen for _ in one.values]
    tempi = [jump for one in seen for jump in one.jumps]
    if len(values) < 10 or len(set(scores)) < 2:
        return Fit(width=_width(game), unit=unit, games=len(seen), positions=len(values))
    tempo = statistics.median(tempi) / 2 if len(tempi) >= 30 else 0.0
    values = [value - end * tempo for value, end in zip(values, ends, strict=True)]
    start = max(1e-6, statistics.pstdev(values) / 2)
    values, scores, left = (
        values + [-value for value in values],
        scores + [1 - score for score in scores],
        left + left,
    )  # seen by both
    jump = float(np.quantile(np.abs(tempi), 0.95)) if len(tempi) >= 30 else 0.0
    fit = fitted(values, scores, left, start)
    return replace(fit, positions=len(ends), tempo=round(tempo, 4), jump=round(jump, 4), unit=unit, games=len(seen))


def _game(
    game: Any, judge: Judge, source: random.Random, seed: int, plies: int, stop: threading.Event | None
) -> tuple[list[tuple[float, float, int]], float, list[float]]:
    """One game: the estimates on its way with the plies left, its result for the first player, the jumps from depth to depth."""
    players = [level(source.choice(RATINGS)) for _ in range(2)]
    position: Position = game.start()
    past: list[Position] = []
    seen: list[tuple[float, float, int]] = []
    jumps: list[float] = []
    for ply in range(plies):
        if stop is not None and stop.is_set():
            raise Stopped("stopped")
        if position.is_terminal() or drawn(position, past[::-1]):
            break
        if position.is_chance():
            position = position.result(position.sample_chance(chance_source(seed, ply)))
            continue
        if len(past) < OPENING:
            action = source.choice(position.actions())
        else:
            if source.random() < 1 / EVERY:
                _note(judge, position, list(judge.results(position, past)), seen, jumps)
            action = _chosen(judge, position, past, players[game.side(position.player()) != game.side(0)], source)
        past.append(position)
        position = position.result(action)
    if not position.is_terminal():
        return seen, float(game.drawn_utilities()[0]), jumps
    return seen, float(position.utility(0)), jumps


def _finished_strongly(
    game: Any, judge: Judge, source: random.Random, seed: int, plies: int, stop: threading.Event | None
) -> tuple[list[tuple[float, float, int]], float, list[float]]:
    """One game: the estimates on its way with the plies left, its result for the first player, the jumps from depth to depth.

    Two players of mixed strength play it to its end; then it is taken back to some position on its way, and from there on both
    sides play as well as the judge can: what comes of that is what the position was worth.
    """
    players = [level(source.choice(RATINGS)) for _ in range(2)]
    positions: list[Position] = [game.start()]

    def goes_on() -> bool:
        if stop is not None and stop.is_set():
            raise Stopped("stopped")
        return len(positions) <= plies and not positions[-1].is_terminal() and not drawn(positions[-1], positions[-2::-1])

    def rolled() -> bool:
        here = positions[-1]
        if here.is_chance():
            positions.append(here.result(here.sample_chance(chance_source(seed, len(positions) - 1))))
        return here.is_chance()

    while goes_on():
        here = positions[-1]
        if rolled():
            continue
        if len(positions) <= OPENING:
            action = source.choice(here.actions())
        else:
            action = _chosen(judge, here, positions[:-1], players[game.side(here.player()) != game.side(0)], source)
        positions.append(here.result(action))
    begun = source.randrange(max(1, 2 * len(positions) // 3)) + 1
    del positions[begun:]
    seen: list[tuple[float, float, int]] = []
    jumps: list[float] = []
    while goes_on():
        here = positions[-1]
        if rolled():
            continue
        if len(here.actions()) == 1:
            positions.append(here.result(here.actions()[0]))
            continue
        found: list[Result] = list(judge.results(here, positions[:-1]))
        if found[-1].facts.get("distance") is not None or (found[-1].exact and not game.traits.chance):
            return seen, in_full(found[-1].value, game, found[-1].scale)[0], jumps  # the end is in sight
        if len(positions) - begun < NOTED and source.random() < 1 / EVERY:
            _note(judge, here, found, seen, jumps)
        assert found[-1].action is not None
        positions.append(here.result(found[-1].action))
    end = positions[-1]
    return seen, float(end.utility(0) if end.is_terminal() else game.drawn_utilities()[0]), jumps


def _note(judge: Judge, position: Position, found: list[Result], seen: list[tuple[float, float, int]], jumps: list[float]) -> None:
    """What the judge estimates here."""
    last = found[-1]
    if last.exact or last.facts.get("distance") is not None:
        return
    depth = whole_depth(found[-2] if len(found) > 1 else None, last)
    sign = 1.0 if judge.game.side(position.player()) == judge.game.side(0) else -1.0
    seen.append((_value(judge, last), sign if depth % 2 == 0 else -sign, plies_left(position)))
    completed: dict[int, float] = {}
    for each in found:
        completed.setdefault(each.depth, _value(judge, each))
    for deep in range(3, depth):
        if deep in completed and deep + 1 in completed:
            even, odd = (deep, deep + 1) if deep % 2 == 0 else (deep + 1, deep)
            jumps.append(sign * (completed[even] - completed[odd]))


def _value(judge: Judge, found: Result) -> float:
    utility = in_full(found.value, judge.game, found.scale)[0]
    middle = (judge.game.traits.total or 0.0) / 2
    if judge.unit.name == "games":
        return drawn_out(utility - middle, judge.unit)
    return (utility - middle) * judge.game.traits.scale / judge.unit.points


def _chosen(judge: Judge, position: Position, past: list[Position], player: Any, source: random.Random) -> Any:
    """The move of a player of this level."""
    if len(position.actions()) == 1:
        return position.actions()[0]
    nodes = min(player.nodes or judge.nodes, judge.nodes)
    if not isinstance(judge.game, CompiledGame):
        nodes = judge.nodes
    last: Result | None = None
    for last in judge.results(position, past, lines=4, nodes=nodes):  # noqa: B007  the last one counts
        pass
    assert last is not None
    return player.choose(position, last, source)
