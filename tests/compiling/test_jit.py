"""The compiled world is the plain one: bit operations, random numbers, fingerprints, and a cache that is never stale."""

import enum
import json
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay import jit
from outplay.jit import below, byteswap, fingerprint, kernel, lowest, mix, next_word, popcount, random_source, u64, uniform

words = st.integers(0, 2**64 - 1).map(u64)


@kernel
def bits_of(word):
    return popcount(word), lowest(word), byteswap(word), mix(word)


@given(words)
def test_bit_operations_are_the_same_compiled(word):
    with np.errstate(over="ignore"):
        assert tuple(map(int, bits_of(word))) == tuple(map(int, bits_of.python(word)))


def test_bit_operations_of_no_bits():
    assert (popcount(u64(0)), lowest(u64(0)), int(byteswap(u64(1)))) == (0, 64, 1 << 56)


@kernel
def draws(source, out):
    for i in range(len(out)):
        out[i] = below(source, 10) + uniform(source)


@given(st.integers())
def test_random_numbers_are_the_same_compiled_and_never_leave_their_range(seed):
    fast, slow = np.zeros(20), np.zeros(20)
    draws(random_source(seed), fast)
    with np.errstate(over="ignore"):
        draws.python(random_source(seed), slow)
    assert fast.tolist() == slow.tolist()
    assert (fast >= 0).all() and (fast < 10).all()


def test_random_numbers_are_spread_evenly():
    source = random_source(7)
    with np.errstate(over="ignore"):
        counts = np.bincount([below(source, 6) for _ in range(6000)], minlength=6)
        ones = sum(popcount(next_word(source)) for _ in range(500))
    assert counts.min() > 880 and counts.max() < 1120  # four standard deviations
    assert abs(ones - 16_000) < 4 * 90


TABLE = np.arange(4)


def reads_table(i):
    return TABLE[i]


def calls_helper(i):
    return reads_table(i) + 1


def test_a_fingerprint_sees_tables_and_helpers(monkeypatch):
    before = fingerprint(calls_helper)
    monkeypatch.setattr(sys.modules[__name__], "TABLE", np.arange(5))
    assert fingerprint(calls_helper) != before


def test_a_fingerprint_sees_constants_of_closures():
    def maker(size):
        return lambda: size

    assert fingerprint(maker(3)) != fingerprint(maker(4))


def test_a_fingerprint_sees_dictionaries_sets_keyword_defaults_and_enumerations():
    def reading(thing):
        return fingerprint(lambda: thing)

    def keyword(default):
        def function(*, size=default):
            return size

        return function

    assert reading({"a": 1}) == reading({"a": 1}) != reading({"a": 2})
    assert reading({1, 2, 3}) == reading({3, 2, 1}) != reading({1, 2})
    assert fingerprint(keyword(1)) == fingerprint(keyword(1)) != fingerprint(keyword(2))
    assert reading(enum.Enum("Piece", "KING QUEEN")) != reading(enum.Enum("Piece", "QUEEN KING"))


# ---------------------------------------------------------------- stale kernels

FILES = {
    "steps.py": """
        from outplay.jit import inlined

        @inlined
        def step(n):
            return n + 1
    """,
    "walk.py": """
        from outplay.jit import i64, i8
        from outplay.rules import game
        from steps import step

        @game("walk", goal=range(1, 100))
        def walk(goal=10):
            class Walk:
                '''Walk to the goal.'''
                players = 1
                at: i64

                def actions(self, out):
                    out[0] = 1
                    return 1 if self.at < goal else 0

                def play(self, action):
                    self.at = step(self.at)

                def utility(self, player):
                    return self.at
            return Walk
    """,
    "kernels.py": """
        from outplay.jit import kernel

        @kernel
        def run(states, out):
            moves = 0
            while states[0].actions(out) > 0:
                states[0].play(out[0])
                moves += 1
            return 100 * states[0].utility(0) + moves
    """,
    "main.py": """
        import json, sys
        import numpy as np
        from outplay.jit import watch_compiling
        from kernels import run
        from walk import walk

        told = []
        rules = walk(**json.loads(sys.argv[1]))
        with watch_compiling(told.append):
            answer = run(rules.states(1), np.zeros(4, np.int32))
        print(json.dumps([answer, told]))
    """,
}


@pytest.mark.skipif(jit.UNCOMPILED, reason="nothing is compiled here")
def test_an_edited_rule_helper_kernel_or_parameter_never_meets_a_stale_kernel(tmp_path):
    """The cache hits in a second process, and misses after each kind of edit."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(textwrap.dedent(text))

    def run(**parameters):
        environment = {**os.environ, "OUTPLAY_CACHE": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "main.py", json.dumps(parameters)]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        answer, told = json.loads(done.stdout)
        return answer, bool(told)

    def edit(name, old, new):
        path = tmp_path / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    assert run() == (1010, True)
    assert run() == (1010, False)  # from the cache
    assert run(goal=7) == (707, True)  # a parameter
    edit("walk.py", "self.at < goal", "self.at < goal - 1")  # a rule
    assert run() == (909, True)
    edit("steps.py", "n + 1", "n + 3")  # a helper that the rule calls, in another file
    assert run() == (903, True)
    edit("kernels.py", "moves += 1", "moves += 2")  # the kernel
    assert run() == (906, True)
    assert run() == (906, False)
    for path in (tmp_path / "cache").iterdir():
        path.write_bytes(path.read_bytes()[:40])  # a torn file is no worse than none
    assert run() == (906, True)


@pytest.mark.skipif(jit.UNCOMPILED, reason="nothing is compiled here")
def test_two_threads_that_need_the_compiler_wait_for_all_of_it():
    """One imported Numba slowly while another took a fingerprint: "cannot import name 'get_code_object'", for the whole session."""
    code = """
import importlib.abc, sys, threading, time
class Slow(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "numba.core.types":
            begun.set()
            time.sleep(0.3)
begun = threading.Event()
sys.meta_path.insert(0, Slow())
from outplay.jit import fingerprint, load_compiler, mix, watch_compiling
loading = threading.Thread(target=watch_compiling(print).__enter__)
loading.start()
assert begun.wait(60)
fingerprint(mix)
load_compiler()
loading.join()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
