"""Checkers in the studio: how many men there are, and which could be jumped."""

from __future__ import annotations

from outplay.game import Position
from outplay.views import threats
from outplay.views.panel import Panel, Threats


def threatened(position: Position) -> Threats:
    """Men that could be jumped; where one must take, every capture counts."""
    text = position.text()
    passed = ("W" if text[0] == "B" else "B") + text[1:]
    return threats.taken(position, passed, lambda here, action: True, lambda here, action: here.action_text(action))


PANEL = Panel(standing=threats.counted("men"), threats=threatened)
