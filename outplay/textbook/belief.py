"""Belief-state search: when the state is unseen, search among sets of states that the world may be in (Goldman and Boddy 1996).

A robot that sees nothing can still clean both rooms: whatever the world is like, after these actions it is clean. An action leads
from a belief to the set of everything that it can lead to; what is then seen splits that set, and the plan may go on differently.

>>> from outplay.game import load
>>> blind = load("vacuum world", sensors="none")
>>> len(consistent(blind.start()))
6
>>> result = belief(blind.start())
>>> result.depth
4

Which positions fit what is seen is found by dealing, so a rare one may be missed; `positions` gives the belief outright. A game of
perfect information is then searched as if nothing were seen at all until it is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from outplay.errors import BadValue
from outplay.game import Position, need
from outplay.jit import random_source
from outplay.textbook.and_or import decide, outcomes
from outplay.textbook.search import Search
from outplay.values import Action, Limits, Result

PATIENCE = 50
"""Deals in a row that bring nothing new, for each position known so far, before the belief counts as complete."""


@dataclass(frozen=True)
class Belief:
    """What the world may be like: a set of positions, none of which the agent can tell from the others."""

    positions: frozenset[Position]

    def ordered(self) -> list[Position]:
        """The positions in a fixed order."""
        return sorted(self.positions, key=lambda position: position.text())

    def unsolved(self) -> list[Position]:
        """Those that are not over yet, in a fixed order."""
        return [position for position in self.ordered() if not position.is_terminal()]

    def is_solved(self) -> bool:
        """Whether the goal is reached for certain."""
        return all(position.is_solved() for position in self.positions)

    def actions(self) -> list[Action]:
        """What can be done whatever the world is like; nothing once a world is lost."""
        going = self.unsolved()
        if not going or any(position.is_terminal() and not position.is_solved() for position in self.positions):
            return []
        return [action for action in going[0].actions() if all(action in other.actions() for other in going[1:])]

    def __str__(self) -> str:
        return "{" + " | ".join(position.text() for position in self.ordered()) + "}"


def belief(position: Position, *, positions: Sequence[Position] | None = None, seed: int = 0, limits: Limits | None = None,
           trace: bool = False) -> Result:
    """A plan that reaches the goal whatever the unseen state is; its first action, and the plan itself in `facts`."""
    need("belief", position.game, players=1)
    if positions is None:
        start = Belief(consistent(position, seed))
    else:
        start = Belief(frozenset(positions))
        if not start.positions or not all(other.game.has_rules_of(position.game) for other in start.positions):
            raise BadValue(f"belief: positions must be one or more positions of {position.game.name}")
    search = Search("belief", position, limits=limits, trace=trace)

    def example(node: Belief) -> Position:
        return (node.unsolved() or node.ordered())[0]

    return decide(search, start, Belief.is_solved, Belief.actions, percepts, example)


def percepts(node: Belief, action: Action) -> list[Belief]:
    """What the agent may believe after an action: one belief for each thing that it may see then. What is over stays over."""
    after: list[Position] = []
    for position in node.ordered():
        after.extend([position] if position.is_terminal() else outcomes(position, action))
    seen: dict[object, set[Position]] = {}
    for position in after:
        seen.setdefault(view(position), set()).add(position)
    return [Belief(frozenset(group)) for group in seen.values()]


def view(position: Position) -> object:
    """What the agent sees of a position: what the rules let it see, or nothing in a game that hides nothing."""
    return position.observe(0) if position.game.traits.information == "hidden" else None


def consistent(position: Position, seed: int = 0) -> frozenset[Position]:
    """All positions that look the same to the agent, as far as dealing finds them."""
    found: set[Position] = {position}
    if position.game.traits.information == "hidden":
        source, idle = random_source(seed), 0
        while idle < PATIENCE * len(found):
            dealt = position.deal(0, source)
            idle = idle + 1 if dealt in found else 0
            found.add(dealt)
    return frozenset(found)
