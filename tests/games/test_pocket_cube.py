"""The pocket cube: contract, the group's laws, and garbage."""

import pytest
from hypothesis import given

from outplay.errors import BadNotation
from outplay.game import load
from outplay.games.pocket_cube import number_of, tables, twists_of
from tests.games.oracles import assert_only_clear_errors, garbage

GOAL = "UUUURRRRFFFFDDDDLLLLBBBB"


@pytest.mark.parametrize("moves, order", [("U", 4), ("R", 4), ("F2", 2), ("R U R' U'", 6), ("R U", 15)])
def test_turns_repeated_so_often_come_back(moves, order):
    start = load("pocket cube").start()
    position = start
    for time in range(1, order + 1):
        position = position.play(moves)
        assert (position == start) == (time == order)


def test_a_turn_moves_the_stickers_that_it_should():
    game = load("pocket cube")
    record = game.record(game.position(GOAL).state)
    record.play(0)  # U
    assert record.text() == "UUUUBBRRRRFFDDDDFFLLLLBB"


def test_the_tables():
    *_, order_distance, twist_distance = tables()
    assert order_distance.min() == twist_distance.min() == 0 and (order_distance.max(), twist_distance.max()) == (7, 6)
    assert all(number_of(twists_of(number)) == number for number in range(729))


@pytest.mark.parametrize("text, reason", [
    ("", "expected 24 stickers"),
    ("U" * 24, "expected 24 stickers"),
    (GOAL[4:] + GOAL[:4], "hold the cube"),
    ("RUUUURRRFFFFDDDDLLLLBBBB", "colours that no corner of the cube has"),
    ("UUUFURRRFRFFDDDDLLLLBBBB", "one corner is twisted"),
])
def test_wrong_positions_are_refused(text, reason):
    with pytest.raises(BadNotation, match=reason):
        load("pocket cube").position(text)


@given(garbage("URFDLB'2"))
def test_garbage(text):
    assert_only_clear_errors(load("pocket cube"), text)
