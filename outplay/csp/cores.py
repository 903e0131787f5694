"""Why a model has no solution: a small set of constraints that clash.

By deletion (Chinneck and Dravnieks 1991): leave out a block of constraints; if the rest still has no solution, it was not needed.
Blocks halve down to single constraints, so what is left at the end is minimal: without any one of them there would be a solution.
A search that takes too long counts as "needed", so the core always clashes, but may then be larger than it has to be.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from outplay.csp import layout as at
from outplay.csp.solver import Options, Search
from outplay.errors import BadValue

if TYPE_CHECKING:
    from outplay.csp.model import Constraint, Model

NODES = 50_000  # a search longer than this is given up


def core(model: Model, seconds: float | None = None) -> list[Constraint]:
    """Constraints that cannot all hold together, none of which can be left out (as far as time allows)."""
    options = Options()
    program = model.program(options)
    place = {id(one): number for number, one in enumerate(model.lowering.lowered)}
    groups = [[place[id(one)] for one in constraint.lowered] for constraint in model.constraints]
    always = np.ones(len(model.lowering.lowered), np.int64)  # definitions of helpers stay
    for group in groups:
        always[group] = 0
    end = None if seconds is None else time.perf_counter() + seconds

    def clashes(kept: list[int], nodes: int | None = NODES) -> bool | None:
        """Whether these have no solution; None when there was no time to know."""
        active = always.copy()
        for number in kept:
            active[groups[number]] = 1
        limited = options if end is None else Options(seconds=max(0.01, end - time.perf_counter()))
        search = Search(program, limited, active=active)
        search.state["rows"] = 1
        done = search.run(np.empty(max(1, program.decisions), np.int64), nodes) == at.DONE
        return False if search.state["found"] else True if done else None

    needed = list(range(len(groups)))
    if clashes(needed, None) is False:
        raise BadValue(f"model {model.name!r} has a solution: only one without any has a core")
    block = max(1, len(needed) // 2)
    while True:
        start = 0
        while start < len(needed):
            rest = needed[:start] + needed[start + block :]
            if (end is None or time.perf_counter() < end) and clashes(rest):
                needed = rest
            else:
                start += block
        if block == 1:
            return [model.constraints[number] for number in needed]
        block //= 2
