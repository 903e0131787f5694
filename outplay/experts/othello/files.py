"""Games of Othello in files: GGF (the Generic Game Format of Buro and Durdanovic), WTHOR (the French base) and plain transcripts.

>>> game = read_ggf("(;GM[Othello]PB[Ann]PW[Bob]TY[8]RE[+2.000]B[F5]W[d6//1.2]B[c3];)")[0]
>>> game.black, game.white, game.score, " ".join(game.moves)
('Ann', 'Bob', 2.0, 'f5 d6 c3')
>>> read_transcripts("f5d6c3\\n1. f5 f6")[1].moves
('f5', 'f6')
>>> write_ggf(game)[-20:]
' *]B[F5]W[D6]B[C3];)'
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from outplay.errors import BadNotation, BadValue, IllegalAction, shorten
from outplay.files import read_bytes
from outplay.game import Position, load
from outplay.games.othello.notation import moves_of

START = "---------------------------OX------XO--------------------------- X"
OWN_TAGS = ("GM", "PB", "PW", "RE", "TY", "BO", "B", "W", "C")
"""Tags of a GGF that say what the game itself says."""
WTHOR_HEADER, WTHOR_GAME = 16, 68  # bytes


@dataclass(frozen=True)
class OthelloGame:
    """One game: who played, the moves with their passes, and black's discs less white's where the file tells."""

    moves: tuple[str, ...]
    black: str = ""
    white: str = ""
    score: float | None = None
    start: str = START
    tags: tuple[tuple[str, str], ...] = ()  # what else a GGF says of the game: place, day, clocks, ratings
    comments: tuple[str, ...] = ()  # one a move, where there are any

    def positions(self) -> list[Position]:
        """Every position of the game, the first one included; a move that cannot be played gets one line."""
        position = load("othello", compiled=False).position(self.start)
        found = [position]
        for number, move in enumerate(self.moves, 1):
            try:
                position = position.play(move)
            except (BadNotation, IllegalAction):
                raise BadNotation(f"othello: move {number}, {shorten(move)!r}, cannot be played in {position.text()}") from None
            found.append(position)
        return found


def read(path: str | Path) -> list[OthelloGame]:
    """The games of a file, whichever of the three formats it has."""
    path = Path(path)
    try:
        content = read_bytes(path)
    except OSError as problem:
        raise BadValue(f"cannot read {str(path)!r}: {problem.strerror}") from None
    if path.suffix.lower() in (".wtb", ".wthor"):
        return read_wthor(content)
    text = content.decode("utf-8", "replace")
    return read_ggf(text) if "(;" in text else read_transcripts(text)


# ---------------------------------------------------------------- GGF


def read_ggf(text: str) -> list[OthelloGame]:
    """The Othello games of a GGF text."""
    games = []
    for body in re.findall(r"\(;(.*?);\)", text, re.DOTALL):
        tags = re.findall(r"([A-Z]+)\[([^\]]*)\]", body)
        known = dict(tags)
        if known.get("GM", "Othello").lower() != "othello" or not known.get("TY", "8").startswith("8"):
            raise BadNotation(f"GGF: expected GM[Othello] and TY[8], got "
                              f"GM[{shorten(str(known.get('GM')))}] TY[{shorten(str(known.get('TY')))}]")
        start = START
        if "BO" in known:
            size, _, board = known["BO"].partition(" ")
            if size != "8":
                raise BadNotation(f"GGF: expected a board BO[8 ...], got {shorten(known['BO'])!r}")
            start = load("othello", compiled=False).position(board).text()
        moves = tuple(_ggf_move(value) for tag, value in tags if tag in ("B", "W"))
        score = re.match(r"[-+]?\d+(\.\d+)?", known.get("RE", ""))
        said: list[str] = []
        for tag, value in tags:
            if tag in ("B", "W"):
                said.append("")
            elif tag == "C" and said:
                said[-1] = f"{said[-1]} {value}".strip()
        more = tuple((tag, value) for tag, value in known.items() if tag not in OWN_TAGS)
        games.append(OthelloGame(moves, known.get("PB", ""), known.get("PW", ""), float(score[0]) if score else None, start, more,
                                 tuple(said) if any(said) else ()))  # fmt: skip
    if not games:
        raise BadNotation(f"GGF: expected games such as (;GM[Othello]...;), got {shorten(text)!r}")
    return games


def _ggf_move(value: str) -> str:
    move = value.partition("/")[0].strip().lower()
    return "pass" if move.startswith("pa") else move


def write_ggf(game: OthelloGame) -> str:
    """One game as GGF."""
    board, _, turn = game.start.replace("X", "*").partition(" ")
    seats = "BW" if turn == "*" else "WB"
    moves = "".join(
        f"{seats[number % 2]}[{'PA' if move == 'pass' else move.upper()}]"
        + (f"C[{re.sub(r'[][;]', ' ', game.comments[number])}]" if number < len(game.comments) and game.comments[number] else "")
        for number, move in enumerate(game.moves))  # fmt: skip
    result = "?" if game.score is None else f"{game.score:g}"
    names = "".join(f"{tag}[{re.sub(r'[][;]', ' ', name)}]" for tag, name in (("PB", game.black), ("PW", game.white)))
    more = "".join(f"{tag}[{re.sub(r'[][;]', ' ', value)}]" for tag, value in game.tags if tag not in OWN_TAGS)
    place = "" if "PC" in dict(game.tags) else "PC[Outplay]"
    return f"(;GM[Othello]{place}{more}{names}RE[{result}]TY[8]BO[8 {board} {turn}]{moves};)"


# ---------------------------------------------------------------- WTHOR


def is_wthor(content: bytes) -> bool:
    """Whether bytes begin like a WTHOR file: a day, games, and a board of size 8 (written 0, too) or 10."""
    if len(content) < WTHOR_HEADER:
        return False
    month, day, count = content[2], content[3], struct.unpack_from("<i", content, 4)[0]
    return month <= 12 and day <= 31 and count > 0 and content[12] in (0, 8, 10) and content[15] == 0


def read_wthor(content: bytes, most: int | None = None) -> list[OthelloGame]:
    """The games of a WTHOR file of games on 8x8, or the first ones; passes, which the base leaves out, are put in."""
    if len(content) < WTHOR_HEADER:
        raise BadNotation(f"WTHOR: expected a header of {WTHOR_HEADER} bytes, got {len(content)}")
    count, size = struct.unpack_from("<i", content, 4)[0], content[12]
    if size not in (0, 8):
        raise BadNotation(f"WTHOR: expected boards of size 8, got {size}")
    whole = WTHOR_HEADER + max(0, count) * WTHOR_GAME
    if most is not None and len(content) >= (enough := min(whole, WTHOR_HEADER + most * WTHOR_GAME)):
        content = content[:enough]
    elif len(content) != whole:
        raise BadNotation(f"WTHOR: a file of {count} games has {whole} bytes, and this one has {len(content)}")
    year = struct.unpack_from("<H", content, 10)[0]
    game: Any = load("othello", compiled=False)
    found: list[OthelloGame] = []
    for at in range(WTHOR_HEADER, len(content), WTHOR_GAME):
        event, black, white, _, best = struct.unpack_from("<HHHBB", content, at)
        position, moves = game.start(), []
        for number in content[at + 8 : at + WTHOR_GAME]:
            if number == 0:
                break
            row, column = divmod(number, 10)
            if not (1 <= row <= 8 and 1 <= column <= 8):
                raise BadNotation(f"WTHOR: game {len(found) + 1} has a move {number}; moves are 11 to 88")
            if position.actions() == (64,):
                moves.append("pass")
                position = position.result(64)
            cell = 8 * (row - 1) + column - 1
            if cell not in position.actions():
                raise BadNotation(f"WTHOR: game {len(found) + 1} has an illegal move {position.action_text(cell)}")
            moves.append(position.action_text(cell))
            position = position.result(cell)
        said = ("DT", str(year) if year else ""), ("EV", f"tournament {event}" if event else ""), ("BEST", f"{2 * best - 64:+d}")
        found.append(OthelloGame(tuple(moves), f"player {black}", f"player {white}", 2.0 * content[at + 6] - 64,
                                 tags=tuple((tag, value) for tag, value in said if value)))  # fmt: skip
    return found


def write_wthor(games: Iterable[OthelloGame], before: bytes = b"") -> bytes:
    """Games from the usual start that have a score, as a WTHOR file, or behind those of one.

    The base writes numbers where other files have names (these stand in files of their own): `player 7` and `tournament 3` are
    kept, everybody else is its number 0, unknown. The best score possible is the one that was reached, unless `BEST` says it."""
    made = [_wthor_game(game) for game in games]
    years = [found[0] for game in games for found in [re.search(r"\b\d{4}\b", dict(game.tags).get("DT", ""))] if found]
    if before:
        read_wthor(before, 1)  # a file of another kind is not written to
        header, made = bytearray(before[:WTHOR_HEADER]), [before[WTHOR_HEADER:], *made]
        struct.pack_into("<i", header, 4, sum(map(len, made)) // WTHOR_GAME)
        return bytes(header) + b"".join(made)
    today = date.today()
    return struct.pack("<BBBBiHHBBBx", today.year // 100, today.year % 100, today.month, today.day, len(made), 0,
                       int(years[0]) if years else today.year, 8, 0, 0) + b"".join(made)  # fmt: skip


def _wthor_game(game: OthelloGame) -> bytes:
    if game.start != START or game.score is None or not (-64 <= game.score <= 64 and game.score % 2 == 0):
        raise BadNotation(f"WTHOR holds games from the usual start with an even score, got {game.score} from {game.start}")
    moves = [move for move in game.moves if move != "pass"]
    game.positions()
    said = dict(game.tags)
    best = re.fullmatch(r"[-+]?\d+", said.get("BEST", ""))
    numbers = [re.fullmatch(rf"{kind} (\d{{1,5}})", name) for kind, name in
               (("tournament", said.get("EV", "")), ("player", game.black), ("player", game.white))]  # fmt: skip
    cells = bytes(10 * int(move[1]) + "abcdefgh".index(move[0]) + 1 for move in moves)
    reached = int(game.score)
    scores = (64 + reached) // 2, (64 + max(-64, min(64, int(best[0]) if best else reached))) // 2
    head = struct.pack("<HHHBB", *(min(int(found[1]), 65535) if found else 0 for found in numbers), *scores)
    return head + cells.ljust(60, b"\0")


# ---------------------------------------------------------------- transcripts


def read_transcripts(text: str) -> list[OthelloGame]:
    """One game a line; empty lines and comments after # are left out."""
    games = []
    for line in text.splitlines():
        plain = line.partition("#")[0].strip()
        if plain:
            try:
                games.append(OthelloGame(tuple(moves_of(plain))))
            except ValueError as problem:
                raise BadNotation(f"othello: {problem}") from None
    return games


def write_transcripts(games: Iterable[OthelloGame]) -> str:
    """One game a line, passes left out as is the custom."""
    return "".join("".join(move for move in game.moves if move != "pass") + "\n" for game in games)
