"""Random games on the GPU against all cores of the processor: the same averages, and how many a second. Needs a GPU.

    python benchmarks/gpu_playouts.py                  # averages, speeds, the command line, tree search with leaves on the GPU
    python benchmarks/gpu_playouts.py speed            # or some of: averages, speed, command, leaves
    python benchmarks/gpu_playouts.py averages "nim"   # the averages of other games
    python benchmarks/gpu_playouts.py speed monopoly   # the speed of one game
    python benchmarks/gpu_playouts.py variants chess   # what registers, waiting and constants are worth

Nothing but NumPy, Numba and numba-cuda is imported; the command line is left out where its packages are missing.
"""

import concurrent.futures
import fcntl
import importlib.util
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from outplay.compiling import gpu
from outplay.engine.montecarlo import playouts
from outplay.engine.montecarlo import playouts_cuda as cuda
from outplay.engine.montecarlo.mcts import MonteCarlo, playouts_on_gpu
from outplay.errors import OutplayError
from outplay.game import load
from outplay.values import Limits

CORES = len(os.sched_getaffinity(0))
CHECKED = (
    "tic-tac-toe",
    "connect four",
    "connect four:width=5,height=4",
    "nim",
    "isolation",
    "backgammon",
    "go:size=9,policy=light",
    "go:size=7,policy=light",
    "go:size=9",
    "monopoly",
    "monopoly:players=2,turns=50,policy=light",
)
TIMED = {"go:size=9,policy=light": (10**8, 20_000, 50), "connect four": (10**10, 10**6, 0), "tic-tac-toe": (10**10, 10**6, 0),
         "monopoly": (10**7, 20_000, 0)}
"""Games on the GPU, games for each core, and how many times all cores the GPU is wanted to be."""
VARIED = ("go:size=9", "backgammon", "chess", "monopoly")
GRIDS = ((64, 16), (64, 64), (128, 8), (128, 32), (256, 4), (256, 16), (256, 64), (512, 8))
"""Threads in a block, and blocks for each multiprocessor."""


def check(name: str) -> bool:
    """Whether the averages on both devices agree within what chance allows."""
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
          f"{there.games_per_second / 1e6:,.1f} M games/s", flush=True)
    return same


def averages(names: list[str]) -> bool:
    """Check game after game; one that does not compile must not hide the others."""
    fine = True
    for name in names or CHECKED:
        try:
            fine &= check(name)
        except OutplayError as problem:
            print(f"{name:32} {problem}", flush=True)
        except Exception as problem:
            fine = False
            print(f"{name:32} FAILED {type(problem).__name__}: {str(problem).strip().splitlines()[-1][:300]}", flush=True)
    return fine


def speed(names: list[str]) -> bool:
    """The best grid of the GPU against one core and against all of them, a thread for each, in the same run."""
    fine = True
    for name in names or TIMED:
        games, for_core, wanted = TIMED.get(name, (10**7, 20_000, 0))
        position = load(name).start()
        playouts.playouts(position, 1)  # compiles
        one = max(playouts.playouts(position, for_core, seed=turn).games_per_second for turn in range(3))
        every = max(playouts.playouts(position, for_core * CORES, seed=turn, threads=CORES).games_per_second for turn in range(3))
        fastest = 0.0
        for block, blocks in GRIDS:
            cuda.BLOCK, cuda.BLOCKS_PER_PROCESSOR = block, blocks
            found = cuda.playouts(position, games, seed=3).games_per_second
            print(f"{name:24} block {block:4} x {blocks:3} a multiprocessor: {found / 1e6:10,.1f} M games/s", flush=True)
            fastest = max(fastest, found)
        ratio = fastest / every
        fine &= ratio >= wanted
        print(f"{name:24} GPU {fastest / 1e6:,.1f} M games/s; one core {one / 1e6:.3f}, {CORES} cores {every / 1e6:.3f} M games/s: "
              f"{ratio:,.1f} times all cores{f' (wanted: {wanted})' if wanted else ''}, {fastest / one:,.0f} times one", flush=True)
    return fine


def variant(name: str, registers: int, together: int, constant: int) -> bool:
    """The best grid of one way to make the kernel; only one process of several plays at a time."""
    cuda.REGISTERS, cuda.TOGETHER, gpu.MOST_CONSTANT = registers, together, constant
    position = load(name).start()
    compiled = time.perf_counter()
    cuda.playouts(position, 1)
    compiled = time.perf_counter() - compiled
    found = []
    with open(Path(tempfile.gettempdir()) / "outplay-gpu-playouts", "w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        for block, blocks in ((64, 16), (128, 8), (256, 4), (256, 16)):
            cuda.BLOCK, cuda.BLOCKS_PER_PROCESSOR = block, blocks
            games = int(min(10**8, max(10**5, 0.3 * cuda.playouts(position, 10**5, seed=2).games_per_second)))
            found.append((cuda.playouts(position, games, seed=3).games_per_second, block, blocks))
    fastest, block, blocks = max(found)
    print(f"{name:24} registers {registers:3}, together {together:2}, constants {constant:4}: {fastest / 1e6:9.2f} M games/s "
          f"with block {block} x {blocks}; compiled in {compiled:.0f} s", flush=True)
    return True


def variants(names: list[str]) -> bool:
    """All ways for each game, each in a process of its own, compiled side by side."""
    ways = [(0, 1, 64), (128, 1, 64), (64, 1, 64), (128, 8, 64), (64, 8, 64), (64, 16, 64), (64, 8, 0)]
    made = [[sys.executable, __file__, "variant", name, *map(str, way)] for name in names or VARIED for way in ways]
    with concurrent.futures.ThreadPoolExecutor(max(1, CORES - 2)) as side_by_side:
        return not any(side_by_side.map(subprocess.call, made))


def command() -> bool:
    """The command `outplay playouts`, as a user gives it."""
    missing = [package for package in ("click", "rich") if importlib.util.find_spec(package) is None]
    if missing:
        print(f"outplay playouts --device cuda: left out, {' and '.join(missing)} not installed", flush=True)
        return True
    words = [sys.executable, "-m", "outplay", "playouts", "connect four", "--games", "100000000", "--device", "cuda", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=Path(__file__).resolve().parent.parent)
    print(f"outplay playouts --device cuda: {(done.stdout or done.stderr).strip()}", flush=True)
    return done.returncode == 0


def leaves() -> bool:
    """Tree search whose leaves are worth what a block of random games on the GPU says, where the right answer is known."""
    fine = True
    for name, played, answer in (
        ("connect four", "4 1 4 1 4", "4"),  # three in a column must be stopped
        ("go:size=5,policy=light", "C4 B3 B4 E1 A3 E2 B2 E3", "C3"),  # a stone can be taken
    ):
        game = load(name)
        position = game.start().play(played)
        search = MonteCarlo(game, evaluator=playouts_on_gpu(game, games=256), batch=64, seed=1)
        search.best(position, Limits(simulations=64))  # compiles
        search.clear()
        started = time.perf_counter()
        result = search.best(position, Limits(simulations=2000))
        seconds = time.perf_counter() - started
        right = position.action_text(result.action) == answer
        fine &= right
        print(f"leaves of tree search on the GPU, {name}: {position.action_text(result.action)} (wanted: {answer}), "
              f"{result.facts['simulations'] / seconds:,.0f} leaves/s of 256 games each, value {result.value:+.3f}", flush=True)
    return fine


def main(words: list[str]) -> int:
    """Everything, or the parts that are named."""
    if not gpu.available():
        print("no CUDA device found on this machine")
        return 2
    if words[:1] == ["variant"]:
        return 0 if variant(words[1], *map(int, words[2:])) else 1
    fine = True
    parts = {"averages": averages, "speed": speed, "command": lambda _: command(), "leaves": lambda _: leaves(),
             "variants": variants}
    names = [word for word in words if word not in parts]
    for part, run in parts.items():
        if part in words or (not words and part != "variants"):
            fine &= run(names)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
