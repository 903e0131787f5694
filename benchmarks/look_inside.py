"""Frames of Look inside on a tree of 300,000 nodes: the longest task of the page's main thread while one steps, zooms, pans, opens.

    python benchmarks/look_inside.py

Processor time of the thread (the trace's tdur), not the clock's, so that a busy machine tells the same; above 100 ms a page feels
slow. Needs Playwright, and Chromium as the browser tests do.
"""

import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from playwright.sync_api import sync_playwright

from tests.web.conftest import CHROMIUM, FLAGS, serving

SLIDE = (
    "to => { const s = document.querySelector('#stepper input[type=range]'); s.value = to; s.dispatchEvent(new Event('input')); }"
)
OPEN = """k => { const all = [...document.querySelectorAll('#tree [data-node]')], g = all[Math.floor(all.length * (k * 0.37 % 1))];
  g.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true, pointerId: 1}));
  g.dispatchEvent(new PointerEvent('pointerup', {bubbles: true, pointerId: 1}));
  g.dispatchEvent(new MouseEvent('click', {bubbles: true})); }"""


def main() -> None:
    with serving(Path(tempfile.mkdtemp()) / "games.sqlite") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        page.set_default_timeout(250_000)
        page.goto(f"{address}/inside?game=uniform+tree:branching=8,depth=6&algorithm=minimax&depth=6")
        page.wait_for_selector("#tree svg")
        page.wait_for_timeout(1500)
        frame = page.locator("#tree").bounding_box()
        shown = page.locator("#stepper .steps .faint")

        def drag(k: int) -> None:
            page.mouse.move(frame["x"] + 200, frame["y"] + 100)
            page.mouse.down()
            page.mouse.move(frame["x"] + 200 + 40 * (k % 5), frame["y"] + 100, steps=5)
            page.mouse.up()

        ways = {
            "step": (lambda k: page.get_by_label("one step on").click(), 12, 300),
            "slide": (lambda k: page.evaluate(SLIDE, 50_000 * (k + 1)), 6, 1000),
            "zoom": (lambda k: page.click("#in" if k % 4 < 2 else "#out"), 12, 100),
            "wheel": (lambda k: page.mouse.wheel(60 if k % 2 else -60, 0), 20, 50),
            "drag": (drag, 10, 50),
            "open": (lambda k: page.evaluate(OPEN, k), 25, 400),
            "step, opened": (lambda k: page.get_by_label("one step on").click(), 8, 300),
        }
        for name, (act, times, pause) in ways.items():
            browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"])
            for k in range(times):
                act(k)
                page.wait_for_timeout(pause)
            events = json.loads(browser.stop_tracing())["traceEvents"]
            main_threads = {(e["pid"], e["tid"]) for e in events if e.get("args", {}).get("name") == "CrRendererMain"}
            tasks = [e["tdur"] / 1000 for e in events
                     if e["name"].endswith("RunTask") and "tdur" in e and (e["pid"], e["tid"]) in main_threads]  # fmt: skip
            print(f"{name:13} longest task {max(tasks, default=0):6.1f} ms, {shown.inner_text()}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
