"""The grid: its contract, its costs, and garbage."""

import pytest
from hypothesis import given

from outplay.conformance import check_game
from outplay.errors import BadNotation, BadValue, IllegalAction
from outplay.game import load
from outplay.views import text as views
from tests.games.oracles import assert_only_clear_errors, assert_playthrough, garbage

MUD = "S.3#/.#../...G"


def test_it_keeps_its_promises():
    check_game(load("grid", map=MUD), games=5)
    check_game(load("grid", map="S#G", compiled=False), games=1)


def test_costs_walls_and_edges():
    start = load("grid", map=MUD).start()
    assert [start.action_text(action) for action in start.actions()] == ["right", "down"]
    muddy = start.play("right")
    assert [(muddy.action_text(action), muddy.cost(action)) for action in muddy.actions()] == [("left", 1), ("right", 3)]
    assert muddy.play("r d r d").is_solved() and start.estimate() == 5
    with pytest.raises(IllegalAction, match=r"illegal action 'up' in 1,1: legal are right down"):
        start.play("up")


def test_the_estimate_knows_the_cheapest_step():
    assert load("grid", map="S5G").start().estimate() == 2  # the goal itself costs 1


def test_a_picture_of_it():
    rows = views.board(load("grid", map=MUD).start().picture()).splitlines()
    assert rows == ["@ . 3 #", ". # . .", ". . .(G)"]  # the goal is marked


def test_the_playthrough():
    assert_playthrough(load("grid", map=MUD), "grid")


@pytest.mark.parametrize("text", ["", "S", "SG/S", "S.G/..", "SSG", "SGG", "S0G", "SxG", "S" + "." * 10_000 + "G"])
def test_wrong_maps_are_refused(text):
    with pytest.raises(BadValue, match=r"grid: a map is rows of one length separated by /, of the signs S G # \. 1-9"):
        load("grid", map=text)


@pytest.mark.parametrize("text", ["", "1", "0,1", "5,1", "1,4", "a,b", "1,1,1", "-1,1"])
def test_wrong_positions_are_refused(text):
    with pytest.raises(BadNotation, match=r"expected column,row from 1,1 at the top left to 4,3"):
        load("grid", map=MUD).position(text)
    with pytest.raises(BadNotation, match="there is a wall"):
        load("grid", map=MUD).position("4,1")


@given(garbage("0123,4 udlr"))
def test_garbage(text):
    assert_only_clear_errors(load("grid", map=MUD), text)
