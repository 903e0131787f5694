"""Seconds from the shell to the first answer, per game: from a cold cache, and from a warm one.

Each figure is one run of `outplay best GAME --depth 3 --json` in a process of its own, Python's start included; the warm one is the
quickest of three. Beside the time on the clock stands the processor's time, which a busy machine changes less.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time


def main(names: list[str] | None = None) -> list[dict]:
    from outplay.game import game_names

    rows = []
    print(f"{'game':<24}{'cold':>8}{'(cpu)':>9}{'warm':>8}{'(cpu)':>9}{'nodes':>10}  search")
    for name in names or game_names():
        with tempfile.TemporaryDirectory() as cache:
            cold, cold_cpu, _ = first_answer(name, cache)
            warm, warm_cpu, answer = min((first_answer(name, cache) for _ in range(3)), key=lambda run: run[0])
        row = {"game": name, "cold": cold, "cold_cpu": cold_cpu, "warm": warm, "warm_cpu": warm_cpu}
        rows.append({**row, "nodes": answer["nodes"], "algorithm": answer["algorithm"]})
        times = f"{cold:>7.2f}s{cold_cpu:>8.2f}s{warm:>7.2f}s{warm_cpu:>8.2f}s"
        print(f"{name:<24}{times}{answer['nodes']:>10,}  {answer['algorithm']}", flush=True)
    print(f"nodes in all: {sum(row['nodes'] for row in rows):,}")
    return rows


def first_answer(name: str, cache: str) -> tuple[float, float, dict]:
    """Seconds on the clock, seconds of the processor, and the answer of one run with this cache folder."""
    command = [sys.executable, "-m", "outplay", "best", name, "--depth", "3", "--json"]
    begun, used = time.perf_counter(), processor_seconds()
    done = subprocess.run(command, env={**os.environ, "OUTPLAY_CACHE": cache}, capture_output=True, text=True)
    seconds = time.perf_counter() - begun
    if done.returncode != 0:
        raise SystemExit(f"{name}: {done.stderr.strip()}")
    return seconds, processor_seconds() - used, json.loads(done.stdout)


def processor_seconds() -> float:
    """What all finished children have used."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main(sys.argv[1:] or None)
