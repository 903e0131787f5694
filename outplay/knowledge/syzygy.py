"""Syzygy endgame tables (Ronald de Man, 2013) where the user has the files, read through the package `chess`."""

from __future__ import annotations

import functools
import os
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
    folders = [folder for folder in path.split(os.pathsep) if folder]
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
            outcome, distance = -tables.probe_wdl(board), abs(tables.probe_dtz(board))
            board.pop()
            judged.append((*worth(outcome, distance, board.is_zeroing(board.parse_uci(position.action_text(action))),
                                  board.halfmove_clock), action))
    except (KeyError, chess.syzygy.MissingTableError):
        return None
    return max(judged)[-1] if judged else None


def worth(outcome: int, distance: int, zeroing: bool, clock: int) -> tuple[int, int, int]:
    """What a move is worth, to be compared: the outcome within the fifty moves, then how soon (or late) the count begins anew.

    `outcome` is 2 for a win to -2 for a loss, `distance` the half-moves after the move until the next capture or pawn's move. A
    capture or pawn's move that keeps the win comes first, for only such moves make progress that lasts.

    >>> worth(2, 30, True, 10) > worth(2, 1, False, 10), worth(2, 5, False, 97)[0], worth(-2, 8, False, 0) > worth(-2, 3, False, 0)
    (True, 1, True)
    """
    plies = 1 if zeroing else distance + 1
    if abs(outcome) == 2 and not zeroing and clock + plies > 100:
        outcome //= 2  # too late: the other side claims the fifty moves
    return (outcome, -plies, -distance) if outcome > 0 else (outcome, plies, distance)
