"""Random games on a GPU, from the same rules: one thread a game after the other, thousands of threads at once.

The kernel is made per game and compiled by numba-cuda on first use (the extra `cuda`). The 32 threads of a warp run in step, and
where they part, one waits for the other. So there is one loop over moves, not a loop over games around a loop over moves: a thread
whose game ends starts another. In each round all make a move of a player, with the moves of chance before it; and since to score a
game can be longer than many moves, games that ended wait until there are some (`TOGETHER`) to be scored in step.
"""

from __future__ import annotations

import functools
import time
from typing import Any

import numpy as np

from outplay.compiling.gpu import GpuKernel, cuda, gpu_kernel, is_simulated, layout_of, processors, require
from outplay.engine.memory import horizon_of, load_state, refuse_overrun, weights_of
from outplay.engine.montecarlo.playouts import (
    OVERRUN,
    PLAYED,
    Playouts,
    add_utilities,
    chance_step,
    known_total,
    player_step,
    summary,
)
from outplay.game import CompiledGame, Position
from outplay.jit import mix, popcount, u64
from outplay.values import CHANCE

SPARE = 32
"""Places behind a thread's list of actions: how many too many a game may list before it is caught."""
BLOCK = 256
"""Threads in a block."""
BLOCKS_PER_PROCESSOR = 16
"""Blocks for each multiprocessor: enough to hide the wait for memory, few enough that each plays many games."""
TOGETHER = 16
"""Games of a warp that have ended before they are scored, all in step: the others of its 32 play on meanwhile."""
REGISTERS = 64
"""Registers of a thread, at most: with fewer, more threads wait for memory at once; 0 leaves it to the compiler.
Measured by `benchmarks/gpu_playouts.py variants`: with more, none of chess, Go, backgammon and Monopoly was clearly faster."""
CUT = 3  # what came of a game, beside PLAYED, ENDED and OVERRUN: it has reached the horizon
WARP = 0xFFFFFFFF  # all its 32 threads


@functools.cache
def playout_kernel(rules: Any) -> GpuKernel:
    """The kernel for one game."""
    layout = layout_of(rules)
    most_actions, players, total = rules.most_actions, rules.players, known_total(rules)
    most_outcomes = most_actions + SPARE if "chances" in rules.offered and "draw" not in rules.offered else 1
    room = most_actions + SPARE
    (least, greatest), scale = rules.traits.bounds, rules.traits.scale
    action, float64, uint64 = rules.action_type, np.float64, np.uint64
    simulated, together = is_simulated(), TOGETHER

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
        status = PLAYED
        while True:
            # Step 1: moves of chance, then one of a player. A thread without games left keeps step with its warp until the end.
            if left > 0 and status == PLAYED:
                if state.offers_chances() or state.offers_draw():
                    while status == PLAYED and since < horizon and state.player() == CHANCE:
                        status = chance_step(state, actions[:most_actions], probabilities, source)
                        if status == PLAYED:
                            since += 1
                if status == PLAYED and since < horizon:
                    status = player_step(state, actions[:most_actions], source)
                    if status == PLAYED:
                        since += 1
                if status == PLAYED and since >= horizon:
                    status = CUT
                elif status == OVERRUN:
                    shortened, left = -(1 << 40), 0
            # Step 2: a game that has ended waits for others of its warp.
            over = left > 0 and status != PLAYED
            if simulated:  # each thread for itself
                if left == 0:
                    break
                if not over:
                    continue
            else:
                waiting, playing = cuda.ballot_sync(WARP, over), cuda.ballot_sync(WARP, left > 0 and not over)
                if waiting == 0 and playing == 0:
                    break
                if playing != 0 and popcount(u64(waiting)) < together:
                    continue
            # Step 3: what it is worth, and the next one.
            if over:
                made += since
                if status == CUT:
                    shortened += 1
                add_utilities(state, status == CUT, players, total, weights, scale, least, greatest, sum_here, square_here)
                left -= 1
                since, status = 0, PLAYED
                states[0] = roots[root]
        for player in range(players):
            cuda.atomic.add(sums, (root, player), sum_here[player])
            cuda.atomic.add(squares, (root, player), square_here[player])
        cuda.atomic.add(moves, root, made)
        cuda.atomic.add(cut, root, shortened)

    return gpu_kernel(play, max_registers=REGISTERS) if REGISTERS else gpu_kernel(play)


def play_states(game: CompiledGame, states: np.ndarray, games: int, seed: int = 0,
                horizon: int | None = None) -> tuple[np.ndarray, ...]:
    """Play `games` random games from each state: sums and sums of squares [state, player], moves and games cut [state]."""
    require()
    rules = game.rules
    sums = cuda.to_device(np.zeros((len(states), rules.players)))
    squares = cuda.to_device(np.zeros((len(states), rules.players)))
    moves, cut = (cuda.to_device(np.zeros(len(states), np.int64)) for _ in range(2))
    block = min(BLOCK, 32 * max(1, games // 32)) if not is_simulated() else 4
    useful = -(-games // block)  # blocks with at least one game for each thread
    blocks_each = max(1, min(useful, BLOCKS_PER_PROCESSOR * processors() // len(states)))
    roots, weights = cuda.to_device(states), cuda.to_device(weights_of(rules))
    furthest = horizon_of(rules) if horizon is None else horizon
    kernel = playout_kernel(rules)[blocks_each * len(states), block]
    kernel(roots, weights, blocks_each, games, furthest, np.uint64(seed), sums, squares, moves, cut)
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
