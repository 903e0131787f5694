"""The door to learning that needs nothing but NumPy, Numba and torch: for machines without the command line's packages.

python -m outplay.learning "connect four" --out RUN --time 10m --device cuda
python -m outplay.learning backgammon --recipe td --out RUN --time 5m --threads 16
python -m outplay.learning chess --recipe nnue --out RUN --time 1h --threads 2
python -m outplay.learning "go:size=9,policy=light" --out RUN --set blocks=6 --set total_seconds=1200
"""

from __future__ import annotations

import argparse
import json
import sys

from outplay.errors import OutplayError
from outplay.learning.recipes import learn, seconds_of


def main(words: list[str] | None = None) -> int:
    """Run a recipe; one line for a wrong request, exit status 2."""
    parser = argparse.ArgumentParser(prog="python -m outplay.learning", description="Learn a game from nothing but its rules.")
    parser.add_argument("game", help="such as 'connect four' or go:size=9,policy=light")
    parser.add_argument("--out", required=True, help="the folder of the run; one that exists goes on")
    parser.add_argument("--recipe", help="alphazero, td, nnue, or one of the game's own; left out, what fits it")
    parser.add_argument("--time", default="10m", help="of this piece of the run: 90s, 10m, 1h")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--threads", type=int, default=1, help="of the processor")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of the recipe")
    parser.add_argument("--against", action="append", metavar="PLAYER", help="who the network is measured against as it goes")
    parser.add_argument("--games", type=int, default=40, help="of each match against them; 0: none")
    parser.add_argument("--cluster", metavar="ADDRESS", help="a cluster of Ray for self-play, or auto")
    given = parser.parse_args(words)
    try:
        report = learn(
            given.game,
            given.out,
            recipe=given.recipe,
            seconds=seconds_of(given.time),
            device=given.device,
            threads=given.threads,
            settings=given.set,
            against=given.against,
            match_games=given.games,
            cluster=given.cluster,
            tell=lambda line: print(json.dumps(line), flush=True),
        )
    except OutplayError as problem:
        print(problem, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    print(json.dumps(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
