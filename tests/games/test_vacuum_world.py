"""The vacuum world in its several forms: contract, outcomes, views, and garbage."""

import pytest
from hypothesis import given

from outplay.conformance import check_game
from outplay.errors import BadNotation
from outplay.game import load
from tests.games.oracles import assert_only_clear_errors, assert_playthrough, garbage


@pytest.mark.parametrize("parameters", [{"rooms": 4}, {"rooms": 3, "erratic": True, "sensors": "here"}, {"sensors": "none"}])
def test_it_keeps_its_promises(parameters):
    check_game(load("vacuum world", **parameters), games=4)


def test_the_robot_stops_at_the_walls():
    start = load("vacuum world").start()
    assert start.play("left").text() == "** a" and start.play("right right").text() == "** b"


def test_erratic_sucking():
    world = load("vacuum world", rooms=3, erratic=True)
    dirty = world.position("*** b").play("suck")
    assert dirty.is_chance() and [probability for _, probability in dirty.chances()] == [1 / 3] * 3
    assert {dirty.result(outcome).text() for outcome, _ in dirty.chances()} == {"*.* b", "..* b", "*.. b"}
    clean = world.position("*.* b").play("suck")
    assert {clean.result(outcome).text() for outcome, _ in clean.chances()} == {"*.* b", "*** b"}


def test_what_is_seen():
    assert load("vacuum world", rooms=3, sensors="here").position("*.* c").observe(0).text() == "??* c"
    assert load("vacuum world", rooms=3, sensors="none").position("*.* c").observe(0).text() == "??? ?"


def test_the_playthrough():
    assert_playthrough(load("vacuum world", rooms=3, erratic=True), "vacuum_world")


@pytest.mark.parametrize("text", ["", "**", "** c", "*** a", "x* a", "?? a", "** ?"])
def test_wrong_positions_are_refused(text):
    with pytest.raises(BadNotation, match=r"vacuum world: (cannot read|impossible) position"):
        load("vacuum world").position(text)


@given(garbage("*.? abcsuking"))
def test_garbage(text):
    assert_only_clear_errors(load("vacuum world", rooms=2), text)
