"""Blind tic-tac-toe: neither player sees the other's stones; a move onto a taken cell tells so, and one moves again.

Also known as phantom tic-tac-toe, after Kriegspiel, the blind chess of Henry Michael Temple (1899).

>>> from outplay.game import load
>>> position = load("blind tic-tac-toe").start().play("b2 b2")
>>> position.text(), position.observe(0).text(), position.observe(1).text()
('.../.X./... o', '.../.x./... o', '.../.X./... o')

A capital letter is a stone that the opponent has run into and knows. A view has lost the stones and the knowledge of the other
player; how many stones there are follows from whose turn it is. Once the game is over, everything is shown.
"""

import numpy as np

from outplay.jit import below, i8, lowest, popcount, u16, u64
from outplay.rules import game
from outplay.values import Cell, Picture

FULL = 0b111_111_111
LINES = (0b111, 0b111000, 0b111000000, 0b001001001, 0b010010010, 0b100100100, 0b100010001, 0b001010100)
HAS_LINE = np.array([any(stones & line == line for line in LINES) for stones in range(512)])


@game("blind tic-tac-toe")
class BlindTicTacToe:
    """Three in a line on nine cells, without seeing the other's stones; a taken cell tells so and one moves again.

    Goal: three of your own in a row, a column or a diagonal.
    Moves: in turn, name a cell on which you know of no stone.
    Special: if the other stands there you learn it, and choose another cell at once.
    Hidden: you see your own stones and those of the other's that you ran into.
    End: a full board without a line is a draw.
    """

    seat_names = ("Crosses", "Noughts")
    most_actions = 9
    recall = False  # a view tells where its stones stand, not in which order they came

    # ------------------------------------------------ rules: cell 3 * row + column, counted from the top left
    crosses: u16
    rings: u16
    found_crosses: u16  # crosses that the player of the rings has run into
    found_rings: u16
    turn: i8

    def is_terminal(self):
        return self.crosses | self.rings == FULL or HAS_LINE[self.crosses] or HAS_LINE[self.rings]

    def actions(self, out):
        if self.is_terminal():
            return 0
        known = self.crosses | self.found_rings if self.turn == 0 else self.rings | self.found_crosses
        free = FULL & ~known
        count = 0
        while free:
            out[count] = lowest(free)
            free &= free - 1
            count += 1
        return count

    def play(self, cell):
        bit = u16(1 << cell)
        if self.turn == 0:
            if self.rings & bit:
                self.found_rings |= bit
                return
            self.crosses |= bit
        else:
            if self.crosses & bit:
                self.found_crosses |= bit
                return
            self.rings |= bit
        self.turn = 1 - self.turn

    def utility(self, player):
        value = 1 if HAS_LINE[self.crosses] else -1 if HAS_LINE[self.rings] else 0
        return value if player == 0 else -value

    def observe(self, player):
        if self.is_terminal():
            return
        if player == 0:
            self.rings = self.found_rings
            self.found_crosses = 0
        else:
            self.crosses = self.found_crosses
            self.found_rings = 0

    def deal(self, player, source):
        if self.is_terminal():
            return 1.0
        mine = self.crosses if player == 0 else self.rings
        found = self.found_rings if player == 0 else self.found_crosses
        hidden = popcount(mine) + (self.turn if player == 1 else -self.turn) - popcount(found)
        # All ways to place the hidden stones without a line, each as likely as any other.
        ways, chosen = 0, 0
        for second_pass in range(2):
            left = below(source, ways) if second_pass else 0
            for stones in range(512):
                if stones & (mine | found) == 0 and popcount(stones) == hidden and not HAS_LINE[stones | found]:
                    if second_pass and left == 0:
                        chosen = stones
                    left -= 1
                    ways += 1
        known_of_mine = mine & below(source, 512)
        if player == 0:
            self.rings = u16(found | chosen)
            self.found_crosses = u16(known_of_mine)
        else:
            self.crosses = u16(found | chosen)
            self.found_rings = u16(known_of_mine)
        return 1.0

    def key(self):
        board = u64(self.crosses) | u64(self.rings) << u64(9) | u64(self.turn) << u64(36)
        return board | u64(self.found_crosses) << u64(18) | u64(self.found_rings) << u64(27)

    # ------------------------------------------------ notation
    def text(self):
        cells = ""
        for cell in range(9):
            letter = "x" if self.crosses >> cell & 1 else "o" if self.rings >> cell & 1 else "."
            cells += letter.upper() if (self.found_crosses | self.found_rings) >> cell & 1 else letter
        return f"{cells[:3]}/{cells[3:6]}/{cells[6:]} {'xo'[self.turn]}"

    def parse(self, text):
        board, _, turn = text.partition(" ")
        rows = board.split("/")
        if [len(row) for row in rows] != [3, 3, 3] or set(board) - set("xoXO./") or turn not in ("x", "o"):
            raise ValueError("expected three rows of x, o, X, O and . and the player to move, such as x../.O./... x")
        cells = "".join(rows)
        masks = {letter: sum(1 << c for c in range(9) if cells[c] == letter) for letter in "xoXO"}
        self.crosses, self.rings = masks["x"] | masks["X"], masks["o"] | masks["O"]
        self.found_crosses, self.found_rings = masks["X"], masks["O"]
        self.turn = "xo".index(turn)

    def valid(self):
        crosses, rings = int(self.crosses).bit_count(), int(self.rings).bit_count()
        if crosses - rings != self.turn:
            return f"{crosses} crosses and {rings} rings cannot stand with {'xo'[self.turn]} to move"
        if HAS_LINE[self.rings if self.turn == 1 else self.crosses]:
            return "the game was over before the last move"
        if self.is_terminal():  # the last stone ended the game, so nobody has run into it
            stones, found = (self.crosses, self.found_crosses) if self.turn == 1 else (self.rings, self.found_rings)
            unknown = int(stones) & ~int(found)
            if not any(unknown >> c & 1 and not HAS_LINE[stones ^ (1 << c)] for c in range(9)):
                return "the stone that ended the game cannot have been run into"
        return None

    def action_text(self, cell):
        return "abc"[cell % 3] + "321"[cell // 3]

    def task(self):
        return "Name a cell on which you know of no stone."

    def ending_text(self):
        return "three in a line" if HAS_LINE[self.crosses] or HAS_LINE[self.rings] else "the board is full"

    # ------------------------------------------------ picture: stones that the opponent knows are marked
    def picture(self):
        def cell(c):
            known = bool((self.found_crosses | self.found_rings) >> c & 1)
            if self.crosses >> c & 1:
                return Cell("x", "cross", 0, known)
            return Cell("o", "ring", 1, known) if self.rings >> c & 1 else Cell()

        return Picture(
            cells=tuple(tuple(cell(3 * row + column) for column in range(3)) for row in range(3)),
            rows=("3", "2", "1"),
            columns=("a", "b", "c"),
            touches={c: ((c // 3, c % 3),) for c in range(9)},
        )
