"""Fit the margins of the selective search to a game: how far its evaluation jumps, measured against chess.

The margins of the search were found by matches of chess and stand in hundredths of a pawn, chess's `stake`. Another game's
evaluation may jump more or less by one quiet action, and its values may swing more or less from depth to depth, in hundredths of
its own stake. Both spreads are measured here on positions of games with some random moves; a margin is chess's times the game's
spread over chess's. What a quiet action gains decides `futility` and `singular`, what a depth changes decides `aspiration`.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from outplay.engine.alphabeta.engine import Engine
from outplay.engine.alphabeta.options import ASPIRATION, FUTILITY, SINGULAR
from outplay.engine.alphabeta.units import stake_of
from outplay.errors import BadValue, Unsuitable
from outplay.game import Game
from outplay.values import Limits

ASTRAY = 0.3  # the share of random moves in the games
MOST_PLIES = 200
CLEAR = 75  # percent: a spread is as large as this share of what was seen
CHESS_GAIN, CHESS_SWING = 42.0, 10.0
"""Chess's own spreads, in hundredths of a pawn: `outplay tune chess --margins --positions 60 --depth 7`."""


def fit(game: Game, positions: int = 60, depth: int = 7, seed: int = 1,
        tell: Callable[[str], None] | None = None, hear: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """The margins that suit a game (`margins`, hundredths of its stake), and the spreads (`gain`, `swing`) that they come from.

    `hear` is called after each search and may raise: one that Ctrl-C stopped ends with its best so far.
    """
    if not game.offers("evaluate"):
        raise Unsuitable(f"margins are for games with an evaluation; {game.name} has none")
    if positions < 2 or depth < 3:
        raise BadValue(f"expected positions from 2 and a depth from 3, got {positions} and {depth}")
    source, engine = random.Random(seed), Engine(game, memory=16)
    share = 100.0 / stake_of(game)[0]
    gains: list[float] = []
    swings: list[float] = []
    looked = 0
    position = game.start()
    while looked < positions:
        if position.is_terminal() or source.random() < 1 / MOST_PLIES:
            position = game.start()
        seat, static = position.player(), float(position.evaluate(position.player()))
        for action in position.actions():
            if not game.offers("order") or position.order(action) <= 0:
                after = position.result(action)
                if not after.is_terminal():
                    gains.append(abs(float(after.evaluate(seat)) - static) * share)
        found, best = [], None
        for result in engine.search(position, Limits(depth=depth)):
            best = result.action
            if result.facts.get("distance") is None and not result.exact and isinstance(result.value, float | int):
                found.append(float(result.value))
        swings += [abs(after - before) * share for before, after in itertools.pairwise(found[1:])]
        hear()
        looked += 1
        if tell is not None and looked % 10 == 0:
            tell(f"{looked} of {positions} positions")
        action = source.choice(position.actions()) if best is None or source.random() < ASTRAY else best
        position = position.result(action)
    gain, swing = (float(np.percentile(seen, CLEAR)) if seen else 0.0 for seen in (gains, swings))
    by_gain, by_swing = gain / CHESS_GAIN, swing / CHESS_SWING
    margins = {"aspiration": max(1, round(ASPIRATION * by_swing)), "futility": max(1, round(FUTILITY * by_gain)),
               "singular": max(1, round(SINGULAR * by_gain))}  # fmt: skip
    return {"margins": margins, "gain": gain, "swing": swing, "positions": looked}
