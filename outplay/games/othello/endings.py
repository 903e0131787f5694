"""The last empty cells: a search of its own for each number of them, without lists, tables or sorting.

Cells in a quarter of the board with an odd number of empty ones come first: whoever begins there also moves last there (parity).
`stable` finds discs that nothing can turn any more, which bounds what the other player can still reach.
"""

from functools import cache
from types import SimpleNamespace

from outplay.games.othello.boards import NONE, ONE, boards, on_board
from outplay.jit import called, i64, lowest, popcount, u64

FEW = 7
"""Up to so many empty cells a position is settled without a table: looking it up would take as long."""


@cache
def endings(size):
    """The functions on boards of this size."""
    tools = boards(size)
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

    def last_one(mine, theirs, cell):
        """The value with one empty cell."""
        own = popcount(mine)
        gain = popcount(turned(mine, theirs, cell))
        if gain > 0:
            return i64(2 * (own + gain + 1) - cells)
        loss = popcount(turned(theirs, mine, cell))
        if loss > 0:
            return i64(2 * (own - loss) - cells)
        return i64(2 * own + 2 - cells if 2 * own > cells - 1 else 2 * own - cells)

    @called
    def last_two(mine, theirs, low, high):
        """The value with two empty cells, and how many positions were looked at."""
        empty = board & ~(mine | theirs)
        first = lowest(empty)
        second = lowest(empty & (empty - one))
        nodes = i64(1)
        for sign in (1, -1):
            best = i64(-1000)
            flips = turned(mine, theirs, first)
            if flips != zero:
                best = -last_one(theirs ^ flips, mine | flips | (one << u64(first)), second)
                nodes += 1
            if best < high:
                flips = turned(mine, theirs, second)
                if flips != zero:
                    best = max(best, -last_one(theirs ^ flips, mine | flips | (one << u64(second)), first))
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

    last_three = longer(last_two)
    last_four = longer(last_three)
    last_five = longer(last_four)
    last_six = longer(last_five)
    last_seven = longer(last_six, by_answers)  # worth its time where the tree below is large enough

    def last_few(mine, theirs, low, high, empties):
        """The value with at most FEW empty cells (exact inside of the window, a bound outside), and how many positions it took."""
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
