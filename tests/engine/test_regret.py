"""Regret minimization: published values, OpenSpiel's, and the exactness of what the reports say."""

from pathlib import Path

import numpy as np
import pytest

from outplay.engine.regret.equilibrium import ALGORITHMS, RegretSolver, evaluate, rows, uniform_shares
from outplay.engine.regret.sampling import SampledSolver
from outplay.engine.regret.tree import build
from outplay.errors import OutplayError, Unsuitable
from outplay.game import load
from outplay.players import player

KUHN, LEDUC = load("kuhn poker"), load("leduc poker")


@pytest.fixture(scope="module")
def leduc():
    return build(LEDUC)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_kuhn_is_worth_minus_one_eighteenth(algorithm):
    report = RegretSolver(KUHN, algorithm).run(20_000)
    assert report.value == pytest.approx(-1 / 18, abs=1e-4)
    assert 0 <= report.exploitability < 2e-4


def test_the_family_of_equilibria_of_kuhn():
    """Betting the jack a third as often as the king, never betting the queen: Kuhn's own solution."""
    solver = RegretSolver(KUHN)
    solver.advance(20_000)
    mixtures = {view.text(): mixture for _, view, mixture, _ in solver.table()}
    jack = mixtures["J?"][1]
    assert 0 <= jack <= 1 / 3 + 0.01
    assert mixtures["K?"][1] == pytest.approx(3 * jack, abs=0.02)
    assert mixtures["Q?"][1] < 0.01
    assert mixtures["Q? pb"][1] == pytest.approx(jack + 1 / 3, abs=0.02)
    assert mixtures["?J p"][1] == pytest.approx(1 / 3, abs=0.02)
    assert mixtures["?Q b"][1] == pytest.approx(1 / 3, abs=0.02)


def test_leduc_has_936_information_sets_and_its_value(leduc):
    assert (leduc.information_sets, leduc.nodes) == (936, 9457)
    report = RegretSolver(LEDUC, "cfr+", tree=leduc).run(6000)
    assert report.value == pytest.approx(-0.085606424078, abs=5e-6)
    assert report.exploitability < 5e-5


@pytest.mark.parametrize(("game", "nash_conv"), [(KUHN, 11 / 12), (LEDUC, 4.747222222)])
def test_uniform_play_is_exploitable_as_published(game, nash_conv):
    tree = build(game)
    values, best = evaluate(tree, uniform_shares(tree))
    assert sum(best) - sum(values) == pytest.approx(nash_conv, abs=1e-9)


@pytest.mark.parametrize(("name", "spiel"), [
    ("liar's dice:dice=1,faces=3", "liars_dice(numdice=1,dice_sides=3)"),
    ("goofspiel:cards=3", "turn_based_simultaneous_game(game=goofspiel(num_cards=3,points_order=random))"),
])
def test_values_are_open_spiels(name, spiel):
    pyspiel = pytest.importorskip("pyspiel")
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(spiel))
    for _ in range(200):
        solver.evaluate_and_update_policy()
    game = pyspiel.load_game(spiel)
    theirs = pyspiel.expected_returns(game.new_initial_state(), solver.average_policy(), -1, True)[0]
    slack = pyspiel.exploitability(game, solver.average_policy())
    report = RegretSolver(load(name), "cfr+").run(2000)
    assert abs(report.value - theirs) < 2 * slack + 2 * report.exploitability + 1e-9


def test_each_iteration_is_open_spiels():
    """Plain CFR on Kuhn with alternating updates: the same average strategy after 50 iterations, to the last digits."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("kuhn_poker")
    theirs = pyspiel.CFRSolver(game)
    ours = RegretSolver(KUHN, "cfr")
    for _ in range(50):
        theirs.evaluate_and_update_policy()
        ours.advance(1)
    value = pyspiel.expected_returns(game.new_initial_state(), theirs.average_policy(), -1, True)[0]
    assert ours.report().value == pytest.approx(value, abs=1e-9)
    assert ours.report().nash_conv == pytest.approx(pyspiel.nash_conv(game, theirs.average_policy()), abs=1e-9)


def test_rock_paper_scissors():
    solver = RegretSolver(load("rock-paper-scissors"))
    report = solver.run(3000)
    assert report.value == pytest.approx(0, abs=1e-3)
    for _, _, mixture, _ in solver.table():
        assert list(mixture.values()) == pytest.approx([1 / 3] * 3, abs=0.01)


def test_reach_adds_up(leduc):
    """The first player moves first in every deal: its six first information sets are reached with certainty together."""
    table = list(rows(leduc, uniform_shares(leduc)))
    assert len(table) == 936
    first = [probability for player, view, _, probability in table if player == 0 and len(view.text().split()) == 2]
    assert len(first) == 6 and sum(first) == pytest.approx(1)
    assert all(sum(mixture.values()) == pytest.approx(1) for _, _, mixture, _ in table)


def test_checkpoints_resume_exactly(tmp_path, leduc):
    whole = RegretSolver(LEDUC, "discounted", tree=leduc)
    whole.advance(60)
    half = RegretSolver(LEDUC, "discounted", tree=leduc)
    half.advance(30)
    half.save(tmp_path / "half.npz")
    again = RegretSolver(LEDUC, "discounted", tree=leduc)
    again.resume(tmp_path / "half.npz")
    again.advance(30)
    assert again.iterations == 60 and all(np.array_equal(a, b) for a, b in zip(again.sums, whole.sums, strict=True))
    with pytest.raises(OutplayError, match="saved for leduc poker, not for kuhn poker"):
        RegretSolver(KUHN, "discounted").resume(tmp_path / "half.npz")
    (tmp_path / "half.npz").write_bytes(b"nonsense")
    with pytest.raises(OutplayError, match="no checkpoint"):
        again.resume(tmp_path / "half.npz")


@pytest.mark.parametrize(("algorithm", "iterations", "most"), [("external", 60_000, 0.012), ("outcome", 400_000, 0.03)])
def test_sampling_tends_to_the_same_equilibrium(algorithm, iterations, most):
    report = SampledSolver(KUHN, algorithm, seed=3).run(iterations)
    assert report.value == pytest.approx(-1 / 18, abs=0.01) and report.exploitability < most
    assert report.information_sets == 12


def test_outcome_sampling_is_unbiased():
    """From no regrets at all, the regrets that many single plays add up to are those of one whole iteration."""
    exact = RegretSolver(KUHN, "cfr")
    exact.advance(1)
    known = {int(key): (int(first), int(count)) for key, first, count in
             zip(exact.tree.keys[0], exact.tree.firsts[0], exact.tree.counts[0], strict=True)}
    total: dict[int, np.ndarray] = {}
    plays = 3000
    for seed in range(plays):
        solver = SampledSolver(KUHN, "outcome", seed=seed, memory=0.01)
        solver.advance(1)
        for info in solver.infos[: int(solver.control["infos"][0])]:
            if int(info["player"]) == 0:
                first, count = int(info["first"]), int(info["count"])
                total[int(info["key"])] = total.get(int(info["key"]), 0) + solver.regrets[first : first + count]
    for key, (first, count) in known.items():
        assert total[key] / plays == pytest.approx(exact.regrets[0][first : first + count], abs=0.12)


def test_sampled_checkpoints_resume_exactly(tmp_path):
    whole = SampledSolver(KUHN, "external", seed=5, memory=1)
    whole.advance(400)
    half = SampledSolver(KUHN, "external", seed=5, memory=1)
    half.advance(200)
    half.save(tmp_path / "half.npz")
    again = SampledSolver(KUHN, "external", seed=9, memory=1)
    again.resume(tmp_path / "half.npz")
    again.advance(200)
    assert again.iterations == 400 and np.array_equal(again.regrets, whole.regrets) and np.array_equal(again.sums, whole.sums)


def test_three_players_come_without_a_promise():
    report = RegretSolver(load(str(Path(__file__).parent / "three_card_guess.py")), "cfr+").run(300)
    assert not report.promise and len(report.values) == 3 and sum(report.values) == pytest.approx(0, abs=1e-9)
    assert report.nash_conv < 0.05


def test_a_policy_is_saved_played_and_refused_elsewhere(tmp_path):
    solver = RegretSolver(KUHN)
    solver.advance(3000)
    solver.policy().save(tmp_path / "kuhn.json")
    mixed = player(f"policy:{tmp_path / 'kuhn.json'}", seed=1)
    position = KUHN.start().play("J K pass bet")
    assert {mixed.choose(position) for _ in range(200)} == {0}  # a jack never calls
    asked = KUHN.start().play("K J pass")
    drawn = [mixed.choose(asked) for _ in range(3000)]
    assert sum(drawn) / 3000 == pytest.approx(1 / 3, abs=0.03)  # a bluff one time in three
    assert {choice.share for choice in mixed.last.choices} == set(mixed.shares(asked.observe(1)).values())
    with pytest.raises(OutplayError, match="for kuhn poker, not for leduc poker"):
        mixed.choose(LEDUC.start().play("Kh Js"))


def test_no_strategy_uses_what_it_cannot_see(tmp_path):
    """Exchanging the hidden cards changes nothing that a policy plays."""
    solver = RegretSolver(KUHN)
    solver.advance(500)
    policy = solver.policy()
    for mine, *others in (("J", "Q", "K"), ("Q", "J", "K"), ("K", "J", "Q")):
        for moves in ("", "pass bet"):
            shares = [policy.shares(KUHN.start().play(f"{mine} {other} {moves}")) for other in others]
            assert shares[0] == shares[1] and shares[0]


def test_refusals():
    with pytest.raises(Unsuitable, match="hides nothing"):
        RegretSolver(load("tic-tac-toe"))
    with pytest.raises(OutplayError, match="did you mean"):
        RegretSolver(KUHN, "cfrp")
    with pytest.raises(OutplayError, match="more than"):
        build(load("goofspiel:cards=6"), memory=8)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_threads_change_not_a_bit_over_the_tree(leduc, algorithm):
    alone, together = (RegretSolver(LEDUC, algorithm, tree=leduc, threads=threads) for threads in (1, 3))
    for solver in (alone, together):
        solver.advance(20)
        solver.advance(13)
    for p in range(2):
        assert np.array_equal(alone.regrets[p], together.regrets[p]) and np.array_equal(alone.sums[p], together.sums[p])


@pytest.mark.parametrize("algorithm", ("external", "outcome"))
def test_threads_that_sample_share_one_table(algorithm):
    solver = SampledSolver(LEDUC, algorithm, seed=3, threads=4)
    report = solver.run(20_000)
    known = report.information_sets
    assert 900 <= known <= 936 and known == len(solver.mixtures()) and solver.iterations == 20_000
    assert sorted(solver.slots[solver.slots != -1]) == list(range(known))
    alone = SampledSolver(LEDUC, algorithm, seed=3).run(20_000)
    assert report.exploitability < 2 * alone.exploitability


def test_threads_are_refused_where_they_cannot_help():
    with pytest.raises(OutplayError, match="threads must be 1 or more, got 0"):
        SampledSolver(KUHN, threads=0)
    with pytest.raises(OutplayError, match="in games of two players; hold'em:seats=3 has 3"):
        RegretSolver(load("hold'em:seats=3"), threads=2)
