"""A real server over a real socket: who hangs up stops the search, and searches leave pages responsive."""

import json
import socket
import threading
import time

import pytest

pytest.importorskip("fastapi")
uvicorn = pytest.importorskip("uvicorn")

from outplay.web.app import create_app  # noqa: E402  (needs what may be missing)


@pytest.fixture
def studio():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    app = create_app(seats=1)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield listener.getsockname()[1], app.state.desk
    server.should_exit = True
    thread.join(10)


def ask(port, path, body=None):
    """An open connection on which one request was made."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    content = b"" if body is None else json.dumps(body).encode()
    head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    connection.sendall(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
    return connection


def read_until(connection, wanted):
    seen = b""
    while wanted not in seen:
        part = connection.recv(65536)
        assert part, seen
        seen += part
    return seen


def eventually(condition):
    until = time.monotonic() + 600
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize("algorithm", ["mcts", "minimax"])
def test_hanging_up_stops_the_search_and_the_next_one_begins(studio, algorithm, monkeypatch):
    monkeypatch.setattr("outplay.web.limits.MOST_TEXTBOOK_NODES", 10**12)  # a fast machine would be through
    port, desk = studio
    body = {"game": "connect four", "algorithm": algorithm, "seconds": 50}  # which neither has searched to its end by then
    first = ask(port, "/api/think", body)
    read_until(first, b'"progress"')
    second = ask(port, "/api/think", {"game": "tic-tac-toe", "start": "xx./oo./... x", "algorithm": "minimax"})
    read_until(second, b'{"queued": 1}')
    page = ask(port, "/play")
    read_until(page, b"</html>")  # pages are served meanwhile
    assert (desk.running, len(desk.waiting)) == (1, 1)
    first.close()
    read_until(second, b'"action": "c3"')
    eventually(lambda: desk.running == 0)
