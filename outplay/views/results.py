"""A Result as JSON: what every door tells of it, in the game's notation.

>>> from outplay.game import load
>>> start = load("tic-tac-toe").position("xx./oo./... x")
>>> win = fields(Result(action=2, value=1.0, line=(2,), depth=1, nodes=2), start, "minimax")
>>> win["action"], win["value"], win["line"], win["exact"]
('c3', 1.0, ['c3'], True)
"""

from __future__ import annotations

from typing import Any

from outplay.game import Position
from outplay.values import Result
from outplay.views.words import action_texts


def fields(result: Result, position: Position, algorithm: str) -> dict[str, Any]:
    """What was found and what it took; values are in the unit that it names, and None where a player gives none."""
    return {
        "algorithm": algorithm,
        "action": None if result.action is None else position.action_text(result.action),
        "value": None if result.value != result.value else result.value,
        "unit": result.unit,
        "scale": result.scale,
        "exact": result.exact,
        "line": action_texts(position, result.line),
        "depth": result.depth,
        "nodes": result.nodes,
        "leaves": result.leaves,
        "seconds": result.seconds,
        "nps": result.nodes / result.seconds if result.seconds > 0 else None,
    }
