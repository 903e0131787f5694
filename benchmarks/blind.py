"""Blind tic-tac-toe, the whole of it: how large it is, solved without the order of one's stones, and what a best answer wins.

    python benchmarks/blind.py sizes                        # histories, positions and views by the number of actions
    python benchmarks/blind.py solve --iterations 1000      # and what one who forgets nothing wins from it, exactly

The game has 19,934,533,171 histories but 415,123 positions: what stands where and who knows of it, whatever the order. A strategy
that decides by its view alone (its stones, and those of the other that it ran into) therefore needs no tree of histories: how
likely each position is flows forward through the positions, and what each is worth flows back. One who forgets the order of its
stones may give something away. How much is found by its worst enemy, who forgets nothing: for each sequence of its actions and
answers, all positions in which the game can be are followed with their weights.
"""

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numba
import numpy as np

from outplay.games.blind_tic_tac_toe import FULL, HAS_LINE

DEEP = 20


def positions():
    """All positions, those after few actions first: crosses, rings, those of each that were found, the turn; and their children."""
    level, index, rows, children, histories = [(0, 0, 0, 0, 0)], {(0, 0, 0, 0, 0): 0}, [], [], []
    paths = Counter({level[0]: 1})
    while level:
        following, later = [], Counter()
        histories.append((sum(paths.values()), len(level)))
        for position in level:
            crosses, rings, found_crosses, found_rings, turn = position
            below = [-1] * 9
            if not (crosses | rings == FULL or HAS_LINE[crosses] or HAS_LINE[rings]):
                known = crosses | found_rings if turn == 0 else rings | found_crosses
                for cell in range(9):
                    bit = 1 << cell
                    if known & bit:
                        continue
                    if turn == 0:
                        after = (crosses, rings, found_crosses, found_rings | bit, 0) if rings & bit else \
                            (crosses | bit, rings, found_crosses, found_rings, 1)
                    else:
                        after = (crosses, rings, found_crosses | bit, found_rings, 1) if crosses & bit else \
                            (crosses, rings | bit, found_crosses, found_rings, 0)
                    if after not in index:
                        index[after] = len(index)
                        following.append(after)
                    later[after] += paths[position]
                    below[cell] = index[after]
            rows.append(position)
            children.append(below)
        level, paths = following, later
    return np.array(rows, np.int64), np.array(children, np.int32), histories


def views_of(rows, children):
    """The view of the player to move in each position; -1 at an end."""
    views, found = {}, np.full(len(rows), -1, np.int32)
    for k, (crosses, rings, found_crosses, found_rings, turn) in enumerate(rows.tolist()):
        if (children[k] >= 0).any():
            view = (0, crosses, found_rings) if turn == 0 else (1, rings, found_crosses)
            found[k] = views.setdefault(view, len(views))
    return found, len(views)


@numba.njit(cache=False)
def mixture(numbers, children, first, out):
    """In each view the actions in proportion to positive numbers; `first` is a position with that view."""
    for view in range(len(numbers)):
        total, count = 0.0, 0
        for a in range(9):
            if children[first[view], a] >= 0:
                total += max(numbers[view, a], 0.0)
                count += 1
        for a in range(9):
            out[view, a] = 0.0
            if children[first[view], a] >= 0:
                out[view, a] = max(numbers[view, a], 0.0) / total if total > 0.0 else 1.0 / count


@numba.njit(cache=False)
def iterate(begin, end, turn, children, view, first, worth, regrets, sums, strategy, others, own, values):
    """CFR+ over positions: one player's regrets after the other's."""
    for t in range(begin + 1, end + 1):
        for me in range(2):
            mixture(regrets, children, first, strategy)
            others[:] = 0.0
            own[:] = 0.0
            others[0], own[0] = 1.0, 1.0
            for k in range(len(turn)):
                if view[k] >= 0:
                    for a in range(9):
                        child = children[k, a]
                        if child >= 0:
                            share = strategy[view[k], a]
                            if turn[k] == me:
                                others[child] += others[k]
                                own[child] += own[k] * share
                            else:
                                others[child] += others[k] * share
                                own[child] += own[k]
            for back in range(len(turn)):
                k = len(turn) - 1 - back
                if view[k] < 0:
                    values[k] = worth[k]
                else:
                    total = 0.0
                    for a in range(9):
                        if children[k, a] >= 0:
                            total += strategy[view[k], a] * values[children[k, a]]
                    values[k] = total
            sign = 1.0 if me == 0 else -1.0
            for k in range(len(turn)):
                if view[k] >= 0 and turn[k] == me:
                    for a in range(9):
                        if children[k, a] >= 0:
                            regrets[view[k], a] += sign * others[k] * (values[children[k, a]] - values[k])
                            sums[view[k], a] += t * own[k] * strategy[view[k], a]
            for v in range(len(regrets)):
                if turn[first[v]] == me:
                    for a in range(9):
                        regrets[v, a] = max(regrets[v, a], 0.0)


@numba.njit(cache=False)
def answered(me, depth, count, turn, children, view, worth, strategy, listed, weights, place):
    """What one who forgets nothing gets from a set of positions that it cannot tell apart, each with its weight."""
    best = -1e300
    sign = 1.0 if me == 0 else -1.0
    for a in range(9):
        if children[listed[depth, 0], a] < 0:
            continue
        total = 0.0
        for taken in range(2):  # the cell was taken: its turn again; or free: the other's, and then its own
            size, at = 0, 0
            here, marks = depth + 1, place[depth + 1]
            for k in range(count):
                child = children[listed[depth, k], a]
                if view[child] < 0:
                    if taken == 0:
                        total += sign * weights[depth, k] * worth[child]
                elif (turn[child] == me) == (taken == 1):
                    if marks[child] < 0:
                        marks[child] = size
                        listed[here, size], weights[here, size] = child, 0.0
                        size += 1
                    weights[here, marks[child]] += weights[depth, k]
            if taken == 0:
                while at < size:  # the other's turn, until it is over in each position
                    k = listed[here, at]
                    if turn[k] != me:
                        for b in range(9):
                            child = children[k, b]
                            if child >= 0 and strategy[view[k], b] > 0.0:
                                weight = weights[here, at] * strategy[view[k], b]
                                if view[child] < 0:
                                    total += sign * weight * worth[child]
                                else:
                                    if marks[child] < 0:
                                        marks[child] = size
                                        listed[here, size], weights[here, size] = child, 0.0
                                        size += 1
                                    weights[here, marks[child]] += weight
                    at += 1
            kept = 0
            for k in range(size):
                marks[listed[here, k]] = -1
                if turn[listed[here, k]] == me:
                    listed[here, kept], weights[here, kept] = listed[here, k], weights[here, k]
                    kept += 1
            if kept > 0:
                total += answered(me, here, kept, turn, children, view, worth, strategy, listed, weights, place)
        best = max(best, total)
    return best


def best_answer(me, turn, children, view, worth, strategy):
    """What a best answer wins as one player from a strategy of the other's."""
    size = 6000
    listed, weights = np.zeros((DEEP, size), np.int32), np.zeros((DEEP, size))
    place = np.full((DEEP, len(turn)), -1, np.int32)
    count = 1
    weights[0, 0] = 1.0
    if me == 1:  # the other begins
        count = 9
        for a in range(9):
            listed[0, a], weights[0, a] = children[0, a], strategy[view[0], a]
    return answered(me, 0, count, turn, children, view, worth, strategy, listed, weights, place)


def sizes():
    rows, children, histories = positions()
    view, views = views_of(rows, children)
    begin = 0
    for actions, (paths, count) in enumerate(histories):
        here = view[begin : begin + count]
        print(f"{actions:2} actions: {paths:>14,} histories, {count:>7,} positions, {len(set(here[here >= 0].tolist())):>6,} views")
        begin += count
    print(f"in all {sum(paths for paths, _ in histories):,} histories, {len(rows):,} positions, {views:,} views")


def solve(iterations, rounds):
    started = time.perf_counter()
    rows, children, _ = positions()
    view, views = views_of(rows, children)
    turn = rows[:, 4].astype(np.int8)
    worth = np.where(HAS_LINE[rows[:, 0]], 1.0, np.where(HAS_LINE[rows[:, 1]], -1.0, 0.0))
    first = np.zeros(views, np.int64)
    first[view[view >= 0][::-1]] = np.flatnonzero(view >= 0)[::-1]
    regrets, sums, strategy = np.zeros((3, views, 9))
    others, own, values = np.zeros((3, len(rows)))
    print(f"{len(rows):,} positions, {views:,} views after {time.perf_counter() - started:.1f} s", flush=True)
    done, learning = 0, 0.0
    with ProcessPoolExecutor(2) as pool:
        for part in range(1, rounds + 1):
            wanted = iterations * part // rounds
            while done < wanted:
                before = time.perf_counter()
                end = min(done + 10, wanted)
                iterate(done, end, turn, children, view, first, worth, regrets, sums, strategy, others, own, values)
                learning += time.perf_counter() - before
                done = end
            mixture(sums, children, first, strategy)
            before = time.perf_counter()
            tasks = [pool.submit(best_answer, me, turn, children, view, worth, strategy) for me in range(2)]
            answers = [task.result() for task in tasks]
            value = worth_of(turn, children, view, worth, strategy)
            print(f"{done} iterations in {learning:.1f} s: worth {value:+.5f} to crosses; a best answer that forgets nothing wins "
                  f"{answers[0]:+.5f} as crosses and {answers[1]:+.5f} as rings: exploitability {sum(answers) / 2:.5f} "
                  f"(found in {time.perf_counter() - before:.0f} s)", flush=True)


@numba.njit(cache=False)
def worth_of(turn, children, view, worth, strategy):
    """What the game is worth to crosses when both play by a strategy."""
    values = worth.copy()
    for back in range(len(turn)):
        k = len(turn) - 1 - back
        if view[k] >= 0:
            values[k] = 0.0
            for a in range(9):
                if children[k, a] >= 0:
                    values[k] += strategy[view[k], a] * values[children[k, a]]
    return values[0]


def main():
    parser = argparse.ArgumentParser(description="Blind tic-tac-toe, the whole of it.")
    parser.add_argument("what", nargs="?", choices=["sizes", "solve"], default="sizes")
    parser.add_argument("--iterations", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=1, help="how often a best answer is looked for")
    given = parser.parse_args()
    if given.what == "sizes":
        sizes()
    else:
        solve(given.iterations, given.rounds)


if __name__ == "__main__":
    main()
