"""Races between a page and its studio, decided by hand: answers held back, cut off or made for another page."""

import pytest

from tests.web.board import hold_back, moves, place, recorded, says, start, sync_api

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
