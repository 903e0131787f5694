"""Relations as tables: the supports that the kernels read, made from tuples, from truth on a grid, or by asking a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np

from outplay.csp.expressions import Expression, Variable

LARGEST_GRID = 1 << 18  # combinations that an expression is evaluated on at once
LARGEST_ASKED = 20_000  # combinations that a Python function is asked about beforehand


class Supports:
    """For each value of each position, which tuples (or, for pairs, which values of the other one) go with it."""

    __slots__ = ("offsets", "supports", "tuples")

    def __init__(self, tuples: list[int], supports: np.ndarray, offsets: list[int]) -> None:
        self.tuples = tuples
        self.supports = supports
        self.offsets = offsets

    @classmethod
    def of_pairs(cls, allowed: np.ndarray) -> Supports:
        """From a matrix of truth: value of the first, value of the second."""
        forward, backward = packed(allowed), packed(allowed.T)
        return cls([], np.concatenate([forward, backward]), [0, len(forward)])

    @classmethod
    def of_tuples(cls, rows: np.ndarray, counts: Sequence[int]) -> Supports:
        """From rows of value numbers."""
        width = len(rows)
        blocks, offsets, offset = [], [], 0
        for position, count in enumerate(counts):
            members = np.zeros((count, width), bool)
            members[rows[:, position], np.arange(width)] = True
            blocks.append(packed(members))
            offsets.append(offset)
            offset += len(blocks[-1])
        return cls(packed(np.ones((1, width), bool)).tolist(), np.concatenate(blocks), offsets)


def packed(matrix: np.ndarray) -> np.ndarray:
    """Rows of truth as rows of 64-bit words, one flat array; at least one word a row."""
    rows, columns = matrix.shape
    words = max(1, (columns + 63) // 64)
    padded = np.zeros((rows, 64 * words), np.uint8)
    padded[:, :columns] = matrix
    return np.packbits(padded, axis=1, bitorder="little").view(np.int64).ravel()


class Grid:
    """Every combination of the values of a scope: one broadcastable array of codes a variable."""

    def __init__(self, scope: Sequence[Variable], code: Callable[[Any], int]) -> None:
        self.code = code
        self.shape = tuple(variable.domain.count for variable in scope)
        self.codes = {
            variable: np.array(variable.domain.codes, np.int64).reshape([-1 if i == place else 1 for i in range(len(scope))])
            for place, variable in enumerate(scope)
        }

    def __getitem__(self, variable: Variable) -> np.ndarray:
        return self.codes[variable]

    def truth(self, expression: Expression) -> np.ndarray:
        """Where a comparison or a combination of them holds."""
        return np.broadcast_to(expression.evaluate(self), self.shape)

    def values(self, expression: Expression) -> np.ndarray:
        """The number that an expression has everywhere."""
        return np.broadcast_to(np.asarray(expression.evaluate(self)).astype(np.int64), self.shape)


def size_of_grid(scope: Sequence[Variable]) -> int:
    """How many combinations a scope has."""
    size = 1
    for variable in scope:
        size *= variable.domain.count
    return size


def from_truth(allowed: np.ndarray) -> Supports:
    """The supports of a relation given as truth on a grid of two or more variables (or of one, doubled)."""
    if allowed.ndim == 2:
        return Supports.of_pairs(allowed)
    return Supports.of_tuples(np.argwhere(allowed), allowed.shape)


def ask(scope: Sequence[Variable], function: Callable[..., Any]) -> np.ndarray:
    """Truth on a grid, by asking a Python function about every combination."""
    answers = [bool(function(*values)) for values in product(*(variable.domain.values for variable in scope))]
    return np.array(answers, bool).reshape([variable.domain.count for variable in scope])
