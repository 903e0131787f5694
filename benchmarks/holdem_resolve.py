"""What thinking again on flop, turn or river adds to a trained strategy for limit hold'em, without the cards' luck.

    outplay equilibrium "hold'em:kind=limit" --algorithm buckets --time 600 --out limit.npz
    python benchmarks/holdem_resolve.py limit.npz --hands 400 --iterations 300
    python benchmarks/holdem_resolve.py limit.npz --hands 40 --seconds 20 --street turn
    python benchmarks/holdem_resolve.py limit.npz --hands 40 --iterations 200 --street flop

Hands are dealt at random and played by the strategy on both sides up to the street. There both ranges are known, and what either
seat wins from the strategy when it thinks again is found exactly, over all hands of both; and so is what a best answer from there
on would win from it, before and after. On the flop that answer ends with the betting there: beyond, it goes on as it was trained,
or leaning to folding, calling or raising, whichever is best for the hand. Hands that end earlier count as no difference. Each line
is one street reached; the last one sums up, in thousandths of a big blind a hand.
"""

import argparse
import math
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from outplay.experts.poker.flop import Flop
from outplay.experts.poker.limit import HoldemSolver
from outplay.experts.poker.rest import Rest
from outplay.game import load

CARDS = {"flop": 3, "turn": 4, "river": 5}


def reached(solver, street, source, names):
    """A random hand played by the strategy: the actions and the board when a street begins, or None where it ends before."""
    deck = source.sample(range(52), 9)
    holes, board, log, node = (tuple(deck[:2]), tuple(deck[2:4])), tuple(deck[4:]), (), 0
    betting, wanted = solver.betting, {"flop": 1, "turn": 2, "river": 3}[street]
    while betting.round[node] < wanted:
        shown = board[: (0, 3, 4, 5)[betting.round[node]]]
        shares = solver.shares(log, holes[betting.player[node]], shown, runs=240, seed=source.getrandbits(60))
        kind = source.choices(list(shares), list(shares.values()))[0]
        node = int(betting.child[node, kind])
        log = names[node]
    return (log, board[: CARDS[street]]) if betting.round[node] == wanted else None


def main():
    parser = argparse.ArgumentParser(description="What thinking again adds to a trained strategy for limit hold'em.")
    parser.add_argument("file")
    parser.add_argument("--hands", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--iterations", type=int, help="instead of seconds: the same on every machine")
    parser.add_argument("--street", choices=["flop", "turn", "river"], default="river")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    solver = HoldemSolver(load("hold'em:kind=limit"))
    solver.resume(given.file)
    names = {node: log for log, node in solver.betting.index.items()}  # the actions that lead to each node
    limit = {"iterations": given.iterations} if given.iterations else {"seconds": given.seconds}
    source, gains, lost, iterations = random.Random(given.seed), [], [], []
    for hand in range(given.hands):
        found = reached(solver, given.street, source, names)
        if found is None:
            gains.append(0.0)
            lost.append((0.0, 0.0))
            continue
        started = time.perf_counter()
        gain, before, after = 0.0, 0.0, 0.0
        for seat in range(2):
            if given.street == "flop":
                rest = Flop(solver, *found, seat=seat, threads=given.threads)
            elif seat == 0:
                rest = Rest(solver, *found, threads=given.threads)
            values, best = rest.public.evaluate(rest.trained())
            numbers, done = rest.think(seat, **limit)
            iterations.append(done)
            new_values, new_best = rest.public.evaluate(numbers)
            gain += (new_values[seat] - values[seat]) / 2
            before += best[1 - seat] / 2
            after += new_best[1 - seat] / 2
        gains.append(500 * gain)  # a big blind has two chips
        lost.append((500 * before, 500 * after))
        print(f"hand {hand + 1}: a best answer wins {before / 2:.3f} big blinds before and {after / 2:.3f} after, the strategy "
              f"itself loses {gain / 2:.3f}; {iterations[-1]} iterations, {time.perf_counter() - started:.1f} s", flush=True)

    def told(numbers):
        return f"{np.mean(numbers):.1f} ± {1.96 * np.std(numbers) / math.sqrt(len(numbers)):.1f}"

    there = sum(1 for each in lost if each != (0.0, 0.0))
    print(f"{given.hands} hands, {there} came to the {given.street}; thinking again wins {told(gains)} thousandths of a big blind "
          f"a hand from the strategy; a best answer from there on won {told([each[0] for each in lost])} and wins "
          f"{told([each[1] for each in lost])} (difference {told([each[0] - each[1] for each in lost])}); "
          f"{np.mean(iterations or [0]):.0f} iterations each", flush=True)


if __name__ == "__main__":
    main()
