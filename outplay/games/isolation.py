"""Isolation: move like a queen (or a knight) and leave a hole behind; whoever cannot move loses.

The lectures' example game (Bernard Tavitian's Isola, 1972, in the form of the artificial-intelligence courses): each player
first stands on any free cell, then the players move in turn, and every cell that was stood on is closed for good.

>>> from outplay.game import load
>>> position = load("isolation", width=3, height=2).start().play("b1 c2 b2")
>>> position.text(), [position.action_text(action) for action in position.actions()]
('.xo/.#. o', ['c1'])

With three players, one who cannot move is left out (and stays out: cells never open again), and the last one able to move wins 1,
the others 0: a constant-sum game. With `sloppy`, a move (not the first placing) lands with that probability on a random one of
the free cells around its target.

A cell is bit width * row + column, the bottom row first; boards over 64 cells take a second word.
"""

import numpy as np

from outplay.errors import BadValue
from outplay.evaluations import Evaluation
from outplay.games._grid import twins
from outplay.jit import highest, i8, i32, i64, lowest, mix, popcount, u32, u64
from outplay.rules import game
from outplay.values import CHANCE, Cell, Picture

EVALUATIONS = {
    "my moves": (1.0, 0.0),
    "my moves minus opponent's": (1.0, 1.0),
    "my moves minus twice opponent's": (1.0, 2.0),
}
QUEEN = ((1, 0), (-1, 1), (0, 1), (1, 1))  # column and row steps towards higher cells; the others are their opposites
KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
SYMBOLS = "xoz"


def ray(width, height, cell, step, length=10):
    """The cells that lie in one direction, as a whole number with a bit for each."""
    column, row = cell % width, cell // width
    bits = 0
    for _ in range(length):
        column, row = column + step[0], row + step[1]
        if not (0 <= column < width and 0 <= row < height):
            break
        bits |= 1 << row * width + column
    return bits


def two_words(rows):
    """Tables of low and high words from rows of whole numbers."""
    low = np.array([[bits & 2**64 - 1 for bits in row] for row in rows], u64)
    return low, np.array([[bits >> 64 for bits in row] for row in rows], u64)


@game("isolation", width=range(1, 11), height=range(1, 11), moves=("queen", "knight"), players=range(2, 4), sloppy=(0.0, 1.0),
      evaluation=tuple(EVALUATIONS))
def isolation(width=5, height=5, moves="queen", players=2, sloppy=0.0, evaluation="my moves"):
    """Move like a queen or a knight and leave a hole behind; whoever cannot move loses.

    Goal: be the last who can move.
    Start: each player first stands on any free cell.
    Moves: then, in turn, move like a chess queen, any distance in a straight line over free cells (or like a knight, with
      `moves=knight`).
    Special: every cell that was stood on is closed for good, and nobody moves onto or across it.
    End: whoever cannot move loses; of three players the one who cannot move is out, and the last one left wins.

    `width`: Columns of the board.
    `height`: Rows of the board.
    `moves`: How pawns move: like a chess queen or like a knight.
    `players`: How many play.
    `sloppy`: How often a pawn slips to a free cell beside its target: 0 never, 1 always.
    `evaluation`: What searches count in a position whose end they cannot see.
    """
    cells = width * height
    if cells < players:
        raise BadValue(f"isolation: the board needs a cell for each of the {players} players, got {width}x{height}")
    if players > 2 and evaluation != "my moves":
        raise BadValue(f"isolation: with {players} players the evaluation must be 'my moves', got {evaluation!r}")

    # ------------------------------------------------ tables
    every = range(cells)
    is_knight = moves == "knight"
    is_wide = cells > 64
    is_sloppy = sloppy > 0
    board = (1 << cells) - 1
    board_low, board_high = u64(board & 2**64 - 1), u64(board >> 64)
    ahead, ahead_high = two_words([[ray(width, height, cell, step) for cell in every] for step in QUEEN])
    behind, behind_high = two_words([[ray(width, height, cell, (-c, -r)) for cell in every] for c, r in QUEEN])
    jumps, jumps_high = two_words([[sum(ray(width, height, cell, step, 1) for step in KNIGHT) for cell in every]])
    around, around_high = two_words([[sum(ray(width, height, cell, (s * c, s * r), 1) for c, r in QUEEN for s in (1, -1))
                                      for cell in every]])
    cell_bits = cells.bit_length()
    is_exact = not is_wide and cells + (players + is_sloppy) * cell_bits + 2 <= 64  # a position fits one word
    nowhere = u32(255)  # not placed yet
    zero, one, ones = u64(0), u64(1), u64(2**64 - 1)
    number_of_players = players

    known = SYMBOLS[:players]
    others = {tuple(map(int, each)) for each in twins(width, height)} - {tuple(range(cells))}
    maps = [] if is_wide else sorted(others)
    bytes_used = (cells + 7) // 8
    cell_maps = np.array([[*moved, *[255] * (256 - cells)] for moved in maps], u32)
    byte_maps = np.array([[[sum(1 << moved[cell] for cell in range(8 * byte, min(8 * byte + 8, cells)) if value >> cell % 8 & 1)
                            for value in range(256)] for byte in range(bytes_used)] for moved in maps], u64)

    chosen = np.array(EVALUATIONS[evaluation])

    class Isolation:
        """Move like a queen or a knight and leave a hole behind; whoever cannot move loses."""

        players = number_of_players
        seat_names = ("Blue", "Orange", "Green")[:number_of_players]
        total = 0.0 if players == 2 else 1.0
        bounds = (-1.0, 1.0) if players == 2 else (0.0, 1.0)
        unit = "points" if players == 2 else "ten thousandths of a win"
        most_actions = cells
        weights = chosen
        # Fitted by `outplay tune isolation --margins`; they won 110 of 200 games against chess's at 2,000 nodes a move.
        margins = {"aspiration": 167, "futility": 595, "singular": 119}  # noqa: RUF012  read only
        evaluation = Evaluation(names=("own moves", "opponent's moves"),
                                sets={name: np.array(pair) for name, pair in EVALUATIONS.items()})  # fmt: skip

        # -------------------------------------------- rules
        free: u64  # cells that nobody stands or stood on
        free_high: u64  # the same beyond cell 63
        open: u64  # where the player to move can go, found when the move before was made
        open_high: u64
        places: u32  # a byte for each player: its cell, or `nowhere`
        turn: i8
        aim: i8  # in sloppy games, one more than the cell that the player to move has aimed at

        def start(self):
            self.free, self.free_high = board_low, board_high
            self.open, self.open_high = board_low, board_high
            self.places = 2 ** (8 * number_of_players) - 1

        def place(self, player):
            return (self.places >> u32(8 * player)) & nowhere

        def reach(self, cell, free, free_high):
            """The free cells that a piece on this cell can go to, as two words."""
            if is_knight:
                return jumps[0, cell] & free, jumps_high[0, cell] & free_high
            low, high = zero, zero
            for d in range(4):
                line = ahead[d, cell]
                block = line & ~free
                low |= line & (block ^ (block - one))  # up to the lowest obstacle
                if is_wide and block == zero:
                    line = ahead_high[d, cell]
                    block = line & ~free_high
                    high |= line & (block ^ (block - one))
            for d in range(4):
                block = zero
                if is_wide:
                    line = behind_high[d, cell]
                    block = line & ~free_high
                    high |= line & (ones << u64(highest(block | one)))
                if block == zero:
                    line = behind[d, cell]
                    block = line & ~free
                    low |= line & (ones << u64(highest(block | one)))  # down to the highest obstacle
            return low & free, high & free_high

        def mobility(self, player, free, free_high):
            """Where a player could go if it were to move, as two words."""
            cell = self.place(player)
            if cell == nowhere:
                return free, free_high
            return self.reach(cell, free, free_high)

        def is_terminal(self):
            return self.open == zero and self.open_high == zero

        def actions(self, out):
            count = 0
            bits = self.open
            while bits != zero:
                out[count] = lowest(bits)
                bits &= bits - one
                count += 1
            if is_wide:
                bits = self.open_high
                while bits != zero:
                    out[count] = 64 + lowest(bits)
                    bits &= bits - one
                    count += 1
            return count

        def land(self, cell):
            free, high = self.free, self.free_high
            if is_wide and cell >= 64:
                high ^= one << u64(cell - 64)
            else:
                free ^= one << u64(cell)
            turn = self.turn
            shift = u32(8 * turn)
            self.free, self.free_high = free, high
            self.places = (self.places & ~(nowhere << shift)) | (u32(cell) << shift)
            for step in range(1, number_of_players):
                player = (turn + step) % number_of_players
                low, up = self.mobility(player, free, high)
                if low != zero or up != zero:
                    self.turn = player
                    self.open, self.open_high = low, up
                    return
            self.turn = (turn + 1) % number_of_players
            self.open, self.open_high = zero, zero

        def utility(self, player):
            # Nobody but the last to move could have moved on.
            if player == (self.turn + number_of_players - 1) % number_of_players:
                return 1.0
            return -1.0 if number_of_players == 2 else 0.0

        if is_sloppy:

            def player(self):
                return i64(CHANCE) if self.aim > 0 else i64(self.turn)

            def play(self, cell):
                if self.aim == 0 and self.place(self.turn) != nowhere:
                    self.aim = cell + 1
                else:
                    self.aim = 0
                    self.land(cell)

            def chances(self, out, probabilities):
                target = self.aim - 1
                count = 0
                for word in range(2):
                    bits = around[0, target] & self.free if word == 0 else around_high[0, target] & self.free_high
                    while bits != zero:
                        out[count] = 64 * word + lowest(bits)
                        bits &= bits - one
                        count += 1
                slip = sloppy if count > 0 else 0.0
                for i in range(count):
                    probabilities[i] = slip / count
                if slip < 1.0:
                    out[count] = target
                    probabilities[count] = 1.0 - slip
                    count += 1
                return count

        else:

            def play(self, cell):
                self.land(cell)

        def key(self):
            if is_exact:
                word = self.free | u64(self.turn) << u64(cells)
                shift = u64(cells + 2)
                for player in range(number_of_players):
                    place = self.place(player)
                    word |= (u64(cells) if place == nowhere else u64(place)) << shift
                    shift += u64(cell_bits)
                return word | u64(self.aim) << shift if is_sloppy else word
            word = mix(self.free + u64(0x9E3779B97F4A7C15)) ^ self.free_high
            return mix(mix(word + u64(self.places)) + (u64(self.aim) << u64(8)) + u64(self.turn))

        def evaluate(self, player, weights):
            # The lecture's "my moves" is MAX's; MIN gets the opposite, so that the game stays zero-sum. Of three players each gets
            # its share of all moves, so that the vector keeps its sum.
            if number_of_players == 2:
                value = 0.0
                for p in range(2):
                    low, high = self.mobility(p, self.free, self.free_high)
                    count = popcount(low) + popcount(high)
                    value += weights[0] * count if p == 0 else -weights[1] * count
                return value if player == 0 else -value
            own, of_all = 0, 0
            for p in range(number_of_players):
                low, high = self.mobility(p, self.free, self.free_high)
                count = popcount(low) + popcount(high)
                of_all += count
                own += count if p == player else 0
            return 9_999.0 * own / of_all  # below the 10,000 points of a win

        def order(self, cell):
            # Take moves from the others, keep many for oneself. The sign is meant: above zero one keeps more than three moves for
            # each that the others have left, which squeezes them and is searched to its full depth; below, late actions are
            # searched less deep. Calling only those forcing that leave another at most one move won 109 of 240 games against this.
            free, high = self.free, self.free_high
            if is_wide and cell >= 64:
                high &= ~(one << u64(cell - 64))
            else:
                free &= ~(one << u64(cell))
            low, up = self.reach(cell, free, high)
            score = popcount(low) + popcount(up)
            for step in range(1, number_of_players):
                low, up = self.mobility((self.turn + step) % number_of_players, free, high)
                score -= 3 * (popcount(low) + popcount(up))
            return score

        if maps:
            symmetries = len(maps) + 1

            def transform(self, symmetry):
                if symmetry == 0:
                    return
                at = symmetry - 1
                free, targets, places = zero, zero, u32(0)
                for byte in range(bytes_used):
                    free |= byte_maps[at, byte, (self.free >> u64(8 * byte)) & u64(255)]
                    targets |= byte_maps[at, byte, (self.open >> u64(8 * byte)) & u64(255)]
                for player in range(number_of_players):
                    places |= cell_maps[at, self.place(player)] << u32(8 * player)
                self.free, self.open, self.places = free, targets, places
                if is_sloppy and self.aim > 0:
                    self.aim = cell_maps[at, self.aim - 1] + 1

            def transform_action(self, symmetry, cell):
                return i32(cell) if symmetry == 0 else i32(cell_maps[symmetry - 1, cell])

            def canonical(self):
                best, best_places, best_map = self.free, self.places, -1
                for i in range(len(cell_maps)):
                    free = zero
                    for byte in range(bytes_used):
                        free |= byte_maps[i, byte, (self.free >> u64(8 * byte)) & u64(255)]
                    if free > best:
                        continue
                    places = u32(0)
                    for player in range(number_of_players):
                        places |= cell_maps[i, self.place(player)] << u32(8 * player)
                    if free < best or places < best_places:
                        best, best_places, best_map = free, places, i
                if best_map >= 0:
                    targets = zero
                    for byte in range(bytes_used):
                        targets |= byte_maps[best_map, byte, (self.open >> u64(8 * byte)) & u64(255)]
                    self.free, self.places, self.open = best, best_places, targets
                    if is_sloppy and self.aim > 0:
                        self.aim = cell_maps[best_map, self.aim - 1] + 1
                return best_map + 1

        # -------------------------------------------- notation
        def symbols(self):
            """What stands on each cell."""
            free = int(self.free) | int(self.free_high) << 64
            shown = ["." if free >> cell & 1 else "#" for cell in every]
            for player in range(number_of_players):
                if self.place(player) != nowhere:
                    shown[self.place(player)] = SYMBOLS[player]
            return shown

        def text(self):
            shown = "".join(self.symbols())
            rows = [shown[r * width : (r + 1) * width] for r in reversed(range(height))]
            aim = ">" + self.action_text(self.aim - 1) if self.aim else ""
            return "/".join(rows) + " " + SYMBOLS[self.turn] + aim

        def parse(self, text):
            board_text, _, turn = text.partition(" ")
            turn, arrow, aim = turn.partition(">")
            rows = board_text.split("/")
            if [len(row) for row in rows] != [width] * height or turn not in tuple(known) or (arrow and not is_sloppy):
                raise ValueError(f"expected {height} rows of {width} cells . # {' '.join(known)} and the player to move, "
                                 f"such as {'/'.join(['.' * width] * height)} x")
            shown = "".join(reversed(rows))
            if set(shown) - set(".#" + known) or any(shown.count(symbol) > 1 for symbol in known):
                raise ValueError(f"a cell is . (free), # (closed) or one of the players {' '.join(known)}, each at most once")
            free = sum(1 << cell for cell in every if shown[cell] == ".")
            self.free, self.free_high = u64(free & 2**64 - 1), u64(free >> 64)
            self.turn = known.index(turn)
            self.places = sum((shown.find(symbol) if symbol in shown else 255) << 8 * i for i, symbol in enumerate(known))
            self.open, self.open_high = self.mobility(self.turn, self.free, self.free_high)
            if arrow:
                self.aim = [self.action_text(cell) for cell in every].index(aim) + 1

        def valid(self):
            placed = [self.place(player) != nowhere for player in range(number_of_players)]
            if placed != sorted(placed, reverse=True) or (False in placed and placed.index(False) != self.turn):
                return f"the players {' '.join(known)} are placed in this order, before anyone moves"
            if int(self.free).bit_count() + int(self.free_high).bit_count() < placed.count(False):
                return "there is no free cell for everyone to be placed on"
            can_move = [any(self.mobility(player, self.free, self.free_high)) for player in range(number_of_players)]
            if not can_move[self.turn] and any(can_move[player] for player in range(number_of_players)
                                               if player != (self.turn - 1) % number_of_players):
                return f"{SYMBOLS[self.turn]} cannot move, so another player is to move"
            if self.aim and not (int(self.open) | int(self.open_high) << 64) >> int(self.aim) - 1 & 1:
                return f"{SYMBOLS[self.turn]} cannot aim at {self.action_text(self.aim - 1)}"
            if self.aim and not all(placed):
                return "placing does not slip"
            return None

        def action_text(self, cell):
            return "abcdefghij"[cell % width] + str(cell // width + 1)

        def task(self):
            if self.place(self.turn) == nowhere:
                return "Place your pawn on any free cell."
            return "Move your pawn like a knight." if is_knight else "Move your pawn like a queen, over free cells only."

        def ending_text(self):
            stuck = ("Blue", "Orange", "Green")[int(self.turn)]
            return f"{stuck} cannot move" if number_of_players == 2 else "nobody else can move"

        # -------------------------------------------- picture
        def picture(self):
            looks = {".": Cell(), "#": Cell("#", "wall"), **{s: Cell(s, "pawn", i) for i, s in enumerate(known)}}
            cells_shown = [looks[symbol] for symbol in self.symbols()]
            if self.aim:
                cells_shown[self.aim - 1] = Cell("+", "text", int(self.turn), mark=True)

            def spot(cell):
                return height - 1 - cell // width, cell % width

            targets = int(self.open) | int(self.open_high) << 64
            here = int(self.place(self.turn))
            moves_on = here != nowhere and not self.aim
            return Picture(
                cells=tuple(tuple(cells_shown[r * width + c] for c in range(width)) for r in reversed(range(height))),
                rows=tuple(str(r + 1) for r in reversed(range(height))),
                columns=tuple("abcdefghij"[:width]),
                colours=("blue", "orange", "green"),
                touches={cell: (spot(here), spot(cell)) if moves_on else (spot(cell),) for cell in every if targets >> cell & 1},
            )

    return Isolation
