"""Work on a cluster of Ray, here several nodes on this machine: the same as at home, and a killed worker or node loses nothing."""

import contextlib
import dataclasses
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
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

SMALL = "connect four:width=4,height=4,line=3"
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
        run_of = td.Run(tmp_path / name, td.Settings(SMALL, hidden=4, stray=0.1))
        away.learn_round(run_of, "auto", None)
        runs.append(run_of)
    assert runs[0].games == runs[1].games == away.PIECES * away.GAMES_OF_A_PIECE
    for one, two in zip(runs[0].weights, runs[1].weights, strict=True):
        assert (one == two).all() and one.any()


def test_self_play_of_alphazero_reaches_the_learner(tmp_path):
    pytest.importorskip("torch")
    from outplay.learning.recipes import learn

    small = ["games=32", "blocks=1", "channels=8", "simulations=4", "quick=2", "batch=16", "rows=40"]
    report = learn(SMALL, str(tmp_path), seconds=8.0, settings=small, cluster="auto")
    assert report["games"] >= 32 and report["updates"] > 0 and report["positions"] > 16


# ---------------------------------------------------------------- whatever dies in the middle, the answer is that of home


def bare_match(address):
    stream = cluster.tournament if address else None
    return bare(stream(load("connect four"), NAMES, games=6, seed=4) if stream else at_home("connect four", 6))


def deals_of(count):
    lines = (ROOT / "bridge" / "double_dummy_100.txt").read_text().splitlines()
    return [deal for deal in map(line_to_deal, lines) if deal][:count]


def tables_of(folder, address):
    if address:
        return list(cluster.endgame_tables(load("checkers"), 2, str(folder)))
    from outplay.engine.tables import retrograde

    rows = []
    retrograde.build(load("checkers", compiled=True), 2, folder, built=rows.append)
    return rows


def sample_of(address):
    from outplay.learning import tuning

    found = tuning.sample(load("chess"), 6, nodes=100, seed=3, address=address)
    return [getattr(found, name).tolist() for name in ("states", "results", "values")]


def weights_of(folder, address):
    from outplay.learning import away, td

    run_of = td.Run(folder, td.Settings(SMALL, hidden=4, stray=0.1))
    if address:
        away.learn_round(run_of, address, None)
    else:
        settings, arrays = dataclasses.asdict(run_of.settings), [array.copy() for array in run_of.weights]
        found = [away.weights_piece(settings, arrays, 0, 7919 * number)[0] for number in range(away.PIECES)]
        for place, mine in enumerate(run_of.weights):
            mine[:] = np.mean([each[place] for each in found], axis=0)
    return [array.tolist() for array in run_of.weights]


@pytest.mark.parametrize("what", ["match", "dd", "tables", "tune", "learn"])
def test_a_node_and_a_worker_killed_in_each(what, machines, monkeypatch, tmp_path):
    from outplay.learning import tuning

    monkeypatch.setattr(tuning, "PIECE_GAMES", 2)
    work = {"match": bare_match, "dd": lambda address: list(cluster.double_dummy(deals_of(4), address=address)),
            "tables": lambda address: tables_of(tmp_path / str(address), address), "tune": sample_of,
            "learn": lambda address: weights_of(tmp_path / str(address), address)}[what]  # fmt: skip
    home = work(None)
    doomed = machines.add_node(num_cpus=2)
    machines.wait_for_nodes()
    pids = {ray.get(ray.remote(lambda: os.getpid()).remote()) for _ in range(4)}
    whole, killed = cluster.spread, []

    def interrupted(*given, **options):
        for number, answer in enumerate(whole(*given, **options)):
            if number == 0 and not killed:
                killed.append(1)
                for pid in pids:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                machines.remove_node(doomed, allow_graceful=False)
            yield answer

    monkeypatch.setattr(cluster, "spread", interrupted)
    assert work("auto") == home and killed


# ---------------------------------------------------------------- Ctrl-C


def lines_in(path):
    return len(path.read_text().splitlines()) if path.exists() else 0


@pytest.mark.parametrize("what", ["match", "dd", "tables", "tune", "learn"])
def test_ctrl_c_ends_a_command_and_keeps_what_is_finished(what, machines, tmp_path):
    deals = tmp_path / "deals.txt"
    deals.write_text("\n".join(6 * deals_of(100)))
    words, ready, kept = {
        "match": (["match", "connect-four", "engine:depth=6", "engine:depth=5", "--games", "40000", "--save", "games.jsonl"],
                  lambda: lines_in(tmp_path / "games.jsonl") >= 2, lambda told: lines_in(tmp_path / "games.jsonl") >= 2),
        "dd": (["dd", "@deals.txt"], lambda: " of 600 deals, " in (tmp_path / "err").read_text(),
               lambda told: "North:" in told),
        "tables": (["tables", "build", "checkers", "--men", "5", "--out", "tables"],
                   lambda: len(list((tmp_path / "tables").glob("*.table"))) >= 4,
                   lambda told: len(list((tmp_path / "tables").glob("*.table"))) >= 4),
        "tune": (["tune", "chess", "--games", "40000", "--nodes", "30", "--save", "sample"],
                 lambda: any((tmp_path / "sample").glob("*.sample")), lambda told: any((tmp_path / "sample").glob("*.sample"))),
        "learn": (["learn", SMALL, "--recipe", "td", "--out", "run", "--time", "5m", "--games", "0"],
                  (tmp_path / "run" / "log.jsonl").exists, lambda told: (tmp_path / "run" / "network.td").exists()),
    }[what]  # fmt: skip
    words = [sys.executable, "-m", "outplay", *words, "--cluster", machines.address]
    ours = {**os.environ, "PYTHONPATH": str(ROOT.parent)}
    with (tmp_path / "out").open("w") as out, (tmp_path / "err").open("w") as err:
        command = subprocess.Popen(words, stdout=out, stderr=err, cwd=tmp_path, start_new_session=True, env=ours)
        try:
            deadline = time.monotonic() + 600
            while not ready() and time.monotonic() < deadline and command.poll() is None:
                time.sleep(0.2)
            assert command.poll() is None and ready(), (tmp_path / "err").read_text()
            os.killpg(command.pid, signal.SIGINT)
            assert command.wait(60) == 130
        finally:
            if command.poll() is None:
                command.kill()
    told = (tmp_path / "err").read_text()
    assert "Traceback" not in told and "StackTrace" not in told and kept((tmp_path / "out").read_text())
    deadline = time.monotonic() + 600  # and the cluster is free for others
    while ray.available_resources().get("CPU") != ray.cluster_resources()["CPU"] and time.monotonic() < deadline:
        time.sleep(0.2)
    assert ray.available_resources()["CPU"] == ray.cluster_resources()["CPU"]


def descendants(pid):
    """A process and those that it started, and so on, by /proc."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            parents[int(folder.name)] = int(parent) if state != "Z" else -1
    found = {pid}
    while more := {each for each, parent in parents.items() if parent in found} - found:
        found |= more
    return found & parents.keys(), {each for each, parent in parents.items() if parent != -1}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes under /proc")
def test_a_cluster_that_a_command_started_ends_with_it(tmp_path):
    words = ["match", "tic-tac-toe", "random", "random", "--games", "100000", "--save", "games.jsonl", "--cluster", "auto"]
    mine = {**os.environ, "PYTHONPATH": str(ROOT.parent), "RAY_TMPDIR": str(tmp_path)}  # the other tests' cluster is not found
    mine.pop("RAY_ADDRESS", None)
    command = subprocess.Popen([sys.executable, "-m", "outplay", *words], cwd=tmp_path, start_new_session=True, env=mine,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    try:
        deadline = time.monotonic() + 600
        while not lines_in(tmp_path / "games.jsonl") and time.monotonic() < deadline:
            time.sleep(0.2)
        started, _ = descendants(command.pid)
        os.killpg(command.pid, signal.SIGINT)
        assert command.wait(60) == 130 and lines_in(tmp_path / "games.jsonl")
    finally:
        if command.poll() is None:
            command.kill()
    deadline = time.monotonic() + 600
    while started & descendants(1)[1] and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not started & descendants(1)[1]
