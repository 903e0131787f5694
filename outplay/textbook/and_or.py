"""AND-OR search: when an action can turn out in several ways, the answer is a plan that says what to do in each case.

An OR node is the agent's: one good action is enough. An AND node is the world's: every outcome must be dealt with (Nilsson 1971,
Russell and Norvig 1995). The erratic vacuum cleaner sometimes cleans the next room too, so after the first suck it must look:

>>> from outplay.game import load
>>> start = load("vacuum world", erratic=True).start()
>>> result = and_or(start)
>>> print(result.facts["plan"])
suck
  if .* a: right
    suck
  if .. a: done

The search goes deeper and deeper, so the plan found has the shortest worst case. It has no loops: a plan that tries again until it
works is not found.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

from outplay.errors import Unavailable
from outplay.game import Position, need
from outplay.textbook.search import Search
from outplay.values import Action, Limits, Result


@dataclass(frozen=True)
class Plan:
    """What to do here, and for each outcome the plan from there on; without an action, there is nothing left to do."""

    action: Action | None = None
    action_text: str = "done"
    branches: tuple[tuple[Any, Plan], ...] = field(default=())  # (where the outcome leads, the plan there)

    @property
    def depth(self) -> int:
        """How many actions it takes at worst."""
        return 1 + max(plan.depth for _, plan in self.branches) if self.branches else 0

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> list[str]:
        lines = [self.action_text]
        if len(self.branches) == 1:
            return lines + (self.branches[0][1]._lines() if self.branches[0][1].branches else [])
        for where, plan in self.branches:
            first, *rest = plan._lines()
            lines += [f"  if {where}: {first}", *("    " + line for line in rest)]
        return lines


DONE = Plan()


def and_or(position: Position, *, limits: Limits | None = None, trace: bool = False) -> Result:
    """A plan that reaches the goal whatever chance brings; its first action, and the plan itself in `facts`."""
    need("and-or", position.game, players=1, information="perfect", use="belief")
    search = Search("and-or", position, limits=limits, trace=trace)
    return decide(search, position, Position.is_solved, Position.actions, outcomes, lambda position: position)


def outcomes(position: Position, action: Action) -> list[Position]:
    """Where an action can lead: one position, or several when chance has its say."""
    found, left = [], [position.result(action)]
    while left:
        after = left.pop()
        if after.is_chance():
            left.extend(after.result(outcome) for outcome, _ in reversed(after.chances()))
        elif after not in found:
            found.append(after)
    return found


def decide(search: Search, start: Any, is_goal: Callable[[Any], bool], actions: Callable[[Any], Iterable[Action]],
           outcomes: Callable[[Any, Action], Iterable[Any]], example: Callable[[Any], Position]) -> Result:
    """The search itself, over anything that has actions and outcomes; `example` gives a position to count and name actions by."""
    plans: dict[Hashable, Plan] = {}
    search.room *= 2  # the path holds an action and its outcome for every ply, and each takes one frame

    def left_with(position: Position, plan: Plan | None, why: str, event: str = "leaf") -> Plan | None:
        """Leave an OR node."""
        search.note(event, position, value=float(plan is not None), kind="or", reason=why)
        if search.path:
            search.path.pop()
        return plan

    def or_search(node: Any, left: int, way: tuple) -> tuple[Plan | None, bool]:
        """A plan of at most `left` actions or None, and whether the depth cut anything off."""
        position = example(node)
        search.enter(position, kind="or", state=node)
        if is_goal(node):
            return left_with(position, DONE, "the goal"), False
        known = plans.get(node)
        if known is not None and known.depth <= left:
            return left_with(position, known, "its plan is known already"), False
        options = list(actions(node))
        if left == 0 or not options:
            return left_with(position, None, "as deep as this round goes" if options else "nothing can be done"), bool(options)
        cut = False
        for action in options:
            branches, deeper = and_search(node, action, left - 1, (*way, node))
            cut = cut or deeper
            if branches is not None:
                plans[node] = Plan(action, position.action_text(action), branches)
                return left_with(position, plans[node], f"{plans[node].action_text} works", "leave"), True
        return left_with(position, None, "no action works", "leave"), cut

    def and_search(node: Any, action: Action, left: int, way: tuple) -> tuple[tuple[tuple[Any, Plan], ...] | None, bool]:
        """A plan for every outcome of an action, or None; an outcome that was on the way already leads in a circle."""
        position = example(node)
        search.path.append(action)
        search.note("enter", position, kind="and")
        branches, cut, fails = [], False, ""
        for number, after in enumerate(outcomes(node, action)):
            search.path.append(("outcome", number))
            if after in way:
                fails = "an outcome leads in a circle"
                search.note("leaf", position, value=0.0, kind="or", reason="it was here before: a circle",
                            facts={"state": after})
                search.path.pop()
                break
            plan, deeper = or_search(after, left, way)
            cut = cut or deeper
            if plan is None:
                fails = "an outcome has no plan"
                break
            branches.append((after, plan))
        search.note("leave", position, value=float(not fails), kind="and", reason=fails or "every outcome has a plan")
        search.path.pop()
        return None if fails else tuple(branches), cut

    most = search.depth
    for depth in itertools.count():
        search.restart(None)
        try:
            plan, cut = or_search(start, depth, ())
        except RecursionError:
            raise Unavailable(f"{search.algorithm} came {search.deepest} actions deep, more than Python's stack holds") from None
        if plan is not None:
            line = () if plan.action is None else (plan.action,)
            return search.report((1.0,), line, depth=plan.depth, plan=plan)
        if not cut or depth == most:
            search.exact = not cut
            return search.report((0.0,), (), depth=depth, plan=None)
    raise AssertionError("the count has no end")
