"""Files that are whole or not there: written aside and renamed, or one line longer; whatever goes wrong, what was there stays.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = Path(folder) / "note.txt"
...     write_whole(path, "one")
...     append_line(path, "two")
...     print(path.read_text(), end="")
two
>>> write_whole("/proc/none/note.txt", "text")
Traceback (most recent call last):
outplay.errors.BadValue: cannot write '/proc/none/note.txt': No such file or directory
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import io
import json
import os
import platform
import re
import stat
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, ExtensionFileLoader, FileFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from outplay.errors import BadValue, shorten


class _ReadAnew(SourceFileLoader):
    """Reads a module's text each time: the code that Python keeps compiled misses an edit of equal length within a second."""

    text = b""

    def get_code(self, fullname: str) -> Any:
        self.text = self.get_data(self.path)
        return self.source_to_code(self.text, self.path)


_own_folders: set[Path] = set()


def _own_finder(folder: str) -> FileFinder:
    """Finds the modules of own folders and of packages in them; Python asks it for each folder that it imports from."""
    path = Path(folder).resolve()
    ours = Path(__file__).resolve().parent
    packages = [path]
    while packages[-1] not in _own_folders:
        if packages[-1] == ours or not (packages[-1] / "__init__.py").is_file():
            raise ImportError(f"no folder of a person's own: {folder}")
        packages.append(packages[-1].parent)
    return FileFinder(folder, (ExtensionFileLoader, EXTENSION_SUFFIXES), (_ReadAnew, SOURCE_SUFFIXES))


def own_module(name: str, path: str | Path) -> ModuleType:
    """A person's own file as a module of this name, which `read_module` fills; its neighbours, too, are read as they stand."""
    if _own_finder not in sys.path_hooks:
        sys.path_hooks.insert(0, _own_finder)
    folder = Path(path).resolve().parent
    if folder not in _own_folders:
        _own_folders.add(folder)
        sys.path_importer_cache.pop(str(folder), None)
    spec = importlib.util.spec_from_file_location(name, path, loader=_ReadAnew(name, str(path)))
    assert spec is not None
    return importlib.util.module_from_spec(spec)


def read_module(module: ModuleType) -> None:
    """Run the file of an own module, as it stands now."""
    assert module.__spec__ is not None and module.__spec__.loader is not None
    module.__spec__.loader.exec_module(module)


def text_of(module: ModuleType) -> bytes | None:
    """What was in the file of a person's own module, or of a neighbour of it, when it was read."""
    loader = getattr(module.__spec__, "loader", None)
    return loader.text if isinstance(loader, _ReadAnew) else None


def write_whole(path: str | Path, content: str | bytes | Callable[[IO[bytes]], Any]) -> None:
    """Write a file beside its place and put it there once it is whole; a function gets the open file to write to."""
    target = Path(path)
    beside = None
    try:
        if target.is_dir():
            raise IsADirectoryError(21, "Is a directory")
        if target.exists() and not target.is_file():  # a device or a pipe, such as /dev/stdout
            return _write_through(target, content)
        _sweep(target)
        number, beside = tempfile.mkstemp(prefix=f".{target.name[:100]}.{_OURS}{os.getpid()}-", dir=target.parent)
        with open(number, "wb") as file:
            _fill(file, content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, _mode(target))
        os.replace(beside, target)
        beside = None
    except OSError as problem:
        raise BadValue(f"cannot write {shorten(str(path), 200)!r}: {problem.strerror or problem}") from None
    except ValueError as problem:  # a NUL in the name
        raise BadValue(f"cannot write {shorten(str(path), 200)!r}: {problem}") from None
    finally:
        if beside is not None:
            with contextlib.suppress(OSError):
                os.unlink(beside)


_OURS = f"{zlib.crc32(platform.node().encode()):08x}-"  # of this machine: the numbers of another's processes say nothing here


def _sweep(target: Path) -> None:
    """Remove what a killed process left beside a file that it was about to write."""
    begun = f".{target.name[:100]}.{_OURS}"
    with contextlib.suppress(OSError):
        for entry in [each for each in os.scandir(target.parent) if each.name.startswith(begun)]:
            number = entry.name.removeprefix(begun).partition("-")[0]
            if number.isdecimal() and not _is_running(int(number)):
                os.unlink(entry.path)


def _is_running(process: int) -> bool:
    if sys.platform == "win32":  # where os.kill would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


_FORMULA = re.compile(r"[\s\x00-\x1f\u200b-\u200f\ufeff]*[=+\-@\uff0b\uff0d\uff1d\uff20]")


def cell(text: str) -> str:
    """A text for a table that no spreadsheet takes for a formula, whatever blanks it begins with.

    >>> cell("Ada"), cell("=1+1"), cell("\\t@SUM(A1)")
    ('Ada', "'=1+1", "'\\t@SUM(A1)")
    """
    return f"'{text}" if _FORMULA.match(text) else text


MOST_STREAMED = 1 << 28
"""Bytes that are taken from what has no size: a device may never end."""


def read_bytes(path: str | Path) -> bytes:
    """What is in a file; of a pipe or a device, only where it ends in time, though a name in somebody's folder may lead there."""
    with open(path, "rb") as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file.read()
        parts: list[bytes] = []
        left = MOST_STREAMED + 1
        while left > 0 and (part := file.read(min(left, 1 << 20))):
            parts.append(part)
            left -= len(part)
    if left <= 0:
        raise BadValue(f"cannot read {shorten(str(path), 200)!r}: it is no file, and does not end after {MOST_STREAMED >> 20} MB")
    return b"".join(parts)


def read_arrays(path: str | Path) -> dict[str, Any]:
    """The arrays of a file of NumPy's, by name; a single one, as `np.save` writes it, has an empty name."""
    try:
        return _arrays(read_bytes(path))
    except BadValue:
        raise
    except OSError as problem:
        raise BadValue(f"cannot read {shorten(str(path), 200)!r}: {problem.strerror or problem}") from None
    except Exception:  # NumPy, zipfile and the parser of headers raise whatever they like
        raise BadValue(f"{shorten(str(path), 200)!r} is damaged, or no file of arrays") from None


def write_checked(path: str | Path, **arrays: Any) -> None:
    """Keep arrays for ourselves, with a checksum over all of them."""
    import numpy as np

    packed = io.BytesIO()
    np.savez(packed, **arrays)
    with contextlib.suppress(OSError):  # what follows says why it cannot be written
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, hashlib.sha256(packed.getvalue()).digest() + packed.getvalue())


def read_checked(path: str | Path) -> dict[str, Any] | None:
    """Arrays that were kept; None where they are not there, or not what was written."""
    try:
        data = Path(path).read_bytes()
        return _arrays(data[32:]) if hashlib.sha256(data[32:]).digest() == data[:32] else None
    except Exception:
        return None


def write_described(path: str | Path, kind: str, description: Mapping[str, Any], body: bytes) -> None:
    """Write bytes that say what they are: a line that names the kind of file, one of JSON with their checksum, and themselves."""
    head = {**description, "sha256": hashlib.sha256(body).hexdigest()}
    write_whole(path, f"{kind}\n{json.dumps(head)}\n".encode() + body)


def read_described(path: str | Path, kind: str, most: int = -1) -> tuple[dict[str, Any], bytes]:
    """The description and the bytes of such a file (of its first `most`); a torn, foreign or damaged one is refused in one line."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(most)
    except OSError as problem:
        raise BadValue(f"cannot read the network {path}: {problem.strerror}") from None
    first, _, rest = content.partition(b"\n")
    if first != kind.encode():
        got = shorten(repr(first[:40]))
        raise BadValue(f"{path} is not such a network: expected a file that begins with {kind!r}, got {got}")
    line, _, body = rest.partition(b"\n")
    try:
        head = json.loads(line)
        checksum = head["sha256"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadValue(f"{path} is damaged: its description cannot be read") from None
    if hashlib.sha256(body).hexdigest() != checksum:
        raise BadValue(f"{path} is damaged: its weights do not match their checksum")
    return head, body


MOST_UNPACKED, MOST_TIMES = 1 << 28, 30
"""What a packed file of arrays may come to: so many bytes, or so many times its own size; ours are hardly packed."""


def refuse_bomb(file: Any, size: int) -> None:
    """Raise ValueError for a packed file of so many bytes that would unpack to far more."""
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as packed:
            unpacked = sum(each.file_size for each in packed.infolist())
        if unpacked > max(MOST_UNPACKED, MOST_TIMES * size):
            raise ValueError(f"unpacks to {unpacked} bytes")


def _arrays(data: bytes) -> dict[str, Any]:
    import numpy as np

    refuse_bomb(io.BytesIO(data), len(data))
    found = np.load(io.BytesIO(data), allow_pickle=False)
    return {"": found} if isinstance(found, np.ndarray) else dict(found)


def append_line(path: str | Path, line: str, is_whole: Callable[[bytes], bool] = lambda last: False) -> None:
    """Add one line at the end, whole or not at all. A last line without its end, which a program was stopped in the middle of, is
    cut off first, unless `is_whole` finds that nothing but the end is missing."""
    data = (line if line.endswith("\n") else line + "\n").encode("utf-8", "replace")
    try:
        with open(path, "a+b") as file:
            end = file.seek(0, os.SEEK_END)
            whole = _end_of_last_line(file, end) if file.seekable() else end
            if whole != end:
                file.seek(whole)
                if is_whole(file.read(end - whole)):
                    data = b"\n" + data
                else:
                    file.truncate(whole)
            try:
                file.write(data)
                file.flush()
            except OSError:
                with contextlib.suppress(OSError):
                    os.ftruncate(file.fileno(), whole)
                raise
    except OSError as problem:
        raise BadValue(f"cannot write {shorten(str(path), 200)!r}: {problem.strerror or problem}") from None
    except ValueError as problem:
        raise BadValue(f"cannot write {shorten(str(path), 200)!r}: {problem}") from None


def _end_of_last_line(file: IO[bytes], end: int) -> int:
    """Where the last whole line ends."""
    at = end
    while at > 0:
        begin = max(0, at - 65536)
        file.seek(begin)
        found = file.read(at - begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        at = begin
    return 0


def _fill(file: IO[bytes], content: str | bytes | Callable[[IO[bytes]], Any]) -> None:
    if callable(content):
        content(file)
    else:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)


def _write_through(target: Path, content: str | bytes | Callable[[IO[bytes]], Any]) -> None:
    with target.open("wb") as file:
        _fill(file, content)


def _mode(target: Path) -> int:
    """The mode of the file that is replaced, else the usual one of a new file."""
    with contextlib.suppress(OSError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
