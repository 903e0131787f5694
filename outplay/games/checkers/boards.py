"""Words of bits as boards: the dark squares row by row, with one bit left free after every second row.

So a step along a diagonal is the same shift from every square (4 and 5 bits on the small board, 5 and 6 on the large one), and what
steps over the edge falls on a free bit. All words are as the player to move sees them: men go to higher bits, and the board is
turned round with every move. Directions: 0 and 1 forward (left, right), 2 and 3 the ways back of these; 4 and 5 along a column and
a row to the next dark square, which Frisian captures go, 6 and 7 their ways back. So the way back is always `direction ^ 2`.
"""

from functools import cache
from types import SimpleNamespace

import numpy as np

from outplay.jit import byteswap, u64

NONE, ONE = u64(0), u64(1)
NIBBLES, PAIRS, SINGLES = u64(0x0F0F0F0F0F0F0F0F), u64(0x3333333333333333), u64(0x5555555555555555)


def square_bits(size):
    """The bit of every dark square, row by row from the first player's side."""
    half = size // 2
    return [(row // 2) * (size + 1) + (row % 2) * half + column for row in range(size) for column in range(half)]


@cache
def boards(size):
    """The functions on boards of this size."""
    half = size // 2
    bits = square_bits(size)
    board = u64(sum(1 << bit for bit in bits))
    last_row = u64(sum(1 << bit for bit in bits[-half:]))
    slant, fall, column, row = u64(half), u64(half + 1), u64(size + 1), u64(1)
    begins_row, ends_row = (u64(sum(1 << bit for bit in bits[place::half])) for place in (0, half - 1))
    rest = u64(63 - bits[-1])

    def step(squares, direction):
        """All these squares, one step further."""
        if direction == 0:
            return (squares << slant) & board
        if direction == 1:
            return (squares << fall) & board
        if direction == 2:
            return (squares >> slant) & board
        if direction == 3:
            return (squares >> fall) & board
        if direction == 4:
            return (squares << column) & board
        if direction == 5:
            return ((squares & ~ends_row) << row) & board
        if direction == 6:
            return (squares >> column) & board
        return ((squares & ~begins_row) >> row) & board

    def turned(squares):
        """The board as the other player sees it."""
        word = byteswap(squares)
        word = ((word >> u64(4)) & NIBBLES) | ((word & NIBBLES) << u64(4))
        word = ((word >> u64(2)) & PAIRS) | ((word & PAIRS) << u64(2))
        word = ((word >> u64(1)) & SINGLES) | ((word & SINGLES) << u64(1))
        return word >> rest

    def near_jumpers(mine, prey, empty, both_ways):
        """Those of `mine` that can jump over a neighbour."""
        found = ((((empty >> slant) & prey) >> slant) | (((empty >> fall) & prey) >> fall)) & mine
        if both_ways:
            found |= ((((empty << slant) & prey) << slant) | (((empty << fall) & prey) << fall)) & mine
        return found

    def straight_jumpers(mine, prey, empty):
        """Those of `mine` that can jump over a neighbour along a row or a column."""
        found = NONE
        for direction in range(4, 8):
            found |= step(step(empty, direction) & prey, direction)
        return found & mine

    def rows(first, last):
        """The squares of some rows, counted from the player's own side."""
        return u64(sum(1 << bit for bit in bits[first * half : last * half]))

    numbers = np.full(64, -1, np.int64)  # the number of a bit's square, from 0
    numbers[bits] = np.arange(len(bits))
    return SimpleNamespace(board=board, last_row=last_row, step=step, turned=turned, near_jumpers=near_jumpers,
                           straight_jumpers=straight_jumpers, rows=rows, bits=bits, numbers=numbers, slant=slant, fall=fall)
