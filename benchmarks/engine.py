"""The alpha-beta family against its twin in C++ and against other packages, what it solves, and what threads and compiling cost.

Ratios are taken side by side in one run, in turns, from the middle of many short runs and in processor time, which a busy machine
changes least. Packages that are not installed, and the C++ compiler, are left out with a line that says so.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from outplay.engine import Engine, Options, best, perft, solve
from outplay.engine.bench import MIDDLE_GAME
from outplay.engine.montecarlo.mcts import MonteCarlo
from outplay.game import load
from outplay.values import Limits

HERE = Path(__file__).resolve().parent
PLAIN = Options(deepening=False, killers=False, history=False, replies=False, game_order=False)
"""What the twin does: alpha-beta, the table and its move, and nothing else."""


def main(*parts: str) -> list[dict]:
    """All rows, or those of the parts named, such as `threads`."""
    rows: list[dict] = []

    def row(what: str, ours: str, other: str, ratio: float | None, wanted: str) -> None:
        rows.append({"what": what, "ours": ours, "other": other, "ratio": ratio, "wanted": wanted})
        print(f"{what:<46}{ours:>20}{other:>22}{f'{ratio:,.2f}' if ratio else '':>10}  {wanted}", flush=True)

    print(f"{'connect four unless said otherwise':<46}{'here':>20}{'there':>22}{'ratio':>10}  wanted")
    for part in (twin, easy_ai, open_spiel, solving, threads, compiling):
        if not parts or part.__name__ in parts:
            part(row)
    position = load("connect four").start()
    print(f"nodes of pvs at depth 12: {best(position, Limits(depth=12)).nodes:,}; perft 8: {perft(position, 8)[0]:,}")
    return rows


def twin(row) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        print("no g++ here: the twin in C++ is left out")
        return
    build = HERE / "build"
    build.mkdir(exist_ok=True)
    program = build / "connect_four"
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, HERE / "connect_four.cpp"], check=True)
    depth, ours, theirs = 15, [], []
    engine = Engine(load("connect four"), algorithm="alphabeta", options=PLAIN)
    engine.best(load("connect four").start(), Limits(depth=2))
    for _ in range(15):
        engine.clear()
        begun = time.process_time()
        result = engine.best(load("connect four").start(), Limits(depth=depth))
        ours.append(result.nodes / (time.process_time() - begun))
        answer = subprocess.run([program, str(depth), "64", "1"], capture_output=True, text=True, check=True).stdout.split()
        value, nodes, seconds = int(answer[0]), int(answer[1]), float(answer[2])
        if (value, nodes) != (result.value, result.nodes):
            raise SystemExit(f"the twin searched something else: {answer} against {result.value} and {result.nodes}")
        theirs.append(nodes / seconds)
    mine, other = statistics.median(ours), statistics.median(theirs)
    row(f"nodes a second, alpha-beta, depth {depth}, C++", f"{mine / 1e6:.1f} M", f"{other / 1e6:.1f} M", mine / other, "0.9")


def quickest(run, times: int) -> tuple[float, object]:
    found = []
    for _ in range(times):
        begun = time.process_time()
        answer = run()
        found.append(time.process_time() - begun)
    return min(found), answer


def to_depth_eight() -> tuple[float, float]:
    """Seconds to the value of the empty board at depth 8, and nodes a second of plain alpha-beta at depth 14."""
    # Straight to depth 8, as the others go there, and with a table that such a small tree does not need to be larger.
    engine = Engine(load("connect four"), memory=4, options=Options(deepening=False))
    start = load("connect four").start()

    def run():
        engine.clear()
        return engine.best(start, Limits(depth=8))

    def clearing():
        engine.clear()

    seconds, _ = quickest(run, 20)
    cleaning, _ = quickest(clearing, 20)
    plain = Engine(load("connect four"), algorithm="alphabeta", memory=64, options=PLAIN)  # plain alpha-beta, as the others are
    longer, result = quickest(lambda: (plain.clear(), plain.best(start, Limits(depth=14)))[1], 3)
    return max(seconds - cleaning, 1e-6), result.nodes / longer


def easy_ai(row) -> None:
    try:
        from easyAI import AI_Player, Negamax
        from easyAI.games.ConnectFour import ConnectFour
    except ImportError:
        print("easyAI is not installed (pip install outplay[bench]): left out")
        return

    class Counting(ConnectFour):
        nodes = 0

        def make_move(self, column):
            Counting.nodes += 1
            super().make_move(column)

    game = Counting([AI_Player(Negamax(8)), AI_Player(Negamax(8))])
    begun = time.process_time()
    Negamax(8)(game)
    seconds = time.process_time() - begun
    ours, speed = to_depth_eight()
    there = Counting.nodes / seconds
    row("nodes a second, easyAI's Negamax", f"{speed / 1e6:.1f} M", f"{there:,.0f}", speed / there, "2,000")
    row("seconds to depth 8, easyAI's Negamax", f"{1000 * ours:.2f} ms", f"{seconds:.2f} s", seconds / ours, "1,000")


def alpha_beta_nodes(state, depth: int, alpha: float, beta: float) -> tuple[float, int]:
    """OpenSpiel's alpha-beta in plain Python over its own states: the value for the first player, and the nodes it enters."""
    if state.is_terminal():
        return state.player_return(0), 1
    if depth == 0:
        return 0.0, 1
    is_max, total = state.current_player() == 0, 1
    best_value = -2.0 if is_max else 2.0
    for action in state.legal_actions():
        found, nodes = alpha_beta_nodes(state.child(action), depth - 1, alpha, beta)
        total += nodes
        if is_max:
            best_value = max(best_value, found)
            alpha = max(alpha, best_value)
        else:
            best_value = min(best_value, found)
            beta = min(beta, best_value)
        if alpha >= beta:
            break
    return best_value, total


def open_spiel(row) -> None:
    try:
        import pyspiel
        from open_spiel.python.algorithms import minimax
    except ImportError:
        print("OpenSpiel is not installed (pip install outplay[bench]): left out")
        return
    game = pyspiel.load_game("connect_four")
    calls = 0

    def value(state):
        nonlocal calls
        calls += 1
        return 0

    search = getattr(pyspiel, "alpha_beta_search", None) or minimax.alpha_beta_search
    seconds, _ = quickest(lambda: search(game, game.new_initial_state(), value, 8, 0), 5)
    ours, speed = to_depth_eight()
    nodes = alpha_beta_nodes(game.new_initial_state(), 8, -2, 2)[1]  # the same search over the same states, counted
    row("nodes a second, OpenSpiel", f"{speed / 1e6:.1f} M", f"{nodes / seconds:,.0f}", speed / (nodes / seconds), "20")
    row("seconds to depth 8, OpenSpiel", f"{1000 * ours:.2f} ms", f"{1000 * seconds:.0f} ms", seconds / ours, "20")


def solving(row) -> None:
    import random

    begun = time.process_time()
    found = solve(load("isolation", width=5, height=5).start(), memory=512)
    took = time.process_time() - begun
    row("solve isolation 5x5 from the empty board", f"{took:.1f} s", f"{found.nodes:,} nodes", None, "60 s")
    source, seconds = random.Random(1), []
    while len(seconds) < 20:
        position = load("connect four").start()
        for _ in range(12):
            if not position.is_terminal():
                position = position.result(source.choice(position.actions()))
        if not position.is_terminal():
            begun = time.process_time()
            solve(position, memory=256)
            seconds.append(time.process_time() - begun)
    mean = statistics.mean(seconds)
    row("solve 20 random positions of 12 discs, each", f"{mean:.2f} s", f"at most {max(seconds):.1f} s", None, "2 s")
    if os.environ.get("OUTPLAY_BENCH_LONG"):
        begun = time.process_time()
        found = solve(load("connect four").start(), memory=1536)
        took = time.process_time() - begun
        row(f"solve the empty board: {found.value:+.0f}", f"{took:.0f} s", f"{found.nodes:,} nodes", None, "600 s")
    else:
        print("solving connect four from the empty board takes minutes: set OUTPLAY_BENCH_LONG=1 for it")


def threads(row) -> None:
    if (os.cpu_count() or 1) < 2:
        print("one core: two threads are left out")
        return
    start, speeds, times = load("connect four").start(), {1: [], 2: []}, {1: [], 2: []}
    for _ in range(4):
        for count in (1, 2):
            begun = time.perf_counter()
            found = best(start, Limits(depth=20), threads=count, memory=256)
            times[count].append(time.perf_counter() - begun)
            speeds[count].append(found.nodes / times[count][-1])
    faster = max(speeds[2]) / max(speeds[1])
    sooner = min(times[1]) / min(times[2])
    row("two threads: nodes a second", f"{max(speeds[2]) / 1e6:.1f} M", f"{max(speeds[1]) / 1e6:.1f} M", faster, "1.7")
    row("two threads: time to depth 20", f"{min(times[2]):.2f} s", f"{min(times[1]):.2f} s", sooner, "1.3")
    for name, text in (("chess", MIDDLE_GAME), ("checkers", "")):
        game = load(name)
        position, nodes, ratios = game.position(text) if text else game.start(), {1: 0.0, 2: 0.0}, []
        depth = 12 if name == "chess" else 17
        for _ in range(5):
            spent = {}
            for count in (1, 2):
                begun = time.perf_counter()
                found = best(position, Limits(depth=depth), threads=count, memory=256)
                spent[count] = time.perf_counter() - begun
                nodes[count] = max(nodes[count], found.nodes / spent[count])
            ratios.append(spent[1] / spent[2])
        speeds = [f"{nodes[count] / 1e6:.2f} M" for count in (2, 1)]
        row(f"{name}: nodes a second of two threads", *speeds, nodes[2] / nodes[1], "1.95")
        row(f"{name}: time to depth {depth}, the middle of five", "", "", statistics.median(ratios), "1.6")
    for name in ("connect four", "go"):
        game, most = load(name), {1: 0.0, 2: 0.0}
        for _ in range(4):
            for count in (1, 2):
                tree = MonteCarlo(game, threads=count, seed=1, settle=False)
                found = tree.best(game.start(), Limits(seconds=1.5))
                most[count] = max(most[count], found.facts["simulations"] / found.seconds)
        speeds = [f"{most[count] / 1e3:,.0f} k" for count in (2, 1)]
        row(f"{name}: simulations a second of two threads", *speeds, most[2] / most[1], "1.9")


def compiling(row) -> None:
    """Processor seconds of a fresh process that searches once, beyond one that only starts Python and Numba."""
    search = (
        "from outplay.game import load; from outplay.engine import best; from outplay.values import Limits;"
        "best(load('connect four').start(), Limits(depth=2), memory=1)"
    )
    bare = "import numba, numpy"
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "OUTPLAY_CACHE": cache}

        def run(code: str) -> float:
            before = os.times()
            subprocess.run([sys.executable, "-c", code], env=environment, check=True)
            after = os.times()
            return after.children_user + after.children_system - before.children_user - before.children_system

        cold = run(search)
        start = min(run(bare) for _ in range(3))
        warm = min(run(search) for _ in range(3))
    row("compile the engine for one game", f"{cold - start:.1f} s", f"{start:.2f} s to start", None, "10 s")
    row("load it from the cache", f"{warm - start:.2f} s", f"{start:.2f} s to start", None, "0.5 s")


if __name__ == "__main__":
    main(*sys.argv[1:])
