"""What the tests in a browser do with the board.

A page answers later than a click, and how much later no test knows. So what a page has still to do is waited for, by something that
the state before does not show, too. Where a test needs that something is not yet there, it holds it back.
"""

import re
import time

import pytest

from tests.web.conftest import PATIENCE

sync_api = pytest.importorskip("playwright.sync_api", reason="the browser tests need Playwright: pip install playwright")
sync_api.expect.set_options(timeout=PATIENCE)


def start(page, address, game, *players, **more):
    """A new game in the studio, and the page on it."""
    wanted = {"game": game, "players": list(players) or ["human", "human"], **more}
    made = page.request.post(f"{address}/api/records", data=wanted)
    assert made.ok, made.text()
    page.goto(f"{address}/play/{made.json()['address']}")
    page.wait_for_selector(".places button")
    page.wait_for_selector("#seats select", state="attached")  # the list of games is there: nothing on the page moves any more
    if page.locator("#curtain button").is_visible():  # of several at one screen each lifts it before the own hand is seen
        page.click("#curtain button")
        page.wait_for_selector("#curtain", state="hidden")


def place(page, name):
    """The button over a place, called as people call it."""
    return page.locator(f'.places button[aria-label="{name}"], .places button[aria-label^="{name},"]').first


def says(page, pattern):
    """Wait until the line above the board says so."""
    sync_api.expect(page.locator("#status")).to_have_text(re.compile(pattern))


def recorded(page, number):
    """Wait until so many moves are in the record."""
    sync_api.expect(page.locator("#record button")).to_have_count(number)


def shown(page, plies):
    """Wait until the page shows the game after so many plies, those of chance and those that are hidden counted."""
    sync_api.expect(page.locator("#picture")).to_have_attribute("href", re.compile(rf"[?&]at={plies}\b"))


def until(page, expression, *given):
    """Wait until an expression or a function in the page says yes; asked from outside, as pages forbid what asks inside."""
    end = time.monotonic() + PATIENCE / 1000
    while not (found := page.evaluate(expression, *given)):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(25)
    return found


def can_go_on(page):
    """Wait until somebody can move, or the game is over."""
    ways = page.locator("#others button, .places .source, .places .target, #banner button")
    sync_api.expect(ways.locator("visible=true").first).to_be_visible()


def hold_back(page, pattern, take=lambda route: None):
    """Give requests to `take` until the function that is returned is called. What was held stays held: `unroute` lets it go on."""
    free = []
    page.route(pattern, lambda route: route.continue_() if free else take(route))
    return lambda: free.append(True)


def moves(page):
    return page.locator("#record button").all_inner_texts()
