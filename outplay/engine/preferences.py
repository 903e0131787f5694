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

from outplay.engine.alphabeta.options import Options
from outplay.errors import UnknownName
from outplay.game import CompiledGame, Game

MARGINS = ("aspiration", "futility", "singular")
SEARCH = {"go": "mcts"}
# Othello: whatever leaves actions out by a guess lost games at equal nodes (docs/othello.md), and Multi-ProbCut, which measured how
# far off a guess is, won them; the last cells settle themselves.
ALPHA_BETA: dict[str, Options] = {"othello": Options(endings=True, solving=True, distance=False, probcut=120)}
MONTE_CARLO: dict[str, Mapping[str, float]] = {"go": {"rave": 3000.0, "exploration": 0.0, "expand": 8}}
NETWORKS = {"chess": "chess", "checkers": "checkers"}
"""They come with Outplay and judge better than the evaluation of the rules (docs/learning.md)."""
LEARNED: dict[str, Mapping[str, Any]] = {"checkers": {"variant": "english"}}  # the only parameters that such a network is for
ADVISERS = {"connect four": "connect-four"}  # they play better than a search that does not see the end yet (docs/players.md)


def preferred(game: CompiledGame) -> str:
    """The search that plays this game best, empty where its traits tell."""
    return SEARCH.get(game.rules.definition.name, "")


def network(game: Game) -> str:
    """The network that judges this game where nobody asks for another evaluation, empty where it is that of the rules."""
    rules = getattr(game, "rules", None)
    if rules is None or not LEARNED.get(rules.definition.name, {}).items() <= rules.parameters.items():
        return ""
    return NETWORKS.get(rules.definition.name, "")


def adviser(game: Game) -> str:
    """The network that is asked where the search that fits this game proves nothing in its part of the time; empty: none."""
    rules = getattr(game, "rules", None)
    return "" if rules is None else ADVISERS.get(rules.definition.name, "")


def alphabeta(game: Game, **changes: Any) -> Options:
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


def montecarlo(game: CompiledGame) -> Mapping[str, float]:
    """Options of Monte Carlo search that suit this game, where nobody gives others; they lean on the game's `prior`."""
    return MONTE_CARLO.get(game.rules.definition.name, {}) if game.offers("prior") else {}
