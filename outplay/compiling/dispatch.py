"""How compiled code finds the rules of a game: ``state.play(action)`` is looked up by the type of the state, a NumPy record.

So a kernel is compiled for each game that it meets, the way C++ would by templates.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from outplay.compiling import habits, tables
from outplay.compiling.fingerprints import reached
from outplay.compiling.marks import UNCOMPILED, helpers, is_small, lock
from outplay.compiling.passes import pipeline

_methods: dict[str, dict[Any, Callable]] = {}  # method name -> {record type: plain function}
_taught: set[str] = set()
_registered: dict[str, set[Any]] = {"cpu": set(), "cuda": set()}
_constants: dict[Any, dict[str, Any]] = {}  # the record types of games -> {name: number, tuple or array of the class}
_names: dict[Any, str] = {}  # the games by their record types
_helped: set[Callable] = set()
_linked: set[Callable] = set()


def link_tables(kernel: Callable, signature: Any) -> None:
    """Load the data tables that a kernel reaches with the rules it is called for, before code from disk asks for them."""
    if not tables.Table.made:
        return
    kinds = {record for kind in signature for record in _records(kind)}
    functions = {kernel, *(each[kind] for each in _methods.values() for kind in kinds & each.keys())} - _linked
    for table in reached(*functions)[1]:
        tables.link(table)
    _linked.update(functions)


def games_of(signature: Any) -> set[str]:
    """The names of the games for whose records a kernel is compiled."""
    return {_names[record] for kind in getattr(signature, "args", signature) for record in _records(kind) if record in _names}


def _records(kind: Any) -> Iterator[Any]:
    """The record types among the types of a call's arguments: one by one, in arrays, in tuples."""
    from numba import types

    if isinstance(kind, types.Record):
        yield kind
    elif isinstance(kind, types.Array):
        yield from _records(kind.dtype)
    elif isinstance(kind, types.BaseTuple):
        for each in kind.types:
            yield from _records(each)


def record_type(layout: np.dtype) -> Any:
    """Numba's type for one record of this layout."""
    from numba.np import numpy_support

    return numpy_support.from_dtype(layout)


def bind(layout: np.dtype, methods: dict[str, Callable], constants: dict[str, Any] | None = None, name: str = "") -> None:
    """Let compiled code call these methods on records of this layout, and read these constants (done late: it needs Numba)."""
    if UNCOMPILED:
        return
    with lock:
        kind = record_type(layout)
        _constants[kind] = constants or {}
        _names[kind] = name
        for name, function in methods.items():
            _methods.setdefault(name, {})[kind] = function
        for target, done in _registered.items():
            if done:
                register_for(target)


def register_for(target: str) -> None:
    """Tell Numba of every helper and method that it has not been told of."""
    done = _registered[target]
    options: dict[str, Any] = {"strict": False, "target": target}
    _let_records_have_methods(target)
    tables.teach(target)
    _let_records_have_constants(target)
    habits.help_along([function for each in _methods.values() for function in each.values() if function not in _helped])
    _helped.update(function for each in _methods.values() for function in each.values())
    for function, typer in helpers:
        if function not in done:
            done.add(function)
            choose = typer(target) if typer else _always(function)
            if choose is not None:
                _overload(target)(function, **_with_inlining(options, is_small(function)))(choose)
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


def _with_inlining(options: dict[str, Any], forced: bool) -> dict[str, Any]:
    """Numba's options for a function that only compiled code calls: no wrappers for Python, no reference counting."""
    if options["target"] == "cuda":
        return options
    wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    shared = {"error_model": "numpy", "_nrt": False, "pipeline_class": pipeline()}
    return {**options, "jit_options": {"forceinline": forced, **shared, **wrappers}}


def _shape(function: Callable) -> tuple[int, bool]:
    return function.__code__.co_argcount, is_small(function)


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
    """Numba takes every attribute of a record for a field and fails on others; those of games are looked up further, as methods.

    A field comes first: one game's field may have the name of another game's method. Other people's records are left as they were.
    """
    if target == "cpu":
        from numba.core.typing import arraydecl
    else:
        from numba.cuda.typing import arraydecl

    if target in _taught:
        return
    _taught.add(target)
    before = arraydecl.RecordAttribute.generic_resolve

    def field_type(self: Any, record: Any, attribute: str) -> Any:
        if attribute in record.fields or record not in _constants:
            return before(self, record, attribute)
        return _constant_type(target, _constants[record][attribute]) if attribute in _constants[record] else None

    arraydecl.RecordAttribute.generic_resolve = field_type
    arraydecl.RecordAttribute.metadata = {"target": target}  # as specific as our methods, and registered before them


def _constant_type(target: str, value: Any) -> Any:
    if target == "cpu":
        from numba import typeof
    else:
        from numba.cuda.typing.typeof import typeof
    kind = typeof(value)
    return kind.copy(readonly=True) if isinstance(value, np.ndarray) else kind


def _let_records_have_constants(target: str) -> None:
    """A constant of the class, read through self, becomes that constant."""
    if target == "cpu":
        from numba import types
        from numba.core.imputils import lower_getattr
        from numba.np.arrayobj import record_getattr
    else:
        from numba.cuda import types
        from numba.cuda.cudaimpl import lower_attr as lower_getattr
        from numba.cuda.np.arrayobj import record_getattr

    def register(name: str) -> None:
        @lower_getattr(types.Record, name)
        def read(context: Any, builder: Any, kind: Any, record: Any) -> Any:
            if name in kind.fields:
                return record_getattr(context, builder, kind, record, name)
            value = _constants[kind][name]
            return context.get_constant_generic(builder, _constant_type(target, value), value)

    for name in {name for each in _constants.values() for name in each}:
        if ("constant", name) not in _registered[target]:
            _registered[target].add(("constant", name))
            register(name)


def _always(function: Callable) -> Callable:
    def choose(*args: Any) -> Callable:
        return function

    choose.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]  # Numba folds arguments by it
    return choose
