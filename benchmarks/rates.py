"""Does `outplay rate` find what is known? A player of each ladder is hidden from the fit and rated anew.

    python benchmarks/rates.py [--ladder FILE] [--games 60]

A row for each ladder that comes with Outplay: the player, where it stands by the round robin, what at most so many games with the
others say, and the difference. The interval of the difference holds both errors.
"""

import argparse
import math
from pathlib import Path

from outplay.arena.ladder import SHIPPED, Ladder, rate
from outplay.game import load
from outplay.players import player


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ladder", action="append", type=Path, default=[])
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--time", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    print("| game | player | on the ladder | rated | games | difference |\n|---|---|---|---|---|---|")
    for path in asked.ladder or sorted(SHIPPED.glob("*.json")):
        ladder = Ladder.read(path)
        rungs = ladder.rungs()
        hidden = rungs[len(rungs) // 2]
        game = load(ladder.game)
        *_, told = rate(game, player(hidden.name, seed=asked.seed), ladder, games=asked.games, seconds=asked.time,
                        seed=asked.seed + 1000, without=(hidden.name,))
        print(f"| {ladder.game} | `{hidden.name}` | {hidden.elo:+.0f} ± {hidden.error:.0f} | {told.elo:+.0f} ± {told.error:.0f} | "
              f"{told.games} | {told.elo - hidden.elo:+.0f} ± {math.hypot(told.error, hidden.error):.0f} |", flush=True)


if __name__ == "__main__":
    main()
