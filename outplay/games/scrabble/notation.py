"""How positions, plays and boards of Scrabble are written and drawn.

A position is one line after the fashion of CGP: rows of the board from the top, figures for empty squares, blanks in lower case;
the racks; the scores; turns without points; whose turn it is (0 the first); and what is going on besides.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from outplay.games.scrabble.sets import GROUNDS
from outplay.picture import Cell, Hand, Picture

COLUMNS = "ABCDEFGHIJKLMNO"
HIDDEN = "*"


class Set(NamedTuple):
    """The board and the tiles of a game."""

    rows: tuple[str, ...]
    counts: tuple[int, ...]
    values: tuple[int, ...]
    seats: int
    rack: int
    names: tuple[str, ...]
    is_word: Callable[[str], bool]
    strict: bool  # whether words across must be right, too

    @property
    def size(self) -> int:
        """Squares a side."""
        return len(self.rows)

    def place(self, row: int, column: int) -> int:
        """Where a square is kept."""
        return (row + 1) * (self.size + 1) + column + 1


def letter(tile: int) -> str:
    """A tile of the board as a letter, lower case for a blank.

    >>> letter(1), letter(33), letter(0)
    ('A', 'a', '?')
    """
    return "?" if tile in (0, 32) else chr(64 + tile)


def code(symbol: str) -> int:
    """The tile that a letter stands for."""
    return ord(symbol) - 64


def rack_text(counts: Any, held: int) -> str:
    """The tiles of a rack, letters first, then blanks, then those not seen."""
    known = "".join(chr(64 + k) * int(counts[k]) for k in range(1, 27)) + "?" * int(counts[0])
    return known + HIDDEN * (held - len(known))


def read_rack(text: str) -> tuple[list[int], int]:
    """Tiles counted, and how many there are with those not seen."""
    if not re.fullmatch(r"[A-Z?*]*", text):
        raise ValueError(f"a rack is letters, ? for a blank, * for a tile not seen, got {text}")
    return [text.count("?"), *(text.count(chr(64 + k)) for k in range(1, 27))], len(text)


def text(state: Any, of: Set) -> str:
    """A position as one line."""
    rows = []
    for row in range(of.size):
        line, empty = "", 0
        for column in range(of.size):
            tile = int(state.squares[of.place(row, column)])
            if tile == 0:
                empty += 1
            else:
                line += (str(empty) if empty else "") + letter(tile)
                empty = 0
        rows.append(line + (str(empty) if empty else ""))
    racks = "/".join(rack_text(state.racks[seat], int(state.held[seat])) for seat in range(of.seats))
    scores = "/".join(str(int(score)) for score in state.scores)
    extra = ""
    if state.dealing:
        extra = " deal"
    elif state.swapping:
        extra = f" swap:{rack_text(state.aside, int(state.need))}"
    elif state.need:
        extra = f" draw:{int(state.need)}"
    if state.asked:
        play = int(state.laid[0]) | int(state.laid[1]) << 30
        extra += f" doubt:{int(state.asked) - 1}:{play}:{int(state.gain)}:{int(state.fresh)}"
    if state.skip:
        extra += f" skip:{int(state.skip)}"
    if state.over:
        extra += " over"
    return f"{'/'.join(rows)} {racks} {scores} {int(state.idle)} {int(state.turn)}{extra}"


def parse(state: Any, line: str, of: Set) -> None:
    """Fill a record that has its walls from such a line."""
    parts = line.split(" ")
    expected = "expected board, racks, scores, turns without points and whose turn, such as 15/…/15 AEINRST/AEIOURN 0/0 0 0"
    if len(parts) < 5:
        raise ValueError(expected)
    rows = parts[0].split("/")
    if len(rows) != of.size:
        raise ValueError(f"the board has {of.size} rows, got {len(rows)}")
    for row, line_text in enumerate(rows):
        column = 0
        for piece in re.findall(r"\d+|.", line_text):
            if piece.isdecimal():
                column += int(piece)
            elif re.fullmatch("[A-Za-z]", piece) and column < of.size:
                state.squares[of.place(row, column)] = code(piece)
                column += 1
            else:
                raise ValueError(f"row {row + 1} of the board cannot be read at {piece!r}")
        if column != of.size:
            raise ValueError(f"row {row + 1} has {column} squares, expected {of.size}")
    racks, scores = parts[1].split("/"), parts[2].split("/")
    if len(racks) != of.seats or len(scores) != of.seats:
        raise ValueError(f"expected {of.seats} racks and scores, parted by /")
    for seat in range(of.seats):
        counts, held = read_rack(racks[seat])
        if held > of.rack:
            raise ValueError(f"a rack has at most {of.rack} tiles, got {racks[seat]}")
        state.racks[seat], state.held[seat] = counts, held
        if not re.fullmatch(r"-?\d{1,4}", scores[seat]):
            raise ValueError(f"a score is a whole number, got {scores[seat]}")
        state.scores[seat] = int(scores[seat])
    if not (parts[3].isdecimal() and parts[4].isdecimal() and int(parts[4]) < of.seats and int(parts[3]) <= 20):
        raise ValueError(expected)
    state.idle, state.turn = int(parts[3]), int(parts[4])
    state.dealing = state.need = 0
    for part in parts[5:]:
        word, _, rest = part.partition(":")
        if word == "deal" and not rest:
            state.dealing, state.need = 1, of.rack
        elif word == "draw" and rest.isdecimal() and 1 <= int(rest) <= of.rack:
            state.need = int(rest)
        elif word == "swap":
            counts, count = read_rack(rest)
            state.aside, state.need, state.swapping = counts, count, 1
        elif word == "doubt" and re.fullmatch(r"\d:\d{1,16}:\d{1,4}:\d{1,5}", rest):
            asked, play, gain, fresh = (int(number) for number in rest.split(":"))
            if asked >= of.seats or play >> 11 == 0 or play >= 1 << 53 or fresh >= 1 << of.size or gain > 3000:
                raise ValueError(f"{part} cannot be read")
            state.asked, state.gain, state.fresh = asked + 1, gain, fresh
            state.laid = (play & 0x3FFFFFFF, play >> 30)
        elif word == "skip" and rest.isdecimal() and int(rest) < 1 << of.seats:
            state.skip = int(rest)
        elif part == "over":
            state.over = 1
        else:
            raise ValueError(f"{part!r} cannot be read")
    on_board = sum(int(tile) > 0 for tile in state.squares)
    aside = int(state.need) if state.swapping else 0
    state.left = sum(of.counts) - on_board - sum(int(held) for held in state.held) - aside
    if state.dealing:
        state.need = min(of.rack, int(state.left))


def objection(state: Any, of: Set) -> str | None:
    """Why a position cannot arise."""
    if any(count < 0 for count in state.bag):
        k = next(k for k in range(27) if state.bag[k] < 0)
        return f"there are only {of.counts[k]} tiles {letter(k)}"
    if state.left < 0:
        return f"there are only {sum(of.counts)} tiles"
    middle = next(of.place(row, line.index("*")) for row, line in enumerate(of.rows) if "*" in line)
    if state.squares[middle] == 0 and any(int(tile) > 0 for tile in state.squares):
        return "the first word lies on the star"
    if state.need > state.left:
        return f"{int(state.need)} tiles are to be drawn from {int(state.left)}"
    if state.swapping and (state.held[int(state.turn)] + state.need > of.rack or state.need == 0 or state.dealing):
        return "more is swapped than a rack holds"
    if (state.need and not state.dealing and state.held[int(state.turn)] + state.need > of.rack) or (state.need and state.over):
        return "more is drawn than a rack holds"
    if state.dealing and (state.need == 0 or any(int(held) for held in state.held[int(state.turn) :]) or state.asked):
        return "tiles are dealt in order, before the first turn"
    if state.asked and (state.need or state.over or state.asked - 1 == state.turn):
        return "a play is doubted before tiles are drawn, by another player"
    if state.asked:
        play = int(state.laid[0]) | int(state.laid[1]) << 30
        square, step = play >> 3 & 255, 1 if play >> 2 & 1 == 0 else of.size + 1
        if square >= of.size**2:
            return "the play that is doubted is not on the board"
        first = of.place(*divmod(square, of.size))
        tiles = play >> 11
        for k in range(of.size):
            if int(state.fresh) >> k & 1:
                at = first + k * step
                if at >= len(state.squares) or int(state.squares[at]) != tiles & 63 or tiles == 0:
                    return "the play that is doubted does not lie there"
                tiles >>= 6
        if tiles:
            return "the play that is doubted does not lie there"
    if not state.over and not state.dealing and not state.need and not state.asked and state.held[int(state.turn)] == 0:
        return "the player to move has no tiles"
    return None


def word_of(state: Any, action: int, of: Set) -> tuple[int, int, int, str]:
    """Row, column and direction (1 down) of the whole word that a play makes, and the word, blanks in lower case."""
    direction, square, tiles = action >> 2 & 1, action >> 3 & 255, action >> 11
    squares, stride = state.squares, of.size + 1
    step = 1 if direction == 0 else stride
    at = of.place(*divmod(square, of.size))
    while squares[at - step] > 0:
        at -= step
    row, column = divmod(at, stride)
    word = ""
    while (tile := int(squares[at])) >= 0:  # up to the wall
        if tile == 0:
            if tiles == 0:
                break
            tile, tiles = tiles & 63, tiles >> 6
        word += letter(tile)
        at += step
    return row - 1, column - 1, direction, word


def action_text(state: Any, action: int, of: Set) -> str:
    """A play as 8H:QUIXOTRY, the rest in words."""
    if state.need:
        drawn = ""
        while action:
            drawn, action = drawn + letter((action & 31) - 1), action >> 5
        return f"draw:{drawn}"
    kind = action & 3
    if kind == 3:
        return "challenge" if action >> 2 else "accept"
    if kind == 0:
        return "pass"
    if kind == 2:
        tiles, swapped = action >> 11, ""
        while tiles:
            swapped, tiles = swapped + letter(tiles & 63), tiles >> 6
        return f"swap:{swapped}"
    row, column, direction, word = word_of(state, action, of)
    where = f"{row + 1}{COLUMNS[column]}" if direction == 0 else f"{COLUMNS[column]}{row + 1}"
    return f"{where}:{word}"


def parse_action(state: Any, line: str, of: Set) -> int:
    """The action that a text means: `8H QUIXOTRY`, `h8 cat`, `swap:AEI`, `exchange aei`, `-AEI`, `pass`; or why it means none."""
    line = line.strip()
    if state.need:
        found = re.fullmatch(r"draw[: ]([A-Z?]+)", line)
        if not found or len(found[1]) != state.need:
            raise ValueError(f"expected draw:TILES, {int(state.need)} of them")
        packed = 0
        for number, k in enumerate(sorted(0 if symbol == "?" else ord(symbol) - 64 for symbol in found[1])):
            packed |= (k + 1) << (5 * number)
        return packed
    if line.lower() in ("accept", "challenge", "pass", "-"):
        return {"accept": 3, "challenge": 7}.get(line.lower(), 0)
    swapped = re.fullmatch(r"(?:(?:swap|exchange|exch|change)\b[: ]?|-)\s*([A-Z?]*)", line, re.IGNORECASE)
    if swapped:
        if not swapped[1]:
            raise ValueError("name the tiles to swap, such as swap:AEI (? is a blank)")
        _have(state, swapped[1].upper())
        if not state.can_swap():
            raise ValueError(f"tiles can be swapped while the bag holds {of.rack}, and it holds {int(state.left)}")
        packed = 0
        for number, k in enumerate(sorted(0 if symbol == "?" else ord(symbol) - 64 for symbol in swapped[1].upper())):
            packed |= (k or 32) << (6 * number)
        return 2 | packed << 11
    placed = re.fullmatch(r"(?:(\d{1,2})([A-Oa-o])|([A-Oa-o])(\d{1,2}))[: ]\s*([A-Za-z.()]+)", line)
    if not placed:
        raise ValueError("expected a play such as 8H:WORD (across) or H8:WORD (down), swap:LETTERS or pass")
    direction = 0 if placed[1] else 1
    row, column = int(placed[1] or placed[4]) - 1, COLUMNS.index((placed[2] or placed[3]).upper())
    word = re.sub("[()]", "", placed[5])
    down, right = (0, 1) if direction == 0 else (1, 0)
    tiles, laid, first, used = 0, 0, None, ""
    if word.islower() and len(word) > int(state.racks[int(state.turn)][0]):
        word = word.upper()  # more than the blanks: somebody did without capitals
    if row < 0 or row + down * (len(word) - 1) >= of.size or column + right * (len(word) - 1) >= of.size:
        raise ValueError(f"{line} does not fit on the board")
    for k, symbol in enumerate(word):
        at = row + down * k, column + right * k
        there = int(state.squares[of.place(*at)])
        if there > 0:
            if symbol != "." and symbol.upper() != letter(there).upper():
                raise ValueError(f"{COLUMNS[at[1]]}{at[0] + 1} has {letter(there)}, not {symbol}")
            continue
        if symbol == ".":
            raise ValueError(f"{COLUMNS[at[1]]}{at[0] + 1} is empty")
        first = at if first is None else first
        tiles |= code(symbol) << (6 * laid)
        used += "?" if symbol.islower() else symbol
        laid += 1
    if first is None or laid > of.rack:
        raise ValueError(f"{line} lays {laid} tiles")
    if laid == 1 and direction == 1:  # a tile in two words is written across
        place = of.place(*first)
        if state.squares[place - 1] > 0 or state.squares[place + 1] > 0:
            direction = 0
    elif laid == 1 and not (state.squares[of.place(*first) - 1] > 0 or state.squares[of.place(*first) + 1] > 0):
        direction = 1
    _have(state, used)
    action = 1 | direction << 2 | (first[0] * of.size + first[1]) << 3 | tiles << 11
    _check_words(state, action, of)
    return action


def _have(state: Any, wanted: str) -> None:
    """Refuse tiles that are not on the rack, where that is seen."""
    rack = rack_text(state.racks[int(state.turn)], int(state.held[int(state.turn)]))
    missing = "".join(sorted((Counter(wanted) - Counter(rack)).elements()))
    if missing and HIDDEN not in rack:
        raise ValueError(f"the rack is {rack}, which lacks {missing}")


def _check_words(state: Any, action: int, of: Set) -> None:
    """Refuse a play that makes something that is no word, or lies apart from all others."""
    *_, whole = word_of(state, action, of)
    if not of.is_word(whole):
        raise ValueError(f"{whole.upper()} is not in the word list")
    direction, tiles, (row, column) = action >> 2 & 1, action >> 11, divmod(action >> 3 & 255, of.size)
    down, right = (0, 1) if direction == 0 else (1, 0)
    touches, middle = False, False
    while tiles:
        if state.squares[of.place(row, column)] > 0:
            touches = True
        else:
            middle = middle or of.rows[row][column] == "*"
            alone = 1 | (1 - direction) << 2 | (row * of.size + column) << 3 | (tiles & 63) << 11
            *_, across = word_of(state, alone, of)
            touches = touches or len(across) > 1
            if len(across) > 1 and of.strict and not of.is_word(across):
                raise ValueError(f"{across.upper()}, which it makes across, is not in the word list")
            tiles >>= 6
        row, column = row + down, column + right
    laid = any(int(tile) > 0 for tile in state.squares)
    if not laid and not middle:
        raise ValueError("the first word must cover the star")
    if laid and not touches and len(whole) == _count_tiles(action):
        raise ValueError("a word must touch one that lies there")


def _count_tiles(action: int) -> int:
    """How many tiles a play lays."""
    return ((action >> 11).bit_length() + 5) // 6


def picture(state: Any, of: Set) -> Picture:
    """The board, the racks and the bag."""
    laid = set()
    if state.asked:
        play = int(state.laid[0]) | int(state.laid[1]) << 30
        row, column = divmod(play >> 3 & 255, of.size)
        laid = {(row, column + k) if play >> 2 & 1 == 0 else (row + k, column) for k in range(15) if int(state.fresh) >> k & 1}
    cells = []
    for row in range(of.size):
        line = []
        for column in range(of.size):
            tile = int(state.squares[of.place(row, column)])
            ground = GROUNDS[of.rows[row][column]]
            note = str(of.values[tile] if tile < 32 else of.values[0])
            mark = "last" if (row, column) in laid else False
            line.append(Cell(letter(tile), "tile", note=note, ground=ground, mark=mark) if tile > 0 else Cell(ground=ground))
        cells.append(tuple(line))
    hands, spots = [], {}
    for seat in range(of.seats):
        shown = rack_text(state.racks[seat], int(state.held[seat]))
        things = tuple(Cell("" if symbol == HIDDEN else symbol, "tile", note="" if symbol == HIDDEN else str(of.values[
            0 if symbol == "?" else ord(symbol) - 64])) for symbol in shown)
        to_move = not state.over and int(state.player()) == seat
        covered = bool(shown) and set(shown) == {HIDDEN}  # a rack that is not seen is a line of words
        note = f"{int(state.scores[seat])} points" + (f", {len(shown)} tiles" if covered else "")
        hands.append(Hand(of.names[seat], () if covered else things, "below", note=note, mark=to_move))
        if seat == state.turn:
            spots = {symbol: [k for k in range(len(shown)) if shown[k] == symbol] for symbol in set(shown)}
    hands.append(Hand("bag", (), "above", note=f"{int(state.left)} tiles"))
    touches: Mapping[int, tuple] = {}
    if spots and HIDDEN not in spots and not state.over and not state.need:  # whose rack is not seen touches nothing
        touches = Touches(state, of, spots)
    return Picture(cells=tuple(cells), rows=tuple(str(row + 1) for row in range(of.size)), columns=tuple(COLUMNS[: of.size]),
                   touches=touches, hands=tuple(hands))


class Touches(Mapping[int, tuple]):
    """Each tile of an action, from the rack to its square, or to the bag: told of the action that is asked for, since a blank makes
    for thousands of plays."""

    def __init__(self, state: Any, of: Set, spots: dict[str, list[int]]) -> None:
        self.state, self.of, self.spots = state, of, spots
        self.squares, self.mine = state.squares.tolist(), of.names[int(state.turn)]

    def __getitem__(self, action: int) -> tuple:
        kind, tiles = action & 3, action >> 11
        if kind in (0, 3):
            return ()
        taken: dict[str, int] = {}
        touched: list[Any] = []
        (row, column), down = divmod(action >> 3 & 255, self.of.size), action >> 2 & 1
        while tiles:
            tile = tiles & 63
            symbol = letter(tile) if tile < 32 else "?"
            number = self.spots[symbol][taken.get(symbol, 0)]
            taken[symbol] = taken.get(symbol, 0) + 1
            while kind == 1 and self.squares[self.of.place(row, column)] > 0:
                row, column = row + down, column + 1 - down
            touched += [(self.mine, number), "bag" if kind == 2 else (row, column)]
            if kind == 1:
                row, column = row + down, column + 1 - down
            tiles >>= 6
        return tuple(touched)

    def __iter__(self) -> Iterator[int]:
        out = np.zeros(type(self.state).most_actions, np.int64)
        yield from out[: int(self.state.actions(out))].tolist()

    def __len__(self) -> int:
        return sum(1 for _ in self)
