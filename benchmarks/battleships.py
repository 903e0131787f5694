"""How near the best is the battleships shooter? Means on the real board, and the exact best on boards small enough to solve.

    python benchmarks/battleships.py                       # all of it, about five minutes on one core
    python benchmarks/battleships.py rules --games 10000   # the shooter and the plain posterior on the same fleets
    python benchmarks/battleships.py named                 # the density player of the boxed game, where each hit names the ship
    python benchmarks/battleships.py optimum               # greedy beside the best strategy that exists, small boards

Shots count as in the pencil game: all hits and all misses. Random shooting is known exactly: the last of 17 cells among 100 comes
after 17 * 101 / 18 = 95.39 shots on average.
"""

import argparse
import functools
import itertools
import math
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from outplay.engine.fleets import Board, hunt, spread_of
from outplay.jit import kernel

FLEET = (5, 4, 3, 3, 2)


def told(shots):
    return f"{shots.mean():.2f} ± {1.96 * shots.std() / math.sqrt(len(shots)):.2f}"


def rules(games):
    hunt(1)
    started = time.perf_counter()
    ours = hunt(games, seed=7, threads=2)
    seconds = time.perf_counter() - started
    print(spread_of(ours))
    print(f"{games} fleets, {1e3 * seconds * 2 / ours.sum():.2f} ms a shot on each of two threads", flush=True)
    plain = hunt(games, seed=7, threads=2, by_density=False)
    gain = plain - ours
    print(f"always the likeliest cell of the posterior, same fleets: {told(plain)}; difference {told(gain)}")
    print(f"random shooting: {sum(FLEET) * 101 / (sum(FLEET) + 1):.3f}", flush=True)


@kernel
def named_kernel(cells, counts, lengths, fleets, shots, alive, live, density, shot, owner, hit):
    """Each hit names its ship: every ship has its own list of placements, and the densities of all are added."""
    ships = len(counts)
    for game in range(len(fleets)):
        for cell in range(100):
            owner[cell], shot[cell] = -1, 0
        left, made = 0, 0
        for s in range(ships):
            left += lengths[s]
            hit[s] = 0
            live[s] = counts[s]
            for k in range(counts[s]):
                alive[s, k] = k
            for i in range(lengths[s]):
                owner[cells[s, fleets[game, s], i]] = s
        while left > 0:
            for cell in range(100):
                density[cell] = 0.0
            for s in range(ships):
                if hit[s] < lengths[s]:
                    for a in range(live[s]):
                        for i in range(lengths[s]):
                            density[cells[s, alive[s, a], i]] += 1.0 / live[s]
            target = -1
            for cell in range(100):
                if not shot[cell] and (target < 0 or density[cell] > density[target]):
                    target = cell
            made += 1
            shot[target] = 1
            struck = owner[target]
            if struck >= 0:
                hit[struck] += 1
                left -= 1
            for s in range(ships):
                kept = 0
                for a in range(live[s]):
                    there = False
                    for i in range(lengths[s]):
                        there = there or cells[s, alive[s, a], i] == target
                    if there == (s == struck):
                        alive[s, kept] = alive[s, a]
                        kept += 1
                live[s] = kept
        shots[game] = made


def named(games):
    board = Board(10, 10, FLEET)
    cells, counts = np.zeros((len(FLEET), 400, 5), np.int64), board.counts
    for s, length in enumerate(FLEET):
        for k, where in enumerate(board.placements(length)):
            cells[s, k, :length] = where
    rng, laid = np.random.default_rng(1), []
    while len(laid) < games:
        ways = [int(rng.integers(n)) for n in counts]
        if len({int(c) for s, k in enumerate(ways) for c in cells[s, k, : FLEET[s]]}) == sum(FLEET):
            laid.append(ways)
    shots = np.zeros(games, np.int64)
    ships = len(FLEET)
    named_kernel(cells, counts, np.array(FLEET), np.array(laid), shots, np.zeros((ships, 400), np.int64), np.zeros(ships, np.int64),
                 np.zeros(100), np.zeros(100, np.int64), np.zeros(100, np.int64), np.zeros(ships, np.int64))
    print(f"plain density player who hears at each hit which ship it struck: {told(shots)} (published: 44.10)", flush=True)


def values(width, height, fleet):
    """Expected shots of the best strategy and of greedy, sinkings told; by recursion over the fleets that are left."""
    board = Board(width, height, fleet)
    fleets = []
    for ways in itertools.product(*(board.placements(length) for length in fleet)):
        if sum(map(len, ways)) == len(set().union(*ways)):
            fleets.append([sum(1 << cell for cell in way) for way in ways])
    wholes = [sum(ships) for ships in fleets]

    def outcomes(left, cell, shots):
        """The fleets by what a shot there would bring: a miss, a hit, or a ship sunk."""
        parts = {}
        after = shots | 1 << cell
        for number in left:
            what = -2
            for ship, mask in enumerate(fleets[number]):
                if mask >> cell & 1:
                    what = ship if not mask & ~after else -1
            parts.setdefault(what, []).append(number)
        return parts

    def counts(left, shots):
        found = dict.fromkeys(range(width * height), 0)
        for number in left:
            for cell in found:
                found[cell] += wholes[number] >> cell & 1
        return {cell: n for cell, n in found.items() if n and not shots >> cell & 1}

    def after(value, left, cell, shots):
        return len(left) + sum(value(tuple(part), shots | 1 << cell) for part in outcomes(left, cell, shots).values())

    @functools.cache
    def best(left, shots):
        open_cells = counts(left, shots)
        if not open_cells:
            return 0
        sure = [cell for cell, n in open_cells.items() if n == len(left)]
        if sure:  # it must be shot at some time, and knowing earlier never hurts
            return after(best, left, sure[0], shots)
        return min(after(best, left, cell, shots) for cell in open_cells)

    @functools.cache
    def greedy(left, shots):
        open_cells = counts(left, shots)
        if not open_cells:
            return 0
        return after(greedy, left, max(open_cells, key=lambda cell: (open_cells[cell], -cell)), shots)

    everything = tuple(range(len(fleets)))
    return len(fleets), best(everything, 0) / len(fleets), greedy(everything, 0) / len(fleets)


def optimum():
    for width, height, fleet in ((3, 3, (2,)), (3, 3, (3, 2)), (4, 3, (3,)), (4, 3, (3, 2)), (4, 3, (2, 2)), (4, 4, (4, 3))):
        started = time.perf_counter()
        number, least, plain = values(width, height, fleet)
        print(f"{width} x {height}, ships {fleet}: {number} fleets, best {least:.4f}, greedy {plain:.4f} "
              f"(+{plain / least - 1:.2%}), {time.perf_counter() - started:.1f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description="How near the best is the battleships shooter?")
    parser.add_argument("parts", nargs="*", choices=["rules", "named", "optimum", []])
    parser.add_argument("--games", type=int, default=4000)
    given = parser.parse_args()
    for part in given.parts or ["rules", "named", "optimum"]:
        if part == "optimum":
            optimum()
        else:
            {"rules": rules, "named": named}[part](given.games)


if __name__ == "__main__":
    main()
