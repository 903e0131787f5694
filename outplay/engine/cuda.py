"""Random games on a GPU, from the same rules: one thread a game after the other, thousands of threads at once.

The kernel is made per game and compiled by numba-cuda on first use (the extra `cuda`). Threads of a warp run in step, so a thread
whose game ends starts the next one at once instead of waiting for its neighbours: one loop over moves, not a loop over games
around a loop over moves.

>>> available() in (True, False)
True
"""

from __future__ import annotations

import functools
import time
from typing import Any

import numpy as np

from outplay import jit
from outplay.engine.playouts import Playouts, add_utilities, known_total, random_step, summary
from outplay.engine.workspace import load_state
from outplay.errors import Unavailable
from outplay.game import Position
from outplay.jit import mix, u64

cuda: Any = None
"""The module `numba.cuda`, once a kernel is asked for; kernels read it as a global, where the simulator swaps it."""
BLOCK = 256
"""Threads in a block."""
BLOCKS_PER_PROCESSOR = 64
"""Blocks for each multiprocessor: enough to hide the wait for memory, few enough that each plays many games."""


def available() -> bool:
    """Whether numba-cuda is installed and finds a GPU (or runs in its simulator)."""
    try:
        return bool(jit.cuda_module().is_available())
    except Exception:  # whatever a broken driver raises, the answer is no
        return False


def require() -> None:
    """Make `cuda` ready, or say in one clear line that this machine has no GPU."""
    global cuda
    try:
        cuda = jit.cuda_module()
    except ImportError:
        raise Unavailable("no GPU support here: install it with `pip install outplay[cuda]`, or use --device cpu") from None
    if not available():
        raise Unavailable("no CUDA device found on this machine: use --device cpu")


def playout_function(rules: Any) -> Any:
    """The plain function of the kernel for one game: compiled by `cuda.jit`, or read to PTX by `cuda.compile_ptx`."""
    rules.states(1)  # binds the methods
    layout = rules.layout if jit.cuda_is_simulated() else jit.record_type(rules.layout)
    most_actions, players, total = rules.most_actions, rules.players, known_total(rules)
    most_outcomes = most_actions if rules.traits.chance else 1
    int32, float64, uint64 = np.int32, np.float64, np.uint64

    def play(roots: Any, blocks_each: Any, games: Any, seed: Any, sums: Any, squares: Any, moves: Any) -> None:
        # Arrays: roots[r], sums[r, player], squares[r, player], moves[r]. Each root gets `blocks_each` blocks and `games` games.
        root = cuda.blockIdx.x // blocks_each
        thread = (cuda.blockIdx.x % blocks_each) * cuda.blockDim.x + cuda.threadIdx.x
        threads = blocks_each * cuda.blockDim.x
        left = games // threads
        if thread < games % threads:
            left += 1
        if left == 0:
            return
        states = cuda.local.array(1, layout)
        source = cuda.local.array(1, uint64)
        actions = cuda.local.array(most_actions, int32)
        probabilities = cuda.local.array(most_outcomes, float64)
        sum_here = cuda.local.array(players, float64)
        square_here = cuda.local.array(players, float64)
        for player in range(players):
            sum_here[player] = 0.0
            square_here[player] = 0.0
        source[0] = mix(u64(seed) + mix(u64(cuda.grid(1)) + u64(1)))
        made = 0
        state = states[0]
        states[0] = roots[root]
        while True:
            if random_step(state, actions, probabilities, source):
                made += 1
            else:
                add_utilities(state, players, total, sum_here, square_here)
                left -= 1
                if left == 0:
                    break
                states[0] = roots[root]
        for player in range(players):
            cuda.atomic.add(sums, (root, player), sum_here[player])
            cuda.atomic.add(squares, (root, player), square_here[player])
        cuda.atomic.add(moves, root, made)

    return play


@functools.cache
def _kernel(rules: Any) -> Any:
    return cuda.jit(playout_function(rules))


def processors() -> int:
    """How many multiprocessors the GPU has."""
    if jit.cuda_is_simulated():
        return 1
    return int(cuda.get_current_device().MULTIPROCESSOR_COUNT)


def play_states(rules: Any, states: np.ndarray, games: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play `games` random games from each state: sums and sums of squares [state, player], and moves [state]."""
    require()
    sums = cuda.to_device(np.zeros((len(states), rules.players)))
    squares = cuda.to_device(np.zeros((len(states), rules.players)))
    moves = cuda.to_device(np.zeros(len(states), np.int64))
    block = min(BLOCK, 32 * max(1, games // 32)) if not jit.cuda_is_simulated() else 4
    useful = -(-games // block)  # blocks with at least one game for each thread
    blocks_each = max(1, min(useful, BLOCKS_PER_PROCESSOR * processors() // len(states)))
    roots = cuda.to_device(states)
    _kernel(rules)[blocks_each * len(states), block](roots, blocks_each, games, np.uint64(seed), sums, squares, moves)
    return sums.copy_to_host(), squares.copy_to_host(), moves.copy_to_host()


def playouts(position: Position, games: int, seed: int = 0) -> Playouts:
    """Play many random games from a position on the GPU."""
    rules = position.game.rules
    roots = rules.states(1)
    load_state(roots, 0, position)
    play_states(rules, roots, 1, seed)  # compiles, so that the time below is that of playing
    started = time.perf_counter()
    sums, squares, moves = play_states(rules, roots, games, seed)
    return summary(sums[0], squares[0], games, int(moves[0]), time.perf_counter() - started, device="cuda")
