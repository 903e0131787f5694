"""Bitset domains in flat memory: read them, shrink them, undo it from the trail.

A variable's values are numbered from 0 in ascending order of their codes; bit i of its words says whether value i is left. Every
shrinking goes through ``shrink``, which saves the old word once a node (a stamp tells) and queues the variable; with
backjumping on, ``blame`` notes which decisions are behind it.
"""

from __future__ import annotations

from typing import Any

from outplay.csp.layout import (
    ADDRESS,
    ARITY,
    BASE,
    COUNT,
    CULPRITS,
    LEVEL_WORDS,
    PRUNED,
    QUEUE,
    QUEUED,
    REASON,
    SCOPE,
    STAMP,
    STAMPS,
    TRAIL_TOP,
    VALUES,
    VARIABLE_SIZE,
    VARIABLE_TABLE,
    VARIABLES,
    WORDS,
)
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
def record_of(program: Any, variable: Any) -> Any:
    """Where the record of a variable starts."""
    return program[VARIABLE_TABLE] + VARIABLE_SIZE * variable


@inlined
def code_at(program: Any, record: Any, index: Any) -> Any:
    """The code of value number `index`."""
    values = program[record + VALUES]
    if values < 0:
        return program[record + BASE] + index
    return program[values + index]


@inlined
def index_of(program: Any, record: Any, code: Any) -> Any:
    """The number of the value with this code, or -1."""
    values = program[record + VALUES]
    count = program[record + COUNT]
    if values < 0:
        index = code - program[record + BASE]
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
def index_from(program: Any, record: Any, code: Any) -> Any:
    """The number of the first value whose code is at least this one (the count when there is none)."""
    values = program[record + VALUES]
    count = program[record + COUNT]
    if values < 0:
        return min(max(code - program[record + BASE], i64(0)), count)
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
def first_index(program: Any, memory: Any, record: Any) -> Any:
    """The number of the smallest value left; the domain is not empty."""
    address = program[record + ADDRESS]
    base = i64(0)
    while memory[address] == 0:
        address += 1
        base += 64
    return base + lowest(memory[address])


@inlined
def last_index(program: Any, memory: Any, record: Any) -> Any:
    """The number of the largest value left; the domain is not empty."""
    word = program[record + WORDS] - 1
    address = program[record + ADDRESS]
    while memory[address + word] == 0:
        word -= 1
    return 64 * word + highest(u64(memory[address + word]))


@inlined
def domain_size(program: Any, memory: Any, record: Any) -> Any:
    """How many values are left."""
    address = program[record + ADDRESS]
    size = i64(0)
    for word in range(program[record + WORDS]):
        size += count_bits(memory[address + word])
    return size


@inlined
def is_fixed(program: Any, memory: Any, record: Any) -> Any:
    """Whether exactly one value is left."""
    address = program[record + ADDRESS]
    words = program[record + WORDS]
    if words == 1:
        bits = memory[address]
        return bits != 0 and bits & (bits - 1) == 0
    return domain_size(program, memory, record) == 1


@inlined
def save(program: Any, memory: Any, trail: Any, address: Any) -> None:
    """Remember a word before its first change at this node."""
    stamp = address + program[STAMPS]
    if memory[stamp] != memory[STAMP]:
        memory[stamp] = memory[STAMP]
        top = memory[TRAIL_TOP]
        trail[top] = address
        trail[top + 1] = memory[address]
        memory[TRAIL_TOP] = top + 2


@inlined
def undo(memory: Any, trail: Any, mark: Any) -> None:
    """Restore every word saved since the trail stood at this mark."""
    top = memory[TRAIL_TOP]
    while top > mark:
        top -= 2
        memory[trail[top]] = trail[top + 1]
    memory[TRAIL_TOP] = top


@inlined
def enqueue(program: Any, memory: Any, variable: Any) -> None:
    """Queue a variable whose domain shrank, unless it is queued already."""
    queue = program[QUEUE]
    flag = queue + program[VARIABLES] + variable
    if memory[flag] == 0:
        memory[flag] = 1
        memory[queue + memory[QUEUED]] = variable
        memory[QUEUED] += 1


@inlined
def shrink(program: Any, memory: Any, trail: Any, variable: Any, address: Any, kept: Any) -> Any:
    """Replace a domain word by a smaller one; whether the variable still has a value."""
    save(program, memory, trail, address)
    memory[address] = kept
    memory[PRUNED] += 1
    enqueue(program, memory, variable)
    record = record_of(program, variable)
    words = program[record + WORDS]
    if kept == 0 and words > 1:
        for word in range(words):
            kept |= memory[program[record + ADDRESS] + word]
    return kept != 0


@inlined
def blame(program: Any, memory: Any, trail: Any, record: Any) -> None:
    """Add the present reason to the decisions behind the domains of a scope that have just shrunk: those still queued."""
    levels = program[LEVEL_WORDS]
    flags = program[QUEUE] + program[VARIABLES]
    for position in range(program[record + ARITY]):
        variable = program[record + SCOPE + 2 * position]
        if memory[flags + variable] != 0:
            culprits = program[CULPRITS] + variable * levels
            for word in range(levels):
                save(program, memory, trail, culprits + word)
                memory[culprits + word] |= memory[program[REASON] + word]


@inlined
def remove(program: Any, memory: Any, trail: Any, variable: Any, index: Any) -> Any:
    """Take one value out of a domain (index -1: nothing to do); whether the variable still has a value."""
    alive = True
    if index >= 0:
        address = program[record_of(program, variable) + ADDRESS] + (index >> 6)
        if memory[address] & bit(index) != 0:
            alive = shrink(program, memory, trail, variable, address, memory[address] & ~bit(index))
    return alive


@inlined
def keep_between(program: Any, memory: Any, trail: Any, variable: Any, lowest_code: Any, highest_code: Any) -> Any:
    """Keep the values whose codes lie in this range; whether one is left."""
    record = record_of(program, variable)
    start = index_from(program, record, lowest_code)
    end = index_from(program, record, highest_code + 1)  # the first one out again
    alive = True
    for word in range(program[record + WORDS]):
        address = program[record + ADDRESS] + word
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
            alive = shrink(program, memory, trail, variable, address, kept)
    return alive
