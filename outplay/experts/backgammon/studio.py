"""Backgammon in the studio: plays as players write them, equal moves counted once.

>>> from outplay.game import load
>>> position = load("backgammon", compiled=False).start().play("x31 8/5+6/5 44")
>>> action = position.parse_action("13/9+13/9+6/2+6/2")
>>> spelled(position, action, position.action_text(action))
'13/9(2) 6/2(2)'
"""

from __future__ import annotations

from outplay.game import Position
from outplay.values import Action
from outplay.views.panel import Panel


def spelled(position: Position, action: Action, text: str) -> str:
    """A play with its moves in order from the rear, those that are the same counted; a throw as it is."""
    if position.is_chance() or "/" not in text:
        return text
    counted: dict[str, int] = {}
    for move in text.split("+"):
        counted[move] = counted.get(move, 0) + 1
    moves = sorted(counted, key=lambda move: (-_point(move.partition("/")[0]), -_point(move.partition("/")[2].rstrip("*"))))
    return " ".join(move + (f"({counted[move]})" if counted[move] > 1 else "") for move in moves)


def _point(name: str) -> int:
    return 25 if name == "bar" else int(name) if name.isdigit() else 0


PANEL = Panel(spelled=spelled)
