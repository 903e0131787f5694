"""Static exchange: what a capture wins once both sides have taken back on the square, cheapest piece first.

The order of moves follows from it (most valuable victim, least valuable attacker; Slate and Atkin, 1977), and so does what
quiescence search leaves out: a capture that loses material.
"""

from __future__ import annotations

from typing import Any

from outplay.games.chess.boards import (
    BETWEEN,
    DIAGONALS,
    KING,
    KNIGHT,
    NONE,
    ONE,
    STRAIGHTS,
    bishop_attacks,
    pawn_attacks_down,
    pawn_attacks_up,
    rook_attacks,
)
from outplay.games.chess.moves import CASTLING, EN_PASSANT, LAST, SIX, TO_QUEEN, TWELVE
from outplay.jit import inlined, lowest, u64

PAWN_VALUE, MINOR_VALUE, ROOK_VALUE, QUEEN_VALUE, KING_VALUE = 100, 320, 500, 950, 20_000


@inlined
def worth(state: Any, bit: Any) -> Any:
    """The exchange value of the piece on a square; 0 for an empty one."""
    if state.pawns & bit != NONE:
        return PAWN_VALUE
    if state.straights & bit != NONE:
        if state.diagonals & bit != NONE:
            return QUEEN_VALUE
        return ROOK_VALUE
    if (state.knights | state.diagonals) & bit != NONE:
        return MINOR_VALUE
    if state.kings & bit != NONE:
        return KING_VALUE
    return 0


@inlined
def holds(state: Any, source: Any, target: Any, gain: Any) -> Any:
    """Whether moving from `source` to `target`, gaining that much at once, loses nothing in the exchange that follows."""
    from_bit, to_bit = ONE << source, ONE << target
    balance = worth(state, from_bit) - gain  # what is lost if the piece is taken for nothing
    if balance <= 0:
        return True
    pawns, knights, diagonals, straights, mine = state.pawns, state.knights, state.diagonals, state.straights, state.mine
    occupied = (pawns | knights | diagonals | straights | state.kings) & ~from_bit | to_bit
    attackers = (pawn_attacks_down(to_bit) & pawns & mine) | (pawn_attacks_up(to_bit) & pawns & ~mine)
    attackers |= (KNIGHT[target] & knights) | (KING[target] & state.kings)
    attackers |= (bishop_attacks(target, occupied) & diagonals) | (rook_attacks(target, occupied) & straights)
    own_turn, good = False, True
    while True:
        attackers &= occupied
        side = attackers & mine if own_turn else attackers & ~mine
        if side == NONE:
            return good
        good = not good
        # The cheapest attacker takes; it may open a line for another one behind it.
        least = 0
        piece = side & pawns
        if piece != NONE:
            least = PAWN_VALUE
        else:
            piece = side & (knights | (diagonals & ~straights))
            if piece != NONE:
                least = MINOR_VALUE
            else:
                piece = side & straights & ~diagonals
                if piece != NONE:
                    least = ROOK_VALUE
                else:
                    piece = side & straights
                    if piece != NONE:
                        least = QUEEN_VALUE
                    else:  # the king takes only what is not defended
                        other = attackers & ~mine if own_turn else attackers & mine
                        if other != NONE:
                            return not good
                        return good
        balance = least - balance
        if balance < (1 if good else 0):
            return good
        occupied &= ~(piece & (~piece + ONE))
        attackers |= (bishop_attacks(target, occupied) & diagonals) | (rook_attacks(target, occupied) & straights)
        own_turn = not own_turn


@inlined
def gives_check(state: Any, source: Any, target: Any) -> Any:
    """Whether a quiet move checks the other king, by the piece that moves or by one whose line it opens."""
    from_bit, to_bit = ONE << source, ONE << target
    king_bit = state.kings & ~state.mine
    king = u64(lowest(king_bit))
    if from_bit & state.pawns != NONE:
        if pawn_attacks_up(to_bit) & king_bit != NONE:
            return True
    elif from_bit & state.knights != NONE and KNIGHT[king] & to_bit != NONE:
        return True
    occupied = (state.pawns | state.knights | state.diagonals | state.straights | state.kings) & ~from_bit | to_bit
    if from_bit & state.diagonals != NONE and DIAGONALS[king] & to_bit != NONE:
        return BETWEEN[king, target] & occupied == NONE
    if from_bit & state.straights != NONE and STRAIGHTS[king] & to_bit != NONE:
        return BETWEEN[king, target] & occupied == NONE
    others = state.mine & ~from_bit
    if DIAGONALS[king] & from_bit != NONE and bishop_attacks(king, occupied) & state.diagonals & others != NONE:
        return True
    return STRAIGHTS[king] & from_bit != NONE and rook_attacks(king, occupied) & state.straights & others != NONE


@inlined
def priority(state: Any, action: Any) -> Any:
    """The order of a move: winning captures by victim and attacker, queen promotions, checks; 0 for quiet ones; below 0 what loses.

    A check that loses nothing stands above the quiet moves so that no forward pruning leaves it out.
    """
    word = u64(action)
    source, target, kind = word & LAST, (word >> SIX) & LAST, word >> TWELVE
    if kind == u64(CASTLING):
        return 0
    gain = worth(state, ONE << target)
    if kind > u64(CASTLING):
        if kind != u64(TO_QUEEN):
            return -3
        gain += QUEEN_VALUE - PAWN_VALUE
    elif kind == u64(EN_PASSANT):
        gain = PAWN_VALUE
    if gain == 0:
        if gives_check(state, source, target) and holds(state, source, target, 0):
            return 1
        return 0
    if not holds(state, source, target, gain):
        return -2
    return 16 * gain - worth(state, ONE << source) // 8 + 3000
