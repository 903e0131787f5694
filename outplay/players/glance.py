"""A move at a glance: what plain Python finds in a moment, for whoever must answer before the search is compiled.

>>> from outplay.game import load
>>> position = load("tic-tac-toe").position("xx./oo./... x")
>>> position.action_text(glance(position, position.actions()))
'c3'

It is a move of the book that comes with the game; else what the evaluation likes best after one ply and the forcing replies to it;
else, where nothing judges a position or things are hidden, what did best in games played to the end at random, or by rule of thumb,
from deals that fit what the mover sees (flat Monte Carlo; Bruce Abramson, 1990).
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from outplay.books import openings
from outplay.errors import OutplayError
from outplay.game import CompiledGame, Game, Position
from outplay.jit import below, random_source
from outplay.values import Action

SECONDS = 0.4
"""How long games are played to the end where nobody says."""
LONGEST = 300
"""Plies after which a game that is played to the end is left, and judged if it can be."""


def glance(view: Position, among: Sequence[Action], until: float | None = None, seed: int = 0) -> Action:
    """A sensible action by the moment `until` of `time.perf_counter`; the likeliest ones are tried first."""
    game = plain(view.game)
    here = Position(game, view.state)
    if game.traits.information == "perfect":
        if (known := _by_heart(here, among, seed)) is not None:
            return known
        if game.offers("evaluate"):
            return _judged(here, among, until)
    if getattr(game, "has_many_actions", False) and (thought := _by_thumb(here, random_source(seed))) in among:
        return thought  # too many to try
    return _tried(here, among, time.perf_counter() + SECONDS if until is None else until, seed)


def plain(game: Game) -> Any:
    """The game with its rules in plain Python; rules that list too many actions for that stay compiled."""
    return type(game)(game.rules, compiled=False) if isinstance(game, CompiledGame) and not game.has_many_actions else game


def _by_heart(here: Position, among: Sequence[Action], seed: int) -> Action | None:
    """A move of the book that comes with the game, if there is one."""
    try:
        return next((action for action in [openings.choose(openings.open_book(openings.OWN, here.game), here, random.Random(seed))]
                     if action in among), None)  # fmt: skip
    except OutplayError:
        return None


def _likely(here: Position, among: Sequence[Action]) -> list[Action]:
    return sorted(among, key=here.order, reverse=True)


def _judged(here: Position, among: Sequence[Action], until: float | None) -> Action:
    """The action after which the evaluation likes the mover best, whatever forcing reply comes."""
    game, mover = here.game, here.player()

    def worth(position: Position) -> float:
        luck = random_source(0)  # the same for every action
        while position.is_chance():
            position = position.result(position.sample_chance(luck))
        return float(position.utility(mover) * game.traits.scale if position.is_terminal() else position.evaluate(mover))

    likely = _likely(here, among)
    best, most = likely[0], float("-inf")
    for action in likely:
        after = Position(game, game.result(here.state, action))
        found = worth(after)
        if game.offers("forcing") and not after.is_terminal() and not after.is_chance() and after.player() != mover:
            found = min([found, *(worth(Position(game, game.result(after.state, reply))) for reply in after.forcing())])
        if found > most:
            best, most = action, found
        if until is not None and time.perf_counter() >= until:
            break
    return best


def _tried(here: Position, among: Sequence[Action], until: float, seed: int) -> Action:
    """The action that does best in games to the end; each is tried as often as any other, and all by the same luck."""
    game, mover = here.game, here.player()
    hides = game.traits.information == "hidden"
    likely = _likely(here, among)
    gains, rounds = np.zeros(len(likely)), 0
    source = random_source(seed)
    if len(likely) == 1 or time.perf_counter() >= until:
        return likely[0]
    while rounds == 0 or time.perf_counter() < until:
        try:
            world = here.deal(mover, source) if hides else here
        except OutplayError:
            break
        round_gains = np.zeros(len(likely))
        for number, action in enumerate(likely):
            round_gains[number] = _played_out(Position(game, game.result(world.state, action)), mover, source)
            if time.perf_counter() >= until:
                break
        else:
            gains += round_gains
            rounds += 1
            continue
        break
    if rounds == 0:
        thought = _by_thumb(here, source)
        return thought if thought in among else likely[0]
    return likely[int(gains.argmax())]


def _played_out(position: Position, mover: int, source: np.ndarray) -> float:
    """What a game that goes on by rule of thumb, or at random, is worth to a seat."""
    game: Any = position.game
    for _ in range(LONGEST):
        if position.is_terminal():
            return float(position.utility(mover))
        action = position.sample_chance(source) if position.is_chance() else _by_thumb(position, source)
        position = Position(game, game.result(position.state, action))
    judged = game.offers("evaluate") and not position.is_terminal() and not position.is_chance()
    return float(position.evaluate(mover)) / game.traits.scale if judged else 0.0


def _by_thumb(position: Position, source: np.ndarray) -> Action:
    """What the game's own playouts would do; any action where they have no rule of thumb."""
    game: Any = position.game
    if hasattr(game, "rules") and game.offers("choose"):
        with np.errstate(over="ignore"):
            return int(game.record(position.state).choose(game.rules.room(game.rules.most_actions + 16), source))
    actions = position.actions()
    with np.errstate(over="ignore"):
        return actions[int(below(source, len(actions)))]
