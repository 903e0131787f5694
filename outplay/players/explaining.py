"""A search whose every step is kept: the textbook's algorithm of that name, and the tree that it grew.

>>> from outplay.game import load
>>> position = load("tree", tree="[[3,12,8],[2,4,6],[14,5,2]]").start()
>>> name, result, tree = explain(position, "alphabeta")
>>> name, result.value, tree.pruned
('alphabeta', 3.0, 2)
"""

from __future__ import annotations

from dataclasses import replace

from outplay import textbook
from outplay.errors import UnknownName, Unsuitable
from outplay.game import Game, Position
from outplay.players.algorithms import AUTO, ENGINE, TEXTBOOK, Watch
from outplay.values import Limits, Result
from outplay.views.traces import Tree

FITTING = ("alphabeta", "expectiminimax", "expectimax", "maxn", "mcts")
"""What is explained when nobody names an algorithm: the first that fits the game."""

SIMULATIONS = 50
"""Simulations of a traced Monte Carlo search that nobody limits."""


def explained(algorithm: str, game: Game) -> str:
    """The textbook's name for what is to be explained; the engine's algorithms have the same names there."""
    wanted = algorithm.strip().lower()
    if wanted in (AUTO, ENGINE, TEXTBOOK):
        found = next((name for name in FITTING if textbook.ALGORITHMS[name].suits(game)), None)
        if found is None:
            raise Unsuitable(f"no search of the textbook fits {game.name}")
        return found
    try:
        return textbook.find(wanted.removeprefix(ENGINE + ":").removeprefix(TEXTBOOK + ":")).name
    except UnknownName:
        raise UnknownName("algorithm", algorithm, textbook.ALGORITHMS) from None


def explain(position: Position, algorithm: str = AUTO, limits: Limits | None = None, *, seed: int = 0,
            watch: Watch | None = None) -> tuple[str, Result, Tree]:
    """The name of the algorithm, its result (without the steps) and the tree of all its steps."""
    name = explained(algorithm, position.game)
    limits = limits or Limits()
    if name == "mcts" and limits.simulations is None:
        limits = replace(limits, simulations=SIMULATIONS)
    told = None if watch is None else lambda running: watch(running.nodes, running.deepest)
    result = textbook.run(name, position, limits=limits, seed=seed, trace=True, watch=told)
    return name, replace(result, trace=()), Tree(result.trace, position)
