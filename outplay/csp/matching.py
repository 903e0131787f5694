"""All-different by matching: a value stays only if some assignment of all the variables to different values uses it.

After Régin (1994). Variables are matched to values (columns) along augmenting paths; a matching that covers every variable proves
that the constraint can hold. Then an edge outside the matching can be swapped in exactly if it leads to a free column, or lies on
a cycle of swaps: a strongly connected component (Tarjan 1972). Everything else goes. Rows of candidate columns are bitsets, and the
matching of the last call is repaired, not rebuilt.
"""

from __future__ import annotations

from typing import Any

from outplay.csp.domains import bit, code_at, index_of, is_fixed, remove
from outplay.csp.layout import term_of, variable_of
from outplay.jit import i64, inlined, lowest


@inlined
def match_all_different(space: Any, record: Any) -> Any:
    """Prune an all-different to the values of its matchings; whether there is one."""
    model, memory = space.model, space.memory
    arity = record.arity
    words = record.words
    matched = record.matching  # the column of each position, kept from call to call; -1 for none
    columns = 64 * words
    # Scratch, in order: rows of columns, sets of columns (seen, free, reaching), owner and parent of each column, then six
    # numbers a position (who is open, the queue, order of visit, lowest order reached, call stack, component), component columns.
    rows = model.scratch
    seen = rows + arity * words
    free = seen + words
    reaching = free + words
    owner = reaching + words
    parent = owner + columns
    opened = parent + columns
    queue = opened + arity
    order = queue + arity
    low = order + arity
    calls = low + arity
    stack = calls + arity
    component = stack + arity

    # Step 1: the rows of the variables that are not fixed; a fixed one has taken its column out of the others already.
    count = i64(0)
    for column in range(columns):
        memory[owner + column] = -1
    for word in range(words):
        memory[free + word] = 0
    for position in range(arity):
        mine = variable_of(space, term_of(space, record, position).variable)
        if is_fixed(space, mine):
            continue
        memory[opened + count] = position
        count += 1
        shift = term_of(space, record, position).coefficient - record.constant
        row = rows + position * words
        if words == 1 and mine.values < 0:
            memory[row] = memory[mine.address] << (shift + mine.least)
        else:
            for word in range(words):
                memory[row + word] = 0
            for word in range(mine.words):
                rest = memory[mine.address + word]
                while rest != 0:
                    column = shift + code_at(space, mine, 64 * word + lowest(rest))
                    rest &= rest - 1
                    memory[row + (column >> 6)] |= bit(column)
        for word in range(words):
            memory[free + word] |= memory[row + word]
    if count < 2:
        return True

    # Step 2: repair the matching. First what is still valid, then augmenting paths, breadth first.
    for k in range(count):
        position = memory[opened + k]
        column = memory[matched + position]
        if column >= 0:
            usable = memory[rows + position * words + (column >> 6)] & bit(column) != 0
            if usable and memory[owner + column] < 0:
                memory[owner + column] = position
                memory[free + (column >> 6)] &= ~bit(column)
            else:
                memory[matched + position] = -1
    for k in range(count):
        root = memory[opened + k]
        if memory[matched + root] >= 0:
            continue
        for word in range(words):
            memory[seen + word] = 0
        head = i64(0)
        tail = i64(1)
        memory[queue] = root
        end: Any = i64(-1)
        while head < tail and end < 0:
            position = memory[queue + head]
            head += 1
            for word in range(words):
                fresh = memory[rows + position * words + word] & ~memory[seen + word]
                if fresh & memory[free + word] != 0:
                    end = 64 * word + lowest(fresh & memory[free + word])
                    memory[parent + end] = position
                    break
                memory[seen + word] |= fresh
                while fresh != 0:
                    column = 64 * word + lowest(fresh)
                    fresh &= fresh - 1
                    memory[parent + column] = position
                    memory[queue + tail] = memory[owner + column]
                    tail += 1
        if end < 0:
            return False
        memory[free + (end >> 6)] &= ~bit(end)
        while end >= 0:  # swap along the path, back to the root, whose old column is -1
            position = memory[parent + end]
            previous = memory[matched + position]
            memory[matched + position] = end
            memory[owner + end] = position
            end = previous

    # Step 3: columns whose owner can move to a free column, directly or through others: swapping them in is always possible.
    for word in range(words):
        memory[reaching + word] = memory[free + word]
    changed = True
    while changed:
        changed = False
        for k in range(count):
            position = memory[opened + k]
            column = memory[matched + position]
            if memory[reaching + (column >> 6)] & bit(column) != 0:
                continue
            for word in range(words):
                if memory[rows + position * words + word] & memory[reaching + word] != 0:
                    memory[reaching + (column >> 6)] |= bit(column)
                    changed = True
                    break

    # Step 4: strongly connected components among the other positions (u -> v where u could take v's column).
    for k in range(count):
        memory[order + memory[opened + k]] = -1
        memory[component + memory[opened + k]] = -1
    for word in range(words):
        memory[seen + word] = memory[reaching + word]  # columns whose owner is visited, or needs no visit
    visited = i64(0)
    components = i64(0)
    stacked = i64(0)
    for k in range(count):
        root = memory[opened + k]
        column = memory[matched + root]
        if memory[seen + (column >> 6)] & bit(column) != 0:
            continue
        depth = i64(0)
        memory[calls] = root
        memory[order + root] = visited
        memory[low + root] = visited
        visited += 1
        memory[stack + stacked] = root
        stacked += 1
        memory[seen + (column >> 6)] |= bit(column)
        while depth >= 0:
            position = memory[calls + depth]
            child: Any = i64(-1)
            for word in range(words):
                fresh = memory[rows + position * words + word] & ~memory[seen + word]
                if fresh != 0:
                    child = 64 * word + lowest(fresh)
                    break
            if child >= 0:
                memory[seen + (child >> 6)] |= bit(child)
                position = memory[owner + child]
                memory[order + position] = visited
                memory[low + position] = visited
                visited += 1
                memory[stack + stacked] = position
                stacked += 1
                depth += 1
                memory[calls + depth] = position
                continue
            # All neighbours are visited: the lowest order among those still on the stack, then close or return.
            reached = memory[low + position]
            for word in range(words):
                rest = memory[rows + position * words + word] & ~memory[reaching + word]
                while rest != 0:
                    neighbour = memory[owner + 64 * word + lowest(rest)]
                    rest &= rest - 1
                    if memory[component + neighbour] < 0:
                        reached = min(reached, memory[low + neighbour])
            memory[low + position] = reached
            if reached == memory[order + position]:
                while True:
                    stacked -= 1
                    member = memory[stack + stacked]
                    memory[component + member] = components
                    if member == position:
                        break
                components += 1
            depth -= 1

    # Step 5: drop what is neither matched, nor leads to a free column, nor lies in the same component.
    for k in range(count):
        position = memory[opened + k]
        variable = term_of(space, record, position).variable
        mine = variable_of(space, variable)
        offset = term_of(space, record, position).coefficient - record.constant
        for word in range(words):
            rest = memory[rows + position * words + word] & ~memory[reaching + word]
            while rest != 0:
                column = 64 * word + lowest(rest)
                rest &= rest - 1
                neighbour = memory[owner + column]
                if neighbour != position and memory[component + neighbour] != memory[component + position]:
                    index = index_of(space, mine, column - offset)
                    if not remove(space, variable, index):
                        return False
    return True
