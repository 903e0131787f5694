"""What plays a game best, where its traits alone do not tell: searches and their options, by the name of the game.

The numbers were measured game by game (docs/go.md); a game that is not in the table gets what suits most games.

>>> from outplay.game import load
>>> preferred(load("go")), preferred(load("chess")), montecarlo(load("go"))["rave"]
('mcts', '', 3000.0)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from outplay.engine.options import Options
from outplay.errors import UnknownName

MARGINS = ("aspiration", "futility", "singular")
SEARCH = {"go": "mcts"}
# Othello: whatever leaves actions out by a guess lost games at equal nodes (docs/othello.md), and Multi-ProbCut, which measured how
# far off a guess is, won them; the last cells settle themselves.
ALPHA_BETA: dict[str, Options] = {"othello": Options(endings=True, solving=True, distance=False, probcut=120)}
MONTE_CARLO: dict[str, Mapping[str, float]] = {"go": {"rave": 3000.0, "exploration": 0.0, "expand": 8}}
NETWORKS = {"chess": "chess"}  # they come with Outplay and judge better than the evaluation of the rules (docs/learning.md)


def preferred(game: Any) -> str:
    """The search that plays this game best, empty where its traits tell."""
    return SEARCH.get(game.rules.definition.name, "")


def network(game: Any) -> str:
    """The network that judges this game where nobody asks for another evaluation, empty where it is that of the rules."""
    rules = getattr(game, "rules", None)
    return "" if rules is None else NETWORKS.get(rules.definition.name, "")


def alphabeta(game: Any, **changes: Any) -> Options:
    """The switches of alpha-beta that play this game best, with some of them changed."""
    name = game.rules.definition.name
    if name in ALPHA_BETA and game.offers("evaluate"):
        own = ALPHA_BETA[name] if game.rules.probcut is not None else replace(ALPHA_BETA[name], probcut=0)
        return replace(own, **changes)
    if not game.offers("evaluate"):
        return Options(**changes)
    for margin in game.rules.margins:
        if margin not in MARGINS:
            raise UnknownName(f"margin of {game.name}", margin, MARGINS)
    return Options.playing(**{**game.rules.margins, **changes})


def montecarlo(game: Any) -> Mapping[str, float]:
    """Options of Monte Carlo search that suit this game, where nobody gives others; they lean on the game's `prior`."""
    return MONTE_CARLO.get(game.rules.definition.name, {}) if game.offers("prior") else {}
