"""Compiled kernels on disk, each stamped by what its code depends on, so that an edit never meets stale code."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from outplay.compiling.dispatch import link_tables, register_for
from outplay.compiling.fingerprints import fingerprint
from outplay.compiling.marks import lock
from outplay.errors import OutplayError


@functools.cache
def _way_of_compiling() -> str:
    """A hash of the files that say how a kernel is compiled: fingerprints do not reach the code generators there."""
    here = Path(__file__).parent
    files = [here / f"{each}.py" for each in ("marks", "intrinsics", "tables", "passes", "dispatch", "kernels", "cache")]
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


def disk_cache(function: Callable) -> Any:
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
                link_tables(function)
                found = self._load_overload(sig, target_context)
            except OutplayError:
                raise
            except Exception:  # a torn file, or one that names a module which is not there any more: compile anew
                with contextlib.suppress(OSError):
                    self.flush()
            if found is None:
                with lock:
                    register_for("cpu")
                target_context.refresh()
            return found

        def save_overload(self, sig: Any, data: Any) -> None:
            with contextlib.suppress(OSError):  # a full or read-only disk costs time, not the search
                super().save_overload(sig, data)

    return Cache(function)
