"""Ends, Sides and Draws: what every single position is held to, and what a move may change."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from outplay.conformance.chance import drawing
from outplay.conformance.checker import Checker
from outplay.conformance.identity import remember_key
from outplay.conformance.judgement import evaluation
from outplay.errors import IllegalAction, shorten
from outplay.game import Position
from outplay.values import CHANCE


def facts(check: Checker, position: Position) -> None:
    """The promises that every single position is held to."""
    game, traits = check.game, check.game.traits
    with check.guarded("the rules"):
        if check.rules and not guard_buffer(check, position):
            return
        player, actions = position.player(), position.actions()
        if position.is_terminal():
            utilities = position.utilities()
            least, greatest = traits.bounds
            inside = all(math.isfinite(u) and least - 1e-9 <= u <= greatest + 1e-9 for u in utilities)
            check.need("utilities", inside, f"they are {utilities} with bounds {traits.bounds}")
            sides = game.sides or tuple((seat,) for seat in range(traits.players))
            equal = all(len({utilities[seat] for seat in side}) == 1 for side in sides)
            check.need("utilities", equal, f"they are {utilities} with the sides {sides}")
            if traits.total is not None:
                kept = abs(math.fsum(utilities[side[0]] for side in sides) - traits.total) <= 1e-6
                check.need("utilities", kept, f"they are {utilities} with total {traits.total:g}")
            if check.rules and "is_drawn" in check.rules.offered and position.is_drawn() and position.moves():
                check.need("drawn", len(set(utilities)) == 1, f"they are {utilities}")
            remember_key(check, position)
            return
        if position.is_sampled():
            drawing(check, position)
            return
        check.need("end", len(actions) > 0, "there are none and the game is not over")
        known = 0 <= player < traits.players or (player == CHANCE and traits.chance)
        check.need("player", known, f"it is {player} of {traits.players}{'' if traits.chance else ' without chance'}")
        check.need("actions", len(set(actions)) == len(actions), f"they are {shorten(str(actions))}")
        if check.rules:
            check.need("actions", min(actions, default=0) >= 0, f"one is {min(actions, default=0)}")
        if position.is_chance():
            probabilities = [probability for _, probability in position.chances()]
            kept = abs(math.fsum(probabilities) - 1) <= 1e-9 and min(probabilities) > 0
            check.need("chances", kept, f"they are {shorten(str(probabilities))}")
        if game.offers("evaluate") and not position.is_chance():
            evaluation(check, position)
    remember_key(check, position)


def guard_buffer(check: Checker, position: Position) -> bool:
    """Ask the rules with a longer buffer: do they write more than `most_actions`, does asking change the state?"""
    rules: Any = check.rules
    record = check.game.record(position.state)
    most, extra = rules.most_actions, 1024
    out, probabilities = np.full(most + extra, -7, rules.action_type), np.zeros(most + extra)
    with np.errstate(over="ignore"):
        over, player = bool(record.is_terminal() or record.is_drawn()), int(record.player())
        known = over or 0 <= player < rules.players or (player == CHANCE and rules.traits.chance)
        check.need("player", known, f"it is {player} of {rules.players}")
        if not known:
            return False
        if player == CHANCE and rules.traits.sampled:
            return True
        count = int(record.chances(out, probabilities) if player == CHANCE else record.actions(out))
        kept = count <= most and bool((out[most:] == -7).all())
        if kept and count > 0 and not over and player != CHANCE and check.swift is not check.game:  # a long list is asked for once
            position._facts = player, tuple(out[:count].tolist()), (), ()
        check.need("actions", kept, f"most_actions is {most} and there are {count}")
        if "is_terminal" in rules.offered:
            ended = bool(record.is_terminal())
            check.need("end", ended == (count == 0), f"is_terminal() is {ended} with {count} actions")
        record.key(), record.utility(0) if over else None
    check.need("pure", record.tobytes() == position.state, "actions(), is_terminal(), key() or utility() changed it")
    return kept


def step(check: Checker, position: Position, action: Any, twice: bool) -> Position:
    """The position after an action, made sure of by making it twice."""
    after = position.result(action)
    if not twice:
        return after
    again = position.result(action)
    if after != again:
        name = position.action_text(action)
        check.need("pure", False, f"{name} leads to {after.text()!r} once and to {again.text()!r} the next time")
    return after


def draws(check: Checker, position: Position, passed: list[Position]) -> None:
    """The count of reversible plies tells how far back to look for an equal position."""
    if not check.rules or "reversible" not in check.rules.offered:
        return
    back = position.reversible()
    before = passed[-2].reversible() if len(passed) > 1 else back
    check.need("reversible", 0 <= back <= before + 1, f"it is {back} after {before}")
    if len(passed) == 1:
        check.plies_of.clear()
    key = check.game.key(position.state)
    distance = len(passed) - check.plies_of.get(key, len(passed))
    check.need("reversible", distance <= back, f"it is {back}, and the same position lies {distance} plies back")
    check.plies_of[key] = len(passed)


def copies(check: Checker, position: Position) -> None:
    """Playing on a copy leaves the original alone."""
    rules: Any = check.rules
    states = np.zeros(2, rules.layout)
    with np.errstate(over="ignore"):
        for action in position.actions()[:5]:
            states[0] = check.record(position)
            states[1] = states[0]
            states[1].play(rules.action_type(action))
            again = Position(check.game, states[:1].tobytes())
            kept = again.state == position.state and again.actions() == position.actions()
            check.need("copies", kept, f"playing {position.action_text(action)} on a copy changed it to {again.text()!r}")


def refusals(check: Checker, position: Position) -> None:
    """Actions that are not legal are refused."""
    actions = position.actions()
    if position.is_sampled():
        return
    for bad in (-1, -(2**40), 2**40, max(actions, default=0) + 1 if check.rules else object(), "nonsense", None):
        if bad in actions:
            continue
        try:
            position.result(bad)
            check.need("refusal", False, f"{bad!r} was played")
        except IllegalAction:
            pass
