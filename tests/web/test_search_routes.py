"""Thinking and comparing over HTTP: streams of results."""

import json

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi.testclient import TestClient

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
