"""Othello (Lewis Waterman and John Mollett's Reversi, about 1883; as Othello, Goro Hasegawa, 1971): enclose discs to turn them.

>>> from outplay.game import load
>>> position = load("othello").start().play("f5 d6 c3")
>>> position.text()
'------------------X--------XX------OXX-----O-------------------- O'
>>> len(position.actions())
4

Black (X) begins. Who cannot enclose anything passes, which is an action of its own; when neither can, the game is over. The
`score` is the difference of discs with the empty cells going to the winner, or win, draw and loss.
"""

import numpy as np

from outplay.evaluations import Evaluation
from outplay.games._grid import twins
from outplay.games.othello import notation
from outplay.games.othello.boards import NONE, ONE, boards
from outplay.games.othello.endings import FEW, endings
from outplay.games.othello.evaluation import DISC, evaluation
from outplay.jit import below, i8, i64, lowest, mix, popcount, u64
from outplay.rules import game

JUDGED_FROM = 12  # empty cells
MOBILITY = 600  # hundredths of a disc for each answer of the other's
WON_EARLY = 2  # stability is worth a look when the window lies so many discs from the middle for each empty cell


@game("othello", size=(4, 6, 8), score=("discs", "wld"))
def othello(size=8, score="discs"):
    """Enclose the other's discs in a line to turn them; most discs in the end win.

    Goal: have more discs of your colour when nobody can move any more.
    Moves: place a disc so that it encloses a straight row of the other's discs between itself and another one of yours; all
      discs enclosed turn to your colour. Black begins.
    Pass: whoever can enclose nothing passes, and may not pass otherwise.
    Special: a disc in a corner can never be turned again.
    End: when neither can move; empty cells count for the winner.

    `size`: Squares of a side of the board.
    `score`: discs: by how many discs one wins; wld: only whether.
    """
    cells = size * size
    tools, ends, learned = boards(size), endings(size), evaluation(size)
    board, reach, turned, twin_of = tools.board, tools.reach, tools.turned, tools.twin_of
    final, last_few, stable, odd_cells = ends.final, ends.last_few, ends.stable, ends.odd_cells
    has_patterns = learned is not None
    phase, judged = (learned.phase, learned.judged) if has_patterns else (None, ends.final)
    by_discs = score == "discs"
    middle = size * (size // 2 - 1) + size // 2 - 1  # the upper left of the four cells in the middle
    corners = u64(1 | 1 << size - 1 | 1 << cells - size | 1 << cells - 1)
    centre = (1 << middle) | (1 << middle + 1) | (1 << middle + size) | (1 << middle + size + 1)
    turns = twins(size, size)
    zero, one = NONE, ONE

    class Othello:
        """Enclose the other's discs in a line to turn them; most discs in the end win."""

        most_actions = cells // 2 + 4
        bounds = (-cells, cells) if by_discs else (-1, 1)
        seat_names = ("Black", "White")
        bulk_counting = True
        counts_ended = True
        symmetries = 8
        plane_shape = (3, size, size)
        policy_size = cells + 1
        if has_patterns:
            scale = float(DISC) if by_discs else (cells + 1.0) * DISC  # without the discs, no guess may look like a win
            unit = "hundredths of a disc"
            stake = 4.0 * DISC
            evaluation = Evaluation(patterns=learned.patterns, pattern_weights=learned.weights)
            probcut = learned.probcut

            def pattern_state(self):
                return self.mine, self.theirs, i64(phase(self.mine, self.theirs))

            def period(self):
                return i64(phase(self.mine, self.theirs))

            def evaluate(self, seat, weights):
                value = judged(self.mine, self.theirs)
                return value if seat == self.turn else -value

        # -------------------------------------------- rules
        # An action is size * row + column from the top left, or `cells` for a pass.
        mine: u64  # discs of the player to move
        theirs: u64
        turn: i8

        def start(self):
            self.mine = (1 << middle + 1) | (1 << middle + size)
            self.theirs = (1 << middle) | (1 << middle + size + 1)

        def is_terminal(self):
            return reach(self.mine, self.theirs) == zero and reach(self.theirs, self.mine) == zero

        def actions(self, out):
            moves = reach(self.mine, self.theirs)
            if moves == zero:
                if reach(self.theirs, self.mine) == zero:
                    return 0
                if out is not None:
                    out[0] = cells
                return 1
            if out is None:
                return popcount(moves)
            count = 0
            while moves != zero:
                out[count] = lowest(moves)
                moves &= moves - one
                count += 1
            return count

        def play(self, action):
            mine, theirs = self.mine, self.theirs
            if action < cells:
                flips = turned(mine, theirs, action)
                mine, theirs = mine | flips | (one << u64(action)), theirs ^ flips
            self.mine, self.theirs = theirs, mine
            self.turn = 1 - self.turn

        def utility(self, player):
            value = final(self.mine, self.theirs)
            if not by_discs:
                value = min(max(value, -1), 1)
            return value if player == self.turn else -value

        def key(self):
            return mix(self.mine * u64(0x9E3779B97F4A7C15) ^ mix(self.theirs + u64(self.turn)))

        def choose(self, out, source):
            moves = reach(self.mine, self.theirs)
            if moves == zero:
                return cells if reach(self.theirs, self.mine) != zero else -1
            for _ in range(below(source, popcount(moves))):
                moves &= moves - one
            return lowest(moves)

        def transform(self, symmetry):
            if size == 8:
                self.mine, self.theirs = twin_of(self.mine, symmetry), twin_of(self.theirs, symmetry)
                return
            mine, theirs = zero, zero
            for cell in range(cells):
                twin = u64(turns[symmetry, cell])
                mine |= ((self.mine >> u64(cell)) & one) << twin
                theirs |= ((self.theirs >> u64(cell)) & one) << twin
            self.mine, self.theirs = mine, theirs

        def transform_action(self, symmetry, action):
            return turns[symmetry, action] if action < cells else action

        def planes(self, seat, out):
            mine, theirs = self.mine, self.theirs
            if seat != self.turn:
                mine, theirs = theirs, mine
            moves = reach(self.mine, self.theirs)
            for cell in range(cells):
                row, column, bit = cell // size, cell % size, u64(cell)
                out[0, row, column] = (mine >> bit) & one
                out[1, row, column] = (theirs >> bit) & one
                out[2, row, column] = (moves >> bit) & one

        # -------------------------------------------- order and exact endings
        def order(self, action):
            # Fastest first: the fewer answers the other has, corners counting twice, the smaller the tree.
            if action >= cells:
                return 0
            bit = one << u64(action)
            flips = turned(self.mine, self.theirs, action)
            mine, theirs = self.theirs ^ flips, self.mine | flips | bit
            answers = reach(mine, theirs)
            odd = odd_cells(board & ~(self.mine | self.theirs))
            return i64(8 * (popcount(bit & corners)) + popcount(bit & odd) - 4 * (popcount(answers) + popcount(answers & corners)))

        def solving_order(self, action):
            # While many cells are empty, what the other thinks of the position counts too: a better order is worth its time.
            if action >= cells:
                return i64(0)
            flips = turned(self.mine, self.theirs, action)
            bit = one << u64(action)
            mine, theirs = self.theirs ^ flips, self.mine | flips | bit
            answers = reach(mine, theirs)
            few = i64(popcount(answers) + popcount(answers & corners))
            empty = board & ~(self.mine | self.theirs)
            if has_patterns and popcount(empty) > JUDGED_FROM:
                return -judged(mine, theirs) - MOBILITY * few
            return 4 * i64(popcount(bit & corners)) + i64(popcount(bit & odd_cells(empty))) - 4 * few

        def settle(self, low, high):
            empties = cells - popcount(self.mine | self.theirs)
            most = i64(cells)
            if empties <= FEW:
                value, nodes = last_few(self.mine, self.theirs, i64(low), i64(high), empties)
                least, greatest = value if value > low else -most, value if value < high else most
            else:
                # What the other cannot lose any more bounds what can still be reached.
                nodes, least, greatest = i64(0), -most, most
                if low >= WON_EARLY * empties - 2 and 2 * popcount(self.theirs) >= most - low:
                    greatest = most - 2 * popcount(stable(self.theirs, self.mine))
            if not by_discs:
                least, greatest = min(max(least, -1), 1), min(max(greatest, -1), 1)
            return nodes, least, greatest

        # -------------------------------------------- notation
        def text(self):
            return notation.text_of(self.mine, self.theirs, self.turn, size)

        def parse(self, text):
            self.mine, self.theirs, self.turn = notation.parsed(text, size)

        def plies_left(self):
            return cells - popcount(self.mine | self.theirs)

        def valid(self):
            if missing := centre & ~(int(self.mine) | int(self.theirs)):
                cell = notation.cell_name(lowest(u64(missing)), size)
                return f"{cell} is empty, and the four cells in the middle never are"
            return None

        def action_text(self, action):
            return "pass" if action == cells else notation.cell_name(action, size)

        def parse_action(self, text):
            return notation.parsed_cell(text, size)

        def task(self):
            return "You can enclose nothing: pass." if reach(self.mine, self.theirs) == zero else ""

        def standing(self, seat):
            discs = int(self.mine if seat == self.turn else self.theirs).bit_count()
            return f"{discs} disc{'s' * (discs != 1)}"

        def ending_text(self):
            discs = sorted((int(self.mine).bit_count(), int(self.theirs).bit_count()), reverse=True)
            return f"{discs[0]} discs to {discs[1]}"

        # -------------------------------------------- picture
        def picture(self):
            out = np.zeros(cells, np.int64)
            with np.errstate(over="ignore"):
                count = self.actions(out)
            return notation.picture_of(self.mine, self.theirs, self.turn, size, out[:count].tolist())

    return Othello
