"""The arrays that kernels work in: states, lists of actions with a guard behind them, and how far a playout may go.

A kernel lists actions into a row of `most_actions` places and looks at the count only afterwards. A game that lists more than it
promised would write on, over whatever lies behind; so behind every list lies a guard, untouched memory that costs nothing, and a
kernel that sees a count above the room stops at once and says so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.errors import RulesError
from outplay.game import CompiledGame, Game, Position

GUARD = 1 << 16
"""Places behind each block of lists: how many too many a game may list before it is caught."""
HORIZON = 4096
"""Plies after which a random game is cut where its rules say nothing: some tenths of a millisecond in a small game."""
MOST_HORIZON = 1 << 17
"""No playout is longer, whatever the rules say: between two looks at the clock lies at most one."""


def load_state(states: np.ndarray, at: int, position: Position) -> None:
    """Copy a position's state into an array of states."""
    state: Any = position.state
    states[at : at + 1].view(np.uint8)[:] = np.frombuffer(state, np.uint8)


def guarded(rows: int, places: int, kind: Any) -> np.ndarray:
    """Rows of so many places, with a guard behind the last.

    >>> guarded(3, 5, np.int32).shape
    (3, 5)
    """
    return np.zeros(rows * places + GUARD, kind)[: rows * places].reshape(rows, places)


def action_rows(rules: Any, rows: int) -> np.ndarray:
    """One list of actions per row."""
    return guarded(rows, int(rules.most_actions), rules.action_type)


def action_list(rules: Any) -> np.ndarray:
    """Room for the actions of one position."""
    return action_rows(rules, 1)[0]


def probability_rows(rules: Any, rows: int) -> np.ndarray:
    """One list of probabilities per row, for the outcomes of chance nodes."""
    return guarded(rows, int(rules.most_actions) if "chances" in rules.offered else 1, np.float64)


def refuse_overrun(game: Game) -> None:
    """Say that a position has more actions than the rules promise."""
    most = int(game.rules.most_actions)
    raise RulesError(f"{game.name}: a position has more than {most} actions or chance outcomes: raise most_actions")


def horizon_of(rules: Any) -> int:
    """The plies after which a playout is cut."""
    return min(int(rules.horizon or HORIZON), MOST_HORIZON)


def for_all(game: CompiledGame, value: float, scale: float) -> Any:
    """What Results say of MAX's value, in points: the number in zero-sum games of two sides, else one entry per seat."""
    traits = game.traits
    if traits.sides == 2 and traits.sum == "zero":
        return value
    others = (traits.total or 0.0) * scale - value
    return tuple(value if game.side(seat) == game.side(0) else others for seat in range(traits.players))


def weights_of(rules: Any, given: Any = None) -> np.ndarray:
    """A copy of the weights that `evaluate` takes, in the type that the rules give them (whole numbers stay whole)."""
    own = np.array(rules.weights)
    if given is None:
        return own
    chosen = np.array(given)
    return chosen.astype(own.dtype) if own.dtype.kind == "f" or chosen.dtype.kind in "iu" else chosen.astype(np.float64)
