"""Ctrl-C at random moments, for every command of `outplay --help`, with kernels in the cache and without.

    python benchmarks/interrupts.py                      every command, three moments warm and one cold
    python benchmarks/interrupts.py learn 10 2 7         one command, moments warm, moments cold, seed

Right is: the command ends within SECONDS, with status 130 (0 for `serve`, which Ctrl-C ends as it should), and says neither
Traceback nor internal error. A command that was done before its moment came is counted apart, and so is a moment in Python's own
start, before the first line of ours. One that waits for input hears first what makes it think. The exit status is 1 when something
failed.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).resolve().parents[1] / "outplay"
SECONDS = 8.0
"""From Ctrl-C to the end, the start of Python's own exit included; a busy machine takes a while to let anybody run."""

LONG = {
    "rules": "rules chess", "arena": "arena queue {folder}/queue --stay",
    "games": "games", "show": "show monopoly --json", "algorithms": "algorithms", "players": "players", "doctor": "doctor",
    "show picture": "show chess --out {folder}/board.svg",
    "play": "play connect-four --as engine:time=2 --against engine:time=2",
    "best": "best chess --time 60", "best textbook": "best connect-four --algorithm minimax --depth 30",
    "best mcts": "best fifteen-puzzle --algorithm engine:mcts --time 60", "solve": "solve connect-four",
    "solve strategy": "solve connect-four:width=5,height=4 --strategy {folder}/strategy",
    "compare": "compare chess --depth 9", "explain": "explain tic-tac-toe --algorithm minimax --out {folder}/tree.html",
    "evaluate": "evaluate chess", "match": "match connect-four engine:time=0.05 engine:time=0.05 --games 5000",
    "match textbook": "match tic-tac-toe alphabeta mcts:simulations=300 --games 5000",
    "perft": "perft chess --depth 9", "playouts": "playouts go --games 10000000", "csp": "csp {large}",
    "csp cp-sat": "csp {large} --solver cp-sat", "uci": "uci", "gtp": "gtp go:size=9", "hub": "hub", "nboard": "nboard --time 60",
    "serve": "serve --port 0", "warm": "warm --all", "bench": "bench", "check": "check connect-four --games 100000",
    "tune": "tune chess --games 5000", "tune margins": "tune checkers --margins --depth 20",
    "tune probcut": "tune othello --probcut --depth 12 --out {folder}/fits.npz",
    "tune patterns": "tune othello --out {folder}/patterns",
    "book": "book build {games} --out {folder}/book.bin",
    "book games": "book build connect-four --games 100000 --out {folder}/book.txt",
    "match boards": "match bridge kitchen kitchen --boards 100000",
    "tables": "tables build chess --men 4 --out {folder}/tables",
    "tables numbered": "tables build checkers --men 5 --out {folder}/men",
    "equilibrium": "equilibrium leduc-poker --iterations 100000000",
    "equilibrium sampled": "equilibrium leduc-poker --algorithm external --iterations 1000000000",
    "exploit": "exploit leduc-poker random", "equity": "equity AhKd QsJs --samples 100000000000",
    "review": "review {pgn} --time 20", "learn": "learn connect-four --out {folder}/run --time 600",
    "lectures": "lectures strength", "exercises": "exercises minimax --each 50",
    "words": "words AEINRST?", "dd": "dd {deal}",
    "why": "why chess --nodes 100000000", "calibrate": "calibrate connect-four --games 100000 --out {folder}/fit.json",
    "puzzles": "puzzles tic-tac-toe --own 100000 --out {folder}/puzzles.json",
    "ladder": "ladder tic-tac-toe --make --games 100000 --out {folder}/ladder.json",
    "rate": "rate nim engine:depth=2 --games 100000 --error 1", "export": "export chess --out {folder}/chess.html",
    "weigh": "weigh connect-four --time 100", "balance": "balance connect-four --vary width=4..7 --time 100", "mcp": "mcp",
    "classroom": "classroom contest {folder}/cup --trust",
}  # fmt: skip
"""Every command in a form that takes long, where it has one; {...} is filled in."""

HEARD = {
    "uci": "uci\nposition startpos\ngo infinite\n", "gtp": "time_settings 0 60 1\ngenmove b\n",
    "hub": "hub\ninit\npos\nlevel move-time=60\ngo think\n", "nboard": "nboard 2\ngo\n",
}
"""What those that wait for input are told."""

QUICK = ("games", "rules", "show", "algorithms", "players", "doctor", "explain", "evaluate", "exploit", "book", "words", "dd",
         "serve", "exercises")
"""Those that may be done, all being said, when Ctrl-C comes; and `serve`, which Ctrl-C ends as it should."""


class Case(NamedTuple):
    """How one interruption went."""

    status: int
    seconds: float
    out: str
    err: str
    was_done: bool

    @property
    def too_early(self) -> bool:
        """Whether Python was still starting: it died of the signal, or tells of lines none of which are ours."""
        foreign = ("Traceback" in self.err or "import runpy" in self.err) and f'File "{PACKAGE}' not in self.err
        return self.status == -signal.SIGINT or (foreign and self.status != 130)

    def wrong(self, name: str) -> str | None:
        """What is wrong with it, or None."""
        if self.too_early:
            return None
        if "Traceback" in self.err or "internal error" in self.err:
            return f"says {self.err.strip()[-400:]!r}"
        if self.was_done:
            return None if self.status == 0 else f"ended by itself with {self.status}: {self.err.strip()[-300:]!r}"
        if self.status != 130 and not (self.status == 0 and LONG[name].split()[0] in QUICK):
            return f"ended with {self.status}: {self.err.strip()[-300:]!r}"
        return f"took {self.seconds:.1f} s to end" if self.seconds > SECONDS else None


def command_of(name: str, folder: str) -> list[str]:
    """The words of a command; files that it reads are made."""
    where = Path(folder)
    if name == "classroom":
        from outplay.classroom.contest import write

        write("isolation-player", where / "cup", "a seed")
        (where / "cup" / "submissions" / "ada.py").write_text("def choose(position):\n    while True: pass\n")
    (where / "game.pgn").write_text("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n")
    (where / "games.pgn").write_text("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n\n" * 20_000)
    filled = {"folder": folder, "large": "magic 20",
              "deal": "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3",
              "pgn": str(where / "game.pgn"), "games": str(where / "games.pgn")}  # fmt: skip
    return [word.format(**filled) for word in LONG[name].split()]


def interrupt(name: str, after: float, folder: str, until: Callable[[], bool] = lambda: True, **environment: str) -> Case:
    """Start a command and press Ctrl-C so many seconds later, and not before something has happened."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as behind `&` in a script: those that we start would ignore it, too
        signal.signal(signal.SIGINT, signal.default_int_handler)
    words = [sys.executable, "-m", "outplay", *command_of(name, folder)]
    environment = {**os.environ, "OUTPLAY_DATA": folder, **environment}
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=environment, cwd=folder)  # fmt: skip
    try:
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(HEARD.get(name, ""))
            process.stdin.flush()
        latest = time.monotonic() + after
        while time.monotonic() < latest and process.poll() is None:
            time.sleep(0.02)
        latest = time.monotonic() + 60
        while not until() and time.monotonic() < latest and process.poll() is None:
            time.sleep(0.05)
        was_done = process.poll() is not None
        if not was_done:
            process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        end = begun + 60
        while process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        took = time.monotonic() - begun
        process.kill()
        out, err = process.communicate()
        return Case(process.returncode, took, out, err, was_done)
    finally:
        process.kill()
        process.wait()


def main(wanted: str = "all", warm: int = 3, cold: int = 1, seed: int = 1) -> None:
    """Interrupt one command or all, and tell."""
    from outplay.cli.app import COMMANDS

    missing = set(COMMANDS) - {words.split()[0] for words in LONG.values()}
    assert not missing, f"no command line here for {missing}"
    failures, tried, done, early = 0, 0, 0, 0
    for name in LONG if wanted == "all" else [each for each in LONG if each == wanted or each.split()[0] == wanted]:
        source, slowest = random.Random(f"{seed}:{name}"), 0.0
        for number in range(warm + cold):
            with tempfile.TemporaryDirectory() as folder:
                cache = {"OUTPLAY_CACHE": f"{folder}/cache"} if number >= warm else {}
                at_once, later = source.uniform(0.02, 0.4), source.uniform(0.2, 4.0)
                after = source.choice((at_once, later)) if number < warm else source.uniform(1.0, 8.0)
                case = interrupt(name, after, folder, **cache)
            early += case.too_early
            tried, done, slowest = tried + 1, done + case.was_done, max(slowest, 0.0 if case.was_done else case.seconds)
            if wrong := case.wrong(name):
                failures += 1
                print(f"  {name}, {'cold' if cache else 'warm'}, Ctrl-C after {after:.2f} s: {wrong}", flush=True)
        print(f"{name}: the slowest end took {slowest:.2f} s", flush=True)
    counts = {"interrupted": tried - done - early, "done_before": done, "before_our_first_line": early, "failed": failures}
    print(json.dumps(counts))
    if failures:
        raise SystemExit(1)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*[kind(text) for kind, text in zip((str, int, int, int), given, strict=False)])  # type: ignore[operator]  # types are callable
