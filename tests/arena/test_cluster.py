"""Work on a cluster of Ray, here several nodes on this machine: the same as at home, and a killed worker or node loses nothing."""

import json
import os
import re
import signal
import threading
from pathlib import Path

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
ROOT = Path(__file__).resolve().parents[1]


def line_to_deal(line):
    """The deal of a line of the file of deals, where it has one."""
    found = re.search(r"[NESW]:[AKQJT2-9.]+( [AKQJT2-9.]+){3}", line)
    return found[0] if found else None


@pytest.fixture(scope="module", autouse=True)
def machines():
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    ray.init(address=made.address, log_to_driver=False, logging_level="error")
    made.add_node(num_cpus=1)
    yield made
    ray.shutdown()
    made.shutdown()


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


def wait_a_little(seconds, number):
    import time

    time.sleep(seconds)
    return number * number, os.environ.get("RAY_NODE_ID"), ray.get_runtime_context().get_node_id()


def test_a_killed_node_loses_nothing(machines):
    doomed = machines.add_node(num_cpus=1)
    machines.wait_for_nodes()
    stream = cluster.spread(wait_a_little, ((0.3, number) for number in range(16)), address="auto")
    found = [next(stream) for _ in range(3)]
    machines.remove_node(doomed, allow_graceful=False)
    found += stream
    assert [square for square, *_ in found] == [number * number for number in range(16)]
    assert len({node for *_, node in found}) >= 2  # several machines had a part in it


def test_double_dummy_tables_of_many_deals(tmp_path, capsys):
    lines = (ROOT / "bridge" / "double_dummy_100.txt").read_text().splitlines()
    deals = [deal for deal in (line_to_deal(line) for line in lines) if deal][:3]
    file = tmp_path / "deals.txt"
    file.write_text("\n".join(deals))
    assert run(["dd", f"@{file}", "--cluster", "auto", "--json"]) == 0
    away = json.loads(capsys.readouterr().out)
    assert run(["dd", f"@{file}", "--json"]) == 0
    home = json.loads(capsys.readouterr().out)
    assert away["deals"] == home["deals"] and len(away["deals"]) == 3
    assert run(["dd", deals[0], "--cluster", "auto"]) == 2
    assert "dd @FILE" in capsys.readouterr().err


def test_endgame_tables(tmp_path, capsys):
    assert run(["tables", "build", "checkers", "--men", "2", "--out", str(tmp_path / "away"), "--cluster", "auto", "--json"]) == 0
    away = json.loads(capsys.readouterr().out)
    assert run(["tables", "build", "checkers", "--men", "2", "--out", str(tmp_path / "home"), "--json"]) == 0
    home = json.loads(capsys.readouterr().out)
    assert away["slices"] == home["slices"] and away["positions"] == home["positions"] > 1000
    for path in (tmp_path / "home").rglob("*.*"):
        assert path.is_dir() or path.read_bytes() == (tmp_path / "away" / path.relative_to(tmp_path / "home")).read_bytes()


def test_tuning_samples(monkeypatch):
    from outplay.learning import tuning

    monkeypatch.setattr(tuning, "PIECE_GAMES", 2)
    game = load("chess")
    away = tuning.sample(game, 3, nodes=150, seed=3, address="auto")
    home = tuning.sample(game, 3, nodes=150, seed=3)
    assert len(away.states) > 5
    for name in ("states", "results", "values"):
        assert (getattr(away, name) == getattr(home, name)).all()


def test_self_play_of_td_is_the_same_whoever_plays(tmp_path):
    from outplay.learning import away, td

    runs = []
    for name in ("one", "two"):
        run_of = td.Run(tmp_path / name, td.Settings("connect four:width=4,height=4,line=3", hidden=4, stray=0.1))
        away.learn_round(run_of, "auto", None)
        runs.append(run_of)
    assert runs[0].games == runs[1].games == away.PIECES * away.GAMES_OF_A_PIECE
    for one, two in zip(runs[0].weights.arrays(), runs[1].weights.arrays(), strict=True):
        assert (one == two).all() and one.any()


def test_self_play_of_alphazero_reaches_the_learner(tmp_path):
    pytest.importorskip("torch")
    from outplay.learning.recipes import learn

    small = ["games=32", "blocks=1", "channels=8", "simulations=4", "quick=2", "batch=16", "rows=40"]
    report = learn("connect four:width=4,height=4,line=3", str(tmp_path), seconds=8.0, settings=small, cluster="auto")
    assert report["games"] >= 32 and report["updates"] > 0 and report["positions"] > 16
