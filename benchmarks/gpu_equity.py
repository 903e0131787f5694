"""Hold'em hands on a GPU: all hands counted, random hands by the billion, equities against the exact ones. Needs a GPU.

    python benchmarks/gpu_equity.py                  # everything
    python benchmarks/gpu_equity.py count random equity

Nothing but NumPy, Numba and numba-cuda is imported.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from outplay.compiling import gpu
from outplay.experts.poker import equity_cuda
from outplay.experts.poker.equity import count_classes, equity
from outplay.games.holdem.evaluator import CLASSES

KNOWN = (23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584)
"""All hands of seven cards by class, the weakest first."""
WANTED = 20e9
GRIDS = ((128, 16), (256, 8), (256, 16), (256, 32), (512, 8))


def count():
    found, seconds = equity_cuda.count_classes()
    right = found == KNOWN
    for name, number in zip(CLASSES, found, strict=True):
        print(f"{name:16} {number:>12,}")
    print(f"133,784,560 hands in {seconds * 1e3:.1f} ms on the GPU: {133_784_560 / seconds / 1e9:.1f} G hands/s, "
          f"{'right' if right else 'WRONG'}", flush=True)
    return right


def random():
    import numpy as np

    from outplay.games.holdem.evaluator import strengths

    rng = np.random.default_rng(1)
    hands = np.argpartition(rng.random((200_000, 52)), 7, axis=1)[:, :7]
    here = strengths(hands)
    fastest, fine = 0.0, True
    for block, blocks in GRIDS:
        equity_cuda.BLOCK, equity_cuda.BLOCKS_PER_PROCESSOR = block, blocks
        done, mean, seconds = equity_cuda.random_hands(40_000_000_000, seed=3)
        fastest = max(fastest, done / seconds)
        error = here.std() / len(here) ** 0.5
        fine &= abs(mean - here.mean()) < 5 * error
        print(f"block {block:4} x {blocks:3} a multiprocessor: {done:,} hands dealt and evaluated in {seconds:.2f} s, "
              f"{done / seconds / 1e9:.1f} G hands/s; mean strength {mean:.2f}, on the processor {here.mean():.2f} ± {error:.2f}",
              flush=True)
    print(f"fastest {fastest / 1e9:.1f} G hands/s (wanted: {WANTED / 1e9:.0f})", flush=True)
    return fine and fastest >= WANTED


def equities():
    fine = True
    for ranges in (["AhKh", "QsQd"], ["22+", "ATs+"], ["AhKh", "QsQd", "7c6c"]):
        exact = equity(ranges)
        there = equity(ranges, samples=4_000_000_000, device="cuda", seed=2)
        worst = max(abs(a - b) / max(e, 1e-9) for a, b, e in zip(exact.equities, there.equities, there.errors, strict=True))
        fine &= worst < 5
        shown = " ".join(f"{share:.6f}" for share in there.equities)
        print(f"{' '.join(ranges):24} {shown} (off by {worst:.1f} standard errors at most), "
              f"{there.deals:,} deals in {there.seconds:.2f} s: "
              f"{there.deals * len(ranges) / there.seconds / 1e9:.1f} G hands/s", flush=True)
    return fine


def main(words):
    if not gpu.available():
        print("no CUDA device found on this machine")
        return 2
    print(f"on one core: {'right' if count_classes(1) == KNOWN else 'WRONG'}", flush=True)
    fine = True
    for part, run in (("count", count), ("random", random), ("equity", equities)):
        if part in words or not words:
            fine &= run()
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
