"""The legal moves of chess, all at once: bitboards, pins and checks found first, so that every move listed is legal.

A move is a number: from, to << 6, kind << 12, with squares as the player to move sees them. Castling is written as the king taking
its own rook, which serves Chess960 too. `generate` also counts without listing when there is no list to fill (the compiler drops
the other half), which is what makes counting positions fast.

>>> describe(move(12, 28, DOUBLE_STEP))
(12, 28, 1)
"""

from __future__ import annotations

from typing import Any

from outplay.games.chess.boards import (
    ALL,
    BETWEEN,
    DARK,
    DIAGONALS,
    DIAGONALS_NEAR,
    KING,
    KNIGHT,
    KNIGHT_NEAR,
    LIGHT,
    NONE,
    NOT_A,
    NOT_H,
    ONE,
    PAWN,
    RANK_1,
    RANK_3,
    RANK_7,
    RANK_8,
    STRAIGHTS,
    STRAIGHTS_NEAR,
    along_rank,
    bishop_attacks,
    pawn_attacks_down,
    rook_attacks,
)
from outplay.jit import always_inlined, byteswap, called, inlined, lowest, popcount, u64

PLAIN, DOUBLE_STEP, EN_PASSANT, CASTLING, TO_KNIGHT, TO_BISHOP, TO_ROOK, TO_QUEEN = range(8)
SIX, TWELVE, SEVEN, EIGHT, NINE, SIXTEEN, LAST = u64(6), u64(12), u64(7), u64(8), u64(9), u64(16), u64(63)


def move(source: int, target: int, kind: int = PLAIN) -> int:
    """The number of a move."""
    return source | target << 6 | kind << 12


def describe(action: int) -> tuple[int, int, int]:
    """A move's from, to and kind."""
    return action & 63, action >> 6 & 63, action >> 12


# ---------------------------------------------------------------- what is attacked


@inlined
def attacked(square: Any, occupied: Any, pawns: Any, knights: Any, diagonals: Any, straights: Any, king: Any) -> Any:
    """Whether the opponent, whose pieces are given, attacks a square."""
    if (PAWN[square] & pawns) | (KNIGHT[square] & knights) | (KING[square] & king) != NONE:
        return True
    if bishop_attacks(square, occupied) & diagonals != NONE:
        return True
    return rook_attacks(square, occupied) & straights != NONE


@inlined
def checkers(state: Any) -> Any:
    """The opponent's pieces that give check."""
    occupied = state.pawns | state.knights | state.diagonals | state.straights | state.kings
    king = u64(lowest(state.kings & state.mine))
    found = (PAWN[king] & state.pawns) | (KNIGHT[king] & state.knights)
    found |= (bishop_attacks(king, occupied) & state.diagonals) | (rook_attacks(king, occupied) & state.straights)
    return found & ~state.mine


@inlined
def is_dead(state: Any) -> Any:
    """Whether no sequence of moves can mate: kings with at most one knight, or with bishops of one colour of squares."""
    if state.pawns | state.straights != NONE:
        return False
    if state.knights != NONE:
        return state.diagonals == NONE and state.knights & (state.knights - ONE) == NONE
    return state.diagonals & LIGHT == NONE or state.diagonals & DARK == NONE


# ---------------------------------------------------------------- listing


@inlined
def put(out: Any, count: Any, source: Any, targets: Any) -> Any:
    """List the moves of one piece; without a list, count them."""
    if out is None:
        return count + popcount(targets)
    while targets != NONE:
        target = u64(lowest(targets))
        out[u64(count)] = source | (target << SIX)
        count += 1
        targets &= targets - ONE
    return count


@inlined
def put_pawns(out: Any, count: Any, targets: Any, back: Any, kind: Any) -> Any:
    """List the moves of pawns to all these squares, each from `back` squares below (as a word that may wrap around)."""
    while targets != NONE:
        target = u64(lowest(targets))
        step = (target - back) | (target << SIX)
        if ONE << target & RANK_8 != NONE:
            out[u64(count)] = step | (u64(TO_QUEEN) << TWELVE)
            out[u64(count + 1)] = step | (u64(TO_KNIGHT) << TWELVE)
            out[u64(count + 2)] = step | (u64(TO_ROOK) << TWELVE)
            out[u64(count + 3)] = step | (u64(TO_BISHOP) << TWELVE)
            count += 4
        else:
            out[u64(count)] = step | (u64(kind) << TWELVE)
            count += 1
        targets &= targets - ONE
    return count


@inlined
def put_bishops(out: Any, count: Any, movers: Any, occupied: Any, wanted: Any) -> Any:
    """List the moves of bishops, and of queens as bishops."""
    while movers != NONE:
        square = u64(lowest(movers))
        count = put(out, count, square, bishop_attacks(square, occupied) & wanted)
        movers &= movers - ONE
    return count


@inlined
def put_rooks(out: Any, count: Any, movers: Any, occupied: Any, wanted: Any) -> Any:
    """List the moves of rooks, and of queens as rooks."""
    while movers != NONE:
        square = u64(lowest(movers))
        count = put(out, count, square, rook_attacks(square, occupied) & wanted)
        movers &= movers - ONE
    return count


@inlined
def see_through(king: Any, snipers: Any, mine: Any) -> Any:
    """Enemy sliders that only the king's own pieces may keep off it: those that see it, their lines, and the lines of pins."""
    checking, shield, pinned = NONE, NONE, NONE
    while snipers != NONE:
        sniper = u64(lowest(snipers))
        line = BETWEEN[king, sniper]
        inside = line & mine
        line |= ONE << sniper
        if inside == NONE:
            checking |= ONE << sniper
            shield |= line
        elif inside & (inside - ONE) == NONE:
            pinned |= line
        snipers &= snipers - ONE
    return checking, shield, pinned


@inlined
def danger(king: Any, occupied: Any, knights: Any, diagonals: Any, straights: Any) -> Any:
    """The squares that the opponent's pieces attack, those of pieces too far from the king to matter left out."""
    found = NONE
    knights &= KNIGHT_NEAR[king]
    while knights != NONE:
        found |= KNIGHT[u64(lowest(knights))]
        knights &= knights - ONE
    diagonals &= DIAGONALS_NEAR[king]
    while diagonals != NONE:
        found |= bishop_attacks(u64(lowest(diagonals)), occupied)
        diagonals &= diagonals - ONE
    straights &= STRAIGHTS_NEAR[king]
    while straights != NONE:
        found |= rook_attacks(u64(lowest(straights)), occupied)
        straights &= straights - ONE
    return found


@always_inlined
def each_move(state: Any, out: Any, quiet: Any) -> Any:
    """The body of `generate`, for the one place where a call would be felt: counting."""
    mine, pawns, knights, diagonals, straights = state.mine, state.pawns, state.knights, state.diagonals, state.straights
    kings = state.kings
    occupied = pawns | knights | diagonals | straights | kings
    theirs = occupied & ~mine
    their_pawns, their_knights, their_king = pawns & theirs, knights & theirs, kings & theirs
    their_diagonals, their_straights = diagonals & theirs, straights & theirs
    pawns &= mine
    king = u64(lowest(kings & mine))
    empty = ~occupied
    count = 0

    # Checks and pins. Seen from the king through its own pieces, an enemy slider gives check or pins the one piece between.
    checking = (PAWN[king] & their_pawns) | (KNIGHT[king] & their_knights)
    shield = checking  # where another piece can capture the checker or step between
    pinned_diagonally, pinned_straight = NONE, NONE
    if DIAGONALS[king] & their_diagonals != NONE:
        seeing, lines, pinned_diagonally = see_through(king, bishop_attacks(king, theirs) & their_diagonals, mine)
        checking |= seeing
        shield |= lines
    if STRAIGHTS[king] & their_straights != NONE:
        seeing, lines, pinned_straight = see_through(king, rook_attacks(king, theirs) & their_straights, mine)
        checking |= seeing
        shield |= lines

    # The king: on squares that nothing attacks once the king has left its own.
    wanted = ~mine
    if not quiet and checking == NONE:
        wanted = theirs
    steps = KING[king] & wanted & ~pawn_attacks_down(their_pawns) & ~KING[u64(lowest(their_king))]
    if steps != NONE:
        without_king = occupied & ~(ONE << king)
        count = put(out, count, king, steps & ~danger(king, without_king, their_knights, their_diagonals, their_straights))
    if checking != NONE:
        if checking & (checking - ONE) != NONE:
            return count  # a double check: only the king moves
    else:
        shield = ALL
        if quiet:
            rooks = state.castling & mine
            if rooks != NONE:
                rooks &= along_rank(king, occupied)
                while rooks != NONE:
                    rook = u64(lowest(rooks))
                    rooks &= rooks - ONE
                    count = put_castling(out, count, king, rook, occupied, their_pawns, their_knights, their_diagonals,
                                         their_straights, their_king)
    wanted &= shield
    pinned = pinned_diagonally | pinned_straight

    # Knights, bishops, rooks; a queen moves as both.
    movers = knights & mine & ~pinned
    while movers != NONE:
        square = u64(lowest(movers))
        count = put(out, count, square, KNIGHT[square] & wanted)
        movers &= movers - ONE
    diagonals &= mine
    straights &= mine
    count = put_bishops(out, count, diagonals & ~pinned, occupied, wanted)
    count = put_rooks(out, count, straights & ~pinned, occupied, wanted)
    if pinned != NONE:  # a pinned piece moves along its line, and no two lines lead into each other
        count = put_bishops(out, count, diagonals & pinned_diagonally, occupied, wanted & pinned_diagonally)
        count = put_rooks(out, count, straights & pinned_straight, occupied, wanted & pinned_straight)

    # Pawns, all at once in each direction.
    pushers = pawns & ~pinned_diagonally
    single = ((pushers & ~pinned_straight) << EIGHT | (pushers & pinned_straight) << EIGHT & pinned_straight) & empty
    double = (single & RANK_3) << EIGHT & empty & shield
    single &= shield
    if not quiet and checking == NONE:
        single &= RANK_8
        double = NONE
    takers = pawns & ~pinned_straight
    free, bound = takers & ~pinned_diagonally, takers & pinned_diagonally
    prey = theirs & shield
    left = (((free & NOT_A) << SEVEN) | ((bound & NOT_A) << SEVEN & pinned_diagonally)) & prey
    right = (((free & NOT_H) << NINE) | ((bound & NOT_H) << NINE & pinned_diagonally)) & prey
    if out is None:
        count += popcount(single | double) + popcount(left) + popcount(right)  # no square is a single and a double step away
        if pawns & RANK_7 != NONE:
            count += 3 * (popcount(single & RANK_8) + popcount(left & RANK_8) + popcount(right & RANK_8))
    else:
        count = put_pawns(out, count, single, EIGHT, PLAIN)
        count = put_pawns(out, count, double, SIXTEEN, DOUBLE_STEP)
        count = put_pawns(out, count, left, SEVEN, PLAIN)
        count = put_pawns(out, count, right, NINE, PLAIN)
    if state.en_passant != NONE:
        count = put_en_passant(out, count, pawns, state.en_passant, occupied, king, checking, their_diagonals, their_straights)
    return count


@called
@inlined
def generate(state: Any, out: Any, quiet: Any) -> Any:
    """List all legal moves, or without `quiet` only captures and promotions (but every way out of a check); returns how many."""
    return each_move(state, out, quiet)


@inlined
def put_en_passant(out: Any, count: Any, pawns: Any, passed: Any, occupied: Any, king: Any, checking: Any, diagonals: Any,
                   straights: Any) -> Any:
    """List captures en passant: two pawns leave their squares at once, so the king's lines are looked at afresh."""
    target = u64(lowest(passed))
    taken = passed >> EIGHT
    takers = pawn_attacks_down(passed) & pawns
    while takers != NONE:
        square = u64(lowest(takers))
        takers &= takers - ONE
        after = (occupied ^ (ONE << square) ^ taken) | passed
        if (checking & ~taken & ~diagonals & ~straights == NONE and bishop_attacks(king, after) & diagonals == NONE
                and rook_attacks(king, after) & straights == NONE):
            if out is None:
                count += 1
            else:
                out[u64(count)] = square | (target << SIX) | (u64(EN_PASSANT) << TWELVE)
                count += 1
    return count


@inlined
def legal_en_passant(state: Any) -> Any:
    """Whether a capture en passant is legal; asked only where a pawn has just passed one that might take it."""
    occupied = state.pawns | state.knights | state.diagonals | state.straights | state.kings
    theirs = occupied & ~state.mine
    king = u64(lowest(state.kings & state.mine))
    return put_en_passant(None, 0, state.pawns & state.mine, state.en_passant, occupied, king, checkers(state),
                          state.diagonals & theirs, state.straights & theirs) != 0


@always_inlined
def put_castling(out: Any, count: Any, king: Any, rook: Any, occupied: Any, pawns: Any, knights: Any, diagonals: Any,
                 straights: Any, their_king: Any) -> Any:
    """List castling with one rook: the way must be empty but for the two, and the king crosses no attacked square."""
    king_to, rook_to = u64(2), u64(3)
    if rook > king:
        king_to, rook_to = u64(6), u64(5)
    both = (ONE << king) | (ONE << rook)
    path = BETWEEN[king, king_to] | (ONE << king_to)
    way = path | BETWEEN[rook, rook_to] | (ONE << rook_to)
    if way & occupied & ~both != NONE:
        return count
    without_king = occupied & ~(ONE << king)
    while path != NONE:
        square = u64(lowest(path))
        path &= path - ONE
        if attacked(square, without_king, pawns, knights, diagonals, straights, their_king):
            return count
    # In Chess960 the rook may have shielded the king along the rank.
    if rook_attacks(king_to, (occupied & ~both) | (ONE << rook_to)) & straights != NONE:
        return count
    if out is None:
        return count + 1
    out[u64(count)] = king | (rook << SIX) | (u64(CASTLING) << TWELVE)
    return count + 1


# ---------------------------------------------------------------- making a move


@always_inlined
def make(state: Any, action: Any) -> None:
    """Play a legal move and turn the board round to the other player."""
    word = u64(action)
    source, target, kind = word & LAST, (word >> SIX) & LAST, word >> TWELVE
    from_bit, to_bit = ONE << source, ONE << target
    keep = ~(from_bit | to_bit)
    mine, pawns, knights, diagonals, straights, kings = (
        state.mine, state.pawns, state.knights, state.diagonals, state.straights, state.kings)
    theirs = (pawns | knights | diagonals | straights | kings) & ~mine
    castling = state.castling & keep
    quiet = (pawns & from_bit) | (theirs & to_bit) == NONE
    if kings & from_bit != NONE:
        castling &= ~RANK_1
    passed = NONE
    mine = (mine & keep) | to_bit
    theirs &= keep
    pawns = (pawns & keep) | (((pawns >> source) & ONE) << target)
    knights = (knights & keep) | (((knights >> source) & ONE) << target)
    diagonals = (diagonals & keep) | (((diagonals >> source) & ONE) << target)
    straights = (straights & keep) | (((straights >> source) & ONE) << target)
    kings = (kings & keep) | (((kings >> source) & ONE) << target)
    if kind != NONE:
        if kind == u64(DOUBLE_STEP):
            beside = ((to_bit & NOT_A) >> ONE) | ((to_bit & NOT_H) << ONE)
            if beside & pawns & theirs != NONE:
                passed = to_bit >> EIGHT
        elif kind == u64(EN_PASSANT):
            pawns &= ~(to_bit >> EIGHT)
            theirs &= ~(to_bit >> EIGHT)
        elif kind == u64(CASTLING):
            king_to, rook_to = ONE << u64(2), ONE << u64(3)
            if target > source:
                king_to, rook_to = ONE << u64(6), ONE << u64(5)
            mine = (mine & ~to_bit) | king_to | rook_to
            kings = (kings & ~to_bit) | king_to
            straights |= rook_to
        else:
            pawns &= ~to_bit
            if kind == u64(TO_QUEEN):
                diagonals |= to_bit
                straights |= to_bit
            elif kind == u64(TO_KNIGHT):
                knights |= to_bit
            elif kind == u64(TO_ROOK):
                straights |= to_bit
            else:
                diagonals |= to_bit
    state.mine = byteswap(theirs)
    state.pawns = byteswap(pawns)
    state.knights = byteswap(knights)
    state.diagonals = byteswap(diagonals)
    state.straights = byteswap(straights)
    state.kings = byteswap(kings)
    state.castling = byteswap(castling)
    state.en_passant = byteswap(passed)
    state.since = state.since + 1 if quiet else 0
    state.number = state.number + state.turn
    state.turn = 1 - state.turn


@inlined
def make_nothing(state: Any) -> None:
    """Give the move away and turn the board round."""
    theirs = (state.pawns | state.knights | state.diagonals | state.straights | state.kings) & ~state.mine
    state.mine = byteswap(theirs)
    state.pawns = byteswap(state.pawns)
    state.knights = byteswap(state.knights)
    state.diagonals = byteswap(state.diagonals)
    state.straights = byteswap(state.straights)
    state.kings = byteswap(state.kings)
    state.castling = byteswap(state.castling)
    state.en_passant = NONE
    state.since = 0  # no position before this counts as a repetition
    state.number = state.number + state.turn
    state.turn = 1 - state.turn
