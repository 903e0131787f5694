"""How Syzygy's tables (Ronald de Man, 2013) number and pack positions: from boards to the value in a file, compiled.

A file is of one material, such as KQvKR, and has a part for each side to move and, with pawns, for each of the files a to d that
the leading pawn can stand on when the board is mirrored. Pieces come in groups: the leading one (three unlike pieces, or the two
kings, or the pawns of one side) is numbered by the symmetries of the board, each further group of like pieces by which of the free
squares it has (binomials). The values of all numbers stand in one sequence, in which pairs that come often become one symbol,
again and again, and the symbols written by a Huffman code; blocks of equal size, and a sparse index into them, give random access.

In a file, a capture counts for nothing that is not better than the best without: the value of a position is the greatest of the
file's and of those that its captures lead to. En passant does not exist there.

`experts.chess.syzygy` opens the files and fills what is read here; nothing is believed of a file that would lead out of its memory.
"""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

import numpy as np

from outplay.games.chess.boards import KING, NONE, ONE
from outplay.games.chess.moves import EN_PASSANT, generate, make
from outplay.games.chess.numbering import mirrored, transposed
from outplay.jit import byteswap, called, copy_record, i64, inlined, lowest, popcount, u64

MOST_MEN = 7
UNKNOWN = -9
SOME_WIN, SOME_LOSS = 65534, 65533  # as a search's tables number what has no distance
NO_GROUP = 0

PART = np.dtype((np.record, [*((name, np.int64) for name in (
    "constant",  # the value of all positions, -1 where they differ
    "numbers",  # how many there are
    "span", "block",  # of the sparse index and of a block of codes, as powers of two
    "blocks", "counted",  # how many, and how many have a length
    "sparse", "lengths", "codes", "end",  # where these begin, and where the file ends
    "shortest", "bases", "first_symbols",  # the Huffman code: its shortest length; where its tables begin
    "pairs", "widths", "symbols",  # the symbols: where their pairs are written, where their widths begin, how many there are
    "leading",  # pieces of the leading group
    "pawns",  # whether there are pawns at all, and of the second side too (2)
    "marks", "either",  # of a table of distances; whether it has both sides to move
)), *((name, np.int64, MOST_MEN) for name in ("pieces", "counts", "factors")), ("maps", np.int64, 4)]))  # fmt: skip


class Files(NamedTuple):
    """Opened files: their memory from the first to the last, and what their beginnings say of each part."""

    memory: Any  # bytes; only those of the files may be read
    parts: Any  # [k]: PART
    materials: Any  # [2 ** n]: which material stands here, of an open hash
    places: Any  # [2 ** n]: its first part << 3 | second side to move << 2 | two sides << 1 | pawns
    bases: Any  # 64-bit codes with which each length of a Huffman code begins
    widths: Any  # how many values a symbol stands for, less one
    most: Any  # men


# ---------------------------------------------------------------- numbers of squares


def _below_the_diagonal() -> tuple[np.ndarray, np.ndarray]:
    """The numbers of the squares of the triangle a1-d1-d4, those on the diagonal last, and of all squares below the diagonal."""
    triangle, lower = np.zeros(64, np.int64), np.zeros(64, np.int64)
    below = [9 * rank + step for rank in range(8) for step in range(1, 8 - rank)]
    lower[below] = np.arange(28)
    corner = [square for square in below if square % 8 < 4]
    triangle[corner] = np.arange(6)
    triangle[[0, 9, 18, 27]] = np.arange(6, 10)
    return triangle, lower


def _two_kings(triangle: np.ndarray) -> np.ndarray:
    """The numbers of two kings, the first in the triangle: where both stand on the diagonal, they come last."""
    numbers, count = np.zeros((10, 64), np.int64), 0
    by_number = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27]
    for both_on_it in (False, True):
        for number, first in enumerate(by_number):
            for second in range(64):
                beyond = second // 8 - second % 8
                if second == first or int(KING[first]) >> second & 1 or (number > 5 and beyond > 0):
                    continue
                if (number > 5 and beyond == 0) == both_on_it:
                    numbers[number, second], count = count, count + 1
    assert count == 462 and triangle[by_number].tolist() == list(range(10))
    return numbers


def _leading_pawns() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The worth of a pawn's square (the greatest leads), and for so many pawns: the number of the leader, the size of each file."""
    worth, first, sizes = np.zeros(64, np.int64), np.zeros((6, 64), np.int64), np.zeros((6, 4), np.int64)
    free = 47
    for file in range(4):
        for rank in range(1, 7):
            worth[8 * rank + file], worth[8 * rank + 7 - file] = free, free - 1
            free -= 2
    for pawns in range(1, 6):
        for file in range(4):
            count = 0
            for rank in range(1, 7):
                first[pawns, 8 * rank + file] = count
                count += comb(int(worth[8 * rank + file]), pawns - 1)
            sizes[pawns, file] = count
    return worth, first, sizes


BINOMIAL = np.array([[comb(n, k) for n in range(64)] for k in range(MOST_MEN)], np.int64)
TRIANGLE, LOWER = _below_the_diagonal()
TWO_KINGS = _two_kings(TRIANGLE)
WORTH, LEADER, LEADERS = _leading_pawns()
THREE_UNLIKE, KINGS_ALONE = 31332, 462  # numbers of a leading group of three unlike pieces, and of two kings


# ---------------------------------------------------------------- from a position to its number


@inlined
def material_of(state: Any) -> Any:
    """How many of each kind I have, and the other: pawns, knights, bishops, rooks and queens, three bits each."""
    queens = state.diagonals & state.straights
    bishops, rooks = state.diagonals ^ queens, state.straights ^ queens
    mine, theirs = state.mine, ~state.mine
    found = i64(popcount(state.pawns & mine)) | (i64(popcount(state.knights & mine)) << 3)
    found |= (i64(popcount(bishops & mine)) << 6) | (i64(popcount(rooks & mine)) << 9) | (i64(popcount(queens & mine)) << 12)
    found |= (i64(popcount(state.pawns & theirs)) << 15) | (i64(popcount(state.knights & theirs)) << 18)
    found |= (i64(popcount(bishops & theirs)) << 21) | (i64(popcount(rooks & theirs)) << 24)
    return found | (i64(popcount(queens & theirs)) << 27)


@inlined
def place_of(files: Any, material: Any) -> Any:
    """Where the parts of a material are, -1 without a file."""
    last = u64(len(files.materials) - 1)
    at = (u64(material) * u64(0x9E3779B97F4A7C15) >> u64(40)) & last
    while files.places[at] >= 0:
        if files.materials[at] == material:
            return files.places[at]
        at = (at + ONE) & last
    return i64(-1)


@inlined
def pieces_of(code: Any, first: Any, pawns: Any, knights: Any, diagonals: Any, straights: Any, kings: Any) -> Any:
    """The squares of a piece by its code in a file: 1 to 6 for the first side's pawns to king, 9 to 14 for the second's."""
    kind = code & 7
    found = kings
    if kind == 1:
        found = pawns
    elif kind == 2:
        found = knights
    elif kind == 3:
        found = diagonals & ~straights
    elif kind == 4:
        found = straights & ~diagonals
    elif kind == 5:
        found = diagonals & straights
    return found & (first if code < 8 else ~first)


@inlined
def beyond_diagonal(square: Any) -> Any:
    """Above the diagonal, on it, or below it."""
    return (square >> 3) - (square & 7)


@inlined
def unlike_number(a: Any, b: Any, c: Any) -> Any:
    """The number of three unlike pieces, the first of them off the diagonal in the triangle or on it."""
    after_a = i64(b > a)
    after_both = i64(c > a) + i64(c > b)
    if beyond_diagonal(a) != 0:
        return TRIANGLE[a] * 3906 + (b - after_a) * 62 + c - after_both
    on_diagonal = a & 7
    if beyond_diagonal(b) != 0:
        return 23436 + on_diagonal * 1736 + LOWER[b] * 62 + c - after_both
    second = (b & 7) - after_a
    if beyond_diagonal(c) != 0:
        return 30380 + on_diagonal * 196 + second * 28 + LOWER[c]
    return 31164 + on_diagonal * 42 + second * 6 + (c & 7) - after_both


@inlined
def choice_number(group: Any, used: Any, less: Any) -> Any:
    """The number of like pieces among the squares that are not used yet, without the first `less`."""
    found, k = i64(0), i64(1)
    while group != NONE:
        square = i64(lowest(group))
        group &= group - ONE
        found += BINOMIAL[k, square - i64(popcount(used & ((ONE << u64(square)) - ONE))) - less]
        k += 1
    return found


@inlined
def leader_of(pawns: Any) -> Any:
    """The square of the leading pawn: the one of the greatest worth."""
    best = i64(lowest(pawns))
    rest = pawns & (pawns - ONE)
    while rest != NONE:
        square = i64(lowest(rest))
        rest &= rest - ONE
        if WORTH[square] > WORTH[best]:
            best = square
    return best


@called
@inlined
def find(state: Any, files: Any, place: Any) -> Any:
    """The part of a table that a position stands in, and its number there."""
    first, pawns, knights, diagonals, straights, kings = (
        state.mine, state.pawns, state.knights, state.diagonals, state.straights, state.kings)
    first &= pawns | knights | diagonals | straights | kings
    at = u64(place >> 3)
    second_moves, sides = place >> 2 & 1, 1 + (place >> 1 & 1)
    if second_moves != 0:  # the first side moves up the board
        first = (pawns | knights | diagonals | straights | kings) & ~first
        first, pawns, knights = byteswap(first), byteswap(pawns), byteswap(knights)
        diagonals, straights, kings = byteswap(diagonals), byteswap(straights), byteswap(kings)
    if sides == 2 and second_moves != 0:
        at += ONE
    number, used, group, piece = i64(0), NONE, i64(1), i64(0)
    if place & 1 != 0:
        leader = leader_of(pieces_of(files.parts[at].pieces[0], first, pawns, knights, diagonals, straights, kings))
        if leader & 4 != 0:
            first, pawns, knights = mirrored(first), mirrored(pawns), mirrored(knights)
            diagonals, straights, kings = mirrored(diagonals), mirrored(straights), mirrored(kings)
            leader ^= 7
        at += u64(sides * (leader & 7))
        part = files.parts[at]
        used = pieces_of(part.pieces[0], first, pawns, knights, diagonals, straights, kings)
        number = LEADER[part.leading, leader]
        rest, worths, k = used ^ (ONE << u64(leader)), NONE, i64(1)
        while rest != NONE:
            worths |= ONE << u64(WORTH[lowest(rest)])
            rest &= rest - ONE
        while worths != NONE:
            number += BINOMIAL[k, lowest(worths)]
            worths &= worths - ONE
            k += 1
        number *= part.factors[0]
        piece = part.leading
        if part.pawns == 2:
            others = pieces_of(part.pieces[piece], first, pawns, knights, diagonals, straights, kings)
            number += choice_number(others, used, 8) * part.factors[1]
            used |= others
            piece += part.counts[1]
            group = 2
    else:
        part = files.parts[at]
        a = i64(lowest(pieces_of(part.pieces[0], first, pawns, knights, diagonals, straights, kings)))
        if a & 4 != 0:
            first, knights = mirrored(first), mirrored(knights)
            diagonals, straights, kings = mirrored(diagonals), mirrored(straights), mirrored(kings)
        if a & 32 != 0:
            first, knights = byteswap(first), byteswap(knights)
            diagonals, straights, kings = byteswap(diagonals), byteswap(straights), byteswap(kings)
        a = i64(lowest(pieces_of(part.pieces[0], first, pawns, knights, diagonals, straights, kings)))
        b = i64(lowest(pieces_of(part.pieces[1], first, pawns, knights, diagonals, straights, kings)))
        c = b
        if part.leading == 3:
            c = i64(lowest(pieces_of(part.pieces[2], first, pawns, knights, diagonals, straights, kings)))
        above = beyond_diagonal(a)
        if above == 0:
            above = beyond_diagonal(b)
        if above == 0:
            above = beyond_diagonal(c)
        if above > 0:
            first, knights = transposed(first), transposed(knights)
            diagonals, straights, kings = transposed(diagonals), transposed(straights), transposed(kings)
            a, b, c = (a & 7) << 3 | a >> 3, (b & 7) << 3 | b >> 3, (c & 7) << 3 | c >> 3
        used = (ONE << u64(a)) | (ONE << u64(b)) | (ONE << u64(c))
        number = unlike_number(a, b, c) if part.leading == 3 else TWO_KINGS[TRIANGLE[a], b]
        number *= part.factors[0]
        piece = part.leading
    while group < MOST_MEN and part.counts[group] != NO_GROUP:
        others = pieces_of(part.pieces[piece], first, pawns, knights, diagonals, straights, kings)
        number += choice_number(others, used, 0) * part.factors[group]
        used |= others
        piece += part.counts[group]
        group += 1
    return at, number


# ---------------------------------------------------------------- from a number to its value


@inlined
def two_bytes(memory: Any, at: Any) -> Any:
    """A number of two bytes, the low one first."""
    return i64(memory[at]) | (i64(memory[at + ONE]) << 8)


@inlined
def four_bytes(memory: Any, at: Any) -> Any:
    """Four bytes of a stream of bits, the first the highest."""
    found = (u64(memory[at]) << u64(24)) | (u64(memory[at + ONE]) << u64(16))
    return found | (u64(memory[at + u64(2)]) << u64(8)) | u64(memory[at + u64(3)])


@called
@inlined
def value_at(files: Any, at: Any, number: Any) -> Any:
    """The value of a number in a part of a table; UNKNOWN where the file is damaged."""
    memory, part = files.memory, files.parts[at]
    if part.constant >= 0:
        return part.constant
    if number < 0 or number >= part.numbers:
        return i64(UNKNOWN)
    # The sparse index knows the block and the place in it of the middle of each span.
    middle = u64(part.sparse + 6 * (number >> part.span))
    block = two_bytes(memory, middle) | (two_bytes(memory, middle + u64(2)) << 16)
    offset = two_bytes(memory, middle + u64(4)) + (number & ((i64(1) << part.span) - 1)) - ((i64(1) << part.span) >> 1)
    while offset < 0 and block > 0:
        block -= 1
        if block >= part.counted:
            return i64(UNKNOWN)
        offset += two_bytes(memory, u64(part.lengths + 2 * block)) + 1
    while 0 <= block < part.counted and offset > two_bytes(memory, u64(part.lengths + 2 * block)):
        offset -= two_bytes(memory, u64(part.lengths + 2 * block)) + 1
        block += 1
    if offset < 0 or block >= part.blocks:
        return i64(UNKNOWN)
    # Symbols are read from the block until the one that stands for the value.
    stream = u64(part.codes + (block << part.block))
    end, first, bases = u64(part.end), u64(part.first_symbols), u64(part.bases)
    word, bits = (four_bytes(memory, stream) << u64(32)) | four_bytes(memory, stream + u64(4)), u64(64)
    stream += u64(8)
    symbol = i64(0)
    while True:
        length = NONE
        while word < files.bases[bases + length]:
            length += ONE
        wide = length + u64(part.shortest)
        symbol = i64((word - files.bases[bases + length]) >> (u64(64) - wide)) + two_bytes(memory, first + length + length)
        if symbol >= part.symbols:
            return i64(UNKNOWN)
        width = i64(files.widths[u64(part.widths + symbol)])
        if offset <= width:
            break
        offset -= width + 1
        word <<= wide
        bits -= wide
        if bits <= u64(32):
            if stream + u64(4) > end:
                return i64(UNKNOWN)
            bits += u64(32)
            word |= four_bytes(memory, stream) << (u64(64) - bits)
            stream += u64(4)
    # A symbol is a pair of symbols, down to those that are a value.
    pairs = u64(part.pairs)
    while files.widths[u64(part.widths + symbol)] != 0:
        pair = pairs + u64(3 * symbol)
        middle_byte = i64(memory[pair + ONE])
        left = i64(memory[pair]) | ((middle_byte & 15) << 8)
        width = i64(files.widths[u64(part.widths + left)])
        if offset <= width:
            symbol = left
        else:
            offset -= width + 1
            symbol = (middle_byte >> 4) | (i64(memory[pair + u64(2)]) << 4)
    pair = pairs + u64(3 * symbol)
    return i64(memory[pair]) | ((i64(memory[pair + ONE]) & 15) << 8)


@inlined
def in_the_file(state: Any, files: Any) -> Any:
    """What a file of outcomes says of a position, captures aside: -2 for a loss to 2 for a win, UNKNOWN without a file."""
    material = material_of(state)
    if material == 0:
        return i64(0)
    place = place_of(files, material)
    if place < 0:
        return i64(UNKNOWN)
    at, number = find(state, files, place)
    value = value_at(files, at, number)
    return value - 2 if 0 <= value <= 4 else i64(UNKNOWN)


# ---------------------------------------------------------------- captures


@inlined
def is_capture(state: Any, action: Any) -> Any:
    """Whether a move takes something, a pawn in passing aside."""
    occupied = state.pawns | state.knights | state.diagonals | state.straights | state.kings
    return (ONE << ((u64(action) >> u64(6)) & u64(63))) & occupied & ~state.mine != NONE


@inlined
def outcome(files: Any, states: Any, actions: Any, at: Any) -> Any:
    """The outcome of states[at] for the player to move: 2 a win, 1 a win but for the fifty moves, 0 a draw, -1 and -2 losses;
    UNKNOWN without a file. The rows behind `at` are free to use, as many as there are men; nobody may castle."""
    top, depth = u64(at), NONE
    passing = i64(UNKNOWN)  # the best capture en passant, which the files do not know
    count, index, best = i64(generate(states[top], actions[top], False)), i64(0), i64(-2)
    value = i64(0)
    while True:
        row = top + depth
        entered, in_passing = False, False
        while index < count and best < 2 and not entered:
            action = actions[row, u64(index)]
            index += 1
            in_passing = i64(action) >> 12 == EN_PASSANT
            entered = in_passing or is_capture(states[row], action)
        if entered:
            # The last places of the row keep what is known of it until its capture has a value.
            actions[row, 252], actions[row, 253], actions[row, 254], actions[row, 255] = in_passing, index, count, best
            copy_record(states, row + ONE, row)
            make(states[row + ONE], action)
            depth += ONE
            count, index, best = i64(generate(states[row + ONE], actions[row + ONE], False)), i64(0), i64(-2)
            continue
        value = best
        if best < 2:
            told = in_the_file(states[row], files)
            if told == UNKNOWN:
                return i64(UNKNOWN)
            value = max(best, told)
        if depth == NONE:
            break
        depth -= ONE
        row -= ONE
        index, count, best = i64(actions[row, 253]), i64(actions[row, 254]), i64(actions[row, 255])
        if actions[row, 252] != 0:
            passing = max(passing, -value)
        else:
            best = max(best, -value)
    if passing != UNKNOWN and passing < value and value == 0:
        # Where nothing else can be played, the file takes it for stalemate.
        total, passes = i64(generate(states[top], actions[top], True)), i64(0)
        for i in range(total):
            passes += i64(i64(actions[top, u64(i)]) >> 12 == EN_PASSANT)
        return passing if passes == total else value
    return max(value, passing)


@inlined
def look(state: Any, files: Any, states: Any, actions: Any, at: Any) -> Any:
    """The same as tables number it (`engine.endgame`), where the fifty moves count from here on; -1 where nothing is known."""
    men = popcount(state.pawns | state.knights | state.diagonals | state.straights | state.kings)
    if men > files.most or state.castling != NONE or state.since != 0 or i64(at) + men + 1 >= len(states):
        return i64(-1)
    found = outcome(files, states, actions, at)
    if found == UNKNOWN:
        return i64(-1)
    return i64(SOME_WIN) if found == 2 else i64(SOME_LOSS) if found == -2 else i64(0)
