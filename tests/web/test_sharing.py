"""A game as a page, asked of the studio."""

import json
import os
import re
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from fastapi.testclient import TestClient

from outplay.web.app import create_app
from tests.pages.harness import need_node

CHROMIUM = os.environ.get("OUTPLAY_CHROMIUM", "/usr/bin/chromium")

@need_node
def test_a_game_is_saved_as_a_page():
    with TestClient(create_app(), base_url="http://localhost") as client:
        lines = client.post("/api/page", json={"game": "nim:heaps=1-2"}).text.splitlines()
        last = json.loads(lines[-1])
        assert last["page"].startswith("<!doctype html>") and last["searches"] == ["pvs", "mcts"]
        refused = client.post("/api/page", json={"game": "nimm"})
        assert refused.status_code == 422 and "did you mean 'nim'" in refused.json()["error"]


@need_node
def test_a_site_of_files(tmp_path, monkeypatch):
    """Its games are made by processes side by side, to the same bytes as one page alone."""
    from outplay.pages import export
    from outplay.web import presses
    from outplay.web.site import export_site

    monkeypatch.setattr(presses, "FEW", 1)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    told = export_site(tmp_path / "site", games=["nim", "tree"], memory=1, lessons=False)
    assert sorted(told["games"]) == ["nim", "tree"] and told["refused"] == {}
    front = (tmp_path / "site" / "index.html").read_text("utf-8")
    links = re.findall(r'(?:href|src)="([^"#]+)"', front)
    assert "games/nim.html" in links and all((tmp_path / "site" / link).exists() for link in links)
    export("tree", tmp_path / "tree.html", memory=1)
    assert (tmp_path / "site" / "games" / "tree.html").read_bytes() == (tmp_path / "tree.html").read_bytes()
    assert "require-corp" in (tmp_path / "site" / "_headers").read_text("utf-8")
    assert (tmp_path / "site" / "inside" / "alphabeta.html").exists()


@need_node
def test_the_lessons_of_a_site_run_without_a_server(tmp_path, monkeypatch):
    """As files from the disk: a search stepped through, a hint by the kind of mistake, a search that the page itself makes."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="the browser tests need Playwright: pip install playwright")
    if not Path(CHROMIUM).exists():
        pytest.skip(f"the browser tests need Chromium at {CHROMIUM}")
    from outplay.web import pages, site

    monkeypatch.setattr(pages, "TOPICS", ("formulation", "alphabeta"))
    made = site._Site(tmp_path, site.NAV, 1)
    made.write("style.css", site._MORE)
    site._lessons(made, lambda text: None)
    troubles: list[str] = []
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1100, "height": 3000}, reduced_motion="reduce")
        page.set_default_timeout(600_000)
        page.on("pageerror", lambda problem: troubles.append(str(problem)))
        page.on("request", lambda asked: troubles.append(asked.url) if not asked.url.startswith(("file:", "blob:")) else None)
        page.goto(f"file://{tmp_path}/learn/alphabeta.html")
        page.get_by_role("button", name="to the end").first.click()
        page.locator(".steps", has_text="step 22 of 22").first.wait_for()
        box = page.locator(".exercise", has_text="How many of the")
        for answer in ("1000", "no number", "1001"):
            box.get_by_label("answer").fill(answer)
            box.get_by_role("button", name="Check").click()
        box.locator(".verdict", has_text="Not quite. It is").wait_for()
        page.goto(f"file://{tmp_path}/learn/formulation.html")
        inside = page.frame_locator("iframe.game")
        inside.locator("text=TERMINAL-TEST").wait_for()
        inside.locator(".board button.target").first.click()
        inside.locator("text=after a3").wait_for()
        browser.close()
    assert troubles == []


@need_node
def test_a_page_checks_answers_as_the_course_does():
    from outplay.lessons import exercises
    from outplay.web import recording
    from tests.pages.harness import node

    given = []
    for topic in ("alphabeta", "sums", "constraints"):
        for number in range(exercises.many(topic)):
            each = exercises.draw(topic, number, 3)
            known = {"picks": each.picks, "answer": each.answer, "choices": list(each.choices), "hint": each.hint,
                     "mistakes": dict(each.mistakes), "tolerance": each.tolerance}  # fmt: skip
            for said in (each.answer, *each.choices, *each.mistakes, "x", "1/3", "1,000", "10^3", "0,5 %", "a1, b2"):
                verdict = exercises.check(each, said)
                given.append([known, said, {"right": verdict.is_right, "hint": verdict.hint}])
    script = f"{recording._checked()}\nconst given = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
    told = node(script + "console.log(JSON.stringify(given.map(([known, said]) => checked(known, said))))", json.dumps(given))
    assert json.loads(told) == [expected for _, _, expected in given]
