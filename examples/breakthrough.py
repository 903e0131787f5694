"""Breakthrough on 5 x 5 (Dan Troyka, 2000): two rows of pawns each; whoever brings one to the far row, or takes them all, wins.

A pawn steps straight or slantwise ahead, and takes slantwise only. `planes` is all that a network needs to learn it:

    outplay learn examples/breakthrough.py --out RUN --time 10m
"""

from outplay.jit import Array, i8
from outplay.rules import game

SIZE = 5


@game("breakthrough")
class Breakthrough:
    """Bring a pawn to the far row. Everything is seen by the player to move: its pawns are 1 and walk from row 0 to row 4."""

    most_actions = 75  # square * 3 + (0 left, 1 ahead, 2 right)
    plane_shape = (2, SIZE, SIZE)

    board: Array[i8, 25]
    turn: i8

    def start(self):
        for square in range(10):
            self.board[square] = 1
            self.board[24 - square] = 2

    def actions(self, out):
        count = 0
        if self.is_terminal():
            return 0
        for square in range(20):  # a pawn on the far row has won
            if self.board[square] == 1:
                column = square % SIZE
                for way in range(3):
                    to = column + way - 1
                    if 0 <= to < SIZE:
                        there = self.board[square - column + SIZE + to]
                        if there == 0 or (there == 2 and way != 1):
                            out[count] = square * 3 + way
                            count += 1
        return count

    def play(self, action):
        square = action // 3
        self.board[square] = 0
        self.board[square + SIZE + action % 3 - 1] = 1
        for low in range(12):  # turn the board round for the other player
            one, two = self.board[low], self.board[24 - low]
            self.board[low] = 3 - two if two else 0
            self.board[24 - low] = 3 - one if one else 0
        self.board[12] = 3 - self.board[12] if self.board[12] else 0
        self.turn = 1 - self.turn

    def is_terminal(self):
        mine = 0
        for square in range(25):
            if self.board[square] == 1:
                mine += 1
        for square in range(SIZE):  # the other's pawns walk down to row 0
            if self.board[square] == 2:
                return True
        return mine == 0

    def utility(self, seat):
        return -1 if seat == self.turn else 1  # only who has just moved can have won

    def planes(self, seat, out):
        for square in range(25):
            seen = self.board[square] if seat == self.turn else self.board[24 - square]
            mine = 1 if seat == self.turn else 2
            out[0, square // SIZE, square % SIZE] = 1.0 if seen == mine else 0.0
            out[1, square // SIZE, square % SIZE] = 1.0 if seen != 0 and seen != mine else 0.0
