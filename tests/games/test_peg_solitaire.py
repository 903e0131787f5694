"""Peg solitaire: contract, known counts, a known theorem, and garbage."""

import pytest
from hypothesis import given

from outplay.conformance import check_game
from outplay.engine.perft import perft
from outplay.errors import BadNotation
from outplay.game import load
from tests.games.oracles import assert_only_clear_errors, assert_playthrough, garbage


def test_it_keeps_its_promises():
    check_game(load("peg solitaire", board="triangle", last="anywhere", compiled=False), games=2)


def test_the_boards():
    english, triangle = load("peg solitaire"), load("peg solitaire", board="triangle")
    assert (english.rules.most_actions, triangle.rules.most_actions) == (76, 36)
    assert english.start().text().count("o") == 32 and triangle.start().text().count("o") == 14


def test_positions_after_so_many_jumps():
    game = load("peg solitaire")
    border, counts = {game.start()}, []
    for _ in range(4):
        border = {position.result(action) for position in border for action in position.actions()}
        counts.append(len(border))
    assert counts == [4, 12, 60, 296]  # eight times (or nearly) the published 1, 2, 8, 39 without symmetric twins
    assert perft(game.start(), 1)[0] == 4


def test_where_the_last_peg_stands_matters():
    last = load("peg solitaire").position("......./......./......./.oo..../......./......./.......")
    assert last.play("b4d4").is_solved()
    beside = load("peg solitaire").position("......./......./......./oo...../......./......./.......").play("a4c4")
    assert beside.is_terminal() and not beside.is_solved()
    anywhere = load("peg solitaire", last="anywhere")
    assert anywhere.position("......./......./......./oo...../......./......./.......").play("a4c4").is_solved()


def test_the_playthrough():
    assert_playthrough(load("peg solitaire"), "peg_solitaire")


@pytest.mark.parametrize("text", ["", "ooo", "/".join(["ooooooo"] * 7), "/".join(["......."] * 7), "/".join(["xxxxxxx"] * 7)])
def test_wrong_positions_are_refused(text):
    with pytest.raises(BadNotation, match=r"peg solitaire: (cannot read|impossible) position"):
        load("peg solitaire").position(text)


@given(garbage("o./abcd1234"))
def test_garbage(text):
    assert_only_clear_errors(load("peg solitaire"), text)
