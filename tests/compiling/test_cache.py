"""Kernels on disk: trusted only where they are ours and whole, and not kept for ever."""

import os
import pwd
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest

from outplay.compiling import cache, marks, passes
from outplay.jit import UNCOMPILED, cache_folder, kernel, watch_compiling

pytestmark = pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")


def double_all(numbers):
    total = 0
    for i in range(len(numbers)):
        numbers[i] *= 2
        total += numbers[i]
    return total


def run():
    """Run the kernel as another process would; whether it was compiled."""
    told = []
    with watch_compiling(told.append):
        assert kernel(double_all)(np.arange(5)) == 20
    assert told in ([], ["double_all"])
    return bool(told)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "shared"))
    (tmp_path / "shared").mkdir()
    monkeypatch.setenv("OUTPLAY_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(marks, "_said", set())
    monkeypatch.setattr(passes, "_proved", passes._proved.__wrapped__)
    cache._folder.cache_clear()
    yield tmp_path / "cache"
    cache._folder.cache_clear()


def only_kernel(folder):
    (file,) = (each for each in folder.glob("*.kernel") if "double_all" in each.name)
    return file


def test_the_folder_is_made_for_us_alone(folder):
    assert run() and not run()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_damaged_file_is_never_loaded_but_compiled_anew(folder):
    """One bit turned anywhere, in the checksum, the code or the rest: before, most of them crashed or searched differently."""
    run()
    file = only_kernel(folder)
    whole = file.read_bytes()
    places = np.random.default_rng(1).integers(0, len(whole), 12).tolist()
    for place in [0, 64, 65, len(whole) - 1, *places]:
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        assert run(), place
        assert not run()
    for torn in (b"", whole[:40], whole[:-1], b"\n" * 100):
        file.write_bytes(torn)
        assert run() and not run()


@pytest.mark.parametrize("mode", [0o666, 0o660, 0o602])
def test_a_file_that_others_can_write_is_not_loaded(folder, mode):
    """In a folder that all may enter, a file of mode 666 is anybody's, whatever its checksum says."""
    run()
    assert stat.S_IMODE(only_kernel(folder).stat().st_mode) == 0o600
    only_kernel(folder).chmod(mode)
    assert run() and not run()
    assert stat.S_IMODE(only_kernel(folder).stat().st_mode) == 0o600


def test_one_kernels_file_is_not_taken_for_anothers(folder):
    run()
    file = only_kernel(folder)

    @kernel
    def other(numbers):
        return -1

    other(np.arange(3))
    (place,) = (each for each in folder.glob("*other*"))
    place.write_bytes(file.read_bytes())
    assert kernel(other.python)(np.arange(3)) == -1


def test_a_folder_that_others_can_write_is_not_used(folder, capsys):
    folder.mkdir(mode=0o700)
    folder.chmod(0o777)
    assert cache_folder() == Path(tempfile.gettempdir()) / f"outplay-{os.getuid()}"
    run()
    assert not list(folder.iterdir())
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "can be written by others" in said and str(folder) in said


def test_a_strangers_folder_is_not_used_neither_the_temporary_one(folder, capsys, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: os.geteuid() + 1)
    folder.mkdir(mode=0o700)
    stranger = Path(tempfile.gettempdir()) / f"outplay-{os.getuid()}"
    stranger.mkdir(mode=0o700)
    found = cache_folder()
    assert found not in (folder, stranger) and found.is_dir()  # nobody knew its name before
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "belongs to another user" in said


def test_a_shared_temporary_folder_is_ours_alone_or_not_used(folder, monkeypatch, capsys):
    monkeypatch.setenv("OUTPLAY_CACHE", str(folder / "file" / "cache"))
    folder.mkdir()
    (folder / "file").write_text("in the way")
    shared = Path(tempfile.gettempdir()) / f"outplay-{os.getuid()}"
    shared.mkdir(mode=0o777)
    shared.chmod(0o777)
    assert cache_folder() != shared
    assert "compiled anew each time" in capsys.readouterr().err


def test_a_person_without_home_and_name_has_a_cache(folder, monkeypatch):
    def nobody(number):
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    for name in ("OUTPLAY_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    assert cache_folder() == Path(tempfile.gettempdir()) / f"outplay-{os.getuid()}"
    assert not Path("~").exists()


def test_old_kernels_go_and_those_of_now_stay(folder, monkeypatch):
    run()
    now, file = time.time(), only_kernel(folder)
    ages = {"old.kernel": 100, "older.nbc": 120, "left.tmp": 91, "young.kernel": 2, "fresh.kernel": 0.5, "notes.txt": 500}
    for name, days in ages.items():
        (folder / name).write_bytes(bytes(1000))
        os.utime(folder / name, (now - days * cache.DAY,) * 2)
    os.utime(file, (now - 200 * cache.DAY,) * 2)

    def left():
        cache.trim(folder)
        return {each.name for each in folder.iterdir()} & {*ages, file.name}

    assert left() == {"young.kernel", "fresh.kernel", "notes.txt", file.name}  # the last one is of this process
    monkeypatch.setattr(cache, "MOST_BYTES", 1500)
    assert left() == {"fresh.kernel", "notes.txt", file.name}


def test_symbols_of_two_processes_have_different_numbers():
    # A kernel from disk keeps the numbers of its functions: with equal ones, a variant of a game ran another variant's helpers.
    code = ("import numba, outplay.jit; from numba.core.bytecode import FunctionIdentity; outplay.jit.load_compiler()\n"
            "print(next(FunctionIdentity._unique_ids))")
    first, second = (int(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
                     for _ in range(2))
    assert abs(first - second) > 100_000
