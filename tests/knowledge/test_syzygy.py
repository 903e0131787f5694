"""Syzygy tables: what happens without files, and which move is chosen by what tables say (real files are no part of the tests)."""

import pytest

from outplay.errors import BadValue
from outplay.game import load
from outplay.knowledge import syzygy


def test_a_missing_folder_is_told_in_one_line(tmp_path):
    pytest.importorskip("chess")
    with pytest.raises(BadValue, match="no such folder"):
        syzygy.best(str(tmp_path / "none"), load("chess").start())


def test_an_empty_folder_knows_nothing(tmp_path):
    pytest.importorskip("chess")
    assert syzygy.best(str(tmp_path), load("chess").position("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")) is None
    assert syzygy.best(str(tmp_path), load("chess").start()) is None


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
