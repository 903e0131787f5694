"""Poker and battleships in figures: hands evaluated a second, all hands counted, equities, push-or-fold charts, fleets and shots.

    python benchmarks/poker.py                             # everything but the table before the flop
    python benchmarks/poker.py evaluator classes equity push fleets shots
    python benchmarks/poker.py preflop                     # counts that table anew (a minute or two) and writes its file
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from outplay.engine.regret.equilibrium import RegretSolver
from outplay.experts.battleships.fleets import count_fleets, hunt, spread_of
from outplay.experts.poker.equity import count_classes, equity, preflop_halves
from outplay.game import load
from outplay.games.holdem.evaluator import CLASSES, strengths_of_sevens
from outplay.games.holdem.preflop import FILE
from outplay.games.holdem.ranges import CLASS_SIZES

PUBLISHED = {5: (0.7149, 0.6207), 8: (0.6186, 0.4497), 10: (0.5829, 0.3738), 12: (0.5324, 0.3303), 15: (0.4566, 0.2855)}


def evaluator():
    rng = np.random.default_rng(1)
    hands = np.concatenate([np.argpartition(rng.random((100_000, 52)), 7, axis=1)[:, :7] for _ in range(20)]).astype(np.uint8)
    out = np.zeros(len(hands), np.uint16)
    strengths_of_sevens(hands, out)
    best = 1e9
    for _ in range(9):
        started = time.thread_time()
        strengths_of_sevens(hands, out)
        best = min(best, time.thread_time() - started)
    print(f"random hands of seven cards, one core: {len(hands) / best / 1e6:.0f} M a second (wanted: 100)", flush=True)


def classes():
    count_classes(1)
    for threads in (1, 2):
        started = time.perf_counter()
        found = count_classes(threads)
        print(f"all {sum(found):,} hands on {threads} thread{'s' * (threads > 1)}: {time.perf_counter() - started:.2f} s",
              flush=True)
    print(", ".join(f"{name} {number:,}" for name, number in zip(CLASSES, found, strict=True)), flush=True)


def equities():
    for ranges, board in ((["AhKh", "QsQd"], ""), (["22+", "ATs+"], ""), (["AA", "KK", "QQ"], ""), (["22+", "ATs+"], "Kh7h2c")):
        found = equity(ranges, board)
        found = equity(ranges, board)
        shown = " ".join(f"{share:.4%}" for share in found.equities)
        print(f"{' '.join(ranges):12} {board or '-':8} {shown}  {found.deals:,} deals, {found.seconds * 1e3:.0f} ms", flush=True)


def push():
    for stack, published in PUBLISHED.items():
        solver = RegretSolver(load(f"push or fold:stack={stack}"), "cfr+")
        report = solver.run(20_000, target=1e-7)
        shares = [0.0, 0.0]
        for player, view, mixture, _ in solver.table():
            hand = int(solver.game.record(view.state)["first" if player == 0 else "second"]) - 1
            shares[player] += CLASS_SIZES[hand] / 1326 * mixture[1]
        print(f"{stack:3} bb: pushed {shares[0]:.4f}, called {shares[1]:.4f} (published {published[0]}, {published[1]}), "
              f"exploitability {report.exploitability:.1e} bb, {report.seconds:.2f} s", flush=True)


def fleets():
    count_fleets(4, 4, (3, 2))
    started = time.perf_counter()
    found = count_fleets(10, 10, (5, 4, 3, 3, 2))
    print(f"fleets of 5, 4, 3, 3, 2 on 10 x 10: {found:,} in {time.perf_counter() - started:.1f} s, one core", flush=True)


def shots(games=2000):
    hunt(1)
    started = time.perf_counter()
    found = hunt(games, seed=7, threads=2)
    seconds = time.perf_counter() - started
    print(spread_of(found))
    print(f"{games} fleets, {found.sum() / seconds:,.0f} shots a second on two threads (random shooting: 95.39)", flush=True)


def preflop():
    started = time.perf_counter()
    np.savez_compressed(FILE, halves=preflop_halves(2).astype(np.uint32))
    print(f"{FILE} written after {time.perf_counter() - started:.0f} s", flush=True)


def main():
    parts = {"evaluator": evaluator, "classes": classes, "equity": equities, "push": push, "fleets": fleets, "shots": shots}
    for part in sys.argv[1:] or parts:
        {**parts, "preflop": preflop}[part]()


if __name__ == "__main__":
    main()
