"""Regrets in the textbook: known equilibria, the linear programs that prove them, and the engine, whose oracle this is."""

import pytest

from outplay.engine.regret.equilibrium import RegretSolver
from outplay.game import load
from outplay.textbook.best_response import best_response, exploitability, nash_conv
from outplay.textbook.cfr import VARIANTS, cfr
from outplay.textbook.fictitious_play import fictitious_play
from outplay.textbook.information import Tree
from outplay.textbook.mccfr import mccfr
from outplay.textbook.normal_form import normal_form, solve_matrix
from outplay.textbook.sequence_form import sequence_form

KUHN = load("kuhn poker")


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_engine_does_the_same_iterations(variant):
    """Thirty iterations of Kuhn poker: the same mixtures, value and exploitability."""
    slow = cfr(KUHN.start(), iterations=30, variant=variant)
    fast = RegretSolver(KUHN, variant)
    fast.advance(30)
    report = fast.report()
    assert slow.value == pytest.approx(report.value, abs=1e-9)
    assert slow.facts["exploitability"] == pytest.approx(report.exploitability, abs=1e-9)
    for _, view, mixture, _ in fast.table():
        expected = slow.facts["policy"].answers[view.text()]
        assert {view.action_text(action): share for action, share in mixture.items()} == pytest.approx(expected, abs=1e-9)


def test_the_linear_programs_agree():
    table = normal_form(KUHN.start())
    assert (len(table.entries), len(table.entries[0])) == (64, 64)
    pytest.importorskip("scipy")
    assert solve_matrix(table.entries)[0] == pytest.approx(-1 / 18)
    assert sequence_form(KUHN.start()).value == pytest.approx(-1 / 18)
    assert fictitious_play(table.entries, iterations=4000)[0] == pytest.approx(-1 / 18, abs=0.02)


def test_the_sequence_form_of_liars_dice_and_goofspiel_is_what_regrets_tend_to():
    pytest.importorskip("scipy")
    for name in ("liar's dice:dice=1,faces=3", "goofspiel:cards=3"):
        exact = sequence_form(load(name).start())
        assert exact.facts["exploitability"] < 1e-7
        report = RegretSolver(load(name), "cfr+").run(3000)
        assert report.value == pytest.approx(exact.value, abs=2 * report.exploitability + 1e-7)


def test_uniform_play_in_leduc_is_exploitable_as_published():
    tree = Tree(load("leduc poker").start())
    assert len(tree.sets) == 936
    assert nash_conv(tree, tree.uniform()) == pytest.approx(4.747222222, abs=1e-8)


def test_a_best_answer_answers():
    tree = Tree(KUHN.start())
    strategy = tree.uniform()
    value, answer = best_response(tree, strategy, 0)
    assert tree.values({**strategy, **answer})[tree.root][0] == pytest.approx(value)
    assert value == pytest.approx(0.5)


@pytest.mark.parametrize(("kind", "iterations", "most"), [("external", 4000, 0.08), ("outcome", 20_000, 0.12)])
def test_sampling(kind, iterations, most):
    result = mccfr(KUHN.start(), iterations=iterations, kind=kind, seed=2)
    assert result.facts["exploitability"] < most
    tree = Tree(KUHN.start())
    assert exploitability(tree, result.facts["strategy"]) == pytest.approx(result.facts["exploitability"])


def test_rock_paper_scissors():
    game = load("rock-paper-scissors")
    result = cfr(game.start(), iterations=300, variant="cfr+")
    assert result.value == pytest.approx(0, abs=1e-6)
    assert [choice.share for choice in result.choices] == pytest.approx([1 / 3] * 3, abs=1e-3)


def test_a_trace_tells_each_information_set():
    result = cfr(KUHN.start(), iterations=2, trace=True)
    told = [step for step in result.trace if step.event == "regrets"]
    assert len(told) == 2 * 12 and told[0].facts["iteration"] == 1 and sum(told[0].facts["plays"]) == pytest.approx(1)
