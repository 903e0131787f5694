"""Endgame tables: the known longest mates, agreement with the rules, and files."""

import random

import numpy as np
import pytest

from outplay.errors import BadValue
from outplay.game import load
from outplay.knowledge.tables import ILLEGAL, Tables, canonical, every

GAME = load("chess", compiled=True)


@pytest.fixture(scope="module")
def three_men():
    tables = Tables()
    for name in ("KQK", "KRK", "KPK"):
        tables.build(name)
    return tables


@pytest.mark.parametrize(("name", "moves"), [("KQK", 10), ("KRK", 16), ("KPK", 28)])
def test_the_longest_mates(three_men, name, moves):
    assert three_men.longest(name) == moves


def random_position(source, letters):
    while True:
        cells = [""] * 64
        for letter in letters:
            cells[source.randrange(8, 56)] = letter
        if sorted(filter(None, cells)) == sorted(letters):
            rows = ["".join(cell or "1" for cell in cells[8 * rank : 8 * rank + 8]) for rank in reversed(range(8))]
            try:
                return GAME.position("/".join(rows) + f" {source.choice('wb')} - - 0 1")
            except Exception:
                continue


@pytest.mark.parametrize("letters", ["KQk", "KRk", "KPk", "Kkr", "Kkp"])
def test_every_value_follows_from_the_values_of_its_moves(three_men, letters):
    source = random.Random(1)
    for _ in range(150):
        position = random_position(source, letters)
        outcome, plies = three_men.probe(position)
        if position.is_terminal():
            assert (outcome, plies) == (("loss", 0) if any(position.utilities()) else ("draw", 0))
            continue
        after = [three_men.probe(position.result(action)) for action in position.actions()]
        if any(found[0] == "loss" for found in after):
            assert (outcome, plies) == ("win", 1 + min(found[1] for found in after if found[0] == "loss"))
        elif any(found[0] == "draw" for found in after):
            assert outcome == "draw"
        else:
            assert (outcome, plies) == ("loss", 1 + max(found[1] for found in after))


def test_the_best_moves_mate_in_time(three_men):
    position = GAME.position("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")
    _, plies = three_men.probe(position)
    for _ in range(plies):
        position = position.result(three_men.best(position))
    assert position.is_terminal() and position.utilities() == (1.0, -1.0)


def test_tables_are_saved_and_loaded(three_men, tmp_path):
    three_men.save(tmp_path)
    again = Tables()
    assert sorted(again.load(tmp_path)) == ["KPK", "KQK", "KRK"]
    assert np.array_equal(again.tables["KPK"], three_men.tables["KPK"])
    (tmp_path / "KBBK.npz").write_bytes(b"nonsense")
    (tmp_path / "KNNK.npz").write_bytes(b"")  # a disk was full
    once_more = Tables()
    assert sorted(once_more.load(tmp_path)) == ["KPK", "KQK", "KRK"]
    assert sorted(path.name for path in once_more.damaged) == ["KBBK.npz", "KNNK.npz"]


def test_positions_without_a_table_are_not_judged(three_men):
    assert three_men.probe(GAME.start()) is None
    assert three_men.probe(GAME.position("4k3/8/8/8/8/8/8/4KBN1 w - - 0 1")) is None
    assert three_men.probe(GAME.position("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1")) == ("draw", 0)
    assert three_men.tables["KQK"].max() == ILLEGAL


def test_names():
    assert canonical("krkq") == "KQKR"
    assert every(["KPK"])[-1] == "KPK" and set(every(["KPK"])) == {"KQK", "KRK", "KPK"}
    for wrong in ("KQ", "QKK", "KXK", "KQRBK", "KPKP", ""):
        with pytest.raises(BadValue):
            canonical(wrong)
