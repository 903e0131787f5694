"""A studio in a real browser: one server and one Chromium for all the tests of a module, a fresh page for each."""

import asyncio
import os
import random
import socket
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

CHROMIUM = os.environ.get("OUTPLAY_CHROMIUM", "/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run"]
PATIENCE = 1000 * int(os.environ.get("OUTPLAY_TEST_PATIENCE", "600"))  # milliseconds for any step of a page

# To hunt for races: each request and each answer comes so many seconds later at most, and pages are so many times slower.
LAG = float(os.environ.get("OUTPLAY_TEST_LAG", "0"))
SLOWER = float(os.environ.get("OUTPLAY_TEST_SLOWER", "1"))


def lagging(app):
    """The studio behind a network in which requests, and answers, overtake each other."""

    async def heard(scope, receive, send):
        if scope["type"] == "lifespan":
            return await app(scope, receive, send)

        async def told(message):
            await asyncio.sleep(LAG * random.random() * (1 if message["type"] == "http.response.start" else 0.1))
            await send(message)

        await asyncio.sleep(LAG * random.random())
        return await app(scope, receive, told)

    return heard if LAG else app


@contextmanager
def serving(data):
    """A studio that keeps its games in a file; gives its address and a way to end it."""
    uvicorn = pytest.importorskip("uvicorn")
    pytest.importorskip("fastapi")
    from outplay.web.app import create_app

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(lagging(create_app(data)), log_level="warning", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("data") / "games.sqlite") as where:
        yield where


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="the browser tests need Playwright: pip install playwright")
    if not Path(CHROMIUM).exists():
        missing = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        missing(f"the browser tests need Chromium at {CHROMIUM}")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        make = opened.new_context

        def patient(**options):
            context = make(**options)
            context.set_default_timeout(PATIENCE)
            if SLOWER > 1:
                make_page = context.new_page

                def slow():
                    page = make_page()
                    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
                    return page

                context.new_page = slow
            return context

        opened.new_context = patient  # whoever opens one of its own waits as long: the machine may be busy
        yield opened
        opened.close()


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    made = context.new_page()
    problems = []
    made.on("pageerror", lambda problem: problems.append(str(problem)))
    made.on("request", lambda request: problems.append(request.url) if "127.0.0.1" not in request.url else None)
    yield made
    context.close()
    assert problems == []
