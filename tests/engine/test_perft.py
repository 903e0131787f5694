"""Counts of action sequences against plain recursion."""

import pytest

from outplay.engine import perft
from outplay.errors import BadValue
from outplay.game import load
from tests.engine.oracle import random_positions


def paths(position, depth):
    if depth == 0:
        return 1
    return sum(paths(position.result(action), depth - 1) for action in position.actions())


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect four"])
@pytest.mark.parametrize("threads", [1, 2])
def test_counts(name, threads):
    for position in random_positions(load(name), 6, seed=1):
        for depth in range(5):
            assert perft(position, depth, threads=threads)[0] == paths(position, depth)


def test_all_games_of_tic_tac_toe_that_fill_the_board():
    assert perft(load("tic-tac-toe").start(), 9)[0] == 127_872


def test_bad_depth():
    with pytest.raises(BadValue, match="depth must be from 0 to 10,000, got -1"):
        perft(load("tic-tac-toe").start(), -1)
