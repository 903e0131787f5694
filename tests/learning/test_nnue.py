"""NNUE: accumulators that equal a fresh computation, slopes that equal torch's, files, and a small run from games to a player."""

import json
import textwrap
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from outplay.errors import BadValue, Unsuitable
from outplay.evaluations.nnue import ONE, PART, Network, accumulators, random_network
from outplay.game import load
from outplay.game.compiled import CompiledGame
from outplay.games.chess import evaluation
from outplay.learning import nnue, nnue_cuda
from outplay.learning.positions import STEP, Positions, main, pack
from outplay.learning.recipes import learn
from outplay.players import player
from outplay.players.algorithms import best
from outplay.players.networks import judged_by, shipped

CHESS = random_network("chess", 768, hidden=8, buckets=8, seed=1)
ADDED = random_network("chess", 768, hidden=8, buckets=8, seed=2, added=True)
CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
PASSING = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
KINGS = "8/8/3pk3/8/8/5n2/3PK3/8 w - - 0 1"
PROMOTING = "1n2k3/P1P5/8/8/8/8/p1p5/1N2K3 w - - 0 1"

# Breakthrough of the examples with an evaluation, and with what a network sees: who stands on which square.
BREAKTHROUGH = textwrap.dedent('''
    from outplay.game import load
    from outplay.jit import f64, i16, i64
    from outplay.evaluations import Evaluation
    from outplay.evaluations.nnue import Nnue
    from outplay.rules import Derived, game

    def with_network(tools):
        clear, put, judged = tools.clear, tools.put, tools.judged

        class Learned(Steps):
            sums: Derived[i16, 2, 8]

            def refresh(self):
                for seat in range(2):
                    clear(self.sums, seat)
                    for square in range(25):
                        if self.board[square]:
                            put(self.sums, seat, self.input_of(seat, square))

            def play(self, action):
                self.step(action)
                self.refresh()

            def evaluate(self, seat, weights):
                points = f64(judged(self.sums, i64(self.turn), 0))
                return points if seat == self.turn else -points

        return Learned

    Breakthrough = load(EXAMPLE).rules.definition.maker

    class Steps(Breakthrough):
        evaluation = Evaluation(nnue=Nnue(50, 20, 1, with_network))
        scale = 10000.0
        stake = 100.0
        step = Breakthrough.play

        def input_of(self, seat, square):
            if seat == self.turn:
                return i64(square + 25 * (self.board[square] - 1))
            return i64(24 - square + 25 * (2 - self.board[square]))

        def nnue_inputs(self, seat, out):
            count = 0
            for square in range(25):
                if self.board[square]:
                    out[count] = self.input_of(seat, square)
                    count += 1
            return count

        def nnue_bucket(self):
            return 0

        def evaluate(self, seat, weights):
            points = 0.0
            for square in range(25):
                if self.board[square] == 1:
                    points += 100.0 + 10.0 * (square // 5)
                elif self.board[square] == 2:
                    points -= 100.0 + 10.0 * (4 - square // 5)
            return points if seat == self.turn else -points

        def forcing(self, out):
            return 0

    steps = game("steps")(Steps)
''').replace("EXAMPLE", repr(str(Path(__file__).parents[2] / "examples" / "breakthrough.py")))


@pytest.fixture(scope="module")
def steps(tmp_path_factory):
    file = tmp_path_factory.mktemp("steps") / "steps.py"
    file.write_text(BREAKTHROUGH)
    return str(file)


@pytest.fixture
def file(tmp_path):
    CHESS.save(tmp_path / "random.nnue")
    return tmp_path / "random.nnue"


# ---------------------------------------------------------------- files


def test_a_file_says_what_was_saved(file):
    read = Network.load(file)
    assert read.game == "chess" and read.shape == (768, 8, 8) and read.points == CHESS.points
    assert all(np.array_equal(getattr(read, name), getattr(CHESS, name)) for name in ("first", "last", "bias"))


def test_a_file_may_bring_the_weights_of_the_rules_own_evaluation(tmp_path):
    chess = load("chess")
    halved = replace(ADDED, weights=np.float32(0.5) * chess.default_weights().astype(np.float32))
    halved.save(tmp_path / "halved.nnue")
    read = Network.load(tmp_path / "halved.nnue")
    assert np.array_equal(read.weights, halved.weights) and read.checksum != ADDED.checksum
    assert np.array_equal(judged_by(read, chess).default_weights(), 0.5 * chess.default_weights())
    lone = "8/8/8/8/4k3/8/2R5/4K3 w - - 0 1"  # which the rules judge themselves
    whole, half = (judged_by(each, chess).position(lone).evaluate(0) for each in (ADDED, read))
    assert half == pytest.approx(whole / 2)
    with pytest.raises(Unsuitable, match="comes with 3 weights of chess's own evaluation, which has 1094"):
        judged_by(replace(ADDED, weights=np.ones(3)), chess)


@pytest.mark.parametrize("damage", ["cut", "flip", "foreign", "head", "sizes", "empty"])
def test_a_damaged_file_is_refused_in_one_line(file, damage):
    content = file.read_bytes()
    broken = {
        "cut": content[:-7],
        "flip": content[:-9] + bytes([content[-9] ^ 4]) + content[-8:],
        "foreign": b"GIF89a" + content,
        "head": content.replace(b'"inputs": 768', b'"inputs": "x"'),
        "sizes": content.replace(b'"hidden": 8', b'"hidden": 9'),
        "empty": b"",
    }[damage]
    file.write_bytes(broken)
    for refuse in (lambda: Network.load(file), lambda: best(load("chess").start(), f"net:{file}", nodes=10)):
        with pytest.raises(BadValue) as told:
            refuse()
        assert "\n" not in str(told.value)


def test_a_network_for_another_game_is_refused(file, tmp_path):
    with pytest.raises(Unsuitable, match="trained for chess, not for othello"):
        best(load("othello").start(), f"net:{file}", nodes=10)
    random_network("chess", 700, hidden=8, buckets=8, seed=1).save(tmp_path / "other.nnue")
    with pytest.raises(Unsuitable, match="700 inputs, not for chess with 768"):
        best(load("chess").start(), f"net:{tmp_path / 'other.nnue'}", nodes=10)


# ---------------------------------------------------------------- accumulators


@settings(max_examples=12, deadline=None)
@given(start=st.sampled_from(["", CASTLING, PASSING, PROMOTING, KINGS]), picks=st.lists(st.integers(0, 255), max_size=24),
       network=st.sampled_from([CHESS, ADDED]))
@example(start=CASTLING, picks=[], network=CHESS)
@example(start=KINGS, picks=[], network=ADDED)
def test_accumulators_follow_every_move(start, picks, network):
    # Castling to both sides, captures en passant, promotions with and without a capture, kings that cross the middle of the board:
    # all in the first plies of these positions.
    game = CompiledGame(judged_by(network, load("chess")).rules, compiled=False)
    position = game.position(start) if start else game.start()
    plies = [[action] for action in position.actions()] if start else []
    for line in [*plies, picks]:
        after = position
        for pick in line:
            actions = after.actions()
            if not actions:
                break
            after = after.result(pick if line in plies else actions[pick % len(actions)])
        check_accumulators(game, after, network)


def check_accumulators(game, position, network):
    kept, fresh, room = game.record(position.state), game.record(position.state), np.zeros(32, np.int64)
    with np.errstate(over="ignore"):
        fresh.refresh()
        seen = [room[: fresh.nnue_inputs(seat, room)].tolist() for seat in (int(kept.turn), 1 - int(kept.turn))]
        said = float(network.judge(*seen, int(fresh.nnue_bucket())))
        by_hand = evaluation.weighted(fresh, evaluation.default_weights())
        share = min(max((5 - abs(by_hand if network.added else said) / network.points) / 2, 0), 1)
        points = by_hand + share * said if network.added else share * said + (1 - share) * by_hand
        points = evaluation.tempered(fresh, by_hand if evaluation.is_bare(fresh) else points)
    assert np.array_equal(kept.sums, fresh.sums), position.text()
    assert position.evaluate(int(kept.turn)) == pytest.approx(points, abs=1e-9)


DRAUGHTS = {variant: random_network("checkers", 256, hidden=4, buckets=8, seed=3, added=variant != "russian")
            for variant in ("english", "russian", "frisian")}  # fmt: skip


@pytest.mark.parametrize("variant", DRAUGHTS)
def test_accumulators_follow_every_move_of_checkers(variant):
    # Steps, chains of jumps, crowned men, kings that fly; and what the network says of it, by other means.
    network, room = DRAUGHTS[variant], np.zeros(40, np.int64)
    by_hand = load(f"checkers:variant={variant}")
    game, source = CompiledGame(judged_by(network, by_hand).rules, compiled=False), np.random.default_rng(1)
    position, kings = game.start(), 0
    for _ in range(90):
        actions = position.actions()
        if not actions:
            break
        position = position.result(actions[source.integers(len(actions))])
        kept, fresh = game.record(position.state), game.record(position.state)
        with np.errstate(over="ignore"):
            fresh.refresh()
            seen = [room[: fresh.nnue_inputs(seat, room)].tolist() for seat in (int(kept.turn), 1 - int(kept.turn))]
            said, own = network.judge(*seen, int(fresh.nnue_bucket())), by_hand.position(position.text()).evaluate(int(kept.turn))
        share = min(max((5 - abs(own if network.added else said) / network.points) / 2, 0), 1)
        points = own + share * said if network.added else share * said + (1 - share) * own
        assert np.array_equal(kept.sums, fresh.sums), position.text()
        assert position.evaluate(int(kept.turn)) == pytest.approx(points, abs=1e-6)
        kings += int(kept.kings) != 0
    assert kings


def test_both_sides_of_checkers_see_the_same_things():
    checkers, room, other = load("checkers"), np.zeros(24, np.int64), np.zeros(24, np.int64)
    one = checkers.record(checkers.position("B:W23,K31:B1,K5,14").state)
    two = checkers.record(checkers.position("W:W32,K28,19:B10,K2").state)
    for seat in (0, 1):
        with np.errstate(over="ignore"):
            first, second = one.nnue_inputs(seat, room), two.nnue_inputs(1 - seat, other)
        assert sorted(room[:first]) == sorted(other[:second])


@pytest.mark.parametrize("text", ["8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "8/8/8/3k4/8/8/8/KR6 b - - 0 1"])
def test_a_lone_king_is_judged_by_the_rules_themselves(text):
    by_hand = load("chess").position(text)
    for network in (CHESS, ADDED):
        game = CompiledGame(judged_by(network, load("chess")).rules, compiled=False)
        assert game.position(text).evaluate(0) == by_hand.evaluate(0)


def test_a_mirrored_position_is_the_same_to_a_network():
    chess, room, other = load("chess"), np.zeros(32, np.int64), np.zeros(32, np.int64)
    one = chess.record(chess.position("r4rk1/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 w - - 0 1").state)
    two = chess.record(chess.position("1kr4r/1bpqpp1p/1pnp2nb/3NP3/3P2p1/p1Q2N2/PPPBBPPP/1KR4R w - - 0 1").state)
    for seat in (0, 1):
        assert sorted(room[: one.nnue_inputs(seat, room)]) == sorted(other[: two.nnue_inputs(seat, other)])


def test_the_two_sides_see_the_same_things():
    # The board turned round and the colours changed: White sees now what Black saw.
    chess, room, other = load("chess"), np.zeros(32, np.int64), np.zeros(32, np.int64)
    one = chess.record(chess.position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1").state)
    two = chess.record(chess.position("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1").state)
    for seat in (0, 1):
        first, second = one.nnue_inputs(seat, room), two.nnue_inputs(1 - seat, other)
        assert sorted(room[:first]) == sorted(other[:second])


def test_networks_of_two_widths_keep_apart_in_one_process():
    narrow = random_network("chess", 768, hidden=4, buckets=8, seed=5, points=150)
    for network in (CHESS, narrow, CHESS):
        record = load("chess").record(load("chess").position(KINGS).state)
        rows = [np.zeros(32, np.int64) for _ in range(2)]
        seen = [rows[seat][: record.nnue_inputs(seat, rows[seat])] for seat in range(2)]
        said = network.judge(*seen, record.nnue_bucket())
        assert judged_by(network, load("chess")).position(KINGS).evaluate(0) == pytest.approx(said, abs=0.5)


def test_the_engine_judges_chess_by_the_network_that_comes_with_it():
    position = load("chess").position("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    by_network = "engine:pvs,net=chess"
    found = {name: best(position, name, nodes=1500) for name in ("engine", "auto", "net:chess", by_network)}
    assert {(each.value, each.algorithm) for each in found.values()} == {(found["engine"].value, by_network)}
    by_hand = best(position, "engine:pvs", nodes=1500)
    assert by_hand.algorithm == "engine:pvs" and by_hand.value != found["engine"].value
    assert best(position, "engine:weights=material", nodes=1500).value != found["engine"].value
    network = Network.load(shipped()["chess"])
    assert network.added and network.shape == (768, 64, 8) and len(network.weights) == 1094


def test_chess_plays_with_a_network_and_sees_a_mate(file):
    position = load("chess").position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    assert position.action_text(player(f"net:{file},nodes=400").choose(position)) == "d1d8"


# ---------------------------------------------------------------- learning


def some_positions(count=40, most=6, inputs=12):
    source = np.random.default_rng(5)
    mine, theirs = (np.stack([source.permutation(inputs + 1)[:most] for _ in range(count)]).astype(np.int32) for _ in range(2))
    for seen in (mine, theirs):
        for row in seen:  # behind the first that is none, all are none
            row[np.cumsum(row == inputs) > 0] = inputs
    known, shares, wanted = (source.random(count).astype(np.float32) for _ in range(3))
    return mine, theirs, source.integers(0, 2, count).astype(np.int32), known, shares, wanted


def test_slopes_are_those_of_torch():
    torch = pytest.importorskip("torch")
    weights = nnue.Weights.random(12, 4, 2, seed=3)
    for array in weights:
        array += np.random.default_rng(4).uniform(-0.4, 0.4, array.shape).astype(np.float32)
    mine, theirs, buckets, known, shares, wanted = some_positions()
    slopes = nnue.Weights.zeros(12, 4, 2)
    errors = nnue.add_slopes(weights, mine, theirs, buckets, known, shares, wanted, slopes, np.zeros((2, 4), np.float32))
    first, last, bias = (torch.tensor(array, requires_grad=True) for array in weights)
    rows = torch.cat([first[:-1], torch.zeros(1, 4)])
    sums = torch.cat([rows[torch.tensor(seen).long()].sum(1) + first[-1] for seen in (mine, theirs)], 1)
    at = torch.tensor(buckets).long()
    total = (sums.clamp(0, 1) ** 2 * last[at]).sum(1) + bias[at]
    said = torch.sigmoid(torch.tensor(known) + torch.tensor(shares) * total)
    loss = ((said - torch.tensor(wanted)) ** 2).sum()
    loss.backward()
    assert errors == pytest.approx(loss.item(), rel=1e-5)
    for found, array in zip(slopes, (first, last, bias), strict=True):
        np.testing.assert_allclose(found, array.grad.numpy(), atol=2e-5)


def test_adam_takes_the_steps_of_torch():
    torch = pytest.importorskip("torch")
    weights, means, squares = (np.zeros(3, np.float32) for _ in range(3))
    theirs = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.Adam([theirs], lr=0.1)
    for number, slopes in enumerate(([1.0, -2.0, 0.5], [0.3, 1.0, -4.0], [0.0, 0.1, 2.0]), start=1):
        theirs.grad = torch.tensor(slopes)
        optimizer.step()
        given = np.array(slopes, np.float32)
        nnue.step_down(weights, given, means, squares, np.float32(0.1), number, np.float32(5.0))
        assert not given.any()
    np.testing.assert_allclose(weights, theirs.detach().numpy(), atol=1e-5)


def test_whole_numbers_say_nearly_what_floats_said():
    weights = nnue.Weights.random(768, 32, 8, seed=2)
    weights.first[:] *= 3
    weights.last[:] *= 8
    network = nnue.quantized(weights, "chess", 300.0, {})
    source = np.random.default_rng(1)
    for _ in range(20):
        mine, theirs = source.permutation(768)[:20], source.permutation(768)[:20]
        sums = np.concatenate([weights.first[-1] + weights.first[seen].sum(0) for seen in (mine, theirs)])
        units = np.clip(sums, 0, 1) ** 2
        # Half a part of each weight of the last layer, and half of one of each of 21 rows below it.
        bound = 300 * (units.sum() * 0.5 / PART + np.abs(weights.last[0]).sum() * 2 * 21 * 0.5 / ONE) + 2
        assert abs(network.judge(mine, theirs) - 300 * float(units @ weights.last[0])) <= bound


def test_a_small_run_learns_resumes_and_plays(steps, tmp_path):
    run = tmp_path / "run"
    given = ["hidden=8", "nodes=40", "random_plies=3", "batch=256", "rate=0.01", "total_seconds=4", "play_share=0.25"]
    learn(steps, str(run), recipe="nnue", seconds=2.0, settings=given, match_games=0)
    game = load(steps)
    stored = Positions(run / "positions.bin", game)
    before = len(stored)
    assert before > 100
    assert set(np.unique(stored.all()["result"])) <= {0, 50, 100}
    states = stored.states(stored.all()[:50])
    assert all(1 <= np.count_nonzero(state.board == 1) <= 10 and not state.is_terminal() for state in states)
    with (run / "positions.bin").open("ab") as torn:
        torn.write(b"torn")  # killed as it wrote: what is not whole is dropped
    report = learn(steps, str(run), recipe="nnue", seconds=2.0, match_games=0)
    assert 0 < report["updates"] <= 6 * report["positions"] / 256 + 1 and len(stored) >= before  # six `epochs`
    lines = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    assert lines[-1]["updates"] >= lines[0]["updates"] and (run / "index.html").exists()
    network = Network.load(run / "network.nnue")
    assert network.trained["recipe"] == "nnue" and network.shape == (50, 8, 1)
    position = game.position(game.start().text())
    assert player(f"net:{run / 'network.nnue'},nodes=200").choose(position) in position.actions()


def test_packed_games_are_played_again_to_the_same_positions(steps, tmp_path, capsys):
    run, other, file = tmp_path / "run", tmp_path / "other", tmp_path / "packed.bin"
    given = ["hidden=4", "nodes=30", "random_plies=3", "play_share=1"]
    report = learn(steps, str(run), recipe="nnue", seconds=0.5, settings=given, match_games=0)
    assert report["updates"] == 0 < report["positions"]  # games alone
    assert main(["pack", str(run), str(file), "--game", steps]) == 0
    assert main(["unpack", str(other), str(file), "--game", steps]) == 0
    for name in ("positions.bin", "games.bin"):
        assert (run / name).read_bytes() == (other / name).read_bytes()
    assert 4 * file.stat().st_size < (run / "positions.bin").stat().st_size
    played = np.fromfile(run / "games.bin", STEP)
    assert 0 < len(pack(played, 100)) < 100  # the room that there is
    file.write_bytes(file.read_bytes()[:-3])
    assert main(["unpack", str(other), str(file), "--game", steps]) == 2 and "is damaged" in capsys.readouterr().err
    file.write_bytes(pack(np.concatenate([played[:1], played]), 1 << 20))  # a game that is none
    assert main(["unpack", str(other), str(file), "--game", "chess"]) == 2


@pytest.mark.parametrize("hidden", [8, 300, 512])
def test_the_largest_sums_do_not_overflow(hidden):
    rows = np.full((3, hidden), ONE, np.int16)
    last = np.full((1, 2 * hidden), 127, np.int16)
    wide = Network("tic-tac-toe", np.zeros((19, hidden), np.int16), last, np.zeros(1, np.int32), 100)
    sums = accumulators(wide).judged(rows[:2], 0, 0)
    assert sums == ONE * 2 * hidden * 127 * 100 // (ONE * PART)


def test_a_network_teaches_the_next_one(steps, tmp_path, monkeypatch):
    first = random_network("steps", 50, hidden=8, buckets=1, seed=3, points=400)
    first.save(tmp_path / "first.nnue")
    given = nnue.Settings(steps, hidden=12, nodes=20, random_plies=3, added=0, points=200.0, teacher=str(tmp_path / "first.nnue"))
    run, plain = nnue.Run(tmp_path / "run", given), nnue.Run(tmp_path / "plain", replace(given, teacher="", added=1))
    assert run.judge.start().evaluate(0) != run.game.start().evaluate(0)
    list(plain.play(0.1))
    stored = plain.positions.all()[:200]
    asked = []

    class Instead:  # of a search that would have to be compiled for the network
        def __init__(self, game, *rest):
            asked.append(game)

        def piece(self, games):
            return games, stored, np.zeros(0, STEP)

    monkeypatch.setattr(nnue, "Generator", Instead)
    list(run.play(0.0))
    assert asked == [run.judge] and len(run.positions) >= len(stored)
    run.prepare()
    np.testing.assert_allclose(ONE * run.weights.first[:, :8], first.first, atol=1e-3)
    sides = run.weights.last[0, :8], run.weights.last[0, 12:20]
    np.testing.assert_allclose(PART * np.concatenate(sides), 2 * first.last[0], atol=1e-3)  # 400 points as parts of 200
    seen, said = run.seen(run.learned[:50]), np.zeros(50)
    nnue._judge_all(run.weights, *seen[:3], run.room[0], said)
    rows = [(mine[mine < 50], theirs[theirs < 50]) for mine, theirs in zip(seen.mine, seen.theirs, strict=True)]
    np.testing.assert_allclose(200 * said, [first.judge(*row) for row in rows], atol=2)
    with pytest.raises(BadValue, match=r"none\.nnue"):
        nnue.Run(tmp_path / "other", replace(given, teacher=str(tmp_path / "none.nnue")))


def test_the_rules_own_weights_are_fitted_to_what_the_search_said(tmp_path):
    chess, source = load("chess"), np.random.default_rng(4)
    run = nnue.Run(tmp_path, nnue.Settings("chess", hidden=4, tuned=600, points=200.0, trace=0.0, result_share=0.0))
    records, wanted = np.zeros(600, run.positions.packed), evaluation.material_only()
    position = chess.start()
    for number in range(len(records)):
        position = position.result(position.actions()[source.integers(len(position.actions()))])
        if not position.actions() or number % 60 == 59:
            position = chess.start().play("e2e4")
        state = np.frombuffer(position.state, chess.rules.layout)[0]
        for name in run.positions.packed.names[:-4]:
            records[name][number] = state[name]
        records["value"][number] = round(position.evaluate(position.player(), wanted))
        records["ply"][number], records["seat"][number] = number % 60, position.player()
    run.positions.add(records)
    run.prepare()
    said, before = (np.zeros(len(records)) for _ in range(2))
    states = run.positions.states(records)
    nnue._judge(states, run.own, said)
    nnue._judge(states, np.array(chess.default_weights()), before)
    missed = [float(np.mean((nnue.sigmoid(each / 200) - run.wanted) ** 2)) for each in (said, before)]
    assert missed[0] < missed[1] / 4
    assert np.array_equal(np.float32(run.own), run.network().weights)


def test_a_step_of_learning_depends_on_its_number_alone(steps, tmp_path):
    runs = []
    for name, threads in (("one", 1), ("two", 1), ("three", 2)):
        run = nnue.Run(tmp_path / name, nnue.Settings(steps, hidden=4, nodes=20, random_plies=3, batch=64), threads=threads)
        if name == "one":
            list(run.play(0.1))
            content = (tmp_path / "one" / "positions.bin").read_bytes()
        (tmp_path / name / "positions.bin").write_bytes(content)
        run.prepare()
        for step in range(6):
            if name == "two" and step == 3:  # stopped and gone on
                run.save()
                run = nnue.Run(tmp_path / name, nnue.Settings(steps, hidden=4, nodes=20, random_plies=3, batch=64))
                run.prepare()
            run.learn()
        runs.append(run)
    for mine, other, threaded in zip(*(run.weights for run in runs), strict=True):
        assert np.array_equal(mine, other)
        np.testing.assert_allclose(mine, threaded, atol=1e-4)  # the sums of two threads are added in another order


def test_later_values_count_as_in_td_lambda():
    # Two games: values of plies 4, 5 and 8 and a win for seat 0, then one position of seat 1, drawn.
    chances, results = np.array([0.6, 0.3, 0.8, 0.9]), np.array([1.0, 0.0, 1.0, 0.5])
    nnue._trace(chances, results, np.array([4, 5, 8, 2], np.uint8), np.array([0, 1, 0, 1], np.uint8), 0.5)
    third = 0.5 * 0.8 + 0.5 * 1.0
    second = (1 - 0.5**3) * 0.7 + 0.5**3 * third
    np.testing.assert_allclose(chances, [0.5 * 0.6 + 0.5 * second, 1 - second, third, 0.5 * 0.9 + 0.5 * 0.5])


def test_a_step_of_torch_is_that_of_the_kernels(steps, tmp_path):
    torch = pytest.importorskip("torch")
    given = nnue.Settings(steps, hidden=4, nodes=20, random_plies=3, batch=64, points=200.0)
    run = nnue.Run(tmp_path / "run", given)
    list(run.play(0.1))
    run.prepare()
    run.weights.last[:] = np.random.default_rng(1).uniform(-0.5, 0.5, run.weights.last.shape)
    far = nnue_cuda.Learner(run, "cpu")
    far.step(0, 0, 64, 0.01)
    chosen = torch.randint(len(run.learned), (64,), generator=torch.Generator().manual_seed(0)).numpy()
    seen = run.seen(run.learned[chosen])
    errors = nnue.add_slopes(run.weights, *seen[:6], run.slopes[0], run.room[0])
    before = [array.copy() for array in run.weights]
    for weights, slopes, means, squares, most in zip(run.weights, run.slopes[0], run.means, run.squares, nnue.MOST, strict=True):
        flat = (each.reshape(-1) for each in (weights, slopes / 64, means, squares))
        nnue.step_down(*flat, np.float32(0.01), 1, np.float32(most))
    moved = [array.copy() for array in run.weights]
    assert far.fetch() == pytest.approx(errors / 64, rel=1e-4)
    for old, mine, theirs, slopes in zip(before, moved, run.weights, run.slopes[0], strict=True):
        firm = np.abs(slopes) > 1e-3  # Adam's first step is the sign of a slope: nothing firm where that is all but 0
        assert np.abs(mine - old).max() > 0.005
        np.testing.assert_allclose(mine[firm], theirs[firm], atol=1e-5)


def test_what_cannot_be_learned_so_is_refused(tmp_path):
    with pytest.raises(Unsuitable, match="connect four does not"):
        learn("connect four", str(tmp_path / "four"), recipe="nnue", seconds=1.0, match_games=0)
    with pytest.raises(BadValue, match="hidden must be from 1 to 512, got 4000"):
        learn("chess", str(tmp_path / "chess"), recipe="nnue", seconds=1.0, settings=["hidden=4000"], match_games=0)
