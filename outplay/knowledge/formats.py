"""Games as files: read by what they say, written in the game's own format (chess PGN, Go SGF, checkers PDN, others JSON).

>>> taken = read('[White "Ann"]\\n\\n1. e4 e5 2. Nf3 *')
>>> taken.game, taken.actions, taken.names
('chess', ('e2e4', 'e7e5', 'g1f3'), ('Ann', '?'))
>>> read("(;GM[1]SZ[9]KM[6.5];B[ee];W[cc])").game
'go:size=9,komi=6.5'
>>> read("1. 11-15 23-19 8-11 *").game
'checkers'
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from outplay.errors import BadNotation, BadValue
from outplay.game import Position
from outplay.knowledge import pdn, pgn, sgf
from outplay.values import Outcome, Record


@dataclass(frozen=True)
class Taken:
    """A game out of a file."""

    game: str
    actions: tuple[str, ...]
    start: str | None = None
    players: tuple[str, ...] = ()  # texts of players, where the file has them
    names: tuple[str, ...] = ()  # who played


def read(text: str) -> Taken:
    """The first game of a file; what it is written in is told by how it begins."""
    text = text.lstrip("\ufeff \t\r\n")
    if not text:
        raise BadNotation("this file is empty")
    if text.startswith("{"):
        return _json(text)
    if text.startswith("("):
        return _sgf(text)
    if text.startswith("[") or text[:1].isdecimal():
        is_checkers = re.search(r"^\[GameType ", text, re.MULTILINE) or re.search(r"(?m)^1\.\s*[a-h]?\d+[-x:][a-h]?\d+", text)
        for game in (pdn if is_checkers else pgn).read(text.splitlines()):
            if isinstance(game, pgn.Problem):
                raise BadNotation(f"this {'PDN' if is_checkers else 'PGN'} cannot be read: {game.message}")
            record = game.record()
            plain = game.start().game.start().text() == record.start
            return Taken(record.game, record.actions, None if plain else record.start, names=record.players)
    raise BadNotation("expected a game as PGN (chess), SGF (Go), PDN (checkers) or a file saved here (JSON)")


def _json(text: str) -> Taken:
    try:
        kept = json.loads(text)
        actions, players = (tuple(map(str, kept.get(key) or ())) for key in ("actions", "players"))
        taken = Taken(str(kept["game"]), actions, kept.get("start"), players)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadNotation("this file is not a game saved here: expected JSON with game and actions") from None
    return taken


def _sgf(text: str) -> Taken:
    if "GM[1]" not in text and "GM[2]" in text:
        raise BadNotation("Othello's GGF and SGF are not read here yet")
    game = sgf.read(text)
    if game.black or game.white:
        raise BadValue("this SGF sets stones up before the first move, which a game here cannot begin with")
    if game.colors:
        raise BadValue("in this SGF one colour moves twice in a row")
    return Taken(f"go:size={game.size},komi={game.komi:g}", game.moves, names=game.players)


def kind_of(game: str) -> str:
    """The ending of a file for this game."""
    return {"chess": "pgn", "go": "sgf", "checkers": "pdn"}.get(game.split(":")[0], "json")


def write(game: str, begun: Position, actions: Sequence[str], players: Sequence[str], outcome: Outcome | None) -> tuple[str, str]:
    """The text of a finished or unfinished game and the ending of its file."""
    kind = kind_of(game)
    if kind == "pgn":
        record = Record(game, begun.text(), tuple(actions), tuple(players), outcome)
        return pgn.write(pgn.from_record(record, Event="Outplay studio", Site="?")), kind
    if kind == "pdn":
        record = Record(game, begun.text(), tuple(actions), tuple(players), outcome)
        return pdn.write(pdn.from_record(record, Event="Outplay studio")), kind
    if kind == "sgf":
        parameters: Any = importlib.import_module("outplay.game").load(game, compiled=False).rules.parameters
        won = "" if outcome is None else "0" if outcome.winner is None else "BW"[outcome.winner] + "+"
        return sgf.write(sgf.GoGame(int(parameters["size"]), float(parameters["komi"]), tuple(actions),
                                    players=(players[0], players[1]), result=won)) + "\n", kind  # fmt: skip
    start = None if begun.text() == begun.game.start().text() else begun.text()
    return json.dumps({"game": game, "start": start, "actions": list(actions), "players": list(players)}) + "\n", kind
