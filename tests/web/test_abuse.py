"""Bad requests: clear 4xx answers in one line, nothing executed, nothing lost."""

import asyncio
import json
import socket
import sqlite3
import threading
import time

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from outplay.game import Position
from outplay.web import sockets
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
        ({"game": "tree", "parameters": {"tree": '{"chance":[["1e15000000",1],["0.5",2]]}'}}, "a chance outcome is a pair"),
        ({"game": "tree", "parameters": {"tree": '{"chance":[["1e-999999999",1],["1",2]]}'}}, "a chance outcome is a pair"),
        ({"game": "tree", "parameters": {"tree": '{"max":{"\\ud800":1,"b":2}}'}}, "an action's name"),
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
        "human:",
        "h-uman",
        "engine:memory=abc",
        "engine:threads=x",
        "engine:time=0",
        "engine:nodes=0",
        "mcts:exploration=x",
        "mcts:simulations=0",
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
        {"nodes": 10**400},
        {"simulations": 10**400, "algorithm": "mcts"},
        {"seconds": 10**400},
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
        {"origin": "evil://localhost"},
        [("origin", "http://evil.example"), ("origin", "http://localhost"), ("content-type", "application/json")],
    ):
        refused(studio.post("/api/positions", json=body, headers=headers), 403)
    assert (
        studio.post(
            "/api/positions", json=body, headers={"origin": "http://localhost", "sec-fetch-site": "same-origin"}
        ).status_code
        == 200
    )
    refused(studio.post("/api/positions", content=json.dumps(body), headers={"content-type": "text/plain"}), 415)
    for host in ("evil.example", "localhost:80.evil.example", "localhost:80@evil.example", "localhost:\u00b2"):
        refused(studio.get("/api/games", headers={"host": host.encode("utf-8")}), 421)


@pytest.mark.parametrize("name", ["{}", "../../../../../..{}", "{}:x=1"])
@pytest.mark.parametrize("lines", [[], [["a"]]])
def test_a_saved_game_that_names_a_program_is_refused_and_nothing_runs(tmp_path, name, lines):
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w'); raise ValueError('secret')")
    text = json.dumps({"game": name.format(trap), "actions": [], "lines": lines})
    said = refused(studio.post("/api/files", json={"text": text}), 422)
    assert not (tmp_path / "sprung").exists() and "secret" not in said
    missing = refused(studio.post("/api/files", json={"text": text.replace("trap.py", "none.py")}), 422)
    assert missing.replace("none.py", "trap.py") == said  # and nothing tells which files there are


@pytest.mark.parametrize("more", [{"start": 5}, {"start": ["x"]}, {"start": "x" * 20_001}, {"players": ["human"] * 9},
                                  {"actions": ["a1"] * 2_001}, {"actions": 7}])  # fmt: skip
def test_a_file_with_something_else_where_a_text_belongs_is_refused(more):
    kept = {"game": "tic-tac-toe", "actions": ["a1"], **more}
    refused(studio.post("/api/files", json={"text": json.dumps(kept)}), 422)


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


def test_a_crowd_that_comes_at_once_is_counted_before_its_answers_begin():
    """Requests that were taken before any of their streams was read all found the queue empty."""
    desk = Desk(seats=1, longest=2)
    streams = [desk.run(lambda tell, stop: None) for _ in range(2)]
    with pytest.raises(Busy):
        desk.run(lambda tell, stop: None)
    streams.pop()  # gone before it was read: its place is free
    streams.append(desk.run(lambda tell, stop: None))
    with pytest.raises(Busy):
        desk.run(lambda tell, stop: None)

    async def read():
        return [[message async for message in stream] for stream in streams]

    assert asyncio.run(read()) == [[{"queued": 0}], [{"queued": 0}]] and not desk.waiting and not desk.promised


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
        assert await asyncio.to_thread(ended.wait, 60)
        while desk.running:  # the seat is free a moment after the job has ended
            await asyncio.sleep(0.01)
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


def test_refused_trees_use_up_no_memory_for_games(monkeypatch):
    from outplay.web import choices, limits

    monkeypatch.setattr(choices, "_met", {})
    monkeypatch.setattr(limits, "MOST_RULES_BYTES", 2 * limits.RULES_BYTES)
    for number in range(4):
        refused(studio.post("/api/positions", json={"game": "tree", "parameters": {"tree": f"[1,{number}"}}), 422)
    assert studio.post("/api/positions", json={"game": "tree", "parameters": {"tree": "[1,5]"}}).status_code == 200


# ---------------------------------------------------------------- under pressure


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A studio on loopback as `outplay serve` runs it, with little patience; gives its port and its file of saved games."""
    import uvicorn

    from outplay.cli.serve import _listen
    from outplay.web import store

    monkeypatch.setattr(sockets, "HEAD_SECONDS", 1.0)
    monkeypatch.setattr(sockets, "MOMENT_SECONDS", 0.1)
    monkeypatch.setattr(sockets, "MOST_SILENT", 20)
    monkeypatch.setattr(store, "LOCKED_SECONDS", 600.0)  # read as the store is opened: moves wait as long as a test is about
    listener = _listen("127.0.0.1", 0)
    saved = tmp_path / "studio.sqlite"
    app = create_app(saved, seats=1)
    app.state.desk.longest = 1
    running = uvicorn.Server(uvicorn.Config(app, http=sockets.PatientProtocol, log_level="critical", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield listener.getsockname()[1], saved, app
    running.should_exit = True
    thread.join(10)


def client(server):
    import httpx

    return httpx.Client(base_url=f"http://127.0.0.1:{server[0]}", timeout=120)


def test_an_answer_on_a_kept_connection_is_sent_at_once(server, monkeypatch):
    """Each would take 44 ms with Nagle's algorithm and a delayed ACK."""
    accepted = []
    made = sockets.PatientProtocol.connection_made
    monkeypatch.setattr(sockets.PatientProtocol, "connection_made", lambda self, to: accepted.append(to) or made(self, to))
    with client(server) as person:
        assert person.get("/static/studio.css").status_code == 200
        assert [to.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for to in accepted] == [1]


def test_half_open_connections_shut_nobody_out(server):
    silent = [socket.create_connection(("127.0.0.1", server[0])) for _ in range(60)]
    for one in silent[::2]:
        one.sendall(b"GET /play HTTP/1.1\r\nHost: local")
    with client(server) as person:
        assert person.get("/api/games").status_code == 200
    silent[-1].settimeout(60)
    assert silent[-1].recv(1) == b""  # hung up on, after its second
    for one in silent:
        one.close()


def test_a_crowd_that_comes_all_at_once_is_served(server, monkeypatch):
    """All connect while the server is busy, so that it meets twice as many connections as may be silent before their requests."""
    from outplay.web import sockets

    monkeypatch.setattr(sockets, "MOMENT_SECONDS", 30.0)
    monkeypatch.setattr(sockets, "HEAD_SECONDS", 60.0)

    @server[2].get("/busy")
    async def busy():
        time.sleep(1.0)

    with client(server) as person:
        waiting = threading.Thread(target=person.get, args=("/busy",))
        waiting.start()
        time.sleep(0.3)
        crowd = [socket.create_connection(("127.0.0.1", server[0])) for _ in range(40)]
        for one in crowd:
            one.sendall(b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n")
        waiting.join()
    for one in crowd:
        one.settimeout(60)
        assert one.recv(15) == b"HTTP/1.1 200 OK"
        one.close()


def test_a_body_that_does_not_come_is_not_waited_for(server, monkeypatch):
    from outplay.web import guard

    monkeypatch.setattr(guard, "BODY_SECONDS", 0.3)
    with socket.create_connection(("127.0.0.1", server[0]), timeout=60) as slow:
        head = "POST /api/positions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
        slow.sendall(head.encode())
        assert b"408" in slow.recv(4096)


def test_a_full_queue_is_said_with_503_and_a_line(server):
    desk = server[2].state.desk
    desk.waiting.append(asyncio.Event())
    with client(server) as person:
        for path in ("/api/think", "/api/trees", "/api/compare"):
            asked = {"game": "tic-tac-toe", "depth": 2, "algorithm": "minimax"}
            assert "waiting already" in refused(person.post(path, json=asked), 503)


def test_a_locked_database_delays_moves_and_no_pages(server):
    with client(server) as person:
        game = person.post("/api/records", json={"game": "tic-tac-toe", "players": ["human", "human"]}).json()
        path = f"/api/records/{game['address']}"
        other = sqlite3.connect(server[1], isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        answers = []
        asked = {"action": "b2", "plies": 0}
        move = threading.Thread(target=lambda: answers.append(client(server).post(path + "/moves", json=asked)))
        move.start()
        time.sleep(0.1)
        assert person.get(path).json()["plies"] == 0 and person.get("/play").status_code == 200
        assert not answers  # the move still waits
        other.execute("ROLLBACK")
        move.join()
        assert answers[0].json()["plies"] == 1
        other.close()


def test_many_who_save_at_once_are_all_served(tmp_path):
    """Only another program's lock is a reason to refuse; a crowd of our own takes turns."""
    from outplay.web.store import Store

    store = Store(tmp_path / "studio.sqlite")
    addresses = []
    crowd = [threading.Thread(target=lambda: addresses.append(store.add("nim", None, ["human"], []))) for _ in range(60)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    store.close()
    assert len(set(addresses)) == 60


def test_taking_back_in_a_long_game_is_one_walk(monkeypatch):
    """A game of 1,990 plies without a person was replayed up to each of them: minutes."""
    steps, result = [0], Position.result

    def counted(position, action):
        steps[0] += 1
        return result(position, action)

    monkeypatch.setattr(Position, "result", counted)
    for game, moves, players, left in (
        ("fifteen-puzzle", ["1"] * 1990, ["random"], None),
        ("chess", ["Nf3", "Nf6", "Ng1", "Ng8"] * 37, ["human", "random"], 146),
    ):
        record = studio.post("/api/records", json={"game": game, "actions": moves, "players": players}).json()
        steps[0] = 0
        answer = studio.post(f"/api/records/{record['address']}/back", json={"plies": len(moves)})
        assert steps[0] <= 4 * len(moves)  # one walk to find the place, and a few looks at the game; not one to every ply
        assert answer.status_code == 409 if left is None else answer.json()["plies"] == left


def test_a_long_line_of_actions_is_replayed_beside_the_event_loop():
    """Every route that replays a game runs in a thread; only pages without any work are served by the loop itself."""
    from outplay.web import records, searches, trees

    for part in (records, searches, trees):
        for route in part.router.routes:
            assert not asyncio.iscoroutinefunction(route.endpoint), route.path


def test_searches_share_their_threads():
    async def scene():
        desk = Desk(seats=2)
        names = []
        for _ in range(6):
            async for _ in desk.run(lambda tell, stop: names.append(threading.get_ident())):
                pass
        return len(set(names))

    assert asyncio.run(scene()) == 1


@pytest.mark.parametrize("path", ["moves", "back"])
def test_a_number_of_plies_that_no_game_has_is_refused(path):
    record = studio.post("/api/records", json={"game": "tic-tac-toe", "players": ["human", "human"]}).json()
    body = {"plies": 10**400, "action": "b2"} if path == "moves" else {"plies": 10**400}
    headers = {"content-type": "application/json"}
    answer = studio.post(f"/api/records/{record['address']}/{path}", content=json.dumps(body), headers=headers)
    assert answer.status_code in (400, 422) and "internal" not in answer.text
