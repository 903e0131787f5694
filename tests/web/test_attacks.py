"""Attacks on a studio that runs as a program, by HTTP alone: nothing of the package is imported, so they fit any version of it."""

import contextlib
import http.client
import json
import os
import re
import resource
import socket
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

pytest.importorskip("fastapi")

CROWD = 1100
"""More connections than one program may have at once by default."""


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    """The port of a studio, and its folder."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    if before[1] != resource.RLIM_INFINITY and before[1] < 4096:
        pytest.skip("so many connections are not allowed here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, before[1]))
    folder = tmp_path_factory.mktemp("studio")
    with (folder / "said.txt").open("wb") as said:
        process = subprocess.Popen([sys.executable, "-m", "outplay", "serve", "--port", "0"], stderr=said, stdin=subprocess.DEVNULL,
                                   env={**os.environ, "OUTPLAY_DATA": str(folder)})  # fmt: skip
    try:
        latest = time.monotonic() + 600
        while not (port := re.search(rb":(\d+)/", (folder / "said.txt").read_bytes())):
            assert process.poll() is None and time.monotonic() < latest, "the studio did not start"
            time.sleep(0.05)
        yield int(port[1]), folder
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)
        process.kill()
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def ask(port, path, body=None, seconds=60):
    """Status and content of one answer."""
    person = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    try:
        content = None if body is None else json.dumps(body)
        person.request("GET" if body is None else "POST", path, content, {"Content-Type": "application/json"} if body else {})
        answer = person.getresponse()
        return answer.status, answer.read()
    finally:
        person.close()


def test_an_answer_on_a_kept_connection_is_sent_at_once(studio):
    """Its second part once waited 44 ms: Nagle's algorithm, for a delayed acknowledgement of the first."""
    with socket.create_connection(("127.0.0.1", studio[0]), timeout=60) as person:
        for _ in range(1000):  # on a busy machine most answers wait, but not all
            person.sendall(b"GET /static/icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            person.recv(1, socket.MSG_PEEK)
            time.sleep(0.02)
            answer = person.recv(1 << 20)
            if is_whole := b"</svg>" in answer:
                break
            while b"</svg>" not in answer:
                answer += person.recv(1 << 20)
    assert is_whole


def test_a_number_of_a_million_digits_is_refused(studio):
    """Nobody was served for as long as the integer of fifteen million digits was made."""
    tree = {"game": "tree", "parameters": {"tree": '{"chance":[["1e999999999",1],["0.5",2]]}'}}
    status, said = ask(studio[0], "/api/positions", tree, seconds=30)
    assert status == 422 and b"a chance outcome is a pair" in said


def test_a_thousand_silent_connections_shut_nobody_out(studio):
    silent = []
    for number in range(CROWD):
        silent.append(socket.create_connection(("127.0.0.1", studio[0]), timeout=60))
        if number % 2:
            silent[-1].sendall(b"POST /api/think HTTP/1.1\r\nHost: loc")
    try:
        assert ask(studio[0], "/play")[0] == 200
    finally:
        for one in silent:
            one.close()


def test_a_locked_file_of_games_delays_the_move_and_no_page(studio):
    """The move got 500, and every page waited for it."""
    port, folder = studio
    status, content = ask(port, "/api/records", {"game": "tic-tac-toe", "players": ["human", "human"]})
    assert status == 200
    path = f"/api/records/{json.loads(content)['address']}/moves"
    answers = []
    move = threading.Thread(target=lambda: answers.append(("move", *ask(port, path, {"action": "b2", "plies": 0}))))
    (file,) = folder.rglob("*.sqlite")
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        move.start()
        time.sleep(0.3)
        answers.append(("page", *ask(port, "/play")))
        move.join(60)
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert {answer[:2] for answer in answers} == {("page", 200), ("move", 503)}, answers
    assert any(b"in use by another program" in answer[2] for answer in answers)


def test_a_full_queue_is_said(studio):
    """Whoever came too late got 200 and nothing."""
    body = json.dumps({"game": "connect four", "algorithm": "alphabeta", "depth": 30, "seconds": 60}).encode()
    head = f"POST /api/think HTTP/1.1\r\nHost: 127.0.0.1:{studio[0]}\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(body)}\r\n\r\n"
    crowd, first = [], []
    try:
        while len(crowd) < 256 + (os.cpu_count() or 1) + 40:  # those that wait, those that are served, and some too many
            fresh = [socket.create_connection(("127.0.0.1", studio[0]), timeout=60) for _ in range(64)]
            crowd += fresh  # so few at a time that none counts as silent before it is read
            for one in fresh:
                one.sendall(head.encode() + body)
            first += [one.recv(12) for one in fresh]
        assert first.count(b"HTTP/1.1 503") > 0 and set(first) == {b"HTTP/1.1 503", b"HTTP/1.1 200"}
    finally:
        for one in crowd:
            one.close()
    assert ask(studio[0], "/play")[0] == 200
