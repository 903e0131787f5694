"""What games on a grid share: where its cells go when it is flipped or turned."""

import numpy as np


def twins(width, height):
    """Where each cell goes under a grid's symmetries, [symmetry, cell]: eight of a square, four of others, the first of which
    leaves it alone. A symmetry's bits say whether columns are mirrored, rows are, and both are exchanged.

    >>> twins(2, 2).tolist()
    [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0], [0, 2, 1, 3], [2, 0, 3, 1], [1, 3, 0, 2], [3, 1, 2, 0]]
    """
    rows, columns = np.divmod(np.arange(width * height), width)
    found = []
    for symmetry in range(8 if width == height else 4):
        row, column = height - 1 - rows if symmetry & 2 else rows, width - 1 - columns if symmetry & 1 else columns
        found.append(column * width + row if symmetry & 4 else row * width + column)
    return np.array(found)
