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

from outplay.csp.domains import bit, blame, code_at, domain_size, enqueue, first_index, is_fixed, record_of, save, shrink, undo
from outplay.csp.layout import (
    ADDRESS,
    ANSWER,
    ANSWERED,
    ARC,
    ARITY,
    ASKED,
    ASKING,
    BOUND,
    BUFFER_FULL,
    CAUSE,
    CHOSEN,
    CONSTRAINT_TABLE,
    CULPRITS,
    DECISIONS,
    DEGREES,
    DONE,
    FAIL,
    FAILURES,
    FILLED,
    FINISHED,
    FOUND,
    FRAME_MARK,
    FRAME_REMAINING,
    FRAME_SIZE,
    FRAME_VALUE,
    FRAME_VARIABLE,
    FRAMES,
    INPUT,
    KIND,
    LEAST_CONSTRAINING,
    LEVEL,
    LEVEL_WORDS,
    LIMIT_REACHED,
    NEXT_VALUE,
    NODE_LIMIT,
    NODES,
    OBJECTIVE,
    ORDER,
    PHASE,
    PREDICATE,
    PROBE,
    PROBED,
    PROPAGATE,
    PROPAGATION,
    RANDOM,
    REASON,
    RESTART_AT,
    ROWS,
    SCOPE,
    SELECT,
    SINCE_RESTART,
    SMALLEST_DEGREE,
    STAMP,
    STEPPED,
    STEPPING,
    TRAIL_FULL,
    TRAIL_TOP,
    TRAILED,
    VALUE_ORDER,
    VARIABLES,
    WEIGHTED,
    WEIGHTS,
    WIDEST,
    WORDS,
    WORK,
    WORK_LIMIT,
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
def frame_at(program: Any, level: Any) -> Any:
    """Where the frame of a level starts; level 1 is the first decision."""
    return program[FRAMES] + (level - 1) * program[FRAME_SIZE]


@inlined
def select_variable(program: Any, memory: Any) -> Any:
    """The open variable to decide next, the user's own before the helpers; -1 when every one has its value."""
    order = memory[ORDER]
    arc = memory[PROPAGATION] == ARC
    best = i64(-1)
    best_size = i64(0)
    best_tie = i64(0)
    decisions = program[DECISIONS]
    for variable in range(program[VARIABLES]):
        if variable == decisions and best >= 0:
            break
        mine = record_of(program, variable)
        if arc:
            if is_fixed(program, memory, mine):
                continue
        elif memory[program[CHOSEN] + variable] >= 0:
            continue
        if order == INPUT:
            return i64(variable)
        size = domain_size(program, memory, mine)
        tie = i64(0)
        if order == SMALLEST_DEGREE:
            tie = program[program[DEGREES] + variable]
        elif order == WEIGHTED:
            tie = memory[program[WEIGHTS] + variable]
        better: Any = size < best_size or (size == best_size and tie > best_tie)
        if order == WEIGHTED:
            better = size * best_tie < best_size * tie
        if best < 0 or better:
            best = i64(variable)
            best_size = size
            best_tie = tie
    return best


@inlined
def next_value(program: Any, memory: Any, frame: Any, source: Any) -> Any:
    """Take the next untried value out of a frame; -1 when all are tried."""
    words = program[WIDEST]
    picked: Any = i64(-1)
    if memory[VALUE_ORDER] == LEAST_CONSTRAINING:
        scores = frame + FRAME_REMAINING + words + program[LEVEL_WORDS]
        best = i64(-2)
        for word in range(words):
            rest = memory[frame + FRAME_REMAINING + word]
            while rest != 0:
                index = 64 * word + lowest(rest)
                rest &= rest - 1
                if memory[scores + index] > best:
                    best = memory[scores + index]
                    picked = index
    else:
        skip = i64(0)
        if memory[VALUE_ORDER] == RANDOM:
            total = i64(0)
            for word in range(words):
                rest = memory[frame + FRAME_REMAINING + word]
                while rest != 0:
                    rest &= rest - 1
                    total += 1
            if total > 0:
                skip = below(source, total)
        for word in range(words):
            rest = memory[frame + FRAME_REMAINING + word]
            while rest != 0 and picked < 0:
                if skip == 0:
                    picked = 64 * word + lowest(rest)
                skip -= 1
                rest &= rest - 1
            if picked >= 0:
                break
    if picked >= 0:
        memory[frame + FRAME_REMAINING + (picked >> 6)] &= ~bit(picked)
    return picked


@inlined
def assign(program: Any, memory: Any, trail: Any, variable: Any, index: Any, level: Any) -> None:
    """Leave a variable this one value, on a fresh stamp; the decision alone is to blame for it."""
    memory[STAMP] += 1
    memory[program[CHOSEN] + variable] = index
    mine = record_of(program, variable)
    for word in range(program[mine + WORDS]):
        address = program[mine + ADDRESS] + word
        kept = i64(0)
        if word == index >> 6:
            kept = bit(index)
        if memory[address] != kept:
            save(program, memory, trail, address)
            memory[address] = kept
    enqueue(program, memory, variable)
    levels = program[LEVEL_WORDS]
    for word in range(levels):
        culprits = program[CULPRITS] + variable * levels + word
        save(program, memory, trail, culprits)
        memory[culprits] = 0
        if word == level >> 6:
            memory[culprits] = bit(level)


@inlined
def note_conflict(program: Any, memory: Any, constraint: Any, level: Any) -> None:
    """After a failure: weigh the variables of the constraint, and add the decisions behind it to the level's conflict set."""
    record = program[program[CONSTRAINT_TABLE] + constraint]
    for position in range(program[record + ARITY]):
        memory[program[WEIGHTS] + program[record + SCOPE + 2 * position]] += 1
    levels = program[LEVEL_WORDS]
    if levels > 0 and level > 0:
        gather_reason(program, memory, record)
        conflicts = frame_at(program, level) + FRAME_REMAINING + program[WIDEST]
        for word in range(levels):
            memory[conflicts + word] |= memory[program[REASON] + word]
        memory[conflicts + (level >> 6)] &= ~bit(level)


@inlined
def retreat(program: Any, memory: Any, level: Any) -> Any:
    """The level to go back to from one whose values are all tried: the one before, or the last one to blame."""
    levels = program[LEVEL_WORDS]
    if levels == 0:
        return level - 1
    conflicts = frame_at(program, level) + FRAME_REMAINING + program[WIDEST]
    target = level - 1
    while target > 0 and memory[conflicts + (target >> 6)] & bit(target) == 0:
        target -= 1
    if target > 0:
        inherited = frame_at(program, target) + FRAME_REMAINING + program[WIDEST]
        for word in range(levels):
            memory[inherited + word] |= memory[conflicts + word]
        memory[inherited + (target >> 6)] &= ~bit(target)
    return target


@inlined
def improves(program: Any, memory: Any) -> Any:
    """Whether a solution beats the bound of the objective; then the bound falls below it."""
    record = program[program[CONSTRAINT_TABLE] + memory[OBJECTIVE]]
    total = i64(0)
    for position in range(program[record + ARITY]):
        mine = record_of(program, program[record + SCOPE + 2 * position])
        index = first_index(program, memory, mine)
        total += program[record + SCOPE + 2 * position + 1] * code_at(program, mine, index)
    if total > memory[BOUND]:
        return False
    memory[BOUND] = total - 1
    return True


@inlined
def take_answer(program: Any, memory: Any, trail: Any) -> Any:
    """Leave the asked variable the values that a predicate allows; CONSISTENT, or the predicate when none is left."""
    constraint = memory[CAUSE]
    variable = memory[ASKED]
    answer = program[ANSWER]
    alive = memory[answer] != 0
    if variable >= 0:
        record = program[program[CONSTRAINT_TABLE] + constraint]
        gather_reason(program, memory, record)
        alive = True
        mine = record_of(program, variable)
        for word in range(program[mine + WORDS]):
            address = program[mine + ADDRESS] + word
            kept = memory[address] & memory[answer + word]
            if kept != memory[address]:
                alive = shrink(program, memory, trail, variable, address, kept)
        blame(program, memory, trail, record)
    if alive:
        return i64(CONSISTENT)
    return constraint


@inlined
def next_question(program: Any, memory: Any, trail: Any) -> Any:
    """Without propagation: the next predicate to be asked, as -2 minus its number, or CONSISTENT."""
    while True:
        question = next_task(program, memory)
        if question < 0:
            return i64(CONSISTENT)
        record = program[program[CONSTRAINT_TABLE] + question]
        if program[record + KIND] == PREDICATE and ask_python(program, memory, trail, record, True):
            return -2 - question


@kernel
def search(model: Any, state: Any, saved: Any, solutions: Any, source: Any) -> Any:
    """Run a search until it is done or wants something of Python; returns which (DONE, BUFFER_FULL, ...)."""
    program = pointer(model)
    memory = pointer(state)
    trail = pointer(saved)
    decisions = program[DECISIONS]
    while True:
        phase = memory[PHASE]
        level = memory[LEVEL]
        if phase == PROPAGATE or phase == PROBE or phase == ANSWERED:  # noqa: SIM109  (a tuple costs compile time)
            # Step 1: what follows from the last decision, or from a predicate's answer.
            outcome = i64(CONSISTENT)
            if phase == ANSWERED:
                outcome = take_answer(program, memory, trail)
            if outcome == CONSISTENT and memory[PROPAGATION] == ARC:
                if memory[OBJECTIVE] >= 0:
                    add_task(program, memory, memory[OBJECTIVE], False)
                outcome = propagate(program, memory, trail)
            elif outcome == CONSISTENT and level > 0:
                outcome = look_forward(program, memory, trail, memory[frame_at(program, level) + FRAME_VARIABLE])
                if outcome == CONSISTENT:
                    outcome = next_question(program, memory, trail)
            if outcome == PAUSED:  # go on from here after a look at the clock
                if phase == ANSWERED:
                    memory[PHASE] = PROPAGATE
                return LIMIT_REACHED
            if outcome >= 0 or phase == PROBE:
                clear_queues(program, memory)
            if phase == PROBE:  # how many values would it leave? The next phase undoes it.
                score = i64(-1)
                if outcome < 0:
                    score = i64(0)
                    for variable in range(program[VARIABLES]):
                        score += domain_size(program, memory, record_of(program, variable))
                scores = frame_at(program, level) + FRAME_REMAINING + program[WIDEST] + program[LEVEL_WORDS]
                memory[scores + memory[PROBED]] = score
                memory[PROBED] += 1
                memory[PHASE] = NEXT_VALUE
                continue
            if outcome <= -2:
                memory[CAUSE] = -2 - outcome
                memory[PHASE] = ANSWERED
                return ASKING
            memory[CAUSE] = outcome
            memory[PHASE] = SELECT
            if outcome >= 0:
                memory[PHASE] = FAIL
            if memory[STEPPING] != 0:
                return STEPPED
        elif phase == SELECT:
            # Step 2: the next variable, or a solution.
            variable = select_variable(program, memory)
            memory[WORK] += program[TRAILED]
            if variable < 0:
                wanted = True
                if memory[OBJECTIVE] >= 0:
                    wanted = improves(program, memory)
                memory[PHASE] = FINISHED
                if level > 0:
                    frame = frame_at(program, level)
                    memory[PHASE] = NEXT_VALUE
                    for word in range(program[LEVEL_WORDS]):  # behind a solution every decision stands: one level back
                        full = i64(-1)
                        if word == level >> 6:
                            full = ~(i64(-1) << i64(level & 63))
                        elif word > level >> 6:
                            full = i64(0)
                        memory[frame + FRAME_REMAINING + program[WIDEST] + word] |= full
                if wanted:
                    memory[FOUND] += 1
                    if memory[ROWS] > 0:
                        row = memory[FILLED] * decisions
                        for variable in range(decisions):
                            solutions[row + variable] = first_index(program, memory, record_of(program, variable))
                        memory[FILLED] += 1
                    if memory[FILLED] == memory[ROWS] and memory[ROWS] > 0:
                        return BUFFER_FULL
                continue
            level += 1
            memory[LEVEL] = level
            frame = frame_at(program, level)
            memory[frame + FRAME_VARIABLE] = variable
            memory[frame + FRAME_MARK] = memory[TRAIL_TOP]
            memory[frame + FRAME_VALUE] = -1
            mine = record_of(program, variable)
            for word in range(program[WIDEST]):
                bits = i64(0)
                if word < program[mine + WORDS]:
                    bits = memory[program[mine + ADDRESS] + word]
                memory[frame + FRAME_REMAINING + word] = bits
            levels = program[LEVEL_WORDS]
            for word in range(levels):
                culprits = memory[program[CULPRITS] + variable * levels + word]
                memory[frame + FRAME_REMAINING + program[WIDEST] + word] = culprits
            memory[PROBED] = 0
            memory[PHASE] = NEXT_VALUE
        elif phase == NEXT_VALUE:
            # Step 3: undo the value before, take the next one; none left: go back.
            frame = frame_at(program, level)
            undo(memory, trail, memory[frame + FRAME_MARK])
            variable = memory[frame + FRAME_VARIABLE]
            memory[program[CHOSEN] + variable] = -1
            if memory[NODES] >= memory[NODE_LIMIT] or memory[WORK] >= memory[WORK_LIMIT]:
                return LIMIT_REACHED
            if memory[TRAIL_TOP] + 2 * program[TRAILED] > saved.shape[0]:
                return TRAIL_FULL
            index = i64(-1)
            if memory[VALUE_ORDER] == LEAST_CONSTRAINING and memory[frame + FRAME_VALUE] < 0:
                mine = record_of(program, variable)
                probed = memory[PROBED]
                count = 64 * program[mine + WORDS]
                address = program[mine + ADDRESS]
                while probed < count and memory[address + (probed >> 6)] & bit(probed) == 0:
                    probed += 1
                memory[PROBED] = probed
                if probed < count:
                    index = probed
                    memory[PHASE] = PROBE
            if index < 0:
                memory[WORK] += program[WIDEST]
                index = next_value(program, memory, frame, source)
                memory[frame + FRAME_VALUE] = index
                memory[NODES] += index >= 0
                memory[PHASE] = PROPAGATE
            if index >= 0:
                assign(program, memory, trail, variable, index, level)
            else:
                target = retreat(program, memory, level)
                while level > target:
                    memory[program[CHOSEN] + memory[frame_at(program, level) + FRAME_VARIABLE]] = -1
                    level -= 1
                memory[LEVEL] = target
                memory[PHASE] = NEXT_VALUE
                if target == 0:
                    memory[PHASE] = FINISHED
        elif phase == FAIL:
            # Step 4: learn from the failure; back to this level's next value, or to the root.
            memory[FAILURES] += 1
            note_conflict(program, memory, memory[CAUSE], level)
            memory[PHASE] = NEXT_VALUE
            if level == 0:
                memory[PHASE] = FINISHED
            elif memory[RESTART_AT] > 0:
                memory[SINCE_RESTART] += 1
                if memory[SINCE_RESTART] >= memory[RESTART_AT]:
                    memory[SINCE_RESTART] = 0
                    memory[RESTART_AT] += memory[RESTART_AT] >> 1  # half as long again: complete in the end
                    while level > 0:
                        memory[program[CHOSEN] + memory[frame_at(program, level) + FRAME_VARIABLE]] = -1
                        level -= 1
                    undo(memory, trail, memory[frame_at(program, i64(1)) + FRAME_MARK])
                    memory[LEVEL] = 0
                    memory[PHASE] = SELECT
        else:
            return DONE
