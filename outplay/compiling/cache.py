"""Compiled kernels on disk: one file for each kernel and the types it is called with.

The file's name is a hash of all that its code depends on, so that an edit never meets stale code: the kernel and every function
that it reaches (`fingerprints`), the types of its arguments (the record type of a game carries a fingerprint of its rules), how
kernels are compiled, Numba's version and the processor. A file begins with a checksum of the rest, and is read only where that is
right.

Loading runs what the file says. So it lies in a folder that is ours and that nobody else may write, else there is no cache; and the
same is asked of the file.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import pickle
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from outplay.compiling.dispatch import games_of, link_tables, register_for
from outplay.compiling.fingerprints import fingerprint
from outplay.compiling.marks import lock, say_once
from outplay.compiling.passes import passes_in_use, prove_passes
from outplay.errors import OutplayError

SUFFIX = ".kernel"
OLD_SUFFIXES = (SUFFIX, ".tmp", ".nbi", ".nbc")  # what a killed process left; and the first edition kept Numba's own files
DAY = 86_400.0
MOST_DAYS = 90  # a kernel that was not asked for so long goes
MOST_BYTES = 1 << 30  # and those asked for longest ago, where all are more than this
_used: set[str] = set()


class Keeper(Protocol):
    """Who looks after the kernels of a process that goes on for long."""

    def met(self, names: set[str]) -> None:
        """Kernels for these games are asked for; it may refuse."""

    def compile(self, function: Callable, signature: Any, names: set[str]) -> bool:
        """Have a kernel that is not on disk compiled elsewhere; whether that was done."""


keepers: list[Keeper] = []
"""None, or the one of this process."""


# ---------------------------------------------------------------- the folder


def cache_folder() -> Path:
    """Where compiled kernels are kept: ``OUTPLAY_CACHE``, else the user's cache folder, else a temporary one that is ours."""
    return _folder(os.environ.get("OUTPLAY_CACHE", ""), os.environ.get("XDG_CACHE_HOME", ""), os.environ.get("HOME", ""))


@functools.cache
def _folder(chosen: str, *_: str) -> Path:
    wanted = Path(chosen) if chosen else _users_folder()
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    problem = _objection(wanted) if wanted else None
    if wanted and problem is None:
        return wanted
    try:
        temporary = Path(tempfile.gettempdir()) / f"outplay-{owner}"
    except OSError:  # a box in which nothing can be written: kernels are read from where they lie
        is_ours = wanted is not None and wanted.is_dir() and _stranger(wanted.stat()) is None
        return wanted if wanted is not None and is_ours else Path(os.devnull) / "outplay"
    if _objection(temporary) is None:
        if problem:
            say_once(f"the cache folder {wanted} {problem}: {temporary} is used instead")
        return temporary
    why = f"{wanted} {problem}" if wanted else "is unknown, for want of a home,"
    say_once(f"the cache folder {why} and {temporary} is no better: kernels are compiled anew each time")
    private = Path(tempfile.mkdtemp(prefix="outplay-"))
    atexit.register(shutil.rmtree, private, ignore_errors=True)
    return private


def _users_folder() -> Path | None:
    """The user's folder for caches; None for a user without a home."""
    try:
        import platformdirs
    except ImportError:  # a machine that has Numba and nothing else, such as one with a GPU
        home = os.environ.get("HOME", "")
        return Path(home) / ".cache" / "outplay" if Path(home).is_absolute() else None
    try:
        found = platformdirs.user_cache_path("outplay", appauthor=False)
    except RuntimeError:
        return None
    return found if found.is_absolute() else None


def _objection(folder: Path) -> str | None:
    """Why a folder, made where there is none, must not be trusted with code that we run; None where it may."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
    except (OSError, RuntimeError, ValueError) as problem:
        return f"cannot be used ({getattr(problem, 'strerror', None) or problem})"
    return _stranger(found) or (None if os.access(folder, os.W_OK | os.X_OK) else "cannot be written")


def _stranger(found: os.stat_result) -> str | None:
    """Who else may have written there; None where nobody."""
    if hasattr(os, "getuid"):
        if found.st_uid != os.getuid():
            return "belongs to another user"
        if stat.S_IMODE(found.st_mode) & 0o022:
            return "can be written by others (`chmod go-w` forbids it)"
    return None


def _read_ours(file: Path) -> bytes:
    """The content of a file that nobody else may have written; nothing of any other."""
    with file.open("rb") as opened:
        return b"" if _stranger(os.fstat(opened.fileno())) else opened.read()


def _write_ours(file: Path, content: bytes) -> None:
    """Write a file that is for us alone, whatever the usual mode of new files is."""
    with open(file, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as opened:
        opened.write(content)


@functools.cache
def _trim_once(folder: Path) -> None:
    trim(folder)


def trim(folder: Path) -> None:
    """Delete kernels that nobody asked for in a long time, and the oldest ones of too many; never those of the last day."""
    found = []
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.endswith(OLD_SUFFIXES) and entry.is_file(follow_symlinks=False) and entry.name not in _used:
                found.append((entry.stat().st_mtime, entry.stat().st_size, entry.path))
    total, now = sum(size for _, size, _ in found), time.time()
    for asked, size, path in sorted(found):
        days = (now - asked) / DAY
        if days > MOST_DAYS or (total > MOST_BYTES and days > 1):
            total -= size
            with contextlib.suppress(OSError):
                os.unlink(path)


# ---------------------------------------------------------------- what a kernel's file depends on


@functools.cache
def _way_of_compiling() -> str:
    """A hash of the files that say how a kernel is compiled: fingerprints do not reach the code generators there."""
    import llvmlite
    import numba

    here = Path(__file__).parent
    files = [here / f"{each}.py" for each in ("marks", "intrinsics", "tables", "passes", "dispatch", "kernels", "cache")]
    versions = f"{sys.version} {numba.__version__} {llvmlite.__version__} {passes_in_use()}"
    return hashlib.sha256(b"".join(file.read_bytes() for file in files) + versions.encode()).hexdigest()


def _prove_once() -> None:
    """Prove the passes of a version of Numba the first time that it compiles for this cache."""
    mark = cache_folder() / f"passes-{_way_of_compiling()[:32]}{SUFFIX}"
    if not mark.exists():
        prove_passes()
        with contextlib.suppress(OSError):
            if passes_in_use() == "own":
                mark.touch()


def _words(kind: Any) -> str:
    """A type in words that tell it from any other: Numba's own leave out the names of a tuple's fields."""
    parts = getattr(kind, "types", ()) if hasattr(kind, "fields") else ()
    return f"{kind}{list(kind.fields)}{[_words(each) for each in parts]}" if parts else str(kind)


class DiskCache:
    """What Numba asks for a kernel before it compiles, and gives it to afterwards."""

    def __init__(self, function: Callable) -> None:
        self._function = function
        self._stamp = f"{Path(function.__code__.co_filename).resolve()} {function.__qualname__} {fingerprint(function)}"

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(cache_folder())

    def enable(self) -> None:
        """Nothing: it is always on."""

    disable = flush = enable

    def _file(self, signature: Any, codegen: Any) -> Path:
        kinds = [_words(each) for each in getattr(signature, "args", signature)]
        key = repr((self._stamp, _way_of_compiling(), kinds, codegen.magic_tuple()))
        module = self._function.__module__.rpartition(".")[2]
        return cache_folder() / f"{module}.{self._function.__name__}-{hashlib.sha256(key.encode()).hexdigest()[:32]}{SUFFIX}"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The compiled kernel from disk. Only where there is none, Numba is told of the rules, which takes a while."""
        from numba.core import event

        _start_runtime(target_context)
        for keeper in keepers:
            keeper.met(games_of(signature))
        if (found := self._from_disk(signature, target_context)) is not None:
            return found
        for keeper in keepers:
            event.start_event("numba:compile", data={"dispatcher": self})
            try:
                is_done = keeper.compile(self._function, signature, games_of(signature))
            finally:
                event.end_event("numba:compile", data={"dispatcher": self})
            if is_done and (found := self._from_disk(signature, target_context)) is not None:
                return found
        with lock:
            _prove_once()
            register_for("cpu")
        target_context.refresh()
        return None

    @property
    def py_func(self) -> Callable:
        """The kernel, for those who hear that it is compiled."""
        return self._function

    def _from_disk(self, signature: Any, target_context: Any) -> Any:
        from numba.core import compiler

        try:
            file = self._file(signature, target_context.codegen())
            checksum, _, content = _read_ours(file).partition(b"\n")
            if checksum == _checksum(file.name, content):
                link_tables(self._function, signature)
                found = compiler.CompileResult._rebuild(target_context, *pickle.loads(content))
                _used.add(file.name)
                with contextlib.suppress(OSError):
                    if time.time() - file.stat().st_mtime > DAY:
                        os.utime(file)
                return found
        except FileNotFoundError:
            pass
        except OutplayError:
            raise
        except Exception:  # unreadable, or it names a module which is not there any more: compile anew
            pass
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write a compiled kernel beside its place and move it there, so that nobody reads half of it."""
        from numba.core import serialize

        if result.library.has_dynamic_globals:
            name = self._function.__name__
            say_once(f"{name} reads an array of more than a megabyte and is compiled anew each time: make the array a `table`")
            return
        with contextlib.suppress(OSError):  # a full or read-only disk costs time, not the search
            file = self._file(signature, result.codegen)
            _trim_once(file.parent)
            _keep(file, serialize.dumps(result._reduce()))


def _keep(file: Path, content: bytes) -> None:
    """Write a file of ours beside its place and move it there."""
    aside = file.with_name(f"{file.name}.{os.getpid()}.tmp")
    try:
        _write_ours(aside, _checksum(file.name, content) + b"\n" + content)
        os.replace(aside, file)
        _used.add(file.name)
    finally:
        aside.unlink(missing_ok=True)


def _start_runtime(target_context: Any) -> None:
    """Get ready what compiled code calls to take arrays from Python: Numba compiles it in each process, which takes as long as all
    else that a kernel from disk needs. Here it is kept as kernels are; where anything about that fails, Numba does as ever."""
    from numba.core.runtime import nrtdynmod, rtsys

    usual = nrtdynmod.compile_nrt_functions

    def kept(context: Any) -> Any:
        import numba
        from llvmlite import __version__ as version

        codegen = context.codegen()
        key = repr(("runtime", numba.__version__, version, codegen.magic_tuple()))
        file = cache_folder() / f"runtime-{hashlib.sha256(key.encode()).hexdigest()[:32]}{SUFFIX}"
        with contextlib.suppress(Exception):
            checksum, _, content = _read_ours(file).partition(b"\n")
            if checksum == _checksum(file.name, content):
                return codegen.unserialize_library(pickle.loads(content))
        with contextlib.suppress(Exception):
            module, library = nrtdynmod.create_nrt_module(context)
            library.enable_object_caching()
            library.add_ir_module(module)
            library.finalize()
            _keep(file, pickle.dumps(library.serialize_using_object_code()))
            return library
        return usual(context)

    with lock:
        nrtdynmod.compile_nrt_functions = kept
        try:
            rtsys.initialize(target_context)
        finally:
            nrtdynmod.compile_nrt_functions = usual


def is_kept(function: Callable, signature: Any) -> bool:
    """Whether a kernel for these types lies on disk."""
    from numba.core.registry import cpu_target

    return DiskCache(function)._file(signature, cpu_target.target_context.codegen()).exists()


def _checksum(name: str, content: bytes) -> bytes:
    return hashlib.sha256(name.encode() + content).hexdigest().encode()
