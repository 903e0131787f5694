"""The fifteen-puzzle: slide the tiles of a frame until they stand in order (Noyes Chapman 1874).

>>> from outplay.game import load
>>> puzzle = load("fifteen puzzle", width=3, height=2)
>>> puzzle.position("1 2 0 3 4 5").play("2 1").is_solved()
True

The goal is Korf's (1985): the blank first, then 1 to 15; `blank="last"` gives the other custom. Half of all orders can never be
solved (Johnson and Story 1879), and such a position is refused. Estimates of the way that is left:

* `estimate="manhattan"`: each tile's distance from home, summed up. A slide changes one term, so the sum is kept in the state.
* `estimate="conflicts"`, the default, adds linear conflicts (Hansson, Mayer and Yung 1992): of two tiles in their home line in the
  wrong order, one must leave the line and come back, which costs two slides that its distance does not count.
* `estimate="patterns"` looks up what five tiles at a time would need if only their own slides counted, and adds the three numbers
  up (disjoint pattern databases, Korf and Felner 2002). The tables take a few seconds to build, once; then they lie in the cache.
"""

import contextlib
import functools
import itertools
import random

import numpy as np

from outplay.errors import BadValue
from outplay.files import read_checked, write_checked
from outplay.jit import cache_folder, fingerprint, i8, i16, i64, kernel, mix, u64
from outplay.rules import game
from outplay.values import Cell, Picture

STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))  # an action is the way the blank goes: up, left, right, down


def line_conflicts(order):
    """How many extra slides a line needs in which the tiles' own places are these; None is a tile from elsewhere, or the blank.

    The fewest tiles that must leave the line, so that the rest is in order, twice:

    >>> line_conflicts((1, 0, None, None)), line_conflicts((3, 2, 1, 0)), line_conflicts((0, None, 3, 2))
    (2, 6, 2)
    """
    own = [place for place in order if place is not None]
    for stay in range(len(own), 0, -1):
        for kept in itertools.combinations(own, stay):
            if list(kept) == sorted(kept):
                return 2 * (len(own) - stay)
    return 0


def is_reachable(tiles, goal, width):
    """Whether slides can lead from one order to the other: a slide swaps two, and moves the blank one step.

    >>> is_reachable((1, 0, 2, 3), (0, 1, 2, 3), 2), is_reachable((0, 1, 3, 2), (0, 1, 2, 3), 2)
    (True, False)
    """
    swaps = sum(goal.index(a) > goal.index(b) for a, b in itertools.combinations(tiles, 2))
    here, there = divmod(tiles.index(0), width), divmod(goal.index(0), width)
    return (swaps + here[0] - there[0] + here[1] - there[1]) % 2 == 0


@game("fifteen puzzle", width=range(2, 5), height=range(2, 5), blank=("first", "last"),
      estimate=("manhattan", "conflicts", "patterns"), slides=range(1, 10_001), seed=range(1_000_000))
def fifteen_puzzle(width=4, height=4, blank="first", estimate="conflicts", slides=40, seed=1):
    """Slide the tiles of a frame until they stand in order.

    Goal: all tiles in order, the blank first (or last, with `blank=last`).
    Moves: slide a tile that is next to the blank into it.
    Special: half of all orders can never be reached by slides; such a position is refused.
    Score: the fewer slides, the better.

    `width`: Tiles in a row.
    `height`: Rows of tiles.
    `blank`: Where the gap belongs in the end: first or last.
    `estimate`: How a search guesses the slides that are left: manhattan is the simplest, patterns the best.
    `slides`: How many random slides mix it up at the start.
    `seed`: Which mixture: each number is another one.
    """
    cells = width * height
    goals = {"first": tuple(range(cells)), "last": (*range(1, cells), 0)}
    goal = goals[blank]
    home = {tile: divmod(cell, width) for cell, tile in enumerate(goal)}

    def away(tile, cell):
        return abs(home[tile][0] - cell // width) + abs(home[tile][1] - cell % width)

    # For each place of the blank, the ways it can go; and what each way does to the distance of the tile that it swaps with.
    ways = np.zeros(16, np.int8)
    way = np.zeros(64, np.int8)
    change = np.zeros(1024, np.int8)
    for cell in range(cells):
        row, column = divmod(cell, width)
        for direction, (down, right) in enumerate(STEPS):
            if 0 <= row + down < height and 0 <= column + right < width:
                way[4 * cell + ways[cell]] = direction
                ways[cell] += 1
                for tile in range(1, cells):
                    change[64 * tile + 4 * cell + direction] = away(tile, cell) - away(tile, cell + width * down + right)
    step = np.array([down * width + right for down, right in STEPS], np.int8)

    has_conflicts = estimate == "conflicts"
    row_bits, column_bits = u64(4 * width), u64(4 * height)
    row_mask, column_mask = u64(16**width - 1), u64(16**height - 1)
    in_row = conflict_table([[home[tile][1] if tile and home[tile][0] == row else None for tile in range(cells)]
                             for row in range(height)], width) if has_conflicts else None
    in_column = conflict_table([[home[tile][0] if tile and home[tile][1] == column else None for tile in range(cells)]
                                for column in range(width)], height) if has_conflicts else None
    has_patterns = estimate == "patterns"
    low, middle, high = databases = pattern_databases(width, height, goal) if has_patterns else (None, None, None)
    nibble = u64(15)
    four = u64(4)

    def tiles_of(state):  # these three are outside of the class, since only the notation and the start use them
        return [int(state.tiles) >> 4 * cell & 15 for cell in range(cells)]

    def put(state, tiles):
        state.tiles = sum(tile << 4 * cell for cell, tile in enumerate(tiles))
        state.blank = tiles.index(0)
        state.distance = sum(away(tile, cell) for cell, tile in enumerate(tiles) if tile)
        if has_conflicts:
            state.turned = sum(tile << 4 * (cell % width * height + cell // width) for cell, tile in enumerate(tiles))
            state.extra = sum(all_conflicts(tiles))
        if has_patterns:
            state.where = sum(cell << 4 * tile for cell, tile in enumerate(tiles))
            state.extra = sum(int(table[index >> 1]) >> 4 * (index & 1) & 15 for group, table in enumerate(databases)
                              for index in [int(state.where) >> 4 * (1 + 5 * group) & 0xFFFFF]) * 2

    def all_conflicts(tiles):
        for row in range(height):
            line = tiles[row * width : (row + 1) * width]
            yield line_conflicts([home[tile][1] if tile and home[tile][0] == row else None for tile in line])
        for column in range(width):
            line = tiles[column::width]
            yield line_conflicts([home[tile][0] if tile and home[tile][1] == column else None for tile in line])

    class FifteenPuzzle:
        """Slide the tiles of a frame until they stand in order."""

        players = 1
        bounds = (0, 1)
        most_actions = 4

        # -------------------------------------------- rules
        tiles: u64  # four bits a cell, row by row; the blank is 0
        blank: i8  # the cell of the blank
        distance: i16  # what all tiles are away from home
        if has_conflicts:
            extra: i16  # twice the tiles that must leave a line of theirs
            turned: u64  # the tiles column by column
        if has_patterns:
            extra: i16  # what the pattern databases say beyond the distance
            where: u64  # four bits a tile: the cell in which it stands

        def start(self):
            draw = random.Random(seed)
            tiles, last = list(goal), -1
            for number in itertools.count():
                if number >= slides and tiles != list(goal):
                    break
                here = tiles.index(0)
                last = draw.choice([int(d) for d in way[4 * here : 4 * here + ways[here]] if d + last != 3])
                there = here + int(step[last])
                tiles[here], tiles[there] = tiles[there], tiles[here]
            put(self, tiles)

        def is_terminal(self):
            return self.distance == 0

        def actions(self, out):
            if self.distance == 0:
                return 0
            here = u64(self.blank)
            count = ways[here]
            for i in range(count):
                out[i] = way[here * four + u64(i)]
            return i64(count)

        def slide(self, direction):
            here = u64(self.blank)
            there = u64(i64(self.blank) + step[direction])
            tile = (self.tiles >> (there * four)) & nibble
            self.tiles ^= (tile << (there * four)) | (tile << (here * four))
            self.blank = i8(there)
            self.distance += change[tile * u64(64) + here * four + u64(direction)]

        if has_conflicts:

            def play(self, direction):
                # Along its own line a tile passes no other, so only the two lines that it leaves and enters change.
                here = u64(self.blank)
                there = u64(i64(self.blank) + step[direction])
                before = self.lines(here, there, direction)
                self.slide(direction)
                a = (here % u64(width)) * u64(height) + here // u64(width)
                b = (there % u64(width)) * u64(height) + there // u64(width)
                tile = (self.turned >> (b * four)) & nibble
                self.turned ^= (tile << (b * four)) | (tile << (a * four))
                self.extra += self.lines(here, there, direction) - before

            def lines(self, here, there, direction):
                if direction == 0 or direction == 3:
                    a, b = here // u64(width), there // u64(width)
                    first = in_row[(a << u64(16)) | ((self.tiles >> (a * row_bits)) & row_mask)]
                    return i64(first) + i64(in_row[(b << u64(16)) | ((self.tiles >> (b * row_bits)) & row_mask)])
                a, b = here % u64(width), there % u64(width)
                first = in_column[(a << u64(16)) | ((self.turned >> (a * column_bits)) & column_mask)]
                return i64(first) + i64(in_column[(b << u64(16)) | ((self.turned >> (b * column_bits)) & column_mask)])

            def estimate(self):
                return i64(self.distance) + i64(self.extra)

        elif has_patterns:

            def play(self, direction):
                here = u64(self.blank)
                there = u64(i64(self.blank) + step[direction])
                tile = (self.tiles >> (there * four)) & nibble
                before = self.beyond(tile)
                self.slide(direction)
                self.where ^= ((here ^ there) << (tile * four)) | (here ^ there)  # the tile and the blank change places
                self.extra += 2 * (self.beyond(tile) - before)

            def beyond(self, tile):
                # Half of what the database of the tile's group says beyond the distance of its tiles; two entries share a byte.
                if tile < u64(6):
                    index = (self.where >> u64(4)) & u64(0xFFFFF)
                    pair = u64(low[index >> u64(1)])
                elif tile < u64(11):
                    index = (self.where >> u64(24)) & u64(0xFFFFF)
                    pair = u64(middle[index >> u64(1)])
                else:
                    index = (self.where >> u64(44)) & u64(0xFFFFF)
                    pair = u64(high[index >> u64(1)])
                return i64((pair >> ((index & u64(1)) * four)) & nibble)

            def estimate(self):
                return i64(self.distance) + i64(self.extra)

        else:

            def play(self, direction):
                self.slide(direction)

            def estimate(self):
                return i64(self.distance)

        def redundant(self, previous, direction):
            return previous + direction == 3  # it takes the last slide back

        def utility(self, player):
            return 1 if self.distance == 0 else 0

        def key(self):
            return mix(self.tiles)

        # -------------------------------------------- notation: the tiles row by row, 0 for the blank; 5 slides tile 5
        def task(self):
            return "Slide a tile into the gap beside it."

        def text(self):
            return " ".join(map(str, tiles_of(self)))

        def parse(self, text):
            words = text.replace("/", " ").replace(",", " ").split()
            tiles = [int(word) if word.isascii() and word.isdigit() and len(word) < 3 else -1 for word in words]
            if sorted(tiles) != list(range(cells)):
                raise ValueError(f"expected each number from 0 to {cells - 1} once, row by row, such as {' '.join(map(str, goal))}")
            put(self, tiles)

        def valid(self):
            tiles = tiles_of(self)
            if is_reachable(tiles, goal, width):
                return None
            other = "last" if blank == "first" else "first"
            fits = is_reachable(tiles, goals[other], width)
            return f"no slides lead from it to {' '.join(map(str, goal))}" + (f": give blank={other}" if fits else "")

        def action_text(self, direction):
            return str(tiles_of(self)[int(self.blank) + int(step[direction])])

        # -------------------------------------------- picture: a click on a tile slides it
        def picture(self):
            tiles = tiles_of(self)
            rows = [tiles[row * width : (row + 1) * width] for row in range(height)]
            here = int(self.blank)
            return Picture(
                cells=tuple(tuple(Cell(str(tile), "number") if tile else Cell(" ") for tile in row) for row in rows),
                touches={int(d): (divmod(here + int(step[d]), width),) for d in way[4 * here : 4 * here + ways[here]]},
            )

    return FifteenPuzzle


def conflict_table(places, length):
    """For each line and each pattern of tiles in it (16 bits), the extra slides; `places[line][tile]` is a tile's place there."""
    values = np.zeros(5**length, np.uint8)
    for number, order in enumerate(itertools.product((None, 0, 1, 2, 3), repeat=length)):
        own = [place for place in order if place is not None]
        values[number] = line_conflicts(order) if len(set(own)) == len(own) else 0
    table = np.zeros((len(places), 65536), np.uint8)
    patterns = np.arange(16**length)
    for line, place in enumerate(places):
        code = np.zeros(16, np.int64)
        code[: len(place)] = [0 if p is None else p + 1 for p in place]
        number = np.zeros(16**length, np.int64)
        for cell in range(length):
            number = number * 5 + code[patterns >> 4 * cell & 15]
        table[line, : 16**length] = values[number]
    return table.reshape(-1)


@functools.cache
def pattern_databases(width, height, goal):
    """The databases of the three groups, from the cache on disk where they are there already."""
    file = cache_folder() / f"patterns-{fingerprint(str((width, height, goal)), make_databases)}.npz"
    kept = read_checked(file)
    if kept is not None:
        return tuple(kept["made"])
    made = make_databases(width, height, goal)
    with contextlib.suppress(BadValue):  # a cache that cannot be written costs time only
        write_checked(file, made=made)
    return tuple(made)


def make_databases(width, height, goal):
    """For each group of five tiles (1 to 5, 6 to 10, 11 to 15) and each way they can lie, half of what their own slides are more
    than their distances, two entries a byte. The index has four bits for each tile: its cell.
    """
    cells = len(goal)
    made = []
    for first in (1, 6, 11):
        tiles = [tile for tile in range(first, first + 5) if tile < cells]
        bits = 4 * len(tiles)
        fewest = np.full(1 << bits, 255, np.uint8)
        if tiles:
            start = sum(goal.index(tile) << 4 * place for place, tile in enumerate(tiles)) | goal.index(0) << bits
            seen = np.zeros(1 << bits + 4, np.uint8)
            stacks = np.zeros((2, 1 << bits + 4), np.int32)
            _count_slides(fewest, seen, stacks, start, len(tiles), width, height)
        index = np.arange(1 << bits)
        away = np.zeros(1 << bits, np.int64)
        for place, tile in enumerate(tiles):
            cell, home = index >> 4 * place & 15, goal.index(tile)
            away += abs(cell // width - home // width) + abs(cell % width - home % width)
        extra = np.where(fewest == 255, 0, (fewest - away) // 2)
        table = np.zeros(1 << 19, np.uint8)  # of one size, whatever the group
        halves = extra.astype(np.uint8).reshape(-1, 2) if bits else np.zeros((0, 2), np.uint8)
        table[: len(halves)] = halves[:, 0] | halves[:, 1] << 4
        made.append(table)
    return np.stack(made)


@kernel
def _count_slides(fewest, seen, stacks, start, tiles, width, height):
    """The fewest slides of a group's own tiles from the goal to each way they can lie; other tiles slide for nothing.

    One stack holds what is reached with the slides so far, the other what one slide more reaches.
    """
    bits = 4 * tiles
    mask = (1 << bits) - 1
    now, slides, here_count, next_count = 0, 0, 1, 0
    stacks[0, 0] = start
    while here_count > 0:
        while here_count > 0:
            here_count -= 1
            state = i64(stacks[now, here_count])
            if seen[state]:
                continue
            seen[state] = 1
            lie, blank = state & mask, state >> bits
            if fewest[lie] == 255:
                fewest[lie] = slides
            for direction in range(4):
                row, column = blank // width, blank % width
                if direction == 0:
                    row -= 1
                elif direction == 1:
                    column -= 1
                elif direction == 2:
                    column += 1
                else:
                    row += 1
                if row < 0 or row >= height or column < 0 or column >= width:
                    continue
                cell = row * width + column
                own = -1
                for place in range(tiles):
                    if (lie >> 4 * place) & 15 == cell:
                        own = place
                if own < 0:
                    after = lie | cell << bits
                    if not seen[after]:
                        stacks[now, here_count] = after
                        here_count += 1
                else:
                    after = (lie ^ ((cell ^ blank) << 4 * own)) | cell << bits
                    if not seen[after]:
                        stacks[1 - now, next_count] = after
                        next_count += 1
        now = 1 - now
        here_count, next_count = next_count, 0
        slides += 1
