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

    class Tables(chess.syzygy.Tablebase):
        """Tables that are looked at before they are believed: in one that names other pieces than the board has, the package
        would look for those for ever."""

        def probe_wdl_table(self, board: Any) -> int:
            _check(self.wdl.get(chess.syzygy.calc_key(board)), board)
            return super().probe_wdl_table(board)

        def probe_dtz_table(self, board: Any, wdl: int) -> Any:
            _check(self.dtz.get(chess.syzygy.calc_key(board)), board)
            return super().probe_dtz_table(board, wdl)

    tables = Tables()
    for folder in folders:
        tables.add_directory(folder)
    return tables


def _check(table: Any, board: Any) -> None:
    """Raise where a file of this material names other pieces."""
    if table is None or getattr(table, "is_checked", False):
        return
    (table.init_table_wdl if hasattr(table, "init_table_wdl") else table.init_table_dtz)()
    material = sorted(piece.piece_type + (0 if piece.color else 8) for piece in board.piece_map().values())
    sides = (material, sorted(code ^ 8 for code in material))
    for part in table.files if table.has_pawns else [table]:
        named = getattr(part, "pieces", [])
        for pieces in [named[side] for side in range(1 if table.symmetric else 2)] if isinstance(named, dict) else [named]:
            if pieces and sorted(pieces) not in sides:
                raise BadValue(f"{os.path.basename(table.path)} is damaged: it names other pieces")
    table.is_checked = True


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
