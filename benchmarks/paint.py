"""First paint of the studio's pages on a slow phone: Chromium at 390 x 844 with its processor four times slower.

    python benchmarks/paint.py            # seconds to the first contentful paint, the middle of five visits each; bar: 1 s

The server is warm, as it is for everybody but its first visitor; that one's time stands in the column `first`.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from pathlib import Path

from screenshots import SIZES, serve

PAGES = ("/", "/play?game=chess", "/play?game=go", "/inside", "/compare", "/constraints", "/arena", "/learn", "/learn/minimax")
SLOWER, VISITS, BAR = 4, 5, 1.0
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"


def main() -> int:
    from playwright.sync_api import sync_playwright

    address = serve(Path(tempfile.mkdtemp()) / "games.sqlite")
    slow = 0
    with sync_playwright() as playwright:
        program = os.environ.get("OUTPLAY_CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        print(f"{'page':20} {'first':>7} {'middle':>7}   seconds to the first paint, processor {SLOWER} times slower")
        for path in PAGES:
            seen = []
            for _ in range(VISITS + 1):
                context = browser.new_context(**SIZES["phone"])  # type: ignore[arg-type]  # keywords by name
                page = context.new_page()
                context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
                page.goto(address + path, wait_until="load")
                painted = page.evaluate(PAINTED)
                while painted is None:
                    page.wait_for_timeout(50)
                    painted = page.evaluate(PAINTED)
                seen.append(painted / 1000)
                context.close()
            middle = statistics.median(seen[1:])
            slow += middle > BAR
            print(f"{path:20} {seen[0]:7.2f} {middle:7.2f}{'   over the bar' if middle > BAR else ''}", flush=True)
        browser.close()
    return slow


if __name__ == "__main__":
    sys.exit(main())
