"""Blind tic-tac-toe: the rules against another program's, what each player sees, and what may be dealt."""

import pytest
from hypothesis import given

from outplay.conformance import check_game
from outplay.errors import BadNotation
from outplay.game import load
from tests.games.oracles import assert_only_clear_errors, assert_playthrough, follow, garbage

GAME = load("blind tic-tac-toe")


def test_it_keeps_its_promises():
    check_game(GAME, games=25)


def test_the_rules_are_open_spiels():
    pyspiel = pytest.importorskip("pyspiel")
    assert follow(pyspiel.load_game("phantom_ttt"), GAME, games=150) > 1000


def test_a_taken_cell_tells_so_and_one_moves_again():
    position = GAME.start().play("b2")
    assert position.player() == 1 and len(position.actions()) == 9
    position = position.play("b2")
    #  . . .
    #  . X .   the ring's player has run into it
    #  . . .
    assert position.text() == ".../.X./... o" and position.player() == 1 and len(position.actions()) == 8
    position = position.play("a1")
    assert position.player() == 0 and len(position.actions()) == 8  # everything but the own cell
    assert position.observe(0).text() == ".../.x./... x"
    assert position.observe(1).text() == ".../.X./o.. x"


def test_every_consistent_position_can_be_dealt():
    position = GAME.start().play("b2 a1")
    dealt = {position.deal(0, seed).text() for seed in range(400)}
    # The ring is on one of eight cells, and its player has run into the cross or not.
    assert len(dealt) == 16
    assert all(GAME.position(text).observe(0) == position.observe(0) for text in dealt)


def test_nobody_is_dealt_a_finished_game():
    position = GAME.start().play("a1 b2 c1 b3 a3")
    for seed in range(200):
        assert not position.deal(0, seed).is_terminal() and not position.deal(1, seed).is_terminal()


def test_the_playthrough():
    assert_playthrough(GAME, "blind_tic_tac_toe")


@pytest.mark.parametrize(("text", "why"), [
    ("xx./.../... x", "cannot stand"),
    ("xxx/ooo/... x", "over before"),
    ("XXX/oo./... o", "cannot have been run into"),
    ("x../... o", "expected three rows"),
])
def test_impossible_positions_are_refused(text, why):
    with pytest.raises(BadNotation, match=why):
        GAME.position(text)


@given(garbage("xoXO./ abc123"))
def test_garbage(text):
    assert_only_clear_errors(GAME, text)


def test_an_ending_is_solved_with_recall():
    """Its views forget the order of stones; with recall the 72 deals of the docs' ending are worth 5/9 to crosses."""
    from outplay.engine.regret.equilibrium import RegretSolver
    from outplay.errors import Unsuitable

    ending = GAME.start().play("b2 a1 a3 c1 c1 b1 b3")
    deals = sorted({ending.deal(0, seed) for seed in range(2000)}, key=lambda deal: deal.text())
    assert len(deals) == 72
    roots = [(deal, 1 / 72) for deal in deals]
    with pytest.raises(Unsuitable, match="give it recall"):
        RegretSolver(GAME, roots=roots)
    report = RegretSolver(GAME, roots=roots, recall=True).run(400)
    assert report.value == pytest.approx(5 / 9, abs=0.01) and report.exploitability < 0.01
