"""Nothing that is read is smaller than 11 pixels, nothing for a finger than 32 high and wide: measured on the pages."""

from pathlib import Path

import pytest

from tests.web.board import start, sync_api

expect = sync_api.expect
MEASURE = (Path(__file__).parent / "small.js").read_text("utf-8")
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DESK = {"viewport": {"width": 1440, "height": 900}}
PAGES = ("/", "/inside", "/compare", "/beside", "/constraints", "/arena", "/puzzles", "/learn", "/learn/minimax", "/learn/sizes",
         "/class", "/yours", "/you")  # fmt: skip
GAMES = {"chess": 2, "go": 2, "checkers": 2, "connect four": 2, "battleships": 2, "bridge": 4, "hold'em": 2, "scrabble": 2,
         "monopoly": 4, "backgammon": 2, "push or fold": 2, "goofspiel": 2,
         "tree": 2, "peg solitaire": 1, "pocket cube": 1}  # fmt: skip


@pytest.fixture(params=["desk", "phone"])
def sized(request, browser):
    """A page on a desk or a phone, and how large what is touched has to be there."""
    context = browser.new_context(**(PHONE if request.param == "phone" else DESK), reduced_motion="reduce")
    yield context.new_page(), 32 if request.param == "phone" else 0
    context.close()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_no_small_type_and_no_small_targets(sized, address, path):
    page, touch = sized
    page.goto(address + path)
    page.wait_for_load_state("networkidle")
    assert page.evaluate(MEASURE, [11, touch]) == {"type": {}, "touch": {}}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_no_small_type_and_no_small_targets(sized, address, game):
    page, touch = sized
    start(page, address, game, *["human"] * GAMES[game])
    expect(page.locator("#status")).not_to_have_text("Loading …")
    for _ in range(2):
        assert page.evaluate(MEASURE, [11, touch]) == {"type": {}, "touch": {}}
        if not page.locator("#zoom").is_visible():
            break
        page.click("#zoom")
        page.click("#zoom")  # and out again
