"""Backgammon's numbers, and what sets of points as bits say: which checkers can move, where two dice lead, who can escape."""

import itertools
import math

import numpy as np

from outplay.jit import i32, inlined

OFF, BAR, CHECKERS = 0, 25, 15
START = {24: 2, 13: 5, 8: 3, 6: 5}
OPENING, OFFER, ANSWER, ROLL, MOVE, OVER = range(6)  # what happens next
NO_GAME, PLAYING, OVER_BY_MOVES, OVER_BY_DROP = 0, 1, 2, 4  # GNU Backgammon's states of a game, in its match ID
REVERSED = 1 << 20  # in an action: the smaller die is used first (or alone)
DOUBLE, NO_DOUBLE, TAKE, DROP = 1 << 21, 1 << 22, 1 << 23, 1 << 24
MOST_TURNS = math.comb(CHECKERS + 3, 4)  # the ways to spread the four steps of a double over fifteen checkers: 3,060
SYMBOLS = "xo"
LARGEST_CUBE = 6  # as a power of two
HOME = 6  # points of the home board
ROLLS = 24  # columns of the table of bear-offs: to need more has no chance worth a number
CHOOSE = np.array([[math.comb(n, k) for k in range(HOME + 1)] for n in range(CHECKERS + HOME + 1)])
POINTS_1_TO_24 = 0x1FFFFFE


def escapes_of(ahead):
    """With how many of 36 rolls a checker can be played in full, by which of the twelve points ahead of it are held: the nearest is
    the highest of twelve bits.

    >>> escapes_of(0), escapes_of(0b111111 << 6), escapes_of(0b100000 << 6)  # nothing, a full prime, only the point next to it
    (36, 0, 35)
    """
    held = [False, *(bool(ahead >> (12 - steps) & 1) for steps in range(1, 13))]
    pairs = itertools.product(range(1, 7), repeat=2)
    return sum(not held[a + b] and not (held[a] and held[b]) for a, b in pairs)


ESCAPES = np.array([escapes_of(ahead) for ahead in range(4096)], np.int8)


@inlined
def movable(own, block, die):
    """The points, as bits, from which one die can be played; `own` has a bit for each point with a checker, `block` for each
    point that the other holds.
    """
    if own >> 25 & 1:
        return 0 if block >> (25 - die) & 1 else 1 << 25
    sources = own & ~(block << die) & (0x1FFFFFF << (die + 1))
    if own >> 7 == 0:  # all are home: they may be borne off
        sources |= own & (1 << die)
        if own < 1 << die:  # none is as far as the die says: the farthest goes
            farthest = 6
            while farthest > 0 and not own >> farthest & 1:
                farthest -= 1
            sources |= own & (1 << farthest)
    return sources


@inlined
def moved(own, count, source, die):
    """The bits after a checker has left a point that held `count`."""
    if count == 1:
        own &= ~(1 << source)
    if source > die:
        own |= 1 << (source - die)
    return own


@inlined
def reached(own, block, on_bar, a, b):
    """The points, as bits, where a checker may land with two dice; with several on the bar, only where they enter."""
    free = POINTS_1_TO_24 & ~block
    if on_bar > 0:
        one, two = (1 << (25 - a)) & free, (1 << (25 - b)) & free
        found = one | two
        if on_bar == 1:
            others = own & POINTS_1_TO_24
            if one:
                found |= ((others | one) >> b) & free
            if two:
                found |= ((others | two) >> a) & free
            if a == b and one:
                found |= (found >> a) & free
                found |= (found >> a) & free
        return found
    one, two = (own >> a) & free, (own >> b) & free
    found = one | two | ((one >> b | two >> a) & free)
    if a == b:
        further = (((one >> a) & free) >> a) & free
        found |= further | ((further >> a) & free)
    return found


@inlined
def escapes(block, point):
    """The same for a checker on a point, where `block` has the points that the other holds; off the board nobody stands."""
    ahead = block >> (point - 12) if point >= 12 else block << (12 - point)
    return i32(ESCAPES[ahead & 4095])


@inlined
def longest_run(bits):
    """How many bits stand side by side, at most."""
    length = 0
    while bits:
        bits &= bits >> 1
        length += 1
    return length
