"""What plays a game best, where its traits alone do not tell: searches and their options, by the name of the game.

The numbers were measured game by game (docs/go.md); a game that is not in the table gets what suits most games.

>>> from outplay.game import load
>>> preferred(load("go")), preferred(load("chess")), montecarlo(load("go"))["rave"]
('mcts', '', 3000.0)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SEARCH = {"go": "mcts"}
MONTE_CARLO: dict[str, Mapping[str, float]] = {"go": {"rave": 3000.0, "exploration": 0.0, "expand": 8}}


def preferred(game: Any) -> str:
    """The search that plays this game best, empty where its traits tell."""
    return SEARCH.get(game.rules.definition.name, "")


def montecarlo(game: Any) -> Mapping[str, float]:
    """Options of Monte Carlo search that suit this game, where nobody gives others; they lean on the game's `prior`."""
    return MONTE_CARLO.get(game.rules.definition.name, {}) if game.offers("prior") else {}
