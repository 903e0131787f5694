"""How big a game is, by the look of a few random games: whether a search can hope to see its end.

>>> from outplay.game import load
>>> size(load("tic-tac-toe")) < 8 < size(load("go:size=9"))
True
"""

from __future__ import annotations

import functools
import math
import random

from outplay.game import CompiledGame

GAMES = 4
MOST_PLIES = 400
SOLVABLE = 12.0  # powers of ten: trees up to this size are searched to their end, with pruning and a table

SMALL = 5.0  # the same of games that hide something: their whole tree is solved within a second or two


@functools.lru_cache(maxsize=256)
def size(game: CompiledGame) -> float:
    """The decimal logarithm of the number of games: branching factors of random games, multiplied up."""
    face = type(game)(game.rules, compiled=False) if hasattr(game, "rules") else game  # a few hundred plies: nothing is compiled
    source, logarithms = random.Random(0), 0.0
    for _ in range(GAMES):
        position, plies = face.start(), 0
        while not position.is_terminal() and plies < MOST_PLIES:
            actions = position.actions()
            logarithms += math.log10(max(len(actions), 1))
            position = position.result(source.choice(actions))
            plies += 1
    return logarithms / GAMES


def is_too_big_without_judgement(game: CompiledGame) -> bool:
    """Whether alpha-beta would grope in the dark: nothing tells a good position or action, and the end is out of reach."""
    knows = ("evaluate", "order", "solving")
    return not any(game.offers(method) for method in knows) and size(game) > SOLVABLE


@functools.lru_cache(maxsize=256)
def is_small_enough_to_be_solved(game: CompiledGame) -> bool:
    """Whether a game of two that hides something has an equilibrium, and is small enough for its whole tree."""
    traits = game.traits
    fits = traits.players == 2 and traits.sum == "zero" and not traits.sampled and traits.recall and hasattr(game, "rules")
    return fits and size(game) <= SMALL
