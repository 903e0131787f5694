"""Mates in 2 to 4 moves from the engine's own games, confirmed by another program: the engine says their very length."""

import re
from pathlib import Path

import pytest

from outplay.engine import Engine
from outplay.game import load
from outplay.values import Limits

GAME = load("chess")
LINES = (Path(__file__).parents[3] / "benchmarks" / "data" / "mates.epd").read_text().splitlines()
MATES = [(line.split(" dm ")[0], int(re.search(r" dm (\d)", line)[1])) for line in LINES if " dm " in line]


@pytest.fixture(scope="module")
def engine():
    return Engine(GAME, memory=8)


@pytest.mark.parametrize(("fen", "moves"), MATES[::6])
def test_the_shortest_mate_is_found(engine, fen, moves):
    engine.clear()
    position = GAME.position(fen)
    result = engine.best(position, Limits(nodes=3_000_000))
    assert result.value == (1 - 2 * position.player()) * GAME.traits.scale
    assert result.facts["distance"] == 2 * moves - 1
    assert len(result.line) == 2 * moves - 1
    for action in result.line:
        position = position.result(action)
    assert position.is_terminal() and position.utility(position.player()) == -1


def test_all_lengths_are_there():
    assert {moves for _, moves in MATES} == {2, 3, 4} and len(MATES) >= 70
