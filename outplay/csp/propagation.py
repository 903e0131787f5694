"""Constraint propagation: what the present domains say about each other.

Three strengths, so that their effect shows. *Plain* only checks constraints whose variables are all assigned (backtracking).
*Forward* also takes from the last open variable of a constraint the values that no longer fit (forward checking, Haralick and
Elliott 1980). *Arc* repeats until nothing changes: AC-3 (Mackworth 1977) over bitsets (Lecoutre and Vion 2008) for pairs, supports
of tuples in the manner of AC-4 (Mohr and Henderson 1986; compact tables, Demeulenaere and others 2016), bounds for sums, and
matchings for all-different (see ``matching``).
"""

from __future__ import annotations

from typing import Any

from outplay.csp.domains import (
    bit,
    blame,
    code_at,
    first_index,
    index_of,
    is_fixed,
    keep_between,
    last_index,
    may_be,
    remove,
    save,
    shrink,
)
from outplay.csp.functions import apply, filter_function
from outplay.csp.layout import (
    ALL_DIFFERENT,
    AT_MOST,
    BINARY,
    DIFFERENT,
    EQUAL,
    FORWARD,
    FUNCTION,
    MEMBERS,
    PREDICATE,
    TABLE,
    UNEQUAL,
    constraint_of,
    link_of,
    term_of,
    variable_of,
)
from outplay.csp.matching import match_all_different
from outplay.jit import i64, inlined, lowest

CONSISTENT = -1  # otherwise: the constraint that failed, or -2 minus the one that asks Python, or:
PAUSED = -(1 << 62)  # the slice of work is used up; what is queued stays so


@inlined
def constant_of(space: Any, constraint: Any, record: Any) -> Any:
    """The right-hand side of a sum; the objective's falls with every solution."""
    state = space.state
    if constraint == state.objective:
        return state.bound
    return record.constant


@inlined
def next_place(place: Any, last: Any) -> Any:
    """One place on in a ring."""
    place += 1
    if place > last:
        place = i64(0)
    return place


@inlined
def add_task(space: Any, constraint: Any, late: Any) -> None:
    """Queue a constraint for propagation; the late queue is for matchings, which cost the most."""
    model, state, memory = space.model, space.state, space.memory
    count = model.constraints
    ring = model.tasks
    flag = ring + 2 * (count + 1) + constraint
    if memory[flag] == 0:
        memory[flag] = 1
        if late:
            ring += count + 1
            memory[ring + state.matching_tail] = constraint
            state.matching_tail = next_place(state.matching_tail, count)
        else:
            memory[ring + state.task_tail] = constraint
            state.task_tail = next_place(state.task_tail, count)


@inlined
def next_task(space: Any) -> Any:
    """The next constraint to propagate, -1 for none."""
    model, state, memory = space.model, space.state, space.memory
    count = model.constraints
    ring = model.tasks
    constraint = i64(-1)
    if state.task_head != state.task_tail:
        constraint = memory[ring + state.task_head]
        state.task_head = next_place(state.task_head, count)
    elif state.matching_head != state.matching_tail:
        constraint = memory[ring + count + 1 + state.matching_head]
        state.matching_head = next_place(state.matching_head, count)
    else:
        return constraint
    memory[model.tasks + 2 * (count + 1) + constraint] = 0
    return constraint


@inlined
def clear_queues(space: Any) -> None:
    """Forget all pending work, after a failure."""
    model, state, memory = space.model, space.state, space.memory
    flags = model.queue + model.variables
    for place in range(state.queued):
        memory[flags + memory[model.queue + place]] = 0
    state.queued = 0
    while next_task(space) >= 0:
        pass


@inlined
def copy_culprits(space: Any, variable: Any) -> None:
    """The decisions behind one variable's domain, as the reason for what follows."""
    model, memory = space.model, space.memory
    levels = model.level_words
    for word in range(levels):
        memory[model.reason + word] = memory[model.culprits + variable * levels + word]


@inlined
def gather_reason(space: Any, record: Any) -> None:
    """The decisions behind the domains of a whole scope, as the reason for what follows."""
    model, memory = space.model, space.memory
    levels = model.level_words
    for word in range(levels):
        merged = i64(0)
        for position in range(record.arity):
            merged |= memory[model.culprits + term_of(space, record, position).variable * levels + word]
        memory[model.reason + word] = merged


# ---------------------------------------------------------------- checking a full scope


@inlined
def is_satisfied(space: Any, constraint: Any) -> Any:
    """Whether a constraint holds for the chosen values of its scope (a Python predicate counts as held: it is asked apart)."""
    model, program, memory = space.model, space.program, space.memory
    record = constraint_of(space, constraint)
    kind = record.kind
    arity = record.arity
    chosen = model.chosen
    if kind == ALL_DIFFERENT:
        for i in range(arity):
            first = term_of(space, record, i).variable
            left = term_of(space, record, i).coefficient + code_at(space, variable_of(space, first), memory[chosen + first])
            for j in range(i):
                second = term_of(space, record, j).variable
                offset = term_of(space, record, j).coefficient
                if left == offset + code_at(space, variable_of(space, second), memory[chosen + second]):
                    return False
        return True
    if kind <= UNEQUAL:
        total = i64(0)
        for i in range(arity):
            variable = term_of(space, record, i).variable
            code = code_at(space, variable_of(space, variable), memory[chosen + variable])
            total += term_of(space, record, i).coefficient * code
        constant = constant_of(space, constraint, record)
        if kind == EQUAL:
            return total == constant
        if kind == AT_MOST:
            return total <= constant
        return total != constant  # of two variables or of many
    if kind == BINARY:
        first = memory[chosen + term_of(space, record, 0).variable]
        second = term_of(space, record, 1).variable
        words = variable_of(space, second).words
        index = memory[chosen + second]
        return program[record.supports + first * words + (index >> 6)] & bit(index) != 0
    if kind == TABLE:
        words = record.words
        for word in range(words):
            common = i64(-1)
            for i in range(arity):
                index = memory[chosen + term_of(space, record, i).variable]
                common &= program[term_of(space, record, i).coefficient + index * words + word]
            if common != 0:
                return True
        return False
    if kind == MEMBERS:
        index = memory[chosen + term_of(space, record, 0).variable]
        return program[record.supports + (index >> 6)] & bit(index) != 0
    if kind == FUNCTION:
        first = term_of(space, record, 0).variable
        second = term_of(space, record, 1).variable
        third = term_of(space, record, 2).variable
        x = code_at(space, variable_of(space, first), memory[chosen + first])
        y = code_at(space, variable_of(space, second), memory[chosen + second])
        return apply(record.constant, x, y) == code_at(space, variable_of(space, third), memory[chosen + third])
    return True


@inlined
def look_forward(space: Any, variable: Any) -> Any:
    """After one assignment: check its finished constraints and, looking forward, prune the last open variable of others."""
    model, state, memory = space.model, space.state, space.memory
    forward = state.propagation == FORWARD
    chosen = model.chosen
    mine = variable_of(space, variable)
    for link in range(mine.link_count):
        constraint = link_of(space, mine, link).constraint
        if memory[model.active + constraint] == 0:
            continue
        record = constraint_of(space, constraint)
        kind = record.kind
        arity = record.arity
        state.work += arity
        failed = False
        if kind <= ALL_DIFFERENT:
            # A clique of binary constraints: each of its pairs is looked at by itself.
            copy_culprits(space, variable)
            code = code_at(space, mine, memory[chosen + variable])
            position = link_of(space, mine, link).position
            for i in range(arity):
                if i == position:
                    continue
                other = term_of(space, record, i).variable
                wanted = twin_code(space, record, kind, position, i, code)
                index = index_of(space, variable_of(space, other), wanted)
                if memory[chosen + other] >= 0:
                    failed = memory[chosen + other] == index
                elif forward:
                    failed = not remove(space, other, index)
                if failed:
                    break
        else:
            unassigned = i64(0)
            last = variable
            for i in range(arity):
                if memory[chosen + term_of(space, record, i).variable] < 0:
                    unassigned += 1
                    last = term_of(space, record, i).variable
            if unassigned > 1 or (unassigned == 1 and not forward):
                continue
            if kind == PREDICATE:
                add_task(space, constraint, False)  # asked once all the others have had their say
                continue
            # The last open variable keeps what fits; with none open, the one just assigned stands in for it.
            gather_reason(space, record)
            before = memory[chosen + last]
            theirs = variable_of(space, last)
            state.work += 8 * theirs.words * arity
            for word in range(theirs.words):
                address = theirs.address + word
                rest = memory[address]
                kept = rest
                while rest != 0:
                    index = 64 * word + lowest(rest)
                    rest &= rest - 1
                    memory[chosen + last] = index
                    if not is_satisfied(space, constraint):
                        kept &= ~bit(index)
                if kept != memory[address]:
                    failed = not shrink(space, last, address, kept)
            memory[chosen + last] = before
        if model.level_words > 0:
            blame(space, record)
        if failed:
            return constraint
    return i64(CONSISTENT)


@inlined
def twin_code(space: Any, record: Any, kind: Any, position: Any, other: Any, code: Any) -> Any:
    """The code that a variable's value forbids to another one of a difference or an all-different."""
    if kind == DIFFERENT:
        if position == 0:
            return code - record.constant
        return code + record.constant
    return code + term_of(space, record, position).coefficient - term_of(space, record, other).coefficient


# ---------------------------------------------------------------- one constraint each


@inlined
def bound_sum(space: Any, constraint: Any, record: Any) -> Any:
    """Bounds consistency of a sum: each term lies within what the others' bounds leave; whether all can hold."""
    model, memory = space.model, space.memory
    exact = record.kind == EQUAL
    arity = record.arity
    constant = constant_of(space, constraint, record)
    scratch = model.scratch
    least = i64(0)
    most = i64(0)
    for i in range(arity):
        mine = variable_of(space, term_of(space, record, i).variable)
        coefficient = term_of(space, record, i).coefficient
        low = coefficient * code_at(space, mine, first_index(space, mine))
        high = coefficient * code_at(space, mine, last_index(space, mine))
        if coefficient < 0:
            low, high = high, low
        memory[scratch + 2 * i] = low
        memory[scratch + 2 * i + 1] = high
        least += low
        most += high
    if least > constant or (exact and most < constant):
        return False
    for i in range(arity):
        low = memory[scratch + 2 * i]
        high = memory[scratch + 2 * i + 1]
        ceiling = constant - least + low
        floor = low
        if exact:
            floor = constant - most + high
        if high > ceiling or low < floor:
            ceiling = min(ceiling, high)
            floor = max(floor, low)
            coefficient = term_of(space, record, i).coefficient
            if coefficient < 0:
                ceiling, floor, coefficient = -floor, -ceiling, -coefficient
            variable = term_of(space, record, i).variable
            if not keep_between(space, variable, -((-floor) // coefficient), ceiling // coefficient):
                return False
    return True


@inlined
def pair_sum(space: Any, record: Any) -> Any:
    """Value by value, an equation of two variables: a value stays only with its partner; whether both have one."""
    memory = space.memory
    for side in range(2):
        variable = term_of(space, record, side).variable
        other = variable_of(space, term_of(space, record, 1 - side).variable)
        factor = term_of(space, record, 1 - side).coefficient
        mine = variable_of(space, variable)
        for word in range(mine.words):
            address = mine.address + word
            rest = memory[address]
            kept = rest
            while rest != 0:
                place = 64 * word + lowest(rest)
                rest &= rest - 1
                code = code_at(space, mine, place)
                missing = record.constant - term_of(space, record, side).coefficient * code
                partner = missing
                if factor != 1:
                    partner = missing // factor
                if partner * factor != missing or not may_be(space, other, partner):
                    kept &= ~bit(place)
            if kept != memory[address] and not shrink(space, variable, address, kept):
                return False
    return True


@inlined
def avoid_sum(space: Any, record: Any) -> Any:
    """A sum that must differ from its constant: it speaks when one variable is open; whether it can hold."""
    total = i64(0)
    open_at = i64(-1)
    for i in range(record.arity):
        mine = variable_of(space, term_of(space, record, i).variable)
        if is_fixed(space, mine):
            code = code_at(space, mine, first_index(space, mine))
            total += term_of(space, record, i).coefficient * code
        elif open_at >= 0:
            return True
        else:
            open_at = i64(i)
    missing = record.constant - total
    if open_at < 0:
        return missing != 0
    coefficient = term_of(space, record, open_at).coefficient
    if missing % coefficient != 0:
        return True
    variable = term_of(space, record, open_at).variable
    index = index_of(space, variable_of(space, variable), missing // coefficient)
    return remove(space, variable, index)


@inlined
def revise_pairs(space: Any, record: Any) -> Any:
    """AC-3's REVISE both ways over a table of pairs, a word at a time; whether both variables have a value."""
    program, memory = space.program, space.memory
    for side in range(2):
        source = variable_of(space, term_of(space, record, side).variable)
        variable = term_of(space, record, 1 - side).variable
        target = variable_of(space, variable)
        supports = record.supports
        if side == 1:
            supports = record.reverse
        words = target.words
        for word in range(words):
            address = target.address + word
            allowed = i64(0)
            for source_word in range(source.words):
                rest = memory[source.address + source_word]
                while rest != 0:
                    index = 64 * source_word + lowest(rest)
                    rest &= rest - 1
                    allowed |= program[supports + index * words + word]
            kept = memory[address] & allowed
            if kept != memory[address] and not shrink(space, variable, address, kept):
                return False
    return True


@inlined
def keep_members(space: Any, record: Any) -> Any:
    """Leave a variable only the values of a set; whether it has one."""
    program, memory = space.program, space.memory
    variable = term_of(space, record, 0).variable
    mine = variable_of(space, variable)
    for word in range(mine.words):
        address = mine.address + word
        kept = memory[address] & program[record.supports + word]
        if kept != memory[address] and not shrink(space, variable, address, kept):
            return False
    return True


@inlined
def filter_table(space: Any, record: Any) -> Any:
    """Keep the tuples whose values are all left, then the values that a kept tuple supports; whether a tuple is left."""
    model, program, memory = space.model, space.program, space.memory
    words = record.words
    tuples = record.kept
    scratch = model.scratch
    arity = record.arity
    for i in range(arity):
        mine = variable_of(space, term_of(space, record, i).variable)
        supports = term_of(space, record, i).coefficient
        for word in range(words):
            memory[scratch + word] = 0
        for domain_word in range(mine.words):
            rest = memory[mine.address + domain_word]
            while rest != 0:
                row = supports + (64 * domain_word + lowest(rest)) * words
                rest &= rest - 1
                for word in range(words):
                    memory[scratch + word] |= program[row + word]
        for word in range(words):
            kept = memory[tuples + word] & memory[scratch + word]
            if kept != memory[tuples + word]:
                save(space, tuples + word)
                memory[tuples + word] = kept
    for i in range(arity):
        variable = term_of(space, record, i).variable
        mine = variable_of(space, variable)
        supports = term_of(space, record, i).coefficient
        for domain_word in range(mine.words):
            address = mine.address + domain_word
            rest = memory[address]
            kept = rest
            while rest != 0:
                index = 64 * domain_word + lowest(rest)
                rest &= rest - 1
                row = supports + index * words
                place: Any = i64(0)
                while place < words and program[row + place] & memory[tuples + place] == 0:
                    place += 1
                if place == words:
                    kept &= ~bit(index)
            if kept != memory[address] and not shrink(space, variable, address, kept):
                return False
    return True


@inlined
def ask_python(space: Any, record: Any, closed_only: Any) -> Any:
    """Whether a predicate must be asked now: at most one variable is open, and it was not asked below this point."""
    model, state, memory = space.model, space.state, space.memory
    assigned = model.chosen
    unassigned = i64(0)
    state.asked = -1
    for i in range(record.arity):
        variable = term_of(space, record, i).variable
        is_open = memory[assigned + variable] < 0
        if not closed_only:
            is_open = not is_fixed(space, variable_of(space, variable))
        if is_open:
            unassigned += 1
            state.asked = variable
    flag = record.kept
    if unassigned > 1 or memory[flag] != 0:
        return False
    save(space, flag)
    memory[flag] = 1
    return True


# ---------------------------------------------------------------- until nothing changes


@inlined
def propagate(space: Any) -> Any:
    """Run queued variables and constraints to the fixpoint; CONSISTENT, the failed one, -2 minus the one that asks, or PAUSED."""
    model, state, memory = space.model, space.state, space.memory
    levels = model.level_words
    while True:
        # Step 1: variables whose domain shrank. One with a single value forbids it to its neighbours at once.
        while state.queued > 0:
            if state.work >= state.work_limit:
                return i64(PAUSED)
            state.queued -= 1
            variable = memory[model.queue + state.queued]
            memory[model.queue + model.variables + variable] = 0
            mine = variable_of(space, variable)
            state.work += mine.words + mine.link_count
            fixed = is_fixed(space, mine)
            code = i64(0)
            if fixed:
                code = code_at(space, mine, first_index(space, mine))
                copy_culprits(space, variable)
            for link in range(mine.link_count):
                constraint = link_of(space, mine, link).constraint
                if memory[model.active + constraint] == 0:
                    continue
                record = constraint_of(space, constraint)
                kind = record.kind
                if kind > ALL_DIFFERENT:
                    add_task(space, constraint, False)
                    continue
                if fixed:
                    position = link_of(space, mine, link).position
                    state.work += record.arity
                    for i in range(record.arity):
                        if i != position:
                            other = term_of(space, record, i).variable
                            wanted = twin_code(space, record, kind, position, i, code)
                            index = index_of(space, variable_of(space, other), wanted)
                            if not remove(space, other, index):
                                return constraint
                    if levels > 0:
                        blame(space, record)
                if kind == ALL_DIFFERENT and record.matching != 0:
                    add_task(space, constraint, True)
        # Step 2: one constraint, cheap ones first.
        if state.work >= state.work_limit:
            return i64(PAUSED)
        constraint = next_task(space)
        if constraint < 0:
            return i64(CONSISTENT)
        record = constraint_of(space, constraint)
        kind = record.kind
        holds = True
        state.work += 2 * record.arity
        if levels > 0:
            gather_reason(space, record)
        if kind == ALL_DIFFERENT:
            state.work += 8 * record.arity * record.words
            holds = match_all_different(space, record)
        elif kind == EQUAL or kind == AT_MOST:  # noqa: SIM109  (a tuple costs compile time)
            holds = bound_sum(space, constraint, record)
            if holds and kind == EQUAL and record.arity == 2:
                holds = pair_sum(space, record)
        elif kind == UNEQUAL:
            holds = avoid_sum(space, record)
        elif kind == BINARY:
            holds = revise_pairs(space, record)
        elif kind == TABLE:
            state.work += 64 * record.words * record.arity
            holds = filter_table(space, record)
        elif kind == MEMBERS:
            holds = keep_members(space, record)
        elif kind == FUNCTION:
            state.work += 64 * variable_of(space, term_of(space, record, 0).variable).words
            holds = filter_function(space, record)
        elif kind == PREDICATE and ask_python(space, record, False):
            return -2 - constraint
        if levels > 0:
            blame(space, record)
        if not holds:
            return constraint
