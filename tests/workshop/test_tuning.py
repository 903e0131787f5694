"""Tuning by playing, races of variants and queues of tests: what they find, and what a restart keeps."""

import json
import threading

import pytest

from outplay.cli.app import run
from outplay.errors import BadValue, Unavailable
from outplay.workshop import pairs, spsa
from outplay.workshop.queue import Queue
from outplay.workshop.race import Race, player_of, simulate, simulate_tests

MCTS = "engine:mcts,simulations=20"


class Toy(spsa.Tuner):
    """A player of known strength: best at x = 3 and y = 20."""

    def play(self, plus, minus, number):
        import random

        def loss(at):
            return ((at["x"] - 3) / 5) ** 2 + ((at["y"] - 20) / 20) ** 2

        odds = 1 / (1 + 10 ** (8 * (loss(plus) - loss(minus))))
        coin = random.Random(number)
        return float((coin.random() < odds) + (coin.random() < odds))


def test_it_finds_numbers_through_the_noise():
    knobs = [spsa.parse_knob("x=8.0:0..10"), spsa.parse_knob("y=5:0..40")]
    toy = Toy(knobs, pairs=4000, seed=2)
    toy.run_alone()
    found = toy.values()
    assert found["x"] == pytest.approx(3, abs=1.0)
    assert found["y"] == pytest.approx(20, abs=5)
    assert all(knob.low <= value <= knob.high for knob in knobs for value in [found[knob.name]])


@pytest.mark.parametrize(("text", "said"), [
    ("x=1", "expects KEY=START"), ("x=1:2..3", "must lie in its range"), ("x=a:0..1", "expects KEY=START"),
    ("=1:0..2", "expects KEY"),
    ("x=1:1..1", "more than one value"), ("x=1:0..2/-1", "must lie in its range"),
])
def test_knobs_that_cannot_be_are_refused(text, said):
    with pytest.raises(BadValue, match=said):
        spsa.parse_knob(text)


def test_a_stopped_tuning_goes_on_to_the_same_end(tmp_path):
    task = spsa.Task("tic-tac-toe", MCTS, (spsa.parse_knob("exploration=0.1:0.01..3"),))
    whole = spsa.State.read(tmp_path / "whole", task, 24)
    for _ in spsa.tune(task, whole, folder=tmp_path / "whole"):
        pass
    for state in spsa.tune(task, spsa.State.read(tmp_path / "parts", task, 24), folder=tmp_path / "parts"):
        if state.tuner.done == 8:
            break
    again = spsa.State.read(tmp_path / "parts", task, 24)
    assert again.tuner.done == 8
    for _ in spsa.tune(task, again, folder=tmp_path / "parts", workers=2):
        pass
    assert again.tuner.course == whole.tuner.course
    assert again.tuner.points == whole.tuner.points
    with pytest.raises(BadValue, match="something else"):
        spsa.State.read(tmp_path / "parts", task, 32)
    (tmp_path / "parts" / "spsa.json").write_text("{")
    with pytest.raises(BadValue, match="damaged"):
        spsa.State.read(tmp_path / "parts", task, 24)


def test_tune_at_the_command_line(capsys, tmp_path):
    words = ["tune", "tic-tac-toe", "--spsa", "exploration=0.1:0.01..3", "--player", MCTS, "--games", "16", "--verify", "8",
             "--out", str(tmp_path / "player.txt"), "--json", "--threads", "1"]
    assert run(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 16
    assert found["check"]["games"] == 8
    assert found["player"] == (tmp_path / "player.txt").read_text().strip()
    assert 0.01 <= found["values"]["exploration"] <= 3
    assert run(["tune", "tic-tac-toe", "--spsa", "exploratio=1:0..2", "--player", MCTS]) != 0
    assert "exploration" in capsys.readouterr().err


def test_weights_are_what_the_evaluation_takes():
    from outplay.game import load

    rules = load("isolation", compiled=True)
    knobs = spsa.weight_knobs(rules)
    assert [knob.start for knob in knobs] == [float(each) for each in rules.default_weights()]
    variant = spsa.Task("isolation", "engine:pvs,depth=1", knobs, True).start()
    seated = pairs.seat(variant._replace(weights=tuple(2 * each for each in variant.weights)))
    seated.get_ready(rules.start())
    assert seated.choose(rules.start()) in rules.start().actions()


def test_a_race_drops_losers_and_saves_games():
    elos = [0.0, 4.0, -25.0, 28.0, -12.0, 9.0]
    found = [(simulate(elos, seed=seed), simulate_tests(elos, seed=seed)) for seed in range(2)]
    assert all(race.winner == 3 for race, _ in found)
    assert sum(race.games for race, _ in found) < 0.4 * sum(tests.games for _, tests in found)


def test_a_race_ends_where_nothing_is_to_be_found():
    race, play = Race(4, care=40), player_of([0.0] * 4, 0.5, __import__("random").Random(1))
    while not race.is_over:
        race.learn(*race.next_pair(), play(*race.next_pair()))
        assert race.pairs < 5000
    assert race.left


def test_a_race_at_the_command_line(capsys):
    words = ["tune", "tic-tac-toe", "--race", "random", "--race", "minimax", "--games", "60", "--json", "--threads", "1"]
    assert run(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["players"][0]["player"] == "minimax"
    assert run(["tune", "tic-tac-toe", "--race", "random"]) != 0
    assert "two players or more" in capsys.readouterr().err
    assert run(["tune", "tic-tac-toe", "--race", "random", "--race", "human"]) != 0
    assert "a person does not play pairs" in capsys.readouterr().err


def test_a_queue_goes_on_where_it_was(tmp_path):
    queue = Queue(tmp_path / "tests")
    queue.add("tic-tac-toe", MCTS, "random", high=200, most=60)
    queue.add("nim", "engine:mcts,simulations=50", "random", high=200, most=60, priority=1, note="first of all")
    stop, seen = threading.Event(), []
    for test in queue.run(stop=stop):
        seen.append(test.number)
        if len(seen) == 3:
            stop.set()
    assert seen == [2, 2, 2]
    with (tmp_path / "tests" / "test-00002.pairs").open("a") as file:
        file.write("1.")  # torn by a machine that went down
    again = Queue(tmp_path / "tests")
    assert [each.games for each in again.tests()] == [0, 6]
    for _ in again.run():
        pass
    assert [each.verdict for each in again.tests()] == ["stronger", "stronger"]
    whole = Queue(tmp_path / "whole")
    whole.add("tic-tac-toe", MCTS, "random", high=200, most=60)
    whole.add("nim", "engine:mcts,simulations=50", "random", high=200, most=60, priority=1)
    for _ in whole.run():
        pass
    assert [each.points for each in whole.tests()] == [each.points for each in again.tests()]
    assert "first of all" in again.page()


def test_one_plays_a_queue_at_a_time_and_tests_can_be_dropped(tmp_path):
    queue = Queue(tmp_path)
    queue.add("tic-tac-toe", "random", "random")
    with queue._alone(), pytest.raises(Unavailable, match="already"):
        next(Queue(tmp_path).run())
    queue.drop(1)
    assert list(queue.run()) == []
    assert queue.tests()[0].verdict == "dropped"
    with pytest.raises(BadValue, match="no test 2"):
        queue.drop(2)


def test_a_queue_at_the_command_line(capsys, tmp_path):
    folder, page = str(tmp_path / "q"), tmp_path / "q.html"
    asked = ["--add", "nim|engine:mcts,simulations=50|random", "--sprt", "0,200", "--games", "60", "--json"]
    assert run(["arena", "queue", folder, *asked]) == 0
    assert json.loads(capsys.readouterr().out)["tests"][0]["verdict"] is None
    assert run(["arena", "queue", folder, "--report", str(page), "--json", "--threads", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["tests"][0]["verdict"] == "stronger"
    assert "0 to 200" in page.read_text()
    assert run(["arena", "queue", folder, "--add", "nim|minimax"]) != 0
    assert "GAME|PLAYER|AGAINST" in capsys.readouterr().err


def test_pairs_go_to_a_cluster_and_come_back_in_order(monkeypatch):
    from outplay.arena import cluster

    def spread(work, pieces, *, address, stop):
        assert address == "somewhere"
        for piece in list(pieces):  # as a cluster takes several ahead
            yield work(*piece)

    monkeypatch.setattr(cluster, "spread", spread)
    jobs = [pairs.Job("tic-tac-toe", pairs.Variant(MCTS), pairs.Variant("random"), number) for number in range(4)]
    away = list(pairs.play(jobs, address="somewhere"))
    assert [job for job, _ in away] == jobs
    assert away == list(pairs.play(jobs, workers=2))
