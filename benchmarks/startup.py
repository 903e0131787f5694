"""Seconds from the shell to the first answer, per game: from a cold cache, and from a warm one.

Each figure is one run of `outplay best GAME --depth 3 --json` in a process of its own, Python's start included.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time


def main(names: list[str] | None = None) -> list[dict[str, object]]:
    from outplay.game import game_names

    rows = []
    print(f"{'game':<24}{'cold':>8}{'warm':>8}{'nodes':>12}  search")
    for name in names or game_names():
        with tempfile.TemporaryDirectory() as cache:
            cold, _ = first_answer(name, cache)
            warm, answer = min((first_answer(name, cache) for _ in range(3)), key=lambda run: run[0])
        rows.append({"game": name, "cold": cold, "warm": warm, "nodes": answer["nodes"], "algorithm": answer["algorithm"]})
        print(f"{name:<24}{cold:>7.2f}s{warm:>7.2f}s{answer['nodes']:>12,}  {answer['algorithm']}", flush=True)
    print(f"nodes in all: {sum(int(str(row['nodes'])) for row in rows):,}")
    return rows


def first_answer(name: str, cache: str) -> tuple[float, dict]:
    """Seconds and the answer of one run with this cache folder."""
    command = [sys.executable, "-m", "outplay", "best", name, "--depth", "3", "--json"]
    begun = time.perf_counter()
    done = subprocess.run(command, env={**os.environ, "OUTPLAY_CACHE": cache}, capture_output=True, text=True)
    seconds = time.perf_counter() - begun
    if done.returncode != 0:
        raise SystemExit(f"{name}: {done.stderr.strip()}")
    return seconds, json.loads(done.stdout)


if __name__ == "__main__":
    main(sys.argv[1:] or None)
