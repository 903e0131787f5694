"""The local best response: exact against a strategy that always folds, and hard on one that plays at random."""

import numpy as np
import pytest

from outplay.errors import BadValue
from outplay.experts.poker.limit import HoldemSolver
from outplay.experts.poker.local_response import local_best_response
from outplay.game import load


@pytest.fixture(scope="module")
def solver():
    return HoldemSolver(load("hold'em:kind=limit"), seed=1)


def test_from_one_who_always_folds_it_wins_the_blinds(solver):
    """A big blind as the dealer, who raises; half of one in the other seat, where the dealer folds at once."""
    solver.sums[:] = 0
    solver.sums.reshape(-1, 3)[:, 0] = 1
    won, error = local_best_response(solver, 6, runs=10)
    assert won == pytest.approx(750) and error == 0


def test_it_wins_much_from_play_at_random_and_the_same_seed_deals_the_same(solver):
    solver.sums[:] = 0
    won, error = local_best_response(solver, 40, runs=10)
    assert won - 3 * error > 500
    assert local_best_response(solver, 40, runs=10) == (won, error)
    assert not np.isnan(error)


def test_refusals(solver):
    with pytest.raises(BadValue, match="deals must be 2 or more, got 1"):
        local_best_response(solver, 1)
