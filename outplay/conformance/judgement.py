"""Judgement, Order and Solving: evaluations, what is tried first, and what is claimed to be proved."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from outplay.conformance.checker import Checker
from outplay.game import Position
from outplay.jit import random_source


def evaluation(check: Checker, position: Position) -> None:
    """An evaluation stands beside utilities in one search: it must stay below them, and cancel where they cancel."""
    traits = check.game.traits
    values = [position.evaluate(player) for player in range(traits.players)]
    sides = check.game.sides or tuple((seat,) for seat in range(traits.players))
    check.most_points = max(check.most_points, *map(abs, values))
    most = traits.scale * max(abs(bound) for bound in traits.bounds)
    kept = all(math.isfinite(value) and abs(value) < most for value in values)
    check.need("evaluation", kept, f"evaluate gives {values} where a finished game is worth up to {most:g}")
    equal = all(len({values[seat] for seat in side}) == 1 for side in sides)
    check.need("evaluation", equal, f"evaluate gives {values} with the sides {sides}")
    if traits.sides == 2 and traits.sum == "zero" and kept:
        both = values[sides[0][0]], values[sides[1][0]]
        check.need("evaluation", abs(sum(both)) <= 1e-6 * most, f"the two sides' evaluations are {both}")


def choices(check: Checker, position: Position) -> None:
    """What a game offers to choose from is legal."""
    rules: Any = check.rules
    record, actions = check.record(position), set(position.actions())
    out = rules.room(rules.most_actions + 16)
    with np.errstate(over="ignore"):
        if position.is_chance() or position.is_terminal():
            return
        if "forcing" in rules.offered:
            listed = set(out[: record.forcing(out)].tolist())
            check.need("choices", listed <= actions, f"forcing gives {sorted(listed - actions)}")
            quiet = [each for each in listed & actions if "order" in rules.offered and position.order(each) <= 0]
            check.need("order", not quiet or bool(record.urgent()), f"forcing lists {quiet[:1]} and its order is not above 0")
        if "solving" in rules.offered:
            listed = set(out[: record.solving(out)[0]].tolist())
            check.need("choices", listed <= actions and bool(listed) == bool(actions), f"solving gives {sorted(listed)}")
        if rules.bulk_counting:
            count = int(record.actions(None))
            check.need("choices", count == len(position.moves()), f"actions(None) gives {count} of {len(position.moves())}")
        if "choose" in rules.offered:
            chosen = int(record.choose(out, random_source(check.seed)))
            check.need("choices", chosen in actions if actions else chosen == -1, f"choose gives {chosen}")
        if "order" in rules.offered:
            ranks = [float(record.order(rules.action_type(action))) for action in position.actions()]
            whole = all(math.isfinite(rank) and abs(rank) < 2**31 and rank == int(rank) for rank in ranks)
            check.need("order", whole, f"it is {ranks}")
    check.need("pure", record.tobytes() == position.state, "asking for forcing, solving, choose or order changed it")


def passing(check: Checker, position: Position) -> None:
    """A null move gives the move away."""
    if "pass_turn" not in check.rules.offered or position.is_terminal() or position.is_chance():
        return
    with np.errstate(over="ignore"):
        record = check.record(position)
        passed = bool(record.pass_turn())
    after = check.as_position(record)
    if passed:
        check.need("pass", after.side() != position.side(), f"{after.player()} is to move")
    else:
        check.need("pass", after == position, "it returned False and changed the position")


def proof(check: Checker, position: Position) -> None:
    """What a game claims to prove is true, as far as a short search from the end of a game can tell."""
    traits = check.game.traits
    two_sided = traits.sides == 2 and traits.sum == "zero" and not traits.chance
    if not check.rules or check.rules.offered.isdisjoint({"solving", "settle"}) or position.is_terminal() or not two_sided:
        return
    values: dict[Any, float] = {}
    budget = [100]
    for action in position.actions():
        value = _value_after(position, action, budget)
        if value is None:
            return
        values[action] = value
    record, best = check.record(position), max(values.values())
    with np.errstate(over="ignore"):
        if "settle" in check.rules.offered:
            for low in (round(best) - 1, round(best), round(best) + 1):
                _, least, greatest = record.settle(low, low + 1)
                check.need("proof", least <= best <= greatest, f"settle gives {least} to {greatest} where {best:g} is true")
        if "solving" not in check.rules.offered:
            return
        out = check.rules.room(len(values) + 64)
        count, least, greatest = record.solving(out)
        check.need("proof", least <= best <= greatest, f"solving gives {least} to {greatest} where {best:g} is true")
        kept = [values.get(action) for action in out[:count].tolist()]
        check.need("proof", best in kept, f"its actions are worth {kept}, the best action {best:g}")


def _value_after(position: Position, action: Any, budget: list[int]) -> float | None:
    """What an action is worth to the player to move in a zero-sum game of two, or None when the budget of nodes is spent."""
    budget[0] -= 1
    if budget[0] < 0:
        return None
    after = position.result(action)
    if after.is_terminal():
        return after.utility(position.player())
    best = -math.inf
    for reply in after.actions():
        value = _value_after(after, reply, budget)
        if value is None:
            return None
        best = max(best, value)
    return best if after.player() == position.player() else -best
