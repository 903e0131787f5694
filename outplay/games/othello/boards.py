"""Words of bits as boards: bit size * row + column, a1 at the top left being bit 0. All is by floods and carries, not by cells.

`reach` finds all legal cells at once by flooding along the eight directions (parallel prefix); `turned` finds what one disc turns
by one carry or one bit scan for each line (Gunnar Andersson's and Toshihiko Okuhara's tricks, in our words).
"""

from functools import cache
from types import SimpleNamespace

import numpy as np

from outplay.games.othello.lanes import flooded, turned_on
from outplay.jit import byteswap, u64

NONE, ONE = u64(0), u64(1)
ONES, TWOS, FOURS = u64(0x5555555555555555), u64(0x3333333333333333), u64(0x0F0F0F0F0F0F0F0F)
CORNERS = ((u64(28), u64(0x0F0F0F0F00000000)), (u64(14), u64(0x3333000033330000)), (u64(7), u64(0x5500550055005500)))
STEPS = ((0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1))  # row and column: right, down and so on, then back


def lines_of(size):
    """For each cell the cells of its eight lines up to the border, as words."""
    lines = np.zeros((size * size, 8), np.uint64)
    for cell in range(size * size):
        for number, (down, right) in enumerate(STEPS):
            row, column, word = cell // size + down, cell % size + right, 0
            while 0 <= row < size and 0 <= column < size:
                word |= 1 << size * row + column
                row, column = row + down, column + right
            lines[cell, number] = word
    return lines


def on_board(size, column_left, column_right):
    """The cells of a board without so many columns on the left and on the right."""
    return u64(sum(1 << size * row + column for row in range(size) for column in range(column_left, size - column_right)))


@cache
def boards(size):
    """The functions on boards of this size."""
    board = on_board(size, 0, 0)
    inner = on_board(size, 1, 1)
    lines = lines_of(size)
    width = u64(size)

    def reach(mine, theirs):
        """The cells where `mine` may put a disc."""
        middle = theirs & inner  # a row along the border, seen from the side, does not run on in the next row
        return flooded(mine, theirs, middle, width) & ~(mine | theirs) & board

    def turned(mine, theirs, cell):
        """The discs of `theirs` that turn when `mine` puts one on a cell."""
        return turned_on(lines, cell, mine, theirs)

    def twin_of(discs, symmetry):
        """A board of eight rows, its columns (1), its rows (2) turned round, rows and columns exchanged (4)."""
        if symmetry & 1:
            discs = ((discs >> u64(1)) & ONES) | ((discs & ONES) << u64(1))
            discs = ((discs >> u64(2)) & TWOS) | ((discs & TWOS) << u64(2))
            discs = ((discs >> u64(4)) & FOURS) | ((discs & FOURS) << u64(4))
        if symmetry & 2:
            discs = byteswap(discs)
        if symmetry & 4:
            for far, mask in CORNERS:
                swapped = mask & (discs ^ (discs << far))
                discs ^= swapped ^ (swapped >> far)
        return discs

    return SimpleNamespace(board=board, reach=reach, turned=turned, twin_of=twin_of)
