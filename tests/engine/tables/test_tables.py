"""Endgame tables of chess by the generic builder: the known longest mates, every entry derived again, files, the search."""

import random

import pytest

from outplay.engine import Engine
from outplay.engine.tables import retrograde
from outplay.engine.tables.endgame import EndgameTables
from outplay.engine.tables.endings import open_tables
from outplay.errors import BadValue
from outplay.game import load
from outplay.games.chess import numbering
from outplay.values import Limits

GAME = load("chess")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="module")
def three_men(folder):
    return retrograde.build(GAME, 3, folder)


@pytest.mark.parametrize(("name", "moves"), [("KQK", 10), ("KRK", 16), ("KPK", 28), ("KBK", 0), ("KNK", 0), ("KK", 0)])
def test_the_longest_mates(three_men, name, moves):
    assert (three_men.facts(name)["longest"] + 1) // 2 == moves


def test_two_kings_stand_in_462_ways(three_men):
    # so many squares of two kings that do not touch, of positions that no turn of the board makes alike
    assert three_men.facts("KK")["positions"] == 462
    assert [name for name, _ in numbering.families(3)] == ["KK", "KBK", "KNK", "KQK", "KRK", "KPK"]


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
def test_every_value_follows_from_the_values_of_its_moves(folder, three_men, letters):
    known, source = open_tables(folder, GAME), random.Random(1)
    for _ in range(100):
        position = random_position(source, letters)
        outcome, plies = known.probe(position)
        if position.is_terminal():
            assert (outcome, plies) == (("loss", 0) if any(position.utilities()) else ("draw", 0))
            continue
        after = [known.probe(position.result(action)) for action in position.actions()]
        if any(found[0] == "loss" for found in after):
            assert (outcome, plies) == ("win", 1 + min(found[1] for found in after if found[0] == "loss"))
        elif any(found[0] == "draw" for found in after):
            assert outcome == "draw"
        else:
            assert (outcome, plies) == ("loss", 1 + max(found[1] for found in after))


TURNS = [lambda file, rank: (file, rank), lambda file, rank: (7 - file, rank), lambda file, rank: (file, 7 - rank),
         lambda file, rank: (rank, file), lambda file, rank: (7 - rank, 7 - file)]  # fmt: skip


def test_positions_that_a_turn_makes_alike_have_one_number():
    source = random.Random(2)
    for _ in range(60):
        squares = source.sample(range(64), 4)
        found = set()
        for turn in TURNS:
            state = GAME.rules.states(1)[0]
            bits = [1 << 8 * rank + file for file, rank in (turn(square & 7, square >> 3) for square in squares)]
            state.mine, state.kings, state.straights, state.knights = bits[0] | bits[2], bits[0] | bits[1], bits[2], bits[3]
            found.add((int(state.table_class()), int(state.table_index())))
        assert len(found) == 1


def test_the_best_moves_mate_in_time(folder, three_men):
    position = GAME.position("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")
    known = open_tables(folder, GAME)
    _, plies = known.probe(position)
    for _ in range(plies):
        position = position.result(known.best(position))
    assert position.is_terminal() and position.utilities() == (1.0, -1.0)
    other = load("chess:start=0")
    assert open_tables(folder, other).probe(other.position("8/8/8/8/8/1k6/8/K6q w - - 0 1")) == ("loss", 0)


def test_a_shallow_search_mates_by_the_tables(three_men):
    # A rook against a rook that can be taken: the tables of three pieces tell the rest.
    known = EndgameTables(three_men.steps.values, three_men.steps.offsets)
    position = GAME.position("8/8/8/8/3k4/8/1r6/K1R5 w - - 0 1")
    found = Engine(GAME, memory=4, endgame=known).best(position, Limits(depth=2))
    assert position.action_text(found.action) == "a1b2"
    assert found.facts["distance"] == 1 + three_men.probe(position.play("a1b2"))[1]
    assert "distance" not in Engine(GAME, memory=4).best(position, Limits(depth=2)).facts


def test_positions_without_a_table_are_not_judged(three_men):
    assert three_men.probe(GAME.start()) is None
    assert three_men.probe(GAME.position("4k3/8/8/8/8/8/8/4KBN1 w - - 0 1")) is None
    assert three_men.probe(GAME.position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")) is None  # castling
    assert three_men.probe(GAME.position("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1")) == ("draw", 0)


def test_names():
    assert numbering.canonical("krkq") == "KQKR"
    assert len(numbering.every(4)) == 6 + 15 + 14
    for wrong in ("KQ", "QKK", "KXK", "KQRBK", "KPKP", ""):
        with pytest.raises(BadValue):
            numbering.canonical(wrong)
