"""Games as pages: how large they are, how fast they search beside the native engine, and how long the page ever waits.

    python benchmarks/pages.py                                # connect four, isolation, chess, othello, go, backgammon, kuhn poker
    python benchmarks/pages.py --games "connect four" nim --browser --slow 4

Sizes are those of the file and of the module in it. A ratio is the native time of the processor by that in WebAssembly for the same
nodes, the best of three, one after the other; nodes and action must be equal. With `--browser` each page is opened in Chromium and
played: the processor's time until the first move is answered, and that of the longest task of the page, during which it could not
have answered a finger; `--slow 4` multiplies both, as for a phone's processor.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from outplay.engine.alphabeta.engine import Engine
from outplay.engine.frames.chance import ChanceSearch
from outplay.engine.frames.many import ManySearch
from outplay.engine.montecarlo.hidden import InformationSets
from outplay.engine.montecarlo.mcts import MonteCarlo
from outplay.game import load
from outplay.pages import build, export
from outplay.pages.pack import FAMILIES, packed, searches_of
from outplay.players.networks import usual
from outplay.values import Limits

GAMES = ("connect four", "isolation", "chess", "othello", "go", "backgammon", "kuhn poker")
WORK = {"alphabeta": {"nodes": 1_500_000}, "mcts": {"simulations": 50_000}, "hidden": {"simulations": 40_000},
        "chance": {"nodes": 400_000}, "many": {"nodes": 400_000}}  # fmt: skip
NATIVE: dict[str, Any] = {"alphabeta": Engine, "mcts": MonteCarlo, "hidden": InformationSets, "chance": ChanceSearch,
                          "many": ManySearch}  # fmt: skip
TIMES = 3
PATIENCE = 0.5  # seconds that the levels up to club think at most (page.js)
SCRIPT = """
const [manifest, state, family, limits, times] = JSON.parse(require("fs").readFileSync(0, "utf8")), found = [];
const module_ = new WebAssembly.Module(Buffer.from(manifest.code, "base64"));
for (let k = 0; k < times; k++) { const rules = new Rules(module_, manifest), search = FAMILIES[family](rules);
  if (k === 0) search.search(new Uint8Array(state), {...limits, ...(limits.nodes ? {nodes: 2000} : {simulations: 20})});
  const fresh = FAMILIES[family](new Rules(module_, manifest)), before = process.cpuUsage();
  const told = fresh.search(new Uint8Array(state), limits), { user, system } = process.cpuUsage(before);
  found.push([(user + system) / 1e6, told.nodes, String(told.action)]); }
console.log(JSON.stringify(found));
"""


def begun(game: Any) -> Any:
    """The first position in which a player is to move."""
    position = game.start()
    while position.is_chance():
        position = position.result(position.sample_chance(1) if position.is_sampled() else position.actions()[0])
    return position


def raced(game: Any, name: str) -> dict[str, Any]:
    """One search of a game, native and in node."""
    family = FAMILIES[name]
    made, position, work = packed(game, [name]), begun(game), WORK[family]
    manifest = made.manifest() | {"code": base64.b64encode(made.module.code).decode()}
    script = "\n".join((build.own("kernels.js"), build.own("searches.js"), SCRIPT))
    given = json.dumps([manifest, list(position.state), build.KEYS[family], work, TIMES])
    with tempfile.NamedTemporaryFile("w", suffix=".js", encoding="utf-8") as file:
        file.write(script)
        file.flush()
        told = subprocess.run(["node", file.name], input=given, capture_output=True, text=True, check=True)
    there = min(json.loads(told.stdout))
    options = {} if family == "many" else {"memory": 16.0}
    if family in ("alphabeta", "chance", "many"):
        options["algorithm"] = name
    if family in ("mcts", "hidden"):
        options["seed"] = 1
    here = None
    for _ in range(TIMES):
        search = NATIVE[family](game, **options)
        search.best(position, Limits(nodes=2000) if "nodes" in work else Limits(simulations=20))
        fresh = NATIVE[family](game, **options)
        start = time.process_time()
        found = fresh.best(position, Limits(**work))
        here = min(here or [1e9], [time.process_time() - start, found.nodes, str(found.action)])
    assert here is not None
    return {"search": name, "native": here[0], "page": there[0], "ratio": here[0] / there[0], "nodes": there[1],
            "equal": here[1:] == there[1:], "wasm": len(made.module.code)}  # fmt: skip


def watched(path: Path, slow: float, moves: int = 8) -> dict[str, Any]:
    """A page in Chromium: opened, and some moves against the computer. What its threads took of the processor's time, times `slow`:
    until the first move was answered, and the longest that the page could not have answered.

    That time is asked for, and not the clock's, because other work on the machine counts in the latter.
    """
    from playwright.sync_api import sync_playwright

    source = random.Random(5)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()

        def traced(work: Callable[[], None]) -> dict[str, list[float]]:
            browser.start_tracing(page=page, categories=["toplevel"])
            work()
            events = json.loads(browser.stop_tracing())["traceEvents"]
            named = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e.get("name") == "thread_name"}
            taken: dict[str, list[float]] = {"page": [0.0], "worker": [0.0]}
            for event in events:
                thread = named.get((event["pid"], event["tid"]), "")
                which = "page" if thread == "CrRendererMain" else "worker" if "DedicatedWorker" in thread else ""
                if which and event.get("name", "").endswith("RunTask"):
                    taken[which].append(event.get("tdur", 0) / 1e6)
            return taken

        def move() -> None:
            if page.locator("#curtain").is_visible():
                page.click("#curtain button")
            while page.evaluate("outplay.thinking"):
                time.sleep(0.02)
            if legal := page.evaluate("outplay.legal"):
                page.evaluate("text => { setTimeout(() => outplay.move(text), 0); }", source.choice(legal))
                time.sleep(0.05)
            while page.evaluate("outplay.thinking"):
                time.sleep(0.02)

        def begin() -> None:
            page.goto(f"file://{path}")
            page.wait_for_selector("html.ready", state="attached", timeout=120_000)
            move()

        def play() -> None:
            for _ in range(moves):
                if not page.evaluate("outplay.over"):
                    move()

        first, later = traced(begin), traced(play)
        browser.close()
    *rest, search = sorted(first["worker"])  # the longest task; the clock ends it, on a slow processor, too
    return {"first": slow * (sum(first["page"]) + sum(rest)) + min(slow * search, PATIENCE), "longest": slow * max(later["page"])}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--browser", action="store_true")
    parser.add_argument("--only-browser", action="store_true", help="leave the ratios out")
    parser.add_argument("--slow", type=float, default=1.0)
    given = parser.parse_args()
    if not given.only_browser:
        race(given.games)
    if given.browser or given.only_browser:
        watch(given.games, given.slow)


def race(games: Sequence[str]) -> None:
    """The table of ratios."""
    ratios = []
    print("| game | search | nodes | native s | page s | ratio | equal | module KB |\n" + 8 * "|---" + "|")
    for name in games:
        game = usual(load(name))
        for search in searches_of(game):
            if FAMILIES[search] not in WORK:
                continue  # an equilibrium is looked up; a network's speed is told by `learning.py speed`
            told = raced(game, search)
            ratios.append(told["ratio"])
            cells = (name, told["search"], f"{told['nodes']:,}", f"{told['native']:.3f}", f"{told['page']:.3f}",
                     f"{told['ratio']:.2f}", "yes" if told["equal"] else "NO", f"{told['wasm'] / 1000:.0f}")  # fmt: skip
            print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\nmean ratio {sum(ratios) / len(ratios):.2f}")


def watch(games: Sequence[str], slow: float) -> None:
    """The table of what Chromium shows."""
    print("\n| page | KB | first move answered s | longest pause ms |\n" + 4 * "|---" + "|")
    with tempfile.TemporaryDirectory() as folder:
        for name in games:
            path = Path(folder) / "game.html"
            size = export(name, path)["bytes"]
            told = watched(path, slow)
            print(f"| {name} | {size / 1000:.0f} | {told['first']:.2f} | {1000 * told['longest']:.0f} |", flush=True)


if __name__ == "__main__":
    main()
