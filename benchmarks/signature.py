"""The engine's signature and its speeds, in one run: what must stay (nodes) and what must not fall (nodes a second, compile time).

Run it before and after a change of a kernel, on the same machine; `python -m benchmarks.signature` does the same as
`outplay bench signature`. Speeds are processor time, the best of several short runs in turns.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from outplay.engine import Engine, perft
from outplay.engine.bench import ENDING, MIDDLE_GAME, PLAIN, signature
from outplay.engine.mcts import MonteCarlo
from outplay.engine.playouts import playouts
from outplay.game import load
from outplay.values import Limits

ROUNDS = 7


def main() -> list[dict]:
    rows = [{"what": one.name, "nodes": one.nodes, "value": one.value} for one in signature()]
    for row in rows:
        print(f"{row['what']:<36}{row['nodes']:>14,}  {row['value'] if row['value'] is not None else ''}")
    print(f"{'signature':<36}{sum(row['nodes'] for row in rows):>14,}\n")
    for what, unit, speed in (*speeds(), *compiling()):
        rows.append({"what": what, unit: speed})
        print(f"{what:<36}{speed:>14,.2f}  {unit}")
    return rows


def speeds() -> list[tuple[str, str, float]]:
    four, chess = load("connect four"), load("chess")
    plain, pvs = Engine(four, algorithm="alphabeta", options=PLAIN), Engine(four)
    player, tree = Engine(chess), MonteCarlo(four, seed=1, settle=False)
    middle, ending = chess.position(MIDDLE_GAME), chess.position(ENDING)

    def search(engine, position, limits):
        engine.clear()
        return engine.best(position, limits).nodes

    def simulate():
        tree.clear()
        tree.best(four.start(), Limits(simulations=60_000))
        return 60_000

    work = {
        "connect four, plain alphabeta": (lambda: search(plain, four.start(), Limits(depth=14)), "Mnodes/s"),
        "connect four, pvs": (lambda: search(pvs, four.start(), Limits(depth=15)), "Mnodes/s"),
        "chess, opening": (lambda: search(player, chess.start(), Limits(depth=12)), "Mnodes/s"),
        "chess, middle game": (lambda: search(player, middle, Limits(depth=11)), "Mnodes/s"),
        "chess, ending": (lambda: search(player, ending, Limits(depth=14)), "Mnodes/s"),
        "chess, perft": (lambda: perft(middle, 5)[0], "Mnodes/s"),
        "connect four, mcts": (simulate, "M simulations/s"),
        "connect four, playouts": (lambda: playouts(four.start(), 100_000).games, "M games/s"),
    }
    best = dict.fromkeys(work, 0.0)
    for _ in range(ROUNDS):
        for name, (run, _) in work.items():
            begun = time.process_time()
            count = run()
            best[name] = max(best[name], count / (time.process_time() - begun) / 1e6)
    return [(name, unit, best[name]) for name, (_, unit) in work.items()]


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
