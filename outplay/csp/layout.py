"""How a model lies in memory: one read-only array of integers for the model, one for the search, one for the trail.

The kernels are compiled once for all models, so a model is data. ``program`` holds a header, one record a variable, one record
a constraint, and the supports of tables. ``memory`` holds the state of one search: the domains as bitsets, the queues, the stack
of decisions. ``trail`` remembers overwritten words as pairs (address, old word), so that backtracking undoes exactly what changed.
Every number is an int64; a word of a bitset uses all of its 64 bits.
"""

from __future__ import annotations

# ---- the header of a program: counts, then offsets into `memory`
VARIABLES = 0  # variables in all, the helpers of expressions included
DECISIONS = 1  # the first so many variables are the user's own; the others follow from them
CONSTRAINTS = 2
VARIABLE_TABLE = 3  # offsets into `program`
CONSTRAINT_TABLE = 4
LEVEL_WORDS = 5  # words of one set of levels; 0 switches backjumping off
WIDEST = 6  # words of the widest domain
MOST_VALUES = 7  # values of the widest domain where value scores are kept, else 0
STAMPS = 8  # distance from a trailed word to its stamp
TRAILED = 9  # how many words are trailed
QUEUE = 10  # stack of variables whose domain shrank, then one flag each
TASKS = 11  # ring of constraints to propagate, then one of all-different matchings, then one flag each
ACTIVE = 12  # one flag a constraint
CHOSEN = 13  # index of the value of each assigned variable, -1 for none
WEIGHTS = 14  # how often each variable took part in a failure
CULPRITS = 15  # one set of levels a variable: the decisions behind its present domain
REASON = 16  # the set of levels behind what is being pruned now
ANSWER = 17  # a domain that a Python predicate left over
FRAMES = 18
FRAME_SIZE = 19
SCRATCH = 20
DEGREES = 21  # offset into `program`: with how many others each variable is linked
HEADER = 24

# ---- a variable's record in `program`
ADDRESS = 0  # of its first domain word in `memory`
WORDS = 1
VALUES = 2  # offset of its codes in `program`, or -1 when they are base, base + 1, ...
BASE = 3
COUNT = 4
LINKS = 5  # offset of its pairs (constraint, position in the scope)
LINK_COUNT = 6
VARIABLE_SIZE = 7

# ---- a constraint's record in `program`
KIND = 0
ARITY = 1
CONSTANT = 2
EXTRA = 3
EXTRA2 = 4
EXTRA3 = 5
SCOPE = 6  # pairs (variable, coefficient)

# ---- kinds of constraints; the first two react only to variables with a single value left
DIFFERENT = 0  # x - y != constant
ALL_DIFFERENT = 1  # x + offset, pairwise; constant: lowest column, EXTRA: words of columns, EXTRA2: its matching, EXTRA3: use it
EQUAL = 2  # sum of coefficient * x == constant
AT_MOST = 3  # sum of coefficient * x <= constant
UNEQUAL = 4  # sum of coefficient * x != constant
BINARY = 5  # pairs; EXTRA: the words of y that each value of x allows, EXTRA2: the other way round
TABLE = 6  # tuples; constant: words of the set of tuples, EXTRA: the tuples still possible; a coefficient is the offset of supports
PREDICATE = 7  # any Python function, asked when at most one variable is open; EXTRA: a flag "asked already"
MEMBERS = 8  # some of one variable's values; EXTRA: the words of those allowed
FUNCTION = 9  # x, y, z with z == f(x, y); constant: which function

# ---- the state at the start of `memory`
PHASE = 0
LEVEL = 1
TRAIL_TOP = 2
STAMP = 3
NODES = 4
FAILURES = 5
FOUND = 6
NODE_LIMIT = 7
PROPAGATION = 8
ORDER = 9
VALUE_ORDER = 10
STEPPING = 11
OBJECTIVE = 12  # the constraint whose constant falls with each solution, -1 for none
RESTART_AT = 13  # failures until the next restart, 0 for never
QUEUED = 14  # variables on the queue
TASK_HEAD = 16
TASK_TAIL = 17
MATCHING_HEAD = 18
MATCHING_TAIL = 19
CAUSE = 20  # the constraint that failed or that asks
ASKED = 21  # the open variable of a predicate, -1 for none
PROBED = 22  # the value whose effect is being tried
ROWS = 23  # solutions that fit in the buffer, 0 to count only
FILLED = 24  # solutions in the buffer
SINCE_RESTART = 26
PRUNED = 27  # domain words that propagation made smaller
BOUND = 28  # the constant of the objective constraint
WORK = 29  # about how many words were looked at
WORK_LIMIT = 30  # where the kernel stops for a look at the clock
STATE = 32

# ---- a frame of the stack of decisions
FRAME_VARIABLE = 0
FRAME_MARK = 1
FRAME_VALUE = 2
FRAME_REMAINING = 3  # WIDEST words, then LEVEL_WORDS words of the conflict set, then MOST_VALUES scores

# ---- the switches
PLAIN, FORWARD, ARC = 0, 1, 2
INPUT, SMALLEST, SMALLEST_DEGREE, WEIGHTED = 0, 1, 2, 3
ASCENDING, LEAST_CONSTRAINING, RANDOM = 0, 1, 2

# ---- phases of the search, and why it returned
PROPAGATE, SELECT, NEXT_VALUE, FAIL, PROBE, ANSWERED, FINISHED = 0, 1, 2, 3, 4, 5, 6
DONE, BUFFER_FULL, LIMIT_REACHED, ASKING, TRAIL_FULL, STEPPED = 0, 1, 2, 3, 4, 5
