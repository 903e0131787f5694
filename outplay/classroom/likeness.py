"""Which submissions are alike when names, comments and layout are taken away: for a talk, never a verdict.

The syntax tree of a file is written as a row of marks in which every name is the same, and its runs of marks are compared; what the
students were given does not count (the idea of fingerprints by runs: Schleimer, Wilkerson and Aiken 2003).

>>> one = "def f(a):\\n    total = 0\\n    for x in a:\\n        total += x * x\\n    return total\\n"
>>> two = "def g(values):\\n    # mine\\n    s = 0\\n    for each in values: s += each * each\\n    return s\\n"
>>> round(alike(marks(one), marks(two)), 2)
1.0
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Mapping

from outplay import syntax

RUN = 10
"""Marks in a run."""
LOUD = 0.6
"""The share of runs in common from which on a pair is told."""


def marks(text: str) -> frozenset[tuple[str, ...]]:
    """The runs of a file's marks."""
    try:
        tree = syntax.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    row = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            continue  # a docstring
        row.append(
            type(node).__name__ + (f" {node.value!r}" if isinstance(node, ast.Constant) and not isinstance(node.value, str) else "")
        )
    return frozenset(tuple(row[n : n + RUN]) for n in range(max(1, len(row) - RUN + 1)))


def alike(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    """The share of runs that two files have in common, of all runs of the smaller one."""
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0


def pairs(texts: Mapping[str, str], given: str = "") -> list[tuple[str, str, float]]:
    """The pairs that are alike beyond what all were given, the most alike first."""
    known = marks(given)
    found = {name: marks(text) - known for name, text in texts.items()}
    told = [(one, other, alike(found[one], found[other])) for one, other in itertools.combinations(sorted(found), 2)
            if min(len(found[one]), len(found[other])) >= RUN]  # fmt: skip
    return sorted(((one, other, share) for one, other, share in told if share >= LOUD), key=lambda each: -each[2])
