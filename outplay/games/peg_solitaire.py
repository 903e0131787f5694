"""Peg solitaire: jump over a neighbour into an empty hole, and take it off, until one peg is left (played at Versailles by 1697).

>>> from outplay.game import load
>>> start = load("peg solitaire").start()
>>> len(start.actions()), start.play("d6d4").text()
(4, '..ooo../..o.o../ooo.ooo/ooooooo/ooooooo/..ooo../..ooo..')

The English board has 33 holes; `board="triangle"` is the one with 15. The last peg must stand in the hole that was empty at the
start, or anywhere with `last="anywhere"`. Each jump takes one peg off, so all solutions are equally long:
the hard part is to find one.
"""

import re

import numpy as np

from outplay.jit import i64, mix, popcount, u64
from outplay.rules import game
from outplay.values import Cell, Picture

ENGLISH = ("..ooo..", "..ooo..", "ooooooo", "ooooooo", "ooooooo", "..ooo..", "..ooo..")
TRIANGLE = ("o....", "oo...", "ooo..", "oooo.", "ooooo")
SQUARE_WAYS = ((-1, 0), (0, -1), (0, 1), (1, 0))


@game("peg solitaire", board=("english", "triangle"), last=("start", "anywhere"))
def peg_solitaire(board="english", last="start"):
    """Jump over pegs and take them off until one is left.

    Goal: leave a single peg, in the hole that was empty at the start (or anywhere, with `last=anywhere`).
    Moves: jump with a peg over a neighbour into the empty hole behind it, and take that neighbour off.
    Special: every jump takes off one peg, so all solutions are equally long.
    Boards: the English one with 33 holes, or the triangle with 15.

    `board`: english: a cross of 33 holes; triangle: 15 holes.
    `last`: Where the last peg must stand: in the hole that was empty at the start, or anywhere.
    """
    plan = ENGLISH if board == "english" else TRIANGLE
    ways = SQUARE_WAYS if board == "english" else (*SQUARE_WAYS, (-1, -1), (1, 1))  # a triangle is a half square with one diagonal
    height, width = len(plan), len(plan[0])
    spots = [(row, column) for row in range(height) for column in range(width) if plan[row][column] == "o"]
    number = {spot: index for index, spot in enumerate(spots)}
    first = number[3, 3] if board == "english" else 0
    names = ["abcdefg"[column] + str(height - row) for row, column in spots]
    lines = [tuple((r + n * down, c + n * right) for n in range(3)) for r, c in spots for down, right in ways]
    jumps = [tuple(number[spot] for spot in line) for line in lines if all(spot in number for spot in line)]
    pegs_needed = np.array([1 << a | 1 << b for a, b, _ in jumps], np.uint64)
    holes_needed = np.array([1 << c for _, _, c in jumps], np.uint64)
    jump_count = len(jumps)
    everywhere = 2 ** len(spots) - 1
    finals = u64(everywhere if last == "anywhere" else 1 << first)
    zero = u64(0)

    class PegSolitaire:
        """Jump over pegs and take them off until one is left."""

        players = 1
        bounds = (0, 1)
        most_actions = jump_count

        # -------------------------------------------- rules
        pegs: u64  # a bit for each hole, row by row

        def start(self):
            self.pegs = everywhere ^ 1 << first

        def actions(self, out):
            pegs = self.pegs
            count = 0
            for jump in range(jump_count):
                if pegs & pegs_needed[jump] == pegs_needed[jump] and pegs & holes_needed[jump] == zero:
                    out[count] = jump
                    count += 1
            return count

        def play(self, jump):
            self.pegs ^= pegs_needed[jump] | holes_needed[jump]

        def utility(self, player):
            return 1 if popcount(self.pegs) == 1 and self.pegs & finals != zero else 0

        def estimate(self):
            return i64(popcount(self.pegs)) - 1

        def key(self):
            return mix(self.pegs)

        # -------------------------------------------- notation: o a peg, . a hole or no board, rows from the top; d6d4 is a jump
        def task(self):
            return "Jump with a peg over its neighbour into an empty hole."

        def text(self):
            rows = [["."] * width for _ in range(height)]
            for index, (row, column) in enumerate(spots):
                if int(self.pegs) >> index & 1:
                    rows[row][column] = "o"
            return "/".join("".join(row) for row in rows)

        def parse(self, text):
            rows = text.split("/")
            if len(rows) != height or not all(re.fullmatch(rf"[o.]{{{width}}}", row) for row in rows):
                raise ValueError(f"expected {height} rows of {width} signs, o for a peg and . for none, such as {'/'.join(plan)}")
            outside = [(r, c) for r in range(height) for c in range(width) if rows[r][c] == "o" and (r, c) not in number]
            if outside:
                raise ValueError(f"there is no hole in row {outside[0][0] + 1} from the top, column {outside[0][1] + 1}")
            self.pegs = sum(1 << index for index, (row, column) in enumerate(spots) if rows[row][column] == "o")

        def valid(self):
            return None if self.pegs else "there is no peg"

        def action_text(self, jump):
            return names[jumps[jump][0]] + names[jumps[jump][2]]

        # -------------------------------------------- picture: a click on the peg, then on the hole
        def picture(self):
            def cell(spot):
                if spot not in number:
                    return Cell(" ", ground="off")
                return Cell("o", "peg") if int(self.pegs) >> number[spot] & 1 else Cell()

            return Picture(
                cells=tuple(tuple(cell((row, column)) for column in range(width)) for row in range(height)),
                rows=tuple(str(height - row) for row in range(height)),
                columns=tuple("abcdefg"[:width]),
                surface="holes",
                look="wood",
                touches={jump: (spots[a], spots[c]) for jump, (a, _, c) in enumerate(jumps)},
            )

    return PegSolitaire
