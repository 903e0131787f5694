"""What a network sees of a chess position, and how a move changes that: 768 inputs, one for each piece of each side on each square.

A seat sees the board from its own side: input 384 * whose + 64 * piece + square, with 0 for its own pieces and 1 for the other's,
and squares from its own a1 on. The pieces are pawn, knight, bishop, rook, king, queen: a queen is a bishop and a rook, 2 + 3.

>>> from outplay.game import load
>>> chess = load("chess")
>>> room = np.zeros(MOST, np.int64)
>>> board = chess.record(chess.position("8/8/8/8/8/2k5/8/KQ6 b - - 0 1").state)
>>> room[: board.nnue_inputs(0, room)].tolist()  # as White sees it: Black's king on c3, the king on a1, the queen on b1
[658, 256, 321]
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from outplay.games.chess.boards import NONE, ONE
from outplay.games.chess.moves import CASTLING, EN_PASSANT, LAST, SIX, TO_BISHOP, TO_KNIGHT, TO_QUEEN, TO_ROOK, TWELVE
from outplay.jit import i64, inlined, lowest, popcount, u64

INPUTS, MOST, BUCKETS = 768, 32, 8
PIECES_OF_BUCKET = 4
MIRROR = np.arange(INPUTS) ^ 7  # the files from h to a: castling aside, the same position
KNIGHT, BISHOP, ROOK, KING, QUEEN = (u64(code) for code in (1, 2, 3, 4, 5))
OTHER, UPSIDE, EIGHT, TWO, THREE = u64(384), u64(56), u64(8), u64(2), u64(3)


@inlined
def code_of(state: Any, square: Any) -> Any:
    """Which piece stands on a square."""
    return (((state.knights >> square) & ONE) + ((state.diagonals >> square) & ONE) * BISHOP
            + ((state.straights >> square) & ONE) * ROOK + ((state.kings >> square) & ONE) * KING)


@inlined
def seen(state: Any, seat: Any, square: Any) -> Any:
    """The input of the piece on a square (as the player to move sees it), as a seat sees it."""
    code, mine = code_of(state, square) << SIX, (state.mine >> square) & ONE
    if seat == state.turn:
        return code + square + (ONE - mine) * OTHER
    return code + (square ^ UPSIDE) + mine * OTHER


@inlined
def inputs(state: Any, seat: Any, out: Any) -> Any:
    """List what is set, as a seat sees it."""
    pieces = state.pawns | state.knights | state.diagonals | state.straights | state.kings
    count = 0
    while pieces != NONE:
        out[count] = seen(state, seat, u64(lowest(pieces)))
        count += 1
        pieces &= pieces - ONE
    return count


@inlined
def bucket(state: Any) -> Any:
    """Which last layer: by the number of pieces, four to each."""
    count = popcount(state.pawns | state.knights | state.diagonals | state.straights | state.kings)
    return i64(min(max(i64(count) - 1, 0) // PIECES_OF_BUCKET, BUCKETS - 1))


def accumulator(tools: Any) -> SimpleNamespace:
    """How rules with a network keep its sums: `refresh(state)` from the board, `follow(state, action)` before the move is made."""
    clear, put, take, shift = tools.clear, tools.put, tools.take, tools.shift

    def refresh(state):  # type: ignore[no-untyped-def]  # Numba types all of these
        for seat in range(2):
            clear(state.sums, seat)
            pieces = state.pawns | state.knights | state.diagonals | state.straights | state.kings
            while pieces != NONE:
                put(state.sums, seat, seen(state, seat, u64(lowest(pieces))))
                pieces &= pieces - ONE

    def both(state, old, new):  # type: ignore[no-untyped-def]
        # An own piece, 64 * code + square, becomes another.
        me = i64(state.turn)
        shift(state.sums, me, old, new)
        shift(state.sums, 1 - me, OTHER + (old ^ UPSIDE), OTHER + (new ^ UPSIDE))

    def follow(state, action):  # type: ignore[no-untyped-def]
        word = u64(action)
        source, target, kind = word & LAST, (word >> SIX) & LAST, word >> TWELVE
        code = code_of(state, source)
        if kind == u64(CASTLING):
            king_to, rook_to = u64(2), u64(3)
            if target > source:
                king_to, rook_to = u64(6), u64(5)
            both(state, (KING << SIX) + source, (KING << SIX) + king_to)
            both(state, (ROOK << SIX) + target, (ROOK << SIX) + rook_to)
            return
        placed = code
        if kind == u64(TO_QUEEN):
            placed = QUEEN
        elif kind == u64(TO_KNIGHT):
            placed = KNIGHT
        elif kind == u64(TO_ROOK):
            placed = ROOK
        elif kind == u64(TO_BISHOP):
            placed = BISHOP
        both(state, (code << SIX) + source, (placed << SIX) + target)
        taken, prey = NONE, target
        if kind == u64(EN_PASSANT):
            prey = target - EIGHT
        everyone = state.pawns | state.knights | state.diagonals | state.straights | state.kings
        if (everyone >> prey) & ONE != NONE:
            taken = code_of(state, prey) << SIX
            me = i64(state.turn)
            take(state.sums, me, OTHER + taken + prey)
            take(state.sums, 1 - me, taken + (prey ^ UPSIDE))

    return SimpleNamespace(refresh=refresh, follow=follow)
