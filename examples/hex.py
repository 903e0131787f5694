"""Hex on 7 x 7 (Piet Hein, 1942; John Nash, 1948): whoever links the own two sides of the board wins; there are no draws.

The board is two words: rows of eight bits, the last of which stays empty, so that no shift runs on into the next row.

    outplay best examples/hex.py --time 5
"""

from outplay.jit import lowest, u64
from outplay.rules import game

SIZE, WIDE = 7, 8
ROW = (1 << SIZE) - 1
BOARD = u64(sum(ROW << WIDE * row for row in range(SIZE)))
TOP, BOTTOM = u64(ROW), u64(ROW << WIDE * (SIZE - 1))
LEFT = u64(sum(1 << WIDE * row for row in range(SIZE)))
RIGHT = u64(int(LEFT) << (SIZE - 1))
ZERO, ONE, DOWN, SLANT = u64(0), u64(1), u64(WIDE), u64(WIDE - 1)


@game("hex")
class Hex:
    """Link your two sides: the first player's are top and bottom, the second's left and right.

    Goal: an unbroken chain of your stones from one of your sides to the other.
    Moves: in turn, a stone on any empty cell; each cell has six neighbours.
    """

    most_actions = SIZE * SIZE

    mine: u64  # the player's to move
    theirs: u64
    turn: u64

    def actions(self, out):
        if self.is_terminal():
            return 0
        free = BOARD & ~(self.mine | self.theirs)
        count = 0
        while free != ZERO:
            out[count] = lowest(free)
            free &= free - ONE
            count += 1
        return count

    def play(self, cell):
        mine = self.mine | (ONE << u64(cell))
        self.mine, self.theirs = self.theirs, mine
        self.turn = ONE - self.turn

    def is_terminal(self):
        """Whether the one who moved last has linked its sides: what is reached from the first side grows until it stops."""
        down = self.turn == ONE  # the first player has moved
        stones = self.theirs
        reached, before = stones & (TOP if down else LEFT), ZERO
        while reached != before:
            before = reached
            near = reached << ONE | reached >> ONE | reached << DOWN | reached >> DOWN | reached << SLANT | reached >> SLANT
            reached |= near & stones
        return reached & (BOTTOM if down else RIGHT) != ZERO

    def utility(self, seat):
        return -1 if seat == self.turn else 1
