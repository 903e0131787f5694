"""The numbers of endings: a class is which pieces each side has, an index is where they stand.

The player to move is always "mine" and moves up the board, so that each position stands in one class only, whatever the colour. The
board is turned until the mover's king stands in the triangle a1-d1-d4 (with pawns: on the files a to d); of two ways to do that the
one with the smaller number counts. Castling and en passant have no number, so endings with pawns on both sides have no tables.

>>> class_name(class_number("BN", ""))
'KBNK'
>>> needed(["KPK"])
['KK', 'KBK', 'KNK', 'KQK', 'KRK', 'KPK']
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from outplay.errors import BadValue, shorten
from outplay.games.chess.boards import (
    KING,
    KNIGHT,
    NONE,
    ONE,
    RANK_1,
    RANK_8,
    bishop_attacks,
    pawn_attacks_up,
    rook_attacks,
)
from outplay.jit import byteswap, i64, inlined, lowest, popcount, u64

KINDS = "QRBNP"  # the order of pieces in a name, a class and an index
MOST_PIECES = 4  # of a table, kings included
TRIANGLE_SQUARES = np.array([8 * rank + file for file in range(4) for rank in range(file + 1)], np.int64)
TRIANGLE = np.zeros(64, np.int64)  # the number of a square of the triangle
TRIANGLE[TRIANGLE_SQUARES] = np.arange(10)
EIGHT, SIXTEEN = u64(8), u64(16)


# ---------------------------------------------------------------- boards turned


@inlined
def mirrored(bits: Any) -> Any:
    """A board with left and right exchanged."""
    bits = ((bits >> u64(1)) & u64(0x5555555555555555)) | ((bits & u64(0x5555555555555555)) << u64(1))
    bits = ((bits >> u64(2)) & u64(0x3333333333333333)) | ((bits & u64(0x3333333333333333)) << u64(2))
    return ((bits >> u64(4)) & u64(0x0F0F0F0F0F0F0F0F)) | ((bits & u64(0x0F0F0F0F0F0F0F0F)) << u64(4))


@inlined
def transposed(bits: Any) -> Any:
    """A board with ranks and files exchanged."""
    swapped = u64(0x0F0F0F0F00000000) & (bits ^ (bits << u64(28)))
    bits ^= swapped ^ (swapped >> u64(28))
    swapped = u64(0x3333000033330000) & (bits ^ (bits << u64(14)))
    bits ^= swapped ^ (swapped >> u64(14))
    swapped = u64(0x5500550055005500) & (bits ^ (bits << u64(7)))
    return bits ^ swapped ^ (swapped >> u64(7))


# ---------------------------------------------------------------- from a position to its number


@inlined
def kind_of(kind: Any, diagonals: Any, straights: Any, knights: Any, pawns: Any) -> Any:
    """The squares of one kind of piece, of both players; kinds as in KINDS."""
    if kind == 0:
        return diagonals & straights
    if kind == 1:
        return straights & ~diagonals
    if kind == 2:
        return diagonals & ~straights
    if kind == 3:
        return knights
    return pawns


@inlined
def class_of(state: Any) -> Any:
    """The class: how many of each kind I have, and the other, two bits each; -1 where there is no table."""
    occupied = state.pawns | state.knights | state.diagonals | state.straights | state.kings
    if popcount(occupied) > MOST_PIECES or state.castling | state.en_passant != NONE:
        return i64(-1)
    found = i64(0)
    for kind in range(5):
        pieces = kind_of(kind, state.diagonals, state.straights, state.knights, state.pawns)
        found |= i64(popcount(pieces & state.mine)) << 2 * kind
        found |= i64(popcount(pieces & ~state.mine)) << 2 * kind + 10
    return found


@inlined
def number_of(mine: Any, kings: Any, diagonals: Any, straights: Any, knights: Any, pawns: Any) -> Any:
    """The number of a board that is turned already."""
    king = i64(lowest(kings & mine))
    found = TRIANGLE[king] if pawns == NONE else ((king >> 3) << 2) | (king & 3)
    found = (found << 6) | i64(lowest(kings & ~mine))
    for half in range(2):
        side = mine if half == 0 else ~mine
        for kind in range(5):
            pieces = kind_of(kind, diagonals, straights, knights, pawns) & side
            while pieces != NONE:
                found = (found << 6) | i64(lowest(pieces))
                pieces &= pieces - ONE
    return found


@inlined
def index_of(state: Any) -> Any:
    """Where a position stands in its class."""
    mine, kings, diagonals, straights = state.mine, state.kings, state.diagonals, state.straights
    knights, pawns = state.knights, state.pawns
    mine &= pawns | knights | diagonals | straights | kings
    king = i64(lowest(kings & mine))
    if king & 4 != 0:
        mine, kings, diagonals, straights = mirrored(mine), mirrored(kings), mirrored(diagonals), mirrored(straights)
        knights, pawns = mirrored(knights), mirrored(pawns)
    if pawns != NONE:
        return number_of(mine, kings, diagonals, straights, knights, pawns)
    if king & 32 != 0:
        mine, kings, diagonals, straights = byteswap(mine), byteswap(kings), byteswap(diagonals), byteswap(straights)
        knights = byteswap(knights)
    king = i64(lowest(kings & mine))
    beyond = (king >> 3) - (king & 7)  # above the diagonal, on it, below it
    best = i64(0)
    if beyond <= 0:
        best = number_of(mine, kings, diagonals, straights, knights, pawns)
    if beyond >= 0:
        mine, kings, diagonals, straights = transposed(mine), transposed(kings), transposed(diagonals), transposed(straights)
        other = number_of(mine, kings, diagonals, straights, transposed(knights), pawns)
        if beyond > 0 or other < best:
            best = other
    return best


# ---------------------------------------------------------------- from a number to its position


@inlined
def place(state: Any, klass: Any, index: Any) -> Any:
    """Set the position of a number up; False where there is none: squares shared, the other in check, a mirror image of another."""
    state.mine, state.pawns, state.knights, state.diagonals = NONE, NONE, NONE, NONE
    state.straights, state.kings, state.castling, state.en_passant = NONE, NONE, NONE, NONE
    state.since, state.number, state.turn = 0, 1, 0
    rest, occupied = i64(index), NONE
    for step in range(10):  # from the last piece of the number to the first
        half, kind = 1 - step // 5, 4 - step % 5
        for _ in range((klass >> 2 * kind + 10 * half) & 3):
            bit = ONE << u64(rest & 63)
            rest >>= 6
            if occupied & bit != NONE:
                return False
            occupied |= bit
            if half == 0:
                state.mine |= bit
            if kind == 3:
                state.knights |= bit
            elif kind == 4:
                if bit & (RANK_1 | RANK_8) != NONE:
                    return False
                state.pawns |= bit
            else:
                if kind != 2:
                    state.straights |= bit
                if kind != 1:
                    state.diagonals |= bit
    other = u64(rest & 63)
    rest >>= 6
    king = TRIANGLE_SQUARES[rest] if state.pawns == NONE else ((rest >> 2) << 3) | (rest & 3)
    own, others = ONE << u64(king), ONE << other
    if own == others or (own | others) & occupied != NONE or KING[other] & own != NONE:
        return False
    state.mine |= own
    state.kings = own | others
    occupied |= state.kings
    attackers = (KNIGHT[other] & state.knights) | (bishop_attacks(other, occupied) & state.diagonals)
    attackers |= rook_attacks(other, occupied) & state.straights
    if attackers & state.mine != NONE or pawn_attacks_up(state.pawns & state.mine) & others != NONE:
        return False  # the other is in check and I am to move
    return index_of(state) == index


# ---------------------------------------------------------------- moves taken back


@inlined
def list_retractions(state: Any, out: Any) -> Any:
    """The moves of the other that may have led here, captures and promotions left out: from | to << 6."""
    occupied = state.pawns | state.knights | state.diagonals | state.straights | state.kings
    rest, count = occupied & ~state.mine, 0
    while rest != NONE:
        square = u64(lowest(rest))
        bit = rest & (NONE - rest)
        rest ^= bit
        origins = NONE
        if state.kings & bit != NONE:
            origins = KING[square]
        elif state.knights & bit != NONE:
            origins = KNIGHT[square]
        elif state.pawns & bit != NONE:
            origins = (bit << EIGHT) & ~RANK_8
            if square >> u64(3) == u64(4) and origins & occupied == NONE:
                origins |= bit << SIXTEEN
        else:
            if state.diagonals & bit != NONE:
                origins |= bishop_attacks(square, occupied)
            if state.straights & bit != NONE:
                origins |= rook_attacks(square, occupied)
        origins &= ~occupied
        while origins != NONE:
            out[count] = i64(lowest(origins)) | (i64(square) << 6)
            count += 1
            origins &= origins - ONE
    return count


@inlined
def moved_back(bits: Any, start: Any, end: Any) -> Any:
    """A board with what stands at the end back at the start, as the other sees it."""
    if bits & end != NONE:
        bits = (bits ^ end) | start
    return byteswap(bits)


@inlined
def take_back(state: Any, retraction: Any) -> None:
    """Take a move of the other back."""
    start, end = ONE << u64(retraction & 63), ONE << u64((retraction >> 6) & 63)
    occupied = state.pawns | state.knights | state.diagonals | state.straights | state.kings
    state.mine = moved_back(occupied & ~state.mine, start, end)
    state.pawns, state.knights = moved_back(state.pawns, start, end), moved_back(state.knights, start, end)
    state.diagonals, state.straights = moved_back(state.diagonals, start, end), moved_back(state.straights, start, end)
    state.kings = moved_back(state.kings, start, end)
    state.turn = 1 - state.turn


# ---------------------------------------------------------------- names


def class_number(mine: str, theirs: str) -> int:
    """The class of the pieces beside the kings, those of the player to move first."""
    return sum(side.count(letter) << 2 * kind + 10 * half for half, side in enumerate((mine, theirs))
               for kind, letter in enumerate(KINDS))  # fmt: skip


def class_name(klass: int) -> str:
    """A class as people call it."""
    sides = ("".join(letter * (klass >> 2 * kind + 10 * half & 3) for kind, letter in enumerate(KINDS)) for half in range(2))
    return "".join(f"K{side}" for side in sides)


def class_size(klass: int) -> int:
    """How many indices a class has."""
    pieces = sum(klass >> 2 * each & 3 for each in range(10))
    return (32 if (klass >> 8 | klass >> 18) & 3 else 10) * 64 ** (pieces + 1)


def canonical(name: str) -> str:
    """The name of an ending with the stronger side first; refuses what has no table.

    >>> canonical("kkq"), canonical("KNBK")
    ('KQK', 'KBNK')
    """
    text = name.strip().upper()
    if text.count("K") != 2 or not text.startswith("K") or set(text) - set("K" + KINDS):
        raise BadValue(f"expected an ending such as KQK or KBNK, got {shorten(name)!r}")
    if len(text) > MOST_PIECES:
        raise BadValue(f"expected at most {MOST_PIECES} pieces, got {text!r}")
    white, black = ("".join(sorted(side, key=KINDS.index)) for side in text[1:].split("K"))
    if "P" in white and "P" in black:
        raise BadValue(f"{text!r} has pawns on both sides, which the tables leave out (en passant)")
    if _strength(black) > _strength(white):
        white, black = black, white
    return f"K{white}K{black}"


def _strength(side: str) -> tuple[int, int]:
    return sum({"Q": 9, "R": 5, "B": 3, "N": 3, "P": 1}[letter] for letter in side), -sum(KINDS.index(letter) for letter in side)


def leads_to(name: str) -> Iterator[str]:
    """The smaller or promoted endings that captures and promotions lead to.

    >>> sorted(leads_to("KPK"))
    ['KBK', 'KK', 'KNK', 'KQK', 'KRK']
    """
    white, black = name[1:].split("K")
    found = set()
    for own, other in ((white, black), (black, white)):
        for at, letter in enumerate(own):
            rest = own[:at] + own[at + 1 :]
            found.add((rest, other))  # it is taken
            if letter == "P":
                for promoted in "QRBN":
                    found.add((rest + promoted, other))
                    found.update((rest + promoted, other[:i] + other[i + 1 :]) for i in range(len(other)))
    yield from {canonical(f"K{mine}K{theirs}") for mine, theirs in found}


def needed(names: Iterable[str]) -> list[str]:
    """All endings that tables of these need, in the order of building."""
    wanted: set[str] = set()
    open_names = [canonical(name) for name in names]
    while open_names:
        name = open_names.pop()
        if name not in wanted:
            wanted.add(name)
            open_names += leads_to(name)
    return sorted(wanted, key=_order)


def _order(name: str) -> tuple[int, int, str]:
    """Captures lead to fewer pieces and promotions to fewer pawns, so these come first."""
    return len(name), name.count("P"), name


def every(pieces: int) -> list[str]:
    """All endings of up to so many pieces."""
    found = set()
    for count in range(min(pieces, MOST_PIECES) - 1):
        for kinds in itertools.combinations_with_replacement(KINDS, count):
            for owners in itertools.product((0, 1), repeat=count):
                sides = ["".join(kind for kind, owner in zip(kinds, owners, strict=True) if owner == half) for half in range(2)]
                if not ("P" in sides[0] and "P" in sides[1]):
                    found.add(canonical(f"K{sides[0]}K{sides[1]}"))
    return sorted(found, key=_order)


def families(wanted: int | Iterable[str]) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
    """The endings of up to so many pieces, or those that tables of these need, in the order of building: name, classes, sizes."""
    for name in every(wanted) if isinstance(wanted, int) else needed(wanted):
        white, black = name[1:].split("K")
        classes = dict.fromkeys((class_number(white, black), class_number(black, white)))
        yield name, tuple((klass, class_size(klass)) for klass in classes)
