"""Which actions to try first: alpha-beta cuts the more, the earlier it meets the best ones (Knuth and Moore 1975, Pearl 1982).

Of the b^m leaves of a uniform tree, alpha-beta looks at b^ceil(m/2) + b^floor(m/2) - 1 in perfect order, about b^(3m/4) in
random order, and at all of them in the worst:

>>> from outplay.game import load
>>> from outplay.textbook.alphabeta import alphabeta
>>> [alphabeta(load("tree", tree=uniform_tree(3, 4, leaves)).start()).leaves for leaves in ("best", "random", "worst")]
[17, 56, 81]

An order is a function of a position and its actions:

>>> position = load("tree", tree="[[3,12,8],[2,4,6],[14,5,2]]").start()
>>> [position.action_text(action) for action in worst_first(position, position.actions())]
['a2', 'a3', 'a1']
>>> alphabeta(position, order=worst_first).leaves
9
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from outplay.errors import Unavailable, UnknownName
from outplay.game import Position
from outplay.textbook.search import Evaluate, whole_number
from outplay.values import Action

Order = Callable[[Position, Sequence[Action]], Sequence[Action]]
"""Takes a position and its actions, returns the actions in the order in which to try them."""


def as_given(position: Position, actions: Sequence[Action]) -> Sequence[Action]:
    """The order in which ACTIONS lists them."""
    return actions


def by_rules(position: Position, actions: Sequence[Action]) -> Sequence[Action]:
    """What the rules themselves think promising, such as captures before quiet moves: the game's own `order`."""
    return sorted(actions, key=position.order, reverse=True)


def shuffled(seed: int) -> Order:
    """A random order, the same for the same seed."""
    source = random.Random(seed)
    return lambda position, actions: source.sample(list(actions), len(actions))


def by_evaluation(evaluate: Evaluate | None = None) -> Order:
    """The best first as EVAL sees the positions right after the actions."""

    def order(position: Position, actions: Sequence[Action]) -> Sequence[Action]:
        return sorted(actions, key=lambda action: promise(position, position.result(action), evaluate), reverse=True)

    return order


def promise(position: Position, child: Position, evaluate: Evaluate | None) -> float:
    """What EVAL says of a child to the player who moves there; a finished game counts in points too."""
    mover, traits = position.player(), position.game.traits
    if child.is_terminal():
        return child.utility(mover) * traits.scale
    return (evaluate or Position.evaluate)(child, mover)


def best_first(position: Position, actions: Sequence[Action]) -> Sequence[Action]:
    """Perfect order: it takes the answer to know it, so it only serves to see how well alpha-beta could do."""
    left = [MOST_KNOWN]
    return sorted(actions, key=lambda action: _value(position.result(action), left), reverse=position.side() == 0)


def worst_first(position: Position, actions: Sequence[Action]) -> Sequence[Action]:
    """The order of a player who tries the worst actions first."""
    left = [MOST_KNOWN]
    return sorted(actions, key=lambda action: _value(position.result(action), left), reverse=position.side() == 1)


MOST_KNOWN = 50_000  # positions below one, for the two orders that need to know the answer: a few seconds
_known: dict[Position, float] = {}


def _value(position: Position, left: list[int]) -> float:
    """What a position is worth; a game with too many positions below it is refused before it takes for ever."""
    if position.is_terminal():
        return position.utility(0)
    found = _known.get(position)
    if found is None:
        left[0] -= 1
        if left[0] < 0:
            raise Unavailable(f"best-first and worst-first need the whole tree, and {position.game.name} has more than "
                              f"{MOST_KNOWN:,} positions below: use by-evaluation or by-rules")
        found = (max if position.side() == 0 else min)(_value(position.result(action), left) for action in position.actions())
        if len(_known) >= 2 * MOST_KNOWN:
            _known.clear()
        _known[position] = found
    return found


def unrolled(position: Position, depth: int, order: Order = as_given, evaluate: Evaluate | None = None) -> Any:
    """The tree below a position as nested lists for the game "tree", its actions in some order, its leaves in points.

    >>> from outplay.game import load
    >>> unrolled(load("nim", heaps="2-1").start(), 9)
    [[[1.0], [1.0]], [-1.0], [[1.0], -1.0]]
    """
    whole_number("depth", depth, 0)
    if position.is_terminal():
        return position.utility(0) * position.game.traits.scale
    if depth == 0:
        return (evaluate or Position.evaluate)(position, 0)
    return [unrolled(position.result(action), depth - 1, order, evaluate) for action in order(position, position.actions())]


def uniform_tree(branching: int, depth: int, leaves: str = "random", seed: int = 0) -> Any:
    """Nested lists for the game "tree": all leaves different, arranged so that the given order is best, random or worst.

    In the best and the worst case every subtree gets a stretch of neighbouring values of its own. Children that come in falling
    order below MAX and in rising order below MIN are all sorted best first; the other way round, nothing can ever be cut.
    """
    whole_number("branching", branching, 1)
    whole_number("depth", depth, 0)
    if leaves not in ("best", "random", "worst"):
        raise UnknownName("arrangement of leaves", leaves, ["best", "random", "worst"])
    values = list(range(branching**depth))
    if leaves == "random":
        random.Random(seed).shuffle(values)

    def grow(values: list[int], ply: int) -> Any:
        if ply == depth:
            return values[0]
        size = len(values) // branching
        parts = [values[start:start + size] for start in range(0, len(values), size)]
        if (leaves == "best" and ply % 2 == 0) or (leaves == "worst" and ply % 2 == 1):
            parts.reverse()
        return [grow(part, ply + 1) for part in parts]

    return grow(values, 0)
