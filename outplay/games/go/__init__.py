"""Go: surround points, capture what has no liberties. Area scoring, any size to 19x19, the usual ko rules.

Chains are kept incrementally with pseudo-liberties (a liberty counts once for each stone that touches it): their number, their
sum and the sum of their squares tell in a constant number of steps whether a chain is captured or in atari, and where its last
liberty is (Lew, "Library of effective Go routines", 2006).

>>> from outplay.game import load
>>> load("go:size=5").start().play("C3 C4 pass").text()
'...../..o../..x../...../..... o - 1 3 -'
"""

import numpy as np

from outplay.games.go import notation
from outplay.games.go.bits import LARGEST, bit_rules
from outplay.games.go.patterns import BLACK, BORDER, EMPTY, WHITE, matching
from outplay.jit import Array, below, f32, i8, i16, i32, i64, mix, u64
from outplay.rules import game


@game(
    "go",
    size=range(2, 20),
    komi=(-400.0, 400.0),
    ko=("simple", "positional", "situational"),
    suicide=(False, True),
    policy=("light", "patterns"),
)
def go(size=9, komi=7.5, ko="simple", suicide=False, policy="patterns"):
    """Surround more of the board than the other; two passes end the game (and so do three moves a point).

    Goal: at the end, hold more points of the board than the other: those your stones stand on, and those that only they
      surround.
    Moves: in turn, place a stone on an empty point, or pass. Black begins.
    Taking: stones that hang together along lines and have no empty point beside them any more are taken off.
    Ko: a single stone that took a single one may not be retaken at once (`ko` has stricter rules); a move that takes one's
      own stones off is not allowed unless `suicide=yes`.
    End: two passes in a row. All stones on the board count as alive, so take dead ones off first; White gets `komi` points on
      top.

    `size`: Lines of the board: 9 for a short game, 19 for a whole one.
    `komi`: Points that White gets for moving second.
    `ko`: simple: no retaking at once; positional: no board comes twice; situational: not with the same player to move.
    `suicide`: Whether a move may take one's own stones off.
    `policy`: How searches play a game out at random: light any move, patterns good shapes first.
    """
    if policy == "light" and size <= LARGEST and ko == "simple" and not suicide:
        return bit_rules(size, komi)
    points = size * size
    wide = size + 1  # one border column serves both sides
    cells = wide * (size + 2) + 1
    cell_type = i8 if cells <= 127 else i16  # a small board in less memory: of what lies near, a GPU has little for each game
    longest = 3 * points
    superko = ko != "simple"
    situational = ko == "situational"
    plays_patterns = policy == "patterns"
    where = np.array([(point // size + 1) * wide + point % size + 1 for point in range(points)], np.int64)
    what = np.full(cells, -1, np.int64)
    what[where] = np.arange(points)
    around = (-wide, -1, 1, wide)
    diagonal = (-wide - 1, -wide + 1, wide - 1, wide + 1)
    ring = np.array([-wide - 1, -wide, -wide + 1, -1, 1, wide - 1, wide, wide + 1], np.int64)  # in reading order, like patterns
    patterns = matching()
    line = np.full(cells, -1, np.int8)  # how far a cell lies from the edge; the edge itself is 0
    line[where] = [min(point // size, point % size, size - 1 - point // size, size - 1 - point % size) for point in range(points)]
    with np.errstate(over="ignore"):
        zobrist = np.array([[mix(u64(0x9E3779B97F4A7C15) * u64(3 * cell + color)) for color in range(3)] for cell in range(cells)])
    white_moves = u64(0x6A09E667F3BCC909)

    class Go:
        """Surround more of the board than the other; two passes end the game (and so do three moves a point)."""

        most_actions = points + 1
        plane_shape = (6, size, size)
        target_count = points
        seat_names = ("Black", "White")

        # -------------------------------------------- rules
        # An action is size * row + column from the top left, or `points` for a pass.
        color: Array[i8, cells]
        chain: Array[cell_type, cells]  # the cell that names a stone's chain; the next six are kept at that cell
        link: Array[cell_type, cells]  # the next stone of the chain, in a ring
        stones: Array[cell_type, cells]
        liberties: Array[i16, cells]  # pseudo-liberties, their sum and the sum of their squares
        sums: Array[i32, cells]
        squares: Array[i32, cells]
        empties: Array[cell_type, points]  # the empty cells in any order, and where each stands in that list
        slot: Array[cell_type, cells]
        reach: Array[i8, cells]  # scratch of the scoring, zero otherwise
        board_key: u64
        komi: f32  # a field, so that another komi needs no compiling
        free: i16  # how many empty cells
        forbidden: i16  # the cell of a simple ko, else 0
        last: i16  # the cell played last, 0 for none or a pass
        plies: i16
        passes: i8
        turn: i8
        if superko:
            history: Array[u64, longest + 1]  # the keys of all boards so far

        def start(self):
            for cell in range(cells):
                self.color[cell] = BORDER
            for point in range(points):
                cell = where[point]
                self.color[cell] = EMPTY
                self.empties[point] = cell
                self.slot[cell] = point
            self.free = points
            self.komi = komi

        def touch(self, cell, liberty, sign):
            head = self.chain[cell]
            self.liberties[head] += i16(sign)
            self.sums[head] += i32(sign * liberty)
            self.squares[head] += i32(sign * liberty * liberty)

        def in_atari(self, head):
            total = i64(self.sums[head])
            return i64(self.liberties[head]) * i64(self.squares[head]) == total * total

        def put(self, cell, color):
            """Set a stone and join it with its neighbours; captures are the caller's."""
            self.color[cell] = color
            self.board_key ^= zobrist[cell, color]
            self.free -= i16(1)
            moved = self.empties[self.free]
            place = self.slot[cell]
            self.empties[place] = moved
            self.slot[moved] = place
            self.chain[cell] = cell
            self.link[cell] = cell
            self.stones[cell] = 1
            count, total, square = 0, 0, 0
            for step in around:
                near = cell + step
                kind = self.color[near]
                if kind == EMPTY:
                    count += 1
                    total += near
                    square += near * near
                elif kind != BORDER:
                    self.touch(near, cell, -1)
            self.liberties[cell] = count
            self.sums[cell] = total
            self.squares[cell] = square
            for step in around:
                near = cell + step
                if self.color[near] == color and self.chain[near] != self.chain[cell]:
                    self.join(self.chain[near], self.chain[cell])

        def join(self, one, other):
            """Make two chains one, under the name of the larger."""
            large, small = one, other
            if self.stones[one] < self.stones[other]:
                large, small = other, one
            self.stones[large] += self.stones[small]
            self.liberties[large] += self.liberties[small]
            self.sums[large] += self.sums[small]
            self.squares[large] += self.squares[small]
            stone = i64(small)
            while True:
                self.chain[stone] = large
                stone = i64(self.link[stone])
                if stone == small:
                    break
            one_next = self.link[large]
            self.link[large] = self.link[small]
            self.link[small] = one_next

        def remove(self, head):
            """Take a chain off the board; returns how many stones."""
            count = 0
            stone = i64(head)
            while True:
                self.board_key ^= zobrist[stone, self.color[stone]]
                self.color[stone] = EMPTY
                self.empties[self.free] = stone
                self.slot[stone] = self.free
                self.free += i16(1)
                count += 1
                stone = i64(self.link[stone])
                if stone == head:
                    break
            while True:
                for step in around:
                    near = stone + step
                    if self.color[near] == BLACK or self.color[near] == WHITE:
                        self.touch(near, stone, 1)
                stone = i64(self.link[stone])
                if stone == head:
                    break
            return count

        def allows(self, cell):
            """Whether the player to move may play on an empty cell."""
            if cell == self.forbidden:
                return False
            mine = self.turn + 1
            lives = False
            grows = False
            for step in around:
                near = cell + step
                kind = self.color[near]
                if kind == EMPTY:
                    lives = True
                elif kind == mine:
                    grows = True
                    if not self.in_atari(self.chain[near]):
                        lives = True
                elif kind != BORDER and self.in_atari(self.chain[near]):
                    lives = True
            if not lives and not (suicide and grows):
                return False
            if superko:
                return not self.repeats(cell, lives)
            return True

        def repeats(self, cell, lives):
            """Whether playing here brings back an earlier board (with the same player to move, in situational superko)."""
            if not superko:
                return False
            mine = self.turn + 1
            key = self.board_key ^ zobrist[cell, mine]
            seen_0, seen_1, seen_2 = i16(0), i16(0), i16(0)
            for step in around:
                near = cell + step
                kind = self.color[near]
                if kind in (EMPTY, BORDER):
                    continue
                head = self.chain[near]
                if head in (seen_0, seen_1, seen_2):
                    continue
                if (lives and kind != mine and self.in_atari(head)) or (not lives and kind == mine):
                    stone = i64(head)
                    while True:
                        key ^= zobrist[stone, kind]
                        stone = i64(self.link[stone])
                        if stone == head:
                            break
                seen_2 = seen_1
                seen_1 = seen_0
                seen_0 = head
            if not lives:
                key ^= zobrist[cell, mine]
            if situational and self.turn == 0:
                key ^= white_moves
            for ply in range(self.plies + 1):
                if self.history[ply] == key:
                    return True
            return False

        def is_terminal(self):
            return self.passes >= 2 or self.plies >= longest

        def actions(self, out):
            if self.passes >= 2 or self.plies >= longest:
                return 0
            count = 0
            for point in range(points):
                cell = where[point]
                if self.color[cell] == EMPTY and self.allows(cell):
                    out[count] = point
                    count += 1
            out[count] = points
            return count + 1

        def play(self, action):
            if action == points:
                self.passes += i8(1)
                self.forbidden = 0
                self.last = 0
            else:
                self.place(where[action])
                self.passes = 0
            self.turn = 1 - self.turn
            self.plies += i16(1)
            if superko:
                self.remember()

        def remember(self):
            if superko:
                key = self.board_key
                if situational and self.turn == 1:
                    key ^= white_moves
                self.history[self.plies] = key

        def place(self, cell):
            """Play a stone of the player to move: set it, take what it captures, note a ko."""
            mine = i8(self.turn + 1)
            self.put(cell, mine)
            taken = 0
            captured = i16(0)
            for step in around:
                near = cell + step
                if self.color[near] == 3 - mine and self.liberties[self.chain[near]] == 0:
                    captured = i16(near)
                    taken += self.remove(self.chain[near])
            head = self.chain[cell]
            self.forbidden = 0
            if taken == 1 and self.stones[head] == 1 and self.liberties[head] == 1:
                self.forbidden = captured
            if suicide and self.liberties[head] == 0:
                self.remove(head)
            self.last = cell

        def spread(self):
            """Mark each empty cell by the colours that its region touches; `reach` must be zeroed again."""
            changed = True
            while changed:
                changed = False
                for index in range(self.free):
                    cell = self.empties[index]
                    seen = self.reach[cell]
                    for step in around:
                        kind = self.color[cell + step]
                        if kind == EMPTY:
                            seen |= self.reach[cell + step]
                        elif kind != BORDER:
                            seen |= kind
                    if seen != self.reach[cell]:
                        self.reach[cell] = seen
                        changed = True

        def owners(self, totals):
            """Add 1 for each point that is black's area and -1 for white's."""
            self.spread()
            for point in range(points):
                cell = where[point]
                kind = self.color[cell]
                if kind == EMPTY:
                    kind = self.reach[cell]
                    self.reach[cell] = 0
                if kind == BLACK:
                    totals[point] += 1
                elif kind == WHITE:
                    totals[point] -= 1

        def score(self):
            """Black's area less White's, before komi: stones, and empty regions that touch one colour only."""
            balance = 0
            self.spread()
            for index in range(self.free):
                cell = self.empties[index]
                if self.reach[cell] == BLACK:
                    balance += 1
                elif self.reach[cell] == WHITE:
                    balance -= 1
                self.reach[cell] = 0
            for point in range(points):
                kind = self.color[where[point]]
                if kind == BLACK:
                    balance += 1
                elif kind == WHITE:
                    balance -= 1
            return balance

        def utility(self, player):
            margin = self.score() - self.komi
            value = 1 if margin > 0.0 else -1 if margin < 0.0 else 0
            return value if player == 0 else -value

        def key(self):
            word = self.board_key ^ mix(u64(self.forbidden) * u64(8) + u64(self.passes) * u64(2) + u64(self.turn) + u64(1))
            return word ^ mix(u64(self.plies) + u64(1) << u64(32))  # the number of moves is limited, so it is part of the position

        # -------------------------------------------- playouts
        # Never fill an own eye; by the policy "patterns", first answer the last move: capture, save, or play by a 3x3 pattern.
        def is_eye(self, cell):
            mine = self.turn + 1
            for step in around:
                kind = self.color[cell + step]
                if kind != mine and kind != BORDER:
                    return False
            against, edge = 0, 0
            for step in diagonal:
                kind = self.color[cell + step]
                if kind == BORDER:
                    edge = 1
                elif kind == 3 - mine:
                    against += 1
            return against + edge < 2

        def prospect(self, cell):
            """What a stone here would come to: 1 for two liberties or more, less the stones in self-atari, 0 for suicide."""
            mine = self.turn + 1
            count, total, square, stones = 0, 0, 0, 1
            seen_0, seen_1, seen_2 = i16(0), i16(0), i16(0)
            for step in around:
                near = cell + step
                kind = self.color[near]
                if kind == EMPTY:
                    count += 1
                    total += near
                    square += near * near
                elif kind == mine:
                    count -= 1
                    total -= cell
                    square -= cell * cell
                    head = self.chain[near]
                    if head not in (seen_0, seen_1, seen_2):
                        count += self.liberties[head]
                        total += self.sums[head]
                        square += self.squares[head]
                        stones += self.stones[head]
                        seen_2 = seen_1
                        seen_1 = seen_0
                        seen_0 = head
                elif kind != BORDER and self.in_atari(self.chain[near]):
                    count += 1
                    total += near
                    square += near * near
            if count == 0:
                return 0
            return -stones if count * square == total * total else 1

        def may(self, cell):
            """Whether ko and superko let an empty cell be played."""
            if superko:
                return self.allows(cell)
            return cell != self.forbidden

        def last_liberty(self, head):
            return i64(self.sums[head]) // i64(self.liberties[head])

        def rescue(self, head):
            """A cell that saves the own chain in atari: by capture of a neighbour, or by an extension to two liberties; else 0."""
            stone = i64(head)
            while True:
                for step in around:
                    near = stone + step
                    if self.color[near] == 2 - self.turn and self.in_atari(self.chain[near]):
                        cell = self.last_liberty(self.chain[near])
                        if self.may(cell):
                            return cell
                stone = i64(self.link[stone])
                if stone == head:
                    break
            cell = self.last_liberty(head)
            if self.prospect(cell) == 1 and self.may(cell):
                return cell
            return 0

        def tactic(self):
            """A cell that takes the last stone or saves what it put in atari, or 0."""
            last = i64(self.last)
            head = self.chain[last]
            if self.in_atari(head):
                cell = self.last_liberty(head)
                if self.prospect(cell) != 0 and self.may(cell):
                    return cell
            for step in around:
                near = last + step
                if self.color[near] == self.turn + 1 and self.in_atari(self.chain[near]):
                    cell = self.rescue(self.chain[near])
                    if cell != 0:
                        return cell
            return 0

        def fits_pattern(self, cell):
            code = u64(0)
            for place in range(8):
                code |= u64(self.color[cell + ring[place]]) << u64(2 * place)
            return (patterns[self.turn, code >> u64(6)] >> (code & u64(63))) & u64(1) != u64(0)

        def shape(self, source):
            """A cell next to the last move that fits a pattern, or 0."""
            begin = below(source, 8)
            for place in range(8):
                cell = i64(self.last + ring[(begin + place) & 7])
                if self.color[cell] == EMPTY and self.fits_pattern(cell) and self.prospect(cell) == 1 and self.may(cell):
                    return cell
            return 0

        def choose(self, out, source):
            if self.passes >= 2 or self.plies >= longest:
                return -1
            if plays_patterns and self.last != 0 and self.color[self.last] != EMPTY:
                cell = self.tactic()
                if cell == 0:
                    cell = self.shape(source)
                if cell != 0:
                    return what[cell]
            free = i64(self.free)
            if free > 0:
                index = below(source, free)
                for _ in range(free):
                    cell = i64(self.empties[index])
                    if not self.is_eye(cell):
                        if plays_patterns:
                            prospect = self.prospect(cell)
                            if (prospect == 1 or (prospect < 0 and below(source, 16) < 2 - prospect)) and self.may(cell):
                                return what[cell]
                        elif self.allows(cell):
                            return what[cell]
                    index += 1
                    if index == free:
                        index = 0
            return points

        # -------------------------------------------- what an action looks like before it is tried
        def prior(self, action):
            """Virtual games, won and all: by captures, ataris, patterns, the distance to the last move and to the edge."""
            won, lost = 5.0, 5.0
            if action == points:
                return 2.0, 10.0
            cell = where[action]
            if self.is_eye(cell):
                return 1.0, 40.0
            prospect = self.prospect(cell)
            if prospect < 0:
                lost += 10.0 if prospect == -1 else 20.0
            mine = self.turn + 1
            for step in around:
                near = cell + step
                kind = self.color[near]
                if kind != EMPTY and kind != BORDER and self.in_atari(self.chain[near]):
                    if kind != mine:
                        won += 30.0 if self.stones[self.chain[near]] > 1 else 15.0
                    elif prospect == 1:
                        won += 15.0
            if prospect == 1 and self.fits_pattern(cell):
                won += 10.0
            if self.last != 0:
                here, there = what[cell], what[self.last]
                down, across = abs(here // size - there // size), abs(here % size - there % size)
                distance = down + across + max(down, across)
                if distance <= 3:
                    won += 16.0
                elif distance <= 5:
                    won += 8.0
            if line[cell] < 2 and self.is_lonely(cell):
                lost += 10.0
            elif line[cell] >= 2 and self.is_lonely(cell):
                won += 6.0
            return won, won + lost

        def is_lonely(self, cell):
            for place in range(8):
                kind = self.color[cell + ring[place]]
                if kind in (BLACK, WHITE):
                    return False
            return True

        def planes(self, player, out):
            """Own stones, the other's, the point that ko forbids, the last move, and ones: after a pass, and where one is black."""
            for point in range(points):
                kind = self.color[where[point]]
                row, column = point // size, point % size
                out[0, row, column] = f32(1 if kind == player + 1 else 0)
                out[1, row, column] = f32(1 if kind == 2 - player else 0)
                out[2, row, column] = f32(1 if self.forbidden == where[point] else 0)
                out[3, row, column] = f32(1 if self.last == where[point] else 0)
                out[4, row, column] = f32(1 if self.passes > 0 else 0)
                out[5, row, column] = f32(1 - player)

        def targets(self, out):
            self.owners(out)

        # -------------------------------------------- notation and picture
        def identity(self):
            seen = (self.color.tobytes(), int(self.forbidden), int(self.plies), int(self.passes), int(self.turn), int(self.last))
            return (*seen, self.history[: self.plies + 1].tobytes()) if superko else seen

        def stone_at(self, point):
            return int(self.color[where[point]])

        def set_stone(self, point, color):
            self.put(where[point], color)

        def has_liberty(self, point):
            return self.liberties[self.chain[where[point]]] > 0

        text, parse, valid, picture = notation.text, notation.parse, notation.valid, notation.picture
        action_text, ending_text, name, cell = notation.action_text, notation.ending_text, notation.name, notation.cell

    Go.where, Go.what = where, what  # for the notation
    return Go
