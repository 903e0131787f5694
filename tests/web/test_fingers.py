"""Two fingers, the whole screen, the keyboard alone, and a studio that is killed: in a real browser."""

import os
import re
import signal
import socket
import subprocess
import sys

import pytest

from tests.web.board import moves, place, recorded, says, start, sync_api, until

pytestmark = pytest.mark.usefixtures("browser")
expect = sync_api.expect
LARGE = "/inside?game=connect four&algorithm=alphabeta&depth=3"


def test_two_fingers_zoom_the_tree(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page = context.new_page()
    page.goto(address + LARGE)
    page.wait_for_selector("#tree svg.search")
    expect(page.locator("#node-name")).not_to_have_text("The node")  # and the last that is drawn beside the tree
    page.locator("#tree").scroll_into_view_if_needed()
    box = page.locator("#tree").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + min(150, box["height"] / 2)
    width = page.locator("#tree svg").bounding_box()["width"]
    touch = context.new_cdp_session(page)

    def fingers(kind, apart):
        points = [{"x": middle[0] - apart, "y": middle[1], "id": 0}, {"x": middle[0] + apart, "y": middle[1], "id": 1}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points if apart else []})

    fingers("touchStart", 20)
    for apart in (30, 40, 50, 60):
        fingers("touchMove", apart)
    fingers("touchEnd", 0)
    until(page, f"document.querySelector('#tree svg').getBoundingClientRect().width > {1.8 * width}")  # from 20 to 60 pixels apart
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")  # the page itself stays as it is
    context.close()


def middle_of(page, name):
    box = place(page, name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def rests(page, read):
    """What is read once it does not change from one picture of the page to the next ones."""
    seen = [read()]
    while len(seen) < 4 or len(set(seen[-4:])) > 1:
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        seen.append(read())
    return seen[-1]


def test_on_a_phone_a_point_of_a_large_board_is_aimed_at_and_enlarged_first(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page = context.new_page()
    start(page, address, "go:size=19", "human", "human")
    page.touchscreen.tap(*middle_of(page, "K10"))
    says(page, "K10: touch it again to play there")
    expect(page.locator(".glass")).to_be_visible()
    page.touchscreen.tap(*middle_of(page, "D4"))  # far from the glass: another aim
    says(page, "D4: touch it again")
    assert moves(page) == []
    page.touchscreen.tap(*middle_of(page, "D4"))  # what was touched stays under the finger
    recorded(page, 1)
    expect(page.locator(".glass")).to_have_count(0)
    across, down = middle_of(page, "K10")
    page.touchscreen.tap(across, down)
    says(page, "K10: touch it again")
    page.touchscreen.tap(across + 44, down)  # the next point, as large as a fingertip under the glass
    recorded(page, 2)
    page.touchscreen.tap(*middle_of(page, "Q16"))
    page.get_by_role("button", name="Play Q16").tap()  # or by the button that names it
    recorded(page, 3)
    assert moves(page) == ["D4", "L10", "Q16"]
    context.close()


def test_two_fingers_zoom_a_board_and_one_moves_it(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    start(page, address, "go:size=19", "human", "human")
    touch = context.new_cdp_session(page)

    def fingers(kind, *points):
        told = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": told})

    x, y = middle_of(page, "K10")
    fingers("touchStart", (x - 30, y), (x + 30, y))
    for apart in (40, 50, 60, 75):
        fingers("touchMove", (x - apart, y), (x + apart, y))
    fingers("touchEnd")
    expect(page.locator("#board")).to_have_class(re.compile("zoomed"))
    assert rests(page, lambda: place(page, "K10").bounding_box()["width"]) > 40  # from 20 pixels
    near = middle_of(page, "K10")
    assert abs(near[0] - x) < 30 and abs(near[1] - y) < 30  # what lies between the fingers stays there
    assert moves(page) == [] and page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")
    fingers("touchStart", near)
    for far in (20, 40, 60):
        fingers("touchMove", (near[0] - far, near[1] - far / 2))
    for far in (61, 62):  # a finger that rests before it is lifted; lifted in full swing, Chromium takes the next touch as a halt
        page.wait_for_timeout(300)
        fingers("touchMove", (near[0] - far, near[1] - far / 2))
    fingers("touchEnd")
    assert rests(page, lambda: middle_of(page, "K10"))[0] < near[0] - 20
    page.touchscreen.tap(*middle_of(page, "L10"))  # large enough now: one touch plays
    recorded(page, 1)
    assert moves(page) == ["L10"]
    page.get_by_role("button", name="Whole board").tap()
    expect(page.locator("#board")).not_to_have_class(re.compile("zoomed"))
    context.close()


def test_a_tile_is_carried_to_its_square_under_a_glass(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    start(page, address, "scrabble", "human", "human")
    touch = context.new_cdp_session(page)
    box = page.locator(".places button.source").first.bounding_box()
    goal = middle_of(page, "H8")
    begin = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for kind, share in [("touchStart", 0), *(("touchMove", step / 8) for step in range(1, 9))]:
        point = {"x": begin[0] + share * (goal[0] - begin[0]), "y": begin[1] + share * (goal[1] - begin[1])}
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    expect(page.locator(".glass.carried")).to_be_visible()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(".glass")).to_have_count(0)
    laid = page.locator('#board svg.scene .piece[data-spot="7,7"]')
    expect(laid).to_have_count(1)  # it lies on the square, and is seen there

    def away():
        seen, goal = laid.bounding_box(), middle_of(page, "H8")
        return abs(seen["x"] + seen["width"] / 2 - goal[0]), abs(seen["y"] + seen["height"] / 2 - goal[1])

    assert max(rests(page, away)) < 8
    context.close()


def test_on_a_phone_cards_tiles_and_seas_are_large_enough_for_a_finger(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page = context.new_page()

    def least(kind):
        found = page.locator(f"#board button.{kind}")
        expect(found.first).to_be_attached()
        return found.evaluate_all("(all) => Math.min(...all.map((one) => Math.min(one.offsetWidth, one.offsetHeight)))")

    deal = "N:KQ942.A73.K6.Q84 J7.K95.AQ7432.T3 AT63.QJ64.T8.A75 85.T82.J95.KJ962"
    calls = ["pass", "pass", "1NT", "pass", "pass", "pass"]
    start(page, address, "bridge", "human", "human", "human", "human", start=deal, actions=calls)
    assert least("target") >= 40
    card = page.locator("#board button.target").first
    card.tap()
    recorded(page, 7)
    start(page, address, "battleships", "human", "random")
    assert least("source") >= 33
    start(page, address, "scrabble", "human", "human", start=None)
    assert least("source") >= 40  # the rack
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")
    context.close()


def test_the_tree_fills_the_screen_and_comes_back(page, address):
    page.goto(address + LARGE)
    page.wait_for_selector("#tree svg.search")
    page.click("#full")
    expect(page.locator("#result:fullscreen")).to_have_count(1)
    page.click("#in")
    page.click('[aria-label="one step on"]')
    expect(page.locator("#stepper .caption")).not_to_be_empty()
    page.click("#full")
    expect(page.locator("#result:fullscreen")).to_have_count(0)


def tab_to(page, wanted):
    """Press Tab until the focus is there."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(f"document.activeElement.matches({wanted!r})"):
            return
    raise AssertionError(f"{wanted} cannot be reached by Tab")


def test_from_the_front_page_to_a_rematch_without_a_mouse(page, address):
    page.goto(address)
    page.wait_for_selector(".game-card")
    page.wait_for_selector("#try .places button")  # the last that comes before the cards
    tab_to(page, '.game-card[href="/play?game=tic-tac-toe"]')
    page.keyboard.press("Enter")
    page.wait_for_selector(".places button")
    says(page, "Your move")
    tab_to(page, ".places button")
    for _ in range(5):
        if page.locator("#banner").is_visible():
            break
        for key in "UULLRRDLLDRR":  # from wherever to a corner, and past all nine squares
            if page.evaluate("document.activeElement.classList.contains('target')"):
                break
            page.keyboard.press({"U": "ArrowUp", "D": "ArrowDown", "L": "ArrowLeft", "R": "ArrowRight"}[key])
        before = len(moves(page))
        page.keyboard.press("Enter")
        expect(page.locator("#record button").nth(before)).to_be_visible()
        says(page, "Your move|win|lose|draw")
        assert page.locator("#banner").is_visible() or page.evaluate("document.activeElement.closest('.places') !== null")
    expect(page.locator("#banner")).to_be_visible()
    tab_to(page, "#banner button.main")
    page.keyboard.press("Enter")
    expect(page.locator("#banner")).to_be_hidden()


def test_the_stepper_and_the_tree_by_keys(page, address):
    page.goto(f"{address}/inside")
    page.wait_for_selector("#tree svg.search")
    tab_to(page, "#tree")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#stepper .caption")).to_contain_text("the root (MAX) is entered")
    page.keyboard.press("End")
    expect(page.locator("#stepper .caption")).to_contain_text("the root returns 3")
    page.keyboard.press("Shift+ArrowDown")  # to a child of the root
    expect(page.locator("#node-name")).to_have_text(re.compile("^a[123]$"))
    page.keyboard.press("Home")
    expect(page.locator("#stepper .caption")).to_contain_text("nothing is searched yet")


SERVE = """
import socket, sys, uvicorn
from pathlib import Path
from outplay.web.app import create_app
server = uvicorn.Server(uvicorn.Config(create_app(Path(sys.argv[1])), log_level="error"))
server.run(sockets=[socket.socket(fileno=int(sys.argv[2]))])
"""


def studio_process(data):
    """A studio in a process of its own, which is given its port: nobody else can take it meanwhile."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        number = listener.fileno()
        process = subprocess.Popen([sys.executable, "-c", SERVE, str(data), str(number)], pass_fds=[number])
        return process, f"http://127.0.0.1:{listener.getsockname()[1]}"


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_match_of_three_goes_on_after_a_kill(page, tmp_path):
    process, where = studio_process(tmp_path / "games.sqlite")
    try:
        players = ["mcts:time=0.1", "random", "alphabeta:depth=1"]  # by the clock: no machine has played all before the kill
        asked = {"game": "tic-tac-toe", "players": players, "pairs": 40}
        arena = page.request.post(f"{where}/api/arenas", data=asked).json()["address"]
        page.goto(f"{where}/arena/{arena}")
        page.click("#on")  # a new server reads all games first
        expect(page.locator("#games li").nth(2)).to_be_visible()
        page.goto("about:blank")
        os.kill(process.pid, signal.SIGKILL)
        process.wait(30)
        process, where = studio_process(tmp_path / "games.sqlite")
        kept = page.request.get(f"{where}/api/arenas/{arena}").json()
        assert len(kept["results"]) >= 3 and kept["games"] == 240
        page.goto(f"{where}/arena/{arena}")
        expect(page.locator("#games li").nth(len(kept["results"]) + 1)).to_be_visible()  # nobody asked it to go on
        expect(page.locator("#table tbody tr")).to_have_count(3)
        later = page.request.get(f"{where}/api/arenas/{arena}").json()
        assert later["results"][: len(kept["results"])] == kept["results"]  # what was played stands
        page.goto("about:blank")
    finally:
        process.kill()
        process.wait(30)


def test_pieces_ahead_stand_beside_the_name_and_a_preset_plays(page, address):
    start(page, address, "chess", "human", "human", start="rnb1kbnr/pppp1ppp/8/4p1q1/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1")
    place(page, "c1").click()
    place(page, "g5").click()
    recorded(page, 1)
    expect(page.locator("#seat-bottom .taken")).to_have_attribute("aria-label", "ahead by queen")
    expect(page.locator("#seat-bottom")).to_contain_text("+9")
    page.click("#tab-new")
    black = page.locator("#seats select").nth(1)
    expect(black.locator("option", has_text="Deep Blue").first).to_be_attached()
    black.select_option(label=black.locator("option", has_text="Deep Blue").first.inner_text())
    page.click("#seat")  # keep the game, let the preset play on
    recorded(page, 2)
    expect(page.locator("#seat-top")).to_contain_text("Deep Blue")
