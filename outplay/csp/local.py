"""Local search by min-conflicts (Minton and others 1992): start with any complete assignment and repair it.

Pick a variable in conflict at random, give it the value with the fewest conflicts, repeat. It proves nothing, but it places a
thousand queens in a moment. A walk that makes no progress starts anew.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from outplay.csp import layout as at
from outplay.csp.domains import code_at
from outplay.csp.layout import ALL_DIFFERENT, Space, constraint_of, link_of, model_at, state_at, term_of, variable_of
from outplay.csp.program import OutOfTime
from outplay.csp.propagation import is_satisfied
from outplay.csp.solver import Options, Statistics
from outplay.errors import BadValue, Unsuitable
from outplay.jit import below, i64, inlined, kernel, pointer, random_source

if TYPE_CHECKING:
    from outplay.csp.model import Model, Solution

FIRST_WALK = 20  # steps before the first look at the clock
SLICE_SECONDS = 0.05


@inlined
def conflicts(space: Any, variable: Any) -> Any:
    """How many constraints of a variable are violated; an all-different counts each clash with another variable."""
    model, memory = space.model, space.memory
    mine = variable_of(space, variable)
    chosen = model.chosen
    code = code_at(space, mine, memory[chosen + variable])
    found = i64(0)
    for link in range(mine.link_count):
        constraint = link_of(space, mine, link).constraint
        record = constraint_of(space, constraint)
        if record.kind == ALL_DIFFERENT:
            place = link_of(space, mine, link).position
            wanted = code + term_of(space, record, place).coefficient
            for i in range(record.arity):
                other = term_of(space, record, i).variable
                offset = term_of(space, record, i).coefficient
                if i != place and wanted == offset + code_at(space, variable_of(space, other), memory[chosen + other]):
                    found += 1
        elif not is_satisfied(space, constraint):
            found += 1
    return found


@kernel
def repair(program: Any, words: Any, source: Any, steps: Any, anew: Any) -> Any:
    """Min-conflicts for so many steps, from a random start or from where it was; the steps left on success, else -1."""
    memory = pointer(words)
    model = model_at(pointer(program), 0)
    space = Space(model, pointer(program), state_at(memory, 0), memory, memory)  # nothing is undone: there is no trail
    count = model.variables
    chosen = model.chosen
    for variable in range(count if anew else 0):
        memory[chosen + variable] = below(source, variable_of(space, variable).count)
    while steps >= 0:
        # Step 1: a variable in conflict, from a random place on.
        start = below(source, count)
        picked = i64(-1)
        for k in range(count):
            variable = (start + k) % count
            if conflicts(space, variable) > 0:
                picked = variable
                break
        if picked < 0:
            return steps
        # Step 2: its value with the fewest conflicts, ties at random; now and then any value, to leave dead ends.
        values = variable_of(space, picked).count
        best = i64(-1)
        ties = i64(0)
        best_index = i64(0)
        for index in range(values):
            memory[chosen + picked] = index
            found = conflicts(space, picked)
            if best < 0 or found < best:
                best = found
                best_index = i64(index)
                ties = i64(1)
            elif found == best:
                ties += 1
                if below(source, ties) == 0:
                    best_index = i64(index)
        if below(source, i64(50)) == 0:
            best_index = below(source, values)
        memory[chosen + picked] = best_index
        steps -= 1
    return i64(-1)


def min_conflicts(model: Model, *, seed: int = 0, steps: int = 200_000, seconds: float | None = None) -> Solution | None:
    """A solution by local search, or None when none was found in so many steps (which proves nothing)."""
    if steps < 1:
        raise BadValue(f"steps must be at least 1, not {steps}")
    if any(lowered.kind == at.PREDICATE for lowered in model.lowering.lowered):
        raise Unsuitable("min-conflicts cannot ask Python functions with that many combinations: use the solver 'own'")
    options = Options(seconds=seconds)
    try:
        program = model.program(options)
    except OutOfTime:
        model.statistics = Statistics(seconds=seconds or 0.0)
        return None
    source = random_source(seed)
    memory = program.template.copy()
    started = time.perf_counter()
    used = 0
    longest = 50 * len(program.variables) + 1000  # then the walk starts anew
    walked, step_seconds = longest, 0.0
    while used < steps and not program.impossible:
        anew = walked >= longest
        walked = 0 if anew else walked
        walk = min(steps - used, longest - walked, FIRST_WALK if step_seconds <= 0 else max(1, int(SLICE_SECONDS / step_seconds)))
        begun = time.perf_counter()
        left = int(repair(program.data, memory, source, walk, anew))
        used += walk - max(left, 0)
        walked += walk
        step_seconds = (time.perf_counter() - begun) / walk
        spent = time.perf_counter() - started
        if left >= 0:
            start = program.model.chosen
            model.statistics = Statistics(nodes=used, solutions=1, seconds=spent, finished=True)
            return model.read(memory[start : start + program.decisions].tolist())
        if options.deadline is not None and time.perf_counter() > options.deadline:
            break
    model.statistics = Statistics(nodes=used, seconds=time.perf_counter() - started)
    return None
