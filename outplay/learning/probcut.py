"""Fit Multi-ProbCut's lines for any game with an evaluation: what shallow searches say, against what deep ones find.

Games of the engine against itself with some random moves give positions of every part of the game (the rules' `period`); each is
searched depth by depth, and for each depth and each shallower one that `engine.probcut` tries, a line is fitted by least squares.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from outplay.engine.alphabeta.engine import Engine
from outplay.engine.alphabeta.probcut import LEAST, MOST, TESTS, shallower
from outplay.engine.preferences import alphabeta
from outplay.errors import BadValue, Unsuitable
from outplay.game import Game
from outplay.values import Limits

ASTRAY = 0.3  # the share of random moves in the games
MOST_PLIES = 200
ENOUGH = 20  # pairs of values that a line needs; with fewer, those of all periods are taken
LEAST_SLOPE = 0.3  # a shallow search that says so little of the deep one is not asked


def fit(game: Game, positions: int = 100, deepest: int = 10, seed: int = 1, tell: Callable[[str], None] | None = None,
        hear: Callable[[], None] = lambda: None) -> tuple[np.ndarray, list[dict[str, Any]]]:
    """The fits from so many positions of each period, searched so deep, and the same as rows to read.

    `hear` is called after each search and may raise: one that Ctrl-C stopped ends with its best so far.
    """
    if not game.offers("evaluate"):
        raise Unsuitable(f"Multi-ProbCut needs an evaluation; {game.name} has none")
    if positions < 1 or not LEAST <= deepest <= MOST:
        raise BadValue(f"expected positions from 1 and a depth from {LEAST} to {MOST}, got {positions} and {deepest}")
    values = _values(game, positions, deepest, seed, tell or (lambda text: None), hear)
    periods = 1 + max(values)
    fits = np.zeros((periods, MOST + 1, TESTS, 4))
    rows = []
    for period in range(periods):
        for deep in range(LEAST, deepest + 1):
            for test, shallow in enumerate(shallower(deep)):
                pairs = [(found[shallow], found[deep]) for found in values.get(period, ()) if deep in found]
                if len(pairs) < ENOUGH:
                    pairs = [(found[shallow], found[deep]) for every in values.values() for found in every if deep in found]
                line = _line(pairs)
                if line is not None:
                    fits[period, deep, test] = shallow, *line
                    rows.append({"period": period, "depth": deep, "shallow": shallow, "slope": line[0], "offset": line[1],
                                 "deviation": line[2], "positions": len(pairs)})
        for deep in range(deepest + 1, MOST + 1):  # deeper ones miss no more than the deepest measured
            like = deepest - (deep - deepest) % 2
            for test, shallow in enumerate(shallower(deep)[: len(shallower(like))]):
                fits[period, deep, test] = shallow, *fits[period, like, test, 1:]
    return fits, rows


def _line(pairs: list[tuple[float, float]]) -> tuple[float, float, float] | None:
    """Slope, offset and standard deviation of a line through pairs of values; None where there is none worth having."""
    if len(pairs) < ENOUGH:
        return None
    shallow, deep = np.array(pairs).T
    if np.ptp(shallow) == 0:
        return None
    slope, offset = np.polyfit(shallow, deep, 1)
    deviation = float(np.std(deep - slope * shallow - offset, ddof=2))
    return (float(slope), float(offset), max(deviation, 1e-6)) if slope >= LEAST_SLOPE else None


def _values(game: Game, positions: int, deepest: int, seed: int, tell: Callable[[str], None],
            hear: Callable[[], None]) -> dict[int, list[dict[int, float]]]:
    """For each period, what searches of every depth say of its positions, to the player to move, in points."""
    options = alphabeta(game, probcut=0)
    player, judge = Engine(game, memory=8, options=options), Engine(game, memory=32, options=options)
    source = random.Random(seed)
    found: dict[int, list[dict[int, float]]] = defaultdict(list)
    most = game.traits.scale * max(abs(bound) for bound in game.traits.bounds)
    barren = done = 0
    while barren < 20:  # games in a row that brought nothing new
        position, before = game.start(), done
        for _ in range(MOST_PLIES):
            if position.is_terminal():
                break
            period = int(game.record(position.state).period())
            if len(found[period]) < positions and source.random() < 0.25:
                sign = 1 if position.side() == game.side(0) else -1
                judge.clear()
                seen = {}
                for result in judge.search(position, Limits(depth=deepest)):
                    value = sign * float(result.value)  # type: ignore[arg-type]  # two players: one number
                    if result.exact or "distance" in result.facts or abs(value) >= 0.9 * most:
                        break  # the end is in sight: no longer a guess
                    seen[result.depth] = value
                    hear()
                found[period].append(seen)
                done += 1
                if done % 50 == 0:
                    tell(f"{done} positions, of period " + ", ".join(f"{key}: {len(found[key])}" for key in sorted(found)))
            astray = source.random() < ASTRAY
            action = source.choice(position.actions()) if astray else player.best(position, Limits(depth=2)).action
            hear()
            position = position.result(action)
        barren = barren + 1 if done == before else 0
    return {key: rows for key, rows in found.items() if rows}
