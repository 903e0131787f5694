"""The passes that kernels are compiled by: same results as plain Python, and a clear refusal where they could differ."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from outplay.jit import UNCOMPILED, i64, kernel, u64

pytestmark = pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")

LOW, HIGH = 3, 8


@kernel
def by_names(numbers):
    """A variable that two constants are given to by their names, as a kernel gives its status."""
    limit = LOW
    total = 0
    for number in numbers:
        if number > 5:
            limit = HIGH
        total += limit
    return total


@kernel
def blended(numbers):
    """A variable with a sign here and without one there."""
    word = u64(1)
    if len(numbers) > 2:
        word = i64(numbers[0])
    return word


def test_constants_by_name_may_share_a_variable():
    numbers = np.array([1, 2, 7, 1])
    assert by_names(numbers) == by_names.python(numbers) == 3 + 3 + 8 + 8


ours = pytest.mark.skipif(os.environ.get("OUTPLAY_PASSES") == "stock", reason="Numba's own passes are in use")


@ours
def test_a_variable_with_and_without_sign_is_refused_by_name():
    with pytest.raises(Exception, match=r"word is given int64 and uint64, .*use a second name"):
        blended(np.array([1, 2, 3]))


@ours
def test_numba_is_left_as_it_was_even_after_a_failure():
    from numba.core import types

    before = types.BaseFunction.get_call_type
    with pytest.raises(Exception, match="second name"):
        blended(np.array([1, 2]))
    assert types.BaseFunction.get_call_type is before
    assert gc.isenabled()


def test_two_threads_that_compile_leave_garbage_collection_and_numba_as_they_were():
    """What is to be restored is read when nobody else compiles; before, collecting stayed off for the rest of the process."""
    from numba.core import types
    from numba.core.compiler_lock import global_compiler_lock

    before = types.BaseFunction.get_call_type
    kernels = [kernel(lambda n: n + 1), kernel(lambda n: n - 1)]
    for each in kernels:
        each._compiled = each.dispatcher()
    threads = [threading.Thread(target=each, args=(i64(5),)) for each in kernels]
    with global_compiler_lock:  # both are about to compile
        for each in threads:
            each.start()
        gc_was = gc.isenabled()
    for each in threads:
        each.join()
    assert gc_was and gc.isenabled()
    assert types.BaseFunction.get_call_type is before


def test_other_peoples_records_are_left_as_numba_has_them():
    import numba

    by_names(np.arange(3))  # our kernels are registered
    other = np.zeros(1, np.dtype([("a", np.int64)]))
    assert numba.njit(lambda r: r[0].a)(other) == 0
    with pytest.raises(KeyError, match="actions"):  # Numba's own complaint
        numba.njit(lambda r: r[0].actions)(other)


STOCK = """
import sys
import numpy as np
from outplay.compiling import passes
from outplay.game import load
from outplay.engine.montecarlo.playouts import playouts
if "broken" in sys.argv:
    passes._link_only = None  # as if Numba had changed
played = playouts(load("nim").start(), 500, seed=1)
print(played.means, played.moves, passes.passes_in_use())
"""


def test_numbas_own_passes_give_the_same_games_by_choice_and_where_ours_fail(tmp_path):
    def run(*arguments, **environment):
        environment = {**os.environ, "OUTPLAY_CACHE": str(tmp_path / arguments[0]), "OUTPLAY_PASSES": "", **environment}
        done = subprocess.run([sys.executable, "-c", STOCK, *arguments], env=environment, capture_output=True, text=True)
        return *done.stdout.rsplit(maxsplit=1), done.stderr

    games, which, said = run("own")
    assert (which, said) == ("own", "")
    assert run("stock", OUTPLAY_PASSES="stock") == (games, "stock", "")
    same, which, said = run("broken")
    assert (same, which) == (games, "stock")
    assert said.count("\n") == 1 and "its own are used" in said
