"""Syzygy tables: what happens without files, and which move is chosen by what tables say.

Where `SYZYGY_PATH` names a folder of real files of three and four pieces: whether they and our own tables say the same, and whether
their moves lead to mate.
"""

import os
import random

import pytest

from outplay.errors import BadValue
from outplay.game import load
from outplay.knowledge import retrograde, syzygy


def test_a_missing_folder_is_told_in_one_line(tmp_path):
    pytest.importorskip("chess")
    with pytest.raises(BadValue, match="no such folder"):
        syzygy.best(str(tmp_path / "none"), load("chess").start())


def test_an_empty_folder_knows_nothing(tmp_path):
    pytest.importorskip("chess")
    assert syzygy.best(str(tmp_path), load("chess").position("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")) is None
    assert syzygy.best(str(tmp_path), load("chess").start()) is None


def test_a_table_that_names_other_pieces_is_not_searched_for_them(tmp_path):
    """The fuzzer's: a rook on neither side, for which the package looked without end."""
    pytest.importorskip("chess")
    damaged = b"\x71\xe8\x23\x5d\0\0\4\1" + bytes(56) + random.Random(1).randbytes(400)
    (tmp_path / "KQvK.rtbw").write_bytes(damaged)
    with pytest.raises(BadValue, match=r"KQvK.rtbw is damaged"):
        syzygy.best(str(tmp_path), load("chess", compiled=False).position("8/8/8/3k4/8/8/8/KQ6 w - - 0 1"))


class Tables:
    """Stands in for the files: a pawn that is queened wins in 20 half-moves, a rook in 30, minor pieces draw, waiting wins too."""

    def probe_wdl(self, board):
        return 0 if board.knights | board.bishops else -2

    def probe_dtz(self, board):
        return 0 if board.knights | board.bishops else -20 if board.queens else -30 if board.rooks else -2


@pytest.mark.parametrize(("fen", "expected"), [
    ("8/3KP3/8/8/8/8/8/k7 w - - 0 1", {"e7e8q"}),  # waiting has the smaller number, and would wait for ever
    ("8/3K4/8/8/8/8/4p3/k7 b - - 99 80", {"e2e1q"}),
])
def test_the_move_that_makes_progress_is_chosen(monkeypatch, fen, expected):
    pytest.importorskip("chess")
    monkeypatch.setattr(syzygy, "_open", lambda path: Tables())
    position = load("chess").position(fen)
    assert position.action_text(syzygy.best("files", position)) in expected


def test_a_loser_holds_out_and_a_late_win_is_only_claimed_a_draw():
    assert syzygy.worth(-2, 40, False, 0) > syzygy.worth(-2, 4, False, 0) > syzygy.worth(-2, 4, True, 0)
    assert syzygy.worth(0, 0, False, 0) > syzygy.worth(-1, 50, False, 0)
    assert syzygy.worth(1, 90, False, 0) > syzygy.worth(0, 0, True, 0)
    assert syzygy.worth(2, 30, False, 60) > syzygy.worth(2, 45, False, 60)
    assert syzygy.worth(2, 45, False, 60)[0] == 1


# ---------------------------------------------------------------- with real files

FILES = os.environ.get("SYZYGY_PATH", "")
real = pytest.mark.skipif(not FILES, reason="SYZYGY_PATH names no folder of Syzygy files")


def scattered(chess, pieces, source):
    """A random legal position of these pieces, such as "KRk": upper case for White."""
    while True:
        board = chess.Board(None)
        for square, piece in zip(source.sample(range(64), len(pieces)), pieces, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        board.turn = source.random() < 0.5
        if board.is_valid():
            return board


@real
@pytest.mark.parametrize("pieces", ["KQk", "KRk", "KPk", "KBk", "KNk", "KBNk", "KQkr", "kqKP"])
def test_our_own_tables_say_what_the_files_say(pieces):
    chess = pytest.importorskip("chess")
    files, source = syzygy._open(FILES), random.Random(pieces)
    white, black = "".join(filter(str.isupper, pieces)), "".join(filter(str.islower, pieces)).upper()
    ours = retrograde.build(load("chess"), [white + black])
    for _ in range(300):
        board = scattered(chess, pieces, source)
        outcome = ours.probe(load("chess").position(board.fen()))
        assert outcome is not None, board.fen()
        assert {"win": 2, "draw": 0, "loss": -2}[outcome[0]] == files.probe_wdl(board), board.fen()


@real
@pytest.mark.parametrize("pieces", ["KQk", "KRk", "KPk", "KBNk", "KQkr", "KBBk", "KRkn"])
def test_the_winner_mates_within_the_fifty_moves(pieces):
    chess = pytest.importorskip("chess")
    files, source, played = syzygy._open(FILES), random.Random(pieces), 0
    while played < 5:
        board = scattered(chess, pieces, source)
        if abs(files.probe_wdl(board)) != 2 or board.is_checkmate():
            continue
        winner = board.turn if files.probe_wdl(board) > 0 else not board.turn
        position = load("chess").position(board.fen())
        while not board.is_game_over(claim_draw=True):
            action = syzygy.best(FILES, position)
            assert action is not None, board.fen()
            board.push_uci(position.action_text(action))
            position = position.result(action)
        assert board.is_checkmate() and board.turn != winner, board.fen()
        played += 1
