"""The strategy that comes with Outplay for heads-up no-limit hold'em: learned from random deals, kept in a byte an action.

    python benchmarks/holdem_train.py --seconds 450 --threads 8 --out outplay/experts/poker/holdem.npz

What `outplay equilibrium "hold'em" --algorithm buckets` learns, without the regrets that go on from it.
"""

import argparse
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from outplay.experts.poker import blueprint
from outplay.experts.poker.limit import RIVALS, HoldemSolver
from outplay.experts.poker.local_response import local_best_response
from outplay.game import load


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="hold'em")
    parser.add_argument("--seconds", type=float, default=450.0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--answers", type=int, default=1000, help="deals of the local best response at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    solver = HoldemSolver(load(asked.game), seed=asked.seed, threads=asked.threads)
    solver.advance(asked.threads)  # compiles
    until, told = time.monotonic() + asked.seconds, time.monotonic() + 20
    while time.monotonic() < until:
        solver.advance(5000 * asked.threads)
        if time.monotonic() > told:
            told = time.monotonic() + 60
            scores = [(rival, *solver.measure(rival, 20_000)) for rival in RIVALS]
            won = ", ".join(f"{rival} {mean:+.0f} ± {1.96 * error:.0f}" for rival, mean, error in scores)
            print(f"{solver.iterations:,} deals; thousandths of a big blind a hand: {won}", flush=True)
            blueprint.write(solver, asked.out)
    blueprint.write(solver, asked.out)
    with ThreadPoolExecutor(asked.threads) as pool:
        seeds = range(1, asked.threads + 1)
        found = list(pool.map(lambda seed: local_best_response(solver, max(2, asked.answers // asked.threads), seed=seed), seeds))
    mean, error = statistics.fmean(won for won, _ in found), sum(each**2 for _, each in found) ** 0.5 / len(found)
    print(f"a local best response wins {mean:.0f} ± {1.96 * error:.0f} thousandths of a big blind a hand", flush=True)
    print(f"{solver.iterations:,} deals, {asked.out.stat().st_size / 1e6:.1f} MB", flush=True)


if __name__ == "__main__":
    main()
