"""Four lines of the board at once: a word of bits for each, in the lanes of a vector, takes a processor no longer than one.

In plain Python and on a GPU the same is done line by line. (Vectors for Othello's boards: Edax, Richard Delorme, 2012.)

>>> from outplay.games.othello.boards import lines_of
>>> import numpy as np
>>> with np.errstate(over="ignore"):  # from the corner, two of theirs up to one of mine
...     bin(turned_on(lines_of(8), 0, u64(0b1000), u64(0b0110)))
'0b110'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from outplay.compiling.marks import helpers
from outplay.jit import highest, inlined, u64

ZERO, ONE = u64(0), u64(1)
LANES = 4
"""Of the eight lines of a cell, the first four lead to higher bits."""


@inlined
def flood(mine: Any, through: Any, step: Any) -> Any:
    """The cells just behind a row of `through` that begins next to one of `mine`, both ways along one line."""
    up = through & (mine << step)
    back = through & (mine >> step)
    up |= through & (up << step)
    back |= through & (back >> step)
    pairs_up = through & (through << step)
    pairs_back = pairs_up >> step
    twice = step + step
    up |= pairs_up & (up << twice)
    back |= pairs_back & (back >> twice)
    up |= pairs_up & (up << twice)
    back |= pairs_back & (back >> twice)
    return (up << step) | (back >> step)


def flooded(mine: Any, theirs: Any, middle: Any, size: Any) -> Any:
    """The same along rows, columns and both diagonals together; `middle` is `theirs` without what stands at the sides."""
    return flood(mine, middle, ONE) | flood(mine, theirs, size) | flood(mine, middle, size - ONE) | flood(mine, middle, size + ONE)


def turned_on(lines: Any, cell: Any, mine: Any, theirs: Any) -> Any:
    """The discs of `theirs` that turn when `mine` puts one on a cell, by its eight lines."""
    found = ZERO
    for number in range(LANES):
        line = lines[cell, number]
        # Added to their discs and to all that is not the line, one runs on to the first cell of the line that is not theirs.
        end = ((theirs | ~line) + ONE) & line & mine
        found |= (end - u64(end != ZERO)) & line
    for number in range(LANES, 2 * LANES):
        line = lines[cell, number]
        ends = line & ~theirs
        end = (ONE << u64(highest(ends | ONE))) & ends & mine
        found |= (ZERO - (end + end)) & line
    return found


class _Vectors:
    """Code for vectors of four words."""

    def __init__(self, builder: Any) -> None:
        from llvmlite import ir

        self.ir, self.builder, self.word = ir, builder, ir.IntType(64)
        self.kind = ir.VectorType(self.word, LANES)

    def constant(self, number: int) -> Any:
        return self.ir.Constant(self.kind, [number] * LANES)

    def of(self, *words: Any) -> Any:
        vector = self.ir.Constant(self.kind, self.ir.Undefined)
        for lane, word in enumerate(words):
            vector = self.builder.insert_element(vector, word, self.ir.IntType(32)(lane))
        return vector

    def zeros_before(self, vector: Any) -> Any:
        """How many zeros each word begins with; none may be zero."""
        from numba.core import cgutils

        bit = self.ir.IntType(1)
        kind = self.ir.FunctionType(self.kind, [self.kind, bit])
        count = cgutils.get_or_insert_function(self.builder.module, kind, f"llvm.ctlz.v{LANES}i64")
        return self.builder.call(count, [vector, bit(1)])

    def any_of(self, vector: Any) -> Any:
        """The bits that any of the four words has."""
        pick, none = self.ir.IntType(32), self.ir.Constant(self.kind, self.ir.Undefined)
        for far in (2, 1):
            mask = self.ir.Constant(self.ir.VectorType(pick, LANES), [(lane ^ far) for lane in range(LANES)])
            vector = self.builder.or_(vector, self.builder.shuffle_vector(vector, none, mask))
        return self.builder.extract_element(vector, pick(0))


def _floods(target: str) -> Callable:
    """How to type `flooded` for a target."""
    if target != "cpu":
        return lambda mine, theirs, middle, size: flooded
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def run(typing_context: Any, mine: Any, theirs: Any, middle: Any, size: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            vectors = _Vectors(builder)
            mine, theirs, middle, size = args
            one = vectors.word(1)
            step = vectors.of(one, size, builder.sub(size, one), builder.add(size, one))
            twice = builder.add(step, step)
            through, own = vectors.of(middle, theirs, middle, middle), vectors.of(mine, mine, mine, mine)
            up, back = builder.and_(through, builder.shl(own, step)), builder.and_(through, builder.lshr(own, step))
            up = builder.or_(up, builder.and_(through, builder.shl(up, step)))
            back = builder.or_(back, builder.and_(through, builder.lshr(back, step)))
            pairs_up = builder.and_(through, builder.shl(through, step))
            pairs_back = builder.lshr(pairs_up, step)
            for _ in range(2):
                up = builder.or_(up, builder.and_(pairs_up, builder.shl(up, twice)))
                back = builder.or_(back, builder.and_(pairs_back, builder.lshr(back, twice)))
            return vectors.any_of(builder.or_(builder.shl(up, step), builder.lshr(back, step)))

        return types.uint64(types.uint64, types.uint64, types.uint64, types.uint64), generate

    return lambda mine, theirs, middle, size: lambda mine, theirs, middle, size: run(mine, theirs, middle, size)


def _turns(target: str) -> Callable:
    """How to type `turned_on` for a target."""
    if target != "cpu":
        return lambda lines, cell, mine, theirs: turned_on
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def run(typing_context: Any, lines: Any, cell: Any, mine: Any, theirs: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            vectors = _Vectors(builder)
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            mine, theirs = (vectors.of(word, word, word, word) for word in args[2:])
            first = builder.mul(args[1], vectors.word(2 * LANES))
            ahead, behind = (builder.load(builder.bitcast(builder.gep(data, [builder.add(first, vectors.word(at))]),
                                                          vectors.kind.as_pointer()), align=8) for at in (0, LANES))
            none, one = vectors.constant(0), vectors.constant(1)
            end = builder.add(builder.or_(theirs, builder.not_(ahead)), one)
            end = builder.and_(builder.and_(end, ahead), mine)
            is_end = builder.sext(builder.icmp_unsigned("!=", end, none), vectors.kind)  # -1 where there is one
            found = builder.and_(builder.add(end, is_end), ahead)
            ends = builder.and_(behind, builder.not_(theirs))
            before = vectors.zeros_before(builder.or_(ends, one))
            end = builder.and_(builder.lshr(vectors.constant(1 << 63), before), builder.and_(ends, mine))
            back = builder.and_(builder.sub(none, builder.add(end, end)), behind)
            return vectors.any_of(builder.or_(found, back))

        return types.uint64(lines, types.uint64, types.uint64, types.uint64), generate

    return lambda lines, cell, mine, theirs: lambda lines, cell, mine, theirs: run(lines, u64(cell), mine, theirs)


helpers += [(flooded, _floods), (turned_on, _turns)]
