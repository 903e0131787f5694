"""A search whose every step is kept: the textbook's algorithm of that name, and the tree that it grew.

>>> from outplay.game import load
>>> position = load("tree", tree="[[3,12,8],[2,4,6],[14,5,2]]").start()
>>> name, result, tree = explain(position, "alphabeta")
>>> name, result.value, tree.pruned
('alphabeta', 3.0, 2)
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

from outplay import textbook
from outplay.errors import BadValue, UnknownName
from outplay.game import Game, Position
from outplay.names import parse, read_options
from outplay.players.algorithms import (
    AUTO,
    COMMON,
    DEEPENING,
    ENGINE,
    LIMITS,
    TEXTBOOK,
    Watch,
    as_position,
    numeric,
    textbook_fitting,
)
from outplay.textbook import options
from outplay.textbook.search import kind_of
from outplay.values import Limits, Result, Step
from outplay.views.traces import Tree

SIMULATIONS = 50
"""Simulations of a traced Monte Carlo search that nobody limits."""


def explained(algorithm: str, game: Game) -> str:
    """The textbook's name for what is to be explained; the engine's algorithms have the same names there."""
    asked = parse(algorithm)
    wanted = asked.base.lower() if asked.base.lower() not in (ENGINE, TEXTBOOK) or not asked.part else asked.part
    if wanted in (AUTO, ENGINE, TEXTBOOK):
        found, _ = textbook_fitting(game)
        return "alphabeta" if found == DEEPENING else found  # one tree, and not one for each depth
    try:
        return textbook.find(wanted).name
    except UnknownName:
        raise UnknownName("algorithm", wanted, textbook.ALGORITHMS) from None


def explain(position: Position, algorithm: str = AUTO, limits: Limits | None = None, *, seed: int = 0,
            watch: Watch | None = None, depth: int | None = None, nodes: int | None = None, simulations: int | None = None,
            evaluate: Any = None, order: Any = None) -> tuple[str, Result, Tree]:
    """The name of the algorithm, its result (without the steps) and the tree of all its steps.

    Limits may be given one by one, and `evaluate(position, player)` or `order(position, actions)` as plain Python functions, as to
    `best`: the tree of one's own evaluation is `explain(position, depth=2, evaluate=mine)`.
    """
    position = as_position(position, "explain")
    own = {"depth": depth, "nodes": nodes, "simulations": simulations}
    limits = replace(limits or Limits(), **{key: value for key, value in own.items() if value is not None})
    functions = {} if evaluate is None else {"evaluate": numeric(evaluate)}
    functions |= {} if order is None else {"order": order}
    if functions and algorithm == AUTO:
        algorithm, limits = "h-alphabeta", limits if limits != Limits() else Limits(depth=3)
    name = explained(algorithm, position.game)
    unknown = functions.keys() - {option.name for option in options.options(name)}
    if unknown:
        raise BadValue(f"{name} takes no {min(unknown)!r}: a search that asks a Python function is 'h-alphabeta', to a depth")
    given: dict[str, Any] = dict(parse(algorithm).options)
    for option in COMMON:
        for key in (option.name, option.also):
            if key in LIMITS and key in given:
                limits = replace(limits, **{LIMITS[key]: option.read(given.pop(key))})
    seed = int(given.pop("seed", seed))
    chosen = options.given(name, read_options(name, given, options.options(name)))
    if name == "mcts" and limits.simulations is None:
        limits = replace(limits, simulations=SIMULATIONS)
    told = None if watch is None else lambda running: watch(running.nodes, running.deepest)
    result = textbook.run(name, position, limits=limits, seed=seed, trace=True, watch=told, **{**chosen, **functions})
    steps = result.trace
    if "traces" in result.facts:  # one depth after the other, in one tree that grows
        steps = tuple(itertools.chain.from_iterable(
            (Step("deepen", (), kind_of(position), reason=f"depth {depth} begins"), *each)
            for depth, each in enumerate(result.facts["traces"], 1)))  # fmt: skip
    facts = {key: value for key, value in result.facts.items() if key != "traces"}
    return name, replace(result.settled(), trace=(), facts=facts), Tree(steps, position)
