"""Ratings of people: the example of Glickman's paper, and what must hold of every rating."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay.arena.glicko import Rating, Ratings, opponent
from outplay.errors import BadValue

RATINGS = st.builds(Rating, st.floats(500, 2500), st.floats(30, 350), st.floats(0.03, 0.1))


def test_the_example_of_the_paper():
    """Mark Glickman, "Example of the Glicko-2 system" (2012): every number that it prints at the end."""
    after = Rating(1500, 200, 0.06).after([(Rating(1400, 30), 1), (Rating(1550, 100), 0), (Rating(1700, 300), 0)])
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)


@settings(max_examples=60, deadline=None)
@given(RATINGS, st.lists(st.tuples(RATINGS, st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=8))
def test_winning_more_rates_higher_and_games_make_surer(somebody, games):
    after = somebody.after(games)
    assert all(math.isfinite(each) for each in (after.rating, after.deviation, after.volatility))
    assert 0 < after.deviation <= max(350.0, somebody.deviation) and after.volatility > 0
    better = somebody.after([(games[0][0], 1.0), *games[1:]])
    assert better.rating >= after.rating - 1e-6 or games[0][1] == 1.0
    assert somebody.after([(other, 1.0) for other, _ in games]).rating >= somebody.rating
    assert somebody.idle(10).deviation >= somebody.deviation or somebody.deviation == 350.0
    one, two = somebody, games[0][0]
    assert one.expected(two) + two.expected(one) == pytest.approx(1)


def test_a_day_is_one_period_and_idle_days_make_less_sure():
    kept, other = Ratings(), Rating(1500, 50)
    for points in (1.0, 1.0, 0.5):
        kept.played("nim", "Ada", other, points, day=100)
    together = Rating().after([(other, 1.0), (other, 1.0), (other, 0.5)])
    assert kept.of("nim", "Ada", day=100) == together
    later = kept.of("nim", "Ada", day=130)
    assert later.deviation > together.deviation and later.rating == together.rating
    kept.played("nim", "Ada", other, 0.0, day=103)
    assert kept.of("nim", "Ada") == together.idle(2).after([(other, 0.0)])
    assert [(name, games) for name, _, games in kept.table("nim")] == [("Ada", 4)]


def test_the_file(tmp_path):
    kept, path = Ratings(), tmp_path / "ratings.json"
    assert Ratings.read(path).people == {}
    kept.played("nim", "Ada", Rating(), 1.0, day=1)
    kept.save(path)
    assert Ratings.read(path).of("nim", "Ada") == kept.of("nim", "Ada")
    for text in ("[]", "{", '{"nim": {"Ada": {"before": {}, "day": "x"}}}', '{"nim": 3}'):
        path.write_text(text)
        if text != "[]":
            with pytest.raises(BadValue, match="no file of ratings"):
                Ratings.read(path)
    with pytest.raises(BadValue, match="from 0 to 1"):
        kept.played("nim", "Ada", Rating(), 2.0, day=1)
    assert opponent(300, 98) == Rating(300, 50.0)
