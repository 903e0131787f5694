"""The first ten minutes of a stranger, by a stopwatch: `python benchmarks/first_minutes.py [--install FILE.whl]`.

An empty cache, every command for the first time, and each must give what the stranger came for: a game won, a search stepped
through, a game of one's own judged, solved and played. With `--install` first an empty environment with that wheel and the studio
in it, else the environment at hand. Beside the clock stands the processor's time, which a busy machine changes less. The page
First minutes shows this table.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

MOVES = "\n".join(["b2", "a1", "c3", "a3", "c1", "a2", "b1", "b3", "c2"]) + "\n"
"""All squares in some order: those that are taken are asked for again, and this order beats the random player of this seed."""
STEPS = (  # what for, the command, what is typed in, what it must say
    ("what can I do?", ["outplay"], "", "outplay play connect-four"),
    ("which games are there?", ["outplay", "games"], "", "backgammon"),
    ("what does this machine lack?", ["outplay", "doctor"], "", "compiled code"),
    ("**a first win**", ["outplay", "play", "tic-tac-toe", "--against", "random", "--seed", "1"], MOVES, "Crosses win"),
    ("**a first search, step by step, as a page**",
     ["outplay", "explain", "tic-tac-toe", "--position", "xox/.o./o.x x", "--out", "tree.html"], "", "tree.html"),
    ("the best move, compiled", ["outplay", "best", "tic-tac-toe"], "", r"\b[abc][123]\b"),
    ("the second time", ["outplay", "best", "tic-tac-toe"], "", r"\b[abc][123]\b"),
    ("a bigger game", ["outplay", "best", "connect-four", "--depth", "10"], "", r"\b4\b|\bd\b"),
    ("chess", ["outplay", "best", "chess", "--time", "1"], "", r"\b[a-hNBRQK]"),
    ("who could play?", ["outplay", "players"], "", "deep-blue"),
    ("**a game of my own**: is it sound?", ["outplay", "check", "mine.py"], "", "race to ten"),
    ("what is it worth?", ["outplay", "solve", "mine.py"], "", r"first player wins|\b1\b"),
    ("play it", ["outplay", "play", "mine.py", "--against", "random", "--seed", "1"], "1\n2\n" * 5, "wins"),
)


def own_game() -> str:
    """The game that the page First minutes writes, as a file."""
    page = (Path(__file__).resolve().parents[1] / "docs" / "first-minutes.md").read_text()
    lines = [line[4:] for line in re.findall(r"^(?:>>>|\.\.\.) ?.*$", page, re.M)]
    return "\n".join(lines[: next(number for number, line in enumerate(lines) if "CompiledGame" in line)]) + "\n"


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(command: list[str], typed: str, **more) -> tuple[float, float, str]:
    begun, used = time.perf_counter(), processor_seconds()
    done = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=600, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr[-500:]}")
    return time.perf_counter() - begun, processor_seconds() - used, done.stdout + done.stderr


def studio(command: list[str], **more) -> float:
    """Seconds from the command to the first page."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    begun = time.perf_counter()
    server = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    try:
        while time.perf_counter() - begun < 300:
            try:
                page = urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60).read()
                assert b"<html" in page.lower()
                return time.perf_counter() - begun
            except OSError:
                time.sleep(0.05)
        sys.exit("the studio did not answer within 300 s")
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--install", metavar="FILE.whl", help="a wheel, for an empty environment")
    asked = options.parse_args()
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {time.strftime('%d %B %Y')}\n")
    print("| | command | seconds | of the processor |\n|---|---|---|---|")
    total = 0.0

    def row(what, command, seconds, used):
        nonlocal total
        total += seconds
        worked = "" if used is None else f"{used:.1f}"
        print(f"| {what} | `{command}` | {seconds:.1f} | {worked} |", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        more = {"cwd": folder, "env": {**os.environ, "OUTPLAY_CACHE": f"{folder}/cache", "HOME": folder, "BROWSER": "true"}}
        where: list[str] = [sys.executable, "-m", "outplay"]
        if asked.install:
            python = f"{folder}/outplay-env/bin/python"
            make = [sys.executable, "-m", "venv", "outplay-env"]
            row("an empty environment", "python -m venv outplay-env", *timed(make, "", **more)[:2])
            install = [python, "-m", "pip", "install", "--quiet", f"{Path(asked.install).resolve()}[studio]"]
            row("Outplay, without a compiler", 'pip install "outplay[studio]"', *timed(install, "", **more)[:2])
            where = [f"{folder}/outplay-env/bin/outplay"]
        (Path(folder) / "mine.py").write_text(own_game())
        for what, command, typed, words in STEPS:
            seconds, used, said = timed([*where, *command[1:]], typed, **more)
            if not re.search(words, said):
                sys.exit(f"{' '.join(command)} does not say {words!r} but {said[-500:]!r}")
            shown = " ".join(f'"{part}"' if " " in part else part for part in command)
            row(what, shown, seconds, used)
        row("the studio's first page", "outplay serve", studio([*where, "serve"], **more), None)
    print(f"\nin all {total:.0f} s")


if __name__ == "__main__":
    main()
