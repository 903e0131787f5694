import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.arena.elo import Sprt, Tally, elo, expected, rating


@given(st.floats(-600, 600))
def test_rating_and_expected_score_are_inverse(difference):
    assert rating(expected(difference)) == pytest.approx(difference, abs=1e-6)


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_the_other_side_sees_the_opposite(wins, draws, losses):
    ours, theirs = elo(Tally(wins, draws, losses)), elo(Tally(losses, draws, wins))
    assert ours.difference == pytest.approx(-theirs.difference) or not math.isfinite(ours.difference)
    assert ours.error == pytest.approx(theirs.error) or not math.isfinite(ours.error)


def test_the_error_shrinks_with_the_root_of_the_games():
    few, many = elo(Tally(30, 40, 30)), elo(Tally(300, 400, 300))
    assert few.error / many.error == pytest.approx(math.sqrt(10), rel=0.03)
    # By hand: the score has variance 0.15, so the error is 1.96 * sqrt(0.15 / 99) of a point, 52.9 Elo at 695 Elo a point.
    assert few.error == pytest.approx(1.96 * math.sqrt(0.15 / 99) * 400 / math.log(10) * 4, rel=0.02)


def test_pairs_that_cancel_make_the_result_surer():
    """When every opening decides the game, each pair is 1 : 1, and nothing is left to chance."""
    assert elo(Tally(10, 0, 10, pairs=(1.0,) * 10)).error == 0
    assert elo(Tally(10, 0, 10)).error > 100


def test_the_sequential_test_decides_both_ways_and_waits_in_between():
    test = Sprt(0, 20)
    assert test.verdict(Tally(600, 300, 400)) == "stronger"
    assert test.verdict(Tally(400, 300, 600)) == "not stronger"
    assert test.verdict(Tally(10, 10, 9)) is None
    assert test.verdict(Tally()) is None
