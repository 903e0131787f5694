"""Games of Othello as GGF and as WTHOR files."""

from __future__ import annotations

import re
from collections.abc import Sequence

from outplay.experts.othello.files import START, OthelloGame, is_wthor, read_ggf, read_wthor, write_ggf, write_wthor
from outplay.formats.games import Format, Taken
from outplay.game import Position
from outplay.values import Record


def read(text: str) -> Taken:
    """The first game of a file."""
    game = read_ggf(text)[0]
    last = game.positions()[-1]  # a move that cannot be played is told with its number
    result = () if last.is_terminal() or game.score is None else (("RE", f"{game.score:+g}"),)  # of a game that was broken off
    notes = tuple((game.moves[:ply], said) for ply, said in enumerate(game.comments, start=1) if said)
    return Taken("othello", game.moves, None if game.start == START else game.start, names=(game.black, game.white),
                 tags=(*game.tags, *result), notes=notes)  # fmt: skip


def write(begun: Position, record: Record, lines: Sequence[Sequence[str]]) -> str:
    """A game as one line."""
    return write_ggf(_game(begun, record))


def _game(begun: Position, record: Record) -> OthelloGame:
    black, white = record.players if len(record.players) == 2 else ("", "")
    said = dict(record.notes)
    comments = tuple(said.get(record.actions[:ply], "") for ply in range(1, len(record.actions) + 1))
    position = begun
    for text in record.actions:
        position = position.result(position.parse_action(text))
    score = float(position.utilities()[0]) if position.is_terminal() else None  # discs, empty squares for the winner
    if score is None and re.fullmatch(r"[-+]\d+(\.\d+)?", told := dict(record.tags).get("RE", "")):
        score = float(told)
    if score is None and record.outcome is not None:  # given up, or lost on time
        score = float(record.outcome.utilities[0])
    return OthelloGame(record.actions, black, white, score, str(record.start), record.tags, comments)


FORMAT = Format("GGF (Othello)", lambda text: text.startswith("(") and "GM[Othello]" in text, read, write, only=r"size=(?!8\b)",
                parted=r"(?<=;\))\s*(?=\(;)")


def unpacked(content: bytes, most: int | None) -> str | None:
    """The games of a WTHOR file as GGF, a line each; None for other bytes."""
    return "\n".join(write_ggf(game) for game in read_wthor(content, most)) if is_wthor(content) else None


def write_of_wthor(begun: Position, record: Record, lines: Sequence[Sequence[str]]) -> str:
    """The line of GGF that becomes a game of the base; empty where that has no place for it: another start, or no score."""
    game = _game(begun, record)
    return write_ggf(game) if game.start == START and game.score is not None and game.score % 2 == 0 else ""


def packed(before: bytes, text: str) -> bytes:
    """Games as bytes, behind those of a file."""
    return write_wthor(read_ggf(text), before)


WTHOR = Format("WTHOR (Othello)", lambda text: False, read, write_of_wthor, only=FORMAT.only, unpacked=unpacked, packed=packed)
