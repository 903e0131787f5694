"""What LLVM does in one instruction and Python has no word for: bits of a word, bare memory, a hint to the processor.

>>> popcount(u64(0b1011)), lowest(u64(0b1000))
(3, 3)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from outplay.compiling.marks import helpers, u64


def popcount(bits: Any) -> int:
    """How many bits are set."""
    return int(bits).bit_count()


def lowest(bits: Any) -> int:
    """The index of the lowest set bit; 64 for none."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1 if bits else 64


def highest(bits: Any) -> int:
    """The index of the highest set bit; -1 for none."""
    return int(bits).bit_length() - 1


def byteswap(bits: Any) -> Any:
    """The word with its eight bytes in reverse order: a chess board turned upside down."""
    return u64(int.from_bytes(int(bits).to_bytes(8, "little"), "big"))


def _llvm(operation: str) -> Callable:
    """How to type one of LLVM's own bit operations for a target."""

    def typer(target: str) -> Callable:
        if target == "cpu":
            from numba import types
            from numba.core import cgutils
            from numba.extending import intrinsic
        else:
            from numba.cuda import cgutils, types
            from numba.cuda.extending import intrinsic

        @intrinsic
        def run(typing_context: Any, bits: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                if operation == "cttz":
                    return builder.cttz(args[0], cgutils.false_bit)
                if operation == "ctlz":
                    zeros_before = builder.ctlz(args[0], cgutils.false_bit)
                    return builder.sub(context.get_constant(types.int64, 63), zeros_before)
                return getattr(builder, operation)(args[0])

            return (types.uint64 if operation == "bswap" else types.int64)(types.uint64), generate

        def choose(bits: Any) -> Callable:
            return lambda bits: run(u64(bits))

        return choose

    return typer


helpers += [(popcount, _llvm("ctpop")), (lowest, _llvm("cttz")), (highest, _llvm("ctlz")), (byteswap, _llvm("bswap"))]


def pointer(numbers: Any) -> Any:
    """The bare memory of an array, read and written as before but without wrap-around tests: large kernels compile faster over it.

    In plain Python it is the array itself.
    """
    return numbers


def _bare(target: str) -> Callable:
    """How to type ``pointer`` for a target."""
    if target == "cpu":
        from numba import types
        from numba.extending import intrinsic
    else:
        from numba.cuda import types
        from numba.cuda.extending import intrinsic

    @intrinsic
    def run(typing_context: Any, numbers: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return context.make_array(signature.args[0])(context, builder, args[0]).data

        return types.CPointer(numbers.dtype)(numbers), generate

    return lambda numbers: lambda numbers: run(numbers)


helpers += [(pointer, _bare)]


def prefetch(numbers: Any, at: Any) -> None:
    """Tell the processor that this place of an array will be read soon; in plain Python there is nothing to tell."""


def _fetched(target: str) -> Callable:
    """How to type ``prefetch`` for a target: a hint to the CPU, nothing elsewhere."""
    if target != "cpu":
        return lambda numbers, at: lambda numbers, at: None
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def run(typing_context: Any, numbers: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = builder.gep(context.make_array(signature.args[0])(context, builder, args[0]).data, [args[1]])
            word = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [place.type, word, word, word])
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            builder.call(function, [place, word(0), word(3), word(1)])  # to read, into all caches, as data
            return context.get_dummy_value()

        return types.void(numbers, types.uint64), generate

    return lambda numbers, at: lambda numbers, at: run(numbers, at)


helpers += [(prefetch, _fetched)]


def copy_record(records: Any, target: Any, source: Any) -> None:
    """Copy one record of an array over another, field by field.

    As a block, a field just written would be read as a part of something larger, which the processor has to wait for; and the
    compiler would not know that a field which is written anew need not be copied.
    """
    records[target] = records[source]


def _by_fields(target: str) -> Callable:
    """How to type ``copy_record`` for a target."""
    if target != "cpu":
        def block(records: Any, target: Any, source: Any) -> None:
            records[target] = records[source]

        return lambda records, target, source: block
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def run(typing_context: Any, records: Any, target: Any, source: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            record = signature.args[0].dtype
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            bytes_of = builder.bitcast(data, ir.IntType(8).as_pointer())
            size = ir.IntType(64)(record.size)
            to, at = (builder.gep(bytes_of, [builder.mul(arg, size)]) for arg in args[1:])
            for field in record.fields.values():
                offset = ir.IntType(64)(field.offset)
                here, there = builder.gep(at, [offset]), builder.gep(to, [offset])
                if isinstance(field.type, types.NestedArray):
                    cgutils.raw_memcpy(builder, there, here, ir.IntType(64)(field.type.nitems * field.type.size), 1)
                else:
                    kind = context.get_data_type(field.type)
                    align = field.alignment or context.get_abi_sizeof(kind)
                    value = builder.load(builder.bitcast(here, kind.as_pointer()), align=align)
                    builder.store(value, builder.bitcast(there, kind.as_pointer()), align=align)
            return context.get_dummy_value()

        return types.void(records, types.uint64, types.uint64), generate

    return lambda records, target, source: lambda records, target, source: run(records, target, source)


helpers += [(copy_record, _by_fields)]
