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


def _copy_fields(context: Any, builder: Any, record: Any, to: Any, at: Any) -> None:
    """Code that copies the fields of a record from one address to another, one by one."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils

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
    from numba.extending import intrinsic

    @intrinsic
    def run(typing_context: Any, records: Any, target: Any, source: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            record = signature.args[0].dtype
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            bytes_of = builder.bitcast(data, ir.IntType(8).as_pointer())
            size = ir.IntType(64)(record.size)
            to, at = (builder.gep(bytes_of, [builder.mul(arg, size)]) for arg in args[1:])
            _copy_fields(context, builder, record, to, at)
            return context.get_dummy_value()

        return types.void(records, types.uint64, types.uint64), generate

    return lambda records, target, source: lambda records, target, source: run(records, target, source)


helpers += [(copy_record, _by_fields)]


def record_of(records: Any) -> Any:
    """A record of the kernel's own, like those of an array, with nothing in it yet (see ``load_record``).

    Nobody else can know its address: so the compiler keeps its fields in registers, where a game is played to its end in one loop.
    """
    return records[:1].copy()[0]


def load_record(record: Any, records: Any, at: Any) -> None:
    """Copy a record of an array into one of the kernel's own, field by field."""
    for name in record.dtype.names:
        record[name] = records[at][name]


def _on_the_stack(target: str) -> None:
    """Teach Numba ``record_of`` for the CPU; kernels for GPUs have `cuda.local.array`.

    As code of the kernel itself and not of a helper: what stands on a helper's stack is gone when the helper returns, and LLVM
    gives its place to something else, even where the helper was inlined.
    """
    if target != "cpu":
        return
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import lower_builtin, type_callable

    @type_callable(record_of)
    def choose(typing_context: Any) -> Callable:
        return lambda records: records.dtype

    @lower_builtin(record_of, types.Array)
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # The fields by their types, and what lies between: LLVM keeps a row of bytes apart byte by byte.
        record, parts, end = signature.return_type, [], 0
        for field in sorted(record.fields.values(), key=lambda field: field.offset):
            row = isinstance(field.type, types.NestedArray)
            size = field.type.nitems * field.type.size if row else context.get_abi_sizeof(context.get_data_type(field.type))
            parts.append(ir.ArrayType(ir.IntType(8), field.offset - end))
            parts.append(ir.ArrayType(ir.IntType(8), size) if row else context.get_data_type(field.type))
            end = field.offset + size
        parts.append(ir.ArrayType(ir.IntType(8), record.size - end))
        place = cgutils.alloca_once(builder, ir.LiteralStructType(parts, packed=True))
        place.align = 16
        return builder.bitcast(place, context.get_value_type(signature.return_type))


def _into(target: str) -> Callable:
    """How to type ``load_record`` for the CPU."""
    if target != "cpu":
        return lambda record, records, at: None
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def run(typing_context: Any, record: Any, records: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind, byte = signature.args[0], ir.IntType(8).as_pointer()
            data = builder.bitcast(context.make_array(signature.args[1])(context, builder, args[1]).data, byte)
            source = builder.gep(data, [builder.mul(args[2], ir.IntType(64)(kind.size))])
            _copy_fields(context, builder, kind, builder.bitcast(args[0], byte), source)
            return context.get_dummy_value()

        return types.void(record, records, types.uint64), generate

    return lambda record, records, at: lambda record, records, at: run(record, records, at)


helpers += [(record_of, _on_the_stack), (load_record, _into)]
