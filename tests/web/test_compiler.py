"""Kernels compiled by a process beside the studio, and how many games with other parameters it takes."""

import json
import sys
import types

import pytest
from numba import typeof

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi.testclient import TestClient

from outplay.compiling import cache
from outplay.web import choices, limits
from outplay.web.app import create_app
from outplay.web.compiler import Compiler
from outplay.web.desk import Desk


@pytest.fixture
def studio(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTPLAY_CACHE", str(tmp_path / "cache"))
    with TestClient(create_app(prepares=True), base_url="http://localhost") as client:
        yield client
    assert cache.keepers == []


def think(studio, game):
    answer = studio.post("/api/think", json={"game": game, "algorithm": "engine", "depth": 2})
    return [json.loads(line) for line in answer.text.splitlines()]


def test_a_search_is_compiled_elsewhere_and_loaded_here(studio, tmp_path, monkeypatch):
    def refuse():
        raise AssertionError("compiled in this process")

    monkeypatch.setattr(cache, "_prove_once", refuse)  # asked before anything is compiled
    asked, keeper = [], cache.keepers[0]
    monkeypatch.setattr(keeper, "compile", lambda *given, own=keeper.compile: asked.append(own(*given)) or asked[-1])
    told = think(studio, "connect four:width=4,height=5,line=3")  # which nobody else in this process has
    assert "result" in told[-1], told
    assert any(asked) and any("compiling" in message for message in told)  # (an earlier test may ask, too, for others)
    assert list((tmp_path / "cache").glob("*.kernel"))


PRETENDED = """
import outplay.web.compiler as room
room.MOST_MEGABYTES, room._compiled = {}, lambda *asked: asked[1] != "broken" or 1 / 0
room.work()
"""


@pytest.mark.parametrize(("megabytes", "is_replaced"), [(1, True), (10**6, False)])
def test_the_process_beside_is_replaced_when_it_has_grown_and_goes_on_after_a_mistake(megabytes, is_replaced):
    beside = Compiler()
    beside.command = (sys.executable, "-c", PRETENDED.format(megabytes))
    processes = []
    try:
        for name, is_done in (("one", True), ("broken", False), ("three", True)):
            kernel = types.SimpleNamespace(__module__="room", __qualname__=name)
            processes.append(beside._ready())
            assert beside.compile(kernel, (), set()) is is_done
        assert [process.poll() is not None for process in processes] == [is_replaced] * 3
        assert len({process.pid for process in processes}) == (3 if is_replaced else 1)
    finally:
        beside.close()
    assert all(process.poll() is not None for process in processes)


def test_a_full_queue_is_told_in_one_line_and_pages_are_served_meanwhile(studio):
    studio.app.state.desk = Desk(seats=1, longest=0)
    answer = studio.post("/api/think", json={"game": "tic-tac-toe", "algorithm": "minimax", "depth": 1})
    assert (answer.status_code, answer.json()) == (503, {"error": "0 searches are waiting already: try again in a while"})
    record = studio.post("/api/records", json={"game": "tic-tac-toe", "players": ["random", "human"]}).json()
    assert studio.post(f"/api/records/{record['address']}/reply", json={"plies": 0}).status_code == 503
    assert studio.get(f"/api/records/{record['address']}").json()["plies"] == 0  # nothing is lost: it may be asked again
    studio.app.state.desk = Desk(seats=1)
    told = studio.post(f"/api/records/{record['address']}/reply", json={"plies": 0}).text.splitlines()
    assert json.loads(told[-1])["record"]["plies"] == 1


def test_variants_are_counted_by_what_their_code_takes_and_refused_where_there_are_too_many(studio, monkeypatch):
    monkeypatch.setattr(choices, "_met", {})
    monkeypatch.setattr(limits, "MOST_RULES_BYTES", 3 * limits.COMPILED_BYTES // 2)
    for name in ("connect four:width=2,height=2", "connect four:width=3,height=2"):
        studio.post("/api/positions", json={"game": name})
    monkeypatch.setattr(cache.keepers[0], "compile", lambda *given: False)
    cache.keepers[0].met({"connect four:height=2,width=2", "chess"})
    with pytest.raises(choices.Unavailable, match="too many different games"):
        cache.keepers[0].met({"connect four:height=2,width=3"})
    cache.keepers[0].met({"connect four:height=2,width=2"})  # known already


def test_what_a_network_judges_is_compiled_beside_too(tmp_path, monkeypatch):
    """Chess with its network has more fields than chess alone; both are called chess."""
    from outplay.game import load
    from outplay.players import networks

    monkeypatch.setenv("OUTPLAY_CACHE", str(tmp_path / "cache"))
    game = networks.usual(load("chess"))
    assert game.rules.layout != load("chess").rules.layout
    kernel = networks._refresh
    kinds = (typeof(game.rules.states()),)
    beside = Compiler()
    try:
        assert beside.compile(kernel, kinds, {"chess"})
    finally:
        beside.close()
