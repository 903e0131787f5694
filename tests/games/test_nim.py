"""Nim against Bouton's theorem and another program's rules."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.conformance import check_game
from outplay.errors import BadNotation, BadValue
from outplay.game import load
from tests.games.oracles import assert_only_clear_errors, assert_playthrough, follow, garbage


@cache
def wins(position):
    """Whether the player to move wins, by looking at everything."""
    if position.is_terminal():
        return position.utility(position.player()) > 0
    return any(not wins(position.result(action)) for action in position.actions())


def test_it_keeps_its_promises():
    check_game(load("nim"), games=60)
    check_game(load("nim", heaps="1-3-5-7", misere=True, compiled=False), games=20)


@pytest.mark.parametrize("misere", [False, True])
def test_the_rules_are_open_spiels(misere):
    pyspiel = pytest.importorskip("pyspiel")
    other = pyspiel.load_game(f"nim(pile_sizes=1;3;5;7,is_misere={str(misere).lower()})")
    ours = load("nim", heaps="1-3-5-7", misere=misere)
    assert follow(other, ours, 60, number_of=lambda position, action: (action >> 8) + 4 * ((action & 255) - 1)) > 200


@given(st.lists(st.integers(1, 4), min_size=1, max_size=3), st.booleans())
def test_boutons_theorem(heaps, misere):
    cancelled = 0
    for size in heaps:
        cancelled ^= size
    expected = (len(heaps) % 2 == 0) if misere and max(heaps) == 1 else cancelled != 0
    assert wins(load("nim", heaps="-".join(map(str, heaps)), misere=misere, compiled=False).start()) is expected


def test_the_playthrough():
    assert_playthrough(load("nim"), "nim")


def test_the_order_of_heaps_does_not_matter():
    game = load("nim", heaps="2-1-5-3")
    record = game.record(game.start().play("c1").state)
    record.canonical()
    assert record.text() == "4-3-2-1 o"


@pytest.mark.parametrize("heaps", ["", "0", "3-0", "128", "1-2-3-4-5-6-7-8-9", "3,4", "x", "3--4", "-3", "٣"])
def test_wrong_heaps_are_refused(heaps):
    with pytest.raises(BadValue, match="heaps must be up to eight numbers from 1 to 127, such as 3-4-5"):
        load("nim", heaps=heaps)


def test_parameters_on_the_command_line():
    assert load("nim:heaps=1-2,misere=yes") is load("nim", heaps="1-2", misere=True)
    with pytest.raises(BadValue, match="misere must be one of False, True, got 'perhaps'"):
        load("nim:misere=perhaps")


@pytest.mark.parametrize(("text", "why"), [
    ("4-4-5 x", "never grow"),
    ("3-4-5 o", "not o's turn after 0 moves"),
    ("2-3-5 o", "not o's turn after 2 moves"),
    ("3-4 x", "expected 3 heaps"),
    ("3-4-5", "expected 3 heaps"),
])
def test_impossible_positions_are_refused(text, why):
    with pytest.raises(BadNotation, match=why):
        load("nim").position(text)


@given(garbage("0123456789- xoabc"))
def test_garbage(text):
    assert_only_clear_errors(load("nim", compiled=False), text)
