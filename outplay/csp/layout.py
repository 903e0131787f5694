"""How a model lies in memory: one read-only array of integers for the model, one for the search, one for the trail.

The kernels are compiled once for all models, so a model is data. ``program`` holds the record MODEL, one record VARIABLE each, one
record CONSTRAINT each, their scopes and links, and the supports of tables. ``memory`` holds the state of one search: the record
STATE, the domains as bitsets, the queues, one record FRAME for each decision. ``trail`` remembers overwritten words as pairs
(address, old word), so that backtracking undoes exactly what changed. Every number is an int64; a word of a bitset uses all of its
64 bits. An *offset* is a place in ``program``, an *address* one in ``memory``.

>>> import numpy as np
>>> from outplay.csp.records import record_in
>>> words = np.arange(7)
>>> int(record_in(words, 0, VARIABLE)["least"])
3
"""

from __future__ import annotations

from typing import Any, NamedTuple

from outplay.csp.records import record, record_at, words_of
from outplay.jit import inlined

MODEL = record(
    "variables",  # how many in all, the helpers of expressions included
    "decisions",  # the first so many variables are the user's own; the others follow from them
    "constraints",
    "variable_table",  # offset of the records VARIABLE
    "constraint_table",  # offset of the records CONSTRAINT
    "degrees",  # offset: with how many others each variable is linked
    "level_words",  # words of one set of levels; 0 switches backjumping off
    "widest",  # words of the widest domain
    "trailed",  # how many words are trailed
    "stamps",  # distance from a trailed word to its stamp
    "queue",  # address of the stack of variables whose domain shrank; then one flag each
    "tasks",  # address of the ring of constraints to propagate; then one of all-different matchings; then one flag each
    "active",  # address of one flag for each constraint
    "chosen",  # address: the index of the value of each assigned variable, -1 for none
    "weights",  # address: how often each variable took part in a failure
    "culprits",  # address of one set of levels for each variable: the decisions behind its present domain
    "reason",  # address of the set of levels behind what is being pruned now
    "answer",  # address of a domain that a Python predicate left over
    "frames",  # address of the records FRAME
    "scratch",  # address of words that anybody may use for a moment
)

VARIABLE = record(
    "address",  # of its first domain word
    "words",
    "values",  # offset of its codes, or -1 when they are least, least + 1, ...
    "least",
    "count",
    "links",  # offset of its records LINK
    "link_count",
)

LINK = record("constraint", "position")  # where a variable occurs: the constraint, and its place in the scope

CONSTRAINT = record(
    "kind",
    "arity",
    "constant",  # of a sum or a difference; an all-different's lowest column; which function
    "scope",  # offset of its records TERM
    "words",  # of a set of columns (ALL_DIFFERENT) or of tuples (TABLE)
    "matching",  # address of an all-different's matching, 0 where none is used
    "kept",  # address of what it keeps itself: the tuples still possible (TABLE), a flag "asked already" (PREDICATE)
    "supports",  # offset: the words of y that each value of x allows (BINARY), the words of those allowed (MEMBERS)
    "reverse",  # offset of the same the other way round (BINARY)
)

TERM = record("variable", "coefficient")  # the coefficient of a table's variable is the offset of its supports

STATE = record(
    "phase",
    "level",
    "trail_top",
    "stamp",  # the number of the present node
    "nodes",
    "failures",
    "found",
    "node_limit",
    "propagation",
    "order",
    "value_order",
    "stepping",
    "objective",  # the constraint whose constant falls with each solution, -1 for none
    "bound",  # the constant of the objective constraint
    "restart_at",  # failures until the next restart, 0 for never
    "since_restart",
    "queued",  # variables on the queue
    "task_head",
    "task_tail",
    "matching_head",
    "matching_tail",
    "cause",  # the constraint that failed or that asks
    "asked",  # the open variable of a predicate, -1 for none
    "probed",  # the value whose effect is being tried
    "rows",  # solutions that fit in the buffer, 0 to count only
    "filled",  # solutions in the buffer
    "pruned",  # domain words that propagation made smaller
    "work",  # about how many words were looked at
    "work_limit",  # where the kernel stops for a look at the clock
)

FRAME = record(
    "variable",
    "mark",  # where the trail stood before the decision
    "value",
    "remaining",  # address of the words of the values that are not tried yet
    "conflicts",  # address of the set of levels that are to blame if all fail
    "scores",  # address of one number for each value, where values are tried least constraining first
)

# ---- kinds of constraints; the first two react only to variables with a single value left
DIFFERENT = 0  # x - y != constant
ALL_DIFFERENT = 1  # x + offset, pairwise; the offsets are the coefficients
EQUAL = 2  # sum of coefficient * x == constant
AT_MOST = 3  # sum of coefficient * x <= constant
UNEQUAL = 4  # sum of coefficient * x != constant
BINARY = 5  # pairs
TABLE = 6  # tuples
PREDICATE = 7  # any Python function, asked when at most one variable is open
MEMBERS = 8  # some of one variable's values
FUNCTION = 9  # x, y, z with z == f(x, y)

# ---- the switches
PLAIN, FORWARD, ARC = 0, 1, 2
INPUT, SMALLEST, SMALLEST_DEGREE, WEIGHTED = 0, 1, 2, 3
ASCENDING, LEAST_CONSTRAINING, RANDOM = 0, 1, 2

# ---- phases of the search, and why it returned
PROPAGATE, SELECT, NEXT_VALUE, FAIL, PROBE, ANSWERED, FINISHED = 0, 1, 2, 3, 4, 5, 6
DONE, BUFFER_FULL, LIMIT_REACHED, ASKING, TRAIL_FULL, STEPPED = 0, 1, 2, 3, 4, 5


class Space(NamedTuple):
    """What every step of a kernel works on: the two records that stand first in their arrays, and the arrays as bare memory."""

    model: Any
    program: Any
    state: Any
    memory: Any
    trail: Any


VARIABLE_WORDS, CONSTRAINT_WORDS, FRAME_WORDS = words_of(VARIABLE), words_of(CONSTRAINT), words_of(FRAME)
LINK_WORDS, TERM_WORDS = words_of(LINK), words_of(TERM)
model_at, state_at = record_at(MODEL), record_at(STATE)
variable_at, constraint_at, frame_at = record_at(VARIABLE), record_at(CONSTRAINT), record_at(FRAME)
link_at, term_at = record_at(LINK), record_at(TERM)


@inlined
def variable_of(space: Any, number: Any) -> Any:
    """The record of a variable."""
    return variable_at(space.program, space.model.variable_table + VARIABLE_WORDS * number)


@inlined
def constraint_of(space: Any, number: Any) -> Any:
    """The record of a constraint."""
    return constraint_at(space.program, space.model.constraint_table + CONSTRAINT_WORDS * number)


@inlined
def term_of(space: Any, constraint: Any, position: Any) -> Any:
    """The variable and the coefficient at one place of a constraint's scope."""
    return term_at(space.program, constraint.scope + TERM_WORDS * position)


@inlined
def link_of(space: Any, variable: Any, number: Any) -> Any:
    """One of the constraints in which a variable occurs."""
    return link_at(space.program, variable.links + LINK_WORDS * number)


@inlined
def frame_of(space: Any, level: Any) -> Any:
    """The frame of a level; level 1 is the first decision."""
    return frame_at(space.memory, space.model.frames + FRAME_WORDS * (level - 1))

