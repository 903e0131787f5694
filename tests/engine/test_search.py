"""The engine against the simplest search there is."""

import random

import pytest

from outplay.engine import ALGORITHMS, Options, best
from outplay.game import load
from outplay.values import Limits


def minimax(position, depth):
    """The oracle: MAX's value of a position, looked at so deep, in the plainest way."""
    if position.is_terminal():
        return position.utility(0)
    if depth == 0:
        return 0.0
    values = [minimax(position.result(action), depth - 1) for action in position.actions()]
    return max(values) if position.player() == 0 else min(values)


def random_positions(game, count, seed, least=0):
    source = random.Random(seed)
    found = []
    while len(found) < count:
        position = game.start()
        for _ in range(source.randrange(least, 40)):
            if position.is_terminal():
                break
            position = position.result(source.choice(position.actions()))
        if not position.is_terminal():
            found.append(position)
    return found


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("table", [True, False])
@pytest.mark.parametrize("name", ["tic-tac-toe", "connect four"])
def test_every_algorithm_finds_the_minimax_value(name, algorithm, table):
    game = load(name)
    for position in random_positions(game, 20, seed=1):
        for depth in (1, 2, 4):
            result = best(position, Limits(depth=depth), algorithm=algorithm, memory=1, options=Options(table=table))
            assert result.value == minimax(position, depth)
            after = position.result(result.action)
            assert minimax(after, depth - 1) == result.value
