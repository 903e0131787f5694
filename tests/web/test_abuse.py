"""Bad requests: clear 4xx answers in one line, nothing executed, nothing lost."""

import asyncio
import json
import threading

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from outplay.web.app import create_app
from outplay.web.desk import Busy, Desk
from outplay.web.limits import MOST_BODY

studio = TestClient(create_app(), base_url="http://localhost", raise_server_exceptions=False)


def refused(answer, status):
    assert answer.status_code == status, answer.text
    ((key, message),) = answer.json().items()
    assert key == "error" and message and "\n" not in message
    return message


@pytest.mark.parametrize(
    "body, said",
    [
        ({"game": "ches"}, "unknown game 'ches': did you mean 'chess'?"),
        ({"game": "tic-tac-toe", "start": "what"}, "cannot read position 'what'"),
        ({"game": "tic-tac-toe", "start": "xxx/xxx/xxx x"}, "impossible position"),
        ({"game": "connect four", "parameters": {"width": 10**9}}, "width must be a whole number from 1 to 9, got 1000000000"),
        ({"game": "connect four", "parameters": {"compiled": True}}, "no parameter named compiled"),
        ({"game": "connect four", "parameters": {"wdith": 5}}, "unknown parameter of connect four 'wdith': did you mean 'width'?"),
        ({"game": "tree", "parameters": {"tree": "[" * 100_000}}, "nested too deeply"),
        ({"game": "tree", "parameters": {"tree": "__import__('os').abort()"}}, "tree: expected nested lists"),
        ({"game": "nim", "actions": ["z"] * 5000}, "actions: "),
        ({"game": 7}, "game: input should be a valid string, got 7"),
        ({"game": "nim", "surprise": 1}, "surprise: extra inputs are not permitted"),
        ({}, "game: field required"),
        ([], "the request: input should be"),
    ],
)
def test_a_bad_position_gets_one_line(body, said):
    assert said in refused(studio.post("/api/positions", json=body), 422)


def test_a_games_name_is_never_a_file(tmp_path):
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')")
    for name in (str(trap), f"{trap}:a=1", "tree:tree=" + str(trap), f"tree:x={trap}"):
        refused(studio.post("/api/positions", json={"game": name}), 422)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    "player",
    [
        "uci:/bin/sh -c true",
        "gtp:gnugo",
        "xboard:x",
        "engine:time=1e9",
        "engine:memory=100000",
        "engine:threads=99",
        "alphabeta:evaluate=print",
        "mcts:simulations=999999999999",
        "alphabeta:depth=-1",
        "",
        "human:x=1",
    ],
)
def test_a_player_is_never_a_program_nor_beyond_the_limits(player):
    refused(studio.post("/api/records", json={"game": "chess", "players": ["human", player]}), 422)


@pytest.mark.parametrize(
    "more",
    [
        {"seconds": 3600},
        {"nodes": 10**15},
        {"simulations": 10**12, "algorithm": "mcts"},
        {"lines": 1000},
        {"depth": 10**9},
        {"depth": -1},
        {"algorithm": "alfabeta"},
        {"seconds": "soon"},
        {"seconds": 0},
    ],
)
def test_a_search_cannot_exceed_the_limits(more):
    refused(studio.post("/api/think", json={"game": "tic-tac-toe", **more}), 422)


def test_requests_of_other_sites_are_refused():
    body = {"game": "nim"}
    for headers in (
        {"origin": "http://evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"origin": "null"},
        {"sec-fetch-site": "same-site"},
    ):
        refused(studio.post("/api/positions", json=body, headers=headers), 403)
    assert (
        studio.post(
            "/api/positions", json=body, headers={"origin": "http://localhost", "sec-fetch-site": "same-origin"}
        ).status_code
        == 200
    )
    refused(studio.post("/api/positions", content=json.dumps(body), headers={"content-type": "text/plain"}), 415)
    refused(studio.get("/api/games", headers={"host": "evil.example"}), 421)


def test_large_requests_are_not_read():
    refused(studio.post("/api/positions", content=b" " * (MOST_BODY + 1), headers={"content-type": "application/json"}), 413)

    def endless():
        for _ in range(1000):
            yield b" " * 4096

    refused(studio.post("/api/positions", content=endless(), headers={"content-type": "application/json"}), 413)
    refused(studio.post("/api/positions", content=b"{", headers={"content-type": "application/json"}), 422)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/learn/../../app",
        "/learn/%2e%2e%2fframe",
        "/play/x/y",
        "/nothing",
        "/frame",
        "/api/records/../x",
    ],
)
def test_paths_do_not_climb(path):
    answer = studio.get(path, follow_redirects=False)
    assert answer.status_code == 404 and "def create_app" not in answer.text


def test_unknown_addresses():
    assert refused(studio.get("/api/records/nothing"), 404) == "no game is saved at this address"
    refused(studio.put("/api/games", json={}), 405)


def test_every_answer_carries_the_policy():
    for path in ("/play", "/api/games", "/nothing"):
        headers = studio.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"] and headers["x-content-type-options"] == "nosniff"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=6,
    )
)
def test_no_body_breaks_the_server(body):
    for path in ("/api/positions", "/api/records", "/api/think"):
        answer = studio.post(path, json=body)
        assert 400 <= answer.status_code < 500 and "error" in answer.json()


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_text_breaks_the_server(start, action):
    answer = studio.post("/api/positions", json={"game": "connect four", "start": start, "actions": [action]})
    assert answer.status_code == 422 and "error" in answer.json()


# ---------------------------------------------------------------- the queue


def test_searches_queue_and_know_their_place():
    async def scene():
        desk = Desk(seats=1, longest=2)
        gate = threading.Event()
        heard = {}

        async def ask(name):
            heard[name] = []
            async for message in desk.run(lambda tell, stop: (gate.wait(10), tell({"done": name}))):
                heard[name].append(message)

        tasks = []
        for name in "abc":
            tasks.append(asyncio.create_task(ask(name)))
            await asyncio.sleep(0.01)
        with pytest.raises(Busy):
            await anext(desk.run(lambda tell, stop: None))
        gate.set()
        await asyncio.gather(*tasks)
        return heard

    heard = asyncio.run(scene())
    assert heard["a"] == [{"queued": 0}, {"done": "a"}]
    assert heard["b"] == [{"queued": 1}, {"queued": 0}, {"done": "b"}]
    assert heard["c"] == [{"queued": 2}, {"queued": 1}, {"queued": 0}, {"done": "c"}]


def test_whoever_leaves_stops_the_search_or_gives_up_the_place():
    async def scene():
        desk = Desk(seats=1)
        ended = threading.Event()

        def job(tell, stop):
            tell({"begun": True})
            stop.wait(10)
            ended.set()

        running = desk.run(job)
        assert [await anext(running), await anext(running)] == [{"queued": 0}, {"begun": True}]
        waiting = desk.run(lambda tell, stop: tell({"never": True}))
        assert await anext(waiting) == {"queued": 1}
        await waiting.aclose()
        await running.aclose()
        assert await asyncio.to_thread(ended.wait, 10)
        return [message async for message in desk.run(lambda tell, stop: tell({"next": True}))], len(desk.waiting)

    assert asyncio.run(scene()) == ([{"queued": 0}, {"next": True}], 0)


def test_a_search_that_fails_says_so_in_one_line_and_frees_its_seat():
    async def scene():
        desk = Desk(seats=1)

        def job(tell, stop):
            raise ZeroDivisionError("secret")

        return [message async for message in desk.run(job)], [message async for message in desk.run(lambda tell, stop: None)]

    assert asyncio.run(scene()) == ([{"queued": 0}, {"error": "internal error: ZeroDivisionError"}], [{"queued": 0}])


def test_ever_new_trees_do_not_fill_the_memory(monkeypatch):
    from outplay.web import choices, limits

    monkeypatch.setattr(choices, "_met", {})
    monkeypatch.setattr(limits, "MOST_RULES_BYTES", 3 * limits.RULES_BYTES)
    asked = [{"game": "tree", "parameters": {"tree": f"[1,{number}]"}} for number in range(3)]
    assert [studio.post("/api/positions", json=body).status_code for body in (*asked[:2], asked[0])] == [200, 200, 200]
    assert refused(studio.post("/api/positions", json=asked[2]), 422).startswith("this studio has met too many")
