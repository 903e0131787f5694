"""Engines that misbehave: each loses its game with the reason in the record, costs bounded time and memory; the match goes on."""

import os
import sys
import textwrap
import time
from pathlib import Path

import pytest

from outplay.arena.match import match
from outplay.game import load
from outplay.players import player
from outplay.players.external import external
from outplay.values import Limits

HEAD = """
import os, subprocess, sys, time
def answer(go):
    for line in sys.stdin:
        word = (line.split() or [""])[0]
        if word == "uci": print("uciok", flush=True)
        elif word == "isready": print("readyok", flush=True)
        elif word == "go": go()
        elif word == "quit": break
"""

ENGINES = {
    "flood": ("def go():\n    while True: print('info depth 1 score cp 1 pv e2e4')", "does not answer"),
    "long line": ("def go():\n    while True: sys.stdout.write('x' * 100000)", "wrote a line of more than 65,536 characters"),
    "hang": ("def go():\n    time.sleep(1000)", "does not answer"),
    "crash": ("def go():\n    os._exit(3)", "has ended by itself"),
    "huge number": ("def go():\n    print('info depth ' + '9' * 5000 + '\\nbestmove a1a1', flush=True)", "which is illegal"),
    "no text": ("def go():\n    os.write(1, bytes(range(128, 256)) + b'\\nbestmove \\xff\\n')", "which is illegal"),
}


@pytest.fixture
def engine(tmp_path, monkeypatch):
    monkeypatch.setattr("outplay.players.external.OVERTIME", 2.0)
    made = []

    def make(body):
        path = tmp_path / "engine.py"
        path.write_text(textwrap.dedent(HEAD) + body + "\nanswer(go)\n")
        made.append(external(f"uci:{sys.executable} {path}"))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.mark.parametrize("kind", ENGINES)
def test_it_loses_with_a_reason_and_is_started_anew(engine, kind, bytes_kept):
    body, reason = ENGINES[kind]
    bad = engine(body)
    first = bad.program.process.pid
    records = []

    def play():
        records.extend(match(load("chess"), [bad, player("random")], games=2, limits=Limits(seconds=0.2), opening_plies=0))

    most = bytes_kept(play)[1]
    assert [reason in record.reason for record in records] == [True, True]
    assert [record.outcome.utilities for record in records] == [(-1.0, 1.0), (1.0, -1.0)]
    assert most < 100 << 20  # bytes, however much an engine says
    if "illegal" not in reason:
        assert bad.program.process.pid != first  # another process played the second game


def test_the_children_of_an_engine_end_with_it(engine):
    bad = engine("child = subprocess.Popen(['sleep', '777'])\ndef go():\n    print('bestmove e2e4', flush=True)")
    bad.choose(load("chess").start(), Limits(seconds=0.1))
    group = bad.program.process.pid
    assert len(_members(group)) == 2
    bad.close()
    latest = time.monotonic() + 600
    while _members(group) and time.monotonic() < latest:
        time.sleep(0.05)
    assert _members(group) == []


def _members(group):
    """The living processes of a process group."""
    found = []
    for entry in filter(str.isdecimal, os.listdir("/proc")):
        try:
            fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(int(entry))
    return found
