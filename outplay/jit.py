"""Numba's home, with `pipeline`: what is compiled, how compiled code finds the rules of a game, and when a compiled thing is stale.

Three ways to mark a function, and each stays callable in plain Python, so that everything also runs uncompiled:

* ``@inlined`` for helpers that rules and kernels call (registered for every target, CPU and CUDA alike);
* ``@kernel`` for functions entered from Python (compiled per game on first call, cached on disk, without the GIL);
* ``bind`` for the methods of a game: compiled code that meets ``state.play(action)`` looks the method up by the type of the
  state (a NumPy record), the way C++ would by templates.

A kernel's cache file carries a fingerprint of every function that the kernel reaches and a hash of the files that say how kernels
are compiled, and the record type of a game carries a fingerprint of its rules, so an edited rule, helper, kernel or parameter never
meets stale code. Numba itself is imported when the first kernel runs: listing or showing a game does not pay for it.

>>> popcount(u64(0b1011)), lowest(u64(0b1000))
(3, 3)
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import os
import sys
import tempfile
import threading
import types as pytypes
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from outplay.pipeline import pipeline, quickly

u8, u16, u32, u64 = np.uint8, np.uint16, np.uint32, np.uint64
i8, i16, i32, i64 = np.int8, np.int16, np.int32, np.int64
f32, f64 = np.float32, np.float64

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")

_lock = threading.RLock()
_helpers: list[tuple[Callable, Callable | None]] = []  # (function, its typing function, or None for the function itself)
_methods: dict[str, dict[Any, Callable]] = {}  # method name -> {record type: plain function}
_registered: dict[str, set[Any]] = {"cpu": set(), "cuda": set()}
_always_small: set[Callable] = set()
_never_small: set[Callable] = set()
_watchers: list[Callable[[str], None]] = []


class Array:
    """The type of a field that holds several numbers: ``cells: Array[i8, 9]``, ``board: Array[u64, 2, 6]``."""

    def __class_getitem__(cls, item: Any) -> tuple[Any, tuple[int, ...]]:
        """The NumPy sub-array type of that element type and shape."""
        kind, *shape = item
        return kind, tuple(shape)


def inlined(function: Callable) -> Callable:
    """Make a plain function callable from compiled code too, where it is inlined."""
    _helpers.append((function, None))
    return function


def always_inlined(function: Callable) -> Callable:
    """The same for a large step of a kernel: a call would copy the descriptions of all the arrays it takes."""
    _always_small.add(function)
    return inlined(function)


def called(function: Callable) -> Callable:
    """Mark a helper or method that is used in several places of one function: compiled once and called, not inlined each time."""
    _never_small.add(function)
    return function


def kernel(function: Callable) -> Kernel:
    """Make a function a kernel: entered from Python, compiled for the types it is called with, cached on disk."""
    return Kernel(function)


class Kernel:
    """A function that is compiled on first use; ``python`` is the plain function, for running uncompiled."""

    def __init__(self, function: Callable) -> None:
        functools.update_wrapper(self, function)
        self.python = function
        self._compiled: Callable | None = function if UNCOMPILED else None

    def __call__(self, *args: Any) -> Any:
        """Run it, compiling on first use."""
        if self._compiled is None:
            self._compiled = self._compile()
        return self._compiled(*args)

    def _compile(self) -> Callable:
        with _lock:
            import numba

            # No reference counting (_nrt): kernels allocate nothing, and counting references to their arguments halves the speed.
            dispatcher = numba.njit(error_model="numpy", nogil=True, _nrt=False, pipeline_class=pipeline())(self.python)
            dispatcher._cache = _disk_cache(self.python)
            dispatcher.compile = quickly(dispatcher.compile)
            return dispatcher


def cuda_module() -> Any:
    """The module `numba.cuda`, told of every helper and method; raises ImportError where it is not installed."""
    with _lock:
        if not hasattr(np, "row_stack"):  # NumPy 2.5 dropped the name, which numba-cuda still imports
            np.row_stack = np.vstack  # noqa: NPY201  (that is the point)
        from numba import cuda

        if not cuda_is_simulated():
            from numba.cuda.dispatcher import config

            config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a few games need few blocks
            _register_for("cuda")
        return cuda


def cuda_is_simulated() -> bool:
    """Whether CUDA kernels run in Numba's simulator, as plain Python (NUMBA_ENABLE_CUDASIM=1)."""
    from numba.core import config

    return bool(config.ENABLE_CUDASIM)


# ---------------------------------------------------------------- dispatch by the type of the state


def record_type(layout: np.dtype) -> Any:
    """Numba's type for one record of this layout."""
    from numba.np import numpy_support

    return numpy_support.from_dtype(layout)


def bind(layout: np.dtype, methods: dict[str, Callable]) -> None:
    """Let compiled code call these methods on records of this layout (done late: it needs Numba)."""
    if UNCOMPILED:
        return
    with _lock:
        kind = record_type(layout)
        for name, function in methods.items():
            _methods.setdefault(name, {})[kind] = function
        for target, done in _registered.items():
            if done:
                _register_for(target)


def _register_for(target: str) -> None:
    """Tell Numba of every helper and method that it has not been told of."""
    done = _registered[target]
    options: dict[str, Any] = {"strict": False, "target": target}
    _let_records_have_methods(target)
    for function, typer in _helpers:
        if function not in done:
            done.add(function)
            choose = typer(target) if typer else _always(function)
            _overload(target)(function, **_with_inlining(options, _is_small(function)))(choose)
    for name, functions in list(_methods.items()):
        if target == "cuda":
            if name not in done:
                done.add(name)
                _register_cuda_method(name, options)
            continue
        for shape in {_shape(function) for function in functions.values()}:
            if (name, shape) not in done:
                done.add((name, shape))
                _register_method(name, shape, options)


def _overload(target: str) -> Callable:
    if target == "cpu":
        from numba.extending import overload
    else:
        from numba.cuda.extending import overload
    return overload


def _is_small(function: Callable) -> bool:
    """Whether to force inlining: twice as fast for small functions, and only longer to compile for large ones.

    Measured on random games of Go: forced everywhere 17 s to compile, by this limit 5 s, at the same speed.
    """
    return function not in _never_small and (function in _always_small or len(function.__code__.co_code) < 600)


def _with_inlining(options: dict[str, Any], forced: bool) -> dict[str, Any]:
    """Numba's options for a function that only compiled code calls: no wrappers for Python, no reference counting."""
    if options["target"] == "cuda":
        return options
    wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    shared = {"error_model": "numpy", "_nrt": False, "pipeline_class": pipeline()}
    return {**options, "jit_options": {"forceinline": forced, **shared, **wrappers}}


def _shape(function: Callable) -> tuple[int, bool]:
    return function.__code__.co_argcount, _is_small(function)


def _register_method(name: str, shape: tuple[int, bool], options: dict[str, Any]) -> None:
    """Register a method name for all records whose method of that name takes as many arguments and is inlined alike.

    Numba's `overload_method` knows one signature a name, which would send every method through a wrapper of its own.
    """
    from numba import types
    from numba.core.typing.templates import infer_getattr, make_overload_method_template

    def find(record: Any) -> Callable | None:
        function = _methods[name].get(record)
        return function if function is not None and _shape(function) == shape else None

    def choose(self: Any, *args: Any) -> Callable | None:
        return find(self)

    names = ["self", *(f"argument_{i}" for i in range(1, shape[0]))]
    parameters = [inspect.Parameter(each, inspect.Parameter.POSITIONAL_OR_KEYWORD) for each in names]
    choose.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # Numba reads it
    options = _with_inlining(options, forced=shape[1])
    own = f"{name} {shape}"  # Numba keeps one implementation a name: another shape's would not know this one's records
    template = make_overload_method_template(types.Record, own, choose, inline="never", prefer_literal=False, **options)
    resolve = template._resolve
    template._resolve = lambda self, kind, attribute: resolve(self, kind, own) if attribute == name and find(kind) else None
    infer_getattr(template)
    _overload("cpu")(choose, **options)(choose)


def _register_cuda_method(name: str, options: dict[str, Any]) -> None:
    """Methods of one name may take different arguments in different games, hence the detour over a star."""
    from numba import cuda
    from numba.cuda import types
    from numba.cuda.extending import overload_method

    compiled: dict[Any, Callable] = {}

    def choose(self: Any, *args: Any) -> Callable | None:
        function = _methods[name].get(self)
        if function is None:
            return None
        inner = compiled.setdefault(self, cuda.jit(device=True, forceinline=True)(function))
        return lambda self, *args: inner(self, *args)

    overload_method(types.Record, name, **options)(choose)


def _let_records_have_methods(target: str) -> None:
    """Numba takes every attribute of a record for a field and fails on others; those must be looked up further, as methods.

    A field comes first: one game's field may have the name of another game's method.
    """
    if target == "cpu":
        from numba.core.typing import arraydecl
    else:
        from numba.cuda.typing import arraydecl

    def field_type(self: Any, record: Any, attribute: str) -> Any:
        return record.typeof(attribute) if attribute in record.fields else None

    arraydecl.RecordAttribute.generic_resolve = field_type
    arraydecl.RecordAttribute.metadata = {"target": target}  # as specific as our methods, and registered before them


def _always(function: Callable) -> Callable:
    def choose(*args: Any) -> Callable:
        return function

    choose.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]  # Numba folds arguments by it
    return choose


# ---------------------------------------------------------------- words of 64 bits


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


_helpers += [(popcount, _llvm("ctpop")), (lowest, _llvm("cttz")), (highest, _llvm("ctlz")), (byteswap, _llvm("bswap"))]


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


_helpers += [(pointer, _bare)]


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


_helpers += [(prefetch, _fetched)]


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


_helpers += [(copy_record, _by_fields)]


# ---------------------------------------------------------------- random numbers, always explicit


def random_source(seed: int) -> np.ndarray:
    """A source of random numbers for ``below`` and ``uniform``: one word, the same everywhere for the same seed."""
    source = np.array([u64(seed % 2**64)])
    with np.errstate(over="ignore"):
        source[0] = mix(source[0] + u64(0x9E3779B97F4A7C15))
    return source


@inlined
def mix(word: Any) -> Any:
    """Scramble one word (the finalizer of SplitMix64, Steele, Lea and Flood 2014): the base of hashes and random numbers."""
    word = (word ^ (word >> u64(30))) * u64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> u64(27))) * u64(0x94D049BB133111EB)
    return word ^ (word >> u64(31))


@inlined
def next_word(source: Any) -> Any:
    """Sixty-four random bits (SplitMix64)."""
    source[0] = source[0] + u64(0x9E3779B97F4A7C15)
    return mix(source[0])


@inlined
def below(source: Any, n: Any) -> Any:
    """A random whole number from 0 to n - 1 (by multiplication, Lemire 2019; the bias is below n / 2**32)."""
    return i64(((next_word(source) >> u64(32)) * u64(n)) >> u64(32))


@inlined
def uniform(source: Any) -> Any:
    """A random number from 0 up to but not including 1."""
    return f64(next_word(source) >> u64(11)) * 1.1102230246251565e-16


# ---------------------------------------------------------------- fingerprints and the cache on disk


def fingerprint(*things: Any) -> str:
    """A short hash of functions and of everything they reach: helpers, constants, tables, closures.

    >>> fingerprint(mix) == fingerprint(mix), fingerprint(mix) == fingerprint(below)
    (True, False)
    """
    digest = hashlib.sha256()
    seen: set[int] = set()

    def add(thing: Any, reached: frozenset[str] = frozenset()) -> None:
        if isinstance(thing, Kernel):
            thing = thing.python
        if isinstance(thing, staticmethod | classmethod):
            thing = thing.__func__
        if isinstance(thing, pytypes.FunctionType):
            if id(thing) in seen:
                return
            seen.add(id(thing))
            if _is_ours(thing.__module__):
                add_code(thing.__code__)
                names = frozenset(_names(thing.__code__))
                for name in sorted(names):
                    if name in thing.__globals__:
                        add(thing.__globals__[name], names)
                for cell in thing.__closure__ or ():
                    with contextlib.suppress(ValueError):  # a cell not filled yet
                        add(cell.cell_contents, names)
                add(thing.__defaults__)
        elif isinstance(thing, pytypes.ModuleType):
            if _is_ours(thing.__name__):
                for name in sorted(reached & vars(thing).keys()):
                    add(vars(thing)[name], reached)
        elif isinstance(thing, np.ndarray):
            digest.update(f"{thing.dtype.str}{thing.shape}".encode() + thing.tobytes())
        elif isinstance(thing, tuple | list):
            digest.update(f"{type(thing).__name__}{len(thing)}".encode())
            for item in thing:
                add(item, reached)
        elif isinstance(thing, bool | int | float | str | bytes | np.generic | np.dtype | type(None)):
            digest.update(f"{type(thing).__name__}:{thing!r};".encode())
        elif isinstance(thing, type):
            digest.update(thing.__qualname__.encode())

    def add_code(code: pytypes.CodeType) -> None:
        digest.update(code.co_code + repr(code.co_names).encode() + repr(code.co_varnames).encode())
        for constant in code.co_consts:
            if isinstance(constant, pytypes.CodeType):
                add_code(constant)
            else:
                digest.update(repr(constant).encode())

    for thing in things:
        add(thing)
    return digest.hexdigest()[:16]


def _names(code: pytypes.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, pytypes.CodeType):
            yield from _names(constant)


@functools.cache
def _is_ours(module: str | None) -> bool:
    """Whether a module's code belongs in a fingerprint: NumPy, Numba and Python itself do not (Numba checks its own version)."""
    if module is None:
        return True
    top = module.partition(".")[0]
    return top not in {"numpy", "numba", "builtins", "math"} and top not in sys.stdlib_module_names - {"__main__"}


@functools.cache
def _way_of_compiling() -> str:
    """A hash of the two files that say how a kernel is compiled: fingerprints do not reach the code generators there."""
    files = Path(__file__), Path(__file__).with_name("pipeline.py")
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels are kept: ``OUTPLAY_CACHE``, else the user's cache folder, else a temporary one."""
    chosen = os.environ.get("OUTPLAY_CACHE")
    base = Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "outplay"
    try:
        base.mkdir(parents=True, exist_ok=True)
        if os.access(base, os.W_OK):
            return base
    except OSError:
        pass
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    base = Path(tempfile.gettempdir()) / f"outplay-{owner}"
    base.mkdir(parents=True, exist_ok=True)
    return base


def _disk_cache(function: Callable) -> Any:
    """Numba's cache for this function, kept in our folder and stamped by what the function reaches, not by its file's date."""
    from numba.core import caching
    from numba.core.runtime import rtsys

    stamp = fingerprint(function) + _way_of_compiling()
    source = Path(function.__code__.co_filename)

    class Locator(caching._CacheLocator):
        def get_cache_path(self) -> str:
            return str(cache_folder())

        def get_source_stamp(self) -> str:
            return stamp

        def get_disambiguator(self) -> str:
            return hashlib.sha256(str(source.resolve()).encode()).hexdigest()[:10]

        @classmethod
        def from_function(cls, py_func: Callable, py_file: str) -> Any:
            return cls()

    class Results(caching.CompileResultCacheImpl):
        _locator_classes = [Locator]  # noqa: RUF012  (Numba's own convention)

    class Cache(caching.FunctionCache):
        _impl_class = Results

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            """The compiled kernel from disk. Only where there is none, Numba is told of the rules, which takes a while."""
            rtsys.initialize(target_context)  # what compiled code calls to take arrays from Python
            found = None
            try:
                found = self._load_overload(sig, target_context)
            except Exception:  # a torn file, or one that names a module which is not there any more: compile anew
                with contextlib.suppress(OSError):
                    self.flush()
            if found is None:
                with _lock:
                    _register_for("cpu")
                target_context.refresh()
            return found

        def save_overload(self, sig: Any, data: Any) -> None:
            with contextlib.suppress(OSError):  # a full or read-only disk costs time, not the search
                super().save_overload(sig, data)

    return Cache(function)


@contextlib.contextmanager
def watch_compiling(tell: Callable[[str], None]) -> Iterator[None]:
    """While in this context, call ``tell`` with a kernel's name whenever one is compiled anew, not loaded from the cache."""
    if UNCOMPILED:
        yield
        return
    from numba.core import event

    class Listener(event.Listener):
        depth = 0

        def on_start(self, happening: Any) -> None:
            if self.depth == 0:
                tell(happening.data["dispatcher"].py_func.__name__)
            self.depth += 1

        def on_end(self, happening: Any) -> None:
            self.depth -= 1

    listener = Listener()
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)
