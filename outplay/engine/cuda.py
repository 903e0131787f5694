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
from outplay.engine.memory import horizon_of, load_state, refuse_overrun, weights_of
from outplay.engine.playouts import ENDED, OVERRUN, PLAYED, Playouts, add_utilities, known_total, random_step, summary
from outplay.errors import Unavailable
from outplay.game import Position
from outplay.jit import mix, u64

cuda: Any = None
"""The module `numba.cuda`, once a kernel is asked for; kernels read it as a global, where the simulator swaps it."""
SPARE = 32
"""Places behind a thread's list of actions: how many too many a game may list before it is caught."""
MOST_CONSTANT = 8192
"""Bytes of an array that may be one of a kernel's constants."""
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
    if not jit.cuda_is_simulated():
        _keep_large_arrays_in_global_memory()


@functools.cache
def _keep_large_arrays_in_global_memory() -> None:
    """Arrays of a game's module are constants of the kernel, copied at each use; a GPU has room for 64 KB of those.

    Larger ones (the attacks of chess's pieces) are sent to the GPU once, and kernels know their address; kernels are made anew in
    each process, so that a plain number will do.
    """
    from llvmlite import ir
    from numba.cuda import types
    from numba.cuda.target import CUDATargetContext

    usual, sent = CUDATargetContext.make_constant_array, {}

    def make_constant_array(context: Any, builder: Any, kind: Any, array: Any) -> Any:
        if array.nbytes <= MOST_CONSTANT or not array.flags.c_contiguous:
            return usual(context, builder, kind, array)
        key = (array.dtype.str, array.tobytes())
        if key not in sent:
            sent[key] = cuda.to_device(array)
        address = ir.Constant(ir.IntType(64), int(sent[key].__cuda_array_interface__["data"][0]))
        pointer = builder.addrspacecast(address.inttoptr(ir.PointerType(ir.IntType(8), 1)), ir.PointerType(ir.IntType(8)))
        made, word = context.make_array(kind)(context, builder), context.get_value_type(types.intp)
        context.populate_array(made, data=builder.bitcast(pointer, made.data.type), shape=[word(each) for each in array.shape],
                               strides=[word(each) for each in array.strides], itemsize=word(array.itemsize), meminfo=None)
        return made._getvalue()

    CUDATargetContext.make_constant_array = make_constant_array


def playout_function(rules: Any) -> Any:
    """The plain function of the kernel for one game: compiled by `cuda.jit`, or read to PTX by `cuda.compile_ptx`."""
    rules.states(1)  # binds the methods
    layout = rules.layout if jit.cuda_is_simulated() else jit.record_type(rules.layout)
    most_actions, players, total = rules.most_actions, rules.players, known_total(rules)
    most_outcomes = most_actions + SPARE if rules.traits.chance else 1
    room = most_actions + SPARE
    (least, greatest), scale = rules.traits.bounds, rules.traits.scale
    action, float64, uint64 = rules.action_type, np.float64, np.uint64

    def play(roots: Any, weights: Any, blocks_each: Any, games: Any, horizon: Any, seed: Any, sums: Any, squares: Any,
             moves: Any, cut: Any) -> None:
        # Arrays: roots[r], sums[r, player], squares[r, player], moves[r], cut[r]. Each root gets `blocks_each` blocks and `games`
        # games; what a game that breaks its promise of most_actions leaves in cut[r] is below 0.
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
        actions = cuda.local.array(room, action)
        probabilities = cuda.local.array(most_outcomes, float64)
        sum_here = cuda.local.array(players, float64)
        square_here = cuda.local.array(players, float64)
        for player in range(players):
            sum_here[player] = 0.0
            square_here[player] = 0.0
        source[0] = mix(u64(seed) + mix(u64(cuda.grid(1)) + u64(1)))
        made, shortened, since = 0, 0, 0
        state = states[0]
        states[0] = roots[root]
        while True:
            status = random_step(state, actions[:most_actions], probabilities, source) if since < horizon else PLAYED
            if status == PLAYED and since < horizon:
                made += 1
                since += 1
                continue
            if status == OVERRUN:
                shortened = -(1 << 40)
                break
            if status != ENDED:
                shortened += 1
            add_utilities(state, status != ENDED, players, total, weights, scale, least, greatest, sum_here, square_here)
            left -= 1
            if left == 0:
                break
            since = 0
            states[0] = roots[root]
        for player in range(players):
            cuda.atomic.add(sums, (root, player), sum_here[player])
            cuda.atomic.add(squares, (root, player), square_here[player])
        cuda.atomic.add(moves, root, made)
        cuda.atomic.add(cut, root, shortened)

    return play


@functools.cache
def _kernel(rules: Any) -> Any:
    return cuda.jit(playout_function(rules))


def processors() -> int:
    """How many multiprocessors the GPU has."""
    if jit.cuda_is_simulated():
        return 1
    return int(cuda.get_current_device().MULTIPROCESSOR_COUNT)


def play_states(game: Any, states: np.ndarray, games: int, seed: int = 0, horizon: int | None = None) -> tuple[np.ndarray, ...]:
    """Play `games` random games from each state: sums and sums of squares [state, player], moves and games cut [state]."""
    require()
    rules = game.rules
    sums = cuda.to_device(np.zeros((len(states), rules.players)))
    squares = cuda.to_device(np.zeros((len(states), rules.players)))
    moves, cut = (cuda.to_device(np.zeros(len(states), np.int64)) for _ in range(2))
    block = min(BLOCK, 32 * max(1, games // 32)) if not jit.cuda_is_simulated() else 4
    useful = -(-games // block)  # blocks with at least one game for each thread
    blocks_each = max(1, min(useful, BLOCKS_PER_PROCESSOR * processors() // len(states)))
    roots, weights = cuda.to_device(states), cuda.to_device(weights_of(rules))
    furthest = horizon_of(rules) if horizon is None else horizon
    _kernel(rules)[blocks_each * len(states), block](roots, weights, blocks_each, games, furthest, np.uint64(seed), sums, squares,
                                                     moves, cut)  # fmt: skip
    shortened = cut.copy_to_host()
    if (shortened < 0).any():
        refuse_overrun(game)
    return sums.copy_to_host(), squares.copy_to_host(), moves.copy_to_host(), shortened


def playouts(position: Position, games: int, seed: int = 0, horizon: int | None = None) -> Playouts:
    """Play many random games from a position on the GPU."""
    game: Any = position.game
    roots = game.rules.states(1)
    load_state(roots, 0, position)
    play_states(game, roots, 1, seed, horizon)  # compiles, so that the time below is that of playing
    started = time.perf_counter()
    sums, squares, moves, cut = play_states(game, roots, games, seed, horizon)
    seconds = time.perf_counter() - started
    return summary(sums[0], squares[0], games, int(moves[0]), seconds, device="cuda", cut=int(cut[0]))
