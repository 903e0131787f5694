"""The numbers of endgame positions: a class is how many men and kings each side has, an index is where they stand.

The player to move is always "mine", so that each position stands in one class only, whatever the colour. The index is a product of
combinations: the mover's men on all rows but the last, the other's on all rows but the first, then kings on the squares left free.
Where men of both would share a square there is no position.
"""

import math
from functools import cache
from types import SimpleNamespace

import numpy as np

from outplay.games.checkers.boards import NONE, ONE, boards
from outplay.jit import i64, lowest, popcount

MOST_MEN = 9  # in a table
LETTERS = "mk"


@cache
def numbering(size):
    """The functions that number positions on boards of this size."""
    tools = boards(size)
    bits = np.array(tools.bits, np.uint64)
    numbers = tools.numbers
    squares, half = len(bits), size // 2
    zone = squares - half
    choose = np.array([[math.comb(n, k) for k in range(MOST_MEN + 1)] for n in range(squares + 1)], np.int64)

    def class_of(mine, theirs, kings):
        """The class, -1 where no table can be: one side has nobody, or there are too many."""
        if mine == NONE or theirs == NONE or popcount(mine | theirs) > MOST_MEN:
            return i64(-1)
        return (i64(popcount(mine & ~kings)) | (i64(popcount(mine & kings)) << 4) | (i64(popcount(theirs & ~kings)) << 8)
                | (i64(popcount(theirs & kings)) << 12))

    def rank(chosen, without, before):
        """The number of a set of squares among all sets of its size, on the squares that are not in `without`."""
        found, k = i64(0), i64(0)
        while chosen != NONE:
            bit = chosen & (NONE - chosen)
            chosen ^= bit
            k += 1
            n = numbers[lowest(bit)] - before - i64(popcount(without & (bit - ONE)))
            found += choose[n, k]
        return found

    def index_of(mine, theirs, kings):
        """Where a position stands in its class."""
        men, their_men, own_kings, their_kings = mine & ~kings, theirs & ~kings, mine & kings, theirs & kings
        a, b, c, d = i64(popcount(men)), i64(popcount(own_kings)), i64(popcount(their_men)), i64(popcount(their_kings))
        found = rank(men, NONE, i64(0))
        found = found * choose[zone, c] + rank(their_men, NONE, i64(half))
        found = found * choose[squares - a - c, b] + rank(own_kings, men | their_men, i64(0))
        return found * choose[squares - a - c - b, d] + rank(their_kings, men | their_men | own_kings, i64(0))

    def unrank(number, count, free, without, first):
        """The set of so many squares with this number, on the `free` squares from `first` on that are not in `without`."""
        found, left, k, n, at = NONE, number, count, free - 1, i64(squares - 1)
        if first == 0 and free == zone and without == NONE:
            at = i64(zone - 1)  # own men: not on the last row
        while k > 0:
            bit = ONE << bits[at]
            at -= 1
            if without & bit != NONE:
                continue
            if choose[n, k] <= left:
                left -= choose[n, k]
                found |= bit
                k -= 1
            n -= 1
        return found

    def set_of(klass, index):
        """My men, their men, my kings and their kings of a class and an index."""
        a, b, c, d = klass & 15, (klass >> 4) & 15, (klass >> 8) & 15, (klass >> 12) & 15
        rest = index
        size_d, size_b, size_c = choose[squares - a - c - b, d], choose[squares - a - c, b], choose[zone, c]
        number_d, rest = rest % size_d, rest // size_d
        number_b, rest = rest % size_b, rest // size_b
        number_c, number_a = rest % size_c, rest // size_c
        men = unrank(number_a, a, i64(zone), NONE, i64(0))
        their_men = unrank(number_c, c, i64(zone), NONE, i64(half))
        both = men | their_men
        if men & their_men != NONE:
            return men, their_men, NONE, NONE
        own_kings = unrank(number_b, b, squares - a - c, both, i64(0))
        their_kings = unrank(number_d, d, squares - a - c - b, both | own_kings, i64(0))
        return men, their_men, own_kings, their_kings

    def class_size(klass):
        """How many indices a class has."""
        a, b, c, d = (klass >> shift & 15 for shift in (0, 4, 8, 12))
        return math.comb(zone, a) * math.comb(zone, c) * math.comb(squares - a - c, b) * math.comb(squares - a - c - b, d)

    return SimpleNamespace(class_of=class_of, index_of=index_of, set_of=set_of, class_size=class_size)


def class_name(klass):
    """A class as people call it: "2 kings 1 man v 1 king" as kkm-k.

    >>> class_name(1 | 2 << 4 | 1 << 12)
    'kkm-k'
    """
    a, b, c, d = (klass >> shift & 15 for shift in (0, 4, 8, 12))
    return f"{'k' * b}{'m' * a}-{'k' * d}{'m' * c}"


def class_number(men, kings, their_men, their_kings):
    """The class of so many men and kings of the player to move and of the other."""
    return men | kings << 4 | their_men << 8 | their_kings << 12


def families(most, size):
    """The classes of up to so many men in the order of building, each with its twin (the other to move): names, classes, sizes.

    Captures lead to fewer men and crowning to fewer men that are not kings, so these come first.
    """
    sizes = numbering(size).class_size
    for total in range(2, most + 1):
        for men in range(total + 1):
            for mine in range(total - 1, (total + 1) // 2 - 1, -1):
                theirs = total - mine
                for own in range(max(0, men - theirs), min(mine, men) + 1):
                    klass = class_number(own, mine - own, men - own, theirs - (men - own))
                    twin = class_number(men - own, theirs - (men - own), own, mine - own)
                    if mine == theirs and klass > twin:
                        continue
                    yield class_name(klass), tuple((each, sizes(each)) for each in dict.fromkeys((klass, twin)))
