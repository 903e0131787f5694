"""The last empty cells: a search of its own for each number of them, without lists, sorting or a table of positions.

With one empty cell all others are full, so a line is known from one player's discs alone, and what turns on it is looked up. With
up to four, a disc is tried on every empty cell next to one of the other's, which is quicker than finding the legal cells first.

Cells in a quarter of the board with an odd number of empty ones come first: whoever begins there also moves last there (parity).
`stable` finds discs that nothing can turn any more, which bounds what the other player can still reach.
"""

from functools import cache
from types import SimpleNamespace

import numpy as np

from outplay.games.othello.boards import NONE, ONE, STEPS, boards, lines_of, on_board
from outplay.jit import called, i64, lowest, popcount, u64

FEW = 8
"""Up to so many empty cells a position is settled without a table: looking it up would take as long."""


def turned_on_lines():
    """How many discs turn when one is put on the only empty place of a line of eight, by the place and the mover's discs."""
    counts = np.zeros((8, 256), np.uint8)
    for place in range(8):
        for own in range(256):
            for step in (1, -1):
                at = place + step
                while 0 <= at < 8 and not own >> at & 1:
                    at += step
                if 0 <= at < 8:  # the run ends at a disc of one's own
                    counts[place, own] += abs(at - place) - 1
    return counts


@cache
def endings(size):
    """The functions on boards of this size."""
    tools = boards(size)
    counts, lines = turned_on_lines(), lines_of(size)
    near = np.array([sum(1 << size * (row + down) + column + right for down, right in STEPS
                         if 0 <= row + down < size and 0 <= column + right < size)
                     for row in range(size) for column in range(size)], np.uint64)  # fmt: skip
    falls, slants = (lines[:, one] | lines[:, other] for one, other in ((3, 7), (1, 5)))  # the diagonals through a cell
    whole = size == 8
    first_column, to_top, gather = u64(0x0101010101010101), u64(0x0102040810204080), u64(56)
    three, seven, byte = u64(3), u64(7), u64(255)
    board, reach, turned = tools.board, tools.reach, tools.turned
    cells = size * size
    half = size // 2
    quarters = tuple(u64(sum(1 << size * (row + r) + column + c for r in range(half) for c in range(half)))
                     for row in (0, half) for column in (0, half))
    one, zero = ONE, NONE

    def final(mine, theirs):
        """Discs of the one less those of the other; empty cells go to the winner."""
        own, other = popcount(mine), popcount(theirs)
        if own > other:
            return i64(cells - 2 * other)
        return i64(2 * own - cells) if own < other else i64(0)

    def odd_cells(empty):
        """The quarters of the board in which an odd number of cells is empty."""
        odd = zero
        for quarter in quarters:
            odd |= quarter & (zero - u64(popcount(empty & quarter) & 1))
        return odd

    def turned_last(mine, theirs, cell):
        """How many discs turn on the last empty cell."""
        if not whole:
            return i64(popcount(turned(mine, theirs, cell)))
        at = u64(cell)
        row, column = at >> three, at & seven
        along = (mine >> (at & ~seven)) & byte
        down = (((mine >> column) & first_column) * to_top) >> gather
        fall = ((mine & falls[at]) * first_column) >> gather
        slant = ((mine & slants[at]) * first_column) >> gather
        return i64(counts[column, along]) + i64(counts[row, down]) + i64(counts[column, fall]) + i64(counts[column, slant])

    def last_one(mine, theirs, cell):
        """The value with one empty cell."""
        own = popcount(mine)
        gain = turned_last(mine, theirs, cell)
        if gain > 0:
            return i64(2 * (own + gain + 1) - cells)
        loss = turned_last(theirs, mine, cell)
        if loss > 0:
            return i64(2 * (own - loss) - cells)
        return i64(2 * own + 2 - cells if 2 * own > cells - 1 else 2 * own - cells)

    @called
    def last_two(mine, theirs, low, high):
        """The value with two empty cells, and how many positions were looked at."""
        empty = board & ~(mine | theirs)
        first = u64(lowest(empty))
        second = u64(lowest(empty & (empty - one)))
        nodes = i64(1)
        for sign in (1, -1):
            best = i64(-1000)
            if near[first] & theirs != zero:
                flips = turned(mine, theirs, first)
                if flips != zero:
                    best = -last_one(theirs ^ flips, mine | flips | (one << first), second)
                    nodes += 1
            if best < high and near[second] & theirs != zero:
                flips = turned(mine, theirs, second)
                if flips != zero:
                    best = max(best, -last_one(theirs ^ flips, mine | flips | (one << second), first))
                    nodes += 1
            if best > -1000:
                return sign * best, nodes
            mine, theirs, high = theirs, mine, -low  # a pass
        return final(mine, theirs), nodes

    def by_parity(mine, theirs, moves):
        """The moves in odd quarters, then the others."""
        odd = moves & odd_cells(board & ~(mine | theirs))
        return odd, moves ^ odd

    def by_answers(mine, theirs, moves):
        """The moves that leave the fewest answers first, those in odd quarters before their equals."""
        odd = odd_cells(board & ~(mine | theirs))
        one_or_none, two, three, many = zero, zero, zero, zero
        left = moves
        while left != zero:
            bit = left & (zero - left)
            left ^= bit
            flips = turned(mine, theirs, lowest(bit))
            answers = popcount(reach(theirs ^ flips, mine | flips | bit))
            if answers <= 1:
                one_or_none |= bit
            elif answers == 2:
                two |= bit
            elif answers == 3:
                three |= bit
            else:
                many |= bit
        return one_or_none & odd, one_or_none & ~odd, two & odd, two & ~odd, three & odd, three & ~odd, many

    def longer(shorter, groups=by_parity):
        """The search with one more empty cell than another one, with the moves in groups, the most promising first."""

        @called
        def search(mine, theirs, low, high):
            moves = reach(mine, theirs)
            sign = i64(1)
            nodes = i64(1)
            if moves == zero:
                mine, theirs = theirs, mine
                moves = reach(mine, theirs)
                if moves == zero:
                    return -final(mine, theirs), nodes
                sign = i64(-1)
                low, high = -high, -low
                nodes += 1
            best = i64(-1000)
            for chosen in groups(mine, theirs, moves):
                while chosen != zero:
                    bit = chosen & (zero - chosen)
                    chosen ^= bit
                    flips = turned(mine, theirs, lowest(bit))
                    value, more = shorter(theirs ^ flips, mine | flips | bit, -high, -max(low, best))
                    nodes += more
                    best = max(best, -value)
                    if best >= high:
                        return sign * best, nodes
            return sign * best, nodes

        return search

    def trying(shorter):
        """The same, trying every empty cell, those in odd quarters first."""

        @called
        def search(mine, theirs, low, high):
            empty = board & ~(mine | theirs)
            odd = empty & odd_cells(empty)
            nodes = i64(1)
            for sign in (1, -1):
                best = i64(-1000)
                for group in (odd, empty ^ odd):
                    chosen = group
                    while chosen != zero:
                        bit = chosen & (zero - chosen)
                        chosen ^= bit
                        cell = u64(lowest(bit))
                        if near[cell] & theirs == zero:
                            continue
                        flips = turned(mine, theirs, cell)
                        if flips == zero:
                            continue
                        value, more = shorter(theirs ^ flips, mine | flips | bit, -high, -max(low, best))
                        nodes += more
                        best = max(best, -value)
                        if best >= high:
                            return sign * best, nodes
                if best > -1000:
                    return sign * best, nodes
                mine, theirs, low, high = theirs, mine, -high, -low  # a pass
                if sign == 1:
                    nodes += 1
            return final(mine, theirs), nodes - 1

        return search

    last_three = trying(last_two)
    last_four = trying(last_three)
    last_five = longer(last_four)
    last_six = longer(last_five)
    last_seven = longer(last_six, by_answers)  # worth its time where the tree below is large enough
    last_eight = longer(last_seven, by_answers)

    def last_few(mine, theirs, low, high, empties):
        """The value with at most FEW empty cells (exact inside of the window, a bound outside), and how many positions it took."""
        if empties == 8:
            return last_eight(mine, theirs, low, high)
        if empties == 7:
            return last_seven(mine, theirs, low, high)
        if empties == 6:
            return last_six(mine, theirs, low, high)
        if empties == 5:
            return last_five(mine, theirs, low, high)
        if empties == 4:
            return last_four(mine, theirs, low, high)
        if empties == 3:
            return last_three(mine, theirs, low, high)
        if empties == 2:
            return last_two(mine, theirs, low, high)
        if empties == 1:
            return last_one(mine, theirs, lowest(board & ~(mine | theirs))), i64(1)
        return final(mine, theirs), i64(1)

    def shift(cells_, step):
        return cells_ << u64(step) if step > 0 else cells_ >> u64(-step)

    # For each axis both ways: the step in bits, and the cells that a step does not carry over the border, for 1, 2 and 4 cells.
    axes = tuple(
        tuple((way * (size * down + right),
               *(on_board(size, max(0, way * right) * far, max(0, -way * right) * far) for far in (1, 2, 4)))
              for way in (1, -1))
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)))
    edges = tuple(u64(sum(1 << size * row + column for row in range(size) for column in range(size)
                          if not (0 <= row - down < size and 0 <= column - right < size)
                          or not (0 <= row + down < size and 0 <= column + right < size)))
                  for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)))
    (right_way, left_way), (down_way, up_way), (fall_way, rise_way), (slant_way, back_way) = axes
    edge_side, edge_down, edge_fall, edge_slant = edges

    def smeared(empty, forth, back):
        """All cells on lines of one axis with an empty one."""
        ahead, behind = empty, empty
        ahead |= shift(ahead, forth[0]) & forth[1]
        behind |= shift(behind, back[0]) & back[1]
        ahead |= shift(ahead, 2 * forth[0]) & forth[2]
        behind |= shift(behind, 2 * back[0]) & back[2]
        ahead |= shift(ahead, 4 * forth[0]) & forth[3]
        behind |= shift(behind, 4 * back[0]) & back[3]
        return ahead | behind

    def beside(found, forth, back):
        """The neighbours along one axis."""
        return (shift(found, forth[0]) & forth[1]) | (shift(found, back[0]) & back[1])

    @called
    def stable(discs, others):
        """Discs that can never turn: along every line it is full, ends there, or a stable one of the same colour stands beside."""
        empty = board & ~(discs | others)
        full_side = ~smeared(empty, right_way, left_way) | edge_side
        full_down = ~smeared(empty, down_way, up_way) | edge_down
        full_fall = ~smeared(empty, fall_way, rise_way) | edge_fall
        full_slant = ~smeared(empty, slant_way, back_way) | edge_slant
        found = discs & full_side & full_down & full_fall & full_slant
        while True:
            more = (discs & (full_side | beside(found, right_way, left_way)) & (full_down | beside(found, down_way, up_way))
                    & (full_fall | beside(found, fall_way, rise_way)) & (full_slant | beside(found, slant_way, back_way)))
            if more == found:
                return found
            found = more

    return SimpleNamespace(final=final, last_few=last_few, stable=stable, odd_cells=odd_cells)
