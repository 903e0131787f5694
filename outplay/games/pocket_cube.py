"""Rubik's pocket cube: 2 x 2 x 2, turn its faces until each has one colour (Ernő Rubik 1981).

>>> from outplay.game import load
>>> cube = load("pocket cube")
>>> cube.position("UUUURRRRFFFFDDDDLLLLBBBB").is_solved()
True
>>> cube.start().play("R U R' U'").text() == cube.start().text()
False

The corner at the bottom, back and left is held still, so the faces U, R and F are enough: 3,674,160 positions, none more than 11
turns from the goal. A state is two numbers, the order of the other seven corners and their twists; a turn is a look into a table
for each. The estimate is the greater of the turns that the order alone and the twists alone would need: a small pattern database.
"""

import functools
import itertools
import random

import numpy as np

from outplay.jit import i16, i64, u64
from outplay.rules import game
from outplay.values import Cell, Picture

FACES = "URFDLB"
# The corners by their stickers, clockwise from the one on top or bottom; four stickers a face, faces in the order above.
CORNERS = ((3, 4, 9), (2, 8, 17), (0, 16, 21), (1, 20, 5), (13, 11, 6), (12, 19, 10), (15, 7, 22), (14, 23, 18))
STILL = (14, 23, 18)
# A quarter turn of U, R and F: for each place the corner that comes there, and by how much it is twisted on the way.
TURNS = (
    ((3, 0, 1, 2, 4, 5, 6), (0, 0, 0, 0, 0, 0, 0)),
    ((4, 1, 2, 0, 6, 5, 3), (2, 0, 0, 1, 1, 0, 2)),
    ((1, 5, 2, 3, 0, 4, 6), (1, 2, 0, 0, 2, 1, 0)),
)
NAMES = [face + times for face in "URF" for times in ("", "2", "'")]
ORDERS = tuple(itertools.permutations(range(7)))
ORDER_NUMBER = {order: number for number, order in enumerate(ORDERS)}


def twists_of(number):
    """The twists of the seven corners; the last one makes the sum a multiple of three."""
    twists = [number // 3**place % 3 for place in range(6)]
    return (*twists, -sum(twists) % 3)


def number_of(twists):
    """The number of such twists."""
    return sum(twist * 3**place for place, twist in enumerate(twists[:6]))


@functools.cache
def tables():
    """What each of the nine turns does to the order and to the twists, and the fewest turns that bring each of them home."""
    order_after, twist_after = np.zeros((5040, 9), np.int16), np.zeros((729, 9), np.int16)
    for face, (places, added) in enumerate(TURNS):
        for times in range(3):
            action = 3 * face + times
            for number, order in enumerate(ORDERS):
                before = order if times == 0 else ORDERS[order_after[number, action - 1]]
                order_after[number, action] = ORDER_NUMBER[tuple(before[place] for place in places)]
            for number in range(729):
                twists = twists_of(number if times == 0 else twist_after[number, action - 1])
                after = [(twists[place] + extra) % 3 for place, extra in zip(places, added, strict=True)]
                twist_after[number, action] = number_of(after)
    return order_after, twist_after, distances(order_after), distances(twist_after)


def distances(after):
    """The fewest turns from each number to number 0, by breadth-first search."""
    found = np.full(len(after), -1, np.int8)
    found[0], border, steps = 0, np.array([0]), 0
    while len(border):
        steps += 1
        border = np.unique(after[border])
        border = border[found[border] < 0]
        found[border] = steps
    return found


@game("pocket cube", turns=range(1, 1001), seed=range(1_000_000))
def pocket_cube(turns=20, seed=1):
    """Turn the faces of a 2 x 2 x 2 cube until each has one colour.

    Goal: one colour on each face.
    Moves: turn the upper, the right or the front face: U, R or F by a quarter, U2 by a half, U' backwards.
    Special: the corner at the bottom, back and left stays where it is; no position is more than eleven turns from the goal.
    Start: `turns` and `seed` say how it is scrambled.

    `turns`: How many random turns scramble it.
    `seed`: Which scramble: each number is another one.
    """
    order_after, twist_after, order_distance, twist_distance = tables()
    order_turns, twist_turns = order_after.reshape(-1), twist_after.reshape(-1)

    def stickers(state):
        colours = [""] * 24
        for corner in zip(STILL, (3, 5, 4), strict=True):
            colours[corner[0]] = FACES[corner[1]]
        twists = twists_of(int(state.twists))
        for place, corner in enumerate(ORDERS[int(state.places)]):
            for side in range(3):
                colours[CORNERS[place][(side + twists[place]) % 3]] = FACES[CORNERS[corner][side] // 4]
        return "".join(colours)

    class PocketCube:
        """Turn the faces of a 2 x 2 x 2 cube until each has one colour."""

        players = 1
        bounds = (0, 1)
        most_actions = 9

        # -------------------------------------------- rules
        places: i16  # which corner is where, as a number from 0 to 5039
        twists: i16  # how the corners are twisted, as a number from 0 to 728

        def start(self):
            draw = random.Random(seed)
            face = -1
            for number in itertools.count():
                if number >= turns and (self.places or self.twists):
                    break
                face = draw.choice([other for other in range(3) if other != face])
                self.play(3 * face + draw.randrange(3))

        def is_terminal(self):
            return self.places == 0 and self.twists == 0

        def actions(self, out):
            if self.places == 0 and self.twists == 0:
                return 0
            for action in range(9):
                out[action] = action
            return 9

        def play(self, action):
            self.places = order_turns[u64(self.places) * u64(9) + u64(action)]
            self.twists = twist_turns[u64(self.twists) * u64(9) + u64(action)]

        def utility(self, player):
            return 1 if self.places == 0 and self.twists == 0 else 0

        def estimate(self):
            return max(i64(order_distance[u64(self.places)]), i64(twist_distance[u64(self.twists)]))

        def redundant(self, previous, action):
            return previous // 3 == action // 3  # two turns of one face are one turn, or none

        def key(self):
            return u64(self.places) * u64(729) + u64(self.twists)

        # -------------------------------------------- notation: four stickers of each face in the order U R F D L B
        def task(self):
            return "Turn a face: each shall have one colour."

        def text(self):
            return stickers(self)

        def parse(self, text):
            if len(text) != 24 or any(text.count(face) != 4 for face in FACES):
                raise ValueError("expected 24 stickers, four each of U R F D L B, such as UUUURRRRFFFFDDDDLLLLBBBB")
            if [text[sticker] for sticker in STILL] != ["D", "B", "L"]:
                raise ValueError("hold the cube so that the corner with D, B and L is at the bottom, back and left")
            order, twists = [], []
            for place in CORNERS[:7]:
                colours = [text[sticker] for sticker in place]
                for corner, home in enumerate(CORNERS[:7]):
                    wanted = [FACES[sticker // 4] for sticker in home]
                    for twist in range(3):
                        if [colours[(side + twist) % 3] for side in range(3)] == wanted:
                            order.append(corner)
                            twists.append(twist)
            if sorted(order) != list(range(7)):
                raise ValueError("a corner has colours that no corner of the cube has, or two corners are the same")
            if sum(twists) % 3:
                raise ValueError("one corner is twisted, which no turns can do")
            self.places, self.twists = ORDER_NUMBER[tuple(order)], number_of(twists)

        def action_text(self, action):
            return NAMES[action]

        # -------------------------------------------- picture: the cube unfolded, U above F, then D; L, F, R, B in a row
        def picture(self):
            colours = stickers(self)
            where = {"U": (0, 2), "L": (2, 0), "F": (2, 2), "R": (2, 4), "B": (2, 6), "D": (4, 2)}
            cells = [[Cell(" ", ground="off") for _ in range(8)] for _ in range(6)]
            for face, (row, column) in where.items():
                for sticker in range(4):
                    colour = colours[4 * FACES.index(face) + sticker]
                    cells[row + sticker // 2][column + sticker % 2] = Cell(colour, "sticker", FACES.index(colour))
            colours_of_faces = ("white", "red", "green", "yellow", "orange", "blue")
            return Picture(cells=tuple(map(tuple, cells)), surface="plain", colours=colours_of_faces)

    return PocketCube
