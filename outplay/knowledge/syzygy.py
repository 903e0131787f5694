"""Syzygy endgame tables (Ronald de Man, 2013) where the user has the files, read through the package `chess`."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from outplay.errors import BadValue, Unavailable
from outplay.game import Position


@functools.lru_cache(2)
def _open(path: str) -> Any:
    try:
        import chess.syzygy
    except ImportError:
        raise Unavailable("Syzygy tables need the package chess: pip install chess") from None
    folders = [folder for folder in path.replace(";", ":").split(":") if folder]
    if not folders or not all(Path(folder).is_dir() for folder in folders):
        raise BadValue(f"no such folder of Syzygy tables: {path!r}")
    tables = chess.syzygy.open_tablebase(folders[0])
    for folder in folders[1:]:
        tables.add_directory(folder)
    return tables


def best(path: str, position: Position) -> int | None:
    """The move that the tables like best, counting the fifty moves; None where they do not know the position."""
    tables = _open(path)
    import chess

    board = chess.Board(position.text())
    if board.castling_rights or chess.popcount(board.occupied) > 7:
        return None
    judged = []
    try:
        for action in position.actions():
            board.push_uci(position.action_text(action))
            # For the other player: a win here is a loss there. A mate beats every count.
            if board.is_checkmate():
                return action
            outcome = -tables.probe_wdl(board)
            distance = abs(tables.probe_dtz(board)) + (0 if board.halfmove_clock == 0 else 1)
            judged.append((outcome, -distance if outcome > 0 else distance, action))
            board.pop()
    except (KeyError, chess.syzygy.MissingTableError):
        return None
    return max(judged)[2] if judged else None
