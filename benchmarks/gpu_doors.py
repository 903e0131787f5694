"""Every command that takes `--device cuda`, tried, and its answer held against that of the processor. Needs a GPU and all extras.

    python benchmarks/gpu_doors.py               all of them: some minutes, most of them spent compiling
    python benchmarks/gpu_doors.py equity        those whose line holds a word
    NUMBA_ENABLE_CUDASIM=1 python benchmarks/gpu_doors.py playouts    in Numba's simulator, where no GPU is: small ones only

A command with such an option that is not among them is told of: none can be forgotten here. The status is how many fail.
"""

from __future__ import annotations

import json
import math
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")
GAMES = 200 if SIMULATED else 1_000_000
SPREADS = 5.0  # standard deviations that two averages of random games may lie apart

DOORS = (
    "equity AhKh QsQd",
    "equity QQ+ AKs random --board Kh7h2c",
    *(f"playouts {name!r} --games {GAMES}"
      for name in ("connect four", "tic-tac-toe", "chess", "go:size=9,policy=light", "checkers", "othello", "backgammon",
                   "monopoly", "isolation", "kuhn poker")),
    "equilibrium \"hold'em\" --flop 'Qs Jh 2h 7c' --pot 60 --stack 100 --ranges 'AA,T9s:0.5 / KK,98s' --sizes 50:60 --target 0.2",
    "tables build checkers --men 2",
    "tables build chess KQK KRK",
    "learn go:size=5,policy=light --out RUN --time 20s --games 0",
    "learn chess --out RUN --recipe nnue --time 20s --games 0",
    "learn backgammon --out RUN --recipe td --time 20s --games 0",
    "learn battleships --out RUN --recipe shooting --time 20s --games 0",
)
"""What is typed behind `outplay`, without the device."""


def answer(line: str, device: str) -> tuple[dict[str, Any], float]:
    """What the command says as JSON, and its seconds; AssertionError with its last words where it fails."""
    with tempfile.TemporaryDirectory() as folder:
        words = [word if word != "RUN" else f"{folder}/run" for word in shlex.split(line)]
        more = ["--out", f"{folder}/tables"] if words[0] == "tables" else []
        began = time.perf_counter()
        command = [sys.executable, "-m", "outplay", *words, *more, "--device", device, "--json"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1800)
        assert done.returncode == 0, (done.stderr.strip().splitlines() or ["no word"])[-1]
        told = json.loads(done.stdout)
        assert Path(told.get("checkpoint", folder)).exists(), f"no file {told['checkpoint']}"
        return told, time.perf_counter() - began


def difference(line: str, here: Any, there: Any) -> str:
    """How the two devices' answers differ, or nothing where they agree as far as chance allows."""
    if line.startswith("tables"):
        keys = "name", "positions", "won", "drawn", "lost", "longest"
        told = [[[row[key] for key in keys] for row in each["slices"]] for each in (here, there)]
        return "" if told[0] == told[1] else f"{told[0]} here, {told[1]} there"
    if line.startswith("equilibrium"):
        apart = max(abs(a - b) for a, b in zip(here["values"], there["values"], strict=True))
        most = here["exploitability"] + there["exploitability"]
        return "" if apart <= most else f"{here['values']} here, {there['values']} there, {most} to gain"
    if line.startswith("learn"):
        return "" if there["seconds"] > 0 else f"nothing was learned: {there}"
    means, errors = ("equities", "errors") if line.startswith("equity") else ("means", "errors")
    for a, b, first, second in zip(here[means], there[means], here[errors], there[errors], strict=True):
        if abs(a - b) > SPREADS * math.hypot(first, second) + 1e-9:
            return f"{a} ± {first} here, {b} ± {second} there"
    return ""


def forgotten() -> list[str]:
    """Commands with an option --device that are not tried here."""
    sys.path.insert(0, str(ROOT))
    from outplay.cli.app import app  # as the real command line has it

    missing, known = [], {tuple(shlex.split(line)[:2]) for line in DOORS}

    def walk(command: Any, words: tuple[str, ...]) -> None:
        for name in command.list_commands(None) if hasattr(command, "list_commands") else ():
            walk(command.get_command(None, name), (*words, name))
        if any("--device" in getattr(each, "opts", ()) for each in command.params):
            found = any(line[: len(words)] == words for line in known)
            missing.extend([] if found else [" ".join(words)])

    walk(app, ())
    return missing


def main() -> int:
    """Try them; how many fail."""
    chosen = [line for line in DOORS if all(word in line for word in sys.argv[1:])]
    failed = 0
    for words in forgotten():
        failed += 1
        print(f"FAILS  {words}: has --device and is not tried here")
    for line in chosen:
        try:
            there, seconds = answer(line, "cuda")
            here = there if line.startswith("learn") else answer(line, "cpu")[0]
            wrong = difference(line, here, there)
        except (AssertionError, subprocess.TimeoutExpired) as problem:
            wrong, seconds = str(problem), 0.0
        failed += bool(wrong)
        print(f"{'FAILS' if wrong else 'works'}  {line}: {wrong or f'{seconds:.1f} s'}", flush=True)
    print(f"{len(chosen) - failed} of {len(chosen)} work")
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
