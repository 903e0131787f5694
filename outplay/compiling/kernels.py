"""Functions that are entered from Python: compiled per game on first call, cached on disk, run without the GIL."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from outplay.compiling.cache import DiskCache
from outplay.compiling.marks import UNCOMPILED, lock
from outplay.compiling.passes import pipeline, prove_passes, quickly
from outplay.compiling.problems import explained


def kernel(function: Callable) -> Kernel:
    """Make a function a kernel: entered from Python, compiled for the types it is called with, cached on disk."""
    return Kernel(function)


class Kernel:
    """A function that is compiled on first use; ``python`` is the plain function, for running uncompiled."""

    def __init__(self, function: Callable) -> None:
        functools.update_wrapper(self, function)
        self.python = function
        self._compiled: Callable | None = self._uncompiled if UNCOMPILED else None

    def __call__(self, *args: Any) -> Any:
        """Run it, compiling on first use."""
        if self._compiled is None:
            self._compiled = self._compile()
        try:
            return self._compiled(*args)
        except Exception as problem:
            told = explained(problem, self.python, args)
            if told is problem:
                raise
            raise told from problem

    def _uncompiled(self, *args: Any) -> Any:
        with np.errstate(over="ignore"):  # words of 64 bits wrap around
            return self.python(*args)

    def _compile(self) -> Callable:
        with lock:
            import numba

            # No reference counting (_nrt): kernels allocate nothing, and counting references to their arguments halves the speed.
            dispatcher = numba.njit(error_model="numpy", nogil=True, _nrt=False, pipeline_class=pipeline())(self.python)
            dispatcher._cache = DiskCache(self.python)
            dispatcher.compile = quickly(dispatcher.compile)
            return dispatcher


@contextlib.contextmanager
def watch_compiling(tell: Callable[[str], None]) -> Iterator[None]:
    """While in this context, call ``tell`` with a kernel's name whenever one is compiled anew, not loaded from the cache."""
    if UNCOMPILED:
        yield
        return
    with lock:  # two threads that import it at once can meet half of it, or wait for each other for ever
        from numba.core import event

    class Listener(event.Listener):
        depth = 0

        def on_start(self, happening: Any) -> None:
            function = happening.data["dispatcher"].py_func
            if self.depth == 0 and function.__module__ != prove_passes.__module__:  # the proof is no kernel of anybody's
                tell(function.__name__)
            self.depth += 1

        def on_end(self, happening: Any) -> None:
            self.depth -= 1

    listener = Listener()
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)
