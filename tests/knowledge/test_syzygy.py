"""Syzygy tables: what happens without files."""

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
