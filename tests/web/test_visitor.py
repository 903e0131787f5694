"""What the browser remembers of its visitor: results, ratings, games that go on; saved, deleted, brought back."""

import json

import pytest

from tests.web.board import recorded, says, start, sync_api, until

pytestmark = pytest.mark.usefixtures("browser")
expect = sync_api.expect


def play_out(page):
    while True:
        says(page, r"Your move\.$|win|lose|draw")
        if "Your move." not in page.inner_text("#status"):
            return expect(page.locator("#banner")).to_be_visible()
        plies = page.evaluate("document.querySelectorAll('#record button').length")
        page.locator(".places button.target").first.click()
        expect(page.locator(f"#record button >> nth={plies}")).to_be_attached()


def test_a_visitor_comes_back_takes_everything_along_and_deletes_it(page, address, tmp_path):
    start(page, address, "tic-tac-toe", "human", "random")
    play_out(page)
    start(page, address, "tic-tac-toe", "human", "random")
    page.locator(".places button.target").first.click()
    recorded(page, 2)
    page.goto(address)
    expect(page.locator("#mine .game-card")).to_have_count(1)  # the finished one is no game that goes on
    expect(page.locator("#mine .tile strong", has_text="Tic-tac-toe")).to_have_count(1)
    page.goto(f"{address}/you")
    expect(page.locator("#ended tbody tr")).to_have_count(1)
    expect(page.locator("#going .game-card")).to_have_count(1)  # the last that the page shows
    rating = page.inner_text("#rated .big")
    assert rating != "1000"
    with page.expect_download() as saving:
        page.click("#save")
    saving.value.save_as(tmp_path / "all.json")
    kept = json.loads((tmp_path / "all.json").read_text())
    assert len(kept["files"]) == 2 and len(kept["results"]) == 1
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#forget")
    expect(page.locator("#nothing")).to_be_visible()
    expect(page.locator("#told")).to_contain_text("Deleted")
    expect(page.locator("#going")).to_be_hidden()
    until(page, "localStorage.length === 0")
    assert page.request.get(f"{address}/api/records/{kept['games'][0]['address']}").status == 404
    page.set_input_files("#file", tmp_path / "all.json")
    expect(page.locator("#going .game-card")).to_have_count(1)
    expect(page.locator("#rated .big")).to_have_text(rating)
    page.locator("#ended tbody a").click()  # the finished game is there again, under another address
    says(page, "win|lose|draw")


def test_a_game_with_help_is_counted_and_not_rated(page, address):
    start(page, address, "tic-tac-toe", "human", "random")
    page.locator(".places button.target").first.click()
    recorded(page, 2)
    says(page, r"Your move\.$")
    page.click("#back")
    recorded(page, 0)
    play_out(page)
    page.goto(f"{address}/you")
    expect(page.locator("#ended tbody tr")).to_have_count(1)
    expect(page.locator("#ended tbody")).to_contain_text("with help")
    expect(page.locator("#days")).to_be_visible()  # below the ratings, and shown after them
    assert page.locator("#rated").is_hidden()
