"""The root of a search by sequential halving: few simulations are spread over the best actions, and the better half gets the more.

PUCT follows a network's priors, and with few simulations an action that the network thinks little of is never looked at. Here every
likely action is tried, then the better half of them again, until two are left (Danihelka, Guez, Schrittwieser and Silver, *Policy
improvement by planning with Gumbel*, 2022). Self-play adds Gumbel noise to that (`outplay.learning.forest`); a player does not.

>>> considered_visits(4, 8).tolist()  # four actions twice each would be even; halving gives the better two more
[0, 0, 0, 0, 1, 1, 2, 2]
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from outplay.engine.montecarlo.mcts_kernel import BLOCKED
from outplay.jit import f32, inlined

VISIT_OFFSET, VALUE_SCALE = f32(50.0), f32(1.0)
"""How values grow into logits: the paper's numbers for board games."""
CONSIDERED = 16
"""The actions that halving begins with, at most."""
ELSEWHERE = np.float32(1e12)
"""Visits under way that keep a simulation from an action."""


@inlined
def raised(value: Any, most_visits: Any) -> Any:
    """A value from 0 to 1 as something to add to a logit, the more, the more often the best was tried; for kernels and arrays.

    >>> float(raised(0.5, 10))
    30.0
    """
    return (most_visits + VISIT_OFFSET) * VALUE_SCALE * value


@functools.cache
def considered_visits(actions: int, simulations: int) -> np.ndarray:
    """How many visits an action must have to be chosen at the root, simulation after simulation: sequential halving as a table."""
    if actions <= 1:
        return np.arange(simulations, dtype=np.int32)
    rounds = math.ceil(math.log2(actions))
    sequence: list[int] = []
    visits = [0] * actions
    left = actions
    while len(sequence) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            sequence += visits[:left]
            for index in range(left):
                visits[index] += 1
        left = max(2, left // 2)
    return np.array(sequence[:simulations], np.int32)


def simulate(tree: Any, evaluator: Any, simulations: int) -> None:
    """One of so many simulations of a tree that began at its root; the first one only asks about the root."""
    done = tree.simulations()
    root = tree.nodes[0]
    children = slice(int(root["first"]), int(root["first"]) + int(root["count"]))
    if done == 0 or children.stop == children.start:
        return tree.go_with(evaluator, done + 1)
    nodes, extras = tree.nodes[children], tree.extras[children]
    priors, visits, proved = extras["prior"].copy(), nodes["visits"], nodes["proved"] != 0
    table = considered_visits(min(len(nodes), CONSIDERED, simulations - 1), simulations - 1)
    values = np.where(proved, BLOCKED - nodes["total"], nodes["total"] / np.maximum(visits, 1))
    scores = np.log(np.maximum(priors, 1e-30)) + raised(values, visits.max())
    due = (visits == table[done - 1]) & ~proved
    chosen = int(np.argmax(np.where(due if due.any() else ~proved, scores, -np.inf)))
    try:
        extras["pending"], extras["prior"] = ELSEWHERE, 0.0
        extras["pending"][chosen], extras["prior"][chosen] = 0.0, 1.0
        tree.go_with(evaluator, done + 1)
    finally:
        extras["pending"], extras["prior"] = 0.0, priors
