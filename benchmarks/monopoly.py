"""Monopoly measured: where throws end, how strong the players are, which streets pay back first, random games a second.

    python benchmarks/monopoly.py                        # all of it, in a small way
    python benchmarks/monopoly.py movement 100000000     # simulated throws against the exact chain
    python benchmarks/monopoly.py players 1000           # games among four players, each level's win rate with its interval
    python benchmarks/monopoly.py streets                # throws of the others until a street has earned its price
    python benchmarks/monopoly.py speed 100000           # random games a second of processor time, one core
"""

import math
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from outplay.arena.match import match
from outplay.engine.playouts import playouts
from outplay.game import load
from outplay.games.monopoly import board
from outplay.games.monopoly.movement import long_run, walked
from outplay.players import player

LEVELS = ("random", "thumb", "engine:maxn,depth=2", "engine:mcts,simulations=1000,c=0.1")
TABLE = "monopoly:horizon=60"
"""The game of the match: playouts are cut after sixty plies and judged by net worth and rents."""


def movement(throws: int = 10_000_000) -> None:
    for name, stays, second in (("leaving jail at once", False, False), ("staying in", True, False),
                                ("staying in, a double out of jail throws again", True, True)):  # fmt: skip
        game = load("monopoly:players=2,auctions=no,jail_double=" + ("yes" if second else "no"))
        seen, exact = walked(game, throws, stays=stays, seed=1), long_run(stays=stays, second_throw=second)
        worst = max(exact, key=lambda where: abs(exact[where] - seen[where]))
        print(f"{name}: {throws:,} throws, jail {100 * seen['jail']:.3f} % (exact {100 * exact['jail']:.3f}), third red street "
              f"{100 * seen[24]:.3f} % ({100 * exact[24]:.3f}), start {100 * seen[0]:.3f} % ({100 * exact[0]:.3f}); farthest off: "
              f"{worst} by {100 * abs(exact[worst] - seen[worst]):.4f} points", flush=True)  # fmt: skip


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    z, share = 1.96, wins / games
    middle, reach = share + z * z / (2 * games), z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - reach) / (1 + z * z / games), (middle + reach) / (1 + z * z / games)


def players(games: int = 40, levels: tuple[str, ...] = LEVELS) -> None:
    wins, shares, started = dict.fromkeys(levels, 0.0), dict.fromkeys(levels, 0.0), time.perf_counter()
    table = [player(level) for level in levels]
    for number, record in enumerate(match(load(TABLE), table, games=games, opening_plies=0, seed=1), 1):
        utilities = record.outcome.utilities
        for seat, level in enumerate(record.players):
            shares[level] += utilities[seat]
            wins[level] += (utilities[seat] == max(utilities)) / utilities.count(max(utilities))
        if number % 20 == 0 or number == games:
            print(f"{number} games, {time.perf_counter() - started:.0f} s", flush=True)
            for level in levels:
                low, high = wilson(wins[level], number)
                print(f"  {level:32} wins {100 * wins[level] / number:5.1f} % ({100 * low:.1f} to {100 * high:.1f}), "
                      f"mean share of all wealth {100 * shares[level] / number:.1f} %", flush=True)  # fmt: skip


def streets() -> None:
    landing = long_run()
    print("set            houses  cost  rent a throw  throws until it has paid")
    rows = []
    for group in range(board.STATIONS):
        for level in range(6):
            cost = rent = 0.0
            for space in board.IN_GROUP[group]:
                at = board.PROPERTY_AT[space]
                cost += board.PRICE[at] + level * board.HOUSE[at]
                rent += landing[space] * board.RENT[at, level] * (2 if level == 0 else 1)
            rows.append((cost / rent, board.GROUPS[group], level, cost, rent))
    stations = board.IN_GROUP[board.STATIONS]
    rent = 200 * sum(landing[space] for space in stations)
    rows.append((800 / rent, "four stations", 0, 800.0, rent))
    for throws, name, level, cost, rent in sorted(rows):
        print(f"{name:14} {'hotel' if level == 5 else level:>6} {cost:6.0f} {rent:12.2f} {throws:12.0f}")


def speed(games: int = 20_000) -> None:
    for name in ("monopoly", "monopoly:players=2", "monopoly:turns=100", "monopoly:policy=light"):
        start = load(name).start()
        playouts(start, 1)
        began = time.process_time()
        played = playouts(start, games, seed=1)
        seconds = time.process_time() - began
        print(f"{name:24} {games / seconds:10,.0f} games/s of processor time, {played.moves / games:.0f} plies a game, "
              f"{1e9 * seconds / played.moves:.0f} ns a ply", flush=True)  # fmt: skip


PARTS = {"movement": movement, "players": players, "streets": streets, "speed": speed}

if __name__ == "__main__":
    asked = sys.argv[1:2] or list(PARTS)
    for part in asked:
        PARTS[part](*map(int, sys.argv[2:3]))
