"""The first answer in every game, by a stopwatch: from a person's first move to the opponent's, on an empty cache of compiled code.

    python benchmarks/first_answers.py [GAME ...] [--door studio|terminal|both] [--against TREE]

For each game a studio of its own is started with an empty cache; the opponent is the one that the page seats first, and the person
moves at once, so that nothing could be compiled ahead. `first` is the seconds to the first answer and whether it says of itself
that it was a first glance, `strong` the seconds until an answer was none (the person moves at once again), or a dash where the
game was over before. In the terminal the same with `outplay play`. With `--against`, another tree of Outplay is measured beside
this one, game by game. Fails where a first answer took longer than two seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from load import Connection

HERE = Path(__file__).resolve().parent.parent
GLANCE = "first glance"
MOST = 180.0  # seconds for a game
USUAL = ("thumb", "engine:level=club,time=1")
"""Whom the page seats first where the game has it, before players of the game's own and `auto` (`static/play/seats.js`)."""
BUDGET = 2.0


def main(words: list[str] | None = None) -> int:
    """Print the table."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("games", nargs="*")
    asked.add_argument("--door", choices=("studio", "terminal", "both"), default="both")
    asked.add_argument("--against", type=Path)
    given = asked.parse_args(words)
    trees = [HERE, *([given.against.resolve()] if given.against else [])]
    doors = ("studio", "terminal") if given.door == "both" else (given.door,)
    parts = [f"{door}{'' if tree == HERE else ', before'}" for door in doors for tree in trees]
    columns = [f"{part}: {what}" for part in parts for what in ("first", "strong")]
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores\n| game | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
    late = 0
    for game in given.games or every_game():
        row = []
        for door in doors:
            for tree in trees:
                answers = {"studio": in_studio, "terminal": in_terminal}[door](game, tree)
                late += tree == HERE and bool(answers) and answers[0][0] > BUDGET
                row += told(answers)
        print(f"| {game} | {' | '.join(row)} |", flush=True)
    print(f"later than {BUDGET:g} s: {late}")
    return int(late > 0)


def every_game() -> list[str]:
    """All that can be played against somebody."""
    command = [sys.executable, "-m", "outplay", "games", "--json"]
    found = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=True)
    return [each["name"] for each in json.loads(found.stdout)["games"] if each["players"] > 1]


def told(answers: list[tuple[float, bool]]) -> list[str]:
    """First answer, and the first that was no glance."""
    if not answers:
        return ["-", "-"]
    first = f"{answers[0][0]:.1f}{' (glance)' if answers[0][1] else ''}"
    total, strong = 0.0, "-"
    for seconds, is_glance in answers:
        total += seconds
        if not is_glance:
            strong = f"{total:.1f}"
            break
    return [first, strong]


def place(tree: Path, folder: str) -> dict[str, str]:
    """Surroundings with nothing compiled."""
    return {**os.environ, "PYTHONPATH": str(tree), "OUTPLAY_CACHE": f"{folder}/cache", "OUTPLAY_DATA": f"{folder}/data"}


# ---------------------------------------------------------------- in the studio


def in_studio(game: str, tree: Path) -> list[tuple[float, bool]]:
    """Seconds of each answer until one was no glance."""
    with tempfile.TemporaryDirectory() as folder:
        words = Path(folder) / "said.txt"
        with words.open("wb") as said:
            command = [sys.executable, "-m", "outplay", "serve", "--port", "0"]
            studio = subprocess.Popen(command, env=place(tree, folder), cwd=folder, stdout=said, stderr=said,
                                      stdin=subprocess.DEVNULL)  # fmt: skip
        try:
            until = time.monotonic() + 60
            while not (found := re.search(rb":(\d+)/", words.read_bytes())):
                assert studio.poll() is None and time.monotonic() < until, words.read_text()
                time.sleep(0.05)
            return asyncio.run(asyncio.wait_for(against(int(found[1]), game), MOST))
        finally:
            studio.terminate()
            studio.wait(20)


async def against(port: int, game: str) -> list[tuple[float, bool]]:
    """A person who always does the first thing there is, as soon as it is possible."""
    connection = Connection(port)

    async def ask(path: str, body: Any = None) -> Any:
        status, content = await connection.ask(path, body)
        assert status == 200, content[:300]
        return json.loads(content)

    about = next(each for each in (await ask("/api/games"))["games"] if each["name"] == game)
    players = ["human" if seat == about["first_seat"] else opponent(about) for seat in range(about["players"])]
    record = await ask("/api/records", {"game": game, "players": players})
    address, answers = record["address"], []
    while not record["terminal"] and len(answers) < 60:
        if not record["waiting"]:
            record = await ask(f"/api/records/{address}/moves", {"action": record["legal"][0]["text"], "plies": record["plies"]})
            continue
        begun, plies = time.perf_counter(), record["plies"]
        status, content = await connection.ask(f"/api/records/{address}/reply", {"plies": plies})
        last = json.loads(content.splitlines()[-1])
        assert status == 200 and "record" in last, content[-300:]
        record = last["record"]
        answers.append((time.perf_counter() - begun, GLANCE in (record.get("note") or "")))
        if not answers[-1][1]:
            break
    connection.close()
    return answers


def opponent(about: dict[str, Any]) -> str:
    """Whom the page seats."""
    own = [each["text"] for each in about["named"]]
    has = {"engine:level=club,time=1"} if about["algorithms"][0].startswith("engine") and about["levels"] else set()
    return next((text for text in (*(each for each in USUAL if each in has or each in own), *own)), "auto:time=1")


# ---------------------------------------------------------------- in the terminal


def in_terminal(game: str, tree: Path) -> list[tuple[float, bool]]:
    """Seconds of each answer to a person who always does the first thing there is, until one was no glance."""
    answers: list[tuple[float, bool]] = []
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-u", "-m", "outplay", "play", game, "--seed", "1"]
        play = subprocess.Popen(command, env=place(tree, folder), cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, bufsize=0)  # fmt: skip
        assert play.stdin is not None and play.stdout is not None
        heard, begun, until = "", time.perf_counter(), time.perf_counter() + MOST

        def listen(what: str) -> str:
            nonlocal heard
            while not (found := re.search(what, heard, re.M)):
                piece = os.read(play.stdout.fileno(), 65536) if _is_readable(play.stdout) else b""  # type: ignore[union-attr]
                if time.perf_counter() > until or (not piece and play.poll() is not None):
                    return ""
                heard += piece.decode(errors="replace")
            said, heard = heard[: found.end()], heard[found.end() :]
            return said

        try:
            while len(answers) < 60:
                said = listen(r"^[^\n]*: $(?!\n)")
                if re.search(r"^the computer ", said, re.M):
                    answers.append((time.perf_counter() - begun, GLANCE in said))
                    if not answers[-1][1]:
                        break
                if not said:
                    break
                play.stdin.write(b"actions\n")
                first = listen(r"\n[^\n]*: $(?!\n)").split("\n")[0].split(" ")[0]
                begun = time.perf_counter()
                play.stdin.write(f"{first}\n".encode())
        except BrokenPipeError:
            pass
        finally:
            play.kill()
            play.wait()
    return answers


def _is_readable(pipe: Any) -> bool:
    import select

    return bool(select.select([pipe], [], [], 0.05)[0])


if __name__ == "__main__":
    sys.exit(main())
