"""How checkers is written: positions as FEN, moves as 11-15 and 22x15, squares by number or by letter and number."""

import itertools
import re

import numpy as np

from outplay.games.checkers.boards import boards
from outplay.games.checkers.moves import SQUARE, TO, taking
from outplay.picture import Cell, Picture

LETTERS = "abcdefghij"


def squares_of(size, first_is_low, mirrored):
    """From the first player's bits to the numbers of squares, from 1 at the top left, and back."""
    half, bits = size // 2, boards(size).bits
    by_bit, by_number = {}, {}
    for place, bit in enumerate(bits):
        row, column = divmod(place, half)
        if mirrored:
            column = half - 1 - column
        number = row * half + column
        number = number + 1 if first_is_low else len(bits) - number
        by_bit[bit], by_number[number] = number, bit
    return by_bit, by_number


def row_and_column(number, size, mirrored):
    """Where the square of this number is drawn, from the top left."""
    row, place = divmod(number - 1, size // 2)
    return row, 2 * place + (row % 2 if mirrored else 1 - row % 2)


class Notation:
    """The texts and the picture of one relative of the game."""

    def __init__(self, size, colours, first_is_low, mirrored, game_type, frisian=False):
        self.frisian, self.unpack = frisian, taking(size, frisian).unpack
        self.size, self.colours, self.mirrored, self.game_type = size, colours, mirrored, game_type
        self.first_is_low = first_is_low
        self.by_bit, self.by_number = squares_of(size, first_is_low, mirrored)
        self.last = max(self.by_bit)  # the bit of the last square: the board turned round is last - bit
        self.letters = tuple("W" if colour == "White" else "B" for colour in colours)

    # -------------------------------------------- squares
    def number(self, bit, turn):
        """The number of a square as the player to move has its bit."""
        return self.by_bit[int(bit) if turn == 0 else self.last - int(bit)]

    def bit(self, number, turn):
        """The bit of a square by its number."""
        bit = self.by_number[number]
        return bit if turn == 0 else self.last - bit

    def numbers(self, word, turn):
        """The numbers of all squares of a word of bits."""
        return sorted(self.number(bit, turn) for bit in range(self.last + 1) if int(word) >> bit & 1)

    def parsed_square(self, text):
        """A square by number, or by letter and number."""
        if text.isdecimal():
            number = int(text)
        else:
            row, column = self.size - int(text[1:]), LETTERS.index(text[0])
            if not 0 <= row < self.size or column >= self.size:
                raise ValueError(f"no such square: {text!r}")
            number = row * (self.size // 2) + column // 2 + 1
            if row_and_column(number, self.size, self.mirrored) != (row, column):
                raise ValueError(f"{text!r} is no dark square")
        if number not in self.by_number:
            raise ValueError(f"squares are 1 to {len(self.by_number)}, got {text}")
        return number

    # -------------------------------------------- positions
    def write(self, state):
        """A position as FEN; the plies since a man moved or was taken follow as H12 where there are any, and in Frisian draughts
        how many moves in a row White's and Black's last king made, and where it stands, as +2/46+0."""
        turn = int(state.turn)
        sides = {}
        for seat, word in ((turn, int(state.mine)), (1 - turn, int(state.theirs))):
            men = self.numbers(word, turn)
            kings = set(self.numbers(word & int(state.kings), turn))
            sides[self.letters[seat]] = ",".join(f"K{n}" if n in kings else str(n) for n in men)
        clock = f":H{int(state.since)}" if state.since else ""
        walks = {self.letters[turn]: (int(state.walked), int(state.walker)),
                 self.letters[1 - turn]: (int(state.their_walked), int(state.their_walker))}  # fmt: skip
        if any(walked for walked, _ in walks.values()):
            clock += ":" + "".join(f"+{walked}/{self.number(at, turn)}" if walked else "+0" for _, (walked, at) in
                                   sorted(walks.items(), reverse=True))
        return f"{self.letters[turn]}:W{sides['W']}:B{sides['B']}{clock}"

    def read(self, state, text):
        """Fill a state from a FEN."""
        form = "expected a position such as W:W31-50:B1-20 or B:WK3,14:B22"
        parts = [part for part in text.strip().strip('"').rstrip(".").replace(" ", "").split(":") if part]
        if len(parts) < 3 or parts[0].upper() not in self.letters:
            raise ValueError(form)
        turn = self.letters.index(parts[0].upper())
        words, kings, clock, walks = {"W": 0, "B": 0}, 0, 0, {"W": (0, 0), "B": (0, 0)}
        for part in parts[1:]:
            letter = part[0].upper()
            if letter == "+" and self.frisian:
                walks = self.read_walks(part, words, kings, turn)
                continue
            if letter in "HF" and part[1:].isdecimal():
                clock = int(part[1:]) if letter == "H" else clock
                continue
            if letter not in words:
                raise ValueError(f"{form}; got {part!r}")
            for item in filter(None, part[1:].split(",")):
                match = re.fullmatch(r"(K?)([a-j]\d+|\d+)(?:-(\d+))?", item, re.IGNORECASE)
                if match is None:
                    raise ValueError(f"{form}; got {item!r}")
                low = self.parsed_square(match[2].lower())
                for number in range(low, (self.parsed_square(match[3]) if match[3] else low) + 1):
                    bit = 1 << self.bit(number, turn)
                    if (words["W"] | words["B"]) & bit:
                        raise ValueError(f"square {number} is given twice")
                    words[letter] |= bit
                    kings |= bit if match[1] else 0
        state.mine, state.theirs = words[self.letters[turn]], words[self.letters[1 - turn]]
        state.kings, state.since, state.turn = kings, min(clock, 32000), turn
        state.walked, state.walker = walks[self.letters[turn]]
        state.their_walked, state.their_walker = walks[self.letters[1 - turn]]

    def read_walks(self, part, words, kings, turn):
        """How many moves in a row White's and Black's king made, and its bit: +2/46+0, or +2+0 where a side has one king."""
        match = re.fullmatch(r"\+([0-3])(?:/(\d+))?\+([0-3])(?:/(\d+))?", part)
        if match is None:
            raise ValueError(f"expected the moves in a row of White's and Black's king as +2/46+0, got {part!r}")
        found = {}
        for letter, walked, square in (("W", int(match[1]), match[2]), ("B", int(match[3]), match[4])):
            own = words[letter] & kings
            bit = 1 << self.bit(self.parsed_square(square), turn) if square else own if own.bit_count() == 1 else 0
            if walked and not bit & own:
                raise ValueError(f"{part!r}: say where the king stands that made {walked} moves in a row, as +2/46+0")
            found[letter] = (walked, bit.bit_length() - 1) if walked else (0, 0)
        return found

    def impossible(self, state, last_row, men):
        """Why a position cannot arise, None if it can."""
        mine, theirs, kings, turn = int(state.mine), int(state.theirs), int(state.kings), int(state.turn)
        first_row = sum(1 << self.last - bit for bit in range(self.last + 1) if int(last_row) >> bit & 1)
        for word, row, seat in ((mine, int(last_row), turn), (theirs, first_row, 1 - turn)):
            if stuck := word & ~kings & row:
                return f"{self.colours[seat]}'s man on {self.numbers(stuck, turn)[0]} would be a king there"
            if word.bit_count() > men:
                return f"{self.colours[seat]} has {word.bit_count()} men, and {men} is all there are"
        if not mine and not theirs:
            return "nobody is on the board"
        return None

    # -------------------------------------------- moves
    def parts(self, action, turn):
        """The numbers of the squares a move leaves and reaches, and of those taken from."""
        start, end = action & SQUARE, action >> TO & SQUARE
        taken = int(self.unpack(action))
        return self.number(start, turn), self.number(end, turn), self.numbers(taken, turn)

    def paths(self, state, action, flying):
        """All ways of a capture over the board, as numbers of squares; the ways that a move's number counts, in order of search."""
        size, half = self.size, self.size // 2
        last, turn = self.last, int(state.turn)
        start, end = action & SQUARE, action >> TO & SQUARE
        taken = int(self.unpack(action))
        occupied = (int(state.mine) | int(state.theirs)) & ~(1 << start)
        board = int(boards(size).board)
        steps = (half, half + 1, -half, -half - 1, *((size + 1, 1, -size - 1, -1) if self.frisian else ()))

        def on(bit):
            return 0 <= bit <= last and board >> bit & 1

        def next_to(bit, step):
            row = bit // (size + 1) * 2 + (bit % (size + 1) >= half)  # along a row, not around its end
            there = bit + step
            return there if abs(step) != 1 or row == there // (size + 1) * 2 + (there % (size + 1) >= half) else -1

        found = []

        def follow(at, left, path):
            if not left:
                if at == end:
                    found.append([self.number(bit, turn) for bit in path])
                return
            for step in steps:
                hit = next_to(at, step)
                while flying and on(hit) and not occupied >> hit & 1:
                    hit = next_to(hit, step)
                if not on(hit) or not left >> hit & 1:
                    continue
                land = next_to(hit, step)
                while on(land) and not occupied >> land & 1:
                    follow(land, left & ~(1 << hit), [*path, land])
                    if not flying:
                        break
                    land = next_to(land, step)

        follow(start, taken, [start])
        return found

    def write_move(self, state, action, actions, flying):
        """A move in PDN: 11-15 or 22x15, with every square of the way where that does not tell it from another."""
        turn = int(state.turn)
        start, end, taken = self.parts(action, turn)
        if not taken:
            return f"{start}-{end}"
        alike = [each for each in actions if self.parts(each, turn)[:2] == (start, end)]
        if len(alike) < 2:
            return f"{start}x{end}"
        return "x".join(map(str, self.way(state, action, flying)))

    def way(self, state, action, flying):
        """The squares of a capture's way; where flying kings have several, one that names no other capture."""
        ways = self.paths(state, action, flying)
        return ways[0 if self.frisian else min(action >> 56 & 63, len(ways) - 1)]

    def read_move(self, state, text, actions, flying):
        """The move that a text means: squares by number or letter, with - or x or :, any part of the way."""
        turn = int(state.turn)
        words = [word for word in re.split(r"[-x:*]", text.strip().lower()) if word]
        if len(words) < 2 or not all(re.fullmatch(r"\d+|[a-j]\d+", word) for word in words):
            raise ValueError("expected a move such as 11-15 or 22x15")
        numbers = [self.parsed_square(word) for word in words]
        fitting = [each for each in actions if self.parts(each, turn)[:2] == (numbers[0], numbers[-1])]
        if len(numbers) > 2 and len(fitting) > 1:
            between = numbers[1:-1]
            exact = [each for each in fitting if numbers == self.way(state, each, flying)]
            through = exact or [each for each in fitting if any(_in_order(between, way) for way in self.paths(state, each, flying))]
            # Hub's way: start, end, then the squares that are taken from
            fitting = through or fitting
        if not fitting:
            hub = [each for each in actions if self._is_hub(each, numbers, turn)]
            if not hub:
                raise ValueError(f"no such move: {text}")
            return hub[0]
        return fitting[0]

    def _is_hub(self, action, numbers, turn):
        start, end, taken = self.parts(action, turn)
        return (start, end) == tuple(numbers[:2]) and sorted(numbers[2:]) == taken

    def write_hub(self, state, action):
        """A move in the Hub protocol's way: 32-28, or start x end x every square taken from."""
        start, end, taken = self.parts(action, int(state.turn))
        return f"{start}-{end}" if not taken else "x".join(map(str, (start, end, *taken)))

    # -------------------------------------------- picture
    def picture(self, state, actions, flying):
        """The checkered board with its men and kings and the numbers of the squares; those who must take are marked."""
        size, turn = self.size, int(state.turn)
        cells = [[Cell() for _ in range(size)] for _ in range(size)]
        for number in range(1, size * size // 2 + 1):
            row, column = row_and_column(number, size, self.mirrored)
            cells[row][column] = Cell(note=str(number))
        for seat, word in ((turn, int(state.mine)), (1 - turn, int(state.theirs))):
            letter = self.letters[seat].lower()
            kings = set(self.numbers(word & int(state.kings), turn))
            for number in self.numbers(word, turn):
                row, column = row_and_column(number, size, self.mirrored)
                symbol, piece = (letter.upper(), "crowned") if number in kings else (letter, "man")
                cells[row][column] = Cell(symbol, piece, seat, note=str(number))

        def spot(number):
            return row_and_column(number, size, self.mirrored)

        touches, marks = {}, {}
        for action in actions:
            start, end, taken = self.parts(action, turn)
            alike = sum(self.parts(each, turn)[:2] == (start, end) for each in actions) > 1
            way = self.way(state, action, flying) if taken and alike else [start, end]
            pairs = [each for pair in itertools.pairwise(way) for each in pair]
            touches[action] = tuple(map(spot, pairs))
            if taken:
                marks[spot(start)] = "threat"
        return Picture(
            cells=tuple(map(tuple, cells)),
            rows=tuple(str(size - row) for row in range(size)),
            columns=tuple(LETTERS[:size]),
            touches=touches,
            marks=marks,
            checkered=True,
            colours=("black", "white") if self.colours[0] == "Black" else ("white", "black"),
            turns=True,
            below=int(self.colours[0] == "Black"),
        )


def _in_order(between, way):
    """Whether these squares are passed in this order."""
    rest = iter(way)
    return all(square in rest for square in between)


def listed(state, most):
    """The actions of a state as a list."""
    out = np.zeros(most, np.int64)
    with np.errstate(over="ignore"):
        count = int(state.actions(out))
    return out[:count].tolist()


