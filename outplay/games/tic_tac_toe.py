"""Tic-tac-toe: three in a line on nine cells, the lectures' first game.

>>> from outplay.game import load
>>> load("tic-tac-toe").start().play("b2 a1").text()
'.../.x./o.. x'
"""

import numpy as np

from outplay.games._grid import twins
from outplay.jit import i8, popcount, u16
from outplay.picture import Cell, Picture, line_of
from outplay.rules import game

FULL = 0b111_111_111
LINES = (0b111, 0b111000, 0b111000000, 0b001001001, 0b010010010, 0b100100100, 0b100010001, 0b001010100)
HAS_LINE = np.array([any(stones & line == line for line in LINES) for stones in range(512)])
FREE = np.array([sorted(range(9), key=lambda cell: (taken >> cell & 1, cell)) for taken in range(512)], np.int32)  # free ones first
TWINS = twins(3, 3)


@game("tic-tac-toe")
class TicTacToe:
    """Two players place crosses and rings in turn; three in a row, column or diagonal win.

    Goal: three of your own in a row, a column or a diagonal.
    Moves: in turn, one sign on any empty cell. Crosses begin.
    Special: with two good players it is always a draw.
    End: a full board without a line is a draw.
    """

    seat_names = ("Crosses", "Noughts")
    most_actions = 9
    symmetries = 8  # of the square

    # ------------------------------------------------ rules: cell 3 * row + column, counted from the top left
    crosses: u16
    rings: u16
    turn: i8

    def has_line(self, stones):
        return HAS_LINE[stones]

    def actions(self, out):
        if HAS_LINE[self.crosses] | HAS_LINE[self.rings]:
            return 0
        taken = self.crosses | self.rings
        for place in range(9):  # all nine, though fewer may be free: without a branch
            out[place] = FREE[taken, place]
        return 9 - popcount(taken)

    def play(self, cell):
        if self.turn == 0:
            self.crosses |= u16(1 << cell)
        else:
            self.rings |= u16(1 << cell)
        self.turn = 1 - self.turn

    def utility(self, player):
        value = 1 if self.has_line(self.crosses) else -1 if self.has_line(self.rings) else 0
        return value if player == 0 else -value

    def transform(self, symmetry):
        crosses, rings = self.crosses, self.rings
        self.crosses = self.rings = 0
        for cell in range(9):
            self.crosses |= u16((crosses >> cell & 1) << TWINS[symmetry, cell])
            self.rings |= u16((rings >> cell & 1) << TWINS[symmetry, cell])

    def transform_action(self, symmetry, cell):
        return TWINS[symmetry, cell]

    # ------------------------------------------------ notation
    def text(self):
        cells = "".join("x" if self.crosses >> c & 1 else "o" if self.rings >> c & 1 else "." for c in range(9))
        return f"{cells[:3]}/{cells[3:6]}/{cells[6:]} {'xo'[self.turn]}"

    def parse(self, text):
        board, _, turn = text.partition(" ")
        rows = board.split("/")
        if [len(row) for row in rows] != [3, 3, 3] or set(board) - set("xo./") or turn not in ("x", "o"):
            raise ValueError("expected three rows of x, o and . and the player to move, such as x../.o./... x")
        cells = "".join(rows)
        self.crosses = sum(1 << c for c in range(9) if cells[c] == "x")
        self.rings = sum(1 << c for c in range(9) if cells[c] == "o")
        self.turn = "xo".index(turn)

    def valid(self):
        crosses, rings = int(self.crosses).bit_count(), int(self.rings).bit_count()
        if crosses - rings != self.turn:
            return f"{crosses} crosses and {rings} rings cannot stand with {'xo'[self.turn]} to move"
        won, lost = self.has_line(self.crosses), self.has_line(self.rings)
        if (won and self.turn == 0) or (lost and self.turn == 1):
            return "the game was over before the last move"
        return None

    def action_text(self, cell):
        return "abc"[cell % 3] + "321"[cell // 3]

    def ending_text(self):
        return "three in a line" if self.has_line(self.crosses) or self.has_line(self.rings) else "the board is full"

    # ------------------------------------------------ picture
    def picture(self):
        cells = [Cell("x", "cross", 0) if self.crosses >> c & 1 else Cell("o", "ring", 1) if self.rings >> c & 1 else Cell()
                 for c in range(9)]
        rows = (tuple(cells[:3]), tuple(cells[3:6]), tuple(cells[6:]))
        return Picture(
            cells=rows,
            marks=dict.fromkeys(line_of(rows, 3), "line"),
            rows=("3", "2", "1"),
            columns=("a", "b", "c"),
            touches={c: ((c // 3, c % 3),) for c in range(9)},
        )
