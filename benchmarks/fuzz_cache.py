"""Attacks on the cache of compiled kernels: files damaged, cut, swapped, a stranger's; folders that others own or can write.

Loading a kernel runs what its file says. So whatever is done here, the answers stay right, a file that was changed is compiled
anew, nothing that a stranger wrote is run, and at most one line tells why a folder is not used.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import os
import pickle
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from fuzz_inputs import attack, folder, mutated_bytes

from outplay.compiling import cache, marks
from outplay.jit import UNCOMPILED, kernel, watch_compiling


def sum_of(numbers):
    """The first kernel."""
    total = 0
    for i in range(len(numbers)):
        total += numbers[i]
    return total


def largest_of(numbers):
    """The second one, with the same arguments: its file in the place of the first would load and answer wrongly."""
    most = numbers[0]
    for i in range(len(numbers)):
        most = max(most, numbers[i])
    return most


RIGHT = {sum_of: 10, largest_of: 4}
ran: list[str] = []
"""What a stranger's file did: always nothing."""


def note() -> None:
    """What a stranger's file makes run."""
    ran.append("a stranger's code")


class Bomb:
    """An object whose pickle runs code when it is loaded."""

    def __reduce__(self) -> Any:
        return note, ()


def hostile(name: str, with_checksum: bool) -> bytes:
    """A stranger's file, with the checksum that it should have or without."""
    content = pickle.dumps((Bomb(),))
    assert pickle.loads(content) and ran, "this does no harm"
    return (hashlib.sha256(name.encode() + content).hexdigest().encode() if with_checksum else b"0" * 64) + b"\n" + content


def ask(function: Callable) -> bool:
    """Run a kernel as another process would; whether it was compiled."""
    told: list[str] = []
    with watch_compiling(told.append):
        answer = kernel(function)(np.arange(5))
    assert answer == RIGHT[function], f"{function.__name__} answered {answer}"
    return bool(told)


@contextlib.contextmanager
def another_process(place: Path) -> Iterator[io.StringIO]:
    """As a process that starts now sees it, with that cache, and a folder for temporary files of its own; what it says."""
    known = dict(os.environ), tempfile.tempdir, marks._said, set(cache._used)
    shared = place.parent / "shared"
    shutil.rmtree(shared, ignore_errors=True)
    shared.mkdir()
    said = io.StringIO()
    try:
        os.environ["OUTPLAY_CACHE"], tempfile.tempdir, marks._said = str(place), str(shared), set()
        cache._folder.cache_clear()
        with contextlib.redirect_stderr(said):
            yield said
    finally:
        os.environ.clear()
        os.environ.update(known[0])
        tempfile.tempdir, marks._said = known[1], known[2]
        cache._used.intersection_update(known[3])
        cache._folder.cache_clear()


@functools.cache
def whole() -> tuple[Path, dict[str, bytes]]:
    """A folder with both kernels, and the bytes of its files."""
    place = Path(folder()) / "kernels" / "cache"
    with another_process(place) if place.parent.mkdir() is None else contextlib.nullcontext():
        assert ask(sum_of) and ask(largest_of)
        assert not ask(sum_of) and not ask(largest_of)
    return place, {file.name: file.read_bytes() for file in place.iterdir()}


def name_of(function: Callable) -> str:
    """The name of a kernel's file."""
    (name,) = (each for each in whole()[1] if function.__name__ in each)
    return name


@attack("kernel cache")
def spoil(source: random.Random) -> str | None:
    """One file or folder of the cache made bad in some way; then both kernels are asked for, twice."""
    if UNCOMPILED:
        return None
    place, files = whole()
    shutil.rmtree(place)
    place.mkdir(mode=0o700)
    for name, content in files.items():
        (place / name).write_bytes(content)
    function, other = source.sample((sum_of, largest_of), 2)
    way = source.choice(WAYS)
    spoilt = way(place, name_of(function), name_of(other), source)
    what = f"{way.__name__} {function.__name__}"
    ran.clear()
    try:
        with another_process(place) as said:
            first = {each: ask(each) for each in (function, other)}
            again = {each: ask(each) for each in (function, other)}
    except Exception as problem:
        return f"{what}: {type(problem).__name__}: {problem}"
    finally:
        with contextlib.suppress(OSError):
            os.chown(place, os.getuid(), -1)
        place.chmod(0o700)
    if ran:
        return f"{what}: {ran[0]} ran"
    if said.getvalue().count("\n") > 1 or "Traceback" in said.getvalue():
        return f"{what}: said {said.getvalue()!r}"
    if spoilt and not first[function]:
        return f"{what}: the file was loaded"
    if any(again.values()):
        return f"{what}: nothing was kept of what was compiled"
    return None


# ---------------------------------------------------------------- the ways: whether the first kernel must be compiled anew


def flip(place: Path, name: str, other: str, source: random.Random) -> bool:
    """One bit."""
    data = bytearray((place / name).read_bytes())
    data[source.randrange(len(data))] ^= 1 << source.randrange(8)
    (place / name).write_bytes(data)
    return True


def mutate(place: Path, name: str, other: str, source: random.Random) -> bool:
    """Pieces blanked, doubled, made up."""
    before = (place / name).read_bytes()
    after = mutated_bytes(before, source)
    (place / name).write_bytes(after)
    return after != before


def cut(place: Path, name: str, other: str, source: random.Random) -> bool:
    """The end missing, as a full disk leaves it; or longer than it should be."""
    before = (place / name).read_bytes()
    after = before[: source.randrange(len(before))] if source.random() < 0.8 else before + source.randbytes(9)
    (place / name).write_bytes(after)
    return True


def swap(place: Path, name: str, other: str, source: random.Random) -> bool:
    """Two files in each other's place."""
    one, two = (place / name).read_bytes(), (place / other).read_bytes()
    (place / name).write_bytes(two)
    if source.random() < 0.5:
        (place / other).write_bytes(one)
    return True


def bomb(place: Path, name: str, other: str, source: random.Random) -> bool:
    """A file made to run code, whose checksum is not right."""
    (place / name).write_bytes(hostile(name if source.random() < 0.5 else other, with_checksum=False))
    return True


def writable_file(place: Path, name: str, other: str, source: random.Random) -> bool:
    """A file in our folder that others can write: with the right checksum it may still be theirs."""
    (place / name).write_bytes(hostile(name, with_checksum=True))
    (place / name).chmod(source.choice((0o666, 0o622, 0o660)))
    return True


def strangers_file(place: Path, name: str, other: str, source: random.Random) -> bool:
    """A file in our folder that belongs to somebody else."""
    if os.getuid() != 0:
        return False
    (place / name).write_bytes(hostile(name, with_checksum=True))
    os.chown(place / name, 65534, -1)
    return True


def strangers_folder(place: Path, name: str, other: str, source: random.Random) -> bool:
    """The whole folder belongs to somebody else, who put a file there with the right checksum."""
    if os.getuid() != 0:
        return False
    (place / name).write_bytes(hostile(name, with_checksum=True))
    os.chown(place, 65534, -1)
    return True


def writable_folder(place: Path, name: str, other: str, source: random.Random) -> bool:
    """A folder that others can write, and have."""
    (place / name).write_bytes(hostile(name, with_checksum=True))
    place.chmod(source.choice((0o777, 0o722, 0o770, 0o1777)))
    return True


def in_the_way(place: Path, name: str, other: str, source: random.Random) -> bool:
    """Something else than a file: a link to nothing or to the other kernel."""
    (place / name).unlink()
    (place / name).symlink_to(source.choice((other, "nothing", name)))
    return True


WAYS = (flip, flip, mutate, cut, swap, bomb, writable_file, strangers_file, strangers_folder, writable_folder, in_the_way)
