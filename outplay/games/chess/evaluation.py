"""What a chess position is worth at a glance: a weighted sum of features, Eval(s) = w1 f1(s) + … + wn fn(s) (Claude Shannon, 1950).

Every feature has two weights, for the middle game and for the endgame, and the pieces left on the board mix the two. The weights
are data: one flat array with the pair of feature i at 2i and 2i + 1, in the order of `GROUPS`. The sum is linear in the weights, so
that a feature's share is the value under weights that are 1 there and 0 elsewhere: the tuner needs no second program.

>>> OFFSETS["material"], FEATURES == len(default_weights()) // 2
(0, True)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.games.chess.boards import (
    FILE_A,
    KING,
    KNIGHT,
    NONE,
    NOT_A,
    NOT_H,
    ONE,
    RANK_7,
    bishop_attacks,
    pawn_attacks_down,
    pawn_attacks_up,
    rook_attacks,
)
from outplay.games.chess.weights import WEIGHTS
from outplay.jit import byteswap, i64, inlined, lowest, popcount, u64

GROUPS = {
    "material": 6,  # pawn, knight, bishop, rook, queen, king (never counted)
    "squares": 384,  # for the same six pieces, each square from its own side's a1 on
    "knight mobility": 9,  # by the number of squares it reaches that no enemy pawn guards
    "bishop mobility": 14,
    "rook mobility": 15,
    "queen mobility": 28,
    "passed pawns": 8,  # by rank
    "free passed pawns": 8,  # the square ahead is empty
    "own king to passed pawn": 8,  # by the king's steps to the square ahead
    "their king to passed pawn": 8,
    "connected pawns": 8,  # by rank: defended by a pawn or beside one
    "weak pawns": 3,  # isolated, doubled, backward
    "king attack": 32,  # by the weight of our pieces' attacks on the squares around their king
    "king shelter": 4,  # own pawns one and two squares ahead of the king, files without an own pawn, files without any
    "rooks on files": 2,  # with no own pawn, with no pawn at all
    "bishop pair": 1,
    "outposts": 2,  # a knight, a bishop defended by a pawn where no enemy pawn can come
    "threats": 6,  # pawns attack a minor piece, a rook, a queen; minor pieces a rook, a queen; a rook a queen
    "tempo": 1,
}
FEATURES = sum(GROUPS.values())
OFFSETS = {name: sum(list(GROUPS.values())[:at]) for at, name in enumerate(GROUPS)}

(_MATERIAL, _SQUARES, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _PASSED, _FREE, _OWN_KING, _THEIR_KING, _CONNECTED, _WEAK, _ATTACK,
 _SHELTER, _FILE, _PAIR, _OUTPOST, _THREAT, _TEMPO) = (u64(offset) for offset in OFFSETS.values())
TWO, EIGHT, SIXTEEN, THIRTY_TWO, LAST, PIECE = u64(2), u64(8), u64(16), u64(32), u64(63), u64(64)
MOST = 9000.0  # points: below a won game's 10,000
DRAWN_AFTER = 100  # half-moves without progress after which a draw can be claimed
MAX_PHASE = 24


def default_weights() -> np.ndarray:
    """The weights that come with Outplay, as the flat array that `evaluate` takes."""
    pairs = [pair for name, size in GROUPS.items() for pair in _checked(name, size)]
    return np.array(pairs, np.float64).ravel()


def members() -> dict[str, list[int]]:
    """The indices of each group's weights, by name."""
    return {name: list(range(2 * OFFSETS[name], 2 * (OFFSETS[name] + size))) for name, size in GROUPS.items()}


def material_only() -> np.ndarray:
    """The oldest weights there are: queen 9, rook 5, bishop and knight 3, pawn 1, and nothing else; in centipawns."""
    weights = np.zeros(2 * FEATURES)
    for piece, pawns in enumerate((1, 3, 3, 5, 9)):
        weights[2 * (OFFSETS["material"] + piece) : 2 * (OFFSETS["material"] + piece) + 2] = 100 * pawns
    return weights


def groups() -> list[np.ndarray]:
    """The indices of weights that belong together, in each phase: a group, one number, or a piece's squares."""
    found = []
    for name, size in GROUPS.items():
        step = 64 if name == "squares" else size if size > 6 else 1
        for first in range(OFFSETS[name], OFFSETS[name] + size, step):
            found += [2 * np.arange(first, first + step) + phase for phase in range(2)]
    return found


def source_text(weights: np.ndarray) -> str:
    """The file `weights.py` for these weights."""
    pairs = np.rint(np.asarray(weights)).astype(int).reshape(-1, 2).tolist()
    lines = [
        '"""The weights of the evaluation: pairs for the middle game and the endgame, in points of a hundredth of a pawn.\n',
        'Fitted by `outplay tune chess`; the groups are those of `outplay.games.chess.evaluation`.\n"""\n',
        "WEIGHTS = {",
    ]
    for name, size in GROUPS.items():
        rows = pairs[OFFSETS[name] : OFFSETS[name] + size]
        lines.append(f'    "{name}": (')
        lines += ["        " + " ".join(f"({a}, {b})," for a, b in rows[at : at + 8]) for at in range(0, size, 8)]
        lines.append("    ),")
    return "\n".join([*lines, "}  # fmt: skip", ""])


def _checked(name: str, size: int) -> Any:
    assert len(WEIGHTS[name]) == size, f"{name} needs {size} pairs of weights"
    return WEIGHTS[name]


@inlined
def spread_up(bits: Any) -> Any:
    """These squares and all ahead of them."""
    bits |= bits << EIGHT
    bits |= bits << SIXTEEN
    return bits | (bits << THIRTY_TWO)


@inlined
def spread_down(bits: Any) -> Any:
    """These squares and all behind them."""
    bits |= bits >> EIGHT
    bits |= bits >> SIXTEEN
    return bits | (bits >> THIRTY_TWO)


@inlined
def beside(bits: Any) -> Any:
    """The squares next to these on the same rank."""
    return ((bits & NOT_A) >> ONE) | ((bits & NOT_H) << ONE)


@inlined
def steps(square: Any, other: Any) -> Any:
    """How many moves a king needs from one square to another, on an empty board."""
    files = abs(i64(square & u64(7)) - i64(other & u64(7)))
    ranks = abs(i64(square >> u64(3)) - i64(other >> u64(3)))
    return u64(max(files, ranks))


@inlined
def add(middle: Any, end: Any, weights: Any, feature: Any, count: Any) -> Any:
    """Both sums, with what a feature adds that is there so many times."""
    at = TWO * feature
    return middle + count * weights[at], end + count * weights[at + ONE]


@inlined
def value_of_side(mine: Any, pawns: Any, knights: Any, diagonals: Any, straights: Any, kings: Any, weights: Any) -> Any:
    """The weighted features of the side that moves up the board, for the middle game and for the endgame."""
    occupied = pawns | knights | diagonals | straights | kings
    my_pawns, their_pawns = pawns & mine, pawns & ~mine
    guarded = pawn_attacks_down(their_pawns)
    room = ~(mine | guarded)  # squares that count for mobility
    my_king, their_king = u64(lowest(kings & mine)), u64(lowest(kings & ~mine))
    zone = KING[their_king] | (ONE << their_king)
    zone |= zone >> EIGHT  # and a row more on our side of it
    defended = pawn_attacks_up(my_pawns)
    reach = spread_down(guarded)  # squares that an enemy pawn attacks or could come to attack
    queens = diagonals & straights
    their_rooks, their_queens = straights & ~queens & ~mine, queens & ~mine
    their_minors = (knights | (diagonals & ~queens)) & ~mine
    middle, end = 0.0, 0.0
    danger = 0

    pieces = knights & mine
    while pieces != NONE:
        square = u64(lowest(pieces))
        pieces &= pieces - ONE
        attacks = KNIGHT[square]
        middle, end = add(middle, end, weights, _MATERIAL + ONE, 1)
        middle, end = add(middle, end, weights, _SQUARES + PIECE + square, 1)
        middle, end = add(middle, end, weights, _KNIGHT + u64(popcount(attacks & room)), 1)
        danger += 2 * popcount(attacks & zone)
        if (ONE << square) & defended & ~reach != NONE:
            middle, end = add(middle, end, weights, _OUTPOST, 1)
        if attacks & their_rooks != NONE:
            middle, end = add(middle, end, weights, _THREAT + u64(3), 1)
        if attacks & their_queens != NONE:
            middle, end = add(middle, end, weights, _THREAT + u64(4), 1)

    bishops = diagonals & ~queens & mine
    if bishops & (bishops - ONE) != NONE:
        middle, end = add(middle, end, weights, _PAIR, 1)
    while bishops != NONE:
        square = u64(lowest(bishops))
        bishops &= bishops - ONE
        attacks = bishop_attacks(square, occupied ^ (queens & mine))  # through an own queen, which moves the same way
        middle, end = add(middle, end, weights, _MATERIAL + TWO, 1)
        middle, end = add(middle, end, weights, _SQUARES + TWO * PIECE + square, 1)
        middle, end = add(middle, end, weights, _BISHOP + u64(popcount(attacks & room)), 1)
        danger += 2 * popcount(attacks & zone)
        if (ONE << square) & defended & ~reach != NONE:
            middle, end = add(middle, end, weights, _OUTPOST + ONE, 1)
        if attacks & their_rooks != NONE:
            middle, end = add(middle, end, weights, _THREAT + u64(3), 1)
        if attacks & their_queens != NONE:
            middle, end = add(middle, end, weights, _THREAT + u64(4), 1)

    rooks = straights & ~queens & mine
    while rooks != NONE:
        square = u64(lowest(rooks))
        rooks &= rooks - ONE
        attacks = rook_attacks(square, occupied ^ (straights & mine))  # through own rooks and queens
        middle, end = add(middle, end, weights, _MATERIAL + u64(3), 1)
        middle, end = add(middle, end, weights, _SQUARES + u64(3) * PIECE + square, 1)
        middle, end = add(middle, end, weights, _ROOK + u64(popcount(attacks & room)), 1)
        danger += 3 * popcount(attacks & zone)
        file = FILE_A << (square & u64(7))
        if file & my_pawns == NONE:
            feature = _FILE
            if file & pawns == NONE:
                feature += ONE
            middle, end = add(middle, end, weights, feature, 1)
        if attacks & their_queens != NONE:
            middle, end = add(middle, end, weights, _THREAT + u64(5), 1)

    pieces = queens & mine
    while pieces != NONE:
        square = u64(lowest(pieces))
        pieces &= pieces - ONE
        attacks = rook_attacks(square, occupied) | bishop_attacks(square, occupied)
        middle, end = add(middle, end, weights, _MATERIAL + u64(4), 1)
        middle, end = add(middle, end, weights, _SQUARES + u64(4) * PIECE + square, 1)
        middle, end = add(middle, end, weights, _QUEEN + u64(popcount(attacks & room)), 1)
        danger += 4 * popcount(attacks & zone)

    # The king: where it stands, what shelters it, how strongly the other one is attacked.
    middle, end = add(middle, end, weights, _SQUARES + u64(5) * PIECE + my_king, 1)
    if danger > 62:
        danger = 62
    middle, end = add(middle, end, weights, _ATTACK + u64(danger >> 1), 1)
    front = KING[my_king] << EIGHT  # two rows ahead, three files wide, and the row of the king itself
    near = (KING[my_king] & ~(KING[my_king] >> EIGHT)) & spread_up(ONE << my_king | beside(ONE << my_king)) << EIGHT
    middle, end = add(middle, end, weights, _SHELTER, popcount(near & my_pawns))
    middle, end = add(middle, end, weights, _SHELTER + ONE, popcount(front & (near << EIGHT) & my_pawns))
    files = ONE << (my_king & u64(7))
    files |= beside(files)
    middle, end = add(middle, end, weights, _SHELTER + TWO, popcount(files & ~spread_down(my_pawns)))
    middle, end = add(middle, end, weights, _SHELTER + u64(3), popcount(files & ~spread_down(pawns)))

    # Threats of pawns.
    middle, end = add(middle, end, weights, _THREAT, popcount(defended & their_minors))
    middle, end = add(middle, end, weights, _THREAT + ONE, popcount(defended & their_rooks))
    middle, end = add(middle, end, weights, _THREAT + TWO, popcount(defended & their_queens))

    # Pawns.
    blocking = spread_down(their_pawns >> EIGHT | guarded)  # where a pawn is not passed
    same_file = spread_down(my_pawns >> EIGHT)  # behind an own pawn
    columns = spread_up(spread_down(my_pawns))
    lonely = ~beside(columns)
    supporters = beside(my_pawns) | defended
    unsupported = ~spread_up(beside(my_pawns) | defended)  # no own pawn beside or behind on the next files
    pieces = my_pawns
    while pieces != NONE:
        square = u64(lowest(pieces))
        bit = ONE << square
        pieces &= pieces - ONE
        rank = square >> u64(3)
        middle, end = add(middle, end, weights, _MATERIAL, 1)
        middle, end = add(middle, end, weights, _SQUARES + square, 1)
        if bit & supporters != NONE:
            middle, end = add(middle, end, weights, _CONNECTED + rank, 1)
        elif bit & lonely != NONE:
            middle, end = add(middle, end, weights, _WEAK, 1)
        elif bit & unsupported & (guarded >> EIGHT) != NONE:
            middle, end = add(middle, end, weights, _WEAK + TWO, 1)
        if bit & same_file != NONE:
            middle, end = add(middle, end, weights, _WEAK + ONE, 1)
        elif bit & blocking == NONE:
            middle, end = add(middle, end, weights, _PASSED + rank, 1)
            ahead = square + EIGHT
            if (bit << EIGHT) & occupied == NONE:
                middle, end = add(middle, end, weights, _FREE + rank, 1)
            if bit & RANK_7 == NONE:
                middle, end = add(middle, end, weights, _OWN_KING + steps(my_king, ahead), 1)
                middle, end = add(middle, end, weights, _THEIR_KING + steps(their_king, ahead), 1)
    return middle, end


@inlined
def value(state: Any, weights: Any) -> Any:
    """Points for the player to move."""
    return tempered(state, weighted(state, weights))


@inlined
def weighted(state: Any, weights: Any) -> Any:
    """The weighted sum of all features, for the player to move."""
    mine, pawns, knights, diagonals, straights, kings = (
        state.mine, state.pawns, state.knights, state.diagonals, state.straights, state.kings)
    phase = popcount(knights) + popcount(diagonals) + 2 * popcount(straights) + popcount(diagonals & straights)
    if phase > MAX_PHASE:
        phase = MAX_PHASE
    middle, end = weights[TWO * _TEMPO], weights[TWO * _TEMPO + ONE]
    for side in range(2):
        more_middle, more_end = value_of_side(mine, pawns, knights, diagonals, straights, kings, weights)
        if side == 0:
            middle += more_middle
            end += more_end
            mine = byteswap((pawns | knights | diagonals | straights | kings) & ~mine)
            pawns, knights, diagonals = byteswap(pawns), byteswap(knights), byteswap(diagonals)
            straights, kings = byteswap(straights), byteswap(kings)
        else:
            middle -= more_middle
            end -= more_end
    return (middle * phase + end * (MAX_PHASE - phase)) / MAX_PHASE


@inlined
def tempered(state: Any, points: Any) -> Any:
    """Points as what can be made of them: a draw comes nearer with every move without progress; without pawns, one minor piece more
    does not win."""
    since = state.since
    if since >= DRAWN_AFTER:
        return 0.0
    points *= (2 * DRAWN_AFTER - since) / (2.0 * DRAWN_AFTER)
    if is_hard_to_win(state, points):
        points *= 0.125
    return min(max(points, -MOST), MOST)


@inlined
def is_bare(state: Any) -> Any:
    """Whether one of the sides has its king alone."""
    everyone = state.pawns | state.knights | state.diagonals | state.straights | state.kings
    return state.mine & ~state.kings == NONE or everyone & ~state.mine & ~state.kings == NONE


@inlined
def is_hard_to_win(state: Any, points: Any) -> Any:
    """Whether the side that stands better has no pawns and at most a minor piece more than the other."""
    better = state.mine
    if points < 0.0:
        better = ~state.mine
    if state.pawns & better != NONE:
        return False
    queens = state.diagonals & state.straights
    rooks, minors = state.straights & ~queens, (state.diagonals & ~queens) | state.knights
    lead = 9 * (popcount(queens & better) - popcount(queens & ~better)) + 5 * (popcount(rooks & better) - popcount(rooks & ~better))
    lead += 3 * (popcount(minors & better) - popcount(minors & ~better))
    return lead <= 3 or (lead <= 6 and state.straights | state.diagonals == NONE)
