"""Data tables: the same numbers compiled and uncompiled, not frozen into the code, and found again by a kernel from the cache."""

import importlib.util
import json
import os
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest

from outplay.errors import RulesError
from outplay.jit import UNCOMPILED, fingerprint, inlined, kernel, table

loads = []


def square_numbers():
    loads.append("squares")
    return np.arange(1000) ** 2


SQUARES = table("squares", square_numbers, dtype=np.int32, shape=1000)
GRID = table("grid", lambda: np.arange(24).reshape(2, 3, 4) / 2, dtype=np.float32, shape=(2, 3, 4))
MARKS = table("marks", lambda: [True, False, True], dtype=bool, shape=3)
WIDE = table("wide", lambda: np.array([2**63, 1], np.uint64), dtype=np.uint64, shape=2)


@inlined
def read(numbers, i):
    return numbers[i]


@kernel
def ask(i, j, k):
    total = 0
    for each in MARKS:
        if each:
            total += 1
    return SQUARES[i], SQUARES[-1], len(SQUARES), GRID[i, j, k], GRID[1][2][k], GRID.shape[1], total, WIDE[0], read(SQUARES, j)


def test_a_table_reads_the_same_compiled_and_uncompiled():
    for at in ((0, 0, 0), (1, 2, 3)):
        assert ask(*at) == ask.python(*at)
    assert ask(1, 2, 3) == (1, 999**2, 1000, 11.5, 11.5, 3, 2, 2**63, 4)
    assert loads == ["squares"]


def test_what_load_gives_is_checked():
    for wrong, message in ((np.zeros(3), r"must give the shape \(4,\), got \(3,\)"),
                           (np.full(4, 1.5), "must give int8, got float64"),
                           (np.full(4, 300), "numbers that int8 cannot hold")):
        with pytest.raises(RulesError, match=f"table 'wrong': load.*{message}"):
            table("wrong", lambda wrong=wrong: wrong, dtype=np.int8, shape=4)[0]
    with pytest.raises(RulesError, match="dtype must be a type of numbers"):
        table("wrong", list, dtype=object, shape=4)


def test_one_name_means_one_content():
    def made(n):
        return table("made", lambda: np.full(4, n), dtype=np.int8, shape=4)

    assert made(1)[0] == 1 and made(1)[3] == 1
    with pytest.raises(RulesError, match="'made' exists with other numbers: put what they depend on into the name"):
        made(2)[0]


def test_a_fingerprint_holds_name_type_and_shape_of_a_table_only():
    def reads(**different):
        given = {"name": "one", "load": lambda: np.zeros(3), "dtype": np.int8, "shape": 3, **different}
        mine = table(given.pop("name"), given.pop("load"), **given)
        return fingerprint(lambda i: mine[i])

    assert reads() == reads(load=lambda: np.ones(3))
    assert len({reads(), reads(name="two"), reads(dtype=np.int16), reads(shape=4), reads(shape=(3, 1))}) == 5


GAME = """
    import json, os, sys
    import numpy as np
    from outplay.game import load
    from outplay.jit import Array, i64, i8, table, watch_compiling, kernel
    from outplay.rules import game

    SIZE = 1 << 20
    NEXT = table("next", lambda: np.full(SIZE, int(sys.argv[1])), dtype=np.int32, shape=SIZE)

    def helper_reads(at):
        return NEXT[at]

    from outplay.jit import inlined
    inlined(helper_reads)

    @game("walk")
    class Walk:
        players = 1
        at: i64

        def actions(self, out):
            out[0] = 1
            return 1 if self.at < 100 else 0

        def play(self, action):
            self.at += helper_reads(self.at)

        def utility(self, player):
            return self.at

    @kernel
    def run(states, out):
        moves = 0
        while states[0].actions(out) > 0:
            states[0].play(out[0])
            moves += 1
        return moves

    told = []
    with watch_compiling(told.append):
        answer = run(Walk().states(1), np.zeros(4, np.int32))
    print(json.dumps([answer, bool(told)]))
"""


@pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled here")
def test_a_kernel_from_the_cache_reads_the_numbers_of_now(tmp_path):
    """Four megabytes, with other content in each process: compiled once."""
    (tmp_path / "walk.py").write_text(textwrap.dedent(GAME))

    def run(step):
        environment = {**os.environ, "OUTPLAY_CACHE": str(tmp_path / "cache")}
        command = [sys.executable, "walk.py", str(step)]
        return json.loads(subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout)

    assert run(10) == [10, True]
    assert run(10) == [10, False]
    assert run(5) == [20, False]
    assert run(33) == [4, False]
    assert sum(file.stat().st_size for file in (tmp_path / "cache").iterdir()) < 100_000


LARGE = table("large", lambda: np.roll(np.arange(1 << 22), 1), dtype=np.int32, shape=1 << 22)


@kernel
def by_table(steps):
    at = 0
    for _ in range(steps):
        at = LARGE[at]
    return at


@pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled here")
def test_a_table_is_read_where_it_lies():
    """No copy at a call: sixteen megabytes would not fit on the stack. No copy in the code: what changes there is seen."""
    assert by_table(3) == (1 << 22) - 3
    memory = LARGE.array
    memory.flags.writeable = True
    memory[0] = 77
    assert by_table(3) == 75
    memory[0] = (1 << 22) - 1
    memory.flags.writeable = False


TO_PTX = """
import sys
import numpy as np, numba.cuda.types as types
from outplay.compiling.gpu import gpu_kernel, layout_of
from outplay.game import load
sys.path.insert(0, sys.argv[2])
from tests.compiling.test_gpu import ADDRESS, without_a_gpu
without_a_gpu()

@gpu_kernel
def run(states, out):
    state = states[0]
    while state.actions(out) > 0:
        state.play(out[0])

text = run.to_ptx((types.Array(layout_of(load(sys.argv[1]).rules), 1, "C"), types.int32[::1]))
print("entry" in text, str(ADDRESS) in text, "ld.global.f32" in text)
"""
FOR_CUDA = """
import numpy as np
from outplay.jit import i64, i8, table
from outplay.rules import game

NEXT = table("next", lambda: np.full(1 << 20, 7), dtype=np.int32, shape=1 << 20)
GRID = table("grid", lambda: np.ones((4, 6)), dtype=np.float32, shape=(4, 6))

def step(at):
    return NEXT[at]

@game("walk")
class Walk:
    turn: i8
    at: i64
    LIMIT = 100

    @staticmethod
    def less(a, b):
        return a < b

    def actions(self, out):
        out[0] = 1
        return 1 if self.less(self.at, self.LIMIT) else 0

    def play(self, action):
        self.at += step(self.at) + i64(GRID[self.turn, 1])
        self.turn = 1 - self.turn

    def utility(self, player):
        return 1.0 if player == self.turn else -1.0
"""


@pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="numba-cuda is not installed")
def test_tables_constants_and_helpers_compile_for_a_gpu(tmp_path):
    """Read from the memory of the GPU by their address, which is a number in the code."""
    (tmp_path / "walk.py").write_text(FOR_CUDA)
    command = [sys.executable, "-W", "ignore", "-c", TO_PTX, "walk.py", str(Path(__file__).parents[2])]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "NUMBA_ENABLE_CUDASIM": "0"},
                          timeout=900)
    if "libnvvm" in done.stderr or "nvrtc" in done.stderr:
        pytest.skip("CUDA's own compiler is not installed")
    assert done.stdout.split() == ["True", "True", "True"], done.stderr[-2000:]


def test_tables_are_plain_arrays_in_the_simulator(tmp_path):
    (tmp_path / "walk.py").write_text(FOR_CUDA)
    code = ("from outplay.engine.montecarlo.playouts import playouts\nfrom outplay.game import load\n"
            "print(playouts(load('walk.py').start(), 5, device='cuda').moves)")
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}, timeout=900)
    assert done.stdout.split() == [str(5 * 13)], done.stderr[-2000:]


@pytest.mark.parametrize("what", ["a table", "a word list"])
def test_what_compiles_waits_for_nobody_who_needs_it(what, monkeypatch, tmp_path):
    """One thread makes something for which it has to compile; the other compiles already, and needs the same to go on."""
    from numba.core.compiler_lock import global_compiler_lock

    lexicon = importlib.import_module("outplay.games.scrabble.lexicon")
    loading, compiling = threading.Event(), threading.Event()

    def load(*words):
        loading.set()
        compiling.wait(600)
        with global_compiler_lock:
            return [1, 2, 3] if what == "a table" else build(*words)

    build = lexicon.build
    monkeypatch.setattr(lexicon, "build", load)
    monkeypatch.setattr(lexicon, "cache_folder", lambda: tmp_path)
    numbers = table("needed by two threads", load, dtype=np.int64, shape=3)
    words = lexicon.Lexicon(["AB", "ABBA"])
    found = []

    def ask():
        found.append(list(numbers.array) if what == "a table" else len(words.steps))

    def compile_with_it():
        with global_compiler_lock:
            compiling.set()
            ask()

    one = threading.Thread(target=ask, daemon=True)
    one.start()
    assert loading.wait(600)
    other = threading.Thread(target=compile_with_it, daemon=True)
    other.start()
    for each in (one, other):
        each.join(60)
    assert len(found) == 2 and found[0] == found[1]
