"""Multi-ProbCut: fewer nodes for nearly the same value, nothing without the switch, and fits that a command makes."""

import sys

import numpy as np
import pytest

from outplay.engine import Engine, Options
from outplay.engine.alphabeta.probcut import LEAST, MOST, fits_of, shallower
from outplay.engine.clock import Clock
from outplay.errors import BadValue, Unsuitable
from outplay.game import load
from outplay.learning.probcut import fit
from outplay.values import Limits

OTHELLO = load("othello")
MIDDLE = OTHELLO.start().play("f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c5 b6 d8")
ENDING = OTHELLO.position("XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X")


def test_shallow_searches_have_the_parity_of_the_deep_one():
    for depth in range(LEAST, MOST + 1):
        assert shallower(depth) and all(0 < each < depth and (depth - each) % 2 == 0 for each in shallower(depth))


def test_it_cuts_most_of_the_tree_and_hardly_changes_the_value():
    options = Options(solving=True, distance=False)
    plain = Engine(OTHELLO, memory=16, options=options).best(MIDDLE, Limits(depth=9))
    cut = Engine(OTHELLO, memory=16, options=Options(solving=True, distance=False, probcut=120)).best(MIDDLE, Limits(depth=9))
    assert cut.nodes < 0.7 * plain.nodes
    assert abs(cut.value - plain.value) < 4 * OTHELLO.traits.scale


def test_a_threshold_that_nothing_reaches_leaves_the_value_alone():
    options = Options(solving=True, distance=False, probcut=100_000)
    far = Engine(OTHELLO, memory=16, options=options).best(MIDDLE, Limits(depth=6))
    plain = Engine(OTHELLO, memory=16, options=Options(solving=True, distance=False)).best(MIDDLE, Limits(depth=6))
    assert far.value == plain.value


def test_fits_tell_the_deep_search_from_the_shallow_one():
    fits, rows = fit(OTHELLO, positions=8, deepest=4)
    assert fits.shape[0] == 12 and fits.shape[1] == MOST + 1
    assert {(row["depth"], row["shallow"]) for row in rows} == {(3, 1), (4, 2)}
    assert all(0.5 < row["slope"] < 1.5 and 100 < row["deviation"] < 1500 for row in rows)


def test_what_cannot_be_gets_one_line(tmp_path):
    with pytest.raises(Unsuitable, match="probcut needs fits"):
        Engine(load("isolation"), options=Options(probcut=100))
    with pytest.raises(Unsuitable, match="needs an evaluation"):
        fit(load("nim"))
    with pytest.raises(BadValue, match="from 3 to"):
        fit(OTHELLO, deepest=2)
    with pytest.raises(BadValue, match="No such file"):
        fits_of(OTHELLO.rules, tmp_path / "none.npz")
    np.savez(tmp_path / "wrong.npz", fits=np.zeros(3))
    with pytest.raises(BadValue, match="the shape"):
        fits_of(OTHELLO.rules, tmp_path / "wrong.npz")


def test_only_a_search_with_a_clock_gets_ready_to_prove_endings(monkeypatch):
    """A depth needs no proof of the ending, whose kernel takes as long to compile as the search's own."""
    asked = []
    solving = sys.modules["outplay.engine.alphabeta.solve"]
    monkeypatch.setattr(solving, "solve", lambda position, *limits, **more: asked.append(position))
    engine = Engine(OTHELLO, memory=1)
    engine.best(OTHELLO.start(), Limits(depth=2))
    assert not asked
    engine._make_ready(OTHELLO.start(), Limits(seconds=1), None)
    assert not asked  # no proof comes of this one
    engine.best(OTHELLO.start(), Limits(depth=2, seconds=60))
    assert len(asked) == 1
    for position, limits, clock in ((ENDING, Limits(seconds=1), None), (OTHELLO.start(), Limits(), Clock(60.0))):
        Engine(OTHELLO, memory=1)._make_ready(position, limits, clock)
        assert asked.pop() == position
