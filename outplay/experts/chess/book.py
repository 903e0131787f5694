"""Opening books in the Polyglot format (Fabien Letouzey, 2004): which moves were played in a position, and how well they did.

A file is a sorted list of entries of 16 bytes: the key of a position, a move, its weight, and a word that is not used here.

>>> from outplay.game import load
>>> f"{key(load('chess').start()):016x}"
'463b96181691fc9c'
>>> from outplay.experts.chess import pgn
>>> book = build(pgn.read(["1. e4 e5 1-0", "", '[White "B"]', "1. e4 c5 0-1", "", '[White "C"]', "1. d4 1-0"]))
>>> [(load("chess").start().action_text(action), weight) for action, weight in moves(book, load("chess").start())]
[('d2d4', 2), ('e2e4', 2)]
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from outplay.books.openings import BookFormat
from outplay.errors import BadValue
from outplay.experts.chess.pgn import RESULTS, Game, Problem, read_file
from outplay.experts.chess.polyglot import NUMBERS
from outplay.files import read_bytes, write_whole
from outplay.game import Position
from outplay.games.chess.boards import squares
from outplay.games.chess.moves import CASTLING, TO_KNIGHT, describe
from outplay.games.chess.notation import board, write_san
from outplay.values import Record

ENTRY = np.dtype([("key", ">u8"), ("move", ">u2"), ("weight", ">u2"), ("learn", ">u4")])
PLIES = 20
"""How far into a game a book goes where nobody says."""

Book = np.ndarray
"""Entries sorted by key."""


def key(position: Position) -> int:
    """Polyglot's key of a position."""
    state = _state(position)
    turn, word = int(state.turn), 0
    for square, letter in enumerate(board(state)):
        if letter:
            kind = 2 * "pnbrqk".index(letter.lower()) + letter.isupper()
            word ^= NUMBERS[64 * kind + square]
    cells = board(state)
    for square in squares(state.castling):
        home = square ^ 56 * turn
        king = cells.index("K" if home < 8 else "k")
        word ^= NUMBERS[768 + 2 * (home >= 56) + (home < king)]
    if int(state.en_passant):
        word ^= NUMBERS[772 + squares(state.en_passant)[0] % 8]
    return word ^ (NUMBERS[780] if turn == 0 else 0)


def _state(position: Position) -> Any:
    return position.game.record(position.state)


def encode(position: Position, action: int) -> int:
    """A move as Polyglot writes it."""
    source, target, kind = describe(action)
    flip = 56 * position.player()
    promotion = kind - TO_KNIGHT + 1 if kind >= TO_KNIGHT else 0
    return (target ^ flip) | (source ^ flip) << 6 | promotion << 12


def decode(position: Position, word: int) -> int | None:
    """The legal move that an entry means, or None."""
    found = [action for action in position.actions() if encode(position, action) == word]
    if found:
        return found[0]
    # Some books write castling as the king's own two steps.
    source, target = word >> 6 & 63, word & 63
    for action in position.actions():
        king, rook, kind = describe(action)
        if kind == CASTLING and king ^ 56 * position.player() == source and (rook > king) == (target > source):
            return action
    return None


def load(path: str | Path) -> Book:
    """The entries of a book file."""
    try:
        data = read_bytes(path)
    except OSError as problem:
        raise BadValue(f"cannot read book {str(path)!r}: {problem.strerror}") from None
    if len(data) % ENTRY.itemsize:
        raise BadValue(f"{str(path)!r} is no Polyglot book: expected entries of {ENTRY.itemsize} bytes, got {len(data)} bytes")
    book = np.frombuffer(data, ENTRY)
    return book if np.all(book["key"][1:] >= book["key"][:-1]) else np.sort(book, order="key")


@functools.lru_cache(4)
def cached(path: str) -> Book:
    """The same, read once."""
    return load(path)


def save(book: Book, path: str | Path) -> None:
    """Write a book file."""
    write_whole(path, book.astype(ENTRY).tobytes())


def moves(book: Book, position: Position) -> list[tuple[int, int]]:
    """The moves of a position that a book knows, each with its weight, the best first."""
    wanted = key(position)
    keys = book["key"].astype(np.uint64)
    begin, end = np.searchsorted(keys, np.uint64(wanted), "left"), np.searchsorted(keys, np.uint64(wanted), "right")
    found: dict[int, int] = {}
    for entry in book[begin:end]:
        action = decode(position, int(entry["move"]))
        if action is not None:
            found[action] = found.get(action, 0) + int(entry["weight"])
    return sorted(found.items(), key=lambda pair: -pair[1])


def choose(book: Book, position: Position, source: random.Random) -> int | None:
    """A move of the book, by chance in proportion to the weights; None where the book ends."""
    known = [(action, weight) for action, weight in moves(book, position) if weight > 0]
    return source.choices([a for a, _ in known], [w for _, w in known])[0] if known else None


def build(games: Iterable[Game | Problem], *, plies: int = PLIES, least: int = 1) -> Book:
    """A book from games: two points for the winner's moves, one for a draw's, none for the loser's; `least` games for an entry."""
    counts: dict[tuple[int, int], list[int]] = {}
    for game in games:
        if isinstance(game, Problem):
            continue
        utilities = RESULTS[game.result]
        for position, action in zip(game.positions(), game.actions[:plies], strict=False):
            entry = counts.setdefault((key(position), encode(position, action)), [0, 0])
            entry[0] += 1
            entry[1] += 1 if utilities is None else int(utilities[position.player()]) + 1
    rows = [(where, move, points) for (where, move), (played, points) in counts.items() if played >= least and points > 0]
    return _packed(rows)


def merge(books: Iterable[Book]) -> Book:
    """One book from several: the weights of the same move add up."""
    sums: dict[tuple[int, int], int] = {}
    for book in books:
        for entry in book:
            where = int(entry["key"]), int(entry["move"])
            sums[where] = sums.get(where, 0) + int(entry["weight"])
    return _packed([(*where, weight) for where, weight in sums.items()])


def _packed(rows: list[tuple[int, int, int]]) -> Book:
    """Sorted entries, with the weights of each position brought down to 16 bits."""
    most: dict[int, int] = {}
    for where, _, weight in rows:
        most[where] = max(most.get(where, 0), weight)
    book = np.zeros(len(rows), ENTRY)
    for at, (where, move, weight) in enumerate(sorted(rows, key=lambda row: (row[0], -row[2], row[1]))):
        scaled = max(1, round(weight * min(1.0, 65535 / most[where]))) if weight else 0  # 0: known, and never played
        book[at] = where, move, scaled, 0
    return book


class PolyglotBook:
    """A book of chess in the format of Polyglot."""

    def __init__(self, path: Path) -> None:
        self._entries = load(path)

    def moves(self, position: Position) -> list[tuple[Any, int]]:
        """The moves that the book knows in a position."""
        return list(moves(self._entries, position))

    def results(self, position: Position) -> dict[str, tuple[int, int, int]]:
        """Nothing: the format holds points only."""
        return {}


def _games(files: Sequence[Path], noted: Callable[[int], None], wrong: Callable[[Path, Any], None]) -> Iterator[Game]:
    count = 0
    for path in files:
        for game in read_file(path):
            if isinstance(game, Problem):
                wrong(path, game)
            else:
                count += 1
                noted(count)
                yield game


def _records(files: Sequence[Path], noted: Callable[[int], None], wrong: Callable[[Path, Any], None]) -> Iterator[Record]:
    return (game.record() for game in _games(files, noted, wrong))


def _build(files: Sequence[Path], target: Path, plies: int, least: int, noted: Callable[[int], None],
           wrong: Callable[[Path, Any], None]) -> Book:
    made = build(_games(files, noted, wrong), plies=plies, least=least)
    save(made, target)
    return made


def _merge(files: Sequence[Path], target: Path) -> Book:
    made = merge(load(path) for path in files)
    save(made, target)
    return made


def _spelled(position: Position, action: int) -> str:
    return write_san(_state(position), action, position.actions())


POLYGLOT = BookFormat(".bin", PolyglotBook, _records, _build, _merge, _spelled)
