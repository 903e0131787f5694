"""Chance: what is drawn comes as often as it should."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from outplay.conformance.checker import Checker
from outplay.game import Position
from outplay.jit import random_source

SAMPLES = 2000
"""Draws from a chance node whose probabilities are known."""


def drawing(check: Checker, position: Position) -> None:
    """Drawn outcomes are outcomes, and come as often as they should."""
    game: Any = check.game
    source = random_source(check.seed)  # words of 64 bits wrap around in it
    number = SAMPLES if not position.is_sampled() and len(check.outcomes) == 0 else 4
    with np.errstate(over="ignore"):
        drawn = [game.draw(position.state, source) for _ in range(number)]
    check.outcomes.update(drawn)
    good = all(game.can_draw(position.state, each) for each in drawn)
    check.need("draw", good, f"it gives {drawn[:4]}")
    if check.rules:
        record = check.record(position)
        record.draw(source)
        check.need("draw", record.tobytes() == position.state, "it changed the position")
    for outcome, probability in position.chances() if number == SAMPLES else ():
        off = abs(drawn.count(outcome) - number * probability)
        kept = off <= 5 * math.sqrt(number * probability * (1 - probability)) + 1
        check.need("draw", kept, f"{outcome} came {drawn.count(outcome)} times of {number}, its probability is {probability:g}")
    if not position.is_sampled():
        strange = set(drawn) - set(position.actions())
        check.need("draw", not strange, f"{sorted(strange)[:3]} are not among the listed outcomes")
