"""Proof-number search: solved games, the same values as alpha-beta, what repetitions and limits do."""

import random

import pytest

from outplay.errors import Unavailable
from outplay.game import load
from outplay.textbook.proof_number import dfpn, pns
from outplay.textbook.table import alphabeta_with_table
from outplay.values import Limits


@pytest.mark.parametrize("search", [dfpn, pns])
def test_solved_games(search):
    assert search(load("nim").start()).value == alphabeta_with_table(load("nim").start()).value
    found = search(load("tic-tac-toe").start())
    assert (found.value, found.exact) == (0.0, True)


def test_4x4_othello_by_discs():
    found = dfpn(load("othello", size=4).start())
    assert (found.value, found.exact) == (-10.0, True)


@pytest.mark.parametrize("search", [dfpn, pns])
def test_the_value_is_alpha_betas_and_the_action_reaches_it(search):
    game, source = load("connect four", width=4, height=4), random.Random(3)
    compared = 0
    while compared < 15:
        position = game.start()
        for _ in range(9):
            if not position.is_terminal():
                position = position.result(source.choice(position.actions()))
        if position.is_terminal():
            continue
        compared += 1
        value = alphabeta_with_table(position).value
        found = search(position)
        assert found.value == value
        assert alphabeta_with_table(position.result(found.action)).value == value


def test_every_step_is_traced():
    position = load("tic-tac-toe").position("xx./oo./... x")
    found = dfpn(position, trace=True)
    assert found.value == 1.0 and position.action_text(found.action) == "c3"
    last = found.trace[-1]
    assert (last.event, last.path, last.facts["proof"]) == ("leave", (), 0)


def test_in_games_with_repetitions_only_wins_are_proved():
    checkers = load("checkers")
    won = dfpn(checkers.position("B:W14:B9,K1"))
    assert (won.value, won.exact) == (1.0, True)
    drawn = dfpn(checkers.position("B:WK29:BK4"), limits=Limits(depth=4))
    assert (drawn.value, drawn.exact) == (0.0, False)


def test_limits():
    with pytest.raises(Unavailable, match="more than 50 nodes"):
        dfpn(load("tic-tac-toe").start(), limits=Limits(nodes=50))
    short = dfpn(load("tic-tac-toe").start(), limits=Limits(depth=3))
    assert not short.exact
