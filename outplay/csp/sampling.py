"""Random solutions: uniform by counting, or quick by random descent.

A uniform draw needs to know how many solutions lie behind each choice. Where there are few they are enumerated; where there are
many, a decision diagram counts them (see ``diagram``). A random descent takes a random value at each decision and backtracks from
dead ends: every solution can come up, but not with the same probability.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from outplay.csp.solver import Options, Search
from outplay.errors import Unsuitable

if TYPE_CHECKING:
    from outplay.csp.model import Model, Solution

FEW = 4096  # solutions that are simply enumerated
NODES = 100_000


def draw(model: Model, source: random.Random) -> Solution | None:
    """A solution, each with the same probability; None when there is none."""
    if model.pool is None:
        model.pool = _pool(model)
    if isinstance(model.pool, list):
        return model.read(source.choice(model.pool)) if model.pool else None
    return model.read(model.pool.draw(source))


def _pool(model: Model) -> Any:
    """Something to draw from: a list of all solutions, or their diagram."""
    options = Options()
    search = Search(model.program(options), options)
    rows: list[list[int]] = []
    if search.count(NODES) and search.statistics().solutions <= FEW:
        return list(Search(model.program(options), options).rows())
    diagram = model.diagram()
    if diagram is not None:
        return diagram if diagram.count else rows
    if search.count(100 * NODES) and search.statistics().solutions <= 100 * FEW:
        return list(Search(model.program(options), options).rows())
    raise Unsuitable(
        f"model {model.name!r} has too many solutions to draw from uniformly: sample(rng, uniform=False) draws by random descent"
    )


def descend(model: Model, source: random.Random) -> Solution | None:
    """A solution by random decisions; the probabilities differ from solution to solution."""
    return model.solve(values="random", seed=source.getrandbits(63))
