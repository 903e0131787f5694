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


@pytest.mark.parametrize("name", ["connect four", "chess", "othello", "go:size=3,ko=situational", "checkers:variant=frisian"])
def test_a_table_changes_no_count(name):
    for position in random_positions(load(name), 3, seed=2):
        plain = perft(position, 4)[0]
        for threads, memory in ((1, 1), (2, 1), (1, 0.001)):  # the last: 32 entries, which one writes over the other
            assert perft(position, 4, threads=threads, memory=memory)[0] == plain


def test_a_table_counts_games_that_were_over():
    over = load("othello").start().play("f5 f4 c3 c6 c5 d6 f3 c4 c7")
    before = load("othello").start().play("f5 f4 c3 c6 c5 d6 f3")
    assert perft(over, 5, memory=1)[0] == 1
    assert perft(before, 5, memory=1)[0] == perft(before, 5)[0]


def test_bad_memory():
    with pytest.raises(BadValue, match="memory must be from 0 to 65,536 megabytes, got -1"):
        perft(load("tic-tac-toe").start(), 2, memory=-1)
