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
    record_of,
    remove,
    save,
    shrink,
)
from outplay.csp.functions import apply, filter_function
from outplay.csp.layout import (
    ACTIVE,
    ADDRESS,
    ALL_DIFFERENT,
    ARITY,
    ASKED,
    AT_MOST,
    BINARY,
    BOUND,
    CHOSEN,
    CONSTANT,
    CONSTRAINT_TABLE,
    CONSTRAINTS,
    CULPRITS,
    DIFFERENT,
    EQUAL,
    EXTRA,
    EXTRA3,
    FORWARD,
    FUNCTION,
    KIND,
    LEVEL_WORDS,
    LINK_COUNT,
    LINKS,
    MATCHING_HEAD,
    MATCHING_TAIL,
    MEMBERS,
    OBJECTIVE,
    PREDICATE,
    PROPAGATION,
    QUEUE,
    QUEUED,
    REASON,
    SCOPE,
    SCRATCH,
    TABLE,
    TASK_HEAD,
    TASK_TAIL,
    TASKS,
    UNEQUAL,
    VARIABLES,
    WORDS,
    WORK,
    WORK_LIMIT,
)
from outplay.csp.matching import match_all_different
from outplay.jit import i64, inlined, lowest

CONSISTENT = -1  # otherwise: the constraint that failed, or -2 minus the one that asks Python, or:
PAUSED = -(1 << 62)  # the slice of work is used up; what is queued stays so


@inlined
def constant_of(program: Any, memory: Any, constraint: Any, record: Any) -> Any:
    """The right-hand side of a sum; the objective's falls with every solution."""
    if constraint == memory[OBJECTIVE]:
        return memory[BOUND]
    return program[record + CONSTANT]


@inlined
def add_task(program: Any, memory: Any, constraint: Any, late: Any) -> None:
    """Queue a constraint for propagation; the late queue is for matchings, which cost the most."""
    count = program[CONSTRAINTS]
    ring = program[TASKS]
    flag = ring + 2 * (count + 1) + constraint
    if memory[flag] == 0:
        memory[flag] = 1
        head = i64(TASK_TAIL)
        if late:
            head = i64(MATCHING_TAIL)
            ring += count + 1
        tail = memory[head]
        memory[ring + tail] = constraint
        tail += 1
        if tail > count:
            tail = i64(0)
        memory[head] = tail


@inlined
def next_task(program: Any, memory: Any) -> Any:
    """The next constraint to propagate, -1 for none."""
    count = program[CONSTRAINTS]
    ring = program[TASKS]
    slot = i64(TASK_HEAD)
    if memory[TASK_HEAD] == memory[TASK_TAIL]:
        if memory[MATCHING_HEAD] == memory[MATCHING_TAIL]:
            return i64(-1)
        slot = i64(MATCHING_HEAD)
        ring += count + 1
    head = memory[slot]
    constraint = memory[ring + head]
    head += 1
    if head > count:
        head = i64(0)
    memory[slot] = head
    memory[program[TASKS] + 2 * (count + 1) + constraint] = 0
    return constraint


@inlined
def clear_queues(program: Any, memory: Any) -> None:
    """Forget all pending work, after a failure."""
    flags = program[QUEUE] + program[VARIABLES]
    for place in range(memory[QUEUED]):
        memory[flags + memory[program[QUEUE] + place]] = 0
    memory[QUEUED] = 0
    while next_task(program, memory) >= 0:
        pass


@inlined
def copy_culprits(program: Any, memory: Any, variable: Any) -> None:
    """The decisions behind one variable's domain, as the reason for what follows."""
    levels = program[LEVEL_WORDS]
    for word in range(levels):
        memory[program[REASON] + word] = memory[program[CULPRITS] + variable * levels + word]


@inlined
def gather_reason(program: Any, memory: Any, record: Any) -> None:
    """The decisions behind the domains of a whole scope, as the reason for what follows."""
    levels = program[LEVEL_WORDS]
    for word in range(levels):
        merged = i64(0)
        for position in range(program[record + ARITY]):
            merged |= memory[program[CULPRITS] + program[record + SCOPE + 2 * position] * levels + word]
        memory[program[REASON] + word] = merged


# ---------------------------------------------------------------- checking a full scope


@inlined
def is_satisfied(program: Any, memory: Any, constraint: Any) -> Any:
    """Whether a constraint holds for the chosen values of its scope (a Python predicate counts as held: it is asked apart)."""
    record = program[program[CONSTRAINT_TABLE] + constraint]
    kind = program[record + KIND]
    arity = program[record + ARITY]
    chosen = program[CHOSEN]
    if kind == ALL_DIFFERENT:
        for i in range(arity):
            first = program[record + SCOPE + 2 * i]
            left = program[record + SCOPE + 2 * i + 1] + code_at(program, record_of(program, first), memory[chosen + first])
            for j in range(i):
                second = program[record + SCOPE + 2 * j]
                offset = program[record + SCOPE + 2 * j + 1]
                if left == offset + code_at(program, record_of(program, second), memory[chosen + second]):
                    return False
        return True
    if kind <= UNEQUAL:
        total = i64(0)
        for i in range(arity):
            variable = program[record + SCOPE + 2 * i]
            code = code_at(program, record_of(program, variable), memory[chosen + variable])
            total += program[record + SCOPE + 2 * i + 1] * code
        constant = constant_of(program, memory, constraint, record)
        if kind == EQUAL:
            return total == constant
        if kind == AT_MOST:
            return total <= constant
        return total != constant  # of two variables or of many
    if kind == BINARY:
        first = memory[chosen + program[record + SCOPE]]
        second = program[record + SCOPE + 2]
        words = program[record_of(program, second) + WORDS]
        index = memory[chosen + second]
        return program[program[record + EXTRA] + first * words + (index >> 6)] & bit(index) != 0
    if kind == TABLE:
        words = program[record + CONSTANT]
        for word in range(words):
            common = i64(-1)
            for i in range(arity):
                index = memory[chosen + program[record + SCOPE + 2 * i]]
                common &= program[program[record + SCOPE + 2 * i + 1] + index * words + word]
            if common != 0:
                return True
        return False
    if kind == MEMBERS:
        index = memory[chosen + program[record + SCOPE]]
        return program[program[record + EXTRA] + (index >> 6)] & bit(index) != 0
    if kind == FUNCTION:
        first = program[record + SCOPE]
        second = program[record + SCOPE + 2]
        third = program[record + SCOPE + 4]
        x = code_at(program, record_of(program, first), memory[chosen + first])
        y = code_at(program, record_of(program, second), memory[chosen + second])
        return apply(program[record + CONSTANT], x, y) == code_at(program, record_of(program, third), memory[chosen + third])
    return True


@inlined
def look_forward(program: Any, memory: Any, trail: Any, variable: Any) -> Any:
    """After one assignment: check its finished constraints and, looking forward, prune the last open variable of others."""
    forward = memory[PROPAGATION] == FORWARD
    chosen = program[CHOSEN]
    mine = record_of(program, variable)
    for link in range(program[mine + LINK_COUNT]):
        constraint = program[program[mine + LINKS] + 2 * link]
        if memory[program[ACTIVE] + constraint] == 0:
            continue
        record = program[program[CONSTRAINT_TABLE] + constraint]
        kind = program[record + KIND]
        arity = program[record + ARITY]
        memory[WORK] += arity
        failed = False
        if kind <= ALL_DIFFERENT:
            # A clique of binary constraints: each of its pairs is looked at by itself.
            copy_culprits(program, memory, variable)
            code = code_at(program, mine, memory[chosen + variable])
            position = program[program[mine + LINKS] + 2 * link + 1]
            for i in range(arity):
                if i == position:
                    continue
                other = program[record + SCOPE + 2 * i]
                wanted = twin_code(program, record, kind, position, i, code)
                index = index_of(program, record_of(program, other), wanted)
                if memory[chosen + other] >= 0:
                    failed = memory[chosen + other] == index
                elif forward:
                    failed = not remove(program, memory, trail, other, index)
                if failed:
                    break
        else:
            unassigned = i64(0)
            last = variable
            for i in range(arity):
                if memory[chosen + program[record + SCOPE + 2 * i]] < 0:
                    unassigned += 1
                    last = program[record + SCOPE + 2 * i]
            if unassigned > 1 or (unassigned == 1 and not forward):
                continue
            if kind == PREDICATE:
                add_task(program, memory, constraint, False)  # asked once all the others have had their say
                continue
            # The last open variable keeps what fits; with none open, the one just assigned stands in for it.
            gather_reason(program, memory, record)
            before = memory[chosen + last]
            theirs = record_of(program, last)
            memory[WORK] += 8 * program[theirs + WORDS] * arity
            for word in range(program[theirs + WORDS]):
                address = program[theirs + ADDRESS] + word
                rest = memory[address]
                kept = rest
                while rest != 0:
                    index = 64 * word + lowest(rest)
                    rest &= rest - 1
                    memory[chosen + last] = index
                    if not is_satisfied(program, memory, constraint):
                        kept &= ~bit(index)
                if kept != memory[address]:
                    failed = not shrink(program, memory, trail, last, address, kept)
            memory[chosen + last] = before
        if program[LEVEL_WORDS] > 0:
            blame(program, memory, trail, record)
        if failed:
            return constraint
    return i64(CONSISTENT)


@inlined
def twin_code(program: Any, record: Any, kind: Any, position: Any, other: Any, code: Any) -> Any:
    """The code that a variable's value forbids to another one of a difference or an all-different."""
    if kind == DIFFERENT:
        if position == 0:
            return code - program[record + CONSTANT]
        return code + program[record + CONSTANT]
    return code + program[record + SCOPE + 2 * position + 1] - program[record + SCOPE + 2 * other + 1]


# ---------------------------------------------------------------- one constraint each


@inlined
def bound_sum(program: Any, memory: Any, trail: Any, constraint: Any, record: Any) -> Any:
    """Bounds consistency of a sum: each term lies within what the others' bounds leave; whether all can hold."""
    exact = program[record + KIND] == EQUAL
    arity = program[record + ARITY]
    constant = constant_of(program, memory, constraint, record)
    scratch = program[SCRATCH]
    least = i64(0)
    most = i64(0)
    for i in range(arity):
        mine = record_of(program, program[record + SCOPE + 2 * i])
        coefficient = program[record + SCOPE + 2 * i + 1]
        low = coefficient * code_at(program, mine, first_index(program, memory, mine))
        high = coefficient * code_at(program, mine, last_index(program, memory, mine))
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
            coefficient = program[record + SCOPE + 2 * i + 1]
            if coefficient < 0:
                ceiling, floor, coefficient = -floor, -ceiling, -coefficient
            variable = program[record + SCOPE + 2 * i]
            if not keep_between(program, memory, trail, variable, -((-floor) // coefficient), ceiling // coefficient):
                return False
    return True


@inlined
def pair_sum(program: Any, memory: Any, trail: Any, record: Any) -> Any:
    """Value by value, an equation of two variables: a value stays only with its partner; whether both have one."""
    for side in range(2):
        variable = program[record + SCOPE + 2 * side]
        other = record_of(program, program[record + SCOPE + 2 - 2 * side])
        factor = program[record + SCOPE + 3 - 2 * side]
        mine = record_of(program, variable)
        for word in range(program[mine + WORDS]):
            address = program[mine + ADDRESS] + word
            rest = memory[address]
            kept = rest
            while rest != 0:
                place = 64 * word + lowest(rest)
                rest &= rest - 1
                code = code_at(program, mine, place)
                missing = program[record + CONSTANT] - program[record + SCOPE + 2 * side + 1] * code
                partner = missing
                if factor != 1:
                    partner = missing // factor
                index = index_of(program, other, partner)
                if (
                    index < 0
                    or partner * factor != missing
                    or memory[program[other + ADDRESS] + (index >> 6)] & bit(index) == 0
                ):
                    kept &= ~bit(place)
            if kept != memory[address] and not shrink(program, memory, trail, variable, address, kept):
                return False
    return True


@inlined
def avoid_sum(program: Any, memory: Any, trail: Any, record: Any) -> Any:
    """A sum that must differ from its constant: it speaks when one variable is open; whether it can hold."""
    total = i64(0)
    open_at = i64(-1)
    for i in range(program[record + ARITY]):
        mine = record_of(program, program[record + SCOPE + 2 * i])
        if is_fixed(program, memory, mine):
            code = code_at(program, mine, first_index(program, memory, mine))
            total += program[record + SCOPE + 2 * i + 1] * code
        elif open_at >= 0:
            return True
        else:
            open_at = i64(i)
    missing = program[record + CONSTANT] - total
    if open_at < 0:
        return missing != 0
    coefficient = program[record + SCOPE + 2 * open_at + 1]
    if missing % coefficient != 0:
        return True
    variable = program[record + SCOPE + 2 * open_at]
    index = index_of(program, record_of(program, variable), missing // coefficient)
    return remove(program, memory, trail, variable, index)


@inlined
def revise_pairs(program: Any, memory: Any, trail: Any, record: Any) -> Any:
    """AC-3's REVISE both ways over a table of pairs, a word at a time; whether both variables have a value."""
    for side in range(2):
        source = record_of(program, program[record + SCOPE + 2 * side])
        variable = program[record + SCOPE + 2 - 2 * side]
        target = record_of(program, variable)
        supports = program[record + EXTRA + side]
        words = program[target + WORDS]
        for word in range(words):
            address = program[target + ADDRESS] + word
            allowed = i64(0)
            for source_word in range(program[source + WORDS]):
                rest = memory[program[source + ADDRESS] + source_word]
                while rest != 0:
                    index = 64 * source_word + lowest(rest)
                    rest &= rest - 1
                    allowed |= program[supports + index * words + word]
            kept = memory[address] & allowed
            if kept != memory[address] and not shrink(program, memory, trail, variable, address, kept):
                return False
    return True


@inlined
def keep_members(program: Any, memory: Any, trail: Any, record: Any) -> Any:
    """Leave a variable only the values of a set; whether it has one."""
    variable = program[record + SCOPE]
    mine = record_of(program, variable)
    for word in range(program[mine + WORDS]):
        address = program[mine + ADDRESS] + word
        kept = memory[address] & program[program[record + EXTRA] + word]
        if kept != memory[address] and not shrink(program, memory, trail, variable, address, kept):
            return False
    return True


@inlined
def filter_table(program: Any, memory: Any, trail: Any, record: Any) -> Any:
    """Keep the tuples whose values are all left, then the values that a kept tuple supports; whether a tuple is left."""
    words = program[record + CONSTANT]
    tuples = program[record + EXTRA]
    scratch = program[SCRATCH]
    arity = program[record + ARITY]
    for i in range(arity):
        mine = record_of(program, program[record + SCOPE + 2 * i])
        supports = program[record + SCOPE + 2 * i + 1]
        for word in range(words):
            memory[scratch + word] = 0
        for domain_word in range(program[mine + WORDS]):
            rest = memory[program[mine + ADDRESS] + domain_word]
            while rest != 0:
                row = supports + (64 * domain_word + lowest(rest)) * words
                rest &= rest - 1
                for word in range(words):
                    memory[scratch + word] |= program[row + word]
        for word in range(words):
            kept = memory[tuples + word] & memory[scratch + word]
            if kept != memory[tuples + word]:
                save(program, memory, trail, tuples + word)
                memory[tuples + word] = kept
    for i in range(arity):
        variable = program[record + SCOPE + 2 * i]
        mine = record_of(program, variable)
        supports = program[record + SCOPE + 2 * i + 1]
        for domain_word in range(program[mine + WORDS]):
            address = program[mine + ADDRESS] + domain_word
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
            if kept != memory[address] and not shrink(program, memory, trail, variable, address, kept):
                return False
    return True


@inlined
def ask_python(program: Any, memory: Any, trail: Any, record: Any, closed_only: Any) -> Any:
    """Whether a predicate must be asked now: at most one variable is open, and it was not asked below this point."""
    assigned = program[CHOSEN]
    unassigned = i64(0)
    memory[ASKED] = -1
    for i in range(program[record + ARITY]):
        variable = program[record + SCOPE + 2 * i]
        is_open = memory[assigned + variable] < 0
        if not closed_only:
            is_open = not is_fixed(program, memory, record_of(program, variable))
        if is_open:
            unassigned += 1
            memory[ASKED] = variable
    flag = program[record + EXTRA]
    if unassigned > 1 or memory[flag] != 0:
        return False
    save(program, memory, trail, flag)
    memory[flag] = 1
    return True


# ---------------------------------------------------------------- until nothing changes


@inlined
def propagate(program: Any, memory: Any, trail: Any) -> Any:
    """Run queued variables and constraints to the fixpoint; CONSISTENT, the failed one, -2 minus the one that asks, or PAUSED."""
    levels = program[LEVEL_WORDS]
    while True:
        # Step 1: variables whose domain shrank. One with a single value forbids it to its neighbours at once.
        while memory[QUEUED] > 0:
            if memory[WORK] >= memory[WORK_LIMIT]:
                return i64(PAUSED)
            memory[QUEUED] -= 1
            variable = memory[program[QUEUE] + memory[QUEUED]]
            memory[program[QUEUE] + program[VARIABLES] + variable] = 0
            mine = record_of(program, variable)
            memory[WORK] += program[mine + WORDS] + program[mine + LINK_COUNT]
            fixed = is_fixed(program, memory, mine)
            code = i64(0)
            if fixed:
                code = code_at(program, mine, first_index(program, memory, mine))
                copy_culprits(program, memory, variable)
            for link in range(program[mine + LINK_COUNT]):
                constraint = program[program[mine + LINKS] + 2 * link]
                if memory[program[ACTIVE] + constraint] == 0:
                    continue
                record = program[program[CONSTRAINT_TABLE] + constraint]
                kind = program[record + KIND]
                if kind > ALL_DIFFERENT:
                    add_task(program, memory, constraint, False)
                    continue
                if fixed:
                    position = program[program[mine + LINKS] + 2 * link + 1]
                    memory[WORK] += program[record + ARITY]
                    for i in range(program[record + ARITY]):
                        if i != position:
                            other = program[record + SCOPE + 2 * i]
                            wanted = twin_code(program, record, kind, position, i, code)
                            index = index_of(program, record_of(program, other), wanted)
                            if not remove(program, memory, trail, other, index):
                                return constraint
                    if levels > 0:
                        blame(program, memory, trail, record)
                if kind == ALL_DIFFERENT and program[record + EXTRA3] != 0:
                    add_task(program, memory, constraint, True)
        # Step 2: one constraint, cheap ones first.
        if memory[WORK] >= memory[WORK_LIMIT]:
            return i64(PAUSED)
        constraint = next_task(program, memory)
        if constraint < 0:
            return i64(CONSISTENT)
        record = program[program[CONSTRAINT_TABLE] + constraint]
        kind = program[record + KIND]
        holds = True
        memory[WORK] += 2 * program[record + ARITY]
        if levels > 0:
            gather_reason(program, memory, record)
        if kind == ALL_DIFFERENT:
            memory[WORK] += 8 * program[record + ARITY] * program[record + EXTRA]
            holds = match_all_different(program, memory, trail, record)
        elif kind == EQUAL or kind == AT_MOST:  # noqa: SIM109  (a tuple costs compile time)
            holds = bound_sum(program, memory, trail, constraint, record)
            if holds and kind == EQUAL and program[record + ARITY] == 2:
                holds = pair_sum(program, memory, trail, record)
        elif kind == UNEQUAL:
            holds = avoid_sum(program, memory, trail, record)
        elif kind == BINARY:
            holds = revise_pairs(program, memory, trail, record)
        elif kind == TABLE:
            memory[WORK] += 64 * program[record + CONSTANT] * program[record + ARITY]
            holds = filter_table(program, memory, trail, record)
        elif kind == MEMBERS:
            holds = keep_members(program, memory, trail, record)
        elif kind == FUNCTION:
            memory[WORK] += 64 * program[record_of(program, program[record + SCOPE]) + WORDS]
            holds = filter_function(program, memory, trail, record)
        elif kind == PREDICATE and ask_python(program, memory, trail, record, False):
            return -2 - constraint
        if levels > 0:
            blame(program, memory, trail, record)
        if not holds:
            return constraint
