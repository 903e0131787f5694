"""When a compiled thing is stale: a hash of functions and of everything they reach, helpers, constants, closures.

Data tables (`tables`) count by name, type and shape only: what is in them is no part of the code.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import hashlib
import itertools
import os
import sys
import types as pytypes
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from outplay.compiling.tables import Table


def fingerprint(*things: Any) -> str:
    """A short hash of functions and of everything they reach.

    >>> from outplay.jit import below, mix
    >>> fingerprint(mix) == fingerprint(mix), fingerprint(mix) == fingerprint(below)
    (True, False)
    """
    digest = hashlib.sha256()
    _walk(things, digest.update)
    return digest.hexdigest()[:16]


@functools.cache
def number_symbols_apart() -> None:
    """Let this process number its compiled functions from a random number on.

    Numba tells functions of one name and type apart by a number that begins with 1 in every process, and a kernel from disk brings
    its numbers along: two variants of a game, compiled by two processes, could meet in a third under one symbol, and the first to
    come would serve both (international draughts then took by the rules of English checkers).
    """
    from numba.core.bytecode import FunctionIdentity

    if hasattr(FunctionIdentity, "_unique_ids"):
        FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(6), "little") + 1)


def reached(*things: Any) -> tuple[list[Callable], list[Table]]:
    """The functions (themselves included) and the data tables that these functions reach."""
    return _walk(things, lambda _: None)


def _walk(things: tuple[Any, ...], tell: Callable[[bytes], None]) -> tuple[list[Callable], list[Table]]:
    """Visit all that the things reach and tell of each what a compiled function depends on."""
    seen: dict[int, Any] = {}
    tables: list[Table] = []

    def add(thing: Any, names: frozenset[str] = frozenset()) -> None:
        if not isinstance(thing, type | pytypes.ModuleType):
            thing = getattr(thing, "python", getattr(thing, "py_func", thing))  # a kernel, or Numba's own dispatcher
        if isinstance(thing, staticmethod | classmethod):
            thing = thing.__func__
        if isinstance(thing, pytypes.FunctionType):
            add_function(thing)
        elif isinstance(thing, Table):
            tables.append(thing)
            tell(thing.symbol.encode())
        elif isinstance(thing, pytypes.ModuleType):
            if is_ours(thing.__name__):
                for name in sorted(names & vars(thing).keys()):
                    add(vars(thing)[name], names)
        elif isinstance(thing, np.ndarray):
            tell(f"{thing.dtype.str}{thing.shape}".encode() + thing.tobytes())
        elif isinstance(thing, tuple | list):
            tell(f"{type(thing).__name__}{len(thing)}".encode())
            for item in thing:
                add(item, names)
        elif isinstance(thing, dict):
            add([item for pair in thing.items() for item in pair], names)
        elif isinstance(thing, set | frozenset):
            add(sorted(thing, key=repr), names)
        elif isinstance(thing, bool | int | float | complex | str | bytes | np.generic | np.dtype | enum.Enum | type(None)):
            tell(f"{type(thing).__name__}:{thing!r};".encode())
        elif isinstance(thing, type):
            tell(thing.__qualname__.encode())
            if issubclass(thing, enum.Enum):
                add([(each.name, each.value) for each in thing], names)

    def add_function(function: pytypes.FunctionType) -> None:
        if id(function) in seen:
            return
        seen[id(function)] = function
        if is_ours(function.__module__):
            add_code(function.__code__)
            names = frozenset(_names(function.__code__))
            for name in sorted(names):
                if name in function.__globals__:
                    add(function.__globals__[name], names)
            for cell in function.__closure__ or ():
                with contextlib.suppress(ValueError):  # a cell not filled yet
                    add(cell.cell_contents, names)
            add(function.__defaults__)
            add(function.__kwdefaults__)

    def add_code(code: pytypes.CodeType) -> None:
        tell(code.co_code + repr(code.co_names).encode() + repr(code.co_varnames).encode())
        for constant in code.co_consts:
            if isinstance(constant, pytypes.CodeType):
                add_code(constant)
            else:
                tell(repr(constant).encode())

    for thing in things:
        add(thing)
    return list(seen.values()), tables


def _names(code: pytypes.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, pytypes.CodeType):
            yield from _names(constant)


@functools.cache
def is_ours(module: str | None) -> bool:
    """Whether a module's code belongs in a fingerprint: NumPy, Numba and Python itself do not (Numba checks its own version)."""
    if module is None:
        return True
    top = module.partition(".")[0]
    return top not in {"numpy", "numba", "builtins", "math"} and top not in sys.stdlib_module_names - {"__main__"}
