"""The studio in a real browser: played, stepped, compared, stopped and reloaded."""

import re

import pytest

from tests.web.board import moves, place, recorded, says, start, sync_api

pytestmark = pytest.mark.usefixtures("browser")
expect = sync_api.expect


def test_a_whole_game_of_tic_tac_toe_against_the_engine_is_a_draw(page, address):
    start(page, address, "tic-tac-toe", "human", "auto:depth=9")
    plan = {0: "b2"}
    for _ in range(5):
        says(page, "Your move|wins|draw|lose")
        if "Your move" not in page.inner_text("#status"):
            break
        played = moves(page)
        choice = plan.get(len(played)) or best_answer(played)
        place(page, choice).click()
        recorded(page, min(9, len(played) + 2))
    says(page, "^A draw\\.")
    game = page.url
    assert len(moves(page)) == 9
    played = moves(page)
    page.reload()  # the address of the page keeps the game
    recorded(page, 9)
    assert page.url == game and moves(page) == played
    page.keyboard.press("ArrowLeft")
    says(page, "^After move 8")


def test_a_move_made_while_another_game_is_on_its_way_is_not_made_in_the_old_one(page, address):
    page.goto(f"{address}/play?game=tic-tac-toe")
    says(page, "Your move.$")
    old = page.url
    held = []
    page.route("**/api/records", lambda route: held.append(route))  # the answer waits until it is let through
    page.click("#tab-new")
    page.click("#new button.main")
    says(page, "on its way")
    expect(page.locator(".places button[aria-disabled=false]")).to_have_count(0)
    while not held:
        page.wait_for_timeout(25)
    page.click("#tab-game")
    page.fill("#move", "b2")
    page.press("#move", "Enter")
    page.wait_for_timeout(200)
    assert moves(page) == [] and page.url == old
    held[0].continue_()
    says(page, "Your move.$")
    expect(page).not_to_have_url(old)
    page.unroute("**/api/records")
    page.click("#tab-new")
    page.locator("details:has(#start) summary").click()
    page.fill("#start", "not a position")
    page.click("#new button.main")  # refused beside the field: the game on the board goes on
    sync_api.expect(page.locator("#wrong")).to_have_text(re.compile("expected"))
    says(page, "Your move.$")
    place(page, "b2").click()
    recorded(page, 2)


def best_answer(played):
    from outplay.game import load
    from outplay.textbook.alphabeta import alphabeta

    position = load("tic-tac-toe").start().play(played)
    return position.action_text(alphabeta(position).action)


def test_connect_four_on_a_phone_by_touch_and_by_keyboard(browser, address):
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    start(page, address, "connect four:width=4,height=4", "human", "random")
    says(page, "Your move.$")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")  # nothing sticks out
    page.locator("#board").scroll_into_view_if_needed()
    box = page.locator("#board").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.15)  # anywhere in the column
    recorded(page, 2)
    assert moves(page)[0] == "2"
    says(page, "Your move.$")
    page.locator(".places button[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    label = page.evaluate("document.activeElement.dataset.place")
    page.keyboard.press("Enter")
    recorded(page, 4)
    assert int(moves(page)[2]) == int(label.split(",")[1]) + 1
    assert page.evaluate("document.activeElement.dataset.place") == label  # the focus stays on the board
    context.close()


def test_chess_is_moved_by_dragging_and_by_two_clicks(page, address):
    start(page, address, "chess", "human", "human")
    place(page, "e2").click()
    place(page, "e4").click()
    recorded(page, 1)
    place(page, "e7").drag_to(place(page, "e5"))
    recorded(page, 2)
    page.click("#back")
    recorded(page, 1)


def test_the_alpha_beta_example_is_stepped_to_two_struck_leaves(page, address):
    page.goto(f"{address}/inside")
    page.wait_for_selector(".steps")
    expect(page.locator("#figures .answer")).to_be_hidden()  # it opens at the beginning
    assert page.evaluate("scrollY") == 0
    expect(page.locator("#tree .struck")).to_have_count(0)
    expect(page.locator("#tree .unseen")).to_have_count(13)
    expect(page.locator("#tree .unseen.leaf").first).to_have_css("clip-path", "none")  # pale, and there to be read
    leaves = page.locator("#tree .leaf .value").all_text_contents()
    assert sorted(map(int, leaves)) == [2, 2, 3, 4, 5, 6, 8, 12, 14]  # written down before they are reached
    seen = []
    for _ in range(40):
        page.click('[aria-label="one step on"]')
        seen.append(page.locator("#tree .struck").count())
        if "returns 3" in page.inner_text(".caption") and "root" in page.inner_text(".caption"):
            break
    assert sorted(set(seen)) == [0, 2]
    assert page.locator("#tree .struck .value").all_text_contents() == ["6", "4"]  # drawn from the right
    assert page.evaluate("getComputedStyle(document.querySelector('#tree .struck .slash')).display") == "inline"
    assert "≤ 2" in page.locator("#tree .min .value").all_text_contents()  # a bound is shown as one
    expect(page.locator("#code .lit")).to_have_count(1)
    expect(page).to_have_url(re.compile("step="))
    page.click('[aria-label="one step back"]')
    expect(page.locator(".caption")).to_contain_text("returns 2")


def test_a_comparison(page, address):
    page.goto(f"{address}/compare?game=tic-tac-toe&position=x.o/.o./..x x")
    page.wait_for_selector("[name=algorithm]")
    page.click("#form button.main")
    sync_api.expect(page.locator("#progress")).to_have_text("done")
    rows = page.locator("#results tbody tr").all_inner_texts()
    assert rows[0].startswith("minimax") and len(rows) >= 5
    assert all("+1" in row and "a1" in row for row in rows)
    assert "leaves: bm became b" in page.inner_text("#law").replace("\n", "")
    expect(page.locator("#chart .bar")).to_have_count(len(rows))


def test_a_visitor_who_asks_for_nothing_finds_a_finished_comparison(page, address):
    expect = sync_api.expect
    page.goto(f"{address}/compare")
    expect(page.locator("#growth path.series")).to_have_count(3)
    expect(page.locator("#law")).to_contain_text("alphabeta looked at 110 of 3,024 leaves")


def test_a_search_is_compared_with_itself_under_other_options_and_against_depth(page, address):
    page.goto(f"{address}/compare?game=tree:tree=[[3,12,8],[2,4,6],[14,5,2]]")
    page.wait_for_selector("[name=algorithm]")
    for name in page.locator("[name=algorithm]:checked").evaluate_all("all => all.map(({ value }) => value)"):
        if name not in ("minimax", "alphabeta"):
            page.uncheck(f'[name=algorithm][value="{name}"]')
    page.click("#set summary")
    row = page.locator('.option-row[data-search="alphabeta"]')
    row.locator("button").click()  # and again
    row.nth(1).locator("select").select_option("worst-first")
    page.fill("#depth", "2")
    page.click("#form button.main")
    expect = sync_api.expect
    expect(page.locator("#results tbody tr")).to_have_count(3)
    names = [text.split()[0] for text in page.locator("#results tbody tr").all_inner_texts()]
    assert names == ["minimax", "alphabeta", "alphabeta:order=worst-first"]
    leaves = [int(text) for text in page.locator("#results tbody td:nth-child(5)").all_inner_texts()]
    assert leaves[0] == 9 and leaves[1] == 7 and leaves[2] > leaves[1]  # the lectures' tree: two of nine leaves are skipped
    page.click("#depths")
    expect(page.locator("#growth .series")).to_have_count(3)
    expect(page.locator("#growth .ref")).to_have_count(2)  # b^m and b^(m/2)
    expect(page.locator("#growth")).to_contain_text("bm/2")


def test_a_search_is_watched_and_stopped(page, address, monkeypatch):
    monkeypatch.setattr("outplay.web.limits.MOST_TEXTBOOK_NODES", 10**12)  # a fast machine would be through
    start(page, address, "connect four", "human", "human")
    page.wait_for_selector(".places button")
    page.click("#tab-think")
    page.select_option("#algorithm", "iterative-deepening")
    page.fill("#seconds", "50")
    page.click("#think")
    page.wait_for_selector("#results tbody tr")
    page.wait_for_selector(".board .worth.best")
    page.click("#think")
    sync_api.expect(page.locator("#thinking")).to_have_text(re.compile("stopped"))
    sync_api.expect(page.locator("#on")).to_be_visible()  # and it can go on
    page.locator('.places button[data-place="5,3"]').click()  # the board is still there to be played on
    recorded(page, 1)


def test_a_turn_of_backgammon_is_clicked_checker_by_checker(page, address):
    start(page, address, "backgammon", "human", "human")
    says(page, "to move")
    says(page, "Dice")
    expect(page.locator(".places button.source").first).to_be_visible()
    before = page.locator("#record button").count()
    clicks = 0
    while page.locator("#record button").count() == before and clicks < 9:
        made = int(page.get_attribute("#board", "data-made"))
        page.locator(".places button.source").first.click()
        page.locator(".board.choosing .places button.target").first.click()
        clicks += 1
        # A part of the turn is shown, or the whole turn is in the record: whichever comes.
        part = page.locator(f'#board[data-made="{made + 1}"]')
        turn = page.locator("#record button").nth(before)
        expect(part.or_(turn).first).to_be_attached()
        if not part.count():
            expect(turn).to_be_attached()
            break
    assert 2 <= clicks <= 4  # two dice, or four moves of a double
    assert "/" in "".join(moves(page))


def test_arrow_keys_step_through_the_game_wherever_the_focus_is(page, address):
    start(page, address, "chess", "human", "human", actions=["e2e4", "e7e5", "g1f3"])
    recorded(page, 3)
    page.click("#tab-think")  # a click gives the tab the focus, and leaves the arrows to the game
    assert page.evaluate("document.activeElement.id") == "tab-think"
    for ply in (2, 1):
        page.keyboard.press("ArrowLeft")
        says(page, f"^After move {ply}")
    expect(page.locator("#tab-think")).to_have_attribute("aria-selected", "true")
    page.locator("#evaluate").focus()  # a box to be ticked has no use for them
    page.keyboard.press("ArrowRight")
    says(page, "^After move 2")
    page.locator("#lines").focus()
    page.keyboard.press("ArrowLeft")
    says(page, "^After move 2")
    page.click("#tab-think")
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")  # reached by the keyboard: the arrows change tabs
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-new")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#tab-think")).to_have_attribute("aria-selected", "true")
    says(page, "^After move 2")


def test_searches_that_do_not_fit_a_game_stand_behind_the_others(page, address):
    page.goto(f"{address}/compare?game=tic-tac-toe")
    page.wait_for_selector("[name=algorithm]")
    offered = page.locator("#algorithms > label input").evaluate_all("all => all.map(({ value }) => value)")
    assert {"minimax", "alphabeta", "mcts"} <= set(offered) and not {"expectimax", "expectiminimax", "star2", "maxn"} & set(offered)
    assert page.locator('#algorithms details input[value="maxn"]').count() == 1
    page.goto(f"{address}/compare?game=backgammon")
    page.wait_for_selector('#algorithms > label input[value="expectiminimax"]')
    page.goto(f"{address}/play?game=chess")
    page.wait_for_selector("#seats option", state="attached")
    seats = page.locator("#seats label:first-child option").evaluate_all("all => all.map(({ value }) => value)")
    assert "alphabeta:depth=4" in seats and not [text for text in seats if text.startswith(("expectiminimax", "maxn"))]
    assert page.locator('#algorithm optgroup[label="Others"] option[value="maxn"]').count() == 1


def test_a_typed_move_that_is_none_is_answered_in_the_games_own_words(page, address):
    start(page, address, "chess", actions=["e4", "e5"])
    for typed, answer in (("Qh9", "^Qh9 is no move here. Moves are written like e4, e5.$"), ("e2e5", "^e2e5 is no move here.")):
        page.fill("#move", typed)
        page.press("#move", "Enter")
        expect(page.locator("#refusal")).to_have_text(re.compile(answer))
    recorded(page, 2)
