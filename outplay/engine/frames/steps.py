"""The steps that both kernels over frames share; the compiler puts them in place."""

from __future__ import annotations

from typing import Any

from outplay.jit import always_inlined, i32
from outplay.values import CHANCE


@always_inlined
def list_next(state: Any, player: Any, actions: Any, probabilities: Any) -> Any:
    """List what may come next, chance's outcomes or a player's actions: how many, and whether it is chance's."""
    if state.offers_chances() and player == CHANCE:
        return state.chances(actions, probabilities), True
    return state.actions(actions), False


@always_inlined
def keep_line(lines: Any, frames: Any, ply: Any, action: Any) -> None:
    """The best line from here begins with this action and goes on as the child's."""
    lines[ply, 0] = action
    length = min(frames[ply + 1].length, len(lines) - ply - 2)
    for step in range(length):
        lines[ply, step + 1] = lines[ply + 1, step]
    frames[ply].length = i32(length + 1)
