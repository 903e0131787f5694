"""The player for heads-up limit hold'em: its betting is the rules', it learns, and it sees nothing that is hidden."""

import random

import numpy as np
import pytest

from outplay.cards import cards
from outplay.errors import OutplayError
from outplay.experts.poker.equity import equity
from outplay.experts.poker.limit import HoldemSolver, bucket_of, hand_equity
from outplay.game import load
from outplay.players import player

GAME = load("hold'em:kind=limit")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    solver = HoldemSolver(GAME, seed=2)
    solver.advance(25_000)
    file = tmp_path_factory.mktemp("limit") / "limit.npz"
    solver.save(file)
    return solver, file


def test_the_betting_is_that_of_the_rules(trained):
    solver, _ = trained
    source = random.Random(1)
    tree = solver.betting
    for _ in range(40):
        position, log = GAME.start(), ()
        while not position.is_terminal():
            action = source.choice(position.actions())
            if not position.is_chance():
                node = tree.index[log]
                assert tree.player[node] == position.player()
                assert {a for a in range(3) if tree.child[node, a] >= 0} == {min(action, 2) for action in position.actions()}
                log = (*log, action)
            position = position.result(action)
        end = tree.index[log]
        assert tree.player[end] == -1 and (tree.round[end] == 5) == bool(tree.folded[end])
        won = abs(position.utility(0))
        assert won in (0, min(tree.staked[end]))


def test_it_beats_simple_players_after_seconds_of_learning(trained):
    solver, _ = trained
    won, error = solver.measure("always call", hands=6000)
    assert won > 3 * error
    before, after = HoldemSolver(GAME).measure("always raise", hands=3000), solver.measure("always raise", hands=3000)
    assert after[0] > before[0] + 1000  # it takes a minute to beat this one


def test_a_hand_is_worth_what_equity_says():
    assert hand_equity(cards("AhAd"), cards("Kh7h2c"), runs=20_000)[0] == pytest.approx(
        equity(["AhAd", "random"], "Kh7h2c").equities[0], abs=0.015)
    exact = equity(["AhAd", "random"], "Kh7h2c3d9s").equities[0]
    assert hand_equity(cards("AhAd"), cards("Kh7h2c3d9s")) == (pytest.approx(exact), 0)


def test_a_draw_spreads_and_a_made_hand_does_not():
    """On the turn the spread is known exactly: over the cards to come, of what the hand then wins."""
    hole, board = "9h8h", "Th7h2cAs"  # a straight draw and a flush draw
    share, spread = hand_equity(cards(hole), cards(board), runs=30_000)
    rivers = [card for card in range(52) if card not in cards(hole + board)]
    after = [hand_equity(cards(hole), (*cards(board), card))[0] for card in rivers]
    assert share == pytest.approx(np.mean(after), abs=0.02) and spread == pytest.approx(np.std(after), abs=0.02)
    made = hand_equity(cards("AhAd"), cards("AsKd7c2h"), runs=6000)
    assert made[0] > 0.9 and made[1] < 0.1 < spread
    assert bucket_of(2, share, spread) != bucket_of(2, share, made[1])


def test_it_plays_from_its_file_and_sees_nothing_hidden(trained):
    _, file = trained
    who = player(f"policy:{file}", seed=1)
    first, second = (GAME.start().play(f"Qs Qd {hand} c c Kd 7h 2c") for hand in ("Ah Kh", "9c 8d"))
    assert who.shares(first.observe(0)) == who.shares(second.observe(0))
    assert sum(who.shares(first.observe(0)).values()) == pytest.approx(1)
    assert who.choose(first) in first.actions()


def test_refusals(trained):
    _, file = trained
    with pytest.raises(OutplayError, match="needs hold'em with two seats"):
        HoldemSolver(load("leduc poker"))
    with pytest.raises(OutplayError, match="saved for hold'em:kind=limit, not for"):
        HoldemSolver(load("hold'em:kind=limit,stack=300")).resume(file)
