"""Games with a table of their own in a real browser: bridge, Scrabble, Monopoly; clocks, other lines, and boards set up by hand."""

import re

import pytest

from outplay.game import load
from tests.web.board import moves, place, recorded, says, shown, start, sync_api

pytestmark = pytest.mark.usefixtures("browser")
expect = sync_api.expect
DEAL = "N:KQ942.A73.K6.Q84 J7.K95.AQ7432.T3 AT63.QJ64.T8.A75 85.T82.J95.KJ962"


def test_bridge_from_south_with_the_auction_in_words_and_nothing_hidden_on_the_page(page, address):
    sent = []
    page.on("response", lambda answer: sent.append(answer.text()) if re.search("/api/records/[^/]*$", answer.url) else None)
    start(page, address, "bridge", "kitchen", "kitchen", "human", "kitchen", start=DEAL, actions=["1S", "pass"])
    expect(page.locator(".auction tbody td").first).to_have_text("1♠")
    expect(page.locator(".meanings")).to_contain_text("North 1♠: 12-21 points, 5 or more spades")
    box = page.locator(".moves.bidding")
    expect(box.locator("button", has_text="4♠")).to_have_attribute("title", "13-17 points, 3 or more spades")
    page.click("#hint")  # by one who sees no more than South
    expect(page.locator("#advised")).to_contain_text("would play 3♠: 10-12 points, 3 or more spades")
    known = page.content() + "".join(sent)
    assert "KQ942" not in known and "AQ7432" not in known and "KJ962" not in known
    expect(page.locator('.places button[aria-label*="South"]')).to_have_count(13)
    box.locator("button", has_text="4♠").click()
    expect(page.locator(".auction tbody tr")).to_have_count(2)  # three passes follow, and a card is led
    expect(page.locator("#record button").nth(6)).to_be_visible()


def test_declarer_claims_and_every_card_is_judged_afterwards(page, address):
    grand = "N:5432.5432.543.54 876.876.876.T987 AKQJ.AKQJ.AKQ.AK T9.T9.JT92.QJ632"  # South has thirteen tricks on top
    calls = ["pass", "pass", "7NT", "pass", "pass", "pass", "S9"]
    start(page, address, "bridge", "kitchen", "kitchen", "human", "kitchen", start=grand, actions=calls)
    page.click("#claim")
    page.locator("#advised input").fill("12")
    page.locator("#advised button").click()
    expect(page.locator("#banner")).to_contain_text("South")
    expect(page.locator("#banner")).to_contain_text("win")
    shown(page, 58)  # to the last card
    for _ in range(3):
        page.click("#previous")
    shown(page, 55)  # the three that were clicked, however fast
    expect(page.locator("#board .worth").first).to_have_text("13")  # what declarer takes after this card


def test_a_claim_that_the_defence_can_beat_is_refused(page, address):
    calls = ["pass", "pass", "7NT", "pass", "pass", "pass", "DJ"]
    deal = "N:5432.5432.543.54 876.876.876.T987 AKQJ.AKQJ.AK2.AK T9.T9.QJT9.QJ632"  # and here a diamond to lose
    start(page, address, "bridge", "kitchen", "kitchen", "human", "kitchen", start=deal, actions=calls)
    page.click("#claim")
    page.locator("#advised button").click()
    expect(page.locator("#refusal")).to_have_text("The defence could take more: play on.")
    recorded(page, 7)


def test_a_word_of_scrabble_is_laid_tile_by_tile_and_waits_until_it_is_done(page, address):
    start(page, address, "scrabble", "human", "human", start="15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 CATSEIO/****** 0/0 0 0"
          .replace("******", "*******"))  # fmt: skip
    for tile, square in (("C", "H8"), ("A", "I8"), ("T", "J8")):
        page.locator(f'.places button[aria-label*="tile {tile}"], .places button[aria-label*=", {tile}"]').first.click()
        place(page, square).click()
    expect(page.locator("#lay")).to_be_visible()  # CATS is a word, too
    says(page, "8H:CAT, 10 points: play it .*, or lay more")
    page.keyboard.press("Escape")
    says(page, "CA is not in the word list: lay more")
    expect(page.locator("#lay")).to_be_hidden()


def test_a_word_of_scrabble_is_typed_and_answered(page, address):
    racks = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 CATSEIO/DOGRTEN 0/0 0 0"
    start(page, address, "scrabble", "human", "tiles:static", start=racks)
    place(page, "H8").focus()
    for letter in "cat":
        page.keyboard.press(letter)
    page.keyboard.press("Enter")  # before or after the answer what it makes: it is played
    expect(page.locator("#record button")).to_have_count(2)  # and the machine's word, which compiles first
    assert moves(page)[0] == "8H:CAT +10" and re.match(r"\w+:\w+", moves(page)[1])


def test_two_blanks_are_laid_anywhere_moved_and_taken_back(page, address):
    start(page, address, "scrabble", "human", "human", start="/".join(["15"] * 15) + " ACINR??/******* 0/0 0 0")
    place(page, "H8").focus()
    for letter in "zat":  # blanks for Z and T
        page.keyboard.press(letter)
    says(page, "ZAT is not in the word list: lay more")
    page.keyboard.press("Enter")
    expect(page.locator("#refusal")).to_have_text("ZAT is not in the word list.")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    says(page, "8H:zAg, 2 points: play it")
    place(page, "J8").click()  # the blank that stands for G, to a place of its own
    place(page, "K9").click()
    says(page, "The tiles of a word lie in one row or one column")
    place(page, "K9").click()
    place(page, "J8").click()  # and back, where it may be any letter now
    says(page, "8H:zAg, 2 points, or 2 more")
    page.click("#lay")
    page.locator(".chooser button", has_text="zAp").click()
    recorded(page, 1)
    assert moves(page)[0] == "8H:zAp +2"


def test_a_mixed_strategy_is_shown_as_bars(page, address):
    start(page, address, "kuhn poker", "human", "random", actions=["J", "Q"])
    page.click("#hint")
    expect(page.locator("#advised table.bars tr:has(td)")).to_have_count(2)
    shares = [float(text.split()[0]) for text in page.locator("#advised table.bars td:nth-child(3)").all_inner_texts()]
    assert 98 <= sum(shares) <= 102


def test_a_trade_of_monopoly_is_put_together_and_a_deed_is_read(page, address):
    begun = ("A644@10j1,B424@38,C1042@33,D1620@25 3A,12B,13D,15A,19B,24A,25A,26C,27B,29B,35B - 17/200 A manages 54 7dbf/bdff "
             "doubles=2")  # fmt: skip
    start(page, address, "monopoly", "human", "human", "human", "human", start=begun)
    page.locator("#others button", has_text="Trade").click()
    form = page.locator(".trade")
    form.locator("select").nth(1).select_option(label="North Station")
    form.locator("select").nth(3).select_option(label="you get 400")
    form.locator("button.main").click()
    recorded(page, 1)
    assert moves(page) == ["Offer B North Station for 400"]
    page.locator("#others button", has_text="Refuse").click()
    recorded(page, 2)
    place(page, "Sequoia Park").click(force=True)
    expect(page.locator(".deed-card")).to_contain_text("with a hotel")
    expect(page.locator(".worth-chart svg")).to_be_visible()


def test_a_short_game_of_monopoly_with_a_trade_is_played_to_its_end(page, address):
    begun = "A644@10,B824@38 3A,12B,15A,19B,24A,25A,35B - 4/6 A manages 54 7dbf/bdff doubles=2"
    start(page, address, "monopoly:players=2,turns=6", "human", "human", start=begun)
    page.locator("#others button", has_text="Trade").click()
    form = page.locator(".trade")
    form.locator("select").nth(1).select_option(label="North Station")
    form.locator("select").nth(3).select_option(label="you get 400")
    form.locator("button.main").click()
    page.locator("#others button", has_text="Accept").click()
    recorded(page, 2)
    assert moves(page) == ["Offer B North Station for 400", "Accept"]
    expect(page.locator("#board svg")).to_contain_text("cash 1044")
    where = f"{address}/api/records/{page.url.split('/')[-1]}"
    for _ in range(80):  # two turns each; the dice decide how many questions that are
        state = page.request.get(where).json()
        shown(page, state["plies"])  # and nothing is on its way
        if state["terminal"]:
            break
        text = next(entry["text"] for entry in state["legal"] if not entry["text"].startswith("offer"))
        said = page.locator(f'#others button[title="{text}"]')
        if any(entry["text"] == text and entry["touches"] for entry in state["legal"]):
            page.fill("#move", text)  # a deed to be mortgaged is touched on the board, or typed
            page.click("#typed button")
        else:
            said.click()
        expect(page.locator("#picture")).not_to_have_attribute("href", re.compile(rf"[?&]at={state['plies']}\b"))
    expect(page.locator("#banner")).to_contain_text("win")


def test_variations_have_variations_are_walked_promoted_and_deleted(page, address):
    start(page, address, "chess", "human", "human", actions=["e2e4", "e7e5", "g1f3"])
    recorded(page, 3)
    page.keyboard.press("ArrowLeft")
    says(page, "begins a line of its own")
    place(page, "d2").click()
    place(page, "d4").click()
    expect(page.locator(".variation")).to_have_text("2.d4")
    place(page, "e5").click()
    place(page, "d4").click()
    expect(page.locator(".variation")).to_have_text("2.d4exd4")
    page.locator(".variation button", has_text="d4").first.click()
    says(page, "After move 3 of 4")
    place(page, "b8").click()
    place(page, "c6").click()
    expect(page.locator(".variation .variation")).to_have_text("2…Nc6")
    assert moves(page)[:3] == ["e4", "e5", "Nf3"]
    page.locator("#promote").click()
    expect(page.locator(".variation .variation")).to_have_text("2…exd4")
    expect(page.locator("#record [aria-current]")).to_have_text("Nc6")
    page.locator("#promote").click()
    expect(page.locator("#promote")).to_be_disabled()
    assert moves(page)[:2] == ["e4", "e5"] and "Nc6" in page.locator("#record .cell").all_inner_texts()
    expect(page.locator(".variation")).to_have_count(2)
    page.locator(".variation button", has_text="Nf3").click()
    page.locator("#prune").click()
    expect(page.locator(".variation")).to_have_count(1)
    expect(page.locator(".variation")).to_have_text("2…exd4")


def test_a_clock_runs_down_and_the_flag_falls(page, address):
    start(page, address, "tic-tac-toe", "human", "human", clock="600+0")
    place(page, "b2").click()
    expect(page.locator(".clock.runs")).to_have_count(1)
    start(page, address, "tic-tac-toe", "human", "human", clock="2+0")  # which may be over before anybody sees it run
    expect(page.locator(".clock").first).to_have_text("2.0")
    place(page, "b2").click()
    expect(page.locator("#banner")).to_contain_text("Noughts ran out of time")
    expect(page.locator("#banner")).to_contain_text("Crosses win")


def test_a_backgammon_board_is_set_up_checker_by_checker(page, address):
    start(page, address, "backgammon", "human", "human")
    page.click("#tab-new")
    expect(page.locator("#game")).to_have_value("backgammon")
    page.locator("#from summary").click()
    page.locator(".palette button", has_text="clear all").click()
    spots = [("white checker", "6"), ("white checker", "6"), ("white checker", "bar,0"), ("black checker", "20")]
    for colour, spot in spots:
        page.locator(".palette button", has_text=colour).click()
        before = page.input_value("#start")
        page.locator(f'#editor .places button[data-place="{spot}"]').click(force=True)
        expect(page.locator("#start")).not_to_have_value(before)
    page.locator(".palette button", has_text="other side").click()
    page.locator(".palette select").select_option("5-2")
    expect(page.locator('#editor .places button[data-place="6"]')).to_have_attribute("aria-label", re.compile("2 white"))
    seen = load("backgammon", compiled=False).position(page.input_value("#start"))
    assert seen.player() == 1 and seen.picture().dice == (5, 2)
    assert seen.picture().points[5] == (0, 2) and seen.picture().points[19] == (1, 1) and seen.picture().bar == (1, 0)
    old = page.url
    page.locator("#new button.main").click()
    expect(page).not_to_have_url(old)
    says(page, "Black|Your move")


@pytest.mark.parametrize("game, spot, wanted", [("othello", "2,2", "------------------X-"), ("go", "4,4", "/....x..../")])
def test_a_board_is_set_up_by_hand(page, address, game, spot, wanted):
    start(page, address, game, "human", "human")
    page.click("#tab-new")
    expect(page.locator("#game")).to_have_value(game)
    page.locator("#from summary").click()
    page.locator(f'#editor .places button[data-place="{spot}"]').click(force=True)
    expect(page.locator("#start")).to_have_value(re.compile(re.escape(wanted)))
    expect(page.locator(f'#editor .places button[data-place="{spot}"]')).to_have_attribute("aria-label", re.compile("black"))
