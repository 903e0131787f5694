"""A contest watched in the studio: the folder that was named, as the contest writes it, and nothing else."""

import json

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi.testclient import TestClient

from outplay.errors import BadValue
from outplay.web import contests
from outplay.web.app import create_app

studio = TestClient(create_app(), base_url="http://localhost")
TOLD = {
    "title": "A cup", "game": "tic-tac-toe", "words": "so far", "running": True, "played": 3, "planned": 8,
    "ladder": [{"name": "random", "rating": -100.0}, {"name": "minimax", "rating": 100.0}],
    "players": [{"name": "heron", "points": 61.5, "rating": 20.0, "error": 90.0, "games": 3, "won": 2, "drawn": 0, "lost": 1,
                 "problem": ""}],
    "divisions": [], "latest": [{"seats": ["heron", "random"], "points": [1, 0], "reason": "", "start": ".../.../... x",
                                 "actions": ["b2", "a1"]}],
}  # fmt: skip


@pytest.fixture
def cup(tmp_path):
    (tmp_path / "staff").mkdir()
    (tmp_path / "staff" / "contest.json").write_text("{}")
    contests.name_contest(str(tmp_path))
    yield tmp_path
    contests.name_contest("")


def test_what_the_contest_has_written_is_shown(cup):
    assert studio.get("/api/contest").json() == {"shown": True, "begun": False}
    (cup / "staff" / "standings.json").write_text(json.dumps(TOLD))
    assert studio.get("/api/contest").json() == {"shown": True, "begun": True, **TOLD}
    (cup / "staff" / "standings.json").write_text('{"torn')
    assert studio.get("/api/contest").json() == {"shown": True, "begun": False}


def test_no_contest_is_shown_unless_one_is_named_and_no_other_folder(tmp_path):
    assert studio.get("/api/contest").json() == {"shown": False}
    with pytest.raises(BadValue, match="expected the folder of a contest"):
        contests.name_contest(str(tmp_path))


def test_the_page_follows_the_contest(cup, address, page):
    page.goto(f"{address}/contest")
    page.wait_for_selector("#hint:has-text('has not begun')")
    (cup / "staff" / "standings.json").write_text(json.dumps(TOLD))
    page.wait_for_selector("#players tbody tr:has-text('heron')")
    page.wait_for_selector("#caption:has-text('heron – random: 1 – 0')")
    page.wait_for_selector("#players .staff >> nth=1", state="attached")
    assert page.locator("#players .staff").count() == 2
    ended = {**TOLD, "running": False, "words": "", "played": 8, "divisions": [[{"name": "heron", "points": 2, "games": 2}]]}
    (cup / "staff" / "standings.json").write_text(json.dumps(ended))
    page.wait_for_selector("#words:has-text('All games are played')")
    page.wait_for_selector("#divisions:has-text('2 of 2')")
