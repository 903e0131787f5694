"""What is compiled: number types, and decorators that leave a function callable in plain Python, where all runs uncompiled too."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

u8, u16, u32, u64 = np.uint8, np.uint16, np.uint32, np.uint64
i8, i16, i32, i64 = np.int8, np.int16, np.int32, np.int64
f32, f64 = np.float32, np.float64

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")

lock = threading.RLock()
helpers: list[tuple[Callable, Callable | None]] = []
"""Functions that compiled code may call: each with its typing function (which gives None where it tells Numba all by itself), or
None where the function itself is compiled."""
_always_small: set[Callable] = set()
_never_small: set[Callable] = set()
_said: set[str] = set()


def say_once(notice: str) -> None:
    """Tell the person at the terminal something about compiling, in one line, once a process."""
    if notice not in _said:
        _said.add(notice)
        print(f"outplay: {notice}", file=sys.stderr)


class Array:
    """The type of a field that holds several numbers: ``cells: Array[i8, 9]``, ``board: Array[u64, 2, 6]``.

    >>> Array[i8, 6, 6] == Array[i8, (6, 6)]
    True
    """

    def __class_getitem__(cls, item: Any) -> tuple[Any, tuple[int, ...]]:
        """The NumPy sub-array type of that element type and shape."""
        kind, *shape = item
        return kind, tuple(size for each in shape for size in (each if isinstance(each, tuple) else (each,)))


def inlined(function: Callable) -> Callable:
    """Make a plain function callable from compiled code too, where it is inlined."""
    helpers.append((function, None))
    return function


def always_inlined(function: Callable) -> Callable:
    """The same for a large step of a kernel: a call would copy the descriptions of all the arrays it takes."""
    _always_small.add(function)
    return inlined(function)


def called(function: Callable) -> Callable:
    """Mark a helper or method that is used in several places of one function: compiled once and called, not inlined each time."""
    _never_small.add(function)
    return function


def is_small(function: Callable) -> bool:
    """Whether to force inlining: twice as fast for small functions, and only longer to compile for large ones.

    Measured on random games of Go: forced everywhere 17 s to compile, by this limit 5 s, at the same speed.
    """
    return function not in _never_small and (function in _always_small or len(function.__code__.co_code) < 600)
