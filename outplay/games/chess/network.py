"""What a network sees of a chess position, and how a move changes that: 768 inputs, one for each piece of each side on each square.

A seat sees the board from its own side, and mirrored where its king stands on the files a to d: input 384 * whose + 64 * piece +
square, with 0 for its own pieces and 1 for the other's, and squares from its own a1 on. The pieces are pawn, knight, bishop, rook,
king, queen: a queen is a bishop and a rook, 2 + 3.

>>> import numpy as np
>>> from outplay.game import load
>>> chess, room = load("chess"), np.zeros(MOST, np.int64)
>>> board = chess.record(chess.position("8/8/8/8/8/2k5/8/KQ6 b - - 0 1").state)
>>> room[: board.nnue_inputs(0, room)].tolist()  # as White sees it, mirrored: Black's king on f3, the king on h1, the queen on g1
[661, 263, 326]
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from outplay.games.chess.boards import NONE, ONE
from outplay.games.chess.moves import CASTLING, EN_PASSANT, LAST, SIX, TO_BISHOP, TO_KNIGHT, TO_QUEEN, TO_ROOK, TWELVE
from outplay.jit import i64, inlined, lowest, popcount, u64

INPUTS, MOST, BUCKETS = 768, 32, 8
PIECES_OF_BUCKET = 4
KNIGHT, BISHOP, ROOK, KING, QUEEN = (u64(code) for code in (1, 2, 3, 4, 5))
OTHER, UPSIDE, EIGHT, FOUR, SEVEN = u64(384), u64(56), u64(8), u64(4), u64(7)


@inlined
def code_of(state: Any, square: Any) -> Any:
    """Which piece stands on a square."""
    return (((state.knights >> square) & ONE) + ((state.diagonals >> square) & ONE) * BISHOP
            + ((state.straights >> square) & ONE) * ROOK + ((state.kings >> square) & ONE) * KING)


@inlined
def mirror_of(king: Any) -> Any:
    """The mirror in which a seat sees its files whose king stands on this square."""
    return SEVEN if king & FOUR == NONE else NONE


@inlined
def king_of(state: Any, seat: Any) -> Any:
    """Where a seat's king stands, from its own side."""
    if seat == state.turn:
        return u64(lowest(state.kings & state.mine))
    return u64(lowest(state.kings & ~state.mine)) ^ UPSIDE


@inlined
def seen(state: Any, seat: Any, square: Any) -> Any:
    """The input of the piece on a square (as the player to move sees it), as a seat sees it; not mirrored."""
    code, mine = code_of(state, square) << SIX, (state.mine >> square) & ONE
    if seat == state.turn:
        return code + square + (ONE - mine) * OTHER
    return code + (square ^ UPSIDE) + mine * OTHER


@inlined
def inputs(state: Any, seat: Any, out: Any) -> Any:
    """List what is set, as a seat sees it."""
    pieces = state.pawns | state.knights | state.diagonals | state.straights | state.kings
    mirror = mirror_of(king_of(state, seat))
    count = 0
    while pieces != NONE:
        out[count] = seen(state, seat, u64(lowest(pieces))) ^ mirror
        count += 1
        pieces &= pieces - ONE
    return count


@inlined
def bucket(state: Any) -> Any:
    """Which last layer: by the number of pieces, four to each."""
    count = popcount(state.pawns | state.knights | state.diagonals | state.straights | state.kings)
    return i64(min(max(i64(count) - 1, 0) // PIECES_OF_BUCKET, BUCKETS - 1))


def accumulator(tools: Any) -> SimpleNamespace:
    """How rules with a network keep its sums: `refresh(state)` from the board, `follow(state, action)` before a move is made. That
    says whether the mover's king goes where its seat sees the board another way: then `refresh_seat(state, seat)` afterwards."""
    clear, put, take, shift = tools.clear, tools.put, tools.take, tools.shift

    def refresh_seat(state, seat):  # type: ignore[no-untyped-def]  # Numba types all of these
        clear(state.sums, seat)
        mirror = mirror_of(king_of(state, seat))
        pieces = state.pawns | state.knights | state.diagonals | state.straights | state.kings
        while pieces != NONE:
            put(state.sums, seat, seen(state, seat, u64(lowest(pieces))) ^ mirror)
            pieces &= pieces - ONE

    def refresh(state):  # type: ignore[no-untyped-def]  # Numba types it
        for seat in range(2):
            refresh_seat(state, seat)

    def follow(state, action):  # type: ignore[no-untyped-def]  # Numba types it
        word = u64(action)
        source, target, kind = word & LAST, (word >> SIX) & LAST, word >> TWELVE
        me, code = i64(state.turn), code_of(state, source)
        placed, to = code, target
        if kind == u64(CASTLING):
            to = u64(6) if target > source else u64(2)
        elif kind == u64(TO_QUEEN):
            placed = QUEEN
        elif kind == u64(TO_KNIGHT):
            placed = KNIGHT
        elif kind == u64(TO_ROOK):
            placed = ROOK
        elif kind == u64(TO_BISHOP):
            placed = BISHOP
        mirror, their_mirror = mirror_of(king_of(state, me)), mirror_of(king_of(state, 1 - me)) ^ UPSIDE
        is_stale = code == KING and mirror_of(to) != mirror
        old, new = (code << SIX) + source, (placed << SIX) + to
        shift(state.sums, 1 - me, OTHER + (old ^ their_mirror), OTHER + (new ^ their_mirror))
        if not is_stale:
            shift(state.sums, me, old ^ mirror, new ^ mirror)
        if kind == u64(CASTLING):
            old, new = (ROOK << SIX) + target, (ROOK << SIX) + (u64(5) if target > source else u64(3))
            shift(state.sums, 1 - me, OTHER + (old ^ their_mirror), OTHER + (new ^ their_mirror))
            if not is_stale:
                shift(state.sums, me, old ^ mirror, new ^ mirror)
            return is_stale
        prey = target
        if kind == u64(EN_PASSANT):
            prey = target - EIGHT
        everyone = state.pawns | state.knights | state.diagonals | state.straights | state.kings
        if (everyone >> prey) & ONE != NONE:
            taken = (code_of(state, prey) << SIX) + prey
            take(state.sums, 1 - me, taken ^ their_mirror)
            if not is_stale:
                take(state.sums, me, OTHER + (taken ^ mirror))
        return is_stale

    return SimpleNamespace(refresh=refresh, refresh_seat=refresh_seat, follow=follow)
