"""What the tests in a browser do with the board."""

import re

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


def hold_back(page, pattern, take=lambda route: None):
    """Give requests to `take` until the function that is returned is called. What was held stays held: `unroute` lets it go on."""
    free = []
    page.route(pattern, lambda route: route.continue_() if free else take(route))
    return lambda: free.append(True)


def moves(page):
    return page.locator("#record button").all_inner_texts()
