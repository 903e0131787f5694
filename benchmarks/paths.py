"""IDA* on Korf's hundred fifteen-puzzle instances: lengths and node counts beside the published ones, and the speed.

    python benchmarks/paths.py [--estimate manhattan|conflicts|patterns] [--seconds S] [--from N] [--most M]

Each instance, from number N on the easiest first, gets S seconds (20). With Manhattan distance the nodes are those that Korf (1985)
counts, so the last line says how often both the length and the count are his. All times are processor time of one core, so that a
busy machine does not matter. A second table has the other puzzles.
"""

from __future__ import annotations

import argparse
import threading
import time
from pathlib import Path

from outplay.engine.paths import a_star, ida_star, shortest
from outplay.game import load
from outplay.values import Limits

KORF = Path(__file__).parent / "data" / "korf100.txt"


def korf(estimate: str, seconds: float, first: int, most: int) -> None:
    game = load("fifteen puzzle", estimate=estimate)
    ida_star(game.start(), Limits(nodes=2))  # compiles, or loads from the cache
    rows = [line.split() for line in KORF.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    rows = sorted(rows, key=lambda row: int(row[2]))[first - 1 :][:most]
    nodes, spent, solved, right, same = 0, 0.0, 0, 0, 0
    print(f"fifteen-puzzle, IDA*, {estimate}, at most {seconds:g} s each, easiest first")
    print("  no  length  nodes           published       s      Mnodes/s")
    for number, length, published, *tiles in rows:
        started, stop = time.process_time(), threading.Event()

        def look(nodes: int, bound: int, started: float = started, stop: threading.Event = stop) -> None:
            if time.process_time() - started > seconds:
                stop.set()

        result = ida_star(game.position(" ".join(tiles)), stop=stop, progress=look)
        took = time.process_time() - started
        nodes, spent = nodes + result.nodes, spent + took
        found = str(result.depth) if result.exact else "-"
        if result.exact:
            solved += 1
            right += found == length
            same += result.nodes == int(published)
        mark = "" if not result.exact or found == length else f"  WRONG, {length} is published"
        speed = result.nodes / took / 1e6
        print(f"{number:>4}  {found:>6}  {result.nodes:<14,}  {int(published):<14,}  {took:6.2f}  {speed:6.1f}{mark}", flush=True)
    print(f"solved {solved} of {len(rows)}; length as published: {right}; node count as published: {same}; "
          f"{nodes / spent / 1e6:.1f} million nodes a second over {nodes:,} nodes")


def others() -> None:
    print("\npuzzle                              search    length  nodes       ms")
    eight, order = "fifteen puzzle:width=3,height=3", "8 0 6 5 4 7 2 3 1"
    cases = [
        (eight, order, a_star), (eight, order, ida_star),
        ("peg solitaire", None, shortest), ("peg solitaire:board=triangle", None, shortest), ("pocket cube", None, shortest),
        ("vacuum world:rooms=8", None, shortest), ("grid", None, shortest),
    ]  # fmt: skip
    for name, text, search in cases:
        game = load(name)
        position = game.position(text) if text else game.start()
        search(position)
        started = time.process_time()
        result = search(position)
        took = time.process_time() - started
        print(f"{name:<36}{result.algorithm:<10}{result.depth:>6}  {result.nodes:<10,}{1000 * took:6.1f}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--estimate", choices=("manhattan", "conflicts", "patterns"), default="manhattan")
    options.add_argument("--seconds", type=float, default=20.0)
    options.add_argument("--from", type=int, default=1, dest="first")
    options.add_argument("--most", type=int, default=100)
    chosen = options.parse_args()
    korf(chosen.estimate, chosen.seconds, chosen.first, chosen.most)
    others()


if __name__ == "__main__":
    main()
