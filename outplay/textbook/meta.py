"""Meta-reasoning: computing what to compute (Russell and Wefald 1991). How large is the tree, and how deep can we afford to look?

A full chess tree of 100 plies has about 35^100 leaves, with perfect pruning 35^50:

>>> [int(math.log10(leaves)) for leaves in (worst_leaves(35, 100), best_leaves(35, 100))]
[154, 77]

With 100 seconds at 10,000 nodes a second there are a million nodes: depth 4 by minimax, 8 by alpha-beta with a good order.

>>> affordable_depth(100, 1e4, 35), affordable_depth(100, 1e4, 35, "best")
(3.9, 7.8)
"""

from __future__ import annotations

import math

from outplay.errors import BadValue, UnknownName
from outplay.textbook.search import whole_number

EXPONENTS = {"worst": 1.0, "random": 0.75, "best": 0.5}
"""Alpha-beta looks at about b^(exponent * m) leaves of a uniform tree (Knuth and Moore 1975, Pearl 1982)."""

SECONDS_A_YEAR = 365.25 * 24 * 3600


def tree_nodes(branching: int, depth: int) -> int:
    """All nodes of a uniform tree with its root: (k^(d+1) - 1) / (k - 1).

    >>> tree_nodes(3, 2), tree_nodes(2, 10), tree_nodes(1, 4)
    (13, 2047, 5)
    """
    _check(branching, depth)
    return sum(branching**level for level in range(depth + 1))


def deepening_nodes(branching: int, depth: int) -> int:
    """All nodes that depth 1, 2, ... d visit together: the bottom once, the level above twice, the root d times.

    >>> deepening_nodes(3, 2), deepening_nodes(10, 5) / tree_nodes(10, 5)
    (17, 1.1110...)
    """
    _check(branching, depth)
    return sum(tree_nodes(branching, limit) for limit in range(1, depth + 1))


def worst_leaves(branching: int, depth: int) -> int:
    """The leaves of a uniform tree: all of them, for minimax, and for alpha-beta in the worst order."""
    _check(branching, depth)
    return branching**depth


def random_leaves(branching: float, depth: int) -> float:
    """About how many leaves alpha-beta looks at when the actions come in random order: b^(3m/4)."""
    return branching ** (0.75 * depth)


def pearl_branching(branching: int) -> float:
    """By how much one ply more multiplies the leaves that alpha-beta reads, leaves independent, depth without end (Pearl 1982).

    x / (1 - x) where x^b + x = 1. The lectures' b^(3/4) is a little above it:

    >>> [(b, round(pearl_branching(b), 2), round(b ** 0.75, 2)) for b in (2, 3, 8, 35)]
    [(2, 1.62, 1.68), (3, 2.15, 2.28), (8, 4.31, 4.76), (35, 12.83, 14.39)]
    """
    whole_number("branching", branching, 1)
    low, high = 0.0, 1.0
    for _ in range(80):  # x^b + x grows with x
        middle = (low + high) / 2
        low, high = (middle, high) if middle**branching + middle < 1 else (low, middle)
    return branching if branching == 1 else low / (1 - low)


def best_leaves(branching: int, depth: int) -> int:
    """The fewest leaves by which any algorithm can prove a value: b^ceil(m/2) + b^floor(m/2) - 1.

    >>> best_leaves(3, 2), best_leaves(35, 8)
    (5, 3001249)
    """
    _check(branching, depth)
    return branching ** (depth - depth // 2) + branching ** (depth // 2) - 1


def affordable_depth(seconds: float, nodes_per_second: float, branching: float, order: str = "worst") -> float:
    """How many plies a time allows: minimax, or alpha-beta in the "best", a "random" or the "worst" order.

    A two-second turn of 5x5 isolation at 10^9 nodes a second, eight actions a position:

    >>> affordable_depth(2, 1e9, 8)
    10.3
    """
    if order not in EXPONENTS:
        raise UnknownName("order", order, EXPONENTS)
    if branching <= 1 or seconds * nodes_per_second < 1:
        raise BadValue(f"expected more than 1 action a position and time for a node, got {branching:g} actions and "
                       f"{seconds * nodes_per_second:g} nodes")
    return round(math.log(seconds * nodes_per_second, branching) / EXPONENTS[order], 1)


def years(nodes: float, nodes_per_second: float) -> float:
    """How long so many nodes take.

    >>> f"{years(8 ** 25, 1e9):.1e}"
    '1.2e+06'
    """
    return nodes / nodes_per_second / SECONDS_A_YEAR


def worth_deepening(spent: float, last: float, seconds: float, branching: float) -> bool:
    """Whether the next depth can be expected to finish: it takes about `branching` times as long as the last one did.

    >>> worth_deepening(spent=1.2, last=1.0, seconds=10, branching=6), worth_deepening(4.0, 3.0, 10, 6)
    (True, False)
    """
    return spent + last * branching <= seconds


def _check(branching: int, depth: int) -> None:
    whole_number("branching", branching, 1)
    whole_number("depth", depth, 0)
