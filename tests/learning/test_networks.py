"""Networks: files that are refused when damaged or foreign, the players that ask them, and learning in its smallest form."""

import json
import math
import os
import subprocess
import sys

import numpy as np
import pytest

from outplay.engine.montecarlo.gumbel import considered_visits
from outplay.engine.montecarlo.mcts import Leaves, MonteCarlo, planes
from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.game import Position, load
from outplay.jit import random_source
from outplay.learning import td
from outplay.learning.recipes import learn
from outplay.learning.run import settled
from outplay.networks import nets, td_nets
from outplay.players import player
from outplay.players.algorithms import best, refuse_local
from outplay.players.networks import as_judged, evaluator, shipped
from outplay.values import Limits


@pytest.fixture
def net(tmp_path):
    made = nets.random_net("connect four", (2, 6, 7), 7, blocks=1, channels=8, seed=3)
    made.save(tmp_path / "one.outplay")
    return tmp_path / "one.outplay"


def test_a_file_says_what_was_saved(net):
    one = nets.Net.load(net)
    two = nets.random_net("connect four", (2, 6, 7), 7, blocks=1, channels=8, seed=3)
    seen = np.random.default_rng(1).random((3, 2, 6, 7)).astype(np.float32)
    for first, second in zip(one.ask(seen)[:2], two.ask(seen)[:2], strict=True):
        assert np.array_equal(first, second)
    # One position alone is judged as it is among others.
    assert np.allclose(one.ask(seen)[0][1], one.ask(seen[1:2])[0][0], atol=1e-5)


@pytest.mark.parametrize("damage", ["cut", "flip", "foreign", "head", "wild", "planes", "empty"])
def test_a_damaged_file_is_refused_in_one_line(net, damage):
    content = net.read_bytes()
    broken = {
        "cut": content[:-7],
        "flip": content[:-9] + bytes([content[-9] ^ 4]) + content[-8:],
        "foreign": b"GIF89a" + content,
        "head": content.replace(b'"blocks": 1', b'"blocks": 2'),
        "wild": content.replace(b'"blocks": 1', b'"blocks": 9999999999999'),
        "planes": content.replace(b'"planes": [2, 6, 7]', b'"planes": [2, 67]'),
        "empty": b"",
    }[damage]
    net.write_bytes(broken)
    with pytest.raises(BadValue) as told:
        nets.Net.load(net)
    assert "\n" not in str(told.value) and str(net) in str(told.value)


def test_onnx_runtime_and_numpy_say_the_same():
    pytest.importorskip("onnxruntime")
    for targets in (0, 9):
        made = nets.random_net("tic-tac-toe", planes=(2, 3, 3), actions=9, blocks=2, channels=8, seed=3, targets=targets)
        seen = np.random.default_rng(1).random((5, 2, 3, 3)).astype(np.float32)
        for one, other in zip(made.ask(seen), made.ask_plainly(seen), strict=True):
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_allclose(one, other, atol=1e-4)


def test_symmetries_move_planes_and_actions_alike():
    game = load("go:size=5,policy=light")
    position = game.start().play("A1 C2")
    found = nets.symmetries(game)
    assert len(found) == 8
    state = np.frombuffer(position.state, game.rules.layout)
    seen = planes(game, state)[0].reshape(6, -1)
    for symmetry, (points, actions) in enumerate(found):
        twin = game.rules.states(1)
        twin[:] = state
        twin[0].transform(symmetry)
        np.testing.assert_array_equal(planes(game, twin)[0].reshape(6, -1), seen[:, points])
        assert sorted(actions) == list(range(26)) and actions[25] == 25  # a pass stays a pass


def test_a_network_plays_and_refuses_other_games(net):
    chooser = player(f"net:{net},simulations=20")
    position = load("connect four").start().play("4 1 4 1 4 1")
    assert chooser.choose(position) in position.actions()
    with pytest.raises(Unsuitable, match="trained for connect four"):
        player(f"net:{net}").choose(load("connect four:width=6").start())
    with pytest.raises(BadValue, match="no such network"):
        player("net:nowhere.outplay")


def test_the_shipped_networks_play():
    for name, game, limits in (("backgammon", "backgammon", None), ("connect-four", "connect four", Limits(simulations=16))):
        chooser = player(f"net:{name}")
        position = load(game).start()
        while position.is_chance():
            position = position.result(position.actions()[0])
        assert chooser.choose(position, limits) in position.actions()
    # A column of three must be closed.
    position = load("connect four").start().play("4 1 4 1 4")
    assert position.action_text(player("net:connect-four,simulations=32").choose(position)) == "4"


def test_a_network_is_a_search_at_every_door():
    position = load("connect four").start().play("4 1 4 1 4")
    found = best(position, "net:connect-four", simulations=32)
    assert position.action_text(found.action) == "4" and found.choices[0].visits > 16
    with pytest.raises(Unsuitable, match="trained for backgammon"):
        best(position, "net:backgammon", depth=1)
    with pytest.raises(BadValue, match="did you mean 'connect-four'"):
        best(position, "net:conect-four")
    refuse_local("net:connect-four")
    for text in ("engine:mcts,net=/etc/passwd", "net:/etc/passwd"):  # no files of this machine through the studio
        with pytest.raises(UnknownName, match="unknown network '/etc/passwd'"):
            refuse_local(text)


def test_sequential_halving_spends_every_simulation():
    for actions, simulations in ((2, 5), (7, 16), (16, 32), (82, 8)):
        table = considered_visits(min(actions, simulations), simulations)
        assert len(table) == simulations
        visits = np.zeros(min(actions, simulations), int)
        for wanted in table:  # whatever the values are, there is an action with just so many visits
            at = int(np.flatnonzero(visits == wanted)[0])
            visits[at] += 1


def test_a_step_of_td_is_the_slope_of_the_cross_entropy():
    source = np.random.default_rng(5)
    weights = td_nets.Weights.random(networks=1, inputs=6, hidden=4, outputs=2, seed=2)
    for array in weights:
        array += source.normal(0, 0.5, array.shape).astype(np.float32)
    seen = np.array([0.0, 1.0, 0.5, 0.0, 2.0, 1.0], np.float32)
    wanted = np.array([0.9, 0.2], np.float32)

    def loss(candidate):
        said = candidate.say(seen.astype(np.float64))
        return -float(np.sum(wanted * np.log(said) + (1 - wanted) * np.log(1 - said)))

    stepped = td_nets.Weights(*(array.copy() for array in weights))
    active, hidden, said = np.zeros(6, np.int32), np.zeros(4, np.float32), np.zeros(2, np.float32)
    rate = np.float32(1e-3)
    count = td.forward(0, stepped, seen, active, hidden, said)
    assert count == 4 and np.allclose(said, weights.say(seen), atol=1e-6)
    td.learn(0, stepped, rate, seen, active, count, hidden, said, wanted, np.zeros(4, np.float32))
    for number, array in enumerate(weights):
        for index in np.ndindex(array.shape):
            nudged = [each.astype(np.float64).copy() for each in weights]
            nudged[number][index] += 1e-5
            up = loss(td_nets.Weights(*nudged))
            nudged[number][index] -= 2e-5
            slope = (up - loss(td_nets.Weights(*nudged))) / 2e-5
            moved = float(stepped[number][index] - array[index])
            assert moved == pytest.approx(-1e-3 * slope, abs=2e-6)


def test_the_other_side_sees_the_same_game():
    rules = load("backgammon").rules
    flip = np.array(rules.evaluation.outcomes.flip, np.float32)
    worth = np.array(rules.evaluation.outcomes.worth, np.float32)
    said = np.array([0.7, 0.3, 0.1, 0.05, 0.01], np.float32)
    other, back = np.zeros(5, np.float32), np.zeros(5, np.float32)
    td.turned(said, flip, other)
    td.turned(other, flip, back)
    assert np.allclose(back, said)
    assert td.worth_of(other, worth) == pytest.approx(-td.worth_of(said, worth), abs=1e-6)


@pytest.mark.parametrize(("networks", "inputs"), [(2, 208), (2, 236), (3, 236)])
def test_backgammons_evaluation_is_the_trained_network(networks, inputs):
    """Also that of a file from before the outlook, which it ignores, or from before there was a network for late contact."""
    game = load("backgammon")
    weights = td_nets.Weights.random(networks=networks, inputs=inputs, hidden=11, outputs=5, seed=9)
    laid_out = game.rules.evaluation.network_weights(*weights)
    worth, source = game.rules.evaluation.outcomes.worth, random_source(4)
    position = game.start()
    judged = set()
    for _ in range(400):
        if position.is_terminal():
            position = game.start()
        if position.is_chance():
            position = position.result(position.sample_chance(source))
        else:
            position = position.result(position.actions()[0])  # the checkers nearest home: the board breaks, and those behind stay
        if position.is_terminal():
            continue
        record = game.record(position.state)
        judged.add(int(record.network()))
        seen = np.zeros(game.rules.plane_shape, np.float32)
        record.planes(int(record.turn), seen)
        said = weights.say(seen[:inputs], int(record.network()) % len(weights.first))  # of two, the first judges all contact
        equity = float(np.dot(worth[:5], said) + worth[5])
        assert float(record.evaluate(int(record.turn), laid_out)) == pytest.approx(equity, abs=1e-4)
    assert judged == {0, 1, 2}


OUTLOOK = "hits", "cost", "twice", "free", "row", "stuck", "to pass", "behind", "near", "mobile", "worst", "around", "spare", "lead"


def outlook_of(text):
    """What backgammon tells a network of the side on roll and of the other, by name."""
    game = load("backgammon")
    record = game.record(game.position(text).state)
    return [dict(zip(OUTLOOK, record.outlook(seat), strict=True)) for seat in (int(record.turn), 1 - int(record.turn))]


def test_the_outlook_of_backgammon_counts_rolls_as_players_do():
    start = load("backgammon").start().play("x31").play("13/10+24/23")  # blots on the 10, 23 and 24 points of x
    mine, other = outlook_of(start.text())
    # Against the rules: a roll hits where one of its legal turns sends a checker to the bar.
    rolls = 0
    for roll, probability in start.chances():
        turned = start.result(roll)
        hit = any("*" in turned.action_text(action) for action in turned.actions())
        rolls += round(36 * probability) * hit
    assert mine["hits"] == pytest.approx(rolls / 36) and 0 < mine["twice"] < mine["hits"]
    assert other["hits"] == 0 and other["row"] == pytest.approx(1 / 6) and mine["stuck"] == 0
    assert mine["lead"] == pytest.approx(-4 / 177) and other["lead"] == pytest.approx(4 / 173)


def test_the_outlook_of_a_checker_on_the_bar_before_a_closed_board():
    game = load("backgammon")
    state = game.rules.states(1)[0]
    state.phase, state.owner = 3, -1
    state.checkers[0, 25], state.checkers[0, 6], state.checkers[0, 1] = 1, 7, 7
    for point in (1, 2, 3, 4, 5, 6):
        state.checkers[1, point] = 2
    state.checkers[1, 20], state.checkers[1, 0] = 2, 1
    found = dict(zip(OUTLOOK, state.outlook(0), strict=True))
    assert all(found[name] == 0 for name in ("hits", "cost", "twice", "free", "near", "mobile", "worst"))
    assert found["row"] == found["stuck"] == 1
    assert found["to pass"] == pytest.approx((20 + 7) / 100) and found["behind"] == 1
    assert found["spare"] == pytest.approx((5 * 5 + 5 * 0) / 50) and found["lead"] < 0.2


def test_expected_backups_are_the_average_over_all_rolls_of_the_best_reply(tmp_path):
    torch = pytest.importorskip("torch")
    from outplay.learning import td_backups

    game = load("backgammon")
    old = td_nets.Weights.random(networks=2, inputs=208, hidden=24, outputs=5, seed=9)
    td_nets.save(tmp_path / "network.td", "backgammon", old, {"recipe": "td", "games": 7, "seconds": 3.0})
    settings = td_backups.Settings("backgammon", hidden=30, games=3, batch=16, kept=8)
    run = td_backups.Run(tmp_path, settings, "cpu")
    for _ in range(9):
        run.turn()
    end = game.rules.states(1)
    end["phase"], end["checkers"][0, 0, :2], end["checkers"][0, 1, :3] = 3, (14, 1), (14, 0, 1)  # one checker left to each
    run.table.states[1] = end[0]
    end["checkers"][0, 0, :7], end["checkers"][0, 1, :3] = (14, 0, 0, 0, 0, 0, 1), (14, 1, 0)  # 27 of 36 rolls bear it off
    run.table.states[2] = end[0]
    wanted, known = run.table.judged(run.ask)
    assert known.tolist() == [True, True, True]
    assert float(wanted[2][0]) == pytest.approx(27 / 36)  # with the others the other wins: the table of bear-offs knows
    assert wanted[1].tolist() == pytest.approx([1.0, 0.0, 0.0, 0.0, 0.0])  # whoever is on roll bears it off
    position, total = Position(game, run.table.states[:1].tobytes()), np.zeros(5)
    flip, worth = np.array(game.rules.evaluation.outcomes.flip), np.array(game.rules.evaluation.outcomes.worth)
    for roll, probability in position.chances():
        best = None
        for action in position.result(roll).actions():
            record = game.record(position.result(roll).result(action).state)
            seen = np.zeros(game.rules.plane_shape, np.float32)
            record.planes(int(record.turn), seen)
            said = old.say(seen[:208], int(record.network()) % 2)  # the old network: widened, it says the same
            said = said[flip[:, 0].astype(int)] * flip[:, 2] + flip[:, 1]
            best = said if best is None or worth[:5] @ said > worth[:5] @ best else best
        total += probability * best
    assert np.allclose(wanted[0].numpy(), total, atol=1e-4)
    # Learning pulls what is said towards what is wanted, and a run goes on where it was.
    losses = []
    for _ in range(30):
        run.learn()
        losses.append(float(run.loss))
    assert min(losses[-5:]) < losses[0] and all(map(math.isfinite, losses))
    run.seconds = 5.0
    run.save()
    again = td_backups.Run(tmp_path, settings, "cpu")
    assert again.seconds == 5.0 and again.positions == run.positions
    assert all(torch.equal(a, b) for a, b in zip(run.learned + run.playing, again.learned + again.playing, strict=True))
    with pytest.raises(BadValue, match="cannot shrink"):
        td_backups.widened(old, 3, 236, 20, 0)
    with pytest.raises(Unsuitable, match="needs rules with chance"):
        td_backups.Table(torch, load("connect four"), 2)
    (tmp_path / "learner.pt").write_bytes(b"nonsense")
    with pytest.raises(BadValue, match="damaged: remove it"):
        td_backups.Run(tmp_path, settings, "cpu")
    td_nets.save(tmp_path / "network.td", "connect four", old, {"games": 7, "seconds": 3.0})
    with pytest.raises(BadValue, match="a network of connect four"):
        td_backups.Run(tmp_path, settings, "cpu")


def test_mistakes_are_traced_to_the_positions_before_them(tmp_path):
    pytest.importorskip("torch")
    from outplay.learning import td_backups

    old = td_nets.Weights.random(networks=2, inputs=208, hidden=24, outputs=5, seed=9)
    flip, runs = np.array(load("backgammon").rules.evaluation.outcomes.flip), {}
    for trace in (0.0, 0.7):
        folder = tmp_path / str(trace)
        folder.mkdir()
        td_nets.save(folder / "network.td", "backgammon", old, {"recipe": "td", "games": 7, "seconds": 3.0})
        settings = td_backups.Settings("backgammon", hidden=30, games=3, batch=16, kept=12, stray=0.0, trace=trace)
        runs[trace] = td_backups.Run(folder, settings, "cpu")
        for _ in range(9):
            runs[trace].turn()
    backup, wanted, seen = (
        run.ring[name][: 9 * 3].double().numpy().reshape(9, 3, -1)
        for run, name in ((runs[0.0], "wanted"), (runs[0.7], "wanted"), (runs[0.0], "seen"))
    )
    # As the lambda-return is defined, from the last position back: what is said of the next one is replaced by what it should be.
    for game in range(3):
        best = backup[8, game]
        for turn in range(7, 0, -1):
            missed = best - old.say(seen[turn + 1, game, :208])
            best = backup[turn, game] + 0.7 * (missed[flip[:, 0].astype(int)] * flip[:, 2])
            assert np.allclose(wanted[turn, game], best, atol=1e-3)
    assert np.abs(wanted - backup)[1:8].max() > 0.01


IN_THE_SIMULATOR = """
import numpy as np
from outplay.compiling import gpu
from outplay.game import load
from outplay.engine.tables import races
from outplay.learning import td_backups as td

game = load("backgammon")
rules, steps, cuda = game.rules, td.gpu_steps(game.rules), gpu.cuda
states = rules.states(2)
states["phase"] = 3
states["checkers"][:, :, 0] = 13
states["checkers"][0, 0, [2, 6]] = states["checkers"][0, 1, [1, 3]] = 1  # both bear off
states["checkers"][1, 0, [2, 22]] = states["checkers"][1, 1, [1, 5]] = 1  # and with contact
ways, rooms = 21, (rules.states(2), np.zeros(2048, np.int32), np.zeros(2048))
sources, odds = np.arange(5, 7).astype(np.uint64), races.table(game).astype(np.float32).ravel()
found = {}
for place in ("cpu", "gpu"):
    made = (lambda array: array) if place == "cpu" else cuda.to_device
    read = (lambda array: array) if place == "cpu" else (lambda array: array.copy_to_host())
    whole = lambda *shape: made(np.zeros(shape, np.int32))
    real = lambda *shape: made(np.zeros(shape, np.float32))

    def run(name, *args):
        if place == "gpu":
            steps[name][3, 64](*args)
        else:
            getattr(td, name + "_all")(*args, *(rooms if name in ("count", "write") else ()))

    luck = made(sources.copy())
    played = td.Played(made(states.copy()), whole(2), whole(2), whole(2), luck)
    rolls = td.Rolls(real(2 * ways), whole(2 * ways), whole(2 * ways), whole(2 * ways))
    run("count", ways, played, rolls)
    count = read(rolls.counts)
    rows = int(count.sum())
    rolls = rolls._replace(firsts=made((np.cumsum(count) - count).astype(np.int32)))
    shown = real(rows, *rules.plane_shape), real(rows, 5)
    replies = td.Replies(made(rules.states(rows)), whole(rows), whole(rows), whole(rows), *shown, real(rows))
    run("write", ways, played, rolls, replies)
    run("show", rows, replies, -3.0, 3.0)
    run("know", rows, replies, made(odds))
    known = read(replies.values).copy()
    replies = replies._replace(values=made(np.sin(np.arange(rows)).astype(np.float32)))
    run("choose", rolls, replies.values)
    run("advance", ways, played, rolls, replies, made(states[:1].copy()), 1, 0.9, 0.1)
    rows_of = (replies.movers, replies.kinds, replies.others, replies.seen, replies.said)
    left = (rolls.shares, rolls.counts, rolls.best, played.plies, luck, played.went, *rows_of)
    found[place] = [*(read(each) for each in left), known, read(replies.states), read(played.states)]
assert rows <= 192, rows
for one, two in zip(found["cpu"], found["gpu"]):
    for name in rules.layout.names if one.dtype == rules.layout else (...,):  # what lies between the fields may differ
        assert np.allclose(one[name], two[name], atol=1e-6), (name, one[name], two[name])
print(rows, int((found["cpu"][7] < 0).sum()) > 0, int((found["cpu"][11] > 0).sum()) > 0)
"""


def test_the_steps_of_td_on_a_gpu_are_those_of_the_processor():
    """In CUDA's simulator, every array of every step: ended games and bear-offs that the table knows are among the rows."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", IN_THE_SIMULATOR], env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
                          capture_output=True, text=True, timeout=600)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[1:] == ["True", "True"]


def test_a_file_of_half_the_size_says_nearly_the_same(tmp_path):
    weights = td_nets.Weights.random(networks=2, inputs=12, hidden=7, outputs=5, seed=9)
    for numbers in ("float32", "float16"):
        td_nets.save(tmp_path / numbers, "backgammon", weights, {"games": 1}, numbers)
    whole, half = (td_nets.read(tmp_path / numbers)[1] for numbers in ("float32", "float16"))
    assert all(np.array_equal(a, b) for a, b in zip(whole, weights, strict=True))
    assert all(np.allclose(a, b, atol=1e-4) and b.dtype == np.float32 for a, b in zip(weights, half, strict=True))
    (tmp_path / "odd").write_bytes((tmp_path / "float16").read_bytes().replace(b'"float16"', b'"float17"'))
    with pytest.raises(BadValue, match="damaged"):
        td_nets.read(tmp_path / "odd")


def test_td_learns_goes_on_and_keeps_what_it_knows(tmp_path):
    settings = ["hidden=8", "total_games=1000000000", "stray=0.1"]
    first = learn("connect four:width=4,height=4,line=3", str(tmp_path / "run"), recipe="td", seconds=1.0, settings=settings)
    again = learn("connect four:width=4,height=4,line=3", str(tmp_path / "run"), recipe="td", seconds=0.5, settings=settings)
    assert again["games"] > first["games"] > 0
    lines = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert lines[-1]["games"] == again["games"]
    with pytest.raises(BadValue, match="holds a run of"):
        learn("backgammon", str(tmp_path / "run"), recipe="td", seconds=0.1)
    (tmp_path / "run" / "network.td").write_bytes(b"nonsense")
    with pytest.raises(BadValue, match="not such a network"):
        learn("connect four:width=4,height=4,line=3", str(tmp_path / "run"), recipe="td", seconds=0.1)


def test_alphazero_learns_and_goes_on(tmp_path):
    torch = pytest.importorskip("torch")
    from outplay.learning import alphazero
    from outplay.learning.networks import Network, exported

    game = "connect four:width=4,height=4,line=3"
    settings = alphazero.Settings(game, blocks=1, channels=8, games=32, simulations=6, quick=3, full_share=1.0, batch=32, rows=60)
    run = alphazero.Run(tmp_path / "run", settings, "cpu")
    for _ in range(20):
        run.play()
    assert run.games_played() > 0 and run.forest.ready() > 32
    weights = [parameter.clone() for parameter in run.net.parameters()]
    for _ in range(3):
        run.learn()
    assert all(math.isfinite(float(loss)) for loss in run.losses.values())
    assert any(not torch.equal(old, new) for old, new in zip(weights, run.net.parameters(), strict=True))
    run.save()
    again = alphazero.Run(tmp_path / "run", settings, "cpu")
    assert (again.updates, again.games_played()) == (3, run.games_played())
    for name in ("net", "averaged"):
        for old, new in zip(getattr(run, name).parameters(), getattr(again, name).parameters(), strict=True):
            assert torch.equal(old, new)
    won, drawn, lost = alphazero.duel(torch, run.game, run.ask, run.ask, games=16, simulations=2)
    assert won == lost and won + drawn + lost == 16  # against itself, from both sides of each opening
    chooser = player(f"net:{tmp_path / 'run' / 'network.outplay'},simulations=8")
    assert chooser.choose(load(game).start()) in load(game).start().actions()
    (tmp_path / "run" / "checkpoint.pt").write_bytes(b"nonsense")
    with pytest.raises(BadValue, match="damaged"):
        alphazero.Run(tmp_path / "run", settings, "cpu")
    with pytest.raises(BadValue, match="holds a run of"):
        alphazero.Run(tmp_path / "run", alphazero.Settings("connect four"), "cpu")
    # What torch computes is what the file says.
    torch.manual_seed(1)
    network = Network((2, 4, 4), 4, 1, 8).eval()
    seen = torch.rand(3, 2, 4, 4)
    with torch.no_grad():
        logits, value, _ = network(seen)
    said = exported(network, game, {}).ask(seen.numpy())
    assert np.allclose(said[0], logits.numpy(), atol=2e-3) and np.allclose(said[1], value.numpy(), atol=2e-3)


def test_a_root_without_halving_learns_and_plays_its_visits():
    torch = pytest.importorskip("torch")
    from outplay.learning.forest import Forest

    game = load("connect four:width=4,height=4,line=3")
    forest = Forest(torch, game, games=6, simulations=12, rows=4)

    def ask(seen):
        return torch.tensor([3.0, 1.0, 0.0, -1.0]).repeat(len(seen), 1), torch.zeros(len(seen))

    def roots(name):
        return forest.trees[name].reshape(6, forest.room, 4)[:, 0]

    forest.search(ask, 12, considered=0, noisy=0.0)
    visits, priors = roots("visits").clone(), roots("priors").clone()
    assert (visits.sum(1) == 12).all() and (visits[:, 0] > visits[:, 3]).all()  # no action is tried because it is its turn
    assert torch.allclose(priors, torch.softmax(torch.tensor([3.0, 1.0, 0.0, -1.0]), 0).expand(6, 4))
    forest.move(full=True)
    assert torch.allclose(forest.kept["policies"][:6], visits / 12)
    after = {game.result(game.start().state, int(visits[0].argmax()))}
    assert {state.tobytes() for state in forest._trees.states[:: forest.room]} == after  # without noise, the most visited
    forest.search(ask, 12, considered=0)
    noisy = roots("priors")
    assert torch.allclose(noisy.sum(1), torch.ones(6)) and not torch.allclose(noisy[0], noisy[1])  # noise of each root's own
    forest.move(full=True)
    forest.search(ask, 12, considered=4, noisy=0.0)
    assert (roots("visits") > 0).all()  # halving tries all four
    with pytest.raises(ValueError, match="room for 0 more simulations, asked for 12"):
        forest.search(ask, 12)


def test_a_network_that_learned_who_wins_plays_for_discs_by_that():
    position = load("othello").start().play("f5 d6")
    moved, earlier = as_judged("othello", position, [load("othello").start()])
    assert (moved.game.name, moved.text(), moved.actions()) == ("othello:score=wld", position.text(), position.actions())
    assert [each.game.name for each in earlier] == ["othello:score=wld"]
    four = load("connect four").start()
    assert as_judged("connect-four", four) == (four, ())
    go = load("go:size=9").start()
    assert as_judged("go-9", go) == (go, ())  # it learned under other rules for playouts, and who wins is the same
    with pytest.raises(Unsuitable, match="trained for othello:score=wld"):
        best(load("othello:size=6").start(), "net:othello", simulations=4)


def test_outcomes_are_proved_and_a_proved_game_is_not_played_on():
    torch = pytest.importorskip("torch")
    from outplay.engine.alphabeta.engine import Engine
    from outplay.learning.forest import Forest, openings

    name, games = "connect four:width=4,height=4,line=3", 24
    game = load(name)
    solver = Engine(game)
    starts = openings(game, games, 1.0, 9, seed=3, least=3)
    assert min(int(start["full"]).bit_count() for start in starts[1:]) == 3
    values = [round(solver.best(Position(game, start.tobytes())).value) for start in starts]

    def ask(seen):  # knows nothing, and thinks highly of the first column
        return torch.tensor([2.0, 0.0, 0.0, 0.0]).repeat(len(seen), 1), torch.zeros(len(seen))

    for proofs in (True, False):
        forest = Forest(torch, game, games, 120, 2, trust=0.5, proofs=proofs)
        forest.begin(starts)
        forest.search(ask, 120, noisy=0.0)
        ended, outcomes = (forest.trees[each].reshape(games, -1)[:, 0].clone() for each in ("ended", "outcomes"))
        proved = [place for place in range(games) if ended[place]]
        assert not proved if not proofs else len(proved) > games // 2
        assert all(outcomes[place] == values[place] for place in proved)  # to the first player, as the solver says
        for place in proved:  # and the action taken keeps that value
            after = Position(game, starts[place].tobytes()).result(int(forest.choices()[place]))
            assert (after.utility(0) if after.is_terminal() else round(solver.best(after).value)) == values[place]
        forest.move(full=True)
        over = forest.kept["ready"][:games] == 1
        assert all(over[place] for place in proved)
        for place in proved:  # nothing but the proved outcome is learned
            mover = Position(game, starts[place].tobytes()).player()
            assert forest.kept["values"][place] == (values[place] if mover == 0 else -values[place])
    with pytest.raises(ValueError, match="room for"):
        forest.search(ask, 121)


def test_a_proved_root_is_played_on_where_the_end_is_to_be_foreseen():
    torch = pytest.importorskip("torch")
    from outplay.learning.forest import Forest

    game = load("go:size=3,policy=light,komi=0.5")
    position = game.start()
    for move in ("B2", "pass"):
        position = position.play(move)
    forest = Forest(torch, game, 1, 40, 4)
    forest.begin(np.frombuffer(position.state, game.rules.layout))
    size = forest.size
    forest.search(lambda seen: (torch.zeros(len(seen), size), torch.zeros(len(seen))), 40, noisy=0.0)
    assert forest.trees["ended"][0] == 1 and forest.trees["outcomes"][0] == 1  # to pass wins at once
    forest.move(full=True)
    assert forest.finished() == 1 and forest.kept["targets"][0].sum() == 9  # by the rules' own end: all points are Black's


def test_the_score_is_learned_as_the_sum_of_what_each_point_says():
    torch = pytest.importorskip("torch")
    from outplay.learning.alphazero import target_errors

    # Two boards of four points: on the first the mover ends with three points and is thought to have two, which is 0 in sum and
    # not 2; on the second the points are confused, and the score is right.
    owned = torch.tensor([[1.0, 1.0, 1.0, -1.0], [1.0, -1.0, 1.0, -1.0]])
    guessed = torch.tensor([[1.0, 1.0, -1.0, -1.0], [-1.0, 1.0, 1.0, -1.0]], requires_grad=True)
    each, score = target_errors(guessed, owned)
    assert each.item() == (4 + 8) / 8 and score.item() == (2**2 / 4 + 0) / 2
    score.backward()
    assert torch.equal(guessed.grad, torch.tensor([[-0.5] * 4, [0.0] * 4]))  # every point of the first board is to say more


def test_a_run_draws_its_curve_and_meets_fixed_opponents(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    from outplay.arena.match import read
    from outplay.learning import curve, recipes

    monkeypatch.setattr(recipes, "SHORTEST", 0.0)
    small = ["games=32", "blocks=1", "channels=8", "simulations=4", "quick=2", "batch=32"]
    told = []
    game = "connect four:width=4,height=4,line=3"
    learn(game, str(tmp_path), seconds=1.0, settings=small, against=["random"], match_games=4, tell=told.append)
    lines = [line for line in curve.log_of(tmp_path) if "opponent" in line]
    assert lines and all(line["won"] + line["drawn"] + line["lost"] == line["games"] <= 4 for line in lines)
    assert [line for line in told if "opponent" in line] == lines
    assert 0 < len(read(tmp_path / "games.jsonl")) <= curve.SAMPLE * len(lines)
    assert "against random" in (tmp_path / "curve.svg").read_text() and "<svg" in (tmp_path / "index.html").read_text()
    with pytest.raises(UnknownName, match="did you mean 'random'"):
        learn(game, str(tmp_path), seconds=1.0, against=["randon"])


def test_the_curve_stands_where_the_results_are():
    import re

    from outplay.learning.curve import BOTTOM, HEIGHT, TOP, draw

    line = {"seconds": 10.0, "opponent": "random", "games": 4, "won": 1, "drawn": 2, "lost": 1, "elo": 0.0, "error": 100.0}
    middle = HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) / 2
    assert float(re.search(r'<circle cx="[\d.]+" cy="([\d.]+)"', draw([line], "t"))[1]) == middle  # half of the points


def test_the_cube_is_worth_something_to_whoever_owns_it():
    """By the network's own chances: a cube that one owns is worth more than one in the middle, and that more than the other's."""
    game = load("backgammon:cube=yes")
    rules = game.rules
    held = td_nets.read(shipped()["backgammon"])[1]
    laid_out = rules.evaluation.network_weights(*held)
    state = rules.states(1)
    state[:] = np.frombuffer(game.start().play("x31").state, rules.layout)
    with np.errstate(over="ignore"):
        mine, middle, theirs = (float(state[0].judge(laid_out, 0, owner)) for owner in (0, -1, 1))
    assert mine > middle > theirs


def test_threads_and_memory_change_no_answer(net):
    """Several threads and remembered answers say what one fresh thread says."""
    game, made = load("connect four"), nets.Net.load(net)
    position = game.start().play("4 4 3")
    states = np.concatenate([np.frombuffer(position.result(action).state, game.rules.layout) for action in position.actions()])
    room = np.zeros((len(states), 7), np.int32)
    room[:] = np.arange(7)
    leaves = Leaves(states, room, np.full(len(states), 7))
    several = evaluator(made, threads=2)
    for one, other, again in zip(evaluator(made)(leaves), several(leaves), several(leaves), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)
        np.testing.assert_array_equal(other, again)


def test_a_mirrored_network_cannot_tell_left_from_right(net):
    game, made = load("connect four"), nets.Net.load(net)
    left, right = (np.frombuffer(game.start().play(column).state, game.rules.layout) for column in ("1", "7"))
    room = np.arange(7, dtype=np.int32)[None]
    ask = evaluator(made, mirrored=game)
    (value, priors), (mirrored, turned) = (ask(Leaves(state, room, np.array([7]))) for state in (left, right))
    np.testing.assert_allclose(value, mirrored, atol=1e-5)
    np.testing.assert_allclose(priors, turned[:, ::-1], atol=1e-5)


def test_a_run_that_goes_on_takes_new_settings_but_no_new_shape(tmp_path):
    first = td.Settings("backgammon", hidden=4)
    assert settled(tmp_path, first, {}, ("hidden",)) == first
    changed = settled(tmp_path, first, {"total_games": 7}, ("hidden",))
    assert changed.total_games == 7 and settled(tmp_path, first, {}, ("hidden",)) == changed
    with pytest.raises(BadValue, match="hidden=4, which cannot change"):
        settled(tmp_path, first, {"hidden": 8}, ("hidden",))
    with pytest.raises(BadValue, match="holds a run of backgammon"):
        settled(tmp_path, td.Settings("nim"), {}, ())


def test_several_threads_put_together_what_they_learned(tmp_path):
    run = td.Run(tmp_path, td.Settings("backgammon", hidden=4, total_games=16), threads=2)
    before = [array.copy() for array in run.weights]
    run.work(60)
    assert run.games >= 16
    assert all((one != other).any() and np.isfinite(one).all() for one, other in zip(run.weights, before, strict=True))


def test_halving_tries_what_the_network_thinks_little_of():
    """Every action of the root is looked at once; PUCT never looks at one whose prior is next to nothing."""
    game = load("connect four")

    def judge(leaves):
        priors = np.where(leaves.actions == 0, 1.0, 1e-9)  # all for the first column
        return np.zeros((len(leaves.states), 2)), priors / priors.sum(1, keepdims=True)

    def visits(selection, simulations):
        search = MonteCarlo(game, selection=selection, evaluator=judge, exploration=0.6, urgency=0.1, batch=1)
        found = search.best(game.start(), Limits(simulations=simulations))
        assert found.facts["simulations"] == simulations
        return {choice.action: choice.visits for choice in found.choices}

    halved = visits("gumbel", 29)
    assert len(halved) == 7 and min(halved.values()) >= 1 and sum(halved.values()) == 28  # one for the root itself
    assert min(visits("puct", 29).values()) == 0
    assert visits("gumbel", 29) == halved
    with pytest.raises(BadValue, match="evaluator"):
        MonteCarlo(game, selection="gumbel")


def test_a_network_that_is_taken_up_says_what_it_said():
    torch = pytest.importorskip("torch")
    from outplay.learning.networks import Network, exported, settle, take_up

    source = nets.random_net("tic-tac-toe", planes=(2, 3, 3), actions=9, blocks=2, channels=8, seed=3, targets=9)
    net = Network(source.planes, source.actions, source.blocks, source.channels, source.targets)
    take_up(net, source)
    seen = np.random.default_rng(0).integers(0, 2, (64, 2, 3, 3)).astype(np.float32)
    settle(net, torch.from_numpy(seen))
    wanted = source.ask_plainly(seen)
    for found, said in zip(net.train()(torch.from_numpy(seen)), wanted, strict=True):  # as it is trained, by the batch's own means
        assert np.allclose(found.detach().numpy(), said, atol=1e-4)
    for found, said in zip(exported(net, source.game, {}).ask_plainly(seen[:5]), wanted, strict=True):  # and from its file
        assert np.allclose(found, said[:5], atol=0.05)
