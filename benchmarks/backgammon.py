"""Backgammon, measured: how much looking ahead is worth, what Star2 leaves out, and GNU Backgammon as the opponent.

    python benchmarks/backgammon.py star            # leaves of Star2 and of plain expectiminimax, the same values
    python benchmarks/backgammon.py match 2000      # two plies against none, the same evaluation
    python benchmarks/backgammon.py match 200 1     # one ply against none
    python benchmarks/backgammon.py gnubg 50 1      # one ply of ours against GNU Backgammon's none

Plies are counted as GNU Backgammon counts them: with none a player judges the positions after its own turn, with one it looks
at each roll and the best reply, with two at its own next turn as well. So n plies are a search of depth n + 1. Games are for
money and without a cube; games come in pairs that begin with the same roll, with the sides exchanged.
"""

import math
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from outplay.arena.match import play_game
from outplay.engine.frames.chance import ChanceSearch, expectiminimax, star2
from outplay.game import load
from outplay.players import Player, player
from outplay.values import Limits

EVERY = 100  # games between two reports


class Plies(Player):
    """Star2 over so many plies."""

    def __init__(self, game, plies):
        self.name = f"{plies} plies"
        self.search = ChanceSearch(game, memory=4)
        self.limits = Limits(depth=plies + 1)

    def pick(self, view, limits):
        """The only action there is, or the one that the search finds."""
        actions = view.actions()
        return actions[0] if len(actions) == 1 else self.search.best(view, self.limits).action


def positions(count, seed=4):
    """Positions with a choice, from random games."""
    source = random.Random(seed)
    game = load("backgammon")
    while count:
        position = game.start()
        for _ in range(source.randint(2, 40)):
            if not position.is_terminal():
                position = position.result(source.choice(position.actions()))
        while position.is_chance():
            position = position.result(source.choice(position.actions()))
        if not position.is_terminal() and len(position.actions()) > 1:
            count -= 1
            yield position


def measure_star(count=5):
    plain_leaves = star_leaves = 0
    plain_seconds = star_seconds = difference = 0.0
    for position in positions(count):
        started = time.thread_time()
        plain = expectiminimax(position, depth=3)
        plain_seconds += time.thread_time() - started
        started = time.thread_time()
        pruned = star2(position, depth=3, ordered=True)
        star_seconds += time.thread_time() - started
        plain_leaves, star_leaves = plain_leaves + plain.leaves, star_leaves + pruned.leaves
        difference = max(difference, abs(plain.value - pruned.value))
    print(
        f"Star2, backgammon, depth 3: {star_leaves:,} leaves of {plain_leaves:,} ({100 * star_leaves / plain_leaves:.1f} %, "
        f"wanted: at most 50 %), greatest difference of values {difference:.1e}, {plain_seconds / star_seconds:.1f} times as fast",
        flush=True,
    )


def measure_match(first, second, games):
    points = []
    started = time.thread_time()
    game = load("backgammon")
    for number in range(games):
        seated = [first, second] if number % 2 == 0 else [second, first]
        opening = random.Random(number // 2).choice(game.start().actions())
        record = play_game(seated, game.start().result(opening), seed=number)
        if record.reason:
            print(f"game {number + 1}: {record.reason}", flush=True)
        points.append(record.outcome.utilities[number % 2])
        if len(points) % EVERY == 0 or len(points) == games:
            mean, reach = mean_and_reach(points)
            won, reach_won = mean_and_reach([float(each > 0) for each in points])
            print(
                f"{first.name} against {second.name}, {len(points)} games: {100 * won:.1f} % won (± {100 * reach_won:.1f}), "
                f"{mean:+.3f} points a game (95 %: {mean - reach:+.3f} to {mean + reach:+.3f}), "
                f"{time.thread_time() - started:.0f} s of processor time",
                flush=True,
            )


def mean_and_reach(values):
    """The mean, and how far its 95 % interval reaches to both sides."""
    mean = sum(values) / len(values)
    return mean, 1.96 * math.sqrt(sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1) / len(values))


def main(wanted):
    kind, games, plies = (*wanted, *["star", "200", "2"][len(wanted) :])
    game = load("backgammon")
    if kind == "star":
        measure_star()
    elif kind == "match":
        measure_match(Plies(game, int(plies)), Plies(game, 0), int(games))
    elif kind == "gnubg":
        program = player("gnubg:ply=0")
        try:
            measure_match(Plies(game, int(plies)), program, int(games))
        finally:
            program.close()
    else:
        sys.exit(f"expected star, match or gnubg, got {kind!r}")


if __name__ == "__main__":
    main(sys.argv[1:])
