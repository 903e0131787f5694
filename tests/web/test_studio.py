"""What people come to the studio for, in a real browser: whole games, hidden things, phones, keyboards, problems, matches."""

import importlib.util
import os
import re
from pathlib import Path

import pytest

from outplay.game import load
from outplay.games.backgammon import to_base64
from tests.web.board import can_go_on, hold_back, moves, place, recorded, says, start, sync_api, until
from tests.web.conftest import serving

pytestmark = pytest.mark.usefixtures("browser")
expect = sync_api.expect


def text_of(first, second):
    """GNU Backgammon's position ID of checkers by point (25: the bar) for the first player, who is on roll."""
    bits = []
    for side in (second, first):
        for point in range(1, 26):
            bits += [1] * side.get(point, 0) + [0]
    return to_base64((bits + [0] * 80)[:80], 14)


DONE = "[document.querySelectorAll('#record button').length, +document.querySelector('#board').dataset.made]"
"""How many moves are in the record, and how many parts of a turn are made after them."""


def test_backgammon_is_played_to_its_end_by_clicks_from_the_bar_and_off_the_board(page, address):
    rolling = load("backgammon").start().play("x31").play("8/5+6/5")  # somebody is to roll
    match = rolling.text().split(":", 1)[1]
    game = load("backgammon")
    position = game.position(f"{text_of({25: 1, 3: 1}, {4: 1, 24: 1})}:{match}")
    start(page, address, "backgammon", "human", "human", start=position.text())
    seen = set()

    def changed(before):
        """Wait until a part of a turn is made or the turn is over."""
        moved = "now > many || (now === many && parts > made)"
        until(page, f"([many, made]) => {{ const [now, parts] = {DONE}; return {moved}; }}", before)

    for _ in range(400):
        can_go_on(page)  # the dice may come by themselves
        if page.locator("#banner").is_visible():
            break
        before = page.evaluate(DONE)
        words = page.locator("#others button")
        if words.count():
            words.first.click()
        else:
            source = page.locator(".places button.source").first
            source.click()
            target = page.locator(".board.choosing .places button.target").last
            seen |= {source.get_attribute("data-place").split(",")[0], target.get_attribute("data-place").split(",")[0]}
            target.click()
        changed(before)
    says(page, "wins")
    assert {"bar", "off"} <= seen
    expect(page.locator("#banner")).to_contain_text("wins")


def test_go_is_played_to_the_score_with_territory(page, address):
    start(page, address, "go:size=5,komi=0.5", "human", "human")
    for name in ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5"]:
        place(page, name).click()
        expect(place(page, name)).to_have_attribute("aria-label", re.compile("stone"))
    place(page, "C3").click(force=True)  # a stone stands there
    expect(page.locator("#refusal")).to_have_text("A stone stands on C3.")
    page.locator("#others button", has_text="pass").click()
    recorded(page, 11)
    page.locator("#others button", has_text="pass").click()
    says(page, "Black wins")
    expect(page.locator("#board .mark.territory")).to_have_count(15)
    expect(page.locator("#banner")).to_contain_text("Black 15, White 10 + komi 0.5: Black wins by 4.5")


def test_a_ko_is_refused_with_its_name(page, address):
    start(page, address, "go:size=5", "human", "human", actions=["B3", "C3", "C4", "D4", "C2", "D2", "A1", "E3", "D3"])
    expect(page.locator("#record button")).to_have_count(9)
    place(page, "C3").click(force=True)  # takes back at once what was just taken
    expect(page.locator("#refusal")).to_have_text(re.compile("[Kk]o"))


def test_a_pawn_is_dragged_to_its_promotion_and_the_king_castles(page, address):
    start(page, address, "chess", "human", "human", start="r3k3/1P6/8/8/8/8/8/4K2R w Kq - 0 1")
    place(page, "e1").click()
    place(page, "g1").click()
    recorded(page, 1)
    assert moves(page) == ["O-O"]
    place(page, "e8").drag_to(place(page, "e7"))
    recorded(page, 2)
    place(page, "b7").drag_to(place(page, "a8"))
    expect(page.locator(".chooser button")).to_have_count(4)
    page.locator('.chooser button[aria-label="b7a8n"]').click()
    recorded(page, 3)
    assert moves(page)[-1] == "bxa8=N"
    expect(place(page, "a8")).to_have_attribute("aria-label", "a8, white knight")


def test_what_is_not_legal_is_answered_beside_the_board(page, address):
    start(page, address, "chess", "human", "human", start="4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1")
    place(page, "e1").click()
    place(page, "e2").click(force=True)
    expect(page.locator("#refusal")).to_have_text(re.compile("cannot move|own knight|pinned"))
    place(page, "e1").drag_to(place(page, "h4"), force=True)
    expect(page.locator("#refusal")).to_have_text("A king does not move from e1 to h4.")
    assert moves(page) == []


def test_a_loaded_pgn_is_reviewed(page, address, tmp_path):
    file = tmp_path / "mate.pgn"
    file.write_text('[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n')
    start(page, address, "tic-tac-toe", "human", "human")
    page.locator("summary", has_text="Share").click()
    page.set_input_files("#file", str(file))
    recorded(page, 7)
    assert moves(page)[-1] == "Qxf7#"
    page.click("#tab-think")
    page.fill("#each", "20")
    page.click("#review")
    expect(page.locator("#accuracy")).to_contain_text("Black")
    expect(page.locator("#judged .blunder")).to_have_count(1)
    expect(page.locator("#judged .blunder")).to_contain_text("Nf6")
    expect(page.locator("#record button", has_text="??")).to_have_count(1)
    expect(page.locator("#graph svg")).to_have_count(1)


def test_a_game_can_be_watched_and_not_moved_in(page, address, browser):
    start(page, address, "connect four", "human", "human")
    made = page.request.post(f"{address}/api/records/{page.url.split('/')[-1]}/share", data={})
    token = made.json()["watch"]
    other = browser.new_context().new_page()
    other.goto(f"{address}/watch/{token}")
    expect(other.locator("#status")).to_contain_text("You are watching")
    assert page.url.split("/")[-1] not in other.content()
    page.locator('.places button[data-place="5,3"]').click()
    expect(other.locator("#record button")).to_have_count(1)  # it follows
    other.locator('.places button[data-place="5,2"]').click(force=True)
    other.wait_for_timeout(200)
    assert len(moves(page)) == 1
    other.context.close()


def test_three_players_sit_down_to_isolation(page, address):
    page.goto(f"{address}/play?game=tic-tac-toe")
    says(page, "Your move")
    page.click("#tab-new")
    page.select_option("#game", "isolation")
    page.select_option('#parameters [name="players"]', "3")
    expect(page.locator("#seats select")).to_have_count(3)
    for seat in range(3):
        page.locator("#seats select").nth(seat).select_option("human")
    page.click("#new button.main")
    expect(page.locator("#title")).to_have_text("Isolation")
    for number in range(1, 4):
        page.locator(".places button.target").nth(number * 3).click()
        recorded(page, number)
    expect(page.locator("#board .piece.pawn")).to_have_count(3)


def test_nothing_hidden_is_in_the_page_or_behind_it(page, address):
    start(page, address, "blind tic-tac-toe", "human", "human")
    place(page, "b2").click()
    expect(page.locator("#curtain")).to_be_visible()  # the first player hands the device over
    expect(page.locator("#board .piece")).to_have_count(1)
    page.click("#curtain button")
    expect(page.locator("#curtain")).to_be_hidden()
    expect(page.locator("#board .piece")).to_have_count(0)
    assert "b2" not in page.inner_text("#record")
    where = f"{address}/api/records/{page.url.split('/')[-1]}"
    told = page.request.get(f"{where}?eyes=1").json()
    assert told["record"] == ["•"] and "cross" not in told["board"]["svg"]
    changed = page.request.post(f"{where}/players", data={"players": ["random", "human"]})
    assert changed.status == 409 and "keep their seats" in changed.json()["error"]
    assert page.request.get(f"{where}/file").status == 409
    for other in ("?at=1&eyes=1", "/picture.svg"):
        assert page.request.get(where + other).ok


def test_on_a_phone_the_board_stays_where_it_is(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    start(page, address, "connect four", "human", "random")
    says(page, "Your move.$")
    top = page.locator("#board").bounding_box()["y"]
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for number in range(3):
        if page.locator("#banner").is_visible():
            break
        page.locator(f'.places button[data-place="0,{2 * number}"]').tap()
        expect(page.locator("#record button")).to_have_count(2 * number + 2)
        assert page.evaluate("scrollY") == 0 and abs(page.locator("#board").bounding_box()["y"] - top) < 1
    context.close()


def test_a_game_by_keyboard_alone(page, address):
    start(page, address, "tic-tac-toe", "human", "human")
    stops = page.locator(".places button[tabindex='0']")
    assert stops.count() == 1  # one stop for the whole board
    stops.focus()
    for number, key in enumerate(("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowDown", "ArrowRight"), start=1):
        page.keyboard.press("Enter")
        recorded(page, number)
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.closest('.places') !== null")  # the focus stays on the board
    assert moves(page) == ["a3", "b3", "b2", "a2", "a1"]
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert re.match(r"[abc][123]", label)
    page.keyboard.press("Escape")
    says(page, "to move|wins|win")


def test_stop_and_continue(page, address):
    start(page, address, "tic-tac-toe", "human", "auto:time=50")
    free = hold_back(page, "**/reply*")  # the answer never comes
    place(page, "b2").click()
    says(page, "thinks|is to move")
    page.click("#stop")
    says(page, "^Stopped")
    expect(page.locator("#go")).to_be_visible()
    expect(page.locator("#refusal")).to_have_text("")
    free()
    page.click("#go")
    recorded(page, 2)


def test_an_answer_that_got_lost_is_shown_by_continue(page, address):
    start(page, address, "tic-tac-toe", "human", "random")
    made = []
    free = hold_back(page, "**/reply*", lambda route: made.append(route.fetch()))  # the studio moves, unheard
    place(page, "b2").click()
    expect(page.locator("#stop")).to_be_visible()
    while not made:
        page.wait_for_timeout(50)
    page.click("#stop")
    says(page, "^Stopped")
    free()
    page.click("#go")
    recorded(page, 2)
    says(page, "Your move")
    expect(page.locator("#go")).to_be_hidden()


def test_a_sudoku_is_stepped_and_its_candidates_shrink(page, address):
    page.goto(f"{address}/constraints")
    page.wait_for_selector("#picture svg")
    page.select_option("#example", "a sudoku with 17 givens")
    expect(page.locator("#counts")).to_contain_text("81 variables")
    expect(page.locator("#picture .box").first).to_be_visible()
    expect(page.locator("#counts")).to_contain_text("step 0 of")
    left = page.locator("#picture .tiny").count()
    assert left > 50
    for _ in range(3):
        page.click("#next")
    expect(page.locator("#counts")).to_contain_text("step 3 of")
    assert page.locator("#picture .tiny").count() < left
    page.click("#last")
    expect(page.locator("#caption")).to_contain_text("solved")
    expect(page.locator("#picture .big")).to_have_count(81)
    expect(page).to_have_url(re.compile("sudoku"))


def test_a_star_is_stepped_on_the_map(page, address):
    page.goto(f"{address}/inside?game=grid&algorithm=a-star")
    expect(page.locator("#map[data-step='0'] svg")).to_be_visible()
    expect(page.locator("#map .mark.open")).to_have_count(0)
    for _ in range(4):
        page.click('[aria-label="one step on"]')
    expect(page.locator("#map[data-step='4'] .mark.open").first).to_be_visible()  # earlier steps have a frontier, too
    expect(page.locator("#gh")).to_contain_text("frontier")
    expect(page.locator("#code .lit")).to_have_count(1)
    page.click('[aria-label="to the end"]')
    expect(page.locator("#map .mark.path")).to_have_count(30)
    expect(page.locator("#figures")).to_contain_text("cost 29")


def test_an_arena_of_three_goes_on_without_a_page_and_after_a_restart(browser, tmp_path):
    page = browser.new_context().new_page()
    with serving(tmp_path / "games.sqlite") as where:
        players = ["mcts:time=0.1", "random", "alphabeta:depth=1"]  # by the clock: no machine is through before the end
        made = page.request.post(f"{where}/api/arenas", data={"game": "tic-tac-toe", "players": players, "pairs": 60})
        assert made.ok, made.text()
        arena = made.json()["address"]
        page.goto(f"{where}/arena/{arena}")
        page.click("#on")
        expect(page.locator("#games li").nth(2)).to_be_visible()
        page.click("#pause")
        expect(page.locator("#on")).to_be_visible()
        played = page.request.get(f"{where}/api/arenas/{arena}").json()["results"]
        page.click("#on")
        expect(page.locator("#pause")).to_be_visible()
        page.goto("about:blank")  # nobody looks, and then the studio ends
    with serving(tmp_path / "games.sqlite") as where:
        kept = page.request.get(f"{where}/api/arenas/{arena}").json()
        assert kept["results"][: len(played)] == played and kept["running"] and not kept["done"]  # nobody asked it to go on
        page.goto(f"{where}/arena/{arena}")
        expect(page.locator("#games li").nth(len(kept["results"]) + 1)).to_be_visible()
        expect(page.locator("#table tbody tr")).to_have_count(3)
        page.click("#pause")
        expect(page.locator("#on")).to_be_visible()
        page.locator("#games a").first.click()  # to watch it move by move
        expect(page.locator("#record button").first).to_be_visible()
        page.goto("about:blank")
    page.context.close()


BROKEN = '''
from outplay.jit import i8
from outplay.rules import game


@game("coins")
class Coins:
    """Take one or two coins; who takes the last wins."""

    left: i8
    turn: i8

    def start(self):
        self.left = 9

    def actions(self, out):
        count = 0
        for number in range(1, 3):
            if number <= self.left:
                out[count] = number
                count += 1
        return count

    def play(self, number):
        self.left -= number
        self.turn = 1 - self.turn

    def utility(self, player):
        return {utility}
'''


def test_an_authors_game_is_shown_with_its_broken_promise_and_again_once_it_is_mended(page, address, tmp_path):
    from outplay.web import own

    file = tmp_path / "my_coins.py"
    file.write_text(BROKEN.replace("{utility}", "1"))  # both win, in a game that says it shares out a zero
    own.name_files([str(file)])
    try:
        page.goto(f"{address}/yours")
        expect(page.locator(".broken li").first).to_be_visible()
        expect(page.locator("#files h2")).to_contain_text("coins")
        file.write_text(BROKEN.replace("{utility}", "-1 if player == self.turn else 1"))
        os.utime(file, (1, 2_000_000_000))
        expect(page.locator(".checked .good")).to_be_visible()  # read again, without a click
        page.goto(f"{address}/play?game=coins")
        says(page, "Your move")
        page.locator("#others button").first.click()
        expect(page.locator("#record button").first).to_be_visible()
    finally:
        own.name_files([])


PAGES = ("/", "/inside", "/compare", "/constraints", "/arena", "/learn", "/learn/paths", "/learn/minimax", "/class",
         "/contest", "/yours", "/api")  # fmt: skip


def test_every_page_opens_in_the_dark_and_on_a_phone_without_sticking_out(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark", is_mobile=True, has_touch=True)
    page = context.new_page()
    problems = []
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    for path in (*PAGES, "/play?game=backgammon", "/no"):
        page.goto(address + path)
        page.wait_for_load_state("load")
        page.wait_for_timeout(150)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1"), path
    assert "no such page" in page.inner_text("h1")
    assert problems == []
    context.close()


def test_a_first_move_on_the_front_page_begins_a_game(page, address):
    page.goto(address)
    page.locator('#try button[aria-label^="e2"]').click()
    page.locator('#try button[aria-label^="e4"]').click()
    page.wait_for_url("**/play/**")
    expect(page.locator("#record button").first).to_have_text("e4")
    expect(page.locator("#seat-bottom .who")).to_contain_text("You")
    expect(page.locator("#seat-top .level")).to_have_text("Club player")
    page.goto("about:blank")  # whoever leaves the page stops its search


def _axe():
    """axe-core: the file that OUTPLAY_AXE names, or that of the package axe-playwright-python."""
    package = importlib.util.find_spec("axe_playwright_python")
    inside = Path(package.origin).parent / "axe.min.js" if package and package.origin else Path("none")
    return os.environ.get("OUTPLAY_AXE", str(inside))


AXE = _axe()


@pytest.mark.skipif(not Path(AXE).is_file(), reason="needs axe-core: pip install axe-playwright-python, or OUTPLAY_AXE")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser, address, scheme):
    source = Path(AXE).read_text("utf-8")
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1200, "height": 900})
    games = ("chess", "monopoly", "bridge", "backgammon")
    plan = "/inside?game=vacuum world:erratic=yes&algorithm=and-or&step=20"
    paths = [*PAGES, "/learn/alphabeta", "/learn/mcts", plan, *(f"/play?game={game}" for game in games)]
    while paths:
        opened = {path: context.new_page() for path in paths[:5]}  # what comes after a page is waited for once for five of them
        del paths[:5]
        for path, page in opened.items():
            page.goto(address + path)
        page.wait_for_timeout(800)
        for path, page in opened.items():
            page.evaluate(source)
            found = page.evaluate("axe.run().then(({ violations }) => violations.map((one) => `${one.id}: ${one.nodes[0].html}`))")
            assert found == [], path
            page.close()
    context.close()


WATCHED = """() => {
  window.told = [];
  const look = () => window.told.push(`${document.querySelector("#status").textContent} | ${document.querySelector('.places [aria-label^="a8"]')?.getAttribute("aria-label")}`);
  new MutationObserver(look).observe(document.querySelector("#status"), { childList: true, characterData: true, subtree: true });
}"""  # noqa: E501  (one expression of the page)
"""Keep what the status line says and what stands on a8, whenever it changes."""


def test_a_line_is_walked_on_the_board_and_backgammon_is_reviewed(page, address):
    start(page, address, "chess", "human", "human", start="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    page.click("#tab-think")
    page.fill("#seconds", "0.2")
    page.click("#think")
    line = page.locator("#results button.line", has_text="Ra8#").first
    expect(line).to_be_visible()
    page.evaluate(WATCHED)  # the line is shown for a second or so: whoever looks now and then may miss it
    line.click()
    until(page, """told.some((each) => each.startsWith("What would come: Ra8#") && each.includes("a8, "))""")
    expect(place(page, "a1")).to_have_attribute("aria-label", re.compile("rook"))  # and back
    start(page, address, "backgammon", "human", "human", actions=["x31", "24/20", "52", "13/8+13/11"])
    page.click("#tab-think")
    page.fill("#each", "20")
    page.click("#review")
    expect(page.locator("#accuracy")).to_contain_text("% accurate")
    expect(page.locator("#graph svg")).to_have_count(1)


SPY = """
window.heard = 0; window.moved = 0;
const made = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { window.heard++; return made.call(this); };
const glide = Element.prototype.animate;
Element.prototype.animate = function (...how) { window.moved++; return glide.apply(this, how); };
"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_sound_is_heard_where_it_is_wanted_and_motion_is_left_out_where_it_is_not(page, address, motion):
    page.emulate_media(reduced_motion=motion)
    page.add_init_script(SPY)
    start(page, address, "tic-tac-toe", "human", "human")
    place(page, "b2").click()
    recorded(page, 1)
    assert page.evaluate("heard") == 0  # silent unless asked
    page.locator("summary", has_text="Share").click()
    page.check("#sound")
    place(page, "a1").click()
    recorded(page, 2)
    until(page, "heard")
    assert page.evaluate("heard") == 1
    page.uncheck("#sound")
    place(page, "a2").click()
    recorded(page, 3)
    assert page.evaluate("heard") == 1
    assert (page.evaluate("moved") > 0) == (motion == "no-preference")


def test_threats_and_a_go_score_are_marked_on_request(page, address):
    start(page, address, "chess", "human", "human", start="4k3/8/8/3p4/4N3/8/8/R3K3 w - - 0 1")
    expect(page.locator(".board .mark.threat")).to_have_count(0)
    page.click("#threats")
    says(page, "Black threatens dxe4")
    expect(page.locator(".board .mark.threat")).to_have_count(1)
    place(page, "e4").click()
    place(page, "c3").click()
    recorded(page, 1)
    expect(page.locator(".board .mark.threat")).to_have_count(0)  # gone with the move
    expect(page.locator("#territory")).to_be_hidden()
    start(page, address, "go:size=5,komi=0.5", "human", "human", start=".xo../.xo../.xo../.xo../.xo.. x")
    page.click("#territory")
    says(page, "White leads by 5.5")
    expect(page.locator(".board .mark.territory")).to_have_count(15)
    start(page, address, "kuhn poker", "human", "human")
    expect(page.locator("#threats")).to_be_hidden()


def test_every_example_of_look_inside_opens(page, address):
    page.goto(f"{address}/inside")
    page.wait_for_selector(".steps")
    names = page.locator("#example option").evaluate_all("all => all.map(({ value }) => value).filter(Boolean)")
    assert len(names) >= 17
    for name in names:
        page.evaluate("document.querySelectorAll('.steps').forEach((each) => each.remove())")
        page.select_option("#example", name)
        expect(page.locator(".steps").first).to_be_visible()  # regrets have steps of their own
        assert not "".join(page.locator(".refusal").all_inner_texts()).strip(), name


def test_the_rules_are_a_key_away_from_every_board(page, address):
    start(page, address, "isolation", "human", "human")
    page.keyboard.press("?")
    card = page.locator("#card")
    expect(card.locator("dt").first).to_have_text("Goal")
    expect(card).to_contain_text("any distance in a straight line")
    expect(card.locator("figure svg")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    page.click("#rules")
    expect(card).to_be_visible()
    page.keyboard.press("?")
    expect(card).to_be_hidden()


def test_arrow_keys_walk_where_one_walks(page, address):
    start(page, address, "grid:map=S../.#./..G", "human")
    page.keyboard.press("ArrowDown")
    recorded(page, 1)
    page.locator(".places button[tabindex='0']").focus()
    page.keyboard.press("ArrowUp")  # from the board, too
    recorded(page, 2)
    page.keyboard.press("ArrowLeft")  # out of the map: nothing happens
    page.keyboard.press("ArrowRight")
    recorded(page, 3)
    assert moves(page) == ["down", "up", "right"]
