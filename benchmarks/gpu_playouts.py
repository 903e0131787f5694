"""Random games on the GPU against the processor: the same averages, and how many a second. Run on a machine with a GPU.

    python benchmarks/gpu_playouts.py [GAME ...]
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import math

from outplay.engine import cuda, playouts
from outplay.errors import OutplayError
from outplay.game import game_names, load

CHECKED = ("tic-tac-toe", "connect four", "connect four:width=5,height=4", "nim", "isolation", "pig", "backgammon", "go:size=9")
TIMED = {"connect four": 10**10, "tic-tac-toe": 10**10}


def check(name: str) -> bool:
    position = load(name).start()
    here = playouts.playouts(position, 20_000, seed=1)
    started = time.perf_counter()
    there = cuda.playouts(position, 2_000_000, seed=2)
    seconds = time.perf_counter() - started
    worst = 0.0
    for a, b, first, second in zip(here.means, there.means, here.errors, there.errors, strict=True):
        spread = math.hypot(first, second)
        worst = max(worst, abs(a - b) / spread if spread else (0.0 if a == b else math.inf))
    lengths = here.moves / here.games, there.moves / there.games
    same = worst < 4.5 and abs(lengths[0] - lengths[1]) < 0.05 * lengths[0]
    print(f"{name:32} cpu {here.means[0]:+.4f} gpu {there.means[0]:+.4f} ({worst:.1f} standard errors)  moves {lengths[0]:.2f} "
          f"{lengths[1]:.2f}  {'same' if same else 'DIFFERENT'}  compiled and played in {seconds:.1f} s, "
          f"{there.games_per_second / 1e6:,.1f} M games/s")
    return same


def fastest(name: str, games: int) -> None:
    position = load(name).start()
    here = playouts.playouts(position, 1_000_000, seed=1)
    for block, blocks in ((64, 32), (128, 16), (128, 32), (256, 8), (256, 16), (256, 64), (512, 8)):
        cuda.BLOCK, cuda.BLOCKS_PER_PROCESSOR = block, blocks
        there = cuda.playouts(position, games, seed=3)
        print(f"{name:16} block {block:4} x {blocks:3} a processor: {there.games_per_second / 1e9:6.3f} G games/s, "
              f"{there.games_per_second / here.games_per_second:7.0f} times one thread ({here.games_per_second / 1e6:.2f} M/s)",
              flush=True)


def main() -> int:
    if not cuda.available():
        print("no CUDA device found on this machine")
        return 2
    known = {load(name).name for name in game_names()}
    wanted = sys.argv[1:] or [name for name in CHECKED if name.split(":")[0] in known]
    fine = True
    for name in wanted:
        try:
            fine &= check(name)
        except OutplayError as problem:
            print(f"{name:32} {problem}")
        except Exception as problem:  # one game that does not compile must not hide the others
            fine = False
            print(f"{name:32} FAILED {type(problem).__name__}: {str(problem).strip().splitlines()[-1][:300]}")
    for name, games in TIMED.items():
        fastest(name, games)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
