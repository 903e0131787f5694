"""Tic-tac-toe: the rules against another program's, the size of the whole tree, notation."""

import pytest
from hypothesis import given

from outplay.conformance import check_game
from outplay.errors import BadNotation
from outplay.game import load
from tests.games.oracles import assert_only_clear_errors, assert_playthrough, follow, garbage

GAME = load("tic-tac-toe")


def test_it_keeps_its_promises():
    check_game(GAME, games=60)


def test_the_rules_are_open_spiels():
    pyspiel = pytest.importorskip("pyspiel")
    assert follow(pyspiel.load_game("tic_tac_toe"), GAME, games=100) > 500


def test_the_playthrough():
    assert_playthrough(GAME, "tic_tac_toe")


def test_all_positions():
    # 5478 positions, of which 958 end the game: 626 won by the crosses, 316 by the rings, 16 drawn.
    seen, ends = {GAME.start()}, []
    waiting = [GAME.start()]
    while waiting:
        position = waiting.pop()
        if position.is_terminal():
            ends.append(position.utility(0))
        for action in position.actions():
            after = position.result(action)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    assert len(seen) == 5478
    assert (ends.count(1), ends.count(-1), ends.count(0)) == (626, 316, 16)
    assert all(GAME.position(position.text()) == position for position in list(seen)[::20])


@pytest.mark.parametrize(("text", "why"), [
    ("xx./.../... x", "cannot stand"),
    ("xxx/ooo/... x", "over before"),
    ("xxx/oo./... x", "cannot stand"),
    ("ooo/xxx/x.. o", "over before"),
    ("x../... o", "expected three rows"),
    ("x../.../... z", "expected three rows"),
])
def test_impossible_positions_are_refused(text, why):
    with pytest.raises(BadNotation, match=why):
        GAME.position(text)


@given(garbage("xo./ abc123"))
def test_garbage(text):
    assert_only_clear_errors(GAME, text)
