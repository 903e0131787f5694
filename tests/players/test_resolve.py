"""The player that solves the rest of a game: the whole where it is small, else from what all know, else by Monte Carlo search."""

import json

import pytest

from outplay.cli.app import run
from outplay.engine.regret.public import PublicSolver
from outplay.engine.regret.resolve import resolve, resolved
from outplay.engine.regret.tree import public_roots
from outplay.errors import OutplayError
from outplay.game import load
from outplay.players import player
from outplay.players.resolving import Resolver
from outplay.playing import Play
from outplay.values import CHANCE


def test_a_small_game_is_solved_whole(capsys):
    assert run(["exploit", "kuhn poker", "resolve:time=0.5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["exploitability"] < 0.01


def test_the_rest_is_solved_from_what_all_know():
    """The first player passed and was bet at: kings call and jacks fold, whatever the other holds."""
    game = load("kuhn poker")
    resolver = Resolver(seconds=0.4)
    resolver._whole[game.name] = None  # as if the whole game were too large
    for mine, other, action in (("K", "Q", "bet"), ("J", "Q", "pass"), ("J", "K", "pass")):
        position = game.start().play([mine, other, "pass", "bet"])
        shares = resolver.shares(position.observe(0))
        assert shares[position.parse_action(action)] > 0.95
    views = {root.observe(0).text() for root, _ in public_roots(position)}
    assert views == {"J? pb", "Q? pb", "K? pb"}  # its own card is hidden from the other, so others are dealt, too
    assert sum(share for _, share in public_roots(position)) == pytest.approx(1)


def test_a_game_too_large_at_first_is_solved_later_and_played_by_search_before():
    game = load("goofspiel:cards=5")
    resolver = Resolver(seconds=0.3, memory=2, seed=1)
    resolver.choose(game.start().play(["1"]) if game.start().is_chance() else game.start())
    assert resolver._whole[game.name] is None and resolver.last is not None and "ismcts" in resolver.last.algorithm
    play = Play(game, ["random", "random"], seed=3)
    play.finished()
    position = next(each for each in reversed(play.positions) if not each.is_chance() and len(each.actions()) == 2)
    resolver.choose(position)
    assert resolver.last.algorithm == "resolve"


@pytest.mark.parametrize("text", ["resolve:time=0", "resolve:speed=3"])
def test_refusals(text):
    with pytest.raises(OutplayError):
        player(text)


def test_a_game_without_secrets_is_refused():
    with pytest.raises(OutplayError, match="hidden information"):
        player("resolve").choose(load("tic-tac-toe").start())


@pytest.fixture(scope="module")
def rough():
    """A blueprint of Leduc poker after few iterations, and the public states after the open card."""
    solver = PublicSolver(load("leduc poker"))
    solver.advance(12)
    tree = solver.tree
    return solver, [child for node in range(tree.nodes) if tree.player[node] == CHANCE for child in tree.children(node)]


def lost(solver, numbers):
    return sum(solver.evaluate(numbers)[1]) / 2


@pytest.mark.parametrize("depth", [None, 2])
def test_thinking_again_in_the_second_round_makes_leduc_no_worse(rough, depth):
    solver, roots = rough
    before, after = lost(solver, solver.sums), lost(solver, resolved(solver, roots, iterations=200, depth=depth))
    assert after < 0.9 * before


@pytest.mark.parametrize("depth", [None, 1, 2, 3])
def test_thinking_again_from_the_start_makes_leduc_no_worse(rough, depth):
    solver, _ = rough
    before, after = lost(solver, solver.sums), lost(solver, resolved(solver, [0], iterations=400, depth=depth))
    assert after < before and (depth is not None or after < 0.01)


def test_who_trusts_the_past_too_much_is_exploited():
    """A good blueprint: solving the second round against its ranges alone spoils it, solving it safely does not."""
    solver = PublicSolver(load("leduc poker"))
    solver.advance(100)
    tree = solver.tree
    roots = [child for node in range(tree.nodes) if tree.player[node] == CHANCE for child in tree.children(node)]
    known = lost(solver, solver.sums)
    assert lost(solver, resolved(solver, roots, iterations=400, safe=False)) > 2 * known
    assert lost(solver, resolved(solver, roots, iterations=600)) < 1.1 * known


def test_the_player_with_a_policy_is_harder_to_exploit_than_the_policy(rough, tmp_path, monkeypatch):
    solver, _ = rough
    file = tmp_path / "rough.json"
    solver.policy().save(file)
    who = player(f"resolve:policy={file},time=0.02,depth=3")
    position = load("leduc poker").start().play("Kh Js raise")
    shares = who.shares(position.observe(1))
    assert set(shares) == set(position.actions()) and sum(shares.values()) == pytest.approx(1)
    assert who.choose(position) in position.actions() and who.last.facts["iterations"] > 0
    monkeypatch.setattr("outplay.players.resolving.resolve",
                        lambda *given, seconds, **more: resolve(*given, iterations=20, **more))  # as many on every machine
    again = Resolver(policy=solver.policy())
    strategy = solver.numbers_of(again.shares)
    assert lost(solver, strategy) < lost(solver, solver.sums)


def test_a_policy_of_another_game_and_a_depth_alone_are_refused(rough, tmp_path):
    solver, _ = rough
    file = tmp_path / "leduc.json"
    solver.policy().save(file)
    with pytest.raises(OutplayError, match="leduc poker"):
        player(f"resolve:policy={file}").choose(load("kuhn poker").start().play("J K"))
    with pytest.raises(OutplayError, match="policy"):
        player("resolve:depth=2")
