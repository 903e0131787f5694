"""Races between a page and its studio, decided by hand: answers held back, cut off or made for another page."""

import time

import pytest

from tests.web.board import hold_back, moves, place, recorded, says, start, sync_api
from tests.web.conftest import PATIENCE

pytestmark = pytest.mark.usefixtures("browser")
expect = sync_api.expect


def test_a_reply_that_breaks_off_leaves_a_game_that_goes_on(page, address):
    start(page, address, "tic-tac-toe", "human", "random")
    cut = {"status": 200, "content_type": "application/x-ndjson", "body": '{"queued": 0}\n'}
    free = hold_back(page, "**/reply*", lambda route: route.fulfill(**cut))
    place(page, "b2").click()
    says(page, "^Stopped")
    expect(page.locator("#refusal")).to_have_text("The answer broke off")
    free()
    page.click("#go")
    recorded(page, 2)
    says(page, "Your move")


def test_a_move_taken_back_in_the_moment_of_the_answer_shows_the_answer_first(page, address):
    start(page, address, "tic-tac-toe", "human", "random")
    made = []
    hold_back(page, "**/reply*", lambda route: made.append(route.fetch()))  # the studio moves, and the page does not hear of it
    place(page, "b2").click()
    expect(page.locator("#stop")).to_be_visible()
    while not made:
        page.wait_for_timeout(50)
    page.click("#back")
    recorded(page, 2)
    says(page, "Your move")
    page.click("#back")
    recorded(page, 0)


def test_a_page_that_has_not_seen_the_last_moves_shows_them_whatever_it_asks(page, address):
    start(page, address, "tic-tac-toe", "human", "random")
    place(page, "b2").click()
    recorded(page, 2)
    other = page.context.new_page()
    other.goto(page.url)
    recorded(other, 2)
    place(page, next(name for name in ("a1", "c1", "a3") if name not in " ".join(moves(page)))).click()
    recorded(page, 4)
    other.click("#back")  # of a game that has gone on
    recorded(other, 4)
    says(other, "Your move")
    other.click("#back")
    recorded(other, 2)
    page.once("dialog", lambda dialog: dialog.accept())
    page.click("#resign")  # and so the other way round
    recorded(page, 2)
    says(page, "Your move")


def test_two_pages_that_ask_for_one_reply_show_the_same_game(page, address):
    start(page, address, "tic-tac-toe", "human", "random")
    held = []
    page.route("**/reply*", lambda route: held.append(route))
    place(page, "b2").click()
    expect(page.locator("#stop")).to_be_visible()
    other = page.context.new_page()
    other.goto(page.url)  # it asks for the reply, too, and gets it
    recorded(other, 2)
    while not held:
        page.wait_for_timeout(50)
    held.pop().continue_()  # refused: the game has gone on
    recorded(page, 2)
    says(page, "Your move")
    assert moves(page) == moves(other)


def until_held(page, held, number):
    """Wait until so many requests are held back."""
    latest = time.monotonic() + PATIENCE / 1000
    while len(held) < number:
        assert time.monotonic() < latest, f"{len(held)} of {number} requests came"
        page.wait_for_timeout(25)


def test_steps_that_come_faster_than_their_answers_each_count(page, address):
    start(page, address, "chess", "human", "human", actions=["e2e4", "e7e5", "g1f3"])
    recorded(page, 3)
    held = []
    page.route("**/api/records/*at=*", lambda route: held.append(route))
    page.keyboard.press("ArrowLeft")
    page.click("#previous")
    until_held(page, held, 2)
    held[1].continue_()
    held[0].continue_()  # the answer to the first step comes last
    says(page, "^After move 1")
    page.unroute_all()
    page.goto(f"{address}/inside?game=connect four&algorithm=alphabeta&depth=5")  # so large that the server draws each step
    steps = page.locator("#stepper .steps")
    expect(steps).to_contain_text("step 0 of")
    held.clear()
    page.route("**/view", lambda route: held.append(route))
    for _ in range(3):
        page.click('[aria-label="one step on"]')
    page.click('[aria-label="one step back"]')
    until_held(page, held, 1)
    page.unroute_all()  # which lets it go on
    expect(steps).to_contain_text("step 2 of")


def test_a_map_is_that_of_the_step_that_is_shown_or_empty(page, address):
    page.goto(f"{address}/inside?game=grid&algorithm=a-star")
    expect(page.locator("#map[data-step='0'] svg")).to_be_visible()
    held = []
    page.route("**/map?tick=*", lambda route: held.append(route))
    page.click('[aria-label="one step on"]')
    page.click('[aria-label="one step on"]')
    until_held(page, held, 2)
    held[1].continue_()
    expect(page.locator("#map[data-step='2'] svg")).to_be_visible()
    held[0].continue_()
    page.click('[aria-label="one step on"]')
    until_held(page, held, 3)
    held[2].abort()
    expect(page.locator("#map[data-step='3']")).to_be_empty()
