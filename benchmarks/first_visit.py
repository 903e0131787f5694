"""A stranger's first visit to the studio, by a stopwatch: a real browser, real clicks, an empty cache of compiled code.

    python benchmarks/first_visit.py                       # the table of docs/first-minutes.md, then the first answers of all games
    python benchmarks/first_visit.py --answers [GAME ...] [--door D] [--against TREE]     # these alone (see first_answers.py)

Starts `outplay serve` with a small game of its own, and needs Playwright's Python package and Chromium (OUTPLAY_CHROMIUM, else
/usr/bin/chromium). The visitor wins at tic-tac-toe, steps through a search, begins a game of chess, and plays the own game.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import first_answers
from commands import GAME

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def main() -> int:
    """The visit, then the first answers."""
    if "--answers" in sys.argv:
        return first_answers.main([word for word in sys.argv[1:] if word != "--answers"])
    browse()
    return first_answers.main([])


def browse() -> None:
    """The visit, by clicks."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder:
        mine = Path(folder) / "mine.py"
        mine.write_text(GAME, "utf-8")
        place = {**os.environ, "OUTPLAY_CACHE": f"{folder}/cache", "OUTPLAY_DATA": f"{folder}/data", "BROWSER": "true"}
        begun = time.perf_counter()
        studio = subprocess.Popen([sys.executable, "-m", "outplay", "serve", str(mine)], env=place, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)  # fmt: skip
        try:
            assert studio.stdout is not None
            address = ""
            while not address:  # it says where it is
                line = studio.stdout.readline()
                if not line:
                    raise SystemExit("the studio did not start")
                found = re.search(r"http://\S+?(?=/\s|/$)", line)
                address = found.group() if found else ""
            print(f"| `outplay serve` says where it is | {time.perf_counter() - begun:.1f} |")
            with sync_playwright() as playwright:
                program = os.environ.get("OUTPLAY_CHROMIUM", "/usr/bin/chromium")
                browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
                page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
                page.set_default_timeout(240_000)
                visit(page, address)
                browser.close()
        finally:
            studio.send_signal(signal.SIGINT)
            studio.wait(30)


def visit(page: Any, address: str) -> None:
    """One after the other, each with its seconds."""

    def timed(what: str, work: Callable[[], None]) -> None:
        begun = time.perf_counter()
        work()
        print(f"| {what} | {time.perf_counter() - begun:.1f} |", flush=True)

    def opened(path: str, selector: str) -> Callable[[], None]:
        return lambda: (page.goto(address + path), page.wait_for_selector(selector), None)[-1]

    timed("the front page", opened("/", "h1"))
    timed("all games on it", lambda: page.wait_for_selector(".game-card") and None)
    timed("and a board to play on", lambda: page.wait_for_selector("#try .places button") and None)
    timed("tic-tac-toe", opened("/play?game=tic-tac-toe", "#board button.target"))
    timed("**a first win**, against random moves", lambda: win(page, address))
    timed("**a first search, stepped**", opened("/inside", ".tree svg .node"))
    page.keyboard.press("ArrowRight")
    timed("a comparison, finished", opened("/compare", "#growth .series"))
    timed("chess", opened("/play?game=chess", "#board button.source"))
    timed("its first reply, compiled meanwhile", lambda: chess(page, ("6,4", "4,4"), 2))
    timed("its second", lambda: chess(page, ("7,6", "5,5"), 4))
    timed("**a game of my own**, on the page *Your game*", opened("/yours", "text=race to ten"))
    timed("and played", opened("/play?game=race%20to%20ten", "#others button"))


def chess(page: Any, places: tuple[str, str], plies: int) -> None:
    """A move, and the answer to it."""
    for place in places:
        page.locator(f'#board [data-place="{place}"]').click()
    page.locator("#record button").nth(plies - 1).wait_for()


def win(page: Any, address: str) -> None:
    """Games of tic-tac-toe against random moves, until one is won."""
    page.click("#tab-new")
    page.locator("#seats select").nth(1).select_option("random")
    before = page.url
    page.locator("#new button.main").click()
    page.wait_for_url(lambda url: url != before)
    while True:
        state = page.request.get(f"{address}/api/records/{page.url.split('/')[-1]}").json()
        if state["terminal"]:
            page.wait_for_selector("#banner:not([hidden])")
            if "You win" in page.inner_text("#banner p"):
                return
            before = page.url
            page.click("#banner button.main")
            page.wait_for_url(lambda url, before=before: url != before)
        elif state["movable"]:
            place = good_place(state["position"].split()[0].replace("/", ""), "xo"[state["player"]])
            page.locator(f'#board [data-place="{place // 3},{place % 3}"]').click()
            page.wait_for_timeout(150)
        else:
            page.wait_for_timeout(50)


def good_place(board: str, mine: str) -> int:
    """A third in a line, ours before the other's; else the middle, a corner, an edge."""
    for who in (mine, "xo"[mine == "x"]):
        for line in LINES:
            marks = [board[cell] for cell in line]
            if marks.count(who) == 2 and "." in marks:
                return line[marks.index(".")]
    return next(cell for cell in (4, 0, 2, 6, 8, 1, 3, 5, 7) if board[cell] == ".")


if __name__ == "__main__":
    sys.exit(main())
