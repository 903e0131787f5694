"""Words that several threads count in or take at the same moment, each step of which no other thread can come between.

>>> import numpy as np
>>> numbers = np.array([5, -1])
>>> claim(numbers, 0, 3), int(numbers[0])
(5, 8)
>>> exchange(numbers, 1, -1, 7), exchange(numbers, 1, -1, 9), int(numbers[1])
(True, False, 7)

Whole numbers and fractions alike, and the fields of records: `claim(nodes["visits"], node, 1)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from outplay.compiling.marks import helpers


def claim(numbers: Any, at: Any, amount: Any) -> Any:
    """Add to a number, and return what it was before; adding 0 reads what other threads wrote."""
    before = numbers[at].item()
    numbers[at] = before + amount
    return before


def exchange(numbers: Any, at: Any, expected: Any, wanted: Any) -> Any:
    """Write a number if it is as expected; returns whether it was."""
    if numbers[at] != expected:
        return False
    numbers[at] = wanted
    return True


def _place(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Where the number lies; those of a field lie as far apart as the records do."""
    array = context.make_array(signature.args[0])(context, builder, args[0])
    if signature.args[0].layout == "C":
        return builder.gep(array.data, [args[1]])
    from llvmlite import ir

    start = builder.bitcast(array.data, ir.IntType(8).as_pointer())
    here = builder.gep(start, [builder.mul(args[1], builder.extract_value(array.strides, 0))])
    return builder.bitcast(here, array.data.type)


def _claims(target: str) -> Callable:
    """How to type `claim`."""
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def run(typing_context: Any, numbers: Any, at: Any, amount: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            add = "add" if isinstance(numbers.dtype, types.Integer) else "fadd"
            return builder.atomic_rmw(add, _place(context, builder, signature, args), args[2], "seq_cst")

        return numbers.dtype(numbers, types.int64, numbers.dtype), generate

    return lambda numbers, at, amount: lambda numbers, at, amount: run(numbers, at, amount)


def _exchanges(target: str) -> Callable:
    """How to type `exchange`."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def run(typing_context: Any, numbers: Any, at: Any, expected: Any, wanted: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place, expected, wanted = _place(context, builder, signature, args), args[2], args[3]
            if isinstance(numbers.dtype, types.Float):  # compared bit by bit
                word = ir.IntType(numbers.dtype.bitwidth)
                place = builder.bitcast(place, word.as_pointer())
                expected, wanted = builder.bitcast(expected, word), builder.bitcast(wanted, word)
            return builder.extract_value(builder.cmpxchg(place, expected, wanted, "seq_cst", "seq_cst"), 1)

        return types.boolean(numbers, types.int64, numbers.dtype, numbers.dtype), generate

    return lambda numbers, at, expected, wanted: lambda numbers, at, expected, wanted: run(numbers, at, expected, wanted)


helpers += [(claim, _claims), (exchange, _exchanges)]
