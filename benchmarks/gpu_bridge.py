"""Double-dummy endings on a GPU beside all cores, from the same source. Needs a GPU.

    python benchmarks/gpu_bridge.py [--tricks 5] [--endings 4000000]

Random endings with random strains and leaders. What the GPU says must be what the cores say, and a sample what the solver with its
table says.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from outplay.compiling import gpu
from outplay.experts.bridge import double_dummy_endings as endings
from outplay.experts.bridge.double_dummy import DoubleDummy, Memory

GRIDS = ((128, 16, 128), (128, 16, 80), (128, 16, 64), (128, 16, 48), (128, 16, 40), (64, 32, 64), (256, 8, 64))
"""Threads of a block, blocks of a multiprocessor, registers of a thread."""


def random_endings(count: int, tricks: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hands [count, 4], strains, leaders."""
    source = np.random.default_rng(seed)
    bits = np.array([1 << (16 * suit + rank) for suit in range(4) for rank in range(13)], np.int64)
    hands = np.zeros((count, 4), np.int64)
    for first in range(0, count, 200_000):
        last = min(count, first + 200_000)
        cards = np.argpartition(source.random((last - first, 52), np.float32), 4 * tricks, axis=1)[:, : 4 * tricks]
        hands[first:last] = bits[source.permuted(cards, axis=1)].reshape(last - first, 4, tricks).sum(axis=2)
    return hands, source.integers(0, 5, count, np.int8), source.integers(0, 4, count, np.int8)


def main() -> int:
    """Measure, compare, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tricks", type=int, default=5)
    parser.add_argument("--endings", type=int, default=4_000_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    hands, strains, leaders = random_endings(chosen.endings, chosen.tricks, chosen.seed)
    memory = Memory()
    sample = [DoubleDummy(hands[k], memory=memory).tricks(int(strains[k]), int(leaders[k])) for k in range(500)]
    endings.tricks_of(hands[:2], strains[:2], leaders[:2])
    cores = len(os.sched_getaffinity(0))
    part = min(chosen.endings, 100_000 * cores)
    seconds = {}
    for threads in (1, cores):
        some = part // cores * threads
        begun = time.perf_counter()
        here = endings.tricks_of(hands[:some], strains[:some], leaders[:some], threads=threads)
        seconds[threads] = some / (time.perf_counter() - begun)
        print(f"{some:,} endings of {chosen.tricks} tricks on {threads} cores: {seconds[threads]:,.0f} a second", flush=True)
    wrong = int((here[:500] != np.array(sample)).sum())
    print(f"500 of them with the table: {wrong} wrong")
    if not gpu.available():
        print("no CUDA device found on this machine")
        return 2
    begun = time.perf_counter()
    endings.tricks_of(hands, strains, leaders, device="cuda")
    print(f"compiled for the GPU and all solved once in {time.perf_counter() - begun:.1f} s", flush=True)
    begun = time.perf_counter()
    there = endings.tricks_of(hands, strains, leaders, device="cuda")
    print(f"with the copies there and back: {chosen.endings / (time.perf_counter() - begun):,.0f} a second", flush=True)
    wrong += int((there[: len(here)] != here).sum())
    fastest = 0.0
    strains[strains == 4] = -1
    for block, blocks, registers in GRIDS:
        endings.BLOCK, endings.BLOCKS_PER_PROCESSOR, endings.REGISTERS = block, blocks, registers
        arrays = endings.to_gpu(hands, strains, leaders)
        endings.on_gpu(arrays)  # compiles
        begun = time.perf_counter()
        endings.on_gpu(arrays)
        speed = chosen.endings / (time.perf_counter() - begun)
        fastest = max(fastest, speed)
        wrong += int((arrays[3].copy_to_host() != there).sum())
        print(f"{block} threads x {blocks} blocks a multiprocessor, {registers} registers: {speed:,.0f} a second; {wrong} wrong",
              flush=True)
    print(f"fastest {fastest:,.0f} a second: {fastest / seconds[cores]:.1f} times {cores} cores")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
