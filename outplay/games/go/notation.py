"""How positions of Go are written and drawn, whatever the board is made of.

A board tells its stones by `stone_at(point)` and takes them by `set_stone(point, color)`. Points go by size * row + column from
the top left; a board's own numbers for them stand in `where[point]`, are undone by `what[...]`, and 0 is none of them.

>>> from outplay.game import load
>>> load("go:size=5").start().play("C3 C4 pass").text()
'...../..o../..x../...../..... o - 1 3 -'
"""

import numpy as np

from outplay.games.go.patterns import BLACK, EMPTY
from outplay.values import Cell, Picture

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def name(self, place):
    """A place as players write it: column and row from the bottom left."""
    size = self.parameters["size"]
    row, column = divmod(int(self.what[place]), size)
    return f"{LETTERS[column]}{size - row}"


def cell(self, text):
    """The place of that name, 0 for a dash."""
    if text == "-":
        return 0
    size = self.parameters["size"]
    column, row = LETTERS.find(text[0].upper()), int(text[1:])
    if not (0 <= column < size and 1 <= row <= size):
        raise ValueError(f"{text} is not on the board")
    return self.where[(size - row) * size + column]


def text(self):
    """Rows, the player to move, ko, passes, moves, the last move, and under superko the keys of all boards."""
    size = self.parameters["size"]
    rows = ["".join(".xo"[self.stone_at(size * r + c)] for c in range(size)) for r in range(size)]
    spots = [self.name(place) if place else "-" for place in (self.forbidden, self.last)]
    text = f"{'/'.join(rows)} {'xo'[self.turn]} {spots[0]} {self.passes} {self.plies} {spots[1]}"
    if self.parameters["ko"] != "simple":
        text += " " + ",".join(f"{int(key):x}" for key in self.history[: self.plies + 1])
    return text


def parse(self, text):
    """The way back; what follows the player to move may be left out."""
    size, superko = self.parameters["size"], self.parameters["ko"] != "simple"
    longest = 3 * size * size
    words = text.split()
    if len(words) == 2:
        words += ["-", "0", "0", "-"] + (["0"] if superko else [])
    if len(words) != (7 if superko else 6) or words[1] not in ("x", "o"):
        raise ValueError(f"expected {size} rows of x, o and ., the player to move, then ko, passes, moves and last move")
    rows = words[0].split("/")
    if len(rows) != size or any(len(row) != size for row in rows) or set(words[0]) - set("xo./"):
        raise ValueError(f"expected {size} rows of {size} points x, o or .")
    self.start()
    self.turn = "xo".index(words[1])
    for point, stone in enumerate("".join(rows)):
        if stone != ".":
            self.set_stone(point, ".xo".index(stone))
    self.forbidden, self.last = self.cell(words[2]), self.cell(words[5])
    self.passes, self.plies = int(words[3]), int(words[4])
    if not 0 <= self.passes <= 2 or not 0 <= self.plies <= longest:
        raise ValueError(f"expected 0 to 2 passes and 0 to {longest} moves")
    if superko:
        keys = [int(key, 16) for key in words[6].split(",")]
        if len(keys) != self.plies + 1:
            raise ValueError(f"expected {self.plies + 1} keys of earlier boards, got {len(keys)}")
        self.history[: len(keys)] = keys


def valid(self):
    """What is wrong with a position, or None."""
    for point in range(self.parameters["size"] ** 2):
        if self.stone_at(point) != EMPTY and not self.has_liberty(point):
            return f"the chain at {self.name(self.where[point])} has no liberty"
    if self.forbidden and self.stone_at(self.what[self.forbidden]) != EMPTY:
        return f"the ko at {self.name(self.forbidden)} is occupied"
    return None


def action_text(self, action):
    """A point's name, or pass."""
    return "pass" if action == self.parameters["size"] ** 2 else self.name(self.where[action])


def ending_text(self):
    """How it ended: the passes, and by how much."""
    margin = float(self.score()) - float(self.parameters["komi"])
    how = "two passes" if self.passes >= 2 else "the longest game there is"
    return f"{how}, {'Black' if margin > 0 else 'White'} is ahead by {abs(margin):g}" if margin else f"{how}, even"


def picture(self):
    """Stones on the crossings, the last one marked; once both have passed, whose area each empty point is, and the score."""
    size = self.parameters["size"]
    over = self.passes >= 2 or self.is_terminal()
    owners = np.zeros(size * size, np.int64)
    if over:
        self.owners(owners)

    def drawn(point):
        stone = self.stone_at(point)
        if stone == EMPTY:
            return Cell()
        mark = "last" if self.last == self.where[point] else False
        return Cell("x", "stone", 0, mark) if stone == BLACK else Cell("o", "stone", 1, mark)

    caption = f"{'black' if self.turn == 0 else 'white'} to move, komi {self.parameters['komi']}"
    if over:
        black, white = int((owners > 0).sum()), int((owners < 0).sum())
        margin = black - white - float(self.komi)
        won = f"{'Black' if margin > 0 else 'White'} wins by {abs(margin):g}" if margin else "a draw"
        caption = f"Black {black}, White {white} + komi {float(self.komi):g}: {won}"
    return Picture(
        cells=tuple(tuple(drawn(size * row + column) for column in range(size)) for row in range(size)),
        rows=tuple(str(size - row) for row in range(size)),
        columns=tuple(LETTERS[:size]),
        touches={**{point: ((point // size, point % size),) for point in range(size * size)}, size * size: ()},
        marks={divmod(point, size): f"territory {int(owners[point] < 0)}" for point in range(size * size)
               if owners[point] and self.stone_at(point) == EMPTY},
        caption=caption,
        surface="lines",
    )
