"""What a position is worth, in hundredths of a man: a sum of named features, each the player's own less the other's.

Most are Arthur Samuel's (1959) and Chinook's (Jonathan Schaeffer and others, 1992), in our words. The value is linear in the
weights, so that `outplay tune checkers` can fit them.
"""

from functools import cache
from types import SimpleNamespace

from outplay.games.checkers.boards import NONE, boards
from outplay.jit import i64, popcount, u64

FEATURES = {
    "man": 100.0,
    "king": 135.0,
    "far man": 3.0,  # beyond the middle
    "near crown": 8.0,  # in the last two rows before the last
    "back guard": 7.0,  # a man on the own first row, while the other has men to crown
    "centre man": 3.0,
    "centre king": 5.0,
    "edge man": -2.0,
    "free way": 22.0,  # close to the last row with nobody in front
    "mobility": 2.0,  # squares that can be stepped on
    "backed man": 3.0,  # a friend or the edge behind
    "shut king": -20.0,  # a king without an empty neighbour
    "hanging": -18.0,  # can be jumped as the board stands
    "to move": 3.0,
    "the move": 4.0,  # the opposition, with men equal and few
    "trade down": 40.0,  # each man ahead, the more the fewer are left
}


def default_weights():
    """The weights in the order of FEATURES."""
    return tuple(FEATURES.values())


@cache
def judge(size, flying, backward):
    """The function that judges a board, for its size and kings."""
    tools = boards(size)
    board, turned, slant, fall = tools.board, tools.turned, tools.slant, tools.fall
    bits, half = tools.bits, size // 2
    far, near_crown, first = tools.rows(half, size - 1), tools.rows(size - 3, size - 1), tools.rows(0, 1)
    edge = u64(sum(1 << bits[row * half + (half - 1 if row % 2 == 0 else 0)] for row in range(size)))
    middle = range(half - 2, half + 2)
    centre = u64(sum(1 << bits[row * half + column] for row in middle for column in range(1, half - 1)))
    system = u64(sum(1 << bits[row * half + column] for row in range(0, size, 2) for column in range(half)))
    few = size + 2
    everyone = 3 * size // 2 * 2 if size == 8 else 40

    def half_value(mine, theirs, kings, w):
        empty = board & ~(mine | theirs)
        men, own_kings = mine & ~kings, mine & kings
        their_men = theirs & ~kings
        left, right = (men << slant) & empty, (men << fall) & empty
        points = w[0] * popcount(men) + w[1] * popcount(own_kings) + w[2] * popcount(men & far) + w[3] * popcount(men & near_crown)
        if their_men != NONE:
            points += w[4] * popcount(men & first)
        points += w[5] * popcount(men & centre) + w[6] * popcount(own_kings & centre) + w[7] * popcount(men & edge)
        free = men & near_crown & ~(((theirs >> slant) | (theirs >> fall)) & board)
        points += w[8] * popcount(free & ((empty >> slant) | (empty >> fall)))
        near = ((own_kings << slant) | (own_kings << fall) | (own_kings >> slant) | (own_kings >> fall)) & empty
        points += w[9] * (popcount(left) + popcount(right) + popcount(near))
        backed = ((mine << slant) | (mine << fall)) & men
        points += w[10] * popcount(backed | (men & (edge | first)))
        if own_kings != NONE:
            open_to = ((empty << slant) | (empty << fall) | (empty >> slant) | (empty >> fall)) & own_kings
            points += w[11] * popcount(own_kings & ~open_to)
        # What the other could jump if it were his move: his men jump to lower bits, his kings and some relatives' men both ways.
        back_jumpers = theirs & kings
        if backward:
            back_jumpers = theirs
        hanging = (((theirs >> slant) & (empty << slant)) | ((theirs >> fall) & (empty << fall))) & mine
        hanging |= (((back_jumpers << slant) & (empty >> slant)) | ((back_jumpers << fall) & (empty >> fall))) & mine
        return points + w[12] * popcount(hanging)

    def value(mine, theirs, kings, weights):
        points = half_value(mine, theirs, kings, weights) - half_value(turned(theirs), turned(mine), turned(kings), weights)
        own, other = i64(popcount(mine)), i64(popcount(theirs))
        points += weights[13]
        if own == other and own + other <= few:
            points += weights[14] if popcount((mine | theirs) & system) & 1 else -weights[14]
        points += weights[15] * float(own - other) * (1.0 - float(own + other) / float(everyone))
        return points

    return SimpleNamespace(value=value)
