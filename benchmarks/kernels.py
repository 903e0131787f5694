"""One line a kernel: how fast it is, how many bytes it moves at least, and how it stands beside the last release or another tree.

    python benchmarks/kernels.py                        speeds, and ratios to those in benchmarks/data/kernels.json
    python benchmarks/kernels.py --keep                 write them there, as those of the machine that the file names
    python benchmarks/kernels.py --against TREE         the same measures in another checkout, in turns, on one core: ratios
    python benchmarks/kernels.py --against v0.2.0       or in a revision; `release` is the last that has a tag
    python benchmarks/kernels.py --only poker,bridge    those whose name holds a word

Processor time, the best of several short runs in turns. Ratios to the file mean little on another machine; those to another tree
are of this machine and this run. `make bench` compares with the last release.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
"""An author's files are those of this tree for both sides."""
KNOWN = ROOT / "benchmarks" / "data" / "kernels.json"
ROUNDS = 5
MIDDLE_GAME = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
Work = tuple[Callable[[], float], str, int]
"""Does some work and says how much; of what; bytes of one record (a state, a node) that it reads or writes, where it has such."""


def fetch(name: str, *places: str) -> Any:
    """What one of several modules has: an older tree has it elsewhere."""
    for place in places:
        try:
            return getattr(importlib.import_module(f"outplay.{place}"), name)
        except (ImportError, AttributeError):
            continue
    raise ImportError(name)


def kernels(words: list[str]) -> dict[str, Callable[[], Work]]:
    """Every measure by its name; made when it is measured."""
    from outplay.engine import Engine, perft
    from outplay.game import load
    from outplay.values import Limits

    playouts = fetch("playouts", "engine.montecarlo.playouts", "engine.playouts")
    tree_search = fetch("MonteCarlo", "engine.montecarlo.mcts", "engine.mcts")
    plain = fetch("Options", "engine.alphabeta.options", "engine.options")(deepening=False, killers=False, history=False,
                                                                         replies=False, game_order=False)

    def searched(game: str, depth: int, text: str = "", **options: Any) -> Callable[[], Work]:
        def make() -> Work:
            loaded = load(game)
            engine, position = Engine(loaded, **options), loaded.position(text) if text else loaded.start()

            def run() -> float:
                engine.clear()
                return float(engine.best(position, Limits(depth=depth)).nodes)

            return run, "nodes", loaded.rules.layout.itemsize

        return make

    def counted(game: str, depth: int, text: str = "") -> Callable[[], Work]:
        def make() -> Work:
            loaded = load(game)
            position = loaded.position(text) if text else loaded.start()
            return lambda: float(perft(position, depth)[0]), "nodes", loaded.rules.layout.itemsize

        return make

    def played(game: str, games: int) -> Callable[[], Work]:
        def make() -> Work:
            loaded = load(game)
            return lambda: float(playouts(loaded.start(), games, seed=1).games), "games", loaded.rules.layout.itemsize

        return make

    def simulated(game: str, simulations: int) -> Callable[[], Work]:
        def make() -> Work:
            tree = tree_search(load(game), seed=1, settle=False)

            def run() -> float:
                tree.clear()
                tree.best(tree.game.start(), Limits(simulations=simulations))
                return float(simulations)

            run()
            return run, "simulations", tree.trees[0].nodes.dtype.itemsize

        return make

    def regretted(game: str, iterations: int) -> Callable[[], Work]:
        def make() -> Work:
            solver = fetch("RegretSolver", "engine.regret.equilibrium", "engine.regret")(load(game), "cfr")

            def run() -> float:
                solver.advance(iterations)
                return float(iterations)

            return run, "iterations", 0

        return make

    def chance() -> Work:
        search = fetch("ChanceSearch", "engine.frames.chance", "engine.chance")
        loaded = load("backgammon")
        position = loaded.start().play("x31")

        def run() -> float:
            return float(search(loaded, algorithm="star2", memory=64).best(position, Limits(depth=3)).nodes)

        return run, "nodes", loaded.rules.layout.itemsize

    def sevens() -> Work:
        import numpy as np

        kernel = fetch("strengths", "games.holdem.evaluator")
        source = np.random.default_rng(1)
        hands = np.array([source.permutation(52)[:7] for _ in range(20_000)], np.uint8).repeat(25, 0)
        return lambda: float(len(kernel(hands))), "hands", 9

    def bridge(part: str) -> Callable[[], Work]:
        def make() -> Work:
            solver = fetch("DoubleDummy", "experts.bridge.double_dummy", "engine.double_dummy")
            memory = fetch("Memory", "experts.bridge.double_dummy", "engine.double_dummy")()
            source, deals = random.Random(7), []
            for _ in range(6):
                cards = list(range(52))
                source.shuffle(cards)
                deals.append([sum(1 << (16 * (card // 13) + card % 13) for card in cards[13 * seat : 13 * seat + 13])
                              for seat in range(4)])  # fmt: skip

            def run() -> float:
                for hands in deals:
                    open_cards = solver(hands, memory=memory)
                    if part == "cards":
                        open_cards.cards("NT", "W")
                    else:
                        for leader in "NESW" if part == "table" else "W":
                            open_cards.tricks("S", leader)
                return float(len(deals))

            return run, "deals", 0

        return make

    made = {
        "connect four, plain alphabeta": searched("connect four", 14, algorithm="alphabeta", options=plain),
        "connect four, pvs": searched("connect four", 15),
        "chess, start": searched("chess", 12),
        "chess, middle game": searched("chess", 11, MIDDLE_GAME),
        "perft, chess": counted("chess", 5, MIDDLE_GAME),
        "perft, connect four": counted("connect four", 8),
        "star2, backgammon": chance,
        "mcts, connect four": simulated("connect four", 60_000),
        "mcts, tic-tac-toe": simulated("tic-tac-toe", 60_000),
        "mcts, go 9x9": simulated("go:size=9,policy=light", 3_000),
        "games, connect four": played("connect four", 200_000),
        "games, tic-tac-toe": played("tic-tac-toe", 400_000),
        "games, go 9x9": played("go:size=9,policy=light", 3_000),
        "games, backgammon": played("backgammon", 5_000),
        "games, monopoly": played("monopoly", 3_000),
        "regret, kuhn poker": regretted("kuhn poker", 100_000),
        "regret, leduc poker": regretted("leduc poker", 2_000),
        "regret, liar's dice": regretted("liar's dice", 60),
        "poker, hands of seven": sevens,
        "bridge, one strain": bridge("table"),
        "bridge, every lead": bridge("cards"),
    }
    for name, depth, simulations, games in (("breakthrough", 8, 20_000, 20_000), ("hex", 6, 10_000, 20_000),
                                            ("amazons", 2, 2_000, 500), ("kalah", 10, 20_000, 20_000)):  # fmt: skip
        file = ROOT / "examples" / f"{name}.py"
        if file.exists():
            made[f"{name} (a file), pvs"] = searched(str(file), depth)
            made[f"{name} (a file), mcts"] = simulated(str(file), simulations)
            made[f"{name} (a file), games"] = played(str(file), games)
    return {name: make for name, make in made.items() if not words or any(word in name for word in words)}


def measure(words: list[str], rounds: int = ROUNDS) -> dict[str, dict[str, Any]]:
    """Speeds of this tree: what a second, bytes, and the count of the first run."""
    rows: dict[str, dict[str, Any]] = {}
    works = {name: make() for name, make in kernels(words).items()}
    for name, (run, unit, size) in works.items():
        rows[name] = {"unit": unit, "bytes": size, "count": run(), "speed": 0.0}  # compiles
    for _ in range(rounds):
        for name, (run, _, _) in works.items():
            begun = time.process_time()
            count = run()
            rows[name]["speed"] = max(rows[name]["speed"], count / (time.process_time() - begun))
    return rows


def elsewhere(tree: Path, words: list[str], rounds: int) -> dict[str, dict[str, Any]]:
    """The same in a process of another tree."""
    command = [sys.executable, str(Path(__file__).resolve()), "--json", "--rounds", str(rounds), "--only", ",".join(words)]
    environment = {**os.environ, "PYTHONPATH": str(tree.resolve())}
    done = subprocess.run(command, env=environment, cwd=tree, stdout=subprocess.PIPE, check=True)
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return found


def against(tree: Path, words: list[str], turns: int = 3) -> dict[str, dict[str, Any]]:
    """Both trees in turns, on one core; the best of each, and this one's over the other's."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    best: list[dict[str, dict[str, Any]]] = [{}, {}]
    for _ in range(turns):
        for side, place in enumerate((ROOT, tree)):
            for name, row in elsewhere(place, words, 2).items():
                known = best[side].setdefault(name, row)
                known["speed"] = max(known["speed"], row["speed"])
    for name, row in best[0].items():
        if name in best[1]:
            row["ratio"], row["same"] = row["speed"] / best[1][name]["speed"], row["count"] == best[1][name]["count"]
    return best[0]


@contextlib.contextmanager
def checkout(name: str) -> Iterator[Path]:
    """A folder that is named, or a revision checked out beside it."""
    if Path(name).is_dir():
        yield Path(name)
        return
    git = ["git", "-C", str(ROOT)]
    if name == "release":
        found = subprocess.run([*git, "describe", "--tags", "--abbrev=0"], capture_output=True, text=True)
        if found.returncode:
            raise SystemExit("no release has a tag here: name a revision or a folder")
        name = found.stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*git, "worktree", "add", "--quiet", "--detach", folder, name], check=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run([*git, "worktree", "remove", "--force", folder], check=True)


def known_speeds() -> dict[str, Any]:
    """Those of the file, with the machine that they are of."""
    found: dict[str, Any] = json.loads(KNOWN.read_text()) if KNOWN.exists() else {"machine": "", "speeds": {}}
    return found


def show(rows: dict[str, dict[str, Any]], beside: str) -> None:
    """A line a kernel."""
    print(f"{'kernel':<32}{'a second':>16}  {'of':<12}{'bytes':>7}{beside:>14}")
    for name, row in rows.items():
        ratio = f"{row['ratio']:.2f}" if "ratio" in row else "-"
        print(f"{name:<32}{row['speed']:>16,.0f}  {row['unit']:<12}{row['bytes'] or '':>7}{ratio:>14}"
              f"{'' if row.get('same', True) else '  other counts'}")


def main(arguments: list[str] | None = None) -> list[dict[str, Any]]:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--against", metavar="TREE")
    parser.add_argument("--only", default="", metavar="WORDS")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    words = [word for word in given.only.split(",") if word]
    if given.against:
        with checkout(given.against) as tree:
            rows = against(tree, words)
    else:
        rows = measure(words, given.rounds)
    known = known_speeds()
    if not given.against:
        for name in rows.keys() & known["speeds"].keys():
            rows[name]["ratio"] = rows[name]["speed"] / known["speeds"][name]
    if given.json:
        print(json.dumps(rows))
    else:
        show(rows, f"to {Path(given.against).name}" if given.against else "to the file")
        if not given.against and known["machine"]:
            print(f"the file: {known['machine']}")
    if given.keep:
        machine = f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}, {time.strftime('%Y-%m-%d')}"
        speeds = {**known["speeds"], **{name: round(row["speed"]) for name, row in rows.items()}}
        KNOWN.write_text(json.dumps({"machine": machine, "speeds": speeds}, indent=1) + "\n")
    return [{"what": name, **row} for name, row in rows.items()]


if __name__ == "__main__":
    if "PYTHONPATH" not in os.environ:
        sys.path.insert(0, str(ROOT))
    main()
