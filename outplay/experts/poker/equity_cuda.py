"""Hold'em hands on a GPU: random deals by the billion, and all hands of seven cards counted.

The look-ups are those of `games/holdem/evaluator`; their tables (160 kB) lie in the GPU's memory and soon in its first-level
caches. Each thread deals on its own: no thread waits for another but for the additions at its end.
"""

from __future__ import annotations

import functools
import time
from typing import Any

import numpy as np

from outplay.compiling.gpu import cuda, gpu_kernel, processors, require
from outplay.errors import BadValue
from outplay.experts.poker.equity import Equity, sample_deal, score, summary
from outplay.games.holdem.evaluator import BITS, KEYS, LEAST, START, STRONGEST, strength_of
from outplay.jit import below, mix, u64

BLOCK = 256
BLOCKS_PER_PROCESSOR = 16
COUNTERS = 8192


@functools.cache
def _sampler(players: int) -> Any:
    float64, int64, uint64 = np.float64, np.int64, np.uint64

    def deal(keys: Any, bits: Any, starts: Any, board_key: Any, board_bits: Any, need: Any, samples: Any, seed: Any,
             out: Any) -> None:
        # out[3, players]: shares of the pot, wins, ties
        thread = cuda.grid(1)
        threads = cuda.gridsize(1)
        left = samples // threads
        if thread < samples % threads:
            left += 1
        source = cuda.local.array(1, uint64)
        strengths = cuda.local.array(players, int64)
        holding = cuda.local.array(players, int64)
        line = cuda.local.array(players, int64)
        shares = cuda.local.array(players, float64)
        wins = cuda.local.array(players, float64)
        ties = cuda.local.array(players, float64)
        for p in range(players):
            shares[p], wins[p], ties[p] = 0.0, 0.0, 0.0
            line[p] = p
        source[0] = mix(u64(seed) + mix(u64(thread) + u64(1)))
        for _ in range(left):
            sample_deal(source, keys, bits, starts, players, board_key, board_bits, need, strengths, holding)
            score(strengths, line, players, 1.0, shares, wins, ties)
        for p in range(players):
            cuda.atomic.add(out, (0, p), shares[p])
            cuda.atomic.add(out, (1, p), wins[p])
            cuda.atomic.add(out, (2, p), ties[p])

    return gpu_kernel(deal)


@functools.cache
def _random_hands() -> Any:
    uint64 = np.uint64

    def evaluate(hands: Any, seed: Any, out: Any) -> None:
        # each thread deals `hands` hands of seven cards and adds their strengths up: out[0] is the sum over all
        source = cuda.local.array(1, uint64)
        source[0] = mix(u64(seed) + mix(u64(cuda.grid(1)) + u64(1)))
        total = 0
        for _ in range(hands):
            key, seen = START, u64(0)
            left = 7
            while left > 0:
                card = below(source, 52)
                if not BITS[card] & seen:
                    seen |= BITS[card]
                    key += KEYS[card]
                    left -= 1
            total += strength_of(key, seen)
        cuda.atomic.add(out, 0, total)

    return gpu_kernel(evaluate)


@functools.cache
def _counter() -> Any:
    int32 = np.int32

    def count(pairs: Any, out: Any) -> None:
        # a block takes pairs of a hand's two highest cards [pair, 2] with a third; its threads share the pairs of cards below
        counts = cuda.shared.array(COUNTERS, int32)
        for k in range(cuda.threadIdx.x, COUNTERS, cuda.blockDim.x):
            counts[k] = 0
        cuda.syncthreads()
        for number in range(cuda.blockIdx.x, len(pairs), cuda.gridDim.x):
            a, b, c = pairs[number, 0], pairs[number, 1], pairs[number, 2]
            key_c, bits_c = START + KEYS[a] + KEYS[b] + KEYS[c], BITS[a] | BITS[b] | BITS[c]
            for pair in range(cuda.threadIdx.x, c * c, cuda.blockDim.x):
                d, e = pair // c, pair % c
                if e < d:
                    key_e, bits_e = key_c + KEYS[d] + KEYS[e], bits_c | BITS[d] | BITS[e]
                    for f in range(e):
                        key_f, bits_f = key_e + KEYS[f], bits_e | BITS[f]
                        for g in range(f):
                            cuda.atomic.add(counts, strength_of(key_f + KEYS[g], bits_f | BITS[g]), 1)
        cuda.syncthreads()
        for k in range(cuda.threadIdx.x, COUNTERS, cuda.blockDim.x):
            if counts[k] > 0:
                cuda.atomic.add(out, k, counts[k])

    return gpu_kernel(count)


def grid() -> int:
    """How many blocks fill the GPU."""
    return BLOCKS_PER_PROCESSOR * processors()


def sampled(spots: Any, samples: int, seed: int = 0) -> Equity:
    """Random deals on the GPU."""
    require()
    kernel = _sampler(len(spots.ranges))
    arrays = cuda.to_device(spots.keys), cuda.to_device(spots.bits), cuda.to_device(spots.starts)
    warm = cuda.to_device(np.zeros((3, len(spots.ranges))))
    kernel[1, 32](*arrays, spots.key, spots.seen, spots.need, 32, np.uint64(seed), warm)  # compiles, outside of the time below
    cuda.synchronize()
    out = cuda.to_device(np.zeros((3, len(spots.ranges))))
    started = time.perf_counter()
    kernel[grid(), BLOCK](*arrays, spots.key, spots.seen, spots.need, samples, np.uint64(seed + 1), out)
    totals = out.copy_to_host()
    return summary(spots, totals, samples, time.perf_counter() - started, "cuda")


def random_hands(hands: int, seed: int = 0) -> tuple[int, float, float]:
    """Deal and evaluate random hands of seven cards: how many it were, their mean strength, and the seconds."""
    if hands < 1:
        raise BadValue(f"hands must be 1 or more, got {hands}")
    require()
    kernel, blocks = _random_hands(), grid()
    each = -(-hands // (blocks * BLOCK))
    out = cuda.to_device(np.zeros(1, np.int64))
    kernel[1, 32](1, np.uint64(seed), out)
    cuda.synchronize()
    out = cuda.to_device(np.zeros(1, np.int64))
    started = time.perf_counter()
    kernel[blocks, BLOCK](each, np.uint64(seed + 1), out)
    total = int(out.copy_to_host()[0])
    done = each * blocks * BLOCK
    return done, total / done, time.perf_counter() - started


def count_classes() -> tuple[tuple[int, ...], float]:
    """All 133,784,560 hands of seven cards by class, the weakest first, and the seconds."""
    require()
    triples = np.array([(a, b, c) for a in range(52) for b in range(a) for c in range(b) if c >= 4], np.int64)
    pairs = cuda.to_device(triples)
    kernel = _counter()
    kernel[1, 32](cuda.to_device(triples[:1]), cuda.to_device(np.zeros(COUNTERS, np.int64)))
    cuda.synchronize()
    out = cuda.to_device(np.zeros(COUNTERS, np.int64))
    started = time.perf_counter()
    kernel[4 * processors(), BLOCK](pairs, out)
    counts = out.copy_to_host()[: STRONGEST + 1]
    seconds = time.perf_counter() - started
    return tuple(int(each.sum()) for each in np.split(counts, LEAST[1:])), seconds
