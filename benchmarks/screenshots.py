"""Screenshots of every page and of every game of the studio, in three sizes, light and dark, to be looked at by eye.

    python benchmarks/screenshots.py --out shots                     # everything
    python benchmarks/screenshots.py --out shots --only chess home --sizes desktop-dark
    python benchmarks/screenshots.py --docs docs/pictures            # only the pictures of Play and the front page in the docs

Needs Playwright's Python package and Chromium (OUTPLAY_CHROMIUM, else /usr/bin/chromium). Beside the pictures themselves, sheets
of nine make a look at all of them quick (where Pillow is installed). A page that raises an exception or is wider than its window
is named, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

SIZES = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "desktop-dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    "laptop": {"viewport": {"width": 1366, "height": 625}},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2},
    "phone-dark": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "color_scheme": "dark"},
}
PAGES = {
    "home": "/", "learn": "/learn", "inside": "/inside", "compare": "/compare", "constraints": "/constraints", "arena": "/arena",
    "yours": "/yours", "api": "/api", "missing": "/no-such-page",
}  # fmt: skip
MOVES = {"chess": 12, "go": 14, "connect four": 9, "tic-tac-toe": 4, "othello": 10, "backgammon": 4, "monopoly": 30, "scrabble": 4}


def serve(data: Path) -> str:
    """A studio in a thread of this process; its address."""
    import uvicorn

    from outplay.web.app import create_app

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(create_app(data), log_level="warning"))
    threading.Thread(target=server.run, args=([listener],), daemon=True).start()
    while not server.started:
        time.sleep(0.02)
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


def begin(request: Any, address: str, game: str, players: int, hidden: bool) -> str:
    """A game with a few moves in it; its page."""
    seats = ["human"] + (["random"] if hidden else ["human"]) * (players - 1)
    state = request.post(f"{address}/api/records", data={"game": game, "players": seats}).json()
    for number in range(MOVES.get(game, 4)):
        if "error" in state:
            raise SystemExit(f"{game}: {state['error']}")
        if state["terminal"]:
            break
        if state.get("movable"):
            made = {"action": state["legal"][(number * 7 + 3) % len(state["legal"])]["text"], "plies": state["plies"]}
            state = request.post(f"{address}/api/records/{state['address']}/moves", data=made).json()
        else:
            request.post(f"{address}/api/records/{state['address']}/reply", data={"plies": state["plies"]}, timeout=120_000)
            state = request.get(f"{address}/api/records/{state['address']}").json()
    return f"/play/{state['address']}"


def sheets(folder: Path, name: str, files: list[Path]) -> None:
    """Nine pictures on a sheet."""
    try:
        from PIL import Image
    except ImportError:
        return
    across, down = (3, 3) if "phone" not in name else (6, 2)
    for number in range(0, len(files), across * down):
        some = [Image.open(file).convert("RGB") for file in files[number : number + across * down]]
        wide, tall = (640, 400) if "phone" not in name else (300, 650)
        sheet = Image.new("RGB", (across * wide, down * tall), "white")
        for place, picture in enumerate(some):
            picture.thumbnail((wide - 6, tall - 6))
            sheet.paste(picture, (place % across * wide, place // across * tall))
        sheet.save(folder / f"sheet-{name}-{number // (across * down) + 1}.png")


LOPEZ = "1. e4 e5 2. Nf3 (2. f4 exf4 3. Nf3 g5 (3... d6 4. d4) 4. h4) 2... Nc6 3. Bb5 (3. Bc4 Bc5) 3... a6 *"
DEAL = "N:KQ942.A73.K6.Q84 J7.K95.AQ7432.T3 AT63.QJ64.T8.A75 85.T82.J95.KJ962"


def for_the_docs(browser: Any, request: Any, address: str, folder: Path) -> None:
    """The pictures that the docs show of the front page and of Play."""
    from PIL import Image
    from playwright.sync_api import expect

    def keep(page: Any, name: str, width: int) -> None:
        raw = folder / f"{name}-raw.png"
        page.screenshot(path=str(raw))
        picture = Image.open(raw).convert("RGB")
        scaled = picture.resize((width, picture.height * width // picture.width), Image.Resampling.LANCZOS)
        scaled.quantize(256, Image.Quantize.FASTOCTREE).save(folder / f"{name}.png", optimize=True)
        raw.unlink()

    def opened(path: str, **how: Any) -> Any:
        page = browser.new_context(**how).new_page()
        page.set_default_timeout(180_000)
        page.goto(address + path)
        page.wait_for_load_state("networkidle")
        return page

    page = opened("/", viewport={"width": 1280, "height": 800})
    expect(page.locator("#try .places button").first).to_be_attached(timeout=60_000)
    page.wait_for_timeout(500)
    keep(page, "studio-home", 960)
    game = request.post(f"{address}/api/files", data={"text": LOPEZ}).json()
    page = opened(f"/play/{game['address']}", viewport={"width": 1180, "height": 1010})
    page.locator("#record button", has_text="Nc6").click()  # where the book knows several moves
    page.locator("#tab-think").click()
    page.locator("#evaluate").check()
    page.locator("#think").click()
    expect(page.locator("#on")).to_be_visible(timeout=180_000)
    page.locator('.places button[aria-label^="f1"]').click()
    page.mouse.move(5, 5)
    page.wait_for_timeout(400)
    keep(page, "studio-play", 1180)
    page.set_viewport_size({"width": 1180, "height": 760})
    page.locator("#tab-game").click()
    page.locator(".variation button", has_text="g5").click()
    page.wait_for_timeout(400)
    keep(page, "studio-variations", 1180)
    page = opened("/arena", viewport={"width": 1180, "height": 1060})
    expect(page.locator("#ratings .interval").first).to_be_attached(timeout=60_000)
    keep(page, "studio-arena", 960)
    stones = ["Q16", "D4", "Q4", "D16", "C14", "F16", "R14", "C6", "K4", "O17"]
    go = {"game": "go:size=19", "players": ["human"] * 2, "actions": stones}
    large = request.post(f"{address}/api/records", data=go).json()
    page = opened(f"/play/{large['address']}", **SIZES["phone"])
    page.locator('.places button[aria-label^="D17"]').tap()
    expect(page.locator(".glass")).to_be_visible()
    keep(page, "studio-glass", 390)
    bridge = {"game": "bridge", "start": DEAL, "players": ["human"] * 4, "actions": ["pass", "pass", "1NT", "pass", "pass", "pass"]}
    phone = request.post(f"{address}/api/records", data=bridge).json()
    page = opened(f"/play/{phone['address']}", **SIZES["phone"])
    keep(page, "studio-phone", 390)


def main() -> int:
    parser = argparse.ArgumentParser(description="screenshots of the studio")
    parser.add_argument("--docs", type=Path, help="only the pictures for the docs, into this folder")
    parser.add_argument("--out", type=Path, default=Path("shots"))
    parser.add_argument("--only", nargs="*", default=[], help="names of pages and games")
    parser.add_argument("--sizes", nargs="*", default=list(SIZES), choices=list(SIZES))
    asked = parser.parse_args()
    from playwright.sync_api import TimeoutError, sync_playwright

    (asked.docs or asked.out).mkdir(parents=True, exist_ok=True)
    address = serve((asked.out if not asked.docs else Path(tempfile.mkdtemp())) / "games.sqlite")
    problems = []
    with sync_playwright() as playwright:
        program = os.environ.get("OUTPLAY_CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        request = playwright.request.new_context()
        if asked.docs:
            for_the_docs(browser, request, address, asked.docs)
            return 0
        games = request.get(f"{address}/api/games", timeout=120_000).json()["games"]
        pages = {name: path for name, path in PAGES.items() if not asked.only or name in asked.only}
        for game in games:
            if not asked.only or game["name"] in asked.only:
                pages[game["name"]] = begin(request, address, game["name"], game["players"], game["information"] == "hidden")
        for size in asked.sizes:
            context = browser.new_context(**SIZES[size])  # type: ignore[arg-type]  # keywords by name
            files = []
            for name, path in pages.items():
                page = context.new_page()
                page.on("pageerror", lambda problem, name=name, size=size: problems.append(f"{name} {size}: {problem}"))
                page.goto(address + path)
                try:
                    page.wait_for_load_state("networkidle", timeout=90_000)  # the first visit may compile
                except TimeoutError:
                    problems.append(f"{name} {size}: still busy after 90 s")
                page.evaluate("document.querySelectorAll('img').forEach((image) => { image.loading = 'eager'; })")
                page.wait_for_timeout(250)
                page.wait_for_load_state("networkidle")
                if page.evaluate("document.documentElement.scrollWidth > window.innerWidth + 1"):
                    problems.append(f"{name} {size}: wider than the window")
                files.append(asked.out / f"{name.replace(' ', '-')}-{size}.png".replace("'", ""))
                page.screenshot(path=str(files[-1]), full_page=name in ("home", "learn"))
                page.close()
            context.close()
            sheets(asked.out, size, files)
        browser.close()
    print("\n".join(problems) or f"{len(pages)} pages, {len(asked.sizes)} sizes: no exceptions, nothing sticks out")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
