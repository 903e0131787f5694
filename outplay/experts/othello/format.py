"""Games of Othello as GGF files, and out of WTHOR files."""

from __future__ import annotations

from collections.abc import Sequence

from outplay.experts.othello.files import START, OthelloGame, is_wthor, read_ggf, read_wthor, write_ggf
from outplay.formats.games import Format, Taken
from outplay.game import Position
from outplay.values import Record


def read(text: str) -> Taken:
    """The first game of a file."""
    game = read_ggf(text)[0]
    game.positions()  # a move that cannot be played is told with its number
    notes = tuple((game.moves[:ply], said) for ply, said in enumerate(game.comments, start=1) if said)
    return Taken("othello", game.moves, None if game.start == START else game.start, names=(game.black, game.white), tags=game.tags,
                 notes=notes)  # fmt: skip


def write(begun: Position, record: Record, lines: Sequence[Sequence[str]]) -> str:
    """A game as one line."""
    black, white = record.players if len(record.players) == 2 else ("", "")
    said = dict(record.notes)
    comments = tuple(said.get(record.actions[:ply], "") for ply in range(1, len(record.actions) + 1))
    position = begun
    for text in record.actions:
        position = position.result(position.parse_action(text))
    score = float(position.utilities()[0]) if position.is_terminal() else None  # discs, empty squares for the winner
    return write_ggf(OthelloGame(record.actions, black, white, score, str(record.start), record.tags, comments))


FORMAT = Format("GGF (Othello)", lambda text: text.startswith("(") and "GM[Othello]" in text, read, write, only=r"size=(?!8\b)",
                parted=r"(?<=;\))\s*(?=\(;)")


def unpacked(content: bytes, most: int | None) -> str | None:
    """The games of a WTHOR file as GGF, a line each; None for other bytes."""
    return "\n".join(write_ggf(game) for game in read_wthor(content, most)) if is_wthor(content) else None


WTHOR = Format("WTHOR (Othello)", lambda text: False, read, lambda begun, record, lines: "", unpacked=unpacked)
