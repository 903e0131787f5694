"""Programs of known strength on a game's ladder: they meet some of its players, and stand on it as marks.

    python benchmarks/anchors.py go "gtp:gnugo --mode gtp --level 1" --against auto:level=club --against auto:level=strong
    python benchmarks/anchors.py backgammon gnubg:ply=0 --against auto:level=master --against auto --games 100
    python benchmarks/anchors.py chess "uci:stockfish,UCI_LimitStrength=true,UCI_Elo=1700,time=0.05" --number 1700 \\
        --scale "Stockfish's UCI_Elo" --against auto:level=club

What the ladder's file holds of a pair is gone on with. `--number` is what the program's own scale says of it; `--ladder` another
file than the one that comes with Outplay. A mark is shown by `outplay ladder`, and nobody is rated against it.
"""

import argparse
from pathlib import Path

from outplay.arena.ladder import Ladder, _one, shipped, told_points
from outplay.arena.match import check, usual_plies
from outplay.game import load
from outplay.players import player


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("program")
    parser.add_argument("--against", action="append", required=True)
    parser.add_argument("--games", type=int, default=12, help="games against each")
    parser.add_argument("--time", type=float, default=0.05, help="seconds a move for who has no limit of its own")
    parser.add_argument("--number", type=float)
    parser.add_argument("--scale", default="")
    parser.add_argument("--ladder", type=Path)
    asked = parser.parse_args()
    game = load(asked.game)
    path = asked.ladder or shipped()[game.name]
    ladder, mark = Ladder.read(path), player(asked.program)
    if mark.name not in ladder.names:
        ladder.names.append(mark.name)
    if asked.number is not None:
        ladder.scale, ladder.anchors[mark.name] = asked.scale or ladder.scale, asked.number
    sides, deals, plies = game.traits.sides, ladder.deals, usual_plies(game.start())
    rivals = {name: player(name) for name in asked.against}
    check(game, [mark, *rivals.values()])
    number = {name: ladder.names.index(name) for name in (mark.name, *rivals)}
    for turn in range(asked.games // sides):
        for name, rival in rivals.items():
            pair = number[name], number[mark.name]
            if ladder.met.get(pair, (0.0, 0))[1] > turn * sides:
                continue
            found = [_one(game, rival, mark, each, plies, asked.time, 0, None)
                     for each in range(turn * sides * deals, (turn + 1) * sides * deals)]  # fmt: skip
            ladder.add(*pair, sum(told_points(game, found, deals)) / deals, sides)
            ladder.save(path)
            print(f"{name}: {ladder.met[pair][0]:g} of {ladder.met[pair][1]} against {mark.name}", flush=True)
    for rung in reversed(ladder.rungs()):
        print(f"{rung.name:<40}{rung.elo:+6.0f} ± {rung.error:.0f}")


if __name__ == "__main__":
    main()
