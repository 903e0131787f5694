"""A search step by step: each decision, what propagation made of it, and where it failed.

>>> from outplay.csp.puzzles import australia
>>> for step in trace(australia(), limit=3):
...     print(step.depth, step.variable, step.value, step.domains["NT"])
0 None None ['red', 'green', 'blue']
1 SA red ['green', 'blue']
2 NT green ['green']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from outplay.csp import layout as at
from outplay.csp.solver import Options, Search

if TYPE_CHECKING:
    from outplay.csp.model import Model


@dataclass(frozen=True)
class Step:
    """One node of the search: the decision that led to it, the domains after propagation, and what failed, if anything."""

    depth: int
    variable: str | None  # None at the root, where nothing is decided yet
    value: Any
    domains: dict[str, list[Any]]
    failed: str | None  # the constraint that cannot hold any more
    solved: bool


def trace(model: Model, *, limit: int = 10_000, all_solutions: bool = False, **options: Any) -> Iterator[Step]:
    """The nodes of a search in the order they are visited, up to the first solution or to the end, at most so many."""
    chosen = Options(**options)
    search = Search(model.program(chosen), chosen, stepping=True)
    state = search.state
    variables = model.lowering.variables
    names = {number: repr(constraint) for constraint in model.constraints for number in _numbers(model, constraint)}
    state["rows"] = 1
    buffer = np.empty(max(1, len(variables)), np.int64)
    pending: Step | None = None
    told = 0
    while told < limit:
        status = search.step(buffer)
        if status == at.BUFFER_FULL and pending is not None:
            pending = Step(pending.depth, pending.variable, pending.value, pending.domains, None, True)
            state["filled"] = 0
            if all_solutions:
                continue
        if pending is not None:
            yield pending
            told += 1
            pending = None
        if status != at.STEPPED:
            return
        depth = int(state["level"])
        variable = value = None
        if depth:
            frame = search.frame(depth)
            decided = search.program.variables[frame["variable"]]
            variable, value = decided.name, decided.domain.values[frame["value"]]
        domains = {one.name: [one.domain.values[i] for i in search.left(one.index)] for one in variables}
        failed = names.get(int(state["cause"]), "a helper of an expression") if state["phase"] == at.FAIL else None
        pending = Step(depth, variable, value, domains, failed, False)


def _numbers(model: Model, constraint: Any) -> list[int]:
    wanted = {id(one) for one in constraint.lowered}
    return [number for number, one in enumerate(model.lowering.lowered) if id(one) in wanted]
