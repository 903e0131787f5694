"""What the tests in a browser do with the board."""

import re

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="the browser tests need Playwright: pip install playwright")
sync_api.expect.set_options(timeout=180_000)  # the tests' machine may be a busy one


def start(page, address, game, *players, **more):
    """A new game in the studio, and the page on it."""
    wanted = {"game": game, "players": list(players) or ["human", "human"], **more}
    made = page.request.post(f"{address}/api/records", data=wanted, timeout=300_000)
    assert made.ok, made.text()
    page.goto(f"{address}/play/{made.json()['address']}")
    page.wait_for_selector(".places button")


def place(page, name):
    """The button over a place, called as people call it."""
    return page.locator(f'.places button[aria-label="{name}"], .places button[aria-label^="{name},"]').first


def says(page, pattern):
    """Wait until the line above the board says so."""
    sync_api.expect(page.locator("#status")).to_have_text(re.compile(pattern), timeout=180_000)


def recorded(page, number):
    """Wait until so many moves are in the record."""
    sync_api.expect(page.locator("#record button")).to_have_count(number, timeout=180_000)


def moves(page):
    return page.locator("#record button").all_inner_texts()
