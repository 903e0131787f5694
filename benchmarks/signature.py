"""The engine's signature and its speeds, in one run: what must stay (nodes) and what must not fall (nodes a second, compile time).

Run it before and after a change of a kernel, on the same machine; `python -m benchmarks.signature` does the same as
`outplay bench signature`. Speeds are processor time, the best of several short runs in turns.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import kernels

from outplay.engine.bench import signature


def main() -> list[dict]:
    rows = [{"what": one.name, "nodes": one.nodes, "value": one.value} for one in signature()]
    for row in rows:
        print(f"{row['what']:<36}{row['nodes']:>14,}  {row['value'] if row['value'] is not None else ''}")
    print(f"{'signature':<36}{sum(row['nodes'] for row in rows):>14,}\n")
    rows += kernels.main([])
    for what, unit, seconds in compiling():
        rows.append({"what": what, unit: seconds})
        print(f"{what:<32}{seconds:>16.2f}  {unit}")
    return rows


def compiling() -> list[tuple[str, str, float]]:
    """Processor seconds that the first search of a game takes with an empty cache, beyond those of the second."""
    found = []
    for game, name, algorithm in (("connect four", "connect four, pvs", "pvs"), ("chess", "chess, pvs", "pvs"),
                                  ("connect four", "connect four, mcts", "mcts")):  # fmt: skip
        code = (
            "import sys, time; from outplay.game import load; from outplay.engine.registry import first_look, make\n"
            f"game = load('{game}'); position = game.start(); begun = time.process_time()\n"
            f"[*make('{algorithm}', game, memory=1).search(position, first_look('{algorithm}'))]\n"
            "print(time.process_time() - begun)"
        )
        with tempfile.TemporaryDirectory() as cache:
            environment = {**os.environ, "OUTPLAY_CACHE": cache}
            cold, warm = (float(subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True,
                                               text=True).stdout) for _ in range(2))  # fmt: skip
        found.append((f"{name}, compiled in", "s", cold - warm))
    return found


if __name__ == "__main__":
    main()
