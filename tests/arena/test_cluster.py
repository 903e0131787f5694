"""Matches on a cluster of Ray, here on this machine alone: the same games as at home, and a killed worker loses none."""

import json
import os
import signal
import threading

import pytest

pytest.importorskip("ray", reason="the extra `ray` is not installed")
if not os.environ.get("OUTPLAY_SLOW"):
    pytest.skip("starting Ray takes half a minute on a busy machine: OUTPLAY_SLOW=1 runs these", allow_module_level=True)

import ray

from outplay.arena import cluster
from outplay.arena.match import match
from outplay.cli.main import run
from outplay.game import load
from outplay.players import player

NAMES = ["engine:depth=3", "random"]


@pytest.fixture(scope="module", autouse=True)
def machine():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield
    ray.shutdown()


def at_home(game, games):
    return list(match(load(game), [player(name, seed=4 + number) for number, name in enumerate(NAMES)], games=games, seed=4))


def bare(records):
    return [(record.start, record.actions, record.players, record.outcome) for record in records]


def test_the_same_games_as_at_home():
    away = list(cluster.tournament(load("tic-tac-toe"), NAMES, games=8, seed=4))
    assert bare(away) == bare(at_home("tic-tac-toe", 8))
    rest = list(cluster.tournament(load("tic-tac-toe"), NAMES, games=8, seed=4, done=5))
    assert bare(rest) == bare(away[5:])


def test_a_killed_worker_loses_nothing():
    pids = {ray.get(ray.remote(lambda: os.getpid()).remote()) for _ in range(4)}
    stream = cluster.tournament(load("connect four"), NAMES, games=10, seed=4)
    records = [next(stream)]
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    records += stream
    assert bare(records) == bare(at_home("connect four", 10))


def test_stopping_ends_it_at_once():
    stop = threading.Event()
    stream = cluster.tournament(load("tic-tac-toe"), NAMES, games=1000, seed=4, stop=stop)
    next(stream)
    stop.set()
    assert list(stream) == []


def test_the_command(capsys):
    assert run(["match", "tic-tac-toe", *NAMES, "--games", "4", "--seed", "4", "--cluster", "auto", "--json"]) == 0
    away = json.loads(capsys.readouterr().out)
    assert run(["match", "tic-tac-toe", *NAMES, "--games", "4", "--seed", "4", "--json"]) == 0
    assert away == json.loads(capsys.readouterr().out)
