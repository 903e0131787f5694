"""Playouts on a GPU, checked without one: in CUDA's simulator, and compiled to PTX where numba-cuda is installed."""

import importlib.util
import json
import os
import subprocess
import sys

import pytest

from outplay.engine import cuda
from outplay.engine.playouts import playouts
from outplay.errors import Unavailable
from outplay.game import load

IN_THE_SIMULATOR = """
import json
from outplay.engine import cuda
from outplay.game import load
position = load("tic-tac-toe").start()
played = cuda.playouts(position, 301, seed=1)
two = position.game.rules.states(2)
for index, text in enumerate(("xx./oo./... x", "xxo/oox/xo. x")):
    two[index].parse(text)
sums, squares, moves, cut = cuda.play_states(position.game, two, 20, seed=5)
print(json.dumps([played.games, played.means, played.moves, sums.tolist(), squares.tolist(), moves.tolist()]))
"""

TO_PTX = """
import numpy as np, numba.cuda.types as types
from outplay import jit
from outplay.engine import cuda
from outplay.game import load
import numba.cuda.dispatcher as dispatcher
class Device:
    compute_capability = (9, 0)
dispatcher.get_current_device = lambda: Device  # device functions ask the driver which chip they are for
cuda.cuda = jit.cuda_module()
rules = load("GAME").rules
table = types.float64[:, ::1]
kinds = (types.Array(jit.record_type(rules.layout), 1, "C"), types.int64, types.int64, types.uint64, table, table, types.int64[::1])
text, _ = cuda.cuda.compile_ptx(cuda.playout_function(rules), kinds, cc=(9, 0))
print("entry" in text, "ld.local" in text, "call" in text)
"""


def run(code, **environment):
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], env={**os.environ, **environment}, capture_output=True,
                          text=True, timeout=120)
    return done


@pytest.fixture(scope="module")
def simulated():
    done = run(IN_THE_SIMULATOR, NUMBA_ENABLE_CUDASIM="1")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_kernel_plays_the_games_asked_for(simulated):
    games, means, moves, *_ = simulated
    reference = playouts(load("tic-tac-toe").start(), 20_000)
    assert games == 301
    assert means[0] == -means[1]
    assert abs(means[0] - reference.means[0]) < 5 * 301**-0.5
    assert abs(moves / games - reference.moves / reference.games) < 0.5


def test_each_root_gets_its_own_games(simulated):
    *_, sums, squares, moves = simulated
    # In the second position one cell is left and fills it without a line for a draw: twenty games of one move.
    assert sums[1] == [0.0, 0.0] and squares[1] == [0.0, 0.0] and moves[1] == 20
    assert moves[0] >= 20 and squares[0][0] > 0


@pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="numba-cuda is not installed")
@pytest.mark.parametrize("name", ["connect four", "go:size=9,policy=light"])
def test_it_compiles_for_a_gpu_and_stays_in_registers(name):
    done = run(TO_PTX.replace("GAME", name), NUMBA_ENABLE_CUDASIM="0")
    if "libnvvm" in done.stderr or "nvrtc" in done.stderr:
        pytest.skip("CUDA's own compiler is not installed")
    assert done.stdout.split() == ["True", "False", "False"], done.stderr[-2000:]


@pytest.mark.skipif(cuda.available(), reason="this machine has a GPU")
def test_without_a_gpu_one_clear_line():
    with pytest.raises(Unavailable, match=r"--device cpu$"):
        playouts(load("tic-tac-toe").start(), 10, device="cuda")
