"""The search kernel: backtracking over an explicit stack, one loop, interruptible and resumable.

Each turn of the loop is one phase: propagate, select a variable, take its next value, fail. All state lies in ``memory``, so the
kernel returns to Python when a buffer of solutions is full, when its slice of nodes is used up, or when a Python predicate wants an
answer, and goes on from there at the next call. Variables by minimum remaining values with the degree as tie-break, or by failures
per value left (dom/wdeg, Boussemart and others 2004); values in ascending order, least constraining first, or at random; after
a failure one level back, or to the last decision that is to blame (conflict-directed backjumping, Prosser 1993), or, from time to
time, to the root (restarts).
"""

from __future__ import annotations

from typing import Any

from outplay.csp.domains import bit, blame, code_at, domain_size, enqueue, first_index, is_fixed, save, shrink, undo
from outplay.csp.layout import (
    ANSWERED,
    ARC,
    ASKING,
    BUFFER_FULL,
    DONE,
    FAIL,
    FINISHED,
    INPUT,
    LEAST_CONSTRAINING,
    LIMIT_REACHED,
    NEXT_VALUE,
    PREDICATE,
    PROBE,
    PROPAGATE,
    RANDOM,
    SELECT,
    SMALLEST_DEGREE,
    STEPPED,
    TRAIL_FULL,
    WEIGHTED,
    Space,
    constraint_of,
    frame_of,
    model_at,
    state_at,
    term_of,
    variable_of,
)
from outplay.csp.propagation import (
    CONSISTENT,
    PAUSED,
    add_task,
    ask_python,
    clear_queues,
    gather_reason,
    look_forward,
    next_task,
    propagate,
)
from outplay.jit import below, i64, inlined, kernel, lowest, pointer


@inlined
def select_variable(space: Any) -> Any:
    """The open variable to decide next, the user's own before the helpers; -1 when every one has its value."""
    model, program, state, memory = space.model, space.program, space.state, space.memory
    order = state.order
    arc = state.propagation == ARC
    best = i64(-1)
    best_size = i64(0)
    best_tie = i64(0)
    decisions = model.decisions
    for variable in range(model.variables):
        if variable == decisions and best >= 0:
            break
        mine = variable_of(space, variable)
        if arc:
            if is_fixed(space, mine):
                continue
        elif memory[model.chosen + variable] >= 0:
            continue
        if order == INPUT:
            return i64(variable)
        size = domain_size(space, mine)
        tie = i64(0)
        if order == SMALLEST_DEGREE:
            tie = program[model.degrees + variable]
        elif order == WEIGHTED:
            tie = memory[model.weights + variable]
        better: Any = size < best_size or (size == best_size and tie > best_tie)
        if order == WEIGHTED:
            better = size * best_tie < best_size * tie
        if best < 0 or better:
            best = i64(variable)
            best_size = size
            best_tie = tie
    return best


@inlined
def next_value(space: Any, frame: Any, source: Any) -> Any:
    """Take the next untried value out of a frame; -1 when all are tried."""
    model, state, memory = space.model, space.state, space.memory
    words = model.widest
    picked: Any = i64(-1)
    if state.value_order == LEAST_CONSTRAINING:
        scores = frame.scores
        best = i64(-2)
        for word in range(words):
            rest = memory[frame.remaining + word]
            while rest != 0:
                index = 64 * word + lowest(rest)
                rest &= rest - 1
                if memory[scores + index] > best:
                    best = memory[scores + index]
                    picked = index
    else:
        skip = i64(0)
        if state.value_order == RANDOM:
            total = i64(0)
            for word in range(words):
                rest = memory[frame.remaining + word]
                while rest != 0:
                    rest &= rest - 1
                    total += 1
            if total > 0:
                skip = below(source, total)
        for word in range(words):
            rest = memory[frame.remaining + word]
            while rest != 0 and picked < 0:
                if skip == 0:
                    picked = 64 * word + lowest(rest)
                skip -= 1
                rest &= rest - 1
            if picked >= 0:
                break
    if picked >= 0:
        memory[frame.remaining + (picked >> 6)] &= ~bit(picked)
    return picked


@inlined
def assign(space: Any, variable: Any, index: Any, level: Any) -> None:
    """Leave a variable this one value, on a fresh stamp; the decision alone is to blame for it."""
    model, state, memory = space.model, space.state, space.memory
    state.stamp += 1
    memory[model.chosen + variable] = index
    mine = variable_of(space, variable)
    for word in range(mine.words):
        address = mine.address + word
        kept = i64(0)
        if word == index >> 6:
            kept = bit(index)
        if memory[address] != kept:
            save(space, address)
            memory[address] = kept
    enqueue(space, variable)
    levels = model.level_words
    for word in range(levels):
        culprits = model.culprits + variable * levels + word
        save(space, culprits)
        memory[culprits] = 0
        if word == level >> 6:
            memory[culprits] = bit(level)


@inlined
def note_conflict(space: Any, constraint: Any, level: Any) -> None:
    """After a failure: weigh the variables of the constraint, and add the decisions behind it to the level's conflict set."""
    model, memory = space.model, space.memory
    record = constraint_of(space, constraint)
    for position in range(record.arity):
        memory[model.weights + term_of(space, record, position).variable] += 1
    levels = model.level_words
    if levels > 0 and level > 0:
        gather_reason(space, record)
        conflicts = frame_of(space, level).conflicts
        for word in range(levels):
            memory[conflicts + word] |= memory[model.reason + word]
        memory[conflicts + (level >> 6)] &= ~bit(level)


@inlined
def retreat(space: Any, level: Any) -> Any:
    """The level to go back to from one whose values are all tried: the one before, or the last one to blame."""
    model, memory = space.model, space.memory
    levels = model.level_words
    if levels == 0:
        return level - 1
    conflicts = frame_of(space, level).conflicts
    target = level - 1
    while target > 0 and memory[conflicts + (target >> 6)] & bit(target) == 0:
        target -= 1
    if target > 0:
        inherited = frame_of(space, target).conflicts
        for word in range(levels):
            memory[inherited + word] |= memory[conflicts + word]
        memory[inherited + (target >> 6)] &= ~bit(target)
    return target


@inlined
def improves(space: Any) -> Any:
    """Whether a solution beats the bound of the objective; then the bound falls below it."""
    state = space.state
    record = constraint_of(space, state.objective)
    total = i64(0)
    for position in range(record.arity):
        mine = variable_of(space, term_of(space, record, position).variable)
        index = first_index(space, mine)
        total += term_of(space, record, position).coefficient * code_at(space, mine, index)
    if total > state.bound:
        return False
    state.bound = total - 1
    return True


@inlined
def take_answer(space: Any) -> Any:
    """Leave the asked variable the values that a predicate allows; CONSISTENT, or the predicate when none is left."""
    model, state, memory = space.model, space.state, space.memory
    constraint = state.cause
    variable = state.asked
    answer = model.answer
    alive = memory[answer] != 0
    if variable >= 0:
        record = constraint_of(space, constraint)
        gather_reason(space, record)
        alive = True
        mine = variable_of(space, variable)
        for word in range(mine.words):
            address = mine.address + word
            kept = memory[address] & memory[answer + word]
            if kept != memory[address]:
                alive = shrink(space, variable, address, kept)
        blame(space, record)
    if alive:
        return i64(CONSISTENT)
    return constraint


@inlined
def next_question(space: Any) -> Any:
    """Without propagation: the next predicate to be asked, as -2 minus its number, or CONSISTENT."""
    while True:
        question = next_task(space)
        if question < 0:
            return i64(CONSISTENT)
        record = constraint_of(space, question)
        if record.kind == PREDICATE and ask_python(space, record, True):
            return -2 - question


@kernel
def search(program: Any, words: Any, trail: Any, solutions: Any, source: Any) -> Any:
    """Run a search until it is done or wants something of Python; returns which (DONE, BUFFER_FULL, ...)."""
    memory = pointer(words)
    model, state = model_at(pointer(program), 0), state_at(memory, 0)
    space = Space(model, pointer(program), state, memory, pointer(trail))
    decisions = model.decisions
    while True:
        phase = state.phase
        level = state.level
        if phase == PROPAGATE or phase == PROBE or phase == ANSWERED:  # noqa: SIM109  (a tuple costs compile time)
            # Step 1: what follows from the last decision, or from a predicate's answer.
            outcome = i64(CONSISTENT)
            if phase == ANSWERED:
                outcome = take_answer(space)
            if outcome == CONSISTENT and state.propagation == ARC:
                if state.objective >= 0:
                    add_task(space, state.objective, False)
                outcome = propagate(space)
            elif outcome == CONSISTENT and level > 0:
                outcome = look_forward(space, frame_of(space, level).variable)
                if outcome == CONSISTENT:
                    outcome = next_question(space)
            if outcome == PAUSED:  # go on from here after a look at the clock
                if phase == ANSWERED:
                    state.phase = PROPAGATE
                return LIMIT_REACHED
            if outcome >= 0 or phase == PROBE:
                clear_queues(space)
            if phase == PROBE:  # how many values would it leave? The next phase undoes it.
                score = i64(-1)
                if outcome < 0:
                    score = i64(0)
                    for variable in range(model.variables):
                        score += domain_size(space, variable_of(space, variable))
                scores = frame_of(space, level).scores
                memory[scores + state.probed] = score
                state.probed += 1
                state.phase = NEXT_VALUE
                continue
            if outcome <= -2:
                state.cause = -2 - outcome
                state.phase = ANSWERED
                return ASKING
            state.cause = outcome
            state.phase = SELECT
            if outcome >= 0:
                state.phase = FAIL
            if state.stepping != 0:
                return STEPPED
        elif phase == SELECT:
            # Step 2: the next variable, or a solution.
            variable = select_variable(space)
            state.work += model.trailed
            if variable < 0:
                wanted = True
                if state.objective >= 0:
                    wanted = improves(space)
                state.phase = FINISHED
                if level > 0:
                    frame = frame_of(space, level)
                    state.phase = NEXT_VALUE
                    for word in range(model.level_words):  # behind a solution every decision stands: one level back
                        full = i64(-1)
                        if word == level >> 6:
                            full = ~(i64(-1) << i64(level & 63))
                        elif word > level >> 6:
                            full = i64(0)
                        memory[frame.conflicts + word] |= full
                if wanted:
                    state.found += 1
                    if state.rows > 0:
                        row = state.filled * decisions
                        for variable in range(decisions):
                            solutions[row + variable] = first_index(space, variable_of(space, variable))
                        state.filled += 1
                    if state.filled == state.rows and state.rows > 0:
                        return BUFFER_FULL
                continue
            level += 1
            state.level = level
            frame = frame_of(space, level)
            frame.variable = variable
            frame.mark = state.trail_top
            frame.value = -1
            mine = variable_of(space, variable)
            for word in range(model.widest):
                bits = i64(0)
                if word < mine.words:
                    bits = memory[mine.address + word]
                memory[frame.remaining + word] = bits
            levels = model.level_words
            for word in range(levels):
                culprits = memory[model.culprits + variable * levels + word]
                memory[frame.conflicts + word] = culprits
            state.probed = 0
            state.phase = NEXT_VALUE
        elif phase == NEXT_VALUE:
            # Step 3: undo the value before, take the next one; none left: go back.
            frame = frame_of(space, level)
            undo(space, frame.mark)
            variable = frame.variable
            memory[model.chosen + variable] = -1
            if state.nodes >= state.node_limit or state.work >= state.work_limit:
                return LIMIT_REACHED
            if state.trail_top + 2 * model.trailed > trail.shape[0]:
                return TRAIL_FULL
            index = i64(-1)
            if state.value_order == LEAST_CONSTRAINING and frame.value < 0:
                mine = variable_of(space, variable)
                probed = state.probed
                count = 64 * mine.words
                address = mine.address
                while probed < count and memory[address + (probed >> 6)] & bit(probed) == 0:
                    probed += 1
                state.probed = probed
                if probed < count:
                    index = probed
                    state.phase = PROBE
            if index < 0:
                state.work += model.widest
                index = next_value(space, frame, source)
                frame.value = index
                state.nodes += index >= 0
                state.phase = PROPAGATE
            if index >= 0:
                assign(space, variable, index, level)
            else:
                target = retreat(space, level)
                while level > target:
                    memory[model.chosen + frame_of(space, level).variable] = -1
                    level -= 1
                state.level = target
                state.phase = NEXT_VALUE
                if target == 0:
                    state.phase = FINISHED
        elif phase == FAIL:
            # Step 4: learn from the failure; back to this level's next value, or to the root.
            state.failures += 1
            note_conflict(space, state.cause, level)
            state.phase = NEXT_VALUE
            if level == 0:
                state.phase = FINISHED
            elif state.restart_at > 0:
                state.since_restart += 1
                if state.since_restart >= state.restart_at:
                    state.since_restart = 0
                    state.restart_at += state.restart_at >> 1  # half as long again: complete in the end
                    while level > 0:
                        memory[model.chosen + frame_of(space, level).variable] = -1
                        level -= 1
                    undo(space, frame_of(space, i64(1)).mark)
                    state.level = 0
                    state.phase = SELECT
        else:
            return DONE
