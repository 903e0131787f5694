"""Go on bitboards, for light playouts on boards up to 9x9: the whole position in 40 bytes, which a GPU keeps in registers.

A board is two words, of 64 bits and of 32. Rows stand in stretches of size + 1 bits, of which the last is never set, so that a
shift by one never runs into the next row; the first word begins with bit 1 and holds as many rows as fit, the second holds the
others. Chains are not kept: whoever has no liberty is found by spreading from the empty points through one colour until nothing
changes, which mostly takes a step or two.

The threads of a GPU run in step, so that each move takes as long as the slowest of 32 games needs: near its end, where most of the
empty points left are the other's eyes. Those are sifted out together instead of being looked at one after the other.

>>> from outplay.game import load
>>> load("go:size=5,policy=light").start().play("C3 C4 pass").text()
'...../..o../..x../...../..... o - 1 3 -'
"""

import numpy as np

from outplay.games._grid import twins
from outplay.games.go import notation
from outplay.jit import below, f32, i8, i16, i64, lowest, mix, popcount, u32, u64

LARGEST = 9


def bit_rules(size, komi):
    """The rules class: area scoring, simple ko, no suicide, playouts that avoid nothing but own eyes."""
    points = size * size
    longest = 3 * points
    wide = size + 1
    in_first = min(size, 63 // wide)  # rows in the first word
    rows_and_columns = [divmod(point, size) for point in range(points)]
    where_bits = [(64 if r >= in_first else 0) + 1 + wide * (r % in_first) + c for r, c in rows_and_columns]
    board_0 = u64(sum(1 << bit for bit in where_bits if bit < 64))
    board_1 = u64(sum(1 << bit - 64 for bit in where_bits if bit >= 64))
    edges = [bit for bit, (r, c) in zip(where_bits, rows_and_columns, strict=True) if {r, c} & {0, size - 1}]
    edge_0 = u64(sum(1 << bit for bit in edges if bit < 64))
    edge_1 = u64(sum(1 << bit - 64 for bit in edges if bit >= 64))
    halves = [bit for bit, (r, c) in zip(where_bits, rows_and_columns, strict=True) if (r + c) % 4 < 2]  # parts most eyes
    half_0 = u64(sum(1 << bit for bit in halves if bit < 64))
    half_1 = u64(sum(1 << bit - 64 for bit in halves if bit >= 64))
    places = np.array(where_bits, np.int64)
    points_of = np.full(128, -1, np.int64)
    points_of[places] = np.arange(points)
    turns = twins(size, size)
    none, nil, one, low_half = u64(0), u32(0), u64(1), u64(0xFFFFFFFF)
    row, seam = u64(wide), u64(wide * (in_first - 1))  # the seam: from the last row to the next word
    left, right, seam_left, seam_right = row - one, row + one, seam - one, seam + one

    class Go:
        """Surround more of the board than the other; two passes end the game (and so do three moves a point)."""

        most_actions = points + 1
        seat_names = ("Black", "White")
        plane_shape = (6, size, size)
        target_count = points
        symmetries = 8
        where, what = places, points_of

        # -------------------------------------------- rules
        mine_0: u64  # stones of the player to move
        theirs_0: u64
        mine_1: u32
        theirs_1: u32
        komi: f32  # a field, so that another komi needs no compiling
        forbidden: i16  # the place of a simple ko, else 0
        last: i16  # the place played last, 0 for none or a pass
        plies: i16
        passes: i8
        turn: i8

        def start(self):
            self.komi = komi

        def near_0(self, a, b):
            """The first word of all points next to some of these, and bits off the board, which the caller strips."""
            return a << one | a >> one | a << row | a >> row | b << seam

        def near_1(self, a, b):
            return u32(b << one | b >> one | b << row | b >> row | a >> seam)

        def spread(self, a, b, through_0, through_1):
            """Spread from some of these points to more of them: one to the left, all the way to the right, then one up and down."""
            a, b = a | (a >> one & through_0), u32(b | (b >> one & through_1))
            a, b = a | (through_0 & ~(through_0 + a)), u32(b | (through_1 & ~(through_1 + b)))  # a carry runs to its end
            c = a | ((a << row | a >> row | b << seam) & through_0)
            d = u32(b | ((b << row | b >> row | a >> seam) & through_1))
            return c, d

        def reached(self, from_0, from_1, through_0, through_1, wanted_0, wanted_1):
            """What is reached by spreading through some points; stops early when all that is wanted is reached."""
            a, b = from_0, from_1
            while (wanted_0 & ~a) | (wanted_1 & ~b) != none:
                c, d = self.spread(a, b, through_0, through_1)
                if c == a and d == b:
                    break
                a, b = c, d
            return a, b

        def taken_by(self, stone_0, stone_1):
            """The enemy stones without a liberty once a stone stands here."""
            them_0, them_1 = self.theirs_0, self.theirs_1
            near_0, near_1 = self.near_0(stone_0, stone_1) & them_0, u32(self.near_1(stone_0, stone_1) & them_1)
            if near_0 | near_1 == none:
                return none, nil
            free_0, free_1 = board_0 & ~(self.mine_0 | them_0 | stone_0), u32(board_1 & ~(self.mine_1 | them_1 | stone_1))
            first_0, first_1 = self.near_0(free_0, free_1) & them_0, u32(self.near_1(free_0, free_1) & them_1)
            safe_0, safe_1 = self.reached(first_0, first_1, them_0, them_1, near_0, near_1)
            if (near_0 & ~safe_0) | (near_1 & ~safe_1) == none:
                return none, nil
            return them_0 & ~safe_0, u32(them_1 & ~safe_1)

        def lives(self, stone_0, stone_1):
            """Whether a stone here, on a point without empty neighbours, has a liberty: its friends' or by a capture."""
            mine_0, mine_1 = self.mine_0, self.mine_1
            free_0, free_1 = board_0 & ~(mine_0 | self.theirs_0 | stone_0), u32(board_1 & ~(mine_1 | self.theirs_1 | stone_1))
            goal_0, goal_1 = self.near_0(free_0, free_1) & mine_0, u32(self.near_1(free_0, free_1) & mine_1)
            a, b = self.near_0(stone_0, stone_1) & mine_0, u32(self.near_1(stone_0, stone_1) & mine_1)
            while a | b != none:
                if (a & goal_0) | (b & goal_1) != none:
                    return True
                c, d = self.spread(a, b, mine_0, mine_1)
                if c == a and d == b:
                    break
                a, b = c, d
            a, b = self.taken_by(stone_0, stone_1)
            return a | b != none

        def is_terminal(self):
            return self.passes >= 2 or self.plies >= longest

        def actions(self, out):
            if self.passes >= 2 or self.plies >= longest:
                return 0
            free_0, free_1 = board_0 & ~(self.mine_0 | self.theirs_0), u32(board_1 & ~(self.mine_1 | self.theirs_1))
            roomy_0, roomy_1 = self.near_0(free_0, free_1), self.near_1(free_0, free_1)
            count = 0
            for word in range(2):
                rest = free_0 if word == 0 else u64(free_1)
                roomy = roomy_0 if word == 0 else u64(roomy_1)
                while rest != none:
                    bit = rest & (none - rest)
                    rest ^= bit
                    place = 64 * word + lowest(bit)
                    stone_0 = bit if word == 0 else none
                    if place != self.forbidden and (bit & roomy != none or self.lives(stone_0, u32(bit ^ stone_0))):
                        out[count] = points_of[place]
                        count += 1
            out[count] = points
            return count + 1

        def play(self, action):
            mine_0, mine_1 = self.mine_0, self.mine_1
            self.forbidden = 0
            self.last = 0
            if action == points:
                self.passes += i8(1)
            else:
                place = places[action]
                stone_0 = one << u64(place) if place < 64 else none
                stone_1 = u32(one << u64(place - 64) if place >= 64 else none)
                taken_0, taken_1 = self.taken_by(stone_0, stone_1)
                self.theirs_0 ^= taken_0
                self.theirs_1 ^= taken_1
                if popcount(taken_0) + popcount(taken_1) == 1:
                    near_0, near_1 = self.near_0(stone_0, stone_1) & board_0, self.near_1(stone_0, stone_1) & board_1
                    alone = (near_0 & mine_0) | (near_1 & mine_1) == none
                    if alone and (near_0 & ~self.theirs_0) == taken_0 and (near_1 & ~self.theirs_1) == taken_1:
                        self.forbidden = i16(lowest(taken_0) if taken_0 != none else 64 + lowest(taken_1))
                mine_0 |= stone_0
                mine_1 = u32(mine_1 | stone_1)
                self.last = i16(place)
                self.passes = 0
            self.mine_0, self.mine_1 = self.theirs_0, self.theirs_1
            self.theirs_0, self.theirs_1 = mine_0, mine_1
            self.turn = 1 - self.turn
            self.plies += i16(1)

        def areas(self):
            """What each player owns: the stones, and empty points that are reached from them and not from the other's."""
            mine_0, mine_1, theirs_0, theirs_1 = self.mine_0, self.mine_1, self.theirs_0, self.theirs_1
            free_0, free_1 = board_0 & ~(mine_0 | theirs_0), u32(board_1 & ~(mine_1 | theirs_1))
            near_0, near_1 = self.near_0(mine_0, mine_1) & free_0, u32(self.near_1(mine_0, mine_1) & free_1)
            my_0, my_1 = self.reached(near_0, near_1, free_0, free_1, free_0, free_1)
            near_0, near_1 = self.near_0(theirs_0, theirs_1) & free_0, u32(self.near_1(theirs_0, theirs_1) & free_1)
            their_0, their_1 = self.reached(near_0, near_1, free_0, free_1, free_0, free_1)
            return (
                mine_0 | (my_0 & ~their_0),
                mine_1 | (my_1 & ~their_1),
                theirs_0 | (their_0 & ~my_0),
                theirs_1 | (their_1 & ~my_1),
            )

        def score(self):
            """Black's area less White's, before komi."""
            my_0, my_1, their_0, their_1 = self.areas()
            balance = popcount(my_0) + popcount(my_1) - popcount(their_0) - popcount(their_1)
            return balance if self.turn == 0 else -balance

        def owners(self, totals):
            """Add 1 for each point that is black's area and -1 for white's."""
            my_0, my_1, their_0, their_1 = self.areas()
            for point in range(points):
                place = u64(places[point])
                word, other = (my_0, their_0) if place < u64(64) else (my_1, their_1)
                if word >> (place & u64(63)) & one != none:
                    totals[point] += 1 - 2 * self.turn
                elif other >> (place & u64(63)) & one != none:
                    totals[point] -= 1 - 2 * self.turn

        def utility(self, player):
            margin = self.score() - self.komi
            value = 1 if margin > 0.0 else -1 if margin < 0.0 else 0
            return value if player == 0 else -value

        def key(self):
            word = mix(self.mine_0 + u64(0x9E3779B97F4A7C15)) ^ mix(self.mine_1 + u64(0xBF58476D1CE4E5B9))
            word = mix(word + self.theirs_0) ^ mix(self.theirs_1 + u64(0x94D049BB133111EB))
            rest = u64(self.plies) << u64(16) | u64(self.forbidden) << u64(8) | u64(self.passes) << u64(4) | u64(self.turn)
            return mix(word + rest)

        # -------------------------------------------- playouts
        def eyes(self, free_0, free_1):
            """Empty points with own stones (or the edge) on all four sides, and too few enemies on the diagonals to break in."""
            not_mine_0, not_mine_1 = free_0 | self.theirs_0, u32(free_1 | self.theirs_1)
            a, b = free_0 & ~self.near_0(not_mine_0, not_mine_1), u32(free_1 & ~self.near_1(not_mine_0, not_mine_1))
            if a | b == none:
                return a, b
            them_0, them_1 = self.theirs_0, self.theirs_1
            nw, ne = them_0 << right, them_0 << left
            sw, se = them_0 >> left | them_1 << seam_right, them_0 >> right | them_1 << seam_left
            broken = (nw & ne) | (sw & se) | ((nw | ne) & (sw | se)) | ((nw | ne | sw | se) & edge_0)
            a &= ~broken
            nw, ne = them_1 << right | them_0 >> seam_left, them_1 << left | them_0 >> seam_right
            sw, se = them_1 >> left, them_1 >> right
            broken = (nw & ne) | (sw & se) | ((nw | ne) & (sw | se)) | ((nw | ne | sw | se) & edge_1)
            return a, u32(b & ~broken)

        def hopeless(self, points_0, points_1, free_0, free_1):
            """Those of some points amid enemy stones where a stone takes nothing: every chain around has a second liberty.

            The empty points are parted into two halves, and a chain that is reached from both has two liberties. One with all its
            liberties in one half, or far away, stays in doubt: a sieve for many points, no proof for each.
            """
            them_0, them_1 = self.theirs_0, self.theirs_1
            wanted_0, wanted_1 = self.near_0(points_0, points_1) & them_0, u32(self.near_1(points_0, points_1) & them_1)
            a, b, c, d = free_0 & half_0, u32(free_1 & half_1), free_0 & ~half_0, u32(free_1 & ~half_1)
            a, b = self.near_0(a, b) & them_0, u32(self.near_1(a, b) & them_1)
            c, d = self.near_0(c, d) & them_0, u32(self.near_1(c, d) & them_1)
            steps = 4  # the longest of 32 games decides, and the last steps find little
            while steps > 0 and (wanted_0 & ~(a & c)) | (wanted_1 & ~(b & d)) != none:
                a, b = self.spread(a, b, them_0, them_1)
                c, d = self.spread(c, d, them_0, them_1)
                steps -= 1
            a, b = wanted_0 & ~(a & c), u32(wanted_1 & ~(b & d))
            return points_0 & ~self.near_0(a, b), u32(points_1 & ~self.near_1(a, b))

        def nth(self, bits, n):
            """The place of the n-th set bit, counted from 0: halves are skipped by their number of bits."""
            count = popcount(bits & low_half)
            above = n >= count
            word, rest, place = u32(bits >> u64(32) if above else bits), u32(n - count if above else n), u32(32 if above else 0)
            width = u32(16)
            for _ in range(5):
                count = u32(popcount(word & ((one << u64(width)) - one)))
                if rest >= count:
                    rest, word, place = u32(rest - count), u32(word >> width), u32(place + width)
                width = u32(width >> one)
            return i64(place)

        def choose(self, out, source):
            if self.passes >= 2 or self.plies >= longest:
                return -1
            free_0, free_1 = board_0 & ~(self.mine_0 | self.theirs_0), u32(board_1 & ~(self.mine_1 | self.theirs_1))
            roomy_0, roomy_1 = self.near_0(free_0, free_1), self.near_1(free_0, free_1)
            eyes_0, eyes_1 = self.eyes(free_0, free_1)
            rest_0, rest_1 = free_0 & ~eyes_0, u32(free_1 & ~eyes_1)
            amid_0 = rest_0 & ~(roomy_0 | self.near_0(self.mine_0, self.mine_1))
            amid_1 = u32(rest_1 & ~(roomy_1 | self.near_1(self.mine_0, self.mine_1)))
            if 3 * (popcount(amid_0) + popcount(amid_1)) > popcount(rest_0) + popcount(rest_1):  # else it is quicker to try one
                amid_0, amid_1 = self.hopeless(amid_0, amid_1, free_0, free_1)
                rest_0, rest_1 = rest_0 & ~amid_0, u32(rest_1 & ~amid_1)
            while True:
                count = popcount(rest_0)
                both = count + popcount(rest_1)
                if both == 0:
                    return points
                pick = below(source, both)
                in_0 = pick < count
                place = self.nth(rest_0 if in_0 else u64(rest_1), pick if in_0 else pick - count)
                stone = one << u64(place)
                stone_0, stone_1 = (stone, nil) if in_0 else (none, u32(stone))
                place = place if in_0 else place + 64
                if place != self.forbidden and (
                    (stone_0 & roomy_0) | (stone_1 & roomy_1) != none or self.lives(stone_0, stone_1)
                ):
                    return points_of[place]
                rest_0, rest_1 = rest_0 & ~stone_0, u32(rest_1 & ~stone_1)

        def planes(self, player, out):
            """Own stones, the other's, the point that ko forbids, the last move, and ones: after a pass, and where one is black."""
            for point in range(points):
                place = u64(places[point])
                my, their = (self.mine_0, self.theirs_0) if place < u64(64) else (self.mine_1, self.theirs_1)
                here, there = my >> (place & u64(63)) & one, their >> (place & u64(63)) & one
                r, c = point // size, point % size
                out[0, r, c] = f32(here if player == self.turn else there)
                out[1, r, c] = f32(there if player == self.turn else here)
                out[2, r, c] = f32(1 if self.forbidden == places[point] else 0)
                out[3, r, c] = f32(1 if self.last == places[point] else 0)
                out[4, r, c] = f32(1 if self.passes > 0 else 0)
                out[5, r, c] = f32(1 - player)

        def targets(self, out):
            self.owners(out)

        def transform(self, symmetry):
            mine_0, theirs_0, mine_1, theirs_1 = none, none, nil, nil
            forbidden, last = i16(0), i16(0)
            for point in range(points):
                place = u64(places[point])
                turned = places[turns[symmetry, point]]
                bit = one << u64(turned & 63)
                my, their = (self.mine_0, self.theirs_0) if place < u64(64) else (u64(self.mine_1), u64(self.theirs_1))
                if my >> (place & u64(63)) & one != none:
                    if turned < 64:
                        mine_0 |= bit
                    else:
                        mine_1 |= u32(bit)
                elif their >> (place & u64(63)) & one != none:
                    if turned < 64:
                        theirs_0 |= bit
                    else:
                        theirs_1 |= u32(bit)
                if self.forbidden == places[point]:
                    forbidden = i16(turned)
                if self.last == places[point]:
                    last = i16(turned)
            self.mine_0, self.theirs_0, self.mine_1, self.theirs_1 = mine_0, theirs_0, mine_1, theirs_1
            self.forbidden, self.last = forbidden, last

        def transform_action(self, symmetry, action):
            return action if action == points else turns[symmetry, action]

        # -------------------------------------------- notation and picture
        def stone_at(self, point):
            place = int(places[point])
            mine, theirs = (self.mine_0, self.theirs_0) if place < 64 else (self.mine_1, self.theirs_1)
            found = int(mine) >> place % 64 & 1 | (int(theirs) >> place % 64 & 1) << 1
            return found if self.turn == 0 else (0, 2, 1)[found]

        def set_stone(self, point, color):
            place = int(places[point])
            field = f"{'mine' if color == self.turn + 1 else 'theirs'}_{place // 64}"
            setattr(self, field, getattr(self, field) | one << u64(place % 64))

        def has_liberty(self, point):
            place, mine = int(places[point]), self.stone_at(point) == self.turn + 1
            own_0, own_1 = (self.mine_0, self.mine_1) if mine else (self.theirs_0, self.theirs_1)
            stone_0, stone_1 = (one << u64(place), nil) if place < 64 else (none, u32(one << u64(place - 64)))
            a, b = self.reached(stone_0, stone_1, own_0, own_1, own_0, own_1)
            free_0, free_1 = board_0 & ~(self.mine_0 | self.theirs_0), board_1 & ~(self.mine_1 | self.theirs_1)
            return bool((self.near_0(a, b) & free_0) | (self.near_1(a, b) & free_1))

        text, parse, valid, picture = notation.text, notation.parse, notation.valid, notation.picture
        action_text, ending_text, name, cell = notation.action_text, notation.ending_text, notation.name, notation.cell

    return Go
