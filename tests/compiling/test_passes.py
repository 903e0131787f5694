"""The passes that kernels are compiled by: same results as plain Python, and a clear refusal where they could differ."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from outplay.jit import UNCOMPILED, i64, kernel, u64

pytestmark = pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")

LOW, HIGH = 3, 8


@kernel
def by_names(numbers):
    """A variable that two constants are given to by their names, as a kernel gives its status."""
    limit = LOW
    total = 0
    for number in numbers:
        if number > 5:
            limit = HIGH
        total += limit
    return total


@kernel
def blended(numbers):
    """A variable with a sign here and without one there."""
    word = u64(1)
    if len(numbers) > 2:
        word = i64(numbers[0])
    return word


def test_constants_by_name_may_share_a_variable():
    numbers = np.array([1, 2, 7, 1])
    assert by_names(numbers) == by_names.python(numbers) == 3 + 3 + 8 + 8


def test_a_variable_with_and_without_sign_is_refused_by_name():
    with pytest.raises(Exception, match=r"word is given int64 and uint64, .*use a second name"):
        blended(np.array([1, 2, 3]))


def test_numba_is_left_as_it_was_even_after_a_failure():
    from numba.core import types

    before = types.BaseFunction.get_call_type
    with pytest.raises(Exception, match="second name"):
        blended(np.array([1, 2]))
    assert types.BaseFunction.get_call_type is before
    assert gc.isenabled()
