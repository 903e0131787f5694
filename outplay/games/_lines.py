"""Lines of four along rows, columns and both diagonals at once: a word of bits for each, in the lanes of a vector.

A quarter of the instructions that one direction after the other takes, which is what the processor has not enough of in a game of
connect four: the test is made for every position. In plain Python and on a GPU it is done line by line.

>>> bool(has_four(u64(0b1111), u64(7))), bool(has_four(u64(0b10111), u64(7)))
(True, False)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from outplay.compiling.marks import helpers
from outplay.jit import u64

ZERO, ONE, TWO = u64(0), u64(1), u64(2)


def has_four(discs: Any, tall: Any) -> Any:
    """Whether four of the bits stand in a line, where columns are so many bits apart."""
    found = ZERO
    for step in (ONE, tall, tall - ONE, tall + ONE):
        pairs = discs & (discs >> step)
        found |= pairs & (pairs >> (step * TWO))
    return found != ZERO


def _in_lanes(target: str) -> Callable:
    """How to type `has_four` for a target."""
    if target != "cpu":
        return lambda discs, tall: has_four
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def run(typing_context: Any, discs: Any, tall: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word, lane = ir.IntType(64), ir.IntType(32)
            kind = ir.VectorType(word, 4)

            def vector(*words: Any) -> Any:
                made = ir.Constant(kind, ir.Undefined)
                for number, each in enumerate(words):
                    made = builder.insert_element(made, each, lane(number))
                return made

            discs, tall = args
            step = vector(word(1), tall, builder.sub(tall, word(1)), builder.add(tall, word(1)))
            all_discs = vector(discs, discs, discs, discs)
            pairs = builder.and_(all_discs, builder.lshr(all_discs, step))
            fours = builder.and_(pairs, builder.lshr(pairs, builder.add(step, step)))
            found = builder.icmp_unsigned("!=", fours, ir.Constant(kind, [0] * 4))
            four_bits = ir.IntType(4)
            return builder.icmp_unsigned("!=", builder.bitcast(found, four_bits), four_bits(0))

        return types.boolean(types.uint64, types.uint64), generate

    return lambda discs, tall: lambda discs, tall: run(discs, tall)


helpers.append((has_four, _in_lanes))
