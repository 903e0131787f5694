"""Data tables: arrays that rules read by name, such as a lexicon or the weights of patterns, of any type and of many megabytes.

    WORDS = table("words", load_words, dtype=np.uint32, shape=300_000)

    class Scrabble:
        def actions(self, out): ... WORDS[node + letter] ...

A global NumPy array is frozen into the code: another content means compiling again, and above a megabyte Numba gives the cache up.
A table is not. Compiled code reads it through a symbol which the linker resolves when a kernel is compiled or comes from disk, so
that a fingerprint holds name, type and shape, and the content may change from one run to the next. Uncompiled it is an array.

>>> SQUARES = table("squares", lambda: np.arange(100) ** 2, dtype=np.int16, shape=100)
>>> int(SQUARES[7]), len(SQUARES)
(49, 100)
"""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from outplay.compiling.marks import lock
from outplay.errors import RulesError

_memory: dict[str, tuple[Table, np.ndarray]] = {}
"""The numbers of each symbol, with the table that loaded them: they stay where compiled code reads them until the process ends."""
_on_device: dict[Any, Any] = {}
"""Copies in the memory of the GPU: of tables by their symbol, of a module's large arrays by what they hold."""
ALIGNMENT = 64  # bytes: a line of the processor's cache


def table(name: str, load: Callable[[], Any], *, dtype: Any, shape: int | tuple[int, ...]) -> Table:
    """A table of data for rules: `load()` gives the array, is called when the table is first read, and once.

    The name tells tables of one module apart: one that depends on a parameter of the game says so in its name.
    """
    caller = sys._getframe(1)
    return Table(name, load, np.dtype(dtype), (shape,) if isinstance(shape, int) else tuple(shape),
                 caller.f_globals.get("__name__", ""), caller.f_code.co_name == "<module>")


class Table:
    """Read-only numbers, loaded when they are first needed; index it as the NumPy array that ``array`` is."""

    made = 0  # how many there are: where none is, nobody has to look for them

    def __init__(self, name: str, load: Callable[[], Any], dtype: np.dtype, shape: tuple[int, ...], module: str, top: bool) -> None:
        if dtype.hasobject:
            raise RulesError(f"table {name!r}: dtype must be a type of numbers such as np.int16, got {dtype}")
        self.name, self.dtype, self.shape = name, dtype.newbyteorder("="), shape
        self._load, self._top = load, top
        what = f"{module}:{name}:{self.dtype.descr}:{shape}"
        self.symbol = "outplay_table_" + hashlib.sha256(what.encode()).hexdigest()[:24]
        self._array: np.ndarray | None = None
        Table.made += 1

    @property
    def array(self) -> np.ndarray:
        """The numbers."""
        if self._array is None:
            given = np.asarray(self._load())  # outside: it may compile, and who compiles may wait for us
            with lock:
                self._array = self._array if self._array is not None else self._placed(given)
        return self._array

    def _placed(self, given: np.ndarray) -> np.ndarray:
        """The numbers where compiled code finds them."""
        if given.shape != self.shape:
            raise RulesError(f"table {self.name!r}: load() must give the shape {self.shape}, got {given.shape}")
        if not np.can_cast(given.dtype, self.dtype, "same_kind") and given.dtype.kind + self.dtype.kind not in ("iu", "ui"):
            raise RulesError(f"table {self.name!r}: load() must give {self.dtype}, got {given.dtype}")
        numbers = given.astype(self.dtype)
        if self.dtype.kind in "iu" and given.dtype != self.dtype and not np.array_equal(numbers, given):
            raise RulesError(f"table {self.name!r}: load() gives numbers that {self.dtype} cannot hold")
        if self.symbol not in _memory:
            room = np.zeros(numbers.nbytes + ALIGNMENT, np.uint8)
            begin = -room.ctypes.data % ALIGNMENT
            memory = room[begin : begin + numbers.nbytes].view(self.dtype).reshape(self.shape)
            memory[...] = numbers
            memory.flags.writeable = False
            _memory[self.symbol] = self, memory
        first, memory = _memory[self.symbol]
        if first is not self and memory.tobytes() != numbers.tobytes():
            if not self._top:
                raise RulesError(f"table {self.name!r} exists with other numbers: put what they depend on into the name")
            memory.flags.writeable = True  # the module was run again: compiled code reads on at the same place
            memory[...] = numbers
            memory.flags.writeable = False
            if self.symbol in _on_device:
                _on_device[self.symbol].copy_to_device(memory)
        return memory

    def __getitem__(self, index: Any) -> Any:
        return self.array[index]

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.array)

    @property
    def ndim(self) -> int:
        """How many indices it takes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many numbers it holds."""
        return int(np.prod(self.shape))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self.array if dtype is None else self.array.astype(dtype)

    def __repr__(self) -> str:
        return f"table({self.name!r}, dtype={self.dtype}, shape={self.shape})"


def link(table: Table) -> None:
    """Tell LLVM where the numbers are, before code that reads them is linked."""
    from llvmlite import binding

    binding.add_symbol(table.symbol, table.array.ctypes.data)


def content(symbol: str) -> bytes:
    """The numbers of a table that was loaded, by its symbol."""
    return _memory[symbol][1].tobytes()


@functools.cache
def teach(target: str) -> None:
    """Tell Numba what a table is: an array whose memory has a name."""
    if target == "cpu":
        from numba import types
        from numba.core.datamodel import models
        from numba.core.imputils import lower_constant
        from numba.extending import register_model, typeof_impl
        from numba.np import numpy_support
    else:
        from numba.cuda import types
        from numba.cuda.cudaimpl import lower_constant
        from numba.cuda.datamodel import models
        from numba.cuda.extending import register_model, typeof_impl
        from numba.cuda.np import numpy_support  # type: ignore[no-redef]  # the other target's, by the same name
    from llvmlite import ir

    class TableType(types.Array):
        def __init__(self, table: Table) -> None:
            self.symbol = table.symbol
            super().__init__(numpy_support.from_dtype(table.dtype), table.ndim, "C", readonly=True, name=f"table({table.symbol})")

        @property
        def key(self) -> Any:
            return self.symbol

        def copy(self, dtype: Any = None, ndim: Any = None, layout: Any = None, readonly: Any = None) -> Any:
            whole = dtype is None and ndim is None and layout is None and readonly
            return self if whole else super().copy(dtype, ndim, layout, readonly)  # Numba asks so for a constant

    register_model(TableType)(models.ArrayModel)
    typeof_impl.register(Table)(lambda table, _: TableType(table))
    memory = _named_memory if target == "cpu" else _device_memory

    @lower_constant(TableType)
    def constant(context: Any, builder: Any, kind: Any, table: Table) -> Any:
        array = context.make_array(kind)(context, builder)
        word = context.get_value_type(types.intp)
        strides = [word(table.dtype.itemsize * int(np.prod(table.shape[axis + 1 :]))) for axis in range(table.ndim)]
        context.populate_array(array, data=builder.bitcast(memory(builder, table, ir), array.data.type), strides=strides,
                               shape=[word(each) for each in table.shape], itemsize=word(table.dtype.itemsize), meminfo=None)
        return array._getvalue()


def _named_memory(builder: Any, table: Table, ir: Any) -> Any:
    """The symbol in the code that is being made."""
    link(table)
    known = builder.module.globals.get(table.symbol)
    if known is None:
        known = ir.GlobalVariable(builder.module, ir.ArrayType(ir.IntType(8), table.size * table.dtype.itemsize), table.symbol)
        known.global_constant, known.align = True, ALIGNMENT
    return known


def _device_memory(builder: Any, table: Table, ir: Any) -> Any:
    return on_device(builder, table.symbol, lambda: table.array, ir)


def on_device(builder: Any, key: Any, array: Callable[[], np.ndarray], ir: Any) -> Any:
    """The address of a copy on the GPU; kernels for it are made anew in each process, so that a plain number will do."""
    if key not in _on_device:
        from numba import cuda

        _on_device[key] = cuda.to_device(array())
    address = int(_on_device[key].__cuda_array_interface__["data"][0])
    in_global_memory = ir.Constant(ir.IntType(64), address).inttoptr(ir.PointerType(ir.IntType(8), 1))
    return builder.addrspacecast(in_global_memory, ir.PointerType(ir.IntType(8)))
