"""EVAL in the open: what a position is worth at a glance, feature by feature (Eval(s) = w1 f1(s) + ... + wn fn(s)).

Where EVAL is linear in its weights, a feature's share is the value under weights that are 0 elsewhere.

>>> from outplay.game import load
>>> judged = judge(load("isolation:evaluation=my moves minus opponent's").start().play("c3 a1"))
>>> judged.value, [(share.name, share.points) for share in judged.shares]
(6.0, [('own moves', 15.0), ("opponent's moves", -9.0)])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from outplay import evaluations
from outplay.engine.registry import weights_of
from outplay.errors import Unsuitable
from outplay.game import Position

FEW = 32
"""Weights without a name are shown one by one up to this many."""


@dataclass(frozen=True)
class Share:
    """What one feature, or a group of them, adds to the value."""

    name: str
    points: float


@dataclass(frozen=True)
class Judgement:
    """EVAL of a position for MAX, with what each feature adds; `rest` is what no feature explains, such as a limit."""

    value: float
    unit: str
    shares: tuple[Share, ...]
    rest: float


def judge(position: Position, weights: Any = None) -> Judgement:
    """EVAL for the first player and its parts; `weights` are an array, or the name of a set or file as `engine:weights=` takes."""
    game = position.game
    if not game.offers("evaluate"):
        raise Unsuitable(f"{game.name} has no evaluation: its rules lack an evaluate(self, seat, weights)")
    if isinstance(weights, str):
        weights = weights_of(game, weights)
    value = float(position.evaluate(0, weights)) + 0.0
    whole = np.array(game.default_weights() if weights is None else weights)
    shares = []
    for name, members in groups(game).items():
        alone = np.zeros_like(whole)
        alone[members] = whole[members]
        shares.append(Share(name, float(position.evaluate(0, alone)) + 0.0))
    rest = value - sum(share.points for share in shares) if shares else value
    return Judgement(value, game.unit, tuple(shares), 0.0 if abs(rest) < 1e-9 else rest)


def groups(game: Any) -> dict[str, list[int]]:
    """The features of an evaluation by name, each with its weights; the game's own names, where it has some."""
    rules = getattr(game, "rules", None)
    if rules is None:
        return {}
    size = np.asarray(rules.weights).size
    if named := evaluations.of(game).grouped(size):
        return named
    is_used = bool(np.any(np.asarray(rules.weights) != 0))
    return {f"weight {number + 1}": [number] for number in range(size)} if is_used and size <= FEW else {}
