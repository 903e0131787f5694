import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.arena.elo import OUTCOMES, Sprt, Tally, elo, expected, likelihood, rating, ratings


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


def test_the_likeliest_distribution_with_a_given_mean_is_found():
    """Any other with the same sum and mean, a step away in a random direction, makes the counts less likely."""
    source = random.Random(1)
    for counts in ((3, 10, 40, 12, 5), (0.001, 5, 90, 20, 0.001), (7, 0.001, 10, 0.001, 9)):
        for mean in (0.4, 0.5, 0.62):
            found = likelihood(counts, OUTCOMES, mean)
            assert sum(found) == pytest.approx(1, abs=1e-6)
            assert sum(p * value for p, value in zip(found, OUTCOMES, strict=True)) == pytest.approx(mean, abs=1e-6)
            best = sum(count * math.log(p) for count, p in zip(counts, found, strict=True))
            for _ in range(50):
                a, b, c = source.sample(range(5), 3)  # moves that keep the sum and the mean
                step = 1e-4 * source.uniform(-1, 1) * min(found)
                other = list(found)
                other[a] += step * (OUTCOMES[c] - OUTCOMES[b])
                other[b] += step * (OUTCOMES[a] - OUTCOMES[c])
                other[c] += step * (OUTCOMES[b] - OUTCOMES[a])
                assert sum(count * math.log(p) for count, p in zip(counts, other, strict=True)) <= best + 1e-9


def test_the_sequential_test_is_rarely_wrong():
    """Pairs of games of equal players, and of one 150 Elo stronger: at most about one in twenty wrong verdicts."""
    source = random.Random(2)

    def verdict(difference):
        tally, score = Tally(), expected(difference)
        while (said := Sprt(0, 150).verdict(tally)) is None:
            got = [1.0 if source.random() < score else 0.0 for _ in range(2)]
            wins = int(sum(got))
            tally = Tally(tally.wins + wins, 0, tally.losses + 2 - wins, (*tally.pairs, sum(got)))
        return said

    assert sum(verdict(0) == "stronger" for _ in range(40)) <= 6
    assert sum(verdict(150) == "not stronger" for _ in range(40)) <= 6


def test_pairs_that_cancel_decide_sooner_than_single_games():
    games = Tally(60, 0, 40)
    paired = Tally(60, 0, 40, pairs=(1.0,) * 40 + (2.0,) * 10)
    assert Sprt(0, 20).ratio(paired) > Sprt(0, 20).ratio(games) > 0
    assert "open between H0 (at most 0 Elo) and H1 (at least 20 Elo)" in Sprt(0, 20).told(games)


def test_ratings_of_a_field_add_up_to_nothing_and_follow_the_results():
    results = [(0, 1, 1.0)] * 6 + [(0, 1, 0.0)] * 4 + [(1, 2, 1.0)] * 7 + [(1, 2, 0.5)] * 3 + [(0, 2, 1.0)] * 10
    found = ratings(results, 3)
    assert sum(each.difference for each in found) == pytest.approx(0, abs=1e-6)
    assert found[0].difference > found[1].difference > found[2].difference
    assert all(0 < each.error < 400 for each in found)
