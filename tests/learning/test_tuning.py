"""The tuner: what it finds in results that are known to come from certain weights."""

import threading

import numpy as np
import pytest

from outplay.errors import BadValue, Unsuitable
from outplay.game import load
from outplay.learning import tuning


def results_of(weights, points, size=3000, seed=0):
    source = np.random.default_rng(seed)
    shares = source.normal(size=(size, len(weights)))
    return shares, 1 / (1 + np.exp(-(shares @ weights) / points))


def test_weights_behind_the_results_are_found_again():
    wanted = np.array([100.0, -40.0, 0.0, 7.0])
    shares, results = results_of(wanted, 150.0)
    found, miss = tuning.fit(shares, results, np.zeros(4), steps=800, hold=0.0, points=150.0)
    assert np.allclose(found, wanted, atol=1.0) and miss < 1e-5


def test_the_steepness_is_found_so_that_good_weights_stay_as_they_are():
    wanted = np.array([100.0, -40.0, 20.0])
    shares, results = results_of(wanted, 230.0)
    points = tuning.steepness(shares @ wanted, results)
    assert abs(points - 230) <= 5
    kept, _ = tuning.fit(shares, results, wanted, steps=200, hold=0.0, points=points)
    shrunk, _ = tuning.fit(shares, results, wanted, steps=200, hold=0.0, points=115.0)
    assert np.allclose(kept, wanted, rtol=0.05) and np.allclose(shrunk, wanted / 2, rtol=0.05)


def test_groups_keep_their_shape():
    wanted = np.array([10.0, 20.0, -30.0, -60.0])
    shares, results = results_of(wanted, 100.0)
    groups = [np.array([0, 1]), np.array([2, 3])]
    start = np.array([5.0, 10.0, -60.0, -120.0])
    found, _ = tuning.fit_groups(shares, results, start, groups, steps=800, hold=0.0, points=100.0)
    assert np.allclose(found, wanted, rtol=0.03)


def test_targets_lie_between_the_result_and_what_the_search_thought():
    found = tuning.Sample(np.zeros(2), np.array([1.0, 0.0]), np.array([0.0, 200.0]))
    thought = 1 / (1 + np.exp(-1.0))
    assert np.allclose(tuning.blend(found, 0.0, 200.0), [0.5, thought])
    assert np.allclose(tuning.blend(found, 1.0, 200.0), [1.0, 0.0])
    assert np.allclose(tuning.blend(found, 0.25, 200.0), [0.625, 0.75 * thought])
    with pytest.raises(BadValue, match="share of results must be from 0 to 1, got 2"):
        tuning.blend(found, 2.0)


def test_what_the_tuner_refuses():
    with pytest.raises(BadValue, match="games must be 1 or more, got 0"):
        tuning.sample(load("isolation"), 0)
    with pytest.raises(Unsuitable, match="tuning needs an evaluation"):
        tuning.sample(load("nim"), 1)


def test_finished_pieces_are_kept_and_not_played_again(tmp_path, monkeypatch):
    monkeypatch.setattr(tuning, "PIECE_GAMES", 1)
    game = load("isolation:width=6,height=6")
    whole = tuning.sample(game, 3, nodes=50, seed=2, random_plies=2)
    stop, pieces = threading.Event(), tuning._piece

    def stopped_in_the_second(*given):
        if len(list(tmp_path.iterdir())) == 1:
            stop.set()
        return pieces(*given)

    monkeypatch.setattr(tuning, "_piece", stopped_in_the_second)
    tuning.sample(game, 3, nodes=50, seed=2, random_plies=2, stop=stop, folder=tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
    played = []
    monkeypatch.setattr(tuning, "_piece", lambda *given: played.append(given) or pieces(*given))
    again = tuning.sample(game, 3, nodes=50, seed=2, random_plies=2, folder=tmp_path)
    assert len(played) == 2 and len(list(tmp_path.iterdir())) == 3 and len(whole.results)
    for name in ("states", "results", "values"):
        assert (getattr(again, name) == getattr(whole, name)).all()
    damaged = sorted(tmp_path.iterdir())[0]
    damaged.write_bytes(damaged.read_bytes()[:-3])
    mended = tuning.sample(game, 3, nodes=50, seed=2, random_plies=2, folder=tmp_path)
    assert (mended.values == whole.values).all() and len(played) == 3
