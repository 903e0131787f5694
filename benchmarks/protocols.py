"""The four protocols under fire: thousands of lines that are really answered, and `quit` or the end of input after anything.

    python benchmarks/protocols.py                  all four: 20,000 lines each, and 40 ends
    python benchmarks/protocols.py hub 2000 10 7    one of them: lines, ends, seed

Right is: every line of the first part is followed by its answers (the next hundred is sent when a marker has come back), nothing is
an internal error, and a dialogue of garbage, sound lines and searches without end is over within SECONDS of `quit` or of the end of
the input, with status 0 and nothing on standard error; what it waits for a processor that others have is not counted. The exit
status is 1 when something failed.
"""

from __future__ import annotations

import json
import os
import queue
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from fuzz_dialogues import GTP, HUB, NBOARD, UCI
from fuzz_inputs import mutated
from host import waited

SECONDS = 1.0
"""From `quit` or the end of the input to the end of the process; the machine may add what it takes to run anybody (`slack`)."""
BATCH = 100
ENDLESS = {
    "uci": ("go infinite", "go depth 60", "go perft 9", "go ponder wtime 9000 btime 9000"),
    "gtp": ("time_settings 0 60 1", "genmove b", "reg_genmove w", "lz-analyze 5", "final_score"),
    "hub": ("go think", "go analyze", "level infinite", "level move-time=60", "pos"),
    "nboard": ("go", "hint 3", "set depth 40"),
}  # fmt: skip
QUICK = {"uci": UCI, "gtp": GTP, "hub": HUB, "nboard": NBOARD}
LIMITED = {
    "uci": ("go infinite", "go ponder", "go perft 7", "go wtime 300"), "gtp": ("\0",), "hub": ("go analyze", "level infinite"),
    "nboard": ("\0",),
}  # fmt: skip
"""Lines with these beginnings are left out where answers are waited for: they end by other lines alone."""
COMMAND = {"uci": ["uci"], "gtp": ["gtp", "go:size=5", "--simulations", "3", "--time", "0.02"], "hub": ["hub"],
           "nboard": ["nboard", "--time", "0.02"]}  # fmt: skip
SLOW = {"uci": ["uci"], "gtp": ["gtp", "go:size=9"], "hub": ["hub"], "nboard": ["nboard", "--time", "60"]}


class Program:
    """One protocol as a program; its lines come into a queue."""

    def __init__(self, words: list[str]) -> None:
        self.process = subprocess.Popen([sys.executable, "-m", "outplay", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)  # fmt: skip
        self.lines: queue.Queue[str] = queue.Queue()
        self.said: list[bytes] = []
        for work in (self._hear, self._hear_errors):
            threading.Thread(target=work, daemon=True).start()

    def _hear(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.decode("utf-8", "replace").rstrip("\n"))

    def _hear_errors(self) -> None:
        assert self.process.stderr is not None
        self.said += self.process.stderr

    def send(self, lines: list[str]) -> None:
        """Send lines at once."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
        self.process.stdin.flush()


def marker(name: str, number: int) -> tuple[str, str]:
    """A line at whose answer all before it are answered, and that answer."""
    return {
        "uci": (f"position startpos\ngo searchmoves a2a3 depth {number % 3 + 1}\nd", "Fen: rnbqkbnr/"),
        "gtp": (f"{10**6 + number} name", f"={10**6 + number} "),
        "hub": (f"mark-{number}", f"mark-{number}"),
        "nboard": (f"ping {number}", f"pong {number}"),
    }[name]


def answered(name: str, lines: int, seed: int) -> tuple[int, list[str]]:
    """Send so many lines in batches, each when that before is answered; how many answers came, and what was wrong."""
    source, wrong, heard = random.Random(f"{seed}:{name}"), [], 0
    known = [line for line in QUICK[name] if not line.startswith(LIMITED[name]) and "{" not in line]
    program = Program(COMMAND[name])
    try:
        for number in range(1, lines // BATCH + 1):
            batch = [source.choice(known) for _ in range(BATCH)]
            batch = [mutated(line, source).replace("\n", " ") if source.random() < 0.3 else line for line in batch]
            batch = [line for line in batch if "quit" not in line and not line.strip().startswith(LIMITED[name])]
            ask, answer = marker(name, number)
            program.send([*batch, *(["stop"] if name in ("uci", "hub") else []), *ask.split("\n")])
            while True:
                try:
                    line = program.lines.get(timeout=120)
                except queue.Empty:
                    return heard, [*wrong, f"{name}: no answer to {ask!r} after {batch}"]
                heard += 1
                if "internal error" in line:
                    wrong.append(f"{name}: {line!r} to one of {batch}")
                if answer in line:
                    break
        program.send(["quit"])
        status = program.process.wait(30)
        if status or program.said:
            wrong.append(f"{name}: ended with {status}, {b''.join(program.said)[-300:]!r}")
    finally:
        program.process.kill()
    return heard, wrong


def ended(name: str, seed: str, slack: float = 0.0, wait: float | None = None) -> str | None:
    """Garbage and searches without end, then `quit` or the end of the input, at once or later; what is wrong, or None."""
    source = random.Random(f"{seed}:{name}")
    lines = [source.choice((*QUICK[name], *ENDLESS[name] * 3)) for _ in range(source.randint(1, 30))]
    lines = [mutated(line, source).replace("\n", " ") if source.random() < 0.25 else line for line in lines]
    lines = [line for line in lines if "quit" not in line]
    program = Program(SLOW[name])
    assert program.process.stdin is not None
    try:
        time.sleep(source.choice((0.0, 0.3, 1.5)) if wait is None else wait)
        program.send([*lines, *source.choice((["quit"], []))])
        begun, others, held = time.perf_counter(), 0.0, waited(program.process.pid)
        program.process.stdin.close()
        while (status := program.process.poll()) is None:
            if time.perf_counter() - begun > 60:
                return f"{name}, seed {seed}: still there after 60 s; {lines}"
            others = max(others, waited(program.process.pid) - held)
            time.sleep(0.01)
        took = time.perf_counter() - begun - others
        time.sleep(0.05)
        if status or program.said:
            return f"{name}, seed {seed}: status {status}, {b''.join(program.said)[-300:]!r}; {lines}"
        return f"{name}, seed {seed}: took {took:.2f} s; {lines}" if took > SECONDS + slack else None
    finally:
        program.process.kill()


def slowness() -> float:
    """What a dialogue takes that says nothing but `quit`: the start of Python and of Outplay."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-m", "outplay", "uci"], input=b"quit\n", capture_output=True, check=True)
    return time.perf_counter() - begun


def main(wanted: str = "all", lines: int = 20_000, ends: int = 40, seed: int = 1) -> None:
    """Try one protocol or all, and tell."""
    failures: list[str] = []
    os.environ.setdefault("OUTPLAY_DATA", tempfile.mkdtemp())
    for name in QUICK if wanted == "all" else [wanted]:
        begun = time.perf_counter()
        heard, wrong = answered(name, lines, seed)
        seconds = time.perf_counter() - begun
        slow = [problem for number in range(ends) if (problem := ended(name, f"{seed}:{number}", slowness())) is not None]
        failures += wrong + slow
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        row: dict[str, Any] = {"protocol": name, "lines": lines, "answers": heard, "seconds": round(seconds, 1), "ends": ends,
                               "failed": len(wrong) + len(slow), "most_memory_mb": memory}  # fmt: skip
        print(json.dumps(row), flush=True)
    for failure in failures:
        print(f"  {failure[:600]}")
    if failures:
        raise SystemExit(1)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*[kind(text) for kind, text in zip((str, int, int, int), given, strict=False)])  # type: ignore[operator]  # types are callable
