"""Levels as even steps of strength: a scale of ever fewer errors is played, and each level's errors are read from it.

    python benchmarks/levels.py --play games.jsonl --workers 8 --each 60 chess othello
    python benchmarks/levels.py --write games.jsonl                  # writes outplay/players/levels.json

Games that are not named are all games; what the file holds already is gone on with. `auto` with ever more positions and ever
smaller errors (`GRID`) plays round robins, everybody against the next two of the scale, from paired openings; searches stop by
positions, so that all machines play the same games. The ratings that explain the points (Bradley and Terry) rise along the
scale, and every level gets the positions and errors of the place where its rating is: `beginner` a quarter of the way up from
`random`, but no more than `BEGINNER`, and the others a step apart. A step is 120 points, a third of the games won against the
next, or a fifth of what is left where that is less.
"""

import argparse
import itertools
import json
import math
import multiprocessing
import threading
import time
from pathlib import Path

import numpy as np

from outplay.arena.ladder import PRIOR, SCALE, Ladder, _one, deals_of, told_points
from outplay.arena.match import check, usual_plies
from outplay.errors import OutplayError
from outplay.game import load
from outplay.players import levels, player
from outplay.players.algorithms import choose

STEP = 120.0
BEGINNER = 300.0
WORDS = ("beginner", "casual", "club", "strong", "master")
GRID = ((60, 40.0), (60, 16.0), (90, 8.0), (120, 5.0), (200, 3.2), (400, 2.2), (800, 1.5), (1500, 1.0), (3000, 0.6), (6000, 0.3),
        (12_000, 0.1), (24_000, 0.0))  # fmt: skip
GAMES = ("battleships", "chess", "monopoly", "bridge", "go", "backgammon", "scrabble", "checkers", "hold'em", "othello",
         "goofspiel", "connect four", "isolation", "pac-man", "liar's dice", "blind tic-tac-toe", "leduc poker", "kuhn poker",
         "push or fold", "tic-tac-toe", "nim")  # fmt: skip
"""Where there is strength to be measured; what takes longest comes first."""
LEAST_SLIP, FEWEST, LEAST_STEP = 0.02, 8, 5.0
"""The smallest errors but none; games of each player below which nothing is told; Elo of a step below which there are no levels."""
SECONDS, SHORT = 5.0, 0.01
"""For a move, at most: of searches, which stop by positions; of players that one game brings, which know only the clock."""
FILE = Path(levels.__file__).with_name("levels.json")


def made(number, seed):
    """A player of the scale: `random`, then ever better."""
    if number == 0:
        return player("random", seed=seed)
    nodes, slip = GRID[number - 1]
    one = player("auto:memory=2", seed=seed)  # few positions need no large table, and large ones are cleared for each game
    one.level = levels.Level(levels.LEAST, "", (nodes, slip))
    return one


def play(piece):
    """A share of a game's scale, for as long as it may be played: the pairs that were played whole, as a line for the file."""
    name, share, shares, begun, most, each, until = piece
    if time.time() > until:
        return {"game": name, "failed": "no time left"}
    game = load(name)
    sides, deals, plies = game.traits.sides, deals_of(game), usual_plies(game.start())
    seconds = SECONDS if choose(game)[0].startswith("engine:") else SHORT
    seated = [made(number, seed=number) for number in range(len(GRID) + 1)]
    stop = threading.Event()
    met, done = Ladder(name, [str(number) for number in range(len(seated))]), begun
    try:
        check(game, seated, stop=stop)
        timer = threading.Timer(max(0.1, min(each, until - time.time())), stop.set)
        timer.daemon = True
        timer.start()
        for turn in range(begun // sides + share, most // sides, shares):
            for apart in (1, 2):
                for first in range(len(seated) - apart):
                    found = [_one(game, seated[first], seated[first + apart], number, plies, seconds, 0, stop)
                             for number in range(turn * sides * deals, (turn + 1) * sides * deals)]  # fmt: skip
                    if None not in found:
                        points = told_points(game, found, deals)
                        met.add(first, first + apart, sum(points) / deals, sides)
            done = (turn + 1) * sides
            if stop.is_set():
                break
    except OutplayError as problem:
        return {"game": name, "failed": str(problem)[:200]}
    return {"game": name, "done": done, "met": [[*pair, *told] for pair, told in sorted(met.met.items())]}


def read(path):
    """What was played: for each game how many games a pair, and the points by pair."""
    found = {}
    for line in path.read_text().splitlines() if path.is_file() else ():
        row = json.loads(line)
        if "met" in row:
            done, ladder = found.get(row["game"], (0, Ladder(row["game"], [str(number) for number in range(len(GRID) + 1)])))
            for first, second, points, games in row["met"]:
                ladder.add(first, second, points, games)
            found[row["game"]] = max(done, row["done"]), ladder
    return found


def risen(ladder):
    """The ratings along the scale: those that explain the points, bending no more than a curve that rises steadily may.

    With a few dozen games a pair each rating alone is some 50 points off, which is half a step; its neighbours know better. So
    beside the points counts how much the curve bends from one player to the next, a mean step being a usual bend (`random`,
    who is of another kind, is free). What still falls is made level with its neighbours (pool adjacent violators).
    """
    alone = {int(rung.name): rung.elo for rung in ladder.rungs()}
    size = len(GRID) + 1
    ratings = np.array([alone[number] for number in range(size)])
    usual = max(1.0, (ratings.max() - ratings[0]) / len(GRID))
    bends = np.zeros((size - 3, size))
    for number in range(size - 3):
        bends[number, number + 1 : number + 4] = 1.0, -2.0, 1.0
    stiff = bends.T @ bends / usual**2
    for _ in range(60):
        slope, curve = -stiff @ ratings, stiff + 1e-9 * np.eye(size)
        for (first, second), (points, games) in ladder.met.items():
            wanted = 1 / (1 + math.exp(-SCALE * (ratings[first] - ratings[second])))
            apart = np.zeros(size)
            apart[first], apart[second] = 1.0, -1.0
            slope += SCALE * (points + PRIOR / 2 - (games + PRIOR) * wanted) * apart
            curve += SCALE**2 * (games + PRIOR) * wanted * (1 - wanted) * np.outer(apart, apart)
        move = np.linalg.solve(curve, slope)
        ratings = ratings + np.clip(move, -100.0, 100.0)
        if np.abs(move).max() < 1e-3:
            break
    pools = []
    for each in ratings - ratings[0]:
        pools.append([float(each), 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            one, other = pools[-2], pools.pop()
            pools[-1] = [(one[0] * one[1] + other[0] * other[1]) / (one[1] + other[1]), one[1] + other[1]]
    return [worth for worth, size in pools for _ in range(size)]


def between(ratings, wanted):
    """Positions and errors of the place on the scale where a rating is."""
    curve = [(each + number * 1e-3, number) for number, each in enumerate(ratings[1:])]
    for (low, number), (high, _) in itertools.pairwise(curve):
        if wanted <= high:
            part = min(1.0, max(0.0, (wanted - low) / (high - low)))
            (few, large), (many, small) = GRID[number], GRID[number + 1]
            slip = large * (max(small, LEAST_SLIP) / large) ** part
            return [round(few * (many / few) ** part), round(slip, 3)]
    return list(GRID[-1])


def write(path, games):
    """The levels of each game, or of those that are named, from its ratings."""
    kept = json.loads(FILE.read_text())
    for name, (done, ladder) in sorted(read(path).items()):
        if games and name not in games:
            continue
        if min(map(ladder.games_of, range(len(GRID) + 1))) < FEWEST:
            print(f"{name}: too few games")
            continue
        ratings = risen(ladder)
        lowest = max(ratings[1], min(BEGINNER, ratings[-1] / 4))
        step = max(0.0, min(STEP, (ratings[-1] - lowest) / 5))
        curve = " ".join(f"{each:.0f}" for each in ratings)
        print(f"{name}: {done} games a pair; {curve}; beginner {lowest:.0f}, step {step:.0f}")
        if step >= LEAST_STEP:
            kept[name] = {word: between(ratings, lowest + number * step) for number, word in enumerate(WORDS)}
    FILE.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--play", type=Path)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--most", type=int, default=60, help="games a pair, at most")
    parser.add_argument("--each", type=float, default=60.0, help="seconds for a game's scale")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--shares", type=int, default=1, help="processes among whom the rounds of a game are dealt")
    parser.add_argument("--wall", type=float, default=math.inf, help="seconds after which all ends")
    asked = parser.parse_args()
    until = time.time() + asked.wall
    if asked.play:
        known = read(asked.play)
        pieces = [(name, share, asked.shares, known.get(name, (0, None))[0], asked.most, asked.each, until)
                  for share in range(asked.shares) for name in asked.games or GAMES]  # fmt: skip
        with multiprocessing.get_context("spawn").Pool(asked.workers) as pool:
            for row in pool.imap_unordered(play, pieces):
                print(row["game"], row.get("failed") or row["done"], flush=True)
                with asked.play.open("a") as out:
                    out.write(json.dumps(row) + "\n")
    if asked.write:
        write(asked.write, asked.games)


if __name__ == "__main__":
    main()
