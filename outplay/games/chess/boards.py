"""Boards as words of 64 bits, and where each piece can go on them: the tables that the rules of chess look up.

Square 0 is a1 and square 63 is h8, seen from the player to move, who always moves up the board. Lines of sliding pieces are found
by multiplication (Lasse Hansen and Gerd Isenberg, 2006): the occupied squares that matter are multiplied so that they gather in the
top bits, which index a table of answers. A rook looks up its rank and its file apart: the two tables stay in the fastest cache.

>>> with np.errstate(over="ignore"):  # words wrap around
...     show(rook_attacks(u64(0), u64(1 << 3 | 1 << 16)))
--------
--------
--------
--------
--------
x-------
x-------
-xxx----
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.jit import inlined, mix, u64

NONE, ONE, ALL = u64(0), u64(1), u64(2**64 - 1)
RANK_1, RANK_2, RANK_3, RANK_4, RANK_5, RANK_6, RANK_7, RANK_8 = (u64(0xFF << 8 * rank) for rank in range(8))
FILES = tuple(u64(0x0101010101010101 << file) for file in range(8))
FILE_A = FILES[0]
NOT_A, NOT_H = ~FILES[0], ~FILES[7]
TURN_FILE = u64(0x0080402010080400)  # brings the inner six squares of the first file into the top six bits
LIGHT = u64(0x55AA55AA55AA55AA)
DARK = ~LIGHT

_STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
_DIAGONAL = ((1, 1), (-1, 1), (1, -1), (-1, -1))
_KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))

# The multiplier of a square is `_candidate` of its number here; each was found by trying 1, 2, 3, … until no two answers collide.
_BISHOP_MAGIC = (
    4228, 310, 582, 559, 975, 479, 493, 12545, 1151, 1656, 533, 1106, 515, 701, 515, 21, 761, 861, 2088, 2135, 6242,
    5957, 973, 907, 4820, 286, 2174, 76013, 12383, 599, 283, 2192, 829, 1620, 4748, 2430, 232148, 3081, 286, 1684,
    5408, 187, 4840, 4584, 2668, 1720, 724, 582, 1291, 187, 910, 251, 861, 350, 365, 310, 12545, 21, 251, 599, 568,
    625, 1151, 4228,
)  # fmt: skip


def squares(bits: Any) -> list[int]:
    """The squares of a board, from a1 on."""
    return [square for square in range(64) if int(bits) >> square & 1]


def _candidate(number: int) -> Any:
    """A word with about one bit in eight set, which is what makes a good multiplier."""
    words = (np.arange(1, 4, dtype=u64) + u64(3 * number)) * u64(0x9E3779B97F4A7C15)
    return np.bitwise_and.reduce(mix(words))


def _walk(square: int, directions: Any, occupied: np.ndarray) -> np.ndarray:
    """The squares that a sliding piece reaches, for each of many sets of occupied squares."""
    reached = np.zeros(len(occupied), u64)
    for across, up in directions:
        file, rank, open_line = square % 8 + across, square // 8 + up, np.ones(len(occupied), bool)
        while 0 <= file < 8 and 0 <= rank < 8:
            bit = u64(1 << 8 * rank + file)
            reached |= np.where(open_line, bit, NONE)
            open_line &= (occupied & bit) == NONE
            file, rank = file + across, rank + up
    return reached


def _steps(directions: Any) -> np.ndarray:
    """For each square, the squares one step away."""
    table = [0] * 64
    for square in range(64):
        for across, up in directions:
            if 0 <= square % 8 + across < 8 and 0 <= square // 8 + up < 8:
                table[square] |= 1 << square + across + 8 * up
    return np.array(table, u64)


def _slider(directions: Any, numbers: Any) -> tuple[np.ndarray, np.ndarray]:
    """Rows of (mask of squares that matter, multiplier, shift, offset) for each square, and the table of answers."""
    rows, answers, offset = np.zeros((64, 4), u64), [], 0
    edges = {(1, 0): FILES[7], (-1, 0): FILES[0], (0, 1): RANK_8, (0, -1): RANK_1}
    for square, number in enumerate(numbers):
        mask = NONE
        for across, up in directions:
            beyond = edges.get((across, 0), NONE) | edges.get((0, up), NONE)
            mask |= _walk(square, ((across, up),), np.zeros(1, u64))[0] & ~beyond
        subsets = np.zeros(1, u64)
        for bit in range(64):
            if int(mask) >> bit & 1:
                subsets = np.concatenate([subsets, subsets | u64(1 << bit)])
        shift = u64(65 - len(subsets).bit_length())
        found = np.zeros(len(subsets), u64)
        found[(subsets * _candidate(number)) >> shift] = _walk(square, directions, subsets)
        rows[square] = mask, _candidate(number), shift, offset
        answers.append(found)
        offset += len(subsets)
    return rows, np.concatenate(answers)


def _line(directions: Any) -> np.ndarray:
    """For each square and each set of occupied squares among the inner six of its line, the squares attacked along it."""
    table = np.zeros((64, 64), u64)
    inner = np.arange(64)
    for square in range(64):
        occupied = np.zeros(64, u64)
        for bit in range(6):
            place = 8 * (square // 8) + bit + 1 if directions == _STRAIGHT[:2] else square % 8 + 8 * (6 - bit)
            occupied |= (inner >> bit & 1).astype(u64) << u64(place)
        table[square] = _walk(square, directions, occupied)
    return table


KNIGHT = _steps(_KNIGHT)
KING = _steps(_STRAIGHT + _DIAGONAL)
PAWN = _steps(((-1, 1), (1, 1)))  # where a pawn of the player to move captures
ALONG_RANK, ALONG_FILE = _line(_STRAIGHT[:2]), _line(_STRAIGHT[2:])
BISHOP, BISHOP_ATTACKS = _slider(_DIAGONAL, _BISHOP_MAGIC)
DIAGONALS, STRAIGHTS = (  # what a bishop and a rook attack on an empty board
    np.concatenate([_walk(square, directions, np.zeros(1, u64)) for square in range(64)]) for directions in (_DIAGONAL, _STRAIGHT)
)
# From where a knight, bishop or rook might attack a square beside the king's.
KNIGHT_NEAR, DIAGONALS_NEAR, STRAIGHTS_NEAR = (
    np.array([np.bitwise_or.reduce(table[squares(beside)]) for beside in KING]) for table in (KNIGHT, DIAGONALS, STRAIGHTS)
)


def _between() -> np.ndarray:
    """The squares strictly between two squares of one line."""
    table = np.zeros((64, 64), u64)
    for square in range(64):
        for across, up in _STRAIGHT + _DIAGONAL:
            file, rank, passed = square % 8 + across, square // 8 + up, 0
            while 0 <= file < 8 and 0 <= rank < 8:
                table[square, 8 * rank + file] = passed
                passed |= 1 << 8 * rank + file
                file, rank = file + across, rank + up
    return table


BETWEEN = _between()


@inlined
def along_rank(square: Any, occupied: Any) -> Any:
    """The squares that a rook attacks on its rank."""
    return ALONG_RANK[square, (occupied >> ((square & u64(56)) + ONE)) & u64(63)]


@inlined
def rook_attacks(square: Any, occupied: Any) -> Any:
    """The squares that a rook attacks."""
    up = (((occupied >> (square & u64(7))) & FILE_A) * TURN_FILE) >> u64(58)
    return along_rank(square, occupied) | ALONG_FILE[square, up]


@inlined
def bishop_attacks(square: Any, occupied: Any) -> Any:
    """The squares that a bishop attacks."""
    return BISHOP_ATTACKS[(((occupied & BISHOP[square, 0]) * BISHOP[square, 1]) >> BISHOP[square, 2]) + BISHOP[square, 3]]


@inlined
def pawn_attacks_up(pawns: Any) -> Any:
    """The squares that pawns moving up attack, all at once."""
    return ((pawns & NOT_A) << u64(7)) | ((pawns & NOT_H) << u64(9))


@inlined
def pawn_attacks_down(pawns: Any) -> Any:
    """The squares that pawns moving down attack, all at once."""
    return ((pawns & NOT_A) >> u64(9)) | ((pawns & NOT_H) >> u64(7))


def show(bits: Any) -> None:
    """Print a board, the eighth rank on top."""
    for rank in reversed(range(8)):
        print("".join("-x"[int(bits) >> 8 * rank + file & 1] for file in range(8)))
