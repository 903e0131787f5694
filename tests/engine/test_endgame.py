"""Tables inside the search: what they know is exact, and a search sees wins far beyond its depth."""

import random

import pytest

from outplay.engine import Engine
from outplay.engine.tables import retrograde
from outplay.engine.tables.endgame import EndgameTables
from outplay.game import load
from outplay.players import Searcher
from outplay.values import Limits

GAME = load("checkers")


@pytest.fixture(scope="module")
def tables():
    return retrograde.build(GAME, 3)


def test_a_shallow_search_sees_the_wins_of_the_tables(tables):
    known = EndgameTables(tables.steps.values, tables.steps.offsets)
    blind, seeing = Engine(GAME, memory=4), Engine(GAME, memory=4, endgame=known)
    squares, source = [str(number) for number in range(1, 33)], random.Random(4)
    compared = found_more = 0
    while compared < 25:
        mine, second, theirs = source.sample(squares, 3)
        position = GAME.position(f"B:WK{theirs}:BK{mine},K{second}")
        outcome, plies = tables.probe(position)
        if plies < 8 or any(tables.probe(position.result(action)) is None for action in position.actions()):
            continue
        compared += 1
        found = seeing.best(position, Limits(depth=2))
        assert found.exact and found.facts["distance"] == plies
        assert (found.value > 0) == (outcome == "win")
        found_more += not blind.best(position, Limits(depth=2)).exact
    assert found_more == compared


def test_a_player_with_tables_looks_into_them(tables, tmp_path):
    for slice in tables.slices:
        tables.save_slice(tmp_path, slice)
    player = Searcher("engine:pvs", Limits(depth=3), tables=str(tmp_path))
    four = GAME.position("W:WK31,K30:BK1,K8")  # of four men: the tables know it only after a capture
    player.get_ready(four)
    player.choose(four)
    assert player.prepared.in_search(GAME).places.max() > 0
    assert player.last is not None
