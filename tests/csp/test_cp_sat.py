"""The same models on CP-SAT: the same answers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

pytest.importorskip("ortools", reason="OR-tools is not installed (pip install 'outplay[ortools]')")

from outplay.csp import Model
from outplay.csp.puzzles import australia, cryptarithm, queens, zebra
from outplay.errors import Unsuitable

from .test_csp_search import models


@settings(max_examples=40)
@given(models())
def test_random_models_agree(model):
    ours = sorted(str(solution) for solution in model.solutions())
    theirs = sorted(str(solution) for solution in model.solutions(solver="cp-sat"))
    assert ours == theirs
    first = model.solve(solver="cp-sat")
    assert (first is None) == (not ours) and (first is None or model.is_solution(first))


def test_known_problems_agree():
    assert queens(6).count(solver="cp-sat") == 4
    assert australia().count(solver="cp-sat") == 18
    assert cryptarithm("SEND + MORE = MONEY").solve(solver="cp-sat") == cryptarithm("SEND + MORE = MONEY").solve()
    assert zebra().solve(solver="cp-sat") == zebra().solve()


def test_the_optimum_agrees_and_lazy_predicates_are_refused():
    model = Model()
    x, y = model.variables("x y", range(10))
    model.add(x * y >= 12)
    ours, theirs = model.minimize(2 * x + 3 * y + 1), model.minimize(2 * x + 3 * y + 1, solver="cp-sat")
    assert ours.objective == theirs.objective == 18 and model.statistics.finished
    cells = model.variables("a b c d", range(20))
    model.constraint(cells, lambda *values: sum(values) == 3)
    with pytest.raises(Unsuitable):
        model.solve(solver="cp-sat")


def test_an_iterator_can_be_left_early():
    found = queens(8).solutions(solver="cp-sat")
    assert next(found) != next(found)
    found.close()
