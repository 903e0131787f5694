"""Played games in the formats that other programs read: PGN for chess, SGF for Go, PDN for checkers.

>>> from outplay.values import Outcome, Record
>>> record = Record("go:size=5", "...../...../...../...../..... x - 0 0 -", ("C3", "C4"), ("Ann", "Bob"), Outcome((1.0, -1.0)))
>>> as_sgf(record)
'(;GM[1]FF[4]CA[UTF-8]SZ[5]KM[7.5]PB[Ann]PW[Bob]RE[B+];B[cc];W[cb])'
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

from outplay.errors import BadValue
from outplay.game import Game, load
from outplay.knowledge import pdn, pgn, sgf
from outplay.values import Record

FORMATS = {".pgn": "chess", ".sgf": "go", ".pdn": "checkers"}


def writer(path: Path, game: Game) -> Callable[[Record], str]:
    """What turns a game's records into text for this file; refuses an ending that is unknown or of another game."""
    wanted = FORMATS.get(path.suffix.lower())
    if wanted is None:
        raise BadValue(f"--export takes a file that ends in .pgn (chess), .sgf (Go) or .pdn (checkers), got {path.name}; "
                       "--save keeps games as JSON")
    name = game.name.partition(":")[0]
    if name != wanted:
        fitting = next((f"end in {ending}" for ending, other in FORMATS.items() if other == name), "are kept by --save, as JSON")
        raise BadValue(f"{path.suffix} holds games of {wanted}; games of {name} {fitting}")
    return {"chess": as_pgn, "go": as_sgf, "checkers": as_pdn}[wanted]


def as_pgn(record: Record) -> str:
    """A game of chess as one of a PGN file."""
    tags = {"Event": "Outplay match", "Date": datetime.date.today().strftime("%Y.%m.%d")}
    if record.reason:
        tags["Termination"] = record.reason
    return pgn.write(pgn.from_record(record, **tags)) + "\n"


def as_pdn(record: Record) -> str:
    """A game of checkers as one of a PDN file."""
    tags = {"Event": "Outplay match", "Date": datetime.date.today().strftime("%Y.%m.%d")}
    return pdn.write(pdn.from_record(record, **tags)) + "\n"


def as_sgf(record: Record) -> str:
    """A game of Go as one line; the opening's stones are set up before the first move."""
    rules: Any = load(record.game).rules
    position = load(record.game).position(record.start)
    rows = record.start.split()[0].split("/")
    stones: dict[str, list[str]] = {"x": [], "o": []}
    for down, row in enumerate(rows):
        for across, symbol in enumerate(row):
            if symbol in stones:
                stones[symbol].append(f"{sgf.LETTERS[across]}{len(rows) - down}")
    first = position.player()
    colors = () if first == 0 else tuple((first + ply) % 2 for ply in range(len(record.actions)))
    utilities = record.outcome.utilities if record.outcome else None
    result = "" if utilities is None else "0" if utilities[0] == utilities[1] else "B+" if utilities[0] > utilities[1] else "W+"
    names = (record.players[0], record.players[1]) if len(record.players) == 2 else ("", "")
    set_up = tuple(stones["x"]), tuple(stones["o"])
    komi = float(rules.parameters["komi"])
    return sgf.write(sgf.GoGame(len(rows), komi, record.actions, colors, *set_up, names, result, record.comments))
