"""Functions that are entered from Python: compiled per game on first call, cached on disk, run without the GIL."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from outplay.compiling.cache import DiskCache
from outplay.compiling.fingerprints import number_symbols_apart
from outplay.compiling.marks import UNCOMPILED, lock
from outplay.compiling.passes import for_processor, pipeline, prove_passes, quickly
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
            self._compiled = self.dispatcher()
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

    def dispatcher(self) -> Any:
        """Numba's own object for it, made anew."""
        load_compiler()
        import numba
        from numba.core.compiler_lock import global_compiler_lock

        with global_compiler_lock, lock:  # in this order, as everywhere: Numba's first dispatcher of all wants the former, too
            # No reference counting (_nrt): kernels allocate nothing, and counting references to their arguments halves the speed.
            dispatcher = numba.njit(error_model="numpy", nogil=True, _nrt=False, pipeline_class=pipeline())(self.python)
            dispatcher._cache = DiskCache(self.python)
            dispatcher.compile = quickly(for_processor(dispatcher.compile))
            return dispatcher


def load_compiler() -> None:
    """Import all of Numba, one thread at a time: two that load it at once met half of it, or waited for each other for ever."""
    with lock:
        from numba.core import event as event

        number_symbols_apart()


@contextlib.contextmanager
def watch_compiling(tell: Callable[[str], None]) -> Iterator[None]:
    """While in this context, call ``tell`` with a kernel's name whenever one is compiled anew, not loaded from the cache."""
    if UNCOMPILED:
        yield
        return
    load_compiler()
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
