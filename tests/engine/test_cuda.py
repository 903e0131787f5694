"""Playouts on a GPU, checked without one: in CUDA's simulator, and compiled to PTX where numba-cuda is installed."""

import importlib.util
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from outplay.compiling import gpu
from outplay.engine.memory import action_list, load_state, probability_rows, weights_of
from outplay.engine.montecarlo import playouts_cuda as cuda
from outplay.engine.montecarlo.playouts import TALLY, Count, Lane, Room, Units, _playouts, playouts
from outplay.errors import Unavailable
from outplay.game import load
from outplay.jit import mix, u64

IN_THE_SIMULATOR = """
import json
from outplay.engine.montecarlo import playouts_cuda as cuda
from outplay.game import load
position = load("tic-tac-toe").start()
played = cuda.playouts(position, 301, seed=1)
two = position.game.rules.states(2)
for index, text in enumerate(("xx./oo./... x", "xxo/oox/xo. x")):
    two[index].parse(text)
sums, squares, moves, cut = cuda.play_states(position.game, two, 20, seed=5)
print(json.dumps([played.games, played.means, played.moves, sums.tolist(), squares.tolist(), moves.tolist()]))
"""

SAME_GAMES = """
import json
from outplay.engine.montecarlo import playouts_cuda as cuda
from tests.engine.test_cuda import roots_of
game, states = roots_of("GAME", COUNT)
print(json.dumps([each.tolist() for each in cuda.play_states(game, states, 1, seed=9, horizon=HORIZON)]))
"""

TO_PTX = """
import numba.cuda.types as types
from outplay.compiling import gpu
from outplay.engine.montecarlo.playouts_cuda import playout_kernel
from outplay.game import load
from tests.compiling.test_gpu import without_a_gpu
without_a_gpu()
rules = load("GAME").rules
numbers, counts, whole = types.float64[:, ::1], types.int64[::1], types.int64
roots = types.Array(gpu.layout_of(rules), 1, "C")
kinds = roots, types.float64[::1], whole, whole, whole, types.uint64, numbers, numbers, counts, counts
text = playout_kernel(rules).to_ptx(kinds)
print("entry" in text, "ld.local" in text, "call" in text)
"""


def run(code, **environment):
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], env={**os.environ, **environment}, capture_output=True,
                          text=True, timeout=900, cwd=Path(__file__).parents[2])
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
@pytest.mark.parametrize("name", ["connect four", "go:size=9,policy=light", "othello:size=4"])
def test_it_compiles_for_a_gpu_and_stays_in_registers(name):
    done = run(TO_PTX.replace("GAME", name), NUMBA_ENABLE_CUDASIM="0")
    if "libnvvm" in done.stderr or "nvrtc" in done.stderr:
        pytest.skip("CUDA's own compiler is not installed")
    assert done.stdout.split() == ["True", "False", "False"], done.stderr[-2000:]


@pytest.mark.skipif(gpu.available(), reason="this machine has a GPU")
def test_without_a_gpu_one_clear_line():
    with pytest.raises(Unavailable, match=r"--device cpu$"):
        playouts(load("tic-tac-toe").start(), 10, device="cuda")


def roots_of(name, count):
    """Positions from random games, each some plies further."""
    game = load(name)
    states, source = game.rules.states(count), random.Random(4)
    position = game.start()
    for index in range(count):
        position = position.result(source.choice(position.actions())) if position.actions() else game.start()
        load_state(states, index, position)
    return game, states


def on_the_processor(game, states, horizon, block, seed=9):
    """One random game from each state, with the random numbers that the first thread of each block of a GPU has."""
    rules = game.rules
    sums, squares, moves = np.zeros((len(states), rules.players)), np.zeros((len(states), rules.players)), []
    lists = action_list(rules), probability_rows(rules, 1)[0], weights_of(rules)
    for index in range(len(states)):
        with np.errstate(over="ignore"):
            source = np.array([mix(u64(seed) + mix(u64(block * index) + u64(1)))], np.uint64)
        tally = np.zeros(1, TALLY)
        tally["left"] = 1
        lane = Lane(Room(states[index : index + 1], *lists), Count(tally, sums[index], squares[index]), source)
        _playouts(lane, Units.of(rules, horizon), 1)
        moves.append(int(tally["moves"][0]))
    return sums.tolist(), squares.tolist(), moves


def test_the_simulator_plays_the_same_games_as_the_processor():
    code = SAME_GAMES.replace("GAME", "othello:size=4").replace("COUNT", "6").replace("HORIZON", "100")
    done = run(code, NUMBA_ENABLE_CUDASIM="1")
    assert done.returncode == 0, done.stderr
    *sums_squares_moves, _ = json.loads(done.stdout)
    assert tuple(sums_squares_moves) == on_the_processor(*roots_of("othello:size=4", 6), 100, block=4)


@pytest.mark.skipif(not gpu.available() or gpu.is_simulated(), reason="needs a GPU")
@pytest.mark.parametrize("name", ["othello", "othello:size=6", "checkers", "connect four"])
@pytest.mark.parametrize("horizon", [500, 7])  # to the end, and cut early, where the evaluation judges
def test_a_gpu_plays_the_same_games_as_the_processor(name, horizon):
    game, states = roots_of(name, 2000)
    sums, squares, moves, _ = cuda.play_states(game, states, 1, seed=9, horizon=horizon)
    here = on_the_processor(game, states, horizon, block=32)
    assert moves.tolist() == here[2]
    assert np.allclose(sums, here[0], rtol=1e-12) and np.allclose(squares, here[1], rtol=1e-12)  # it rounds divisions its own way
