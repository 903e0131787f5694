"""Thinking and comparing over HTTP: streams of results."""

import json
import threading

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi.testclient import TestClient

from outplay.game import load
from outplay.jit import UNCOMPILED
from outplay.values import Choice, Result
from outplay.web import searches
from outplay.web.app import create_app

studio = TestClient(create_app(), base_url="http://localhost")
TREE = {"game": "tree", "parameters": {"tree": "[[3,12,8],[2,4,6],[14,5,2]]"}}


def stream(path, **asked):
    with studio.stream("POST", path, json=asked) as answer:
        assert answer.status_code == 200, answer.read()
        return [json.loads(line) for line in answer.iter_lines()]


def test_thinking_streams_one_result_a_depth():
    messages = stream("/api/think", game="tic-tac-toe", start="x.o/.o./..x x", algorithm="iterative-deepening")
    assert messages[0] == {"queued": 0}
    results = [message["result"] for message in messages if "result" in message]
    assert [result["depth"] for result in results] == [1, 2, 3, 4, 5]
    last = results[-1]
    assert (last["action"], last["value"], last["exact"], last["line"][0]) == ("a1", 1.0, True, "a1")
    assert [(one["action"], one["value"]) for one in last["candidates"]] == [("a1", 1.0)]


def listed(position, *texts):
    choices = tuple(Choice(position.parse_action(text), 0.0) for text in texts)
    return [one["about"] for one in searches.candidates(Result(choices[0].action, 0.0, choices=choices), position)]


@pytest.mark.skipif(UNCOMPILED, reason="open cards want compiled kernels")
def test_candidates_come_with_what_people_of_the_game_look_at():
    opening = load("scrabble", compiled=None).position("/".join(["15"] * 15) + " ACEST?X/******* 0/0 0 0")
    assert listed(opening, "8H:CAT", "H3:EXaCTAS") == [{"points": "10", "leave": "ESX? +32.9"}, {"points": "96", "leave": "–"}]
    deal = "N:KQ942.A73.K6.Q84 J7.K95.AQ7432.T3 AT63.QJ64.T8.A75 85.T82.J95.KJ962"
    lead = load("bridge").position(deal).play("pass pass 1NT pass pass pass")
    assert listed(lead, "DJ", "S8", "CK") == [{"tricks": "7"}, {"tricks": "9"}, {"tricks": "10"}]
    assert listed(lead.observe(lead.player()), "DJ", "S8") == [{}, {}]  # nothing is told of cards that are not known
    assert listed(load("tic-tac-toe").start(), "a1") == [{}]


@pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")
def test_a_glance_is_told_first_while_the_search_is_compiled(monkeypatch):
    monkeypatch.setenv("OUTPLAY_PATIENCE", "0")
    was_told = threading.Event()
    before = searches.Glimpse
    monkeypatch.setattr(searches, "Glimpse", lambda position, tell: before(position, lambda text: (tell(text), was_told.set())))

    def search(position, *asked, **options):
        assert was_told.wait(600)
        yield Result(position.parse_action("c3"), 1.0, exact=True, algorithm="engine:pvs")

    monkeypatch.setattr(searches, "search", search)
    messages = stream("/api/think", game="tic-tac-toe", start="xx./oo./... x", seconds=1)
    assert messages == [{"queued": 0}, {"glance": "c3"}, messages[-1]] and messages[-1]["result"]["action"] == "c3"
    assert "glance" not in str(stream("/api/think", game="tic-tac-toe", start="xx./oo./... x", algorithm="minimax", depth=1))


def test_the_engine_tells_several_candidates():
    *_, last = stream("/api/think", game="tic-tac-toe", start="xx./oo./... x", algorithm="engine", lines=3, depth=4)
    found = last["result"]["candidates"]
    assert len(found) == 3 and (found[0]["action"], found[0]["value"], found[0]["proved"]) == ("c3", 1.0, True)


def test_monte_carlo_tells_visits_for_max():
    *_, last = stream("/api/think", game="tic-tac-toe", start="xx./oo./x.. o", algorithm="mcts", simulations=200)
    best = last["result"]["candidates"][0]
    assert best["action"] == "c2" and best["value"] < -0.9 and best["visits"] > 100


def test_a_search_that_does_not_fit_says_so():
    messages = stream("/api/think", game="blind tic-tac-toe", algorithm="minimax")
    assert messages[-1]["error"].startswith("minimax needs a two-player zero-sum game")


def test_comparing_shows_that_order_and_pruning_matter():
    messages = stream("/api/compare", **TREE, algorithms=["minimax", "alphabeta"], depth=2)
    rows = {message["row"]["algorithm"]: message["row"] for message in messages if "row" in message}
    assert [(row["value"], row["leaves"]) for row in rows.values()] == [(3.0, 9), (3.0, 7)]


def test_a_comparison_takes_what_fits_and_goes_on_after_a_misfit():
    messages = stream("/api/compare", **TREE, algorithms=["expectimax", "deals"], depth=2)
    rows = [message["row"] for message in messages if "row" in message]
    assert [("problem" in row) for row in rows] == [False, True]
    named = next(message["algorithms"] for message in stream("/api/compare", **TREE, depth=2) if "algorithms" in message)
    assert named[0] == "minimax" and len(named) > 5


def test_a_comparison_needs_a_limit():
    answer = studio.post("/api/compare", json=TREE)
    assert answer.status_code == 422 and "needs a depth" in answer.json()["error"]


def test_an_order_that_needs_the_whole_game_is_refused_where_that_would_take_for_ever():
    asked = {"game": "connect four", "algorithms": ["alphabeta:order=worst-first"], "depth": 3, "seconds": 10}
    (row,) = [line["row"] for line in stream("/api/compare", **asked) if "row" in line]
    assert "need the whole tree" in row["problem"]


def test_lines_of_chess_are_spelled_as_people_write_them():
    asked = {"game": "chess", "start": "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "algorithm": "alphabeta", "depth": 1}
    found = stream("/api/think", **asked)[-1]["result"]
    assert found["action"] == "a1a8" and found["words"] == ["Ra8#"]
