"""Puzzles over HTTP: one a day, a run by rating, tries answered."""

import datetime

import pytest
from fastapi.testclient import TestClient

from outplay.judge import puzzles
from outplay.web.app import create_app


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    with TestClient(create_app(tmp_path_factory.mktemp("studio") / "games.sqlite"), base_url="http://localhost") as client:
        yield client


def test_the_page_and_a_puzzle_a_day(studio):
    assert "Puzzles" in studio.get("/puzzles").text
    told = studio.get("/api/puzzles").json()
    assert {row["game"] for row in told["games"]} == set(puzzles.families()) and told["day"]["date"] == str(datetime.date.today())
    found = studio.get(f"/api/puzzles/{told['day']['game']}/{told['day']['number']}").json()
    assert "solution" not in found and found["position"]
    assert studio.post("/api/positions", json={"game": found["game"], "start": found["position"]}).json()["legal"]


def test_a_try_is_right_or_answered(studio):
    family = puzzles.families()[0]
    kept = puzzles.shipped(family)
    found = studio.get(f"/api/puzzles/{family}", params={"rating": 1000, "after": 3}).json()
    path, puzzle = f"/api/puzzles/{family}/{found['number']}", kept[found["number"]]
    right = studio.post(path, json={"action": puzzle.solution[0]}).json()
    assert right["right"] and right["solution"] == list(puzzle.solution)
    wrong = studio.post(path, json={"action": puzzle.wrong[0][0]}).json()
    assert not wrong["right"] and wrong["refutation"] == puzzle.wrong[0][1] and "solution" not in wrong
    assert studio.post(path, json={}).json()["solution"] == list(puzzle.solution)
    assert studio.post(path, json={"action": "nonsense"}).status_code == 422
    assert studio.get("/api/puzzles/no such game").status_code == 404
    assert studio.get(f"/api/puzzles/{family}/99999").status_code == 404
