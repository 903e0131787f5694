"""How chess is written: positions as FEN (David Forsyth, 1883; Steven Edwards, 1994), moves as SAN and as UCI, and a picture.

All functions take a state, a record of the rules, which is a moment of the game as the player to move sees it.

>>> from outplay.game import load
>>> game = load("chess")
>>> position = game.position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
>>> state = game.record(position.state)
>>> write_san(state, read_move(state, "e1g1")), write_san(state, read_move(state, "Rxh8"))
('O-O', 'Rxh8+')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from outplay.errors import BadNotation, shorten
from outplay.games.chess.boards import KING, NONE, squares
from outplay.games.chess.moves import CASTLING, EN_PASSANT, TO_KNIGHT, checkers, describe, legal_en_passant
from outplay.jit import byteswap, popcount, u64
from outplay.values import Cell, Picture

PIECES = "pnbrqk"
PROMOTIONS = "nbrq"  # in the order of the kinds TO_KNIGHT … TO_QUEEN
FIGURES = {"K": "♔", "Q": "♕", "R": "♖", "B": "♗", "N": "♘", "P": "♙", "k": "♚", "q": "♛", "r": "♜", "b": "♝", "n": "♞", "p": "♟"}
WORDS = ("mine", "pawns", "knights", "diagonals", "straights", "kings", "castling", "en_passant")


def square_name(square: int) -> str:
    """A square's name: 0 is a1, 63 is h8.

    >>> square_name(28), parse_square("e4")
    ('e4', 28)
    """
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


def parse_square(name: str) -> int:
    """The square of that name."""
    if not re.fullmatch("[a-h][1-8]", name):
        raise BadNotation(f"expected a square from a1 to h8, got {shorten(name)!r}")
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


# ---------------------------------------------------------------- positions


def board(state: Any) -> list[str]:
    """The 64 squares from a1 on, each a FEN letter or empty, as White sees them."""
    words = {name: int(state[name]) for name in WORDS[:6]}
    flip = 56 * int(state.turn)
    cells = [""] * 64
    for square in range(64):
        bit = 1 << square
        if words["pawns"] & bit:
            letter = "p"
        elif words["knights"] & bit:
            letter = "n"
        elif words["kings"] & bit:
            letter = "k"
        elif words["diagonals"] & bit:
            letter = "q" if words["straights"] & bit else "b"
        elif words["straights"] & bit:
            letter = "r"
        else:
            continue
        is_white = bool(words["mine"] & bit) == (state.turn == 0)
        cells[square ^ flip] = letter.upper() if is_white else letter
    return cells


def set_board(state: Any, cells: Sequence[str], castling: Iterable[int], passed: int | None, turn: int) -> None:
    """Fill a state from 64 FEN letters, the squares of rooks that may castle and the square a pawn has passed."""
    words = dict.fromkeys(WORDS, 0)
    for square, letter in enumerate(cells):
        if letter:
            bit = 1 << square
            kind = letter.lower()
            words["pawns"] |= bit * (kind == "p")
            words["knights"] |= bit * (kind == "n")
            words["diagonals"] |= bit * (kind in "bq")
            words["straights"] |= bit * (kind in "rq")
            words["kings"] |= bit * (kind == "k")
            words["mine"] |= bit * (letter.isupper() == (turn == 0))
    words["castling"] = sum(1 << square for square in castling)
    words["en_passant"] = 0 if passed is None else 1 << passed
    for name, word in words.items():
        state[name] = byteswap(word) if turn else u64(word)
    state.turn = turn


def set_up(state: Any, number: int) -> None:
    """Fill a state with a Chess960 starting position by its number (Reinhard Scharnagl's numbering; 518 is the usual one)."""
    row = [""] * 8
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)[0], rest % 6
    row[2 * light + 1] = row[2 * dark] = "B"
    free = [file for file in range(8) if not row[file]]
    row[free[queen]] = "Q"
    free = [file for file in range(8) if not row[file]]
    pairs = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    for choice in pairs[knights]:
        row[free[choice]] = "N"
    for file, letter in zip([file for file in range(8) if not row[file]], "RKR", strict=True):
        row[file] = letter
    cells = [*row, *"PPPPPPPP", *[""] * 32, *"pppppppp", *(letter.lower() for letter in row)]
    rooks = [file for file in range(8) if row[file] == "R"]
    set_board(state, cells, [*rooks, *(file + 56 for file in rooks)], None, 0)
    state.since, state.number = 0, 1


def read_fen(state: Any, text: str) -> None:
    """Fill a state from a FEN of four to six fields; castling rights as KQkq or as files (HAha), as Chess960 needs them."""
    fields = text.split()
    if text == "startpos":
        return set_up(state, 518)
    if not 1 <= len(fields) <= 6:
        raise BadNotation(f"expected a FEN of one to six fields (board, w or b, castling …), got {shorten(text)!r}")
    fields += ["w", "-", "-", "0", "1"][len(fields) - 1 :]
    rows = fields[0].split("/")
    cells: list[str] = []
    for rank, row in enumerate(reversed(rows)):
        for letter in row:
            if letter.isdecimal():
                cells += [""] * int(letter)
            elif letter.lower() in PIECES:
                cells.append(letter)
            else:
                raise BadNotation(f"expected one of {PIECES}, {PIECES.upper()} or a digit in the board of a FEN, got {letter!r}")
        if len(cells) != 8 * rank + 8:
            raise BadNotation(f"expected 8 squares in each row of a FEN, got {row!r}")
    if len(rows) != 8:
        raise BadNotation(f"expected 8 rows in the board of a FEN, got {len(rows)}")
    if fields[1] not in ("w", "b"):
        raise BadNotation(f"expected w or b for the player to move, got {shorten(fields[1])!r}")
    if cells.count("K") != 1 or cells.count("k") != 1:
        raise BadNotation(f"expected one king of each colour, got {cells.count('K')} and {cells.count('k')}")
    turn = "wb".index(fields[1])
    passed = None
    if fields[3] != "-":
        passed = parse_square(fields[3])
        # Kept only where it means something: the pawn has just passed, and one stands ready that might take it.
        back = 8 if turn else -8
        ready = [square for square in squares(KING[passed + back]) if square // 8 == (passed + back) // 8]
        taker = "Pp"[turn]
        if (passed // 8 != (2 if turn else 5) or cells[passed] or cells[passed + back] != "pP"[turn] or cells[passed - back]
                or all(cells[square] != taker for square in ready)):
            passed = None
    for name, value in (("half-moves", fields[4]), ("move number", fields[5])):
        if not value.isdecimal() or len(value) > 9 or int(value) > 30_000:
            raise BadNotation(f"expected a whole number of {name} in a FEN, got {shorten(value)!r}")
    set_board(state, cells, _read_castling(cells, fields[2]), passed, turn)
    state.since, state.number = int(fields[4]), max(int(fields[5]), 1)


def _read_castling(cells: Sequence[str], text: str) -> set[int]:
    """The squares of the rooks that may castle; a right without its king or rook on the first rank is dropped."""
    found = set()
    for letter in "" if text == "-" else text:
        white = letter.isupper()
        home = 0 if white else 56
        row = [cell if cell.isupper() == white else "" for cell in cells[home : home + 8]]
        row = [cell.lower() for cell in row]
        if letter.lower() not in "kqabcdefgh":
            raise BadNotation(f"expected castling rights such as KQkq or -, got {shorten(text)!r}")
        if "k" not in row:
            continue
        king = row.index("k")
        rooks = [file for file in range(8) if row[file] == "r"]
        if letter.lower() == "k":
            rooks = [file for file in rooks if file > king][-1:]
        elif letter.lower() == "q":
            rooks = [file for file in rooks if file < king][:1]
        else:
            rooks = [file for file in rooks if file == "abcdefgh".index(letter.lower())]
        found.update(home + file for file in rooks)
    return found


def write_fen(state: Any) -> str:
    """The FEN of a state; en passant is written where a capture is legal."""
    cells = board(state)
    rows = ["".join(cell or " " for cell in cells[8 * rank : 8 * rank + 8]) for rank in reversed(range(8))]
    placed = re.sub(" +", lambda gap: str(len(gap[0])), "/".join(rows))
    flip = 56 * int(state.turn)
    rights = ""
    may_castle = {square ^ flip for square in squares(state.castling)}
    for home, king, rook in ((0, "K", "R"), (56, "k", "r")):
        row = cells[home : home + 8]
        for side in (7, 0):
            files = [file for file in range(8) if home + file in may_castle and (file > row.index(king)) == (side == 7)]
            for file in files:
                outer = row[file + 1 :] if side else row[:file]
                letter = "kq"[side == 0] if rook not in outer else "abcdefgh"[file]
                rights += letter.upper() if home == 0 else letter
    passed = "-"
    if state.en_passant != NONE and legal_en_passant(state):
        passed = square_name(squares(state.en_passant)[0] ^ flip)
    return f"{placed} {'wb'[state.turn]} {rights or '-'} {passed} {state.since} {state.number}"


def impossible(state: Any) -> str | None:
    """Why no game could have led here, as far as the rules need to know; None for a fine position."""
    cells = board(state)
    if set(cells[:8] + cells[56:]) & {"p", "P"}:
        return "a pawn stands on the first or last rank"
    for colour, letters in (("White", "PNBRQK"), ("Black", "pnbrqk")):
        own = [cell for cell in cells if cell in letters and cell]
        if len(own) > 16 or own.count(letters[0]) > 8:
            return f"{colour} has too many pieces"
        promoted = sum(max(0, own.count(letter) - usual) for letter, usual in zip(letters[1:5], (2, 2, 2, 1), strict=True))
        if promoted + own.count(letters[0]) > 8:
            return f"{colour} has more promoted pieces than pawns are missing"
    if int(KING[squares(state.kings)[0]]) & int(state.kings):
        return "the kings stand side by side"
    other = state.copy()
    for name in WORDS:
        other[name] = byteswap(state[name])
    other.mine = byteswap((state.pawns | state.knights | state.diagonals | state.straights | state.kings) & ~state.mine)
    if checkers(other) != NONE:
        return f"{'Black' if state.turn == 0 else 'White'} is in check and not to move"
    if popcount(checkers(state)) > 2:
        return "three pieces give check"
    return None


# ---------------------------------------------------------------- moves


def write_uci(state: Any, action: int, *, chess960: bool = False) -> str:
    """A move as UCI writes it: e2e4, e7e8q, and castling as the king's own way (or, in Chess960, as king takes rook)."""
    source, target, kind = describe(action)
    if kind == CASTLING and not chess960 and source % 8 == 4 and target % 8 in (0, 7):
        target = source + 2 if target > source else source - 2
    flip = 56 * int(state.turn)
    return square_name(source ^ flip) + square_name(target ^ flip) + (PROMOTIONS[kind - TO_KNIGHT] if kind >= TO_KNIGHT else "")


def legal(state: Any) -> list[int]:
    """The legal moves of a state, in plain Python."""
    out = np.zeros(256, np.int32)
    with np.errstate(over="ignore"):
        return [int(action) for action in out[: state.actions(out)]]


def read_move(state: Any, text: str, actions: Sequence[int] | None = None) -> int:
    """The legal move that a text in UCI or SAN means; `actions` are the legal moves where they are known already."""
    actions = legal(state) if actions is None else actions
    if re.fullmatch("[a-h][1-8][a-h][1-8][nbrqNBRQ]?", text):
        flip = 56 * int(state.turn)
        source, target = parse_square(text[:2]) ^ flip, parse_square(text[2:4]) ^ flip
        for action in actions:
            from_square, to_square, kind = describe(action)
            if from_square != source:
                continue
            promotion = PROMOTIONS[kind - TO_KNIGHT] if kind >= TO_KNIGHT else ""
            if kind == CASTLING and source == 4 and target == (6 if to_square > source else 2):
                return action
            if to_square == target and promotion == text[4:].lower():
                return action
        raise BadNotation(f"illegal move {text!r} in {write_fen(state)}")
    return read_san(state, text, actions)


_SAN = re.compile(r"([NBRQK]?)([a-h]?)([1-8]?)[-x:]?([a-h][1-8])(?:=?\(?([NBRQnbrq])\)?)?(?:e\.?p\.?)?")
_FIELD = {"": "pawns", "N": "knights", "K": "kings", "B": "diagonals", "R": "straights", "Q": "diagonals"}


def read_san(state: Any, text: str, actions: Sequence[int] | None = None) -> int:
    """The legal move that a SAN text means: Nf3, exd5, R1a3, e8=Q+, O-O; checks and remarks may be missing or wrong."""
    actions = legal(state) if actions is None else actions
    plain = text.strip().rstrip("+#!?")
    castle = re.fullmatch("([O0o])-?\\1(-?\\1)?", plain)
    if castle:
        found = [a for a in actions if a >> 12 == CASTLING and ((a >> 6 & 63) < (a & 63)) == bool(castle[2])]
    else:
        parts = _SAN.fullmatch(plain)
        if not parts:
            raise BadNotation(f"expected a move such as e4, Nf3, O-O or e2e4, got {shorten(text)!r} in {write_fen(state)}")
        letter, file, rank, target_name, promotion = parts.groups()
        flip = 56 * int(state.turn)
        target = parse_square(target_name) ^ flip
        movers = int(state[_FIELD[letter]])
        if letter in ("B", "R"):
            movers &= ~(int(state.straights) & int(state.diagonals))
        elif letter == "Q":
            movers &= int(state.straights)
        kind = PROMOTIONS.index(promotion.lower()) + TO_KNIGHT if promotion else 0
        found = [
            a for a in actions
            if (a >> 6 & 63) == target and movers >> (a & 63) & 1 and a >> 12 != CASTLING
            and (a >> 12 if a >> 12 >= TO_KNIGHT else 0) == kind
            and (not file or "abcdefgh"[a & 7] == file) and (not rank or str((a >> 3 & 7 ^ flip >> 3) + 1) == rank)
        ]
    if len(found) == 1:
        return found[0]
    problem = "illegal" if not found else "ambiguous"
    raise BadNotation(f"{problem} move {shorten(text)!r} in {write_fen(state)}")


def write_san(state: Any, action: int, actions: Sequence[int] | None = None) -> str:
    """A legal move in SAN."""
    actions = legal(state) if actions is None else actions
    source, target, kind = describe(action)
    flip = 56 * int(state.turn)
    cells = board(state)
    letter = cells[source ^ flip].upper()
    if kind == CASTLING:
        text = "O-O" if target > source else "O-O-O"
    elif letter == "P":
        takes = bool(cells[target ^ flip]) or kind == EN_PASSANT
        text = ("abcdefgh"[source % 8] + "x" if takes else "") + square_name(target ^ flip)
        if kind >= TO_KNIGHT:
            text += "=" + PROMOTIONS[kind - TO_KNIGHT].upper()
    else:
        rivals = [a & 63 for a in actions if a >> 6 & 63 == target and a & 63 != source and a >> 12 != CASTLING
                  and cells[(a & 63) ^ flip].upper() == letter]
        name = square_name(source ^ flip)
        if not rivals:
            which = ""
        elif all(rival % 8 != source % 8 for rival in rivals):
            which = name[0]
        elif all(rival // 8 != source // 8 for rival in rivals):
            which = name[1]
        else:
            which = name
        text = letter + which + ("x" if cells[target ^ flip] else "") + square_name(target ^ flip)
    after = state.copy()
    with np.errstate(over="ignore"):
        after.play(action)
        if checkers(after) != NONE:
            text += "+" if after.has_moves() else "#"
    return text


# ---------------------------------------------------------------- whole games


def draw_claim(states: Sequence[Any]) -> str | None:
    """The draw that a player may claim at the end of a game, given as all its states: by repetition, by fifty moves, or None."""
    last = states[-1]
    with np.errstate(over="ignore"):
        key = last.key()
        # Positions before the last capture or pawn's move cannot come again; equal ones have the same player to move.
        recent = states[max(0, len(states) - 1 - int(last.since)) :]
        if sum(state.key() == key for state in recent[(len(recent) - 1) % 2 :: 2]) >= 3:
            return "threefold repetition"
    return "fifty moves" if last.since >= 100 else None


# ---------------------------------------------------------------- picture


MEN = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}


def ending(state: Any, has_moves: bool, in_check: bool, longest: int) -> str:
    """How a finished game ended."""
    mover = ("White", "Black")[int(state.turn)]
    if not has_moves:
        return f"{mover} is checkmated" if in_check else f"stalemate: {mover} has no legal move"
    return f"{longest // 2} moves without a capture or a pawn's move" if state.since >= longest else "too little material to mate"


def picture(state: Any) -> Picture:
    """The board as White sees it; a king in check is marked, and a promotion offers its four men."""
    cells = board(state)
    flip = 56 * int(state.turn)

    def drawn(square: int) -> Cell:
        letter = cells[square]
        return Cell(FIGURES[letter], MEN[letter.lower()], 0 if letter.isupper() else 1) if letter else Cell()

    touches, offers = {}, {}
    for action in legal(state):
        source, target, kind = describe(action)
        if TO_KNIGHT <= kind <= TO_KNIGHT + 3:
            offers[action] = Cell("nbrq"[kind - TO_KNIGHT], MEN["nbrq"[kind - TO_KNIGHT]], int(state.turn))
        if kind == CASTLING and source % 8 == 4:
            target = 6 if target > source else 2
        touches[action] = tuple((7 - (square ^ flip) // 8, square % 8) for square in (source, target))
    with np.errstate(over="ignore"):
        checked = "kK"[1 - int(state.turn)] if int(checkers(state)) else ""
    marks = {(7 - square // 8, square % 8): "check" for square in range(64) if checked and cells[square] == checked}
    return Picture(
        cells=tuple(tuple(drawn(8 * rank + file) for file in range(8)) for rank in reversed(range(8))),
        rows=tuple("87654321"),
        columns=tuple("abcdefgh"),
        touches=touches,
        offers=offers,
        marks=marks,
        checkered=True,
        turns=True,
    )
