"""Random games in plain Python, with every facet's checks on the way."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from outplay.conformance import chance, ends, hidden, identity, judgement, network, notation, problem
from outplay.conformance.checker import Checker
from outplay.errors import shorten
from outplay.game import Position
from outplay.jit import below, random_source

ENOUGH_GAMES, ENOUGH_STEPS = 3, 200
"""So many games are played whatever the time, and so many moves of each."""
MOST_STEPS = 2000
"""A random game is left after so many moves: some games can go on for ever."""


def random_game(check: Checker) -> list[Any]:
    """Play one random game in plain Python, checking on the way; returns the actions played."""
    source = random_source(check.seed)
    moves: list[Any] = []
    passed: list[Position] = []
    check.where = "the start"
    broken_before = len(check.broken)
    most_steps = 100 if check.broken else MOST_STEPS
    pasts: dict[int, tuple] = dict.fromkeys(range(check.game.traits.players), ())
    with check.guarded("a method"), np.errstate(over="ignore"):
        position = start = check.game.start()
        looked_at = below(source, 20)  # the slow checks look at some of the positions only
        while True:
            check.where = position
            check.positions += 1
            passed.append(position)
            ends.facts(check, position)
            if len(check.broken) > broken_before:
                break
            ends.draws(check, position, passed)
            if len(moves) in (0, looked_at) or position.is_terminal():
                look_closely(check, position)
            if check.game.offers("observe"):
                if check.games_played < 20 or len(moves) == looked_at:
                    hidden.views(check, position, source)
                    hidden.hands(check, position, source)
                hidden.recall(check, position, pasts)
            late = len(moves) >= ENOUGH_STEPS and time.perf_counter() > check.until
            if len(check.broken) > broken_before or position.is_terminal() or len(moves) >= most_steps or late:
                break
            action = draw(position, source)
            if check.game.offers("observe") and position.player() >= 0:
                seat = position.player()
                pasts[seat] = (*pasts[seat], position.observe(seat), action)
            position = ends.step(check, position, action, twice=check.games_played < 50)
            moves.append(action)
        if len(check.broken) == broken_before:
            texts = [each.action_text(action) for each, action in zip(passed, moves, strict=False)]
            replayed = Position(check.game, Position(check.swift, start.state).play(texts).state)
            check.need("action notation", replayed == position, f"the start and {shorten(' '.join(texts))!r} lead elsewhere")
            check.games_played += 1
            check.cut += len(moves) >= MOST_STEPS and not position.is_terminal()
            for last in passed[-4:]:
                check.where = last
                judgement.proof(check, last)
            problem.paths(check, passed, moves)
    return moves


def draw(position: Position, source: np.ndarray) -> Any:
    """One random action, or one outcome of chance by its probability."""
    if position.is_chance():
        return position.sample_chance(source)
    actions = position.actions()
    return actions[below(source, len(actions))]


def look_closely(check: Checker, position: Position) -> None:
    """The promises that take longer to check."""
    looks = [notation.notation, ends.refusals, notation.garbage, notation.picture]
    if check.rules:
        looks += [ends.copies, judgement.choices, identity.symmetries, judgement.passing, identity.derived, network.weights]
        looks += [network.planes, network.lessons, problem.path]
    if position.is_chance() and check.game.offers("draw"):
        looks.append(chance.drawing)
    for look in looks:
        with check.guarded(look.__name__):
            look(check, position)


def after_all(check: Checker) -> None:
    """What only many games together can show."""
    if check.game.offers("observe") and not check.broken and check.games_played >= 20:  # few games may deal the truth by chance
        check.where = "all positions"
        check.need("hidden", check.hidden, "every dealt position was the true one")
    if check.game.offers("observe") and not check.broken and not check.game.traits.sampled:
        with check.guarded("a method"), np.errstate(over="ignore"):
            hidden.possible(check)
    traits = check.game.traits
    counted = traits.sides == 2 and not traits.chance and traits.information == "perfect"  # by the alpha-beta kernel
    if check.rules and check.game.offers("evaluate") and counted and 0 < check.most_points < 1:
        check.where = "all positions"
        check.need("points", False, f"no evaluation exceeds {check.most_points:g}: multiply it, such as by 100")
    if check.rules and check.rules.traits.sampled and len(check.outcomes) == 1:
        check.where = "all positions"
        check.need("draw", False, f"it always gives {next(iter(check.outcomes))}")
