"""Every search of the engine by its name, made the same way, and the one that fits a game.

A made search has `search(position, limits, stop=...)`, a stream of Results, and keeps what it learned for the next position.

>>> from outplay.game import load
>>> [fitting(load(name)) for name in ("connect four", "go", "isolation:players=3", "isolation:sloppy=0.2", "fifteen puzzle")]
['pvs', 'mcts', 'maxn', 'star2', 'ida-star']
>>> fitting(load("blind tic-tac-toe"))
'ismcts'
"""

from __future__ import annotations

from typing import Any

from outplay.engine.preferences import preferred
from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.values import Limits

ALPHA_BETA = ("pvs", "alphabeta", "mtdf", "bns", "minimax")
CHANCE = ("star2", "star1", "expectiminimax", "expectimax", "opponent")
MANY = ("maxn", "paranoid", "best-reply")
MONTE_CARLO = ("mcts", "ismcts")
PATHS = ("a-star", "ida-star")
NAMES = (*ALPHA_BETA, *CHANCE, *MANY, *MONTE_CARLO, *PATHS)


def fitting(game: Any) -> str:
    """The search to prefer for a game; refuses a game that no search of the engine takes."""
    traits = game.traits
    if not hasattr(game, "rules"):
        raise Unsuitable(f"the engine needs compiled rules; {game.name} is a plain game: use the textbook")
    if traits.information == "hidden":
        if traits.players == 1 and traits.bounds == (0.0, 1.0):
            raise Unsuitable(f"the engine needs a problem with nothing hidden; {game.name} hides some: use the textbook's belief")
        return "ismcts"
    if preferred(game):
        return preferred(game)
    if traits.players == 1:
        from outplay.engine.paths import fitting as fitting_path

        return fitting_path(game) if traits.bounds == (0.0, 1.0) and not traits.chance else "expectimax"
    if traits.players > 2 or traits.sum != "zero":
        return "maxn"
    return "star2" if traits.chance else "pvs"


def suits(name: str, game: Any) -> bool:
    """Whether a search of the engine takes a game."""
    try:
        make(name, game, memory=1)
    except Unsuitable:
        return False
    return True


def make(name: str, game: Any, *, memory: float = 64, threads: int = 1, seed: int = 0, **options: Any) -> Any:
    """A search of that name for a game; refuses a game that it does not fit, and options that it does not have."""
    kind: Any
    if name in ALPHA_BETA:
        from outplay.engine.search import Engine as kind

        options = {"algorithm": name, "memory": memory, "threads": threads, "seed": seed, **options}
    elif name in CHANCE:
        from outplay.engine.chance import ChanceSearch as kind

        options = {"algorithm": name, "memory": memory, **options}
    elif name in MANY:
        from outplay.engine.many import ManySearch as kind

        options = {"algorithm": name, **options}
    elif name == "ismcts":
        from outplay.engine.hidden import InformationSets as kind

        options = {"memory": memory, "threads": threads, "seed": seed, **options}
    elif name in MONTE_CARLO:
        from outplay.engine.mcts import MonteCarlo as kind

        options = {"memory": memory, "threads": threads, "seed": seed, **options}
    elif name in PATHS:
        from outplay.engine.paths import PathSearch as kind

        options = {"algorithm": name, "memory": memory, **options}
    else:
        raise UnknownName("algorithm of the engine", name, NAMES)
    try:
        return kind(game, **options)
    except TypeError as problem:
        wrong = str(problem).rpartition("argument ")[2].strip("'\"")
        if wrong not in options:
            raise
        raise BadValue(f"engine:{name} does not take {wrong!r}") from None


def first_look(name: str) -> Limits:
    """The smallest search, which compiles or loads the kernel before a clock runs."""
    if name in PATHS:
        return Limits(nodes=2)
    return Limits(simulations=1) if name in MONTE_CARLO else Limits(depth=1)
