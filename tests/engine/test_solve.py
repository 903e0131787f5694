"""Solving against the textbook and against what is known."""

import pytest

from outplay.engine import solve, solves
from outplay.errors import Unsuitable
from outplay.game import load
from outplay.values import Limits
from tests.engine.oracle import minimax, random_positions


def test_solved_positions_have_the_minimax_value():
    for name, least in (("tic-tac-toe", 0), ("connect four", 28), ("isolation:width=3,height=3", 0), ("nim", 0)):
        game = load(name)
        tried = 0
        for position in random_positions(game, 150, seed=1, most=42):
            moves = str(position.text()).count("x") + str(position.text()).count("o") - 1
            if moves < least or tried == 8:
                continue
            tried += 1
            result = solve(position, memory=1)
            assert result.exact
            assert result.value * game.traits.scale == minimax(position, 60)
            end = position
            for action in result.line:
                end = end.result(action)
            assert end.is_terminal() and end.utility(0) == result.value
        assert tried == 8


def test_distance_is_the_same_value_and_the_quickest_win():
    game = load("tic-tac-toe")
    for position in random_positions(game, 20, seed=2):
        plain, quick = solve(position, memory=1), solve(position, memory=1, distance=True)
        assert plain.value == quick.value
        assert ("distance" in quick.facts) == (quick.value != 0)
        if quick.value:
            assert quick.facts["distance"] == len(quick.line)


@pytest.mark.parametrize("entries", [4, 64])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_tiny_table_solves_too(entries, threads):
    for position in random_positions(load("tic-tac-toe"), 20, seed=3):
        assert solve(position, entries=entries, threads=threads).value == minimax(position, 9)


def test_bouton_1901():
    # The player to move loses nim exactly when the heaps cancel under exclusive or.
    for heaps, lost in (("1-2-3", True), ("3-4-5", False), ("2-4-6", True), ("5-5", True), ("7", False)):
        assert solve(load("nim", heaps=heaps).start(), memory=1).value == (-1.0 if lost else 1.0)


def test_what_is_known_of_small_boards():
    # John Tromp's table of connect four: a draw on 5 columns of 4 rows.
    result = solve(load("connect four", width=5, height=4).start(), memory=16)
    assert result.value == 0.0 and result.exact and len(result.line) == 20


def test_a_stopped_solve_says_so():
    result = solve(load("connect four").start(), Limits(nodes=2000), memory=1)
    assert not result.exact and result.action in load("connect four").start().actions() and result.nodes <= 2000


def test_progress_is_told(monkeypatch):
    monkeypatch.setattr("outplay.engine.alphabeta.engine.PROGRESS_SECONDS", 0.0)  # a fast machine is done sooner
    told = []
    solve(load("connect four").start(), Limits(nodes=200_000), memory=1, progress=lambda nodes, done: told.append(nodes))
    assert told == sorted(told) and told


def test_what_cannot_be_solved():
    assert solves(load("tic-tac-toe")) and not solves(load("rock paper scissors"))
    with pytest.raises(Unsuitable):
        solve(load("rock paper scissors").start())
