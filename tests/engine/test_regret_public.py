"""The public tree: the same iterations as over the flat tree, for every game that says what its private hands are."""

import json

import numpy as np
import pytest

from outplay.cli.app import run
from outplay.conformance import check_game
from outplay.engine.regret import public as regret_public
from outplay.engine.regret.equilibrium import RegretSolver, evaluate, shares_of, solver_for
from outplay.engine.regret.public import PublicSolver
from outplay.engine.regret.public_tree import build
from outplay.errors import OutplayError, RulesError
from outplay.game import CompiledGame, load
from outplay.jit import i8
from outplay.rules import game

GAMES = ("kuhn poker", "leduc poker", "push or fold:stack=8", "liar's dice:faces=3", "liar's dice:dice=2,faces=2")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "discounted", "linear"])
def test_vectors_of_hands_and_the_flat_tree_do_the_same(name, algorithm):
    """Few iterations: where regrets cancel exactly, roundings grow with time."""
    public, flat = PublicSolver(load(name), algorithm), RegretSolver(load(name), algorithm)
    for solver in (public, flat):
        solver.advance(6)
    ours, theirs = public.report(), flat.report()
    assert ours.values == pytest.approx(theirs.values, abs=1e-9) and ours.responses == pytest.approx(theirs.responses, abs=1e-9)
    assert ours.information_sets == theirs.information_sets and ours.nodes < theirs.nodes
    assert (ours.form, theirs.form) == ("public", "flat")


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "discounted"])
def test_parts_do_the_same_and_threads_change_not_a_bit(algorithm, monkeypatch):
    """A large tree is cut below its first open cards, and the parts may go to several threads."""
    whole = PublicSolver(load("leduc poker"), algorithm)
    monkeypatch.setattr(regret_public, "LARGE", 1)
    alone, together = (PublicSolver(load("leduc poker"), algorithm, tree=whole.tree, threads=threads) for threads in (1, 3))
    assert len(whole._parts.cut.roots) == 1 and len(alone._parts.cut.roots) > 10 and together.threads == 3
    for solver in (whole, alone, together):
        solver.advance(3)
        solver.advance(3)
    assert alone.report().values == pytest.approx(whole.report().values, abs=1e-9)
    assert alone.report().responses == pytest.approx(whole.report().responses, abs=1e-9)
    assert (alone.sums == together.sums).all() and (alone.regrets == together.regrets).all()
    with pytest.raises(OutplayError, match="threads must be 1 or more, got 0"):
        PublicSolver(load("leduc poker"), tree=whole.tree, threads=0)


def test_the_tables_of_both_forms_are_the_same():
    public, flat = PublicSolver(load("leduc poker"), "cfr"), RegretSolver(load("leduc poker"), "cfr")
    for solver in (public, flat):
        solver.advance(5)
    rows = [{(player, view.text()): (mixture, reach) for player, view, mixture, reach in solver.table()}
            for solver in (public, flat)]
    assert rows[0].keys() == rows[1].keys() and len(rows[0]) == 936
    for key, (mixture, reach) in rows[0].items():
        assert reach == pytest.approx(rows[1][key][1], abs=1e-12)
        assert mixture == pytest.approx(rows[1][key][0], abs=1e-9)


@pytest.mark.parametrize("name", ["kuhn poker", "leduc poker"])
def test_sorted_hands_meet_as_in_tables(name):
    trees = [build(load(name), sort=each) for each in (True, False)]
    assert trees[0].is_sorted and not trees[1].is_sorted and trees[0].information_sets == trees[1].information_sets
    reports = []
    for tree in trees:
        solver = PublicSolver(load(name), "cfr", tree=tree)
        solver.advance(6)
        reports.append(solver.report())
        assert sum(reach for player, _, _, reach in solver.table() if player == 0) > 0.99
    assert reports[0].values == pytest.approx(reports[1].values, abs=1e-9)
    assert reports[0].responses == pytest.approx(reports[1].responses, abs=1e-9)


def test_known_values():
    for name, value in (("kuhn poker", -1 / 18), ("leduc poker", -0.085606424078)):
        report = PublicSolver(load(name), "cfr+").run(5000)
        assert report.value == pytest.approx(value, abs=2e-4) and report.exploitability < 1e-3


def test_policies_of_the_public_tree_are_measured_by_the_flat_one():
    solver = PublicSolver(load("leduc poker"), "cfr+")
    report = solver.run(300)
    flat = RegretSolver(load("leduc poker")).tree
    values, best = evaluate(flat, shares_of(flat, solver.policy()))
    assert values == pytest.approx(report.values, abs=1e-9) and best == pytest.approx(report.responses, abs=1e-9)
    numbers = solver.numbers_of(solver.policy().shares)
    assert solver.evaluate(numbers)[1] == pytest.approx(best, abs=1e-9)


def test_the_rest_of_a_game_from_ranges():
    """In Kuhn poker after pass and bet: against jacks and kings alike, a queen may call or fold; against jacks alone it calls."""
    game = load("kuhn poker")
    position = game.start().play("Q J pass bet")
    bluffs = PublicSolver(game, position=position, ranges=[np.array([0, 1, 0]), np.array([1, 0, 0])])
    bluffs.advance(200)
    (_, view, mixture, reach), *_ = bluffs.table()
    assert view.text() == "Q? pb" and mixture[1] > 0.95 and reach == pytest.approx(1)
    assert bluffs.report().value == pytest.approx(2, abs=0.05)
    with pytest.raises(OutplayError, match="held together"):
        build(game, position, [np.array([0, 1, 0]), np.array([0, 1, 0])])


def test_the_command_takes_the_public_tree_by_itself(capsys, tmp_path):
    file = tmp_path / "going.npz"
    assert run(["equilibrium", "kuhn poker", "--iterations", "500", "--checkpoint", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["form"] == "public" and found["nodes"] == 9 and found["information_sets"] == 12
    assert run(["equilibrium", "kuhn poker", "--iterations", "5", "--form", "flat", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["form"] == "flat"
    assert run(["equilibrium", "kuhn poker", "--iterations", "5", "--checkpoint", str(file)]) == 0
    assert "public tree of 9 states with vectors of 3 hands" in capsys.readouterr().out
    assert run(["equilibrium", "kuhn poker", "--form", "flat", "--checkpoint", str(file)]) != 0
    assert "public tree" in capsys.readouterr().err
    assert run(["equilibrium", "kuhn poker", "--form", "pubic"]) != 0
    assert "public" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "form"), [("rock-paper-scissors", "public"), ("hold'em:seats=3", "public")])
def test_games_without_private_hands_are_refused(name, form):
    with pytest.raises(OutplayError, match="hold"):
        solver_for(load(name), "cfr+", form=form)


def test_a_promise_that_is_broken_is_told():
    @game("peeking")
    class Peeking:
        """Whoever holds the higher card has an action more: no public tree."""

        most_actions = 3
        private_hands = 3
        mine: i8
        other: i8
        done: i8

        def start(self):
            self.mine, self.other = 1, 2

        def player(self):
            return 0

        def actions(self, out):
            for k in range(3):
                out[k] = k
            return 0 if self.done else self.mine

        def play(self, action):
            self.done = action + 1

        def utility(self, seat):
            return 1 if (self.done == 1) == (seat == 0) else -1

        def observe(self, seat):
            if seat == 0:
                self.other = 0
            else:
                self.mine = 0

        def deal(self, seat, source):
            if self.mine == 0:
                self.mine = 1
            if self.other == 0:
                self.other = 2
            return 1.0

        def hold(self, seat, hand):
            if seat == 0:
                self.mine = hand + 1
            else:
                self.other = hand + 1
            return 1.0

        def text(self):
            return f"{self.mine} {self.other} {self.done}"

        def parse(self, text):
            self.mine, self.other, self.done = (int(part) for part in text.split())

    with pytest.raises(RulesError, match=r"hands .* change who is to move, or the actions"):
        check_game(CompiledGame(Peeking(), compiled=False), games=30)
    with pytest.raises(RulesError, match="private_hands"):
        game("half")(type("Half", (Peeking.maker,), {"private_hands": 0}))()
