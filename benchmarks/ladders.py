"""The ladders that come with Outplay: all games at once, each as `outplay ladder GAME --make` plays it.

    python benchmarks/ladders.py --out outplay/arena/ladders --workers 8 --each 60           # all games
    python benchmarks/ladders.py --out outplay/arena/ladders --each 120 othello checkers

A ladder is played round by round, one opening from every seat for each pair, until `--games` a pair are played or the
seconds of a game are over; with `--shares 4`, each round by one of four processes. Each ladder begins anew.
"""

import argparse
import math
import multiprocessing
import threading
import time
from pathlib import Path

from levels import GAMES

from outplay.arena.ladder import Ladder, _one, alike_of, deals_of, told_points, usual_players
from outplay.arena.match import check, usual_plies
from outplay.game import load
from outplay.players import player

SHORT = {"battleships": 0.01, "bridge": 0.02, "hold'em": 0.02, "go": 0.02, "backgammon": 0.02, "monopoly": 0.01}
"""Seconds a move where games are long and more time says little."""

OFTEN = 5
"""Rounds of the levels for one of those who think for as long as they may."""


def play(piece):
    """Some rounds of one game's ladder, for as long as they may take: every one of so many, beginning with the given one.

    Pairs of levels, which are quick, play `OFTEN` times as often as others.
    """
    name, first_round, apart_by, most, seconds, each, until = piece
    game, stop = load(name), threading.Event()
    seconds, sides, plies, deals = SHORT.get(name, seconds), game.traits.sides, usual_plies(game.start()), deals_of(game)
    made = Ladder(game.name, usual_players(game), deals=deals, alike=alike_of(game))
    if time.time() > until:
        return name, made
    seated = [player(text, seed=number) for number, text in enumerate(made.names)]
    check(game, seated)
    timer = threading.Timer(max(0.1, min(each, until - time.time())), stop.set)
    timer.daemon = True
    timer.start()
    pairs = [(first, first + apart) for apart in (1, 2) for first in range(len(seated) - apart)]
    for turn in range(first_round, most // sides, apart_by):
        for first, second in pairs:
            if turn // apart_by % OFTEN and "level=" not in made.names[second]:
                continue
            found = [_one(game, seated[first], seated[second], number, plies, seconds, 0, stop)
                     for number in range(turn * sides * deals, (turn + 1) * sides * deals)]  # fmt: skip
            if None in found:
                break
            made.add(first, second, sum(told_points(game, found, deals)) / deals, sides)
        if stop.is_set():
            break
    return name, made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--games", dest="most", type=int, default=60, help="games a pair, at most")
    parser.add_argument("--time", type=float, default=0.05, help="seconds a move for who has no limit of its own")
    parser.add_argument("--each", type=float, default=60.0, help="seconds for a game's ladder")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--shares", type=int, default=1, help="processes among whom the rounds of a game are dealt")
    parser.add_argument("--wall", type=float, default=math.inf, help="seconds after which all ends")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    until, whole = time.time() + asked.wall, {}
    pieces = [(name, share, asked.shares, asked.most, asked.time, asked.each, until)
              for share in range(asked.shares) for name in asked.games or GAMES]  # fmt: skip
    with multiprocessing.get_context("spawn").Pool(asked.workers) as pool:
        for name, part in pool.imap_unordered(play, pieces):
            found = whole.setdefault(name, part)
            if found is not part:
                for (first, second), (points, games) in part.met.items():
                    found.add(first, second, points, games)
            found.date = time.strftime("%Y-%m-%d")
            found.command = (f"python benchmarks/ladders.py --out FOLDER --games {asked.most} --shares {asked.shares} "
                             f'--time {SHORT.get(name, asked.time):g} --each {asked.each:g} "{name}"')  # fmt: skip
            found.save(asked.out / f"{name.replace(' ', '-').replace(chr(39), '')}.json")
            print(f"{name}: {max((played for _, played in found.met.values()), default=0)} games a pair", flush=True)


if __name__ == "__main__":
    main()
