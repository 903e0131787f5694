"""What each search of the engine needs of a game: a table, so that nothing is built for the question whether one fits.

>>> from outplay.game import load
>>> refuse("mcts", load("kuhn poker"))
Traceback (most recent call last):
outplay.errors.Unsuitable: mcts needs a game with perfect information; kuhn poker hides information: use deals or ismcts
"""

from __future__ import annotations

from typing import Any, NamedTuple

from outplay.engine.alphabeta.units import need_countable
from outplay.errors import Unsuitable
from outplay.game import Game, need


class Needs(NamedTuple):
    """What one search needs, besides compiled rules."""

    traits: dict[str, Any]  # as `outplay.game.need` takes them
    use: str = ""  # what to take instead; left out, what fits the game
    plain: str = ""  # what of the textbook serves a plain game; left out, what has the same name
    opposed: bool = False  # two sides whose utilities add up to a constant ...
    alone: bool = False  # ... or one player
    listed: bool = False  # chance whose outcomes can be listed
    counted: bool = False  # utilities that whole numbers can tell apart


_ALPHA_BETA = Needs({"chance": False, "information": "perfect"}, opposed=True, counted=True)
_PROOF = _ALPHA_BETA._replace(counted=False)
_CHANCE = Needs({"information": "perfect"}, "ismcts", opposed=True, alone=True, listed=True)
_MANY = Needs({"information": "perfect"}, "deals", listed=True)
_HIDDEN = Needs({"information": "hidden"}, "mcts", plain="deals or mcts")
_PATHS = Needs({"players": 1, "chance": False, "information": "perfect"})

NEEDS = {
    **dict.fromkeys(("pvs", "alphabeta", "mtdf", "bns", "minimax"), _ALPHA_BETA),
    **dict.fromkeys(("dfpn", "solve"), _PROOF),
    **dict.fromkeys(("star2", "star1", "expectiminimax", "expectimax"), _CHANCE),
    "opponent": _CHANCE._replace(alone=False),
    **dict.fromkeys(("maxn", "paranoid", "best-reply"), _MANY),
    "mcts": Needs({"information": "perfect"}, "deals or ismcts"),
    **dict.fromkeys(("ismcts", "deals"), _HIDDEN),
    **dict.fromkeys(("a-star", "ida-star"), _PATHS),
}


def refuse(name: str, game: Game, *, open_cards: bool = False) -> None:
    """Refuse a game that a search cannot take, in one sentence; with open cards nothing counts as hidden."""
    needs, traits = NEEDS[name], game.traits
    if not open_cards:
        try:
            need(name, game, **needs.traits)
        except Unsuitable:  # told with an advice, which takes a look at the game
            need(name, game, **needs.traits, use=needs.use or instead(game))
    if needs.opposed and not (needs.alone and traits.players == 1):
        wanted = f"{name} needs a game of two sides whose utilities add up to a constant; {game.name}"
        if traits.sides != 2:
            word = "player" if traits.sides == traits.players else "side"
            raise Unsuitable(f"{wanted} has {traits.sides} {word}{'s' if traits.sides > 1 else ''}: use {instead(game)}")
        if traits.sum not in ("zero", "constant"):
            raise Unsuitable(f"{wanted} is {traits.sum}-sum: use {instead(game)}")
    need_rules(needs.plain or name, game)
    if needs.listed and traits.sampled:
        raise Unsuitable(f"{name} needs chance whose outcomes can be listed; {game.name} draws them: use mcts")
    if needs.counted:
        need_countable(game, distance=game.offers("evaluate"))


def need_rules(plain: str, game: Game) -> None:
    """Refuse a plain game, in one sentence."""
    if not hasattr(game, "rules"):
        raise Unsuitable(f"the engine needs compiled rules; {game.name} is a plain game: use the textbook's {plain}")


def instead(game: Game) -> str:
    """What the engine itself would take for a game, as advice to one who asked for a search that refuses it."""
    from outplay.engine.registry import fitting  # it names all searches, and so stands above them

    try:
        return fitting(game)
    except Unsuitable:  # a plain game, or one of belief
        return "the textbook"
