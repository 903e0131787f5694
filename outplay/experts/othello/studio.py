"""Othello in the studio: how many discs there are."""

from outplay.views import threats
from outplay.views.panel import Panel

PANEL = Panel(standing=threats.counted("discs"))
