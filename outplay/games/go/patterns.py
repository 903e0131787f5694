"""The 3x3 patterns by which playouts of Go reply: hane, cuts, moves along the edge (Gelly, Wang, Munos, Teytaud, MoGo, 2006).

A pattern is drawn as three rows around the point to play on. X and O are stones of two colours, whichever they are; `.` is empty,
`x` and `o` are anything but that stone, `?` is anything, `-` lies beyond the edge. Every turn and reflection counts.

>>> table = matching()
>>> bool(table[0, 0] & np.uint64(1))  # nothing around: no pattern
False
"""

from __future__ import annotations

import functools

import numpy as np

EMPTY, BLACK, WHITE, BORDER = 0, 1, 2, 3
EITHER, BLACK_ONLY, WHITE_ONLY = "either", "X to move", "O to move"

PATTERNS = (
    # hane: around the head of a stone
    ("XOX", "...", "???", EITHER),
    ("XO.", "...", "?.?", EITHER),
    ("XO?", "X..", "x.?", EITHER),
    ("XOO", "...", "?.?", BLACK_ONLY),
    (".O.", "X..", "...", EITHER),
    # cuts
    ("XO?", "O.o", "?o?", EITHER),
    ("XO?", "O.X", "???", EITHER),
    ("?X?", "O.O", "ooo", EITHER),
    ("OX?", "o.O", "???", EITHER),
    # along the edge
    ("X.?", "O.?", "---", EITHER),
    ("OX?", "X.O", "---", EITHER),
    ("?X?", "x.O", "---", BLACK_ONLY),
    ("?XO", "x.x", "---", WHITE_ONLY),
    ("?OX", "X.O", "---", EITHER),
)
MEANS = {
    "X": (BLACK,),
    "O": (WHITE,),
    ".": (EMPTY,),
    "x": (EMPTY, WHITE, BORDER),
    "o": (EMPTY, BLACK, BORDER),
    "?": (EMPTY, BLACK, WHITE, BORDER),
    "-": (BORDER,),
}
READING_ORDER = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2))


@functools.cache
def matching() -> np.ndarray:
    """Bit tables [color to move, word]: bit c of a table says whether the surroundings of code c match a pattern.

    A code has two bits for each of the eight neighbours, in reading order, the first in the lowest bits.
    """
    found = np.zeros((2, 4**8), bool)
    for *rows, mover in PATTERNS:
        for turned in symmetries(rows):
            for swapped in (0, 1):
                codes = np.zeros(1, np.int64)
                for place, (row, column) in enumerate(READING_ORDER):
                    stones = [3 - s if swapped and s in (BLACK, WHITE) else s for s in MEANS[turned[row][column]]]
                    codes = (codes[:, None] + (np.array(stones) << 2 * place)).ravel()
                for color in (0, 1):
                    if mover == EITHER or (mover == BLACK_ONLY) == (color == swapped):
                        found[color, codes] = True
    return np.packbits(found, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def symmetries(rows: list[str]) -> list[list[str]]:
    """A pattern in its eight positions (some of them may be equal)."""
    every = []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        every += [rows, [row[::-1] for row in rows]]
    return every
