"""Rock-paper-scissors: who beats whom, and what the second player sees."""

import pytest
from hypothesis import given

from outplay.conformance import check_game
from outplay.game import load
from tests.games.oracles import assert_only_clear_errors, assert_playthrough, garbage

GAME = load("rock-paper-scissors")


def test_it_keeps_its_promises():
    check_game(GAME, games=40)


def test_the_rules_are_open_spiels():
    pyspiel = pytest.importorskip("pyspiel")
    matrix = pyspiel.load_matrix_game("matrix_rps")
    names = [GAME.start().action_text(action) for action in GAME.start().actions()]
    assert [matrix.row_action_name(i).lower() for i in range(3)] == names
    for row, first in enumerate(names):
        for column, second in enumerate(names):
            expected = (matrix.row_utility(row, column), matrix.col_utility(row, column))
            assert GAME.start().play([first, second]).utilities() == expected


def test_the_second_player_does_not_see_the_first():
    views = {GAME.start().play(first).observe(1) for first in ("rock", "paper", "scissors")}
    assert len(views) == 1 and views.pop().text() == "?-"
    dealt = {GAME.start().play("rock").deal(1, seed).text() for seed in range(50)}
    assert dealt == {"r-", "p-", "s-"}
    assert GAME.start().play("rock").deal(0, 1).text() == "r-"
    assert GAME.start().play("rock paper").observe(1).text() == "rp"


def test_letters_will_do():
    assert GAME.start().play("r s").utilities() == (1, -1)


def test_the_playthrough():
    assert_playthrough(GAME, "rock_paper_scissors")


@given(garbage("rps-? ock"))
def test_garbage(text):
    assert_only_clear_errors(GAME, text)
