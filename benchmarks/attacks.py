"""The table of attacks: all that is tried against Outplay on this machine, one after the other, with tried and failed for each.

    python benchmarks/attacks.py              the whole table: some two hours on two idle cores
    python benchmarks/attacks.py 0.02         a fiftieth of it, in a few minutes
    python benchmarks/attacks.py 1 protocols  one part: tests, fuzz, protocols, interrupts, studio, crowd, variants, games

`tests` are those that hold what earlier attacks found; `fuzz` mutates inputs at every door (`fuzz.py`); `protocols`, `interrupts`
and `studio` (kills, locks, silence, garbage: `soak.py`) are scripts of their own; a `crowd` is a hundred people (`load.py`);
`variants` are compiled until the memory would show it; `games` are whole games with clocks (`many_games.py`). Each part runs in a
process of its own, and has failed where it says so or ends with a status other than 0; then so has the table.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = ("tests/web/test_attacks.py", "tests/web/test_hidden.py", "tests/web/test_abuse.py", "tests/web/test_compiler.py",
         "tests/web/test_races.py", "tests/cli/test_attacks.py", "tests/cli/test_surroundings.py", "tests/cli/test_stuck_rules.py",
         "tests/test_strangers_files.py", "tests/test_damaged_files.py", "tests/test_clock_jumps.py",
         "tests/players/test_hostile_engines.py", "tests/players/test_guests.py", "tests/classroom/test_hostile.py",
         "tests/web/test_friends.py", "tests/web/test_live.py", "tests/adapters/test_agents.py", "tests/protocols")  # fmt: skip


def commands(scale: float) -> dict[str, list[str]]:
    """What each part runs, at so much of its full size."""

    def script(name: str, *words: object) -> list[str]:
        return [sys.executable, str(HERE / f"{name}.py"), *map(str, words)]

    def some(whole: float, least: float = 1) -> int:
        return round(max(least, whole * scale))

    return {
        "tests": [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS],
        "fuzz": script("fuzz", "all", some(60)),
        "protocols": script("protocols", "all", some(20_000, 200), some(40, 2)),
        "interrupts": script("interrupts", "all", some(3), some(1, 0)),
        "studio": script("soak", some(1800, 30)),
        "crowd": script("load", 100, some(600, 20)),
        "variants": script("variants", some(300, 10), "--fresh"),
        "games": script("many_games", some(10_000, 50)),
    }


def main(scale: float = 1.0, wanted: str = "") -> int:
    """Run all parts or one, and print the table."""
    parts = commands(scale)
    if wanted and wanted not in parts:
        raise SystemExit(f"unknown part {wanted!r}: known are {', '.join(parts)}")
    print("| attack | tried | failed | seconds |\n|---|---|---|---|", flush=True)
    failed, told = 0, []
    for name in [wanted] if wanted else parts:
        begun = time.perf_counter()
        ran = subprocess.run(parts[name], cwd=HERE.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                             errors="replace")  # fmt: skip
        for what, tried, wrong in COUNTS.get(name, whole)(name, ran.stdout) or whole(name, ran.stdout):
            print(f"| {what} | {tried} | {wrong} | {time.perf_counter() - begun:.0f} |", flush=True)
            failed += wrong
        if ran.returncode:
            failed += 1
            told.append(f"{name} ended with status {ran.returncode}:\n{ran.stdout[-2000:]}")
    print("\n\n".join(told))
    print(f"{failed} failed")
    return int(failed > 0)


Rows = list[tuple[str, str, int]]


def whole(name: str, said: str) -> Rows:
    """A part that says in its last line how it went."""
    return [(f"{name}: {(said.strip().splitlines() or ['nothing said'])[-1][:200]}", "1", 0)]


def of_tests(name: str, said: str) -> Rows:
    """Pytest's counts."""
    counts = {what: int(number) for number, what in re.findall(r"(\d+) (passed|failed|error)", said)}
    return [("tests that hold what was found", f"{sum(counts.values()):,}", counts.get("failed", 0) + counts.get("error", 0))]


def of_fuzz(name: str, said: str) -> Rows:
    """A line for each door."""
    found = re.findall(r"^(.+): ([\d,]+) inputs, (\d+) failures", said, re.M)
    return [(f"fuzz: {door}", tried, int(wrong)) for door, tried, wrong in found]


def of_protocols(name: str, said: str) -> Rows:
    """A line for each protocol."""
    found = re.findall(r'"protocol": "(\w+)", "lines": (\d+).*?"ends": (\d+), "failed": (\d+), "most_memory_mb": (\d+)', said)
    return [(f"{which}: lines and ends (up to {size} MB)", f"{int(lines):,} and {ends}", int(wrong))
            for which, lines, ends, wrong, size in found]  # fmt: skip


def of_interrupts(name: str, said: str) -> Rows:
    """The counts at the end."""
    return [("Ctrl-C at random moments", tried, int(wrong))
            for tried, wrong in re.findall(r'"interrupted": (\d+).*"failed": (\d+)', said)]  # fmt: skip


def of_variants(name: str, said: str) -> Rows:
    """What the memory was in the end."""
    found = re.findall(r"^(\d+) variants, (\d+) refused: (\d+) MB, with children (\d+)", said, re.M)
    return [(f"variants compiled (in the end {own} MB, {both} MB with the process beside; {refused} refused)", tried,
             int(int(both) > MOST)) for tried, refused, own, both in found[-1:]]  # fmt: skip


MOST = 1500
"""Megabytes of a studio that was asked for 300 variants of games."""
COUNTS: dict[str, Callable[[str, str], Rows]] = {
    "tests": of_tests, "fuzz": of_fuzz, "protocols": of_protocols, "interrupts": of_interrupts, "variants": of_variants,
}  # fmt: skip


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(main(*[kind(text) for kind, text in zip((float, str), given, strict=False)]))  # type: ignore[operator]  # types are callable
