"""Bitset domains in flat memory: read them, shrink them, undo it from the trail.

A variable's values are numbered from 0 in ascending order of their codes; bit i of its words says whether value i is left. Every
shrinking goes through ``shrink``, which saves the old word once a node (a stamp tells) and queues the variable; with
backjumping on, ``blame`` notes which decisions are behind it.
"""

from __future__ import annotations

from typing import Any

from outplay.csp.layout import term_of, variable_of
from outplay.jit import highest, i64, inlined, lowest, popcount, u64


@inlined
def count_bits(word: Any) -> Any:
    """How many bits of a word are set."""
    return popcount(u64(word))


@inlined
def bit(index: Any) -> Any:
    """The word in which only this value's bit is set."""
    return i64(1) << i64(index & 63)


@inlined
def code_at(space: Any, record: Any, index: Any) -> Any:
    """The code of value number `index`."""
    program = space.program
    values = record.values
    if values < 0:
        return record.least + index
    return program[values + index]


@inlined
def may_be(space: Any, record: Any, code: Any) -> Any:
    """Whether a variable's domain still has the value with this code."""
    index = index_of(space, record, code)
    return index >= 0 and space.memory[record.address + (index >> 6)] & bit(index) != 0


@inlined
def index_of(space: Any, record: Any, code: Any) -> Any:
    """The number of the value with this code, or -1."""
    program = space.program
    values = record.values
    count = record.count
    if values < 0:
        index = code - record.least
        if index < 0 or index >= count:
            index = i64(-1)
        return index
    low = i64(0)
    high = count
    while low < high:
        middle = (low + high) >> 1
        if program[values + middle] < code:
            low = middle + 1
        else:
            high = middle
    if low < count and program[values + low] == code:
        return low
    return i64(-1)


@inlined
def index_from(space: Any, record: Any, code: Any) -> Any:
    """The number of the first value whose code is at least this one (the count when there is none)."""
    program = space.program
    values = record.values
    count = record.count
    if values < 0:
        return min(max(code - record.least, i64(0)), count)
    low = i64(0)
    high = count
    while low < high:
        middle = (low + high) >> 1
        if program[values + middle] < code:
            low = middle + 1
        else:
            high = middle
    return low


@inlined
def first_index(space: Any, record: Any) -> Any:
    """The number of the smallest value left; the domain is not empty."""
    memory = space.memory
    address = record.address
    base = i64(0)
    while memory[address] == 0:
        address += 1
        base += 64
    return base + lowest(memory[address])


@inlined
def last_index(space: Any, record: Any) -> Any:
    """The number of the largest value left; the domain is not empty."""
    memory = space.memory
    word = record.words - 1
    address = record.address
    while memory[address + word] == 0:
        word -= 1
    return 64 * word + highest(u64(memory[address + word]))


@inlined
def domain_size(space: Any, record: Any) -> Any:
    """How many values are left."""
    memory = space.memory
    address = record.address
    size = i64(0)
    for word in range(record.words):
        size += count_bits(memory[address + word])
    return size


@inlined
def is_fixed(space: Any, record: Any) -> Any:
    """Whether exactly one value is left."""
    memory = space.memory
    address = record.address
    words = record.words
    if words == 1:
        bits = memory[address]
        return bits != 0 and bits & (bits - 1) == 0
    return domain_size(space, record) == 1


@inlined
def save(space: Any, address: Any) -> None:
    """Remember a word before its first change at this node."""
    model, state, memory, trail = space.model, space.state, space.memory, space.trail
    stamp = address + model.stamps
    if memory[stamp] != state.stamp:
        memory[stamp] = state.stamp
        top = state.trail_top
        trail[top] = address
        trail[top + 1] = memory[address]
        state.trail_top = top + 2


@inlined
def undo(space: Any, mark: Any) -> None:
    """Restore every word saved since the trail stood at this mark."""
    state, memory, trail = space.state, space.memory, space.trail
    top = state.trail_top
    while top > mark:
        top -= 2
        memory[trail[top]] = trail[top + 1]
    state.trail_top = top


@inlined
def enqueue(space: Any, variable: Any) -> None:
    """Queue a variable whose domain shrank, unless it is queued already."""
    model, state, memory = space.model, space.state, space.memory
    queue = model.queue
    flag = queue + model.variables + variable
    if memory[flag] == 0:
        memory[flag] = 1
        memory[queue + state.queued] = variable
        state.queued += 1


@inlined
def shrink(space: Any, variable: Any, address: Any, kept: Any) -> Any:
    """Replace a domain word by a smaller one; whether the variable still has a value."""
    state, memory = space.state, space.memory
    save(space, address)
    memory[address] = kept
    state.pruned += 1
    enqueue(space, variable)
    record = variable_of(space, variable)
    words = record.words
    if kept == 0 and words > 1:
        for word in range(words):
            kept |= memory[record.address + word]
    return kept != 0


@inlined
def blame(space: Any, record: Any) -> None:
    """Add the present reason to the decisions behind the domains of a scope that have just shrunk: those still queued."""
    model, memory = space.model, space.memory
    levels = model.level_words
    flags = model.queue + model.variables
    for position in range(record.arity):
        variable = term_of(space, record, position).variable
        if memory[flags + variable] != 0:
            culprits = model.culprits + variable * levels
            for word in range(levels):
                save(space, culprits + word)
                memory[culprits + word] |= memory[model.reason + word]


@inlined
def remove(space: Any, variable: Any, index: Any) -> Any:
    """Take one value out of a domain (index -1: nothing to do); whether the variable still has a value."""
    memory = space.memory
    alive = True
    if index >= 0:
        address = variable_of(space, variable).address + (index >> 6)
        if memory[address] & bit(index) != 0:
            alive = shrink(space, variable, address, memory[address] & ~bit(index))
    return alive


@inlined
def keep_between(space: Any, variable: Any, lowest_code: Any, highest_code: Any) -> Any:
    """Keep the values whose codes lie in this range; whether one is left."""
    memory = space.memory
    record = variable_of(space, variable)
    start = index_from(space, record, lowest_code)
    end = index_from(space, record, highest_code + 1)  # the first one out again
    alive = True
    for word in range(record.words):
        address = record.address + word
        mask = i64(-1)
        from_bit = start - 64 * word
        to_bit = end - 64 * word
        if from_bit >= 64 or to_bit <= 0 or from_bit >= to_bit:
            mask = i64(0)
        else:
            if from_bit > 0:
                mask = mask << from_bit
            if to_bit < 64:
                mask &= ~(i64(-1) << to_bit)
        kept = memory[address] & mask
        if kept != memory[address]:
            alive = shrink(space, variable, address, kept)
    return alive
