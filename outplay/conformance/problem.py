"""Problem: costs, admissible estimates and redundant actions, for one player."""

from __future__ import annotations

import heapq
import itertools
import math
from typing import Any

from outplay.conformance.checker import Checker
from outplay.game import Position


def path(check: Checker, position: Position) -> None:
    """Costs, estimates and redundant actions, as far as a short search from here can tell."""
    offered = check.rules.offered & {"cost", "estimate", "redundant"}
    if not offered or check.game.players != 1 or check.game.traits.chance:
        return
    for action in position.actions():
        cost = float(check.record(position).cost(check.rules.action_type(action)))
        check.need("path", cost >= 1 and cost == int(cost), f"{position.action_text(action)} costs {cost:g}")
    if "estimate" in offered:
        estimate = float(check.record(position).estimate())
        check.need("path", estimate >= 0 and estimate == int(estimate), f"the estimate is {estimate:g}")
        check.need("path", estimate == 0 or not position.is_solved(), f"the estimate is {estimate:g} at the goal")
        nearest = _cost_to_goal(position, 300)
        if nearest is not None:
            check.need("path", estimate <= nearest, f"the estimate is {estimate:g}, and a path costs {nearest:g}")
    if "redundant" in offered:
        detours(check, position)


def detours(check: Checker, position: Position) -> None:
    """Where two actions in a row are redundant, one, none or two others lead to the same at no higher cost."""
    record = check.record(position)
    reached: dict[Position, float] = {position: 0.0}
    skipped: list[tuple[Position, float, str]] = []
    for first in position.actions():
        middle = position.result(first)
        reached[middle] = min(reached.get(middle, math.inf), position.cost(first))
        for second in middle.actions():
            end, cost = middle.result(second), position.cost(first) + middle.cost(second)
            if record.redundant(check.rules.action_type(first), check.rules.action_type(second)):
                skipped.append((end, cost, f"{position.action_text(first)} {middle.action_text(second)}"))
            else:
                reached[end] = min(reached.get(end, math.inf), cost)
    for end, cost, names in skipped:
        check.need("redundant", reached.get(end, math.inf) <= cost, f"{names} leads where no other path does")


def paths(check: Checker, passed: list[Position], moves: list[Any]) -> None:
    """An estimate is never more than what the game that was played cost from there."""
    if not check.rules or "estimate" not in check.rules.offered or not passed[-1].is_solved() or check.game.traits.chance:
        return
    left = 0.0
    for position, action in zip(reversed(passed[:-1]), reversed(moves), strict=True):
        left += position.cost(action)
        check.where = position
        check.need("path", position.estimate() <= left, f"the estimate is {position.estimate():g}, and a path costs {left:g}")


def _cost_to_goal(position: Position, most: int) -> float | None:
    """What the cheapest path to the goal costs, or None where so many positions are not enough to tell (uniform-cost search)."""
    tie = itertools.count()
    waiting: list[tuple[float, int, Position]] = [(0.0, next(tie), position)]
    done: set[Position] = set()
    while waiting and len(done) < most:
        cost, _, here = heapq.heappop(waiting)
        if here in done:
            continue
        done.add(here)
        if here.is_solved():
            return cost
        for action in here.actions():
            heapq.heappush(waiting, (cost + here.cost(action), next(tie), here.result(action)))
    return None
