"""df-pn at native speed: the textbook's values, checkers won by tactics and by the tables, limits and refusals."""

import random

import pytest

from outplay.engine.alphabeta.proof import ProofNumbers, prove
from outplay.engine.tables import retrograde
from outplay.errors import Unsuitable
from outplay.game import load
from outplay.textbook.proof_number import dfpn
from outplay.textbook.table import alphabeta_with_table
from outplay.values import Limits


def test_solved_games():
    found = prove(load("othello", size=4).start())
    assert (found.value, found.exact) == (-10.0, True)
    assert prove(load("tic-tac-toe").start()).value == 0.0
    nim = load("nim").start()
    assert prove(nim).value == dfpn(nim).value


def test_the_value_is_alpha_betas_and_the_action_reaches_it():
    game, source = load("connect four", width=4, height=4), random.Random(5)
    prover = ProofNumbers(game, memory=1)
    for _ in range(20):
        position = game.start()
        for _ in range(8):
            if not position.is_terminal():
                position = position.result(source.choice(position.actions()))
        if position.is_terminal():
            continue
        value = alphabeta_with_table(position).value
        found = prover.best(position)
        assert (found.value, found.exact) == (value, True)
        assert alphabeta_with_table(position.result(found.action)).value == value


def test_wins_of_checkers_are_those_of_the_tables():
    game, source = load("checkers"), random.Random(2)
    tables = retrograde.build(game, 2)
    prover = ProofNumbers(game, memory=4)
    squares = [str(number) for number in range(1, 33)]
    proved = 0
    for _ in range(40):
        mine, theirs = source.sample(squares, 2)
        position = game.position(f"B:WK{theirs}:BK{mine}")
        if position.is_terminal():
            continue
        outcome, plies = tables.probe(position)
        found = prover.best(position, Limits(nodes=30_000))
        if found.exact:
            proved += 1
            assert outcome == ("win" if found.value > 0 else "loss")
        else:
            assert outcome == "draw" or plies > 3
    assert proved >= 3


def test_one_question_is_enough_where_a_target_is_given():
    position = load("othello", size=4).start().result(load("othello", size=4).start().actions()[0])
    assert prove(position, target=4).facts["proved"] is True  # white wins by ten
    assert prove(position, target=11).facts["proved"] is False


def test_a_limit_is_no_proof():
    found = prove(load("connect four").start(), Limits(nodes=2000), memory=1)
    assert not found.exact and found.nodes <= 2100
    with pytest.raises(Unsuitable, match="dfpn needs a game"):
        ProofNumbers(load("backgammon"))
