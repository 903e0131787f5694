"""Connect four (Howard Wexler and Ned Strongin, 1974): drop discs into columns; a line of four wins. First solved in 1988.

>>> from outplay.game import load
>>> load("connect four").start().play("4 4 3").text()
'......./......./......./......./...o.../..xx... o'
"""

from outplay.errors import BadValue
from outplay.games._lines import has_four
from outplay.jit import below, f32, i8, lowest, popcount, u64
from outplay.picture import Cell, Picture, line_of
from outplay.rules import game


def doublings(length):
    """By how much to shift runs of one to get runs of that length: each step adds to what is there, at most doubling it.

    >>> doublings(4), doublings(5), doublings(3)
    ([1, 2], [1, 2, 1], [1, 1])
    """
    steps, reached = [], 1
    while reached < length:
        steps.append(min(reached, length - reached))
        reached += steps[-1]
    return steps


@game("connect four", width=range(1, 10), height=range(1, 9), line=range(2, 10))
def connect_four(width=7, height=6, line=4):
    """Drop discs into columns in turn; a line of four in any direction wins.

    Goal: four of your discs in a line: across, upright or diagonal.
    Moves: in turn, choose a column; the disc falls to its lowest free cell.
    Special: a disc also makes room for the next one on top of it, so look at what you open for the other.
    End: a full board without a line is a draw. `width`, `height` and `line` make other boards.

    `width`: Columns of the board.
    `height`: Rows of the board.
    `line`: Discs in a line that win.
    """
    if width * (height + 1) > 64:
        raise BadValue(f"connect four: width * (height + 1) must be at most 64, got {width} * {height + 1}")

    # Bit (height + 1) * column + row; the empty bit on top of each column keeps lines from running on into the next one.
    tall = height + 1
    bottom = u64(sum(1 << tall * column for column in range(width)))
    board = u64(int(bottom) * ((1 << height) - 1))
    middle_first = tuple(sorted(range(width), key=lambda column: abs(2 * column - width + 1)))
    shifts = (u64(1), u64(tall), u64(tall - 1), u64(tall + 1))
    strides = tuple(u64(stride) for stride in doublings(line))
    mirrored = tuple((u64(tall * column), u64(tall * (width - 1 - column))) for column in range(width))
    one_column = u64((1 << tall) - 1)
    one, distance = u64(1), u64(tall)
    zero, three = u64(0), u64(3)
    lower = u64(sum(int(bottom) << row for row in range(height % 2, height, 2)))  # of each pair, when pairs are left
    odd_left = u64(sum(int(bottom) << row for row in range(1 - height % 2, tall, 2)))  # where a column's filling stops then

    class ConnectFour:
        """Drop discs into columns in turn; a line of four in any direction wins."""

        seat_names = ("Red", "Yellow")
        most_actions = width
        symmetries = 2  # a mirror
        plane_shape = (2, height, width)

        # -------------------------------------------- rules
        mine: u64  # discs of the player to move
        full: u64  # all discs
        turn: i8

        def has_line(self, discs):
            if line == 4:
                return has_four(discs, distance)
            # `run` marks the ends of runs; one shift by `further` instead of by 1 and 1 again doubles their length.
            found = zero
            for shift in shifts:
                run = discs
                for further in strides:
                    run &= run >> (shift * further)
                found |= run
            return found != zero

        def lost(self):
            return self.has_line(self.mine ^ self.full)

        def is_terminal(self):
            return self.full == board or self.lost()

        def actions(self, out):
            if self.lost():
                return 0
            free = (self.full + bottom) & board
            count = 0
            for column in middle_first:  # without a branch: a random game would mispredict it
                out[count] = column
                count += (free & (one_column << u64(tall * column))) != zero
            return count

        def play(self, column):
            full = self.full
            self.mine = self.mine ^ full
            self.full = full | (full + (one << u64(tall * column)))
            self.turn = 1 - self.turn

        def choose(self, out, source):
            free = (self.full + bottom) & board
            if free == zero or self.lost():
                return -1
            while True:  # a full column is drawn again: seldom, and cheaper than listing
                column = below(source, width)
                if free & (one_column << u64(tall * column)) != zero:
                    return column

        def utility(self, player):
            if not self.lost():
                return 0
            return -1 if player == self.turn else 1

        def key(self):
            # Of a column's discs and its lowest empty cell, one bit more than the top disc is set: the position in one word.
            return self.mine + self.full + bottom

        def transform(self, symmetry):
            if symmetry == 1:
                mine, full = zero, zero
                for left, right in mirrored:
                    mine |= ((self.mine >> left) & one_column) << right
                    full |= ((self.full >> left) & one_column) << right
                self.mine, self.full = mine, full

        def transform_action(self, symmetry, column):
            return width - 1 - column if symmetry == 1 else column

        def canonical(self):
            before = self.mine + self.full
            self.transform(1)
            if self.mine + self.full < before:
                return 1
            self.transform(1)
            return 0

        def planes(self, player, out):
            """The player's own discs, and the other's."""
            mine = self.mine if player == self.turn else self.mine ^ self.full
            for row in range(height):
                for column in range(width):
                    bit = u64(tall * column + row)
                    here = mine >> bit & one
                    out[0, row, column] = f32(here)
                    out[1, row, column] = f32((self.full >> bit & one) - here)

        def threats(self, discs):
            """The empty cells, near or far, that would complete a line of these discs."""
            spots = zero
            for shift in shifts:
                if line == 4:  # the pairs on each side of the gap, shared between the lines that have it
                    pair = (discs << shift) & (discs << (shift + shift))
                    spots |= pair & ((discs << (shift * three)) | (discs >> shift))
                    pair = (discs >> shift) & (discs >> (shift + shift))
                    spots |= pair & ((discs >> (shift * three)) | (discs << shift))
                else:
                    for gap in range(line):
                        cells = board
                        for other in range(line):
                            if other < gap:
                                cells &= discs << (shift * u64(gap - other))
                            elif other > gap:
                                cells &= discs >> (shift * u64(other - gap))
                        spots |= cells
            return spots & (board ^ self.full)

        def order(self, column):
            # The more places a disc here leaves for winning, the better (Pascal Pons, 2015).
            return popcount(self.threats(self.mine | ((self.full + (one << u64(tall * column))) & ~self.full)))

        def safe(self):
            """The cells to fill next that leave no win at once; none: all lose alike."""
            free = (self.full + bottom) & board
            danger = self.threats(self.mine ^ self.full)
            forced = free & danger
            if forced != zero:
                free = forced if forced & (forced - one) == zero else zero
            return free & ~(danger >> one)

        def solving(self, out):
            # A win at once, else a forced answer, else nothing that lets the other side win on top of it.
            free = (self.full + bottom) & board
            if free == zero or self.lost():
                return 0, -1 if self.lost() else 0, 0
            wins = free & self.threats(self.mine)
            chosen = wins if wins != zero else self.safe()
            if chosen == zero or wins != zero:
                out[0] = lowest(wins if wins != zero else free) // tall
                return 1, 1 if wins != zero else -1, 1 if wins != zero else -1
            empty = board ^ self.full
            theirs = self.mine ^ self.full
            least = -1 if self.has_line(theirs | empty) else 0
            greatest = 1 if self.has_line(self.mine | empty) else 0
            # Where every column has an even number of cells left, the other side can answer on top ("claimeven", Allis 1988):
            # this side then gets the lower cell of each pair, and no more.
            if (self.full + bottom) & odd_left == zero and not self.has_line(self.mine | (empty & lower)):
                greatest = -1 if self.has_line(theirs | (empty & ~lower)) else 0
            count = 0
            for column in middle_first:
                if chosen & (one_column << u64(tall * column)) != zero:
                    out[count] = column
                    count += 1
            return count, least, greatest

        # -------------------------------------------- notation
        def text(self):
            discs = {(self.turn + 1) % 2: int(self.mine ^ self.full), int(self.turn): int(self.mine)}
            rows = ["".join("x" if discs[0] >> tall * c + r & 1 else "o" if discs[1] >> tall * c + r & 1 else "."
                            for c in range(width)) for r in reversed(range(height))]
            return "/".join(rows) + " " + "xo"[self.turn]

        def parse(self, text):
            board_text, _, turn = text.partition(" ")
            rows = board_text.split("/")
            if len(rows) != height or any(len(r) != width for r in rows) or set(board_text) - set("xo./") or turn not in ("x", "o"):
                raise ValueError(f"expected {height} rows of {width} cells x, o or . and the player to move")
            discs = {"x": 0, "o": 0, ".": 0}
            for r, row in enumerate(reversed(rows)):
                for c, cell in enumerate(row):
                    discs[cell] |= 1 << tall * c + r
            self.turn = "xo".index(turn)
            self.mine, self.full = discs[turn], discs["x"] | discs["o"]

        def valid(self):
            full = int(self.full)
            if any((column := full >> tall * c & int(one_column)) & (column + 1) for c in range(width)):
                return "a disc hangs in the air"
            mine, other = int(self.mine).bit_count(), (full ^ int(self.mine)).bit_count()
            if other - mine != self.turn:
                return f"{'xo'[self.turn]} cannot be to move with {mine} discs against {other}"
            if self.has_line(self.mine):
                return "the game was over before the last move"
            return None

        def action_text(self, column):
            return str(column + 1)

        def ending_text(self):
            return f"{line} in a line" if self.lost() else "the board is full"

        # -------------------------------------------- picture
        def picture(self):
            rows = self.text().split(" ")[0].split("/")
            disc = {"x": Cell("x", "disc", 0), "o": Cell("o", "disc", 1), ".": Cell()}
            heights = [popcount(self.full >> u64(tall * c) & one_column) for c in range(width)]
            cells = tuple(tuple(disc[cell] for cell in row) for row in rows)
            return Picture(
                cells=cells,
                surface="holes",
                marks=dict.fromkeys(line_of(cells, line), "line"),
                columns=tuple(str(c + 1) for c in range(width)),
                touches={c: ((height - 1 - h, c),) for c, h in enumerate(heights) if h < height},
            )

    return ConnectFour
