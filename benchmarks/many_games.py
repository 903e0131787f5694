"""Thousands of whole games on clocks, all games in turn: no illegal move, no crash, no loss on time.

    python benchmarks/many_games.py [COUNT] [CLOCK] [WORKERS] [SEED]       # 10000 0.2+0.002 2 1

Of each game all seats but one are `auto`, the other is the engine where there is one that fits, `random` in every fourth game; all
keep to the clock, and a game ends at the latest after LONGEST plies. Each worker is a process of its own, so that a crash would
show. A loss on time while the host of this machine, or others on it, held the processors back for as long is counted apart. The
exit status is 1 when anything else went wrong.
"""

from __future__ import annotations

import itertools
import json
import os
import resource
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from host import waited

from outplay import load
from outplay.errors import OutplayError
from outplay.game import game_names
from outplay.players import Play
from outplay.values import Ending

LONGEST = 600
WRONG = (Ending.ILLEGAL, Ending.FAILED, Ending.TIME)
BATCH = 10


def games() -> list[str]:
    """All that are played against somebody."""
    return [name for name in game_names() if load(name, compiled=False).players > 1]


def play(task: tuple[str, int, str]) -> tuple[Counter[str], list[str], int]:
    """A batch of games of one kind: how they ended, what went wrong, and the worker's memory in megabytes."""
    name, seed, clock = task
    counts, wrong = Counter[str](), []
    for number in range(seed * BATCH, seed * BATCH + BATCH):
        game = load(name)
        seats = ["auto"] * game.players
        seats[number % game.players] = "random" if number % 4 == 0 else "auto:time=0.2"
        held = waited(os.getpid())
        try:
            with Play(game, seats, clock=clock, seed=number, most_plies=LONGEST) as one:
                one.finished()
        except OutplayError as problem:
            wrong.append(f"{name}, seed {number}: {problem}")
            counts["problem"] += 1
            continue
        late = one.ending is Ending.TIME and waited(os.getpid()) - held > 0.05
        counts["time, while others had the processor" if late else str(one.ending)] += 1
        counts["plies"] += len(one.plies)
        if one.ending in WRONG and not late:
            wrong.append(f"{name}, seed {number}, after {len(one.plies)} plies: {one.reason}")
    return counts, wrong, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main(count: int = 10_000, clock: str = "0.2+0.002", workers: int = 2, seed: int = 1) -> int:
    """Play them, and tell."""
    begun, counts, wrong, most, done = time.perf_counter(), Counter[str](), list[str](), 0, 0
    batches = -(-count // BATCH)
    names = itertools.islice(itertools.cycle(games()), batches)
    tasks = [(name, seed * 1_000_000 + number, clock) for number, name in enumerate(names)]
    try:
        with ProcessPoolExecutor(workers) as pool:
            for ended, failures, size in pool.map(play, tasks):
                counts, wrong, most, done = counts + ended, wrong + failures, max(most, size), done + BATCH
                for failure in failures:
                    print(f"  {failure}", flush=True)
                if done % 500 == 0:
                    print(f"{done:,} games, {len(wrong)} wrong, {time.perf_counter() - begun:.0f} s, {most} MB", flush=True)
    except BrokenProcessPool as problem:
        wrong.append(f"a worker died: {problem}")
        print(f"  {wrong[-1]}")
    plies = counts.pop("plies", 0)
    print(json.dumps({"games": done, "plies": plies, "endings": dict(counts), "wrong": len(wrong), "most_memory_mb": most,
                      "clock": clock, "seconds": round(time.perf_counter() - begun)}))  # fmt: skip
    return int(bool(wrong))


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(main(*[kind(text) for kind, text in zip((int, str, int, int), given, strict=False)]))  # type: ignore[operator]  # types
