"""How the weights of chess's evaluation are fitted and written: `outplay tune chess`."""

from __future__ import annotations

from typing import Any

from outplay.games.chess import evaluation
from outplay.learning.tuning import Fitting


def has_pawns(position: Any) -> bool:
    """Whether both sides of a position of chess have pawns: others are for the tables of endings."""
    state = position.game.record(position.state)
    return bool(int(state.pawns) & int(state.mine)) and bool(int(state.pawns) & ~int(state.mine))


FITTING = Fitting(has_pawns, evaluation.groups, evaluation.source_text)
