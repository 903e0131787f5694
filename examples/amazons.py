"""Amazons on 6 x 6 with two amazons each (Walter Zamkauskas, 1988): move like a queen, shoot like a queen; who cannot move loses.

    outplay best examples/amazons.py --time 5
"""

import numpy as np

from outplay.jit import lowest, u64
from outplay.rules import game

SIZE = 6
CELLS = SIZE * SIZE
ZERO, ONE = u64(0), u64(1)


def ray(cell, down, right):
    """The cells from one on, as far as the board goes."""
    row, column, found = cell // SIZE + down, cell % SIZE + right, []
    while 0 <= row < SIZE and 0 <= column < SIZE:
        found.append(SIZE * row + column)
        row, column = row + down, column + right
    return found


WAYS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
RAYS = np.full((CELLS * len(WAYS), SIZE), -1, np.int32)  # by cell and way, and -1 behind the last
for number, cells in enumerate(ray(cell, *way) for cell in range(CELLS) for way in WAYS):
    RAYS[number, : len(cells)] = cells


@game("amazons")
class Amazons:
    """Move an amazon like a queen, then shoot an arrow from there like a queen; what an arrow hits is closed for good.

    Goal: be the last who can move.
    Moves: an amazon goes any number of free cells in a line; then its arrow does, and stays.
    """

    most_actions = 2 * 20 * 20  # amazons, cells that a queen sees at most, and again

    mine: u64
    theirs: u64
    arrows: u64
    turn: u64

    def start(self):
        self.mine = ONE << u64(2) | ONE << u64(CELLS - 4)
        self.theirs = ONE << u64(2 * SIZE) | ONE << u64(4 * SIZE - 1)

    def actions(self, out):
        count = 0
        amazons = self.mine
        closed = self.mine | self.theirs | self.arrows
        while amazons != ZERO:
            origin = lowest(amazons)
            amazons &= amazons - ONE
            others = closed & ~(ONE << u64(origin))
            for way in range(8):
                for far in range(SIZE):
                    to = RAYS[8 * origin + way, far]
                    if to < 0 or others >> u64(to) & ONE != ZERO:
                        break
                    for aim in range(8):
                        for shot in range(SIZE):
                            hit = RAYS[8 * to + aim, shot]
                            if hit < 0 or others >> u64(hit) & ONE != ZERO:
                                break
                            out[count] = (origin * CELLS + to) * CELLS + hit
                            count += 1
        return count

    def play(self, action):
        origin, to, hit = action // (CELLS * CELLS), action // CELLS % CELLS, action % CELLS
        mine = self.mine & ~(ONE << u64(origin)) | ONE << u64(to)
        self.arrows |= ONE << u64(hit)
        self.mine, self.theirs = self.theirs, mine
        self.turn = ONE - self.turn

    def utility(self, seat):
        return -1 if seat == self.turn else 1  # who is to move cannot
