"""How near the best is the battleships shooter? Means on the real board, and the exact best on boards small enough to solve.

    python benchmarks/battleships.py                       # all of it, about five minutes on one core
    python benchmarks/battleships.py rules --games 10000   # the shooter and the plain posterior on the same fleets
    python benchmarks/battleships.py learned --games 10000 # the network, and counting on the same fleets
    python benchmarks/battleships.py named                 # the density player of the boxed game, where each hit names the ship
    python benchmarks/battleships.py plain --games 20000   # the plain density player where a sunk ship's cells are told, and in a
                                                           # game that tells far more: the first hit shows the whole ship
    python benchmarks/battleships.py told --games 10000    # by what is told: ships named at each hit, at sinkings, nothing
    python benchmarks/battleships.py rollouts --games 2000 # what playing the rest out by thousands of fleets adds, ships named
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

from outplay.experts.battleships.fleets import DIAGONAL, OTHER_COLOUR, Board, Knowledge, add_cells, hunt, spread_of
from outplay.experts.battleships.shooter import AIM, read_aim
from outplay.jit import below, inlined, kernel, lowest, popcount, random_source, u64

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


@kernel
def plain_kernel(masks, counts, lengths, bits, fleets, shown, colour, score, shots):
    """All placements of the ships left, laid over each other; those over hits that stand weigh 30 times as much for each.

    When a ship sinks its cells are told. With `shown` its first hit shows it, and its other cells need no miss to be found.
    """
    ships = len(counts)
    for game in range(len(fleets)):
        hit0, hit1, out0, out1 = u64(0), u64(0), u64(0), u64(0)  # hits that stand; cells out of question
        sunk, made = 0, 0
        while sunk < (1 << ships) - 1:
            for k in range(128):
                score[k] = 0.0
            for s in range(ships):
                for k in range(counts[s] if not (sunk >> s) & 1 else 0):
                    a, b = masks[s, k, 0], masks[s, k, 1]
                    over = popcount(a & hit0) + popcount(b & hit1)
                    if not (a & out0 or b & out1) and over < lengths[s]:
                        add_cells(score, a & ~hit0, b & ~hit1, 30.0**over)
            best, target = -1.0, 0
            for cell in range(len(bits)):
                bit = bits[cell]
                word = hit0 | out0 if bit < 64 else hit1 | out1
                likely = score[bit] * (colour if (cell // 10 + cell % 10) & 1 and not (hit0 or hit1) else 1.0)
                if not (word >> u64(bit & 63)) & u64(1) and likely > best:
                    best, target = likely, bit
            mark0, mark1 = u64(0), u64(0)
            if target < 64:
                mark0 = u64(1) << u64(target)
            else:
                mark1 = u64(1) << u64(target - 64)
            made += 1
            struck = -1
            for s in range(ships):
                if masks[s, fleets[game, s], 0] & mark0 or masks[s, fleets[game, s], 1] & mark1:
                    struck = s
            if struck < 0:
                out0 |= mark0
                out1 |= mark1
                continue
            hit0 |= mark0
            hit1 |= mark1
            a, b = masks[struck, fleets[game, struck], 0], masks[struck, fleets[game, struck], 1]
            if shown or not (a & ~hit0 or b & ~hit1):
                made += popcount(a & ~hit0) + popcount(b & ~hit1)
                sunk |= 1 << struck
                hit0 &= ~a
                hit1 &= ~b
                out0 |= a
                out1 |= b
        shots[game] = made


def fleets_of(games, one_by_one=False, seed=3):
    """Random fleets, all alike; or ships laid one after the other, each where it fits."""
    board, rng, laid = Board(10, 10, FLEET), np.random.default_rng(seed), []
    places = [[frozenset(cells) for cells in board.placements(length)] for length in FLEET]
    while len(laid) < games:
        taken, ways = set(), []
        for ship in places:
            k = int(rng.integers(len(ship)))
            while one_by_one and ship[k] & taken:
                k = int(rng.integers(len(ship)))
            if ship[k] & taken:
                break
            taken |= ship[k]
            ways.append(k)
        if len(ways) == len(FLEET):
            laid.append(ways)
    return np.array(laid)


def plain(games):
    board, lengths, shots = Board(10, 10, FLEET), np.array(FLEET), np.zeros(games, np.int64)
    for one_by_one, shown, colour in ((False, 0, 1.0), (True, 0, 1.0), (False, 0, 0.9), (False, 1, 1.0), (False, 1, 0.8)):
        laid = fleets_of(games, one_by_one)
        plain_kernel(board.masks, board.counts, lengths, board.bits, laid, shown, colour, np.zeros(128), shots)
        print(f"plain density{', one colour first' if colour < 1 else ''}, "
              f"{'the first hit shows the whole ship' if shown else 'the cells of a sunk ship are told'}, "
              f"{'ships laid one after the other' if one_by_one else 'all fleets alike'}: {told(shots)}", flush=True)


@inlined
def common(a, b):
    return popcount(a[0] & b[0]) + popcount(a[1] & b[1]) + popcount(a[2] & b[2])


@inlined
def densest(alive, hit, shot, holding, lengths, density):
    """The cell with the most ships laid over each other, each ship named so far by its own placements; one colour, diagonals."""
    ships, hunting, shortest = len(lengths), True, 9
    for s in range(ships):
        if hit[s] < lengths[s]:
            shortest = min(shortest, lengths[s])
            hunting = hunting and hit[s] == 0
    best = 0
    for cell in range(100):
        density[cell] = -1.0
        if not shot[cell]:
            density[cell] = 0.0
            for s in range(ships):
                if hit[s] < lengths[s]:
                    density[cell] += common(alive[s], holding[s, cell]) / float(common(alive[s], alive[s]))
            if hunting:
                row, column, beside = cell // 10, cell % 10, 0
                for turn in range(4):
                    i, j = row + 2 * (turn & 1) - 1, column + (turn & 2) - 1
                    if 0 <= i < 10 and 0 <= j < 10:
                        beside += shot[10 * i + j]
                density[cell] *= 1.0 + DIAGONAL * beside
                if shortest > 1 and (row + column) & 1:
                    density[cell] *= OTHER_COLOUR
        if density[cell] > density[best]:
            best = cell
    return best


@inlined
def shoot(alive, hit, shot, holding, cell, struck):
    """Keep the placements that fit what was told."""
    shot[cell] = 1
    for s in range(len(hit)):
        for w in range(3):
            alive[s, w] &= holding[s, cell, w] if s == struck else ~holding[s, cell, w]
    if struck >= 0:
        hit[struck] += 1


@inlined
def play_out(alive, hit, shot, holding, lengths, owner, density):
    """Shots until all ships are sunk."""
    made, left = 0, 0
    for s in range(len(lengths)):
        left += lengths[s] - hit[s]
    while left > 0:
        cell = densest(alive, hit, shot, holding, lengths, density)
        shoot(alive, hit, shot, holding, cell, owner[cell])
        left -= owner[cell] >= 0
        made += 1
    return made


@inlined
def draw(alive, cells, lengths, listed, source, owner):
    """A random fleet of those that fit."""
    while True:
        for cell in range(100):
            owner[cell] = -1
        fits = True
        for s in range(len(lengths)):
            count = 0
            for w in range(3):
                bits = alive[s, w]
                while bits:
                    listed[count] = 64 * w + lowest(bits)
                    bits &= bits - u64(1)
                    count += 1
            k = listed[below(source, count)]
            for i in range(lengths[s]):
                fits = fits and owner[cells[s, k, i]] < 0
                owner[cells[s, k, i]] = s
        if fits:
            return


@kernel
def rollouts_kernel(cells, lengths, holding, everything, most, draws, source, room, alive, hit, shot, owner, listed, density,
                    likely, shots, gains):
    """Of each game one random decision: the shots it took in all, and how many another cell saves there.

    The cell is chosen by playing the rest out for so many fleets that fit, and judged by as many others.
    """
    for game in range(len(shots)):
        for s in range(len(lengths)):
            hit[0, s] = 0
            for w in range(3):
                alive[0, s, w] = everything[s, w]
        for cell in range(100):
            shot[0, cell] = 0
        draw(alive[0], cells, lengths, listed, source, owner)
        copy(alive, hit, shot, 0, 1)
        made = play_out(alive[1], hit[1], shot[1], holding, lengths, owner, density)
        shots[game], gains[game] = made, 0.0
        for _ in range(below(source, made)):
            cell = densest(alive[0], hit[0], shot[0], holding, lengths, density)
            shoot(alive[0], hit[0], shot[0], holding, cell, owner[cell])
        first = densest(alive[0], hit[0], shot[0], holding, lengths, likely)
        if likely[first] > 0.999:
            continue
        count = 0
        while count < most:  # the likeliest cells, none of less than half the first one's density
            best = -1
            for cell in range(100):
                taken = False
                for k in range(count):
                    taken = taken or room[0, k] == cell
                if not taken and likely[cell] >= 0.5 * likely[first] and (best < 0 or likely[cell] > likely[best]):
                    best = cell
            if best < 0:
                break
            room[0, count] = best
            count += 1
        for half in range(2):
            for k in range(count):
                room[1 + half, k] = 0
            for _ in range(draws):
                draw(alive[0], cells, lengths, listed, source, owner)
                for k in range(count):
                    cell = room[0, k]
                    copy(alive, hit, shot, 0, 1)
                    shoot(alive[1], hit[1], shot[1], holding, cell, owner[cell])
                    room[1 + half, k] += play_out(alive[1], hit[1], shot[1], holding, lengths, owner, density)
        chosen = 0
        for k in range(count):
            if room[1, k] < room[1, chosen]:
                chosen = k
        gains[game] = made * (room[2, 0] - room[2, chosen]) / float(draws)


@inlined
def copy(alive, hit, shot, source, target):
    for s in range(hit.shape[1]):
        hit[target, s] = hit[source, s]
        for w in range(3):
            alive[target, s, w] = alive[source, s, w]
    for cell in range(100):
        shot[target, cell] = shot[source, cell]


def rollouts(games, most=6, draws=500):
    board, ships = Board(10, 10, FLEET), len(FLEET)
    cells, holding = np.zeros((ships, 400, 5), np.int64), np.zeros((ships, 100, 3), np.uint64)  # and which placements hold a cell
    everything = np.zeros((ships, 3), np.uint64)
    for s, length in enumerate(FLEET):
        for k, where in enumerate(board.placements(length)):
            cells[s, k, :length] = where
            everything[s, k // 64] |= np.uint64(1 << k % 64)
            for cell in where:
                holding[s, cell, k // 64] |= np.uint64(1 << k % 64)
    shots, gains = np.zeros(games, np.int64), np.zeros(games)
    source = random_source(1)
    for first in range(0, games, 100):
        rollouts_kernel(cells, np.array(FLEET), holding, everything, most, draws, source, np.zeros((3, most), np.int64),
                        np.zeros((2, ships, 3), np.uint64), np.zeros((2, ships), np.int64), np.zeros((2, 100), np.int64),
                        np.zeros(100, np.int64), np.zeros(400, np.int64), np.zeros(100), np.zeros(100), shots[first : first + 100],
                        gains[first : first + 100])
        done = min(first + 100, games)
        print(f"ships named at each hit, one colour and diagonals: {told(shots[:done])} shots; choosing among {most} cells by "
              f"playing out {draws} fleets at each shot would save {told(gains[:done])} of them ({done} decisions)", flush=True)


def learned(games, at_once=100):
    """The shooter with its network, on fleets drawn as those of `plain`; then counting alone on the same ones."""
    for aim in (read_aim(AIM), None):
        if aim is None:
            shots = np.array([counted(ways) for ways in fleets_of(games)])
        else:
            laid = fleets_of(games)
            started = time.perf_counter()
            shots = np.concatenate([by_network(aim, laid[k : k + at_once]) for k in range(0, games, at_once)])
            print(spread_of(shots))
            print(f"{games} fleets, {1e3 * (time.perf_counter() - started) / shots.sum():.2f} ms a shot", flush=True)
            ours = shots
    print(f"the likeliest cell instead, same fleets: {told(shots)}; difference {told(shots - ours)}", flush=True)


def lying(board, ways):
    """The ship of each cell, or -1."""
    owner = np.full(board.width * board.height, -1)
    for ship, way in enumerate(ways):
        owner[list(board.placements(board.fleet[ship])[way])] = ship
    return owner


def tell_shot(known, owner, cell):
    """What the shot brought; whether the last ship sank."""
    ship, room, bits = owner[cell], known.room, known.board.bits
    others = [bits[c] for c in np.flatnonzero(owner == ship) if c != cell]
    sank = ship >= 0 and all(int(room.hits[b // 64]) >> int(b % 64) & 1 for b in others)
    known.shoot(int(cell), hit=ship >= 0, sank=int(ship) if sank else None)
    return bool(known.room.sunk.all())


def by_network(aim, fleets):
    owners = [lying(Board(10, 10, FLEET), ways) for ways in fleets]
    known, shots = [Knowledge(10, 10, FLEET) for _ in fleets], np.zeros(len(fleets), np.int64)
    going = list(range(len(fleets)))
    while going:
        found = [known[g].probabilities(seed=int(shots[g])) for g in going]
        scores = aim.scores([known[g] for g in going], [shares if exact else None for shares, exact in found])
        for g, row in zip(list(going), scores, strict=True):
            shots[g] += 1
            if tell_shot(known[g], owners[g], int(np.argmax(row))):
                going.remove(g)
    return shots


def counted(ways):
    owner, known, shots = lying(Board(10, 10, FLEET), ways), Knowledge(10, 10, FLEET), 1
    while not tell_shot(known, owner, known.best(seed=shots)):
        shots += 1
    return shots


def tell(games):
    """The shooter when sinkings name the ship and when nothing but hit and miss is told, on the same fleets."""
    for announced in (True, False):
        shots = hunt(games, seed=7, announced=announced)
        print(f"{'a sinking names the ship' if announced else 'only hit and miss are told'}: {told(shots)}", flush=True)


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
    parser.add_argument("parts", nargs="*", choices=["rules", "learned", "named", "plain", "told", "rollouts", "optimum", []])
    parser.add_argument("--games", type=int, default=4000)
    given = parser.parse_args()
    for part in given.parts or ["rules", "named", "optimum"]:
        if part == "optimum":
            optimum()
        else:
            kinds = {"rules": rules, "learned": learned, "named": named, "plain": plain, "told": tell, "rollouts": rollouts}
            kinds[part](given.games)


if __name__ == "__main__":
    main()
