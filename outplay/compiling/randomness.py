"""Random numbers, always explicit: a source is one word that the caller keeps, the same compiled and uncompiled, on CPU and GPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.compiling.marks import f64, i64, inlined, u64


def random_source(seed: int) -> np.ndarray:
    """A source of random numbers for ``below`` and ``uniform``: one word, the same everywhere for the same seed."""
    source = np.array([u64(seed % 2**64)])
    with np.errstate(over="ignore"):
        source[0] = mix(source[0] + u64(0x9E3779B97F4A7C15))
    return source


@inlined
def mix(word: Any) -> Any:
    """Scramble one word (the finalizer of SplitMix64, Steele, Lea and Flood 2014): the base of hashes and random numbers."""
    word = (word ^ (word >> u64(30))) * u64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> u64(27))) * u64(0x94D049BB133111EB)
    return word ^ (word >> u64(31))


@inlined
def next_word(source: Any) -> Any:
    """Sixty-four random bits (SplitMix64)."""
    source[0] = source[0] + u64(0x9E3779B97F4A7C15)
    return mix(source[0])


@inlined
def below(source: Any, n: Any) -> Any:
    """A random whole number from 0 to n - 1 (by multiplication, Lemire 2019; the bias is below n / 2**32)."""
    return i64(((next_word(source) >> u64(32)) * u64(n)) >> u64(32))


@inlined
def uniform(source: Any) -> Any:
    """A random number from 0 up to but not including 1."""
    return f64(next_word(source) >> u64(11)) * 1.1102230246251565e-16


@inlined
def evenly(probabilities: Any, count: Any) -> Any:
    """Make so many outcomes equally likely, and return how many: the last line of a `chances`.

    >>> shares = np.zeros(4)
    >>> evenly(shares, 4), shares.tolist()
    (4, [0.25, 0.25, 0.25, 0.25])
    """
    for i in range(count):
        probabilities[i] = 1.0 / count
    return count
