"""What a network sees of a position, and how a move changes that: an input for each kind of piece of each side on each square.

A seat sees the board from its own side: input 128 * whose + 64 * kind + bit, with 0 for its own pieces and 1 for the other's, 0
for a man and 1 for a king, and the bit of the square as the seat sees it. Bits that are no square are inputs that are never set.

>>> import numpy as np
>>> from outplay.game import load
>>> checkers, room = load("checkers"), np.zeros(24, np.int64)
>>> board = checkers.record(checkers.position("B:WK32:B1,K5").state)
>>> with np.errstate(over="ignore"):
...     found = room[: board.nnue_inputs(0, room)].tolist()
>>> found  # Black to move: his man on the first square and his king, and the other's king at the far end
[0, 68, 226]
"""

from functools import cache
from types import SimpleNamespace

from outplay.games.checkers.boards import NONE, ONE, boards
from outplay.games.checkers.moves import CROWN, SQUARE, TO, taking
from outplay.jit import i64, lowest, popcount, u64

INPUTS, BUCKETS = 256, 8
KING, OTHER = 64, 128


@cache
def network(size, straight, men):
    """The functions for one board: `inputs`, `bucket`, and `accumulator(tools)` for rules that keep a network's sums."""
    last = boards(size).bits[-1]
    unpack = taking(size, straight).unpack

    def input_of(state, seat, piece):
        """The input of the piece on a square (as the player to move sees it), as a seat sees it."""
        bit = i64(lowest(piece))
        is_other = (state.mine & piece == NONE) == (seat == state.turn)
        place = bit if seat == state.turn else last - bit
        return place + (KING if state.kings & piece != NONE else 0) + (OTHER if is_other else 0)

    def inputs(state, seat, out):
        """List what is set, as a seat sees it."""
        rest, count = state.mine | state.theirs, 0
        while rest != NONE:
            piece = rest & (NONE - rest)
            rest ^= piece
            out[count] = input_of(state, seat, piece)
            count += 1
        return count

    def bucket(state):
        """Which last layer: by the number of men and kings, as many to each."""
        count = i64(popcount(state.mine | state.theirs))
        return max(count - 1, 0) * BUCKETS // men

    def accumulator(tools):
        """How rules with a network keep its sums: `refresh` from the board, `follow` before a move is made."""
        clear, put, take, shift = tools.clear, tools.put, tools.take, tools.shift

        def refresh(state):
            for seat in range(2):
                clear(state.sums, seat)
                rest = state.mine | state.theirs
                while rest != NONE:
                    piece = rest & (NONE - rest)
                    rest ^= piece
                    put(state.sums, seat, input_of(state, seat, piece))

        def follow(state, action):
            start, end = i64(action & SQUARE), i64((action >> TO) & SQUARE)
            me, rest = i64(state.turn), unpack(action)
            was = KING if state.kings & (ONE << u64(start)) != NONE else 0
            now = KING if (action >> CROWN) & 1 else was
            shift(state.sums, me, start + was, end + now)
            shift(state.sums, 1 - me, OTHER + last - start + was, OTHER + last - end + now)
            while rest != NONE:
                piece = rest & (NONE - rest)
                rest ^= piece
                for seat in range(2):
                    take(state.sums, seat, input_of(state, seat, piece))

        return SimpleNamespace(refresh=refresh, follow=follow)

    return SimpleNamespace(inputs=inputs, bucket=bucket, accumulator=accumulator)
