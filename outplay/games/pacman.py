"""Pac-Man on a small grid: eat the food, flee the ghosts, which wander at random or hunt well.

The lectures' example of expectimax: with ghosts that move at random their turns are chance nodes; with ghosts that play well they
are one opponent, MIN. A move costs 1, food brings 10, the last food 500, and a ghost's touch costs 500.

>>> from outplay.game import load
>>> position = load("pac-man", maze="trap").start()
>>> position.text()
'%%%%%%%/%....G%/%P%%%%%/%.G...%/%%%%%%% 0 0 40 12-23'
>>> load("pac-man", maze="trap", ghosts="random").traits.chance
True
"""

import re

from outplay.errors import BadValue
from outplay.jit import Array, i8, i16, i32, lowest, popcount, u64
from outplay.rules import game
from outplay.values import CHANCE, Cell, Picture

MAZES = {
    "trap": "%%%%%%%/%....G%/%P%%%%%/%.G...%/%%%%%%%",
    "corridor": "%%%%%%%%%/%___P__G%/%G%%%%%%%/%....___%/%%%%%%%%%",
    "open": "%%%%%%%/%.....%/%.%P%.%/%.....%/%..G..%/%%%%%%%",
    "ring": "%%%%%%%%/%......%/%.%%%%.%/%.P%%G.%/%......%/%%%%%%%%",
}
FOOD, ALL_FOOD, CAUGHT, MOVE = 10, 500, -500, -1
DIRECTIONS = ("north", "east", "south", "west")


@game("pac-man", maze=tuple(MAZES), ghosts=("well", "random"), limit=range(1, 1001))
def pacman(maze="open", ghosts="well", limit=40):
    """Eat the food and flee the ghosts, which wander at random or hunt well.

    Goal: eat all the food, and meet no ghost.
    Moves: one step north, east, south or west; then each ghost takes a step.
    Score: food +10, all of it +500, a ghost's touch -500, each step -1.
    Ghosts: with `ghosts=random` they wander, with `ghosts=well` they hunt; after `limit` moves it is over.

    `maze`: Which of four mazes.
    `ghosts`: well: the ghosts hunt as one opponent; random: they wander.
    `limit`: After so many moves it is over.
    """
    rows = MAZES[maze].split("/")
    width, height = len(rows[0]), len(rows)
    cells = "".join(rows)
    walls = tuple(cell == "%" for cell in cells)
    steps = (-width, 1, width, -1)
    neighbours = tuple(tuple(cell + step if not walls[cell] and not walls[cell + step] else -1 for step in steps)
                       if not walls[cell] else (-1,) * 4 for cell in range(len(cells)))  # fmt: skip
    ghost_cells = [cell for cell, symbol in enumerate(cells) if symbol == "G"]
    count_ghosts = len(ghost_cells)
    food_bits = u64(sum(1 << cell for cell, symbol in enumerate(cells) if symbol == "."))
    at_random = ghosts == "random"
    most = FOOD * cells.count(".") + ALL_FOOD
    one, zero = u64(1), u64(0)

    class PacMan:
        """Eat the food and flee the ghosts, which wander at random or hunt well."""

        players = 1 if at_random else 2
        seat_names = ("Pac-Man", "the ghosts")[:players]
        bounds = (float(CAUGHT - limit), float(most)) if at_random else (-float(most + limit), float(most + limit))
        pays = "points"
        most_actions = 4
        scale = 1.0  # utilities and evaluations are both scores

        # -------------------------------------------- rules: cell width * row + column, the top row first
        food: u64
        at: i8
        ghost: Array[i8, count_ghosts]
        turn: i8  # 0: Pac-Man, else the number of a ghost
        ended: i8
        score: i16
        moves: i16

        def start(self):
            self.food = food_bits
            self.at = cells.index("P")
            for number, cell in enumerate(ghost_cells):
                self.ghost[number] = cell

        def player(self):
            if self.turn == 0:
                return 0
            return CHANCE if at_random else 1

        def is_terminal(self):
            return self.ended != 0

        def list_moves(self, out):
            if self.ended:
                return 0
            cell = i32(self.at) if self.turn == 0 else i32(self.ghost[self.turn - 1])
            count = 0
            for direction in range(4):
                if neighbours[cell][direction] >= 0:
                    out[count] = direction
                    count += 1
            return count

        def actions(self, out):
            return self.list_moves(out)

        def play(self, direction):
            if self.turn == 0:
                self.at = neighbours[self.at][direction]
                self.score += MOVE
                self.moves += 1
                here = one << u64(self.at)
                if self.food & here:
                    self.food ^= here
                    self.score += FOOD
                    if self.food == zero and not self.is_touched():
                        self.score += ALL_FOOD
                        self.ended = 1
            else:
                self.ghost[self.turn - 1] = neighbours[self.ghost[self.turn - 1]][direction]
            if not self.ended and self.is_touched():
                self.score += CAUGHT
                self.ended = 1
            self.turn = (self.turn + 1) % (count_ghosts + 1)
            if self.turn == 0 and self.moves >= limit:
                self.ended = 1

        def is_touched(self):
            for number in range(count_ghosts):
                if self.ghost[number] == self.at:
                    return True
            return False

        def utility(self, player):
            return i32(self.score) if player == 0 else -i32(self.score)

        def evaluate(self, player, weights):
            """The score, less the way to the nearest food and the danger of near ghosts."""
            row, column = self.at // width, self.at % width
            nearest = width + height
            left = self.food
            while left != zero:
                cell = lowest(left)
                left &= left - one
                nearest = min(nearest, abs(cell // width - row) + abs(cell % width - column))
            danger = 0.0
            for number in range(count_ghosts):
                distance = abs(self.ghost[number] // width - row) + abs(self.ghost[number] % width - column)
                if distance < 2:
                    danger += 50.0
            value = self.score - nearest - danger - 2.0 * popcount(self.food)
            return value if player == 0 else -value

        if at_random:

            def chances(self, out, probabilities):
                count = self.list_moves(out)
                for k in range(count):
                    probabilities[k] = 1.0 / count
                return count

        # -------------------------------------------- notation
        def text(self):
            symbols = [symbol if symbol == "%" else "." if int(self.food) >> cell & 1 else "_" for cell, symbol in enumerate(cells)]
            for cell in self.ghost:
                symbols[int(cell)] = "g" if int(self.food) >> int(cell) & 1 else "G"
            symbols[int(self.at)] = "X" if self.is_touched() else "P"
            board = "/".join("".join(symbols[width * row : width * row + width]) for row in range(height))
            hunters = "-".join(str(cell) for cell in self.ghost)
            return f"{board} {int(self.turn)} {int(self.score)} {limit - int(self.moves)} {hunters}"

        def parse(self, text):
            found = re.fullmatch(r"([%._GgPX/]+) (\d) (-?\d+) (\d+)(?: (\d+(?:-\d+)*))?", text)
            if not found or [len(row) for row in found[1].split("/")] != [width] * height:
                raise ValueError(f"expected {height} rows of {width} cells, the number to move, the score and the moves left")
            board = found[1].replace("/", "")
            if [cell == "%" for cell in board] != list(walls):
                raise ValueError("the walls are those of another maze")
            where = [cell for cell, symbol in enumerate(board) if symbol in "PX"]
            seen = [cell for cell, symbol in enumerate(board) if symbol in "GgX"]
            if found[5]:  # in their order, and where two share a cell
                if set(seen) != {int(cell) for cell in found[5].split("-")}:
                    raise ValueError(f"the ghosts' cells {found[5]} are not those of the board")
                seen = [int(cell) for cell in found[5].split("-")]
            if len(where) != 1 or len(seen) != count_ghosts or int(found[2]) > count_ghosts or int(found[4]) > limit:
                raise ValueError(f"expected one P, {count_ghosts} ghosts, a number to {count_ghosts} and at most {limit} moves")
            self.at, self.turn, self.score, self.moves = where[0], int(found[2]), int(found[3]), limit - int(found[4])
            for number, cell in enumerate(seen):
                self.ghost[number] = cell
            self.food = sum(1 << cell for cell, symbol in enumerate(board) if symbol in ".g")
            self.ended = board[where[0]] == "X" or self.food == 0 or (self.moves >= limit and self.turn == 0)

        def action_text(self, direction):
            return DIRECTIONS[direction]

        def standing(self, seat):
            return f"score {int(self.score)}" if seat == 0 else ""

        def ending_text(self):
            if self.is_touched():
                return "caught by a ghost"
            return "all food is eaten" if self.food == zero else "the time is up"

        # -------------------------------------------- picture
        def picture(self):
            board = self.text().split(" ")[0].split("/")
            look = {"%": Cell("%", "wall"),
                    ".": Cell(".", "food"), "_": Cell(" "), "G": Cell("G", "ghost", 1), "g": Cell("G", "ghost", 1),
                    "P": Cell("P", "pac-man", 0), "X": Cell("X", "ghost", 1, mark="check")}  # fmt: skip
            here = int(self.at) if self.turn == 0 else int(self.ghost[int(self.turn) - 1])
            ways = {way: (divmod(cell, width),) for way, cell in enumerate(neighbours[here]) if cell >= 0 and not self.ended}
            left = "" if self.ended else f", {limit - int(self.moves)} moves left"
            return Picture(cells=tuple(tuple(look[cell] for cell in row) for row in board), touches=ways, colours=("yellow", "red"),
                           caption=f"score {int(self.score)}{left}")  # fmt: skip

    if width * height > 64:
        raise BadValue(f"pac-man: a maze has at most 64 cells, got {width}x{height}")
    return PacMan
