"""Words and plain values that the command line and the studio share.

>>> ordinal(0), ordinal(6)
('first', '7th')
>>> clean({"value": float("inf"), "line": (1, 2)})
{'value': None, 'line': [1, 2]}
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from outplay.game import Position

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def ordinal(number: int) -> str:
    """The place of a player, counted from 0, in words."""
    return ORDINALS[number] if number < len(ORDINALS) else f"{number + 1}th"


def action_texts(position: Position, line: Iterable[Any]) -> list[str]:
    """A line of play in the game's notation."""
    texts = []
    for action in line:
        texts.append(position.action_text(action))
        position = position.result(action)
    return texts


def clean(value: Any) -> Any:
    """The same for JSON: no infinities, no NumPy numbers, no tuples, no minus zero."""
    if isinstance(value, dict):
        return {str(key): clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean(item) for item in value]
    if hasattr(value, "item"):  # a NumPy number
        value = value.item()
    if isinstance(value, float):
        return value + 0.0 if math.isfinite(value) else None
    return value
