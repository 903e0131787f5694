"""Multi-ProbCut, measured: nodes at equal depth, and games at equal nodes or time, for any game that has its fits.

    python benchmarks/probcut.py nodes othello 150 12            # threshold in hundredths of a deviation, depth
    python benchmarks/probcut.py games othello 150 40 nodes=20000
    python benchmarks/probcut.py games checkers 150 40 time=0.1

Games are paired: two from each opening of eight random plies, one with each colour. `fits=FILE` takes fits that were not shipped;
`part=3/12` plays every twelfth game only, so that a dozen processes share a match.
"""

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from outplay.engine import Engine
from outplay.engine.preferences import alphabeta
from outplay.game import load
from outplay.playing import Play
from outplay.values import Limits


def engine(game, threshold, fits=None):
    return Engine(game, memory=32, options=alphabeta(game, probcut=threshold), fits=fits)


def openings(game, count, plies=8):
    for seed in range(count):
        draw = random.Random(seed)
        while True:
            position = game.start()
            for _ in range(plies):
                if not position.is_terminal():
                    position = position.result(draw.choice(position.actions()))
            if not position.is_terminal():
                break
        yield position


def measure_nodes(name, threshold, depth=12, count=10, fits=None):
    game = load(name)
    rows = []
    for limit in (0, int(threshold)):
        thinker, begun, nodes, values = engine(game, limit, fits), time.process_time(), 0, []
        for position in openings(game, int(count), 16):
            thinker.clear()
            found = thinker.best(position, Limits(depth=int(depth)))
            nodes, values = nodes + found.nodes, [*values, found.value]
        rows.append((nodes, values))
        print(f"{name}, depth {depth}, probcut {limit}: {nodes / 1e6:.2f} M nodes, {time.process_time() - begun:.1f} s", flush=True)
    (plain, before), (cut, after) = rows
    away = sum(abs(a - b) for a, b in zip(before, after, strict=True)) / len(before)
    print(f"{plain / cut:.2f} times fewer nodes, values {away:.0f} {game.unit} apart on average")


def measure_games(name, threshold, games=40, limit="nodes=20000", fits=None, part="0/1"):
    game = load(name)
    which, parts = map(int, part.split("/"))
    kind, _, number = limit.partition("=")
    limits = Limits(nodes=int(number)) if kind == "nodes" else Limits(seconds=float(number))
    points = 0.0
    cutter, plain = engine(game, int(threshold), fits), engine(game, 0)
    paired = list(enumerate(opening for opening in openings(game, int(games) // 2) for _ in range(2)))
    for played, (number, opening) in enumerate(paired[which::parts], 1):
        cutter.clear(), plain.clear()
        play, seat = Play(game, ["human", "human"], start=opening), number % 2
        while play.outcome is None and len(play.plies) < 300:
            thinker = cutter if play.position.player() == seat else plain
            play.push(thinker.best(play.position, limits, earlier=play.positions).action)
        won = play.outcome.utilities[seat] if play.outcome else 0.0
        points += 1.0 if won > 0 else 0.5 if won == 0 else 0.0
        print(f"{name}, {limit}: probcut={threshold} has {points:g} of {played} against the search without", flush=True)


def main():
    what, *words = sys.argv[1:] or ["nodes", "othello", "150"]
    options = {word.partition("=")[0]: word.partition("=")[2] for word in words if word.startswith(("fits=", "part="))}
    words = [word for word in words if not word.startswith(("fits=", "part="))]
    measure = measure_games if what == "games" else measure_nodes
    measure(words[0], *(int(word) if word.isdigit() else word for word in words[1:]), **options)


if __name__ == "__main__":
    main()
