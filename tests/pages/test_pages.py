"""Whole pages in a browser: played by clicks to the end, without a request, with keys and in words; the same bytes again."""

from __future__ import annotations

import base64
import functools
import http.server
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

import pytest

from outplay.game import load
from outplay.pages import export
from tests.pages import firefox
from tests.pages.harness import need_node

CHROMIUM = os.environ.get("OUTPLAY_CHROMIUM", "/usr/bin/chromium")
PATIENCE = 600  # seconds for any step of a page: the machine may be a busy one
ENDS = ("Noughts win. Three in a line.", "A draw")  # the computer does not lose
pytestmark = need_node


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="the browser tests need Playwright: pip install playwright")
    if not Path(CHROMIUM).exists():
        pytest.skip(f"the browser tests need Chromium at {CHROMIUM}")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        make = opened.new_context

        def patient(**options):
            context = make(**options)
            context.set_default_timeout(1000 * PATIENCE)
            return context

        opened.new_context = patient
        yield opened
        opened.close()


@pytest.fixture
def opened(browser):
    """Open a file; whatever it asks for or complains of fails the test."""
    context = browser.new_context(viewport={"width": 1100, "height": 800}, reduced_motion="reduce")
    page, troubles = context.new_page(), []
    page.on("pageerror", lambda problem: troubles.append(str(problem)))
    wanted = "nowhere.png"  # what a test asks for, to see it refused
    page.on("console", lambda told: troubles.append(told.text) if told.type == "error" and wanted not in told.text else None)
    page.on("request", lambda asked: troubles.append(asked.url) if not asked.url.startswith(("file:", "blob:", "data:")) else None)

    def open_file(path):
        page.goto(f"file://{path}")
        page.wait_for_selector("html.ready", state="attached")
        return page

    yield open_file
    context.close()
    assert troubles == []


@pytest.fixture(scope="module")
def tic_tac_toe(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "game.html"
    told = export("tic-tac-toe", path, memory=1)
    assert told["bytes"] == path.stat().st_size and told["searches"] == ["pvs", "mcts"]
    return path


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "an odd näme & more.html"
    export("kuhn poker", path, memory=1, title="<Cards> & \"more\"")
    return path


def waited(page):
    """Until a person is to move or the game is over; asked from outside: the page forbids what would ask inside."""
    end = time.monotonic() + PATIENCE
    while page.evaluate("outplay.thinking"):
        assert time.monotonic() < end, page.inner_text("#status")
        time.sleep(0.02)


def test_a_game_to_its_end_by_clicks(opened, tic_tac_toe):
    page = opened(tic_tac_toe)
    page.select_option("#players label:nth-child(2) select", "full")
    waited(page)
    while not page.evaluate("outplay.over"):
        page.locator(".board button.target").first.click()
        waited(page)
    said = page.inner_text("#banner strong")
    assert said in ENDS and page.inner_text("#status") == said
    page.get_by_role("button", name="Play again").click()
    assert page.evaluate("outplay.plies.length") == 0


@pytest.mark.skipif(not firefox.found(), reason="Firefox is not installed")
def test_a_game_in_firefox(tic_tac_toe):
    with firefox.Firefox(firefox.found()) as browser:
        browser.open(f"file://{tic_tac_toe}")
        browser.until("document.documentElement.classList.contains('ready')")
        browser.click("#players label:nth-child(2) option[value=full]")
        while not browser.evaluate("outplay.over"):
            browser.click(".board button.target")
            browser.until("!outplay.thinking")
        assert browser.evaluate("document.querySelector('#banner strong').textContent") in ENDS
        assert browser.evaluate("performance.getEntriesByType('resource').map(each => each.name)") == []


def test_two_people_undo_and_keys(opened, tic_tac_toe):
    page = opened(tic_tac_toe)
    page.select_option("#players label:nth-child(2) select", "person")
    for move in ("b2", "a1"):  # the second waits for the board
        page.fill("#move", move)
        page.keyboard.press("Enter")
    waited(page)
    assert [page.evaluate(f"outplay.plies[{k}].text") for k in (0, 1)] == ["b2", "a1"]
    page.click("#back")
    page.fill("#move", "q9")
    page.keyboard.press("Enter")
    waited(page)
    assert "q9 is not a move here: try" in page.inner_text("#refusal")
    page.locator('.board [data-place="0,0"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    waited(page)
    assert page.evaluate("outplay.plies.at(-1).text") == "b3"
    assert page.locator('.board [data-place="0,1"]').get_attribute("aria-label") == "b3, orange ring"


def test_an_example_begins_where_its_address_says(opened, tic_tac_toe):
    """A lesson shows a position of its own, with the search at work or the six questions; nonsense behind # is the start."""
    page = opened(tic_tac_toe)
    state = load("tic-tac-toe").start().play("b2 a1").state
    wish = urlencode({"at": base64.b64encode(state).decode(), "show": "think", "seconds": "0.2"})
    page.goto("about:blank")
    page.goto(f"file://{tic_tac_toe}#{wish}")
    page.wait_for_selector("html.ready", state="attached")
    waited(page)
    assert page.locator('.board [data-place="1,1"]').get_attribute("aria-label") == "b2, blue cross"
    page.click("#example button")
    page.wait_for_selector("#example tbody tr")
    cells = [cell.inner_text() for cell in page.locator("#example tbody tr").first.locator("td").all()]
    assert cells[0] == "1" and int(cells[2].replace(",", "")) > 0 and cells[3]
    page.goto("about:blank")
    page.goto(f"file://{tic_tac_toe}#at=nonsense&show=questions")
    page.wait_for_selector("html.ready", state="attached")
    page.wait_for_selector("text=TERMINAL-TEST")
    assert page.evaluate("outplay.plies.length") == 0


def test_threads_add_up_their_games(opened, tic_tac_toe):
    page = opened(tic_tac_toe)
    threads, found = page.evaluate("""async () =>
      [outplay.crew.length, await outplay.together("mcts", outplay.rules.start, { simulations: 300 })]""")
    assert found["simulations"] == 300 * threads == sum(one["visits"] for one in found["choices"])
    assert found["action"] == max(found["choices"], key=lambda one: one["visits"])["action"]


def test_threads_share_a_table_where_a_server_lets_them(browser, tic_tac_toe):
    """With the headers that docs/sharing.md names; a page from a disk has one thread."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def end_headers(self):
            self.send_header("Cross-Origin-Opener-Policy", "same-origin")
            self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
            super().end_headers()

        def log_message(self, *_):
            pass

    serve = functools.partial(Handler, directory=str(tic_tac_toe.parent))
    context, asked = browser.new_context(reduced_motion="reduce"), []
    context.add_init_script("Object.defineProperty(navigator, 'hardwareConcurrency', { value: 4 })")
    page = context.new_page()
    page.on("request", lambda one: asked.append(one.url) if not one.url.startswith(("blob:", "data:")) else None)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/{tic_tac_toe.name}"
        page.goto(address)
        page.wait_for_selector("html.ready", state="attached")
        found = page.evaluate("outplay.together('alphabeta', outplay.rules.start, {})")
        assert (found["threads"], found["raw"], found["exact"]) == (3, 0, True)
        page.select_option("#players label:nth-child(2) select", "full")
        page.locator(".board button.target").first.click()
        page.click("#new")  # a search that is under way is told to stop, and the next one finds its table
        waited(page)
        page.locator(".board button.target").first.click()
        waited(page)
        assert page.evaluate("outplay.plies.length") == 2 and asked == [address]
        server.shutdown()
    page.goto(f"file://{tic_tac_toe}")
    page.wait_for_selector("html.ready", state="attached")
    found = page.evaluate("outplay.together('alphabeta', outplay.rules.start, {})")
    assert "threads" not in found and (found["raw"], found["exact"]) == (0, True)
    context.close()


def test_the_computer_begins_and_a_hint_is_told(opened, tic_tac_toe):
    page = opened(tic_tac_toe)
    page.select_option("#players label:nth-child(2) select", "person")
    page.select_option("#players label:nth-child(1) select", "beginner")
    waited(page)
    assert page.evaluate("outplay.plies.length") == 1
    page.click("#hint")
    page.wait_for_selector("text=Hint:")


def test_hidden_hands_behind_a_curtain(opened, kuhn):
    page = opened(kuhn)
    assert page.inner_text("h1") == '<Cards> & "more"'
    page.select_option("#players label:nth-child(2) select", "person")
    page.click("#new")

    def shown():
        waited(page)
        return page.locator(".board rect.card:not(.back)").count()

    assert shown() == 0 and page.locator("#curtain").is_visible()
    page.click("#curtain button")
    assert shown() == 1 and page.locator("#curtain").is_hidden()
    page.locator("#others button", has_text="bet").click()
    assert shown() == 0 and page.locator("#curtain").is_visible()
    page.click("#curtain button")
    waited(page)
    page.locator("#others button", has_text="bet").click()
    assert shown() == 2 and page.evaluate("outplay.over")


def test_the_page_itself_forbids_every_request(opened, tic_tac_toe):
    page = opened(tic_tac_toe)
    text = tic_tac_toe.read_text("utf-8")
    assert "default-src 'none'" in text and "http" not in text.replace("http-equiv", "").split("<script")[0]
    told = page.evaluate("""() => new Promise((done) => {
      document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
      new Image().src = "file:///nowhere.png"; })""")
    assert told == "img-src"


def test_the_board_never_waits_for_the_search(opened, tic_tac_toe):
    page = opened(tic_tac_toe)
    told = page.evaluate("""async () => { let ticks = 0, on = true;
      const tick = () => { ticks++; if (on) setTimeout(tick, 0); };
      tick();
      const found = await outplay.thinker.ask("mcts", outplay.rules.start, {simulations: 30000});
      on = false; return [ticks, found.simulations]; }""")
    assert told[1] > 0 and told[0] > 2  # the page goes on meanwhile; how long it ever waits, benchmarks/pages.py says


def test_the_same_bytes_from_another_process(tic_tac_toe, tmp_path):
    """Other hashes of texts, other addresses, the other door."""
    out = tmp_path / "again.html"
    command = [sys.executable, "-m", "outplay", "export", "tic-tac-toe", "--memory", "1", "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True, env=os.environ | {"PYTHONHASHSEED": "7"})
    assert out.read_bytes() == tic_tac_toe.read_bytes()
