"""Chess keeps the promises of every game, compiled and uncompiled alike."""

from outplay.conformance import check_game
from outplay.game import load


def test_chess_keeps_the_contract():
    assert check_game(load("chess"), games=1, seed=3).positions > 100
