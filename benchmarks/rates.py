"""Does `outplay rate` find what is known? A player of each ladder is hidden from the fit and rated anew.

    python benchmarks/rates.py [--seeds 4] [--time 1] [GAME ...]
    python benchmarks/rates.py --ladder FILE --games 60

A row for each ladder that comes with Outplay: the player, where it stands by the round robin, and what at most so many games with
the others say: how far off by each seed, the interval that was told (the mean of the seeds), the games until it was, how much of
what the results spread was the luck of errors, and how often it was within 50 points.
"""

import argparse
import statistics
from pathlib import Path

from outplay.arena.ladder import SHIPPED, Ladder, rate
from outplay.game import load
from outplay.players import player

NEAR = 50.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME")
    parser.add_argument("--ladder", action="append", type=Path, default=[])
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--time", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--player", help="who is hidden, the middle one unless told")
    asked = parser.parse_args()
    print("| game | player | on the ladder | off by | told | games | luck taken off | within 50 |\n" + 8 * "|---" + "|")
    for path in asked.ladder or sorted(SHIPPED.glob("*.json")):
        ladder = Ladder.read(path)
        if asked.names and ladder.game not in asked.names:
            continue
        rungs, game, found = ladder.rungs(), load(ladder.game), []
        hidden = next((rung for rung in rungs if rung.name == asked.player), rungs[len(rungs) // 2])
        for seed in range(asked.seed, asked.seed + asked.seeds):
            *_, told = rate(game, player(hidden.name, seed=seed), ladder, games=asked.games, seconds=asked.time, seed=seed + 1000,
                            without=(hidden.name,))  # fmt: skip
            found.append(told)
        off = [told.elo - hidden.elo for told in found]
        error, games, luck = (statistics.fmean(getattr(told, name) for told in found) for name in ("error", "games", "taken_off"))
        told_off = " ".join(f"{each:+.0f}" for each in off)
        cells = [ladder.game, f"`{hidden.name}`", f"{hidden.elo:+.0f} ± {hidden.error:.0f}", told_off,
                 f"± {error:.0f}", f"{games:.0f}", f"{100 * luck:.0f} %",
                 f"{sum(abs(each) <= NEAR for each in off)} of {len(off)}"]  # fmt: skip
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
