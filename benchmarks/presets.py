"""The named players at work, each on its own game: `python benchmarks/presets.py [--match]`.

One decision each at the start of its game (of bridge: its first card): positions, positions a second, depth, seconds, this machine.
`--match` lets each play four games against the random player and, in chess, the lectures' three strengths against each other. The
page The famous programs sets the first table beside what was published.
"""

import argparse
import os
import platform
import time

import outplay
from outplay.players.presets import PRESETS

GAMES = {"alphago": "go:size=9", "": "chess"}


def processor():
    try:
        with open("/proc/cpuinfo") as lines:
            return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def first_decision(name, game):
    """Seconds and result of the first decision that takes a search (a bid does not), asked twice: the first one compiles."""
    position = outplay.load(game).start()
    player = outplay.player(name, seed=1)
    for seed in range(1000):
        if position.is_terminal():  # four who passed: another deal
            position = outplay.load(game).start()
        if position.is_chance():
            position = position.result(position.sample_chance(seed))
            continue
        action = player.choose(position)
        if getattr(player.last, "nodes", 0):
            break
        position = position.result(action)
    player = outplay.player(name, seed=1)
    begun = time.perf_counter()
    player.choose(position)
    return time.perf_counter() - begun, player.last


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--match", action="store_true", help="also play")
    asked = options.parse_args()
    print(f"{processor()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {time.strftime('%d %B %Y')}\n")
    print("| player | game | written out | positions | a second | depth | seconds |\n|---|---|---|---|---|---|---|")
    for preset in PRESETS.values():
        game = GAMES.get(preset.name) or preset.game or GAMES[""]
        try:
            seconds, result = first_decision(preset.name, game)
        except outplay.errors.OutplayError as problem:
            print(f"| {preset.name} | {game} | `{preset.text}` | {problem} | | | |", flush=True)
            continue
        nodes = getattr(result, "nodes", 0) or 0
        depth = getattr(result, "depth", None)
        print(f"| {preset.name} | {game} | `{preset.text}` | {nodes:,} | {nodes / seconds:,.0f} | {depth or ''} | {seconds:.2f} |",
              flush=True)
    if not asked.match:
        return
    from outplay.arena.match import match, tally

    print("\n| players | game | games | won | drawn | lost |\n|---|---|---|---|---|---|")
    pairs = [(preset.name, "random", GAMES.get(preset.name) or preset.game or "chess") for preset in PRESETS.values()
             if preset.game not in ("bridge",)]  # fmt: skip
    for one, two, game in [*pairs, ("master", "novice", "chess"), ("grandmaster", "master", "chess")]:
        shown = f"{one} against {two}"
        try:
            counted = tally(list(match(outplay.load(game), [outplay.player(one), outplay.player(two)], games=4, seconds=0.5)), one)
        except outplay.errors.OutplayError as problem:
            print(f"| {shown} | {game} | {problem} | | | |", flush=True)
            continue
        print(f"| {shown} | {game} | 4 | {counted.wins} | {counted.draws} | {counted.losses} |", flush=True)


if __name__ == "__main__":
    main()
