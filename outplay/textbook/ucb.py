"""UCB1: which arm to pull next, the one that pays best or the one we know least of (Auer, Cesa-Bianchi and Fischer 2002).

The more often a node was visited, the surer its mean is; the bonus is what the mean may still be wrong by.

>>> round(ucb1(0.6, 10, 100), 4), round(ucb1(0.5, 2, 100), 4)
(1.5501, 2.6244)
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from outplay.values import Action

Vector = tuple[float, ...]


@dataclass
class Node:
    """What the tree remembers of a position: how often it was visited, and the mean outcome for each player."""

    value: Vector
    visits: int = 0
    children: dict[Action, Node] = field(default_factory=dict)


def update_value(node: Node, outcome: Vector) -> None:
    """Combine a new outcome with the mean so far.

    >>> node = Node((0.0, 0.0))
    >>> for winner in (0, 1, 0, 0):
    ...     update_value(node, (1.0, 0.0) if winner == 0 else (0.0, 1.0))
    >>> node
    Node(value=(0.75, 0.25), visits=4, children={})
    """
    node.value = tuple((v * node.visits + o) / (node.visits + 1) for v, o in zip(node.value, outcome, strict=True))
    node.visits += 1


def ucb1(value: float, visits: int, parent_visits: int, exploration: float = 1.4) -> float:
    """U(n)/N(n) + C sqrt(log N(parent) / N(n)), where value is U(n)/N(n)."""
    return value + exploration * math.sqrt(math.log(parent_visits) / visits)


def best(weights: Sequence[float], source: random.Random) -> int:
    """The first of the greatest weights.

    >>> best([1.2, 1.5, 0.9], random.Random(0))
    1
    """
    return weights.index(max(weights))


def sampled(weights: Sequence[float], source: random.Random) -> int:
    """A place drawn in proportion to the weights: the better, the more often, but all of them now and then.

    >>> source = random.Random(0)
    >>> drawn = [sampled([1.0, 3.0], source) for _ in range(1000)]
    >>> drawn.count(0), drawn.count(1)
    (247, 753)
    """
    return source.choices(range(len(weights)), weights if sum(weights) > 0 else None)[0]


SELECTIONS: dict[str, Callable[[Sequence[float], random.Random], int]] = {"best": best, "sampled": sampled}
"""The two rules of selection."""
