"""The games of `examples/`, which speeds are also measured by, in plain Python."""

import random
from pathlib import Path

import pytest

from outplay.game import load

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name):
    return load(str(EXAMPLES / f"{name}.py"), compiled=False)


@pytest.mark.parametrize("name", ["hex", "kalah", "amazons"])
def test_random_games_end_with_a_winner_or_a_draw(name):
    position, source = example(name).start(), random.Random(1)
    while not position.is_terminal():
        position = position.result(source.choice(position.actions()))
    assert sum(position.utilities()) == 0
    assert name == "kalah" or abs(position.utility(0)) == 1


def test_hex_is_won_by_a_chain_from_side_to_side():
    position = example("hex").start()
    for row in range(7):  # straight down for the first, and the last row but one cell for the second
        assert not position.is_terminal()
        position = position.result(8 * row + 3)
        if row < 6:
            position = position.result(8 * row + 5)
    assert position.is_terminal() and position.utilities() == (1.0, -1.0)


def test_kalah_moves_again_from_the_store_and_takes_what_lies_opposite():
    position = example("kalah").start().result(2)  # four seeds, the last into the store
    assert position.player() == 0
    assert position.result(0).player() == 1  # five places on, and no further move
    rules = load(str(EXAMPLES / "kalah.py")).rules
    state = rules.states(1)[0]
    state.seeds[:] = [1, 0, 0, 0, 0, 3, 7, 0, 0, 0, 0, 9, 0, 5]
    state.play(0)  # into an empty house, opposite to nine
    assert state.seeds.tolist() == [0, 0, 0, 0, 0, 3, 17, 0, 0, 0, 0, 0, 0, 5] and state.turn == 1


def test_an_amazon_shoots_where_it_came_from():
    position = example("amazons").start()
    assert all(action // 36 % 36 != action // 1296 for action in position.actions())  # nobody stays
    assert any(action % 36 == action // 1296 for action in position.actions())  # and the cell left is free for the arrow
