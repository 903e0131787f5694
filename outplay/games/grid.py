"""A walk through a grid with walls and mud: the map on which searches for a way are best watched.

>>> from outplay.game import load
>>> start = load("grid", map="S.#/..#/..G").start()
>>> start.text(), start.play("down down right right").is_solved()
('1,1', True)

A map is rows of cells from top to bottom, separated by slashes: `S` start, `G` goal, `#` wall, `.` open ground, and a digit from 1
to 9 for ground that costs that much to step on. The estimate is the distance without walls times the cheapest step there is.
"""

import numpy as np

from outplay.errors import BadValue, shorten
from outplay.jit import i16, i64, u64
from outplay.rules import game
from outplay.values import Cell, Picture

STEPS = {"up": (-1, 0), "left": (0, -1), "right": (0, 1), "down": (1, 0)}
WAYS = tuple(STEPS)
MOST = 10_000  # cells


def valid_map(text):
    """Rows of one length separated by slashes, of the signs S G # . and 1 to 9, with one S and one G."""
    rows = text.strip().split("/")
    fits = len({len(row) for row in rows}) == 1 and set(text.strip()) <= set("SG#./123456789")
    if not fits or not rows[0] or text.count("S") != 1 or text.count("G") != 1 or len(rows) * len(rows[0]) > MOST:
        wanted = "rows of one length separated by /, of the signs S G # . 1-9, with one S and one G"
        raise BadValue(f"grid: a map is {wanted}, such as S.#/..#/..G, got {shorten(text)!r}")
    return "/".join(rows)


@game("grid", map=valid_map)
def grid(map="S...#...../.##.#.###./.#..#.#.../.#.##.#.##/.#....#.../.####.###./......#..G"):
    """Walk through a grid with walls and mud to the goal.

    Goal: the way from S to G that costs least.
    Moves: one step up, down, left or right, never into a wall.
    Special: a step onto open ground costs 1, onto mud what its digit says.
    Map: `map` is rows of cells separated by slashes: S, G, # for a wall, a dot for open ground, 1 to 9 for mud.

    `map`: Rows with slashes between them: S start, G goal, # wall, a dot free, 1 to 9 mud that costs so much.
    """
    rows = map.split("/")
    height, width = len(rows), len(rows[0])
    signs = "".join(rows)
    begin, goal = signs.index("S"), signs.index("G")
    price = np.array([0 if sign == "#" else int(sign) if sign.isdecimal() else 1 for sign in signs], np.int64)  # 0 is a wall
    cheapest = int(price[price > 0].min())
    distance = np.array([cheapest * (abs(cell // width - goal // width) + abs(cell % width - goal % width))
                         for cell in range(len(signs))], np.int64)  # fmt: skip
    ways = np.zeros(len(signs), np.int64)
    way = np.zeros(4 * len(signs), np.int8)
    for cell in range(len(signs)):
        for number, (down, right) in enumerate(STEPS.values()):
            row, column = cell // width + down, cell % width + right
            if 0 <= row < height and 0 <= column < width and price[row * width + column]:
                way[4 * cell + ways[cell]] = number
                ways[cell] += 1
    step = np.array([down * width + right for down, right in STEPS.values()], np.int64)

    class Grid:
        """Walk through a grid with walls and mud to the goal."""

        players = 1
        bounds = (0, 1)
        most_actions = 4

        # -------------------------------------------- rules
        at: i16  # the cell, counted row by row

        def start(self):
            self.at = begin

        def is_terminal(self):
            return self.at == goal or ways[u64(self.at)] == 0

        def actions(self, out):
            if self.at == goal:
                return 0
            here = u64(self.at)
            for i in range(ways[here]):
                out[i] = way[u64(4) * here + u64(i)]
            return i64(ways[here])

        def play(self, action):
            self.at += step[action]

        def utility(self, player):
            return 1 if self.at == goal else 0

        def cost(self, action):
            return price[u64(i64(self.at) + step[action])]

        def estimate(self):
            return distance[u64(self.at)]

        def key(self):
            return u64(self.at)

        # -------------------------------------------- notation: 3,2 is the third cell of the second row from the top
        def task(self):
            return "Take a step: the cheapest way leads to the goal."

        def text(self):
            return f"{int(self.at) % width + 1},{int(self.at) // width + 1}"

        def parse(self, text):
            column, comma, row = (part.strip() for part in text.partition(","))
            number = [int(part) if part.isascii() and part.isdecimal() and len(part) < 6 else 0 for part in (column, row)]
            if not comma or not (1 <= number[0] <= width and 1 <= number[1] <= height):
                raise ValueError(f"expected column,row from 1,1 at the top left to {width},{height}")
            self.at = (number[1] - 1) * width + number[0] - 1

        def valid(self):
            return None if price[int(self.at)] else "there is a wall"

        def action_text(self, action):
            return WAYS[action]

        def parse_action(self, text):
            meant = [number for number, name in enumerate(WAYS) if text and name.startswith(text.lower())]
            return meant[0] if meant else -1

        # -------------------------------------------- picture
        def picture(self):
            def cell(number, sign):
                if number == self.at:
                    return Cell("@", "robot", 0, mark="goal" if number == goal else False)
                if sign == "#":
                    return Cell("#", "wall")
                if sign == "G":
                    return Cell("G", "flag", mark="goal")
                return Cell(sign, "text") if sign not in ".S" else Cell(mark="start" if sign == "S" else False)

            here = int(self.at)
            return Picture(
                cells=tuple(tuple(cell(r * width + c, rows[r][c]) for c in range(width)) for r in range(height)),
                touches={int(w): (divmod(here + int(step[w]), width),) for w in way[4 * here : 4 * here + ways[here]]},
            )

    return Grid
