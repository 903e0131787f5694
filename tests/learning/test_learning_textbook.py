"""TD, Q-learning and expert iteration in plain Python: updates worked out by hand, and what they must find on small games."""

import pytest

from outplay.errors import BadValue, Unsuitable
from outplay.game import load
from outplay.learning.textbook import expert_iteration, q_learning, td_linear, td_table

#     start -- a1 --> middle -- b1 --> leaf 8
LINE = '{"max": [{"max": [8]}]}'


def test_td_0_by_hand():
    game = load("tree", tree=LINE)
    start = game.start().text()
    middle = game.start().result(game.start().actions()[0]).text()
    once = td_table(game, games=1, alpha=0.5, explore=0.0)
    assert once.values == {start: 0.0, middle: 4.0}  # the start saw a middle that was still worth 0
    twice = td_table(game, games=2, alpha=0.5, explore=0.0)
    assert twice.values == {start: 2.0, middle: 6.0}  # 0 + (4 - 0) / 2, then 4 + (8 - 4) / 2


def test_td_lambda_by_hand():
    game = load("tree", tree=LINE)
    start = game.start().text()
    middle = game.start().result(game.start().actions()[0]).text()
    assert td_table(game, games=1, alpha=0.5, lam=1.0, explore=0.0).values == {start: 4.0, middle: 4.0}
    assert td_table(game, games=1, alpha=0.5, lam=0.5, explore=0.0).values == {start: 2.0, middle: 4.0}


def test_td_with_features_by_hand():
    game = load("tree", tree=LINE)
    found = td_linear(game, lambda position: [1.0, 2.0], games=1, alpha=0.1, explore=0.0)
    # First step: 0 towards 0. Second: towards 8 with the features (1, 2).
    assert found.weights == pytest.approx([0.8, 1.6])


def test_every_step_can_be_traced():
    game = load("tree", tree=LINE)
    steps = td_table(game, games=1, alpha=0.5, explore=0.0, trace=True).trace
    assert [(len(step.path), step.facts["error"]) for step in steps] == [(1, 0.0), (2, 8.0)]


def test_td_finds_who_wins_near_the_end_of_tic_tac_toe():
    game = load("tic-tac-toe")
    start = game.position("xx./oo./... x")  # x wins at once; o would next
    found = td_table(game, games=300, alpha=0.3, explore=0.2, seed=3, start=start)
    assert found.values[start.text()] > 0.9
    lost = game.position("xx./oo./..x o")
    if lost.text() in found.values:
        assert found.values[lost.text()] < 0


def test_q_learning_is_for_one_player():
    with pytest.raises(Unsuitable, match="one-player"):
        q_learning(load("tic-tac-toe"))
    with pytest.raises(BadValue, match="from 0 to 1"):
        td_table(load("tic-tac-toe"), lam=2.0)


def test_q_learning_weighs_a_risk():
    risk = '{"chance": [["1/2", {"leaf": [0]}], ["1/2", {"leaf": [12]}]]}'
    game = load("tree", tree=f'{{"player": 0, "actions": [{{"leaf": [5]}}, {risk}]}}')
    found = q_learning(game, games=4000, seed=2)
    start = game.start()
    assert found[start.text(), start.actions()[0]] == 5
    assert found[start.text(), start.actions()[1]] == pytest.approx(6, abs=0.5)


def test_expert_iteration_learns_to_win():
    game = load("tic-tac-toe")
    start = game.position("xx./oo./... x")
    winning = start.parse_action("c3")
    before = expert_iteration(game, games=0, start=start)
    after = expert_iteration(game, games=10, simulations=40, seed=2, start=start)
    assert before.shares(start)[winning] == pytest.approx(1 / 5)
    assert after.shares(start)[winning] > 0.4
