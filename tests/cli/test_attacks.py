"""Attacks by the front door alone: nothing of the package is imported, so that they can be tried on any version of it."""

import json
import os
import pickle
import resource
import subprocess
import sys
from pathlib import Path

import pytest

COUNT = ["perft", "nim:heaps=1-2-3", "--depth", "6", "--json"]


def outplay(*arguments, limit=None, most=0, **environment):
    """Status, standard output and standard error of one command, with a limit of bytes a file or of seconds of a processor."""
    limited = None if limit is None else lambda: resource.setrlimit(limit, (most, most))
    done = subprocess.run([sys.executable, "-m", "outplay", *arguments], capture_output=True, text=True, timeout=300,
                          preexec_fn=limited, env={**os.environ, **environment})  # fmt: skip
    return done.returncode, done.stdout, done.stderr


class Planted:
    """What runs a command when it is unpickled."""

    def __init__(self, mark):
        self.mark = str(mark)

    def __reduce__(self):
        return os.mkdir, (self.mark,)


compiled = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT", "") not in ("", "0"), reason="nothing is compiled")


def counted(settings):
    """The nodes that a kernel counts, and the files that are kept of it."""
    status, told, err = outplay(*COUNT, **settings)
    assert status == 0, (status, err)
    folders = settings["OUTPLAY_CACHE"], settings["TMPDIR"]
    return json.loads(told)["nodes"], [file for folder in folders for file in Path(folder).rglob("*") if file.is_file()]


@compiled
def test_a_damaged_kernel_is_compiled_anew(tmp_path):
    """Of one bit flipped in compiled code most runs crashed, and some searched differently without a word."""
    (tmp_path / "shared").mkdir()
    settings = {"OUTPLAY_CACHE": str(tmp_path / "cache"), "TMPDIR": str(tmp_path / "shared")}
    before, kept = counted(settings)
    damaged = 0
    for file in kept:
        content = bytearray(file.read_bytes())
        code = content.find(b"\x7fELF") + 0x40  # behind the head of an object file
        if code >= 0x40:
            content[code : code + 400 : 37] = bytes(byte ^ 2 for byte in content[code : code + 400 : 37])
            file.write_bytes(content)
            damaged += 1
    assert damaged and counted(settings)[0] == before


@compiled
@pytest.mark.parametrize("fallback", [False, True])
def test_what_a_stranger_put_among_the_kernels_is_not_run(fallback, tmp_path):
    """A pickle in a folder that others may write ran, also in the folder that stands in for one that cannot be written."""
    cache, shared, mark = tmp_path / "cache", tmp_path / "shared", tmp_path / "it-ran"
    shared.mkdir()
    if fallback:
        cache.write_text("no folder: the one in the temporary directory is taken")
    settings = {"OUTPLAY_CACHE": str(cache), "TMPDIR": str(shared)}
    before, kept = counted(settings)
    for file in kept:
        file.write_bytes(pickle.dumps(Planted(mark)))
        file.parent.chmod(0o777)
    assert (counted(settings)[0], mark.exists()) == (before, False)


@pytest.mark.parametrize("text, wanted", [
    ("x y in 1..1000\nx*y==7", [[1, 7], [7, 1]]), ("x in 1..1000000\nx*x==49", [[7]]),
    ("x y in 1..600\nx*y%7==3\nx*y<4", [[1, 3], [3, 1]]),
])  # fmt: skip
def test_products_of_large_domains_are_solved(text, wanted):
    """More than 2**18 combinations ended in an internal error."""
    status, told, err = outplay("csp", text, "--all", "--json")
    assert status == 0, err
    assert sorted([solution[name] for name in sorted(solution)] for solution in json.loads(told)["solutions"]) == wanted


def test_a_large_model_keeps_its_time():
    """It took more than half a minute to state what has five thousand million combinations, whatever --time said."""
    outplay("csp", "x in 1..2\nx==1")  # compiles
    status, _, err = outplay("csp", "x y in 1..100000\nabs(x-y)*2>5", "--time", "1", limit=resource.RLIMIT_CPU, most=25)
    assert status == 0, err


INTERRUPTED = """
import os, signal, sys, threading
from ortools.sat.python import cp_model
from outplay.cli.main import main
solve = cp_model.CpSolver.solve

def interrupting(self, *arguments):
    threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT)).start()
    return solve(self, *arguments)

cp_model.CpSolver.solve = interrupting
sys.argv = ["outplay", "csp", "magic 20", "--solver", "cp-sat", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize("more", [[], ["--all"]])
def test_ctrl_c_inside_cp_sat_does_not_abort(more):
    """OR-tools called back into a Python that was raising KeyboardInterrupt, and ended all by SIGABRT."""
    pytest.importorskip("ortools")
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, *more], capture_output=True, text=True, timeout=300)
    assert done.returncode == 130 and "terminate" not in done.stderr and "Traceback" not in done.stderr, done


def test_a_full_disk_leaves_the_old_book_whole(tmp_path):
    """It was written in place, and nothing of it was left."""
    games, book = tmp_path / "games.pgn", tmp_path / "book.bin"
    games.write_text("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n")
    assert outplay("book", "build", str(games), "--out", str(book))[0] == 0
    before = book.read_bytes()
    games.write_text("1. d4 d5 2. c4 e6 3. Nc3 Nf6 1-0\n")
    status, _, err = outplay("book", "build", str(games), "--out", str(book), limit=resource.RLIMIT_FSIZE, most=24)
    assert (status, len(err.strip().splitlines())) == (2, 1), err
    assert len(before) == 48 and book.read_bytes() == before and len(list(tmp_path.iterdir())) == 2


def test_check_is_content_with_good_rules():
    """Compared were the first 64 actions only: a false alarm for a heap of more."""
    status, _, err = outplay("check", "nim:heaps=60-60-60-60-60-60-60-60", "--games", "2")
    assert status == 0, err
