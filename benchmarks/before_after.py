"""Two versions of Outplay side by side: the same commands in turns, pinned to one core, in processor seconds.

    git worktree add /tmp/before REVISION
    python benchmarks/before_after.py /tmp/before . [--core 0] [--rounds 5] [--only perft,csp] [--json]

Each measure is a command of the command line, which both versions have, in a process of its own. The long ones leave the start of
Python behind, the `warm` ones are nothing but a start, the `cold` ones start from an empty cache. Reported are the median over the
rounds of the processor's time, which a busy machine changes least, and the ratio before : after (above 1: the new version is
quicker). Where a command tells how many nodes it looked at, both versions' counts stand beside it.

Whether the new version also plays as well, a match says, in which each is a program (give the old one an environment of its own):

    outplay match chess "uci:outplay uci" "uci:/tmp/before/.venv/bin/outplay uci" --games 200 --time 0.1
    outplay match go:size=9 "gtp:outplay gtp --time 0.2" "gtp:/tmp/before/.venv/bin/outplay gtp --time 0.2" --games 200
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "csp"
DEALS = Path(__file__).resolve().parent / "data" / "deals.txt"
MEASURES: dict[str, tuple[str, ...]] = {
    "perft chess": ("perft", "chess", "--depth", "6"),
    "perft connect four": ("perft", "connect-four", "--depth", "9"),
    "twin: connect four, alpha-beta": ("best", "connect-four", "--algorithm", "engine:alphabeta", "--depth", "17"),
    "chess to depth 13": ("best", "chess", "--depth", "13"),
    "solve isolation 5x5": ("solve", "isolation"),
    "mcts connect four": ("best", "connect-four", "--algorithm", "engine:mcts", "--simulations", "1000000"),
    "mcts go 9x9": ("best", "go", "--algorithm", "engine:mcts", "--simulations", "60000"),
    "playouts connect four": ("playouts", "connect-four", "--games", "8000000", "--threads", "1"),
    "playouts go 9x9": ("playouts", "go", "--games", "20000", "--threads", "1"),
    "backgammon, star2": ("best", "backgammon", "--actions", "x31", "--depth", "3"),
    "regret, Leduc": ("equilibrium", "leduc-poker", "--iterations", "100000"),
    "regret, goofspiel": ("equilibrium", "goofspiel:cards=4", "--iterations", "3000", "--form", "flat"),
    "double dummy, 20 deals": ("dd", f"@{DEALS}"),
    "csp: magic squares": ("csp", str(EXAMPLES / "magic4.txt"), "--all"),
    **{
        f"{start} start of {game}": ("best", game, "--depth", "3", *more)
        for start in ("warm", "cold")
        for game, *more in (
            ("tic-tac-toe",), ("connect-four",), ("chess",), ("checkers",), ("othello",), ("isolation",), ("nim",), ("pac-man",),
            ("go", "--algorithm", "engine:pvs"), ("backgammon", "--actions", "x31"),
        )
    },
}


def run(tree: Path, command: tuple[str, ...], core: int | None, cache: str | None) -> tuple[float, dict]:
    """Processor seconds and the answer of one command of a version."""
    pinned = ["taskset", "-c", str(core)] if core is not None and shutil.which("taskset") else []
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(tree), os.environ.get("PYTHONPATH"))))}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a start that compiles all of Python's sources anew is nobody's start
    environment["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "outplay-before-after")
    if cache:
        environment["OUTPLAY_CACHE"] = cache
    with tempfile.TemporaryDirectory() as elsewhere, tempfile.TemporaryFile("w+") as said:
        program = subprocess.Popen([*pinned, sys.executable, "-m", "outplay", *command, "--json"], cwd=elsewhere, env=environment,
                                   stdout=said, stderr=subprocess.DEVNULL)  # fmt: skip
        _, status, used = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read()
    if program.returncode:
        return float("nan"), {}
    try:
        return used.ru_utime + used.ru_stime, json.loads(text)
    except json.JSONDecodeError:
        return used.ru_utime + used.ru_stime, {}


def main() -> None:
    """Run the measures in turns and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--core", type=int, help="pin to this core")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="measures whose name has one of these words")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    trees = [given.before.resolve(), given.after.resolve()]
    words = [word for word in given.only.split(",") if word]
    rows = []
    if not given.json:
        print(f"{'processor seconds, median':<34}{'before':>9}{'after':>9}{'ratio':>8}  nodes before, after", flush=True)
    for name, command in MEASURES.items():
        if words and not any(word in name for word in words):
            continue
        is_cold = name.startswith("cold")
        if not is_cold:
            for tree in trees:  # compiles, or fails
                run(tree, command, given.core, None)
        seconds: list[list[float]] = [[], []]
        nodes: list[int | None] = [None, None]
        for turn in range(given.rounds):
            for which in (0, 1) if turn % 2 == 0 else (1, 0):
                with tempfile.TemporaryDirectory() as cache:
                    spent, answer = run(trees[which], command, given.core, cache if is_cold else None)
                seconds[which].append(spent)
                nodes[which] = answer.get("nodes")
        before, after = (statistics.median(each) for each in seconds)
        rows.append({"measure": name, "before": before, "after": after, "ratio": before / after, "nodes": nodes})
        if not given.json:
            told = "" if nodes == [None, None] else f"{nodes[0]:,}, {nodes[1]:,}" if None not in nodes else str(nodes)
            print(f"{name:<34}{before:>8.2f}s{after:>8.2f}s{before / after:>8.2f}  {told}", flush=True)
    if given.json:
        print(json.dumps({"rows": rows}))


if __name__ == "__main__":
    main()
