"""The tree "3betpotFAST" that poker solvers are compared by: a flop after a third bet, one size each, pot 180, 910 behind.

    python benchmarks/poker_study.py [--threads 2] [--bits 32] [--target 0.5] [--device cuda]

Known of it (PioSOLVER, GTO+ and WASM Postflop agree, at 0.1 % of the pot): the first to act bets 55.2 % of its hands, has an equity
of 55.347 % and expects 105.11 of the pot. To 0.5 % the fastest of them takes 20 s with six threads of a Ryzen 7 3700X, others 22 to
103 s. Seconds here are those of learning and measuring; compiling (once a machine) and sorting the hands are told apart.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time

FIRST = ("88+,A8s+,A5s-A2s:0.5,AJo+,ATo:0.75,K9s+,KQo,KJo:0.75,KTo:0.25,Q9s+,QJo:0.5,J8s+,JTo:0.25,T8s+,T7s:0.45,97s+,96s:0.45,87s,"
         "86s:0.75,85s:0.45,75s+:0.75,74s:0.45,65s:0.75,64s:0.5,63s:0.45,54s:0.75,53s:0.5,52s:0.45,43s:0.5,42s:0.45,32s:0.45")
LAST = ("AA:0.25,99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,95s:0.5,98o,86s+,85s:0.5,75s+,74s:0.5,64s+,"
        "63s:0.5,54s,53s:0.5,43s")


def main() -> None:
    """Solve it and print what comes of it."""
    from outplay.cards import cards
    from outplay.experts.poker.study.look import look
    from outplay.experts.poker.study.solver import Study

    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    words.add_argument("--bits", type=int, default=32)
    words.add_argument("--target", type=float, default=0.5)
    words.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    words.add_argument("--json", action="store_true")
    asked = words.parse_args()
    small = Study(cards("Qs Jh 2h"), pot=10, stack=5, ranges=("AA", "KK"), sizes="50", bits=asked.bits, device=asked.device)
    small.run(1)  # compiled before the clock runs
    begun = time.perf_counter()
    study = Study(cards("Qs Jh 2h"), pot=180, stack=910, ranges=(FIRST, LAST), sizes="52:45 55:45 70:45", bits=asked.bits,
                  threads=asked.threads, device=asked.device)
    built = time.perf_counter() - begun
    processor = time.process_time()
    report = None
    for report in study.search(target=asked.target):
        print(f"{report.iterations} iterations, {report.seconds:.1f} s, {report.exploitability:.3f} % of the pot", file=sys.stderr,
              flush=True)
    assert report is not None
    bets = look(study, "").played[1]
    found = {"device": asked.device, "bits": asked.bits, "threads": asked.threads,
             "memory_mb": round(study.memory / 1e6), "sorting_s": round(built, 2),
             "seconds": round(report.seconds, 1), "processor_s": round(time.process_time() - processor, 1),
             "iterations": report.iterations, "exploitability_percent": round(report.exploitability, 3),
             "bets_percent": round(100 * bets, 2), "equity_percent": round(100 * study.equity()[0], 3),
             "value": round(report.values[0], 2)}
    if asked.device == "cuda":
        import torch

        found["memory_of_gpu_mb"] = round(torch.cuda.max_memory_allocated() / 1e6)
    print(json.dumps(found) if asked.json else "\n".join(f"{name:<24} {value}" for name, value in found.items()))


if __name__ == "__main__":
    main()
