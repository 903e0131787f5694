"""Fictitious play (Brown 1951): each player answers what the other has played so far on average.

In a zero-sum game the averages tend to an equilibrium (Robinson 1951).

>>> value, rows, columns = fictitious_play([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], iterations=3000)
>>> abs(value) < 0.05, all(abs(share - 1 / 3) < 0.05 for share in rows)
(True, True)

It is slow: the error shrinks hardly faster than one over the square root of the iterations.
"""

from __future__ import annotations

from collections.abc import Sequence

from outplay.textbook.search import whole_number


def fictitious_play(entries: Sequence[Sequence[float]], *, iterations: int = 1000) -> tuple[float, list[float], list[float]]:
    """The value of a matrix game to the row player as far as it is known, and how often each row and column was played."""
    whole_number("iterations", iterations, 1)
    rows, columns = len(entries), len(entries[0])
    gains, losses = [0.0] * rows, [0.0] * columns  # of each row against all columns played so far, and the other way round
    row_counts, column_counts = [0] * rows, [0] * columns
    row = 0
    for _ in range(iterations):
        row_counts[row] += 1
        losses = [loss + entries[row][j] for j, loss in enumerate(losses)]
        column = min(range(columns), key=losses.__getitem__)
        column_counts[column] += 1
        gains = [gain + entries[i][column] for i, gain in enumerate(gains)]
        row = max(range(rows), key=gains.__getitem__)
    middle = (max(gains) + min(losses)) / (2 * iterations)  # the value lies between what each can be sure of
    return middle, [count / iterations for count in row_counts], [count / iterations for count in column_counts]
