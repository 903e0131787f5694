"""Checkers against known counts of games and against pydraughts, whose boards we did not write."""

import random
import re

import pytest
from hypothesis import given

from outplay.conformance import check_game
from outplay.engine.perft import perft
from outplay.errors import BadNotation
from outplay.game import load
from outplay.games.checkers import VARIANTS
from tests.games.oracles import assert_only_clear_errors, garbage

ORACLES = {"english": "english", "international": "standard", "russian": "russian", "brazilian": "brazilian", "italian": "italian"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_keeps_its_promises(variant):
    check_game(load("checkers", variant=variant, compiled=False), games=3)


def test_compiled_it_keeps_its_promises():
    check_game(load("checkers"), games=20)


def test_the_number_of_games():
    # Two ways of a capture with the same effect are two moves on the small board, and one where kings fly.
    assert [perft(load("checkers").start(), depth)[0] for depth in range(1, 10)] == [
        7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680]  # fmt: skip
    assert [perft(load("checkers:variant=international").start(), depth)[0] for depth in range(1, 8)] == [
        9, 81, 658, 4265, 27117, 167140, 1049442]  # fmt: skip


def algebraic(match):
    row, place = divmod(int(match[0]) - 1, 4)
    return "abcdefgh"[2 * place + 1 - row % 2] + str(8 - row)


@pytest.mark.parametrize("variant", ORACLES)
def test_the_rules_are_pydraughts(variant):
    draughts = pytest.importorskip("draughts")
    game, draw = load("checkers", variant=variant), random.Random(5)
    words = game.record(game.start().state).words()
    by_letters = variant in ("russian", "brazilian")  # there its squares have names, and numbers from the bottom

    def ours(number):
        return (7 - (number - 1) // 4) * 4 + (number - 1) % 4 + 1 if by_letters else number

    for _ in range(4):
        position = game.start()
        for _ in range(60):
            if position.is_terminal():
                break
            fen = position.text().partition(":H")[0]
            board = draughts.Board(variant=ORACLES[variant], fen=re.sub(r"\d+", algebraic, fen) if by_letters else fen)
            theirs = {(ours(way[0][0]), ours(way[-1][1]), tuple(sorted(ours(each) for each in taken if each is not None)))
                      for way, taken in zip(*board._legal_moves_board(), strict=True)}
            found = {(start, end, tuple(taken)) for start, end, taken in
                     (words.parts(action, position.player()) for action in position.actions())}
            assert found == theirs, fen
            position = position.result(draw.choice(position.actions()))


@pytest.mark.parametrize("variant", VARIANTS)
def test_moves_are_read_as_they_are_written(variant):
    game, draw = load("checkers", variant=variant), random.Random(variant)
    for _ in range(10):
        position = game.start()
        while not position.is_terminal():
            texts = [position.action_text(action) for action in position.actions()]
            assert [position.parse_action(text) for text in texts] == list(position.actions())
            position = position.result(draw.choice(position.actions()))
            assert game.position(position.text()) == position


def test_two_ways_with_one_effect_are_two_moves():
    # A king on 22 goes round the four white men either way.
    position = load("checkers").position("B:W9,10,17,18:BK22")
    assert [position.action_text(action) for action in position.actions()] == ["22x15x6x13x22", "22x13x6x15x22"]


def test_a_man_crowned_while_it_takes():
    stops = load("checkers").position("B:W26,27:B22")
    assert [stops.action_text(action) for action in stops.actions()] == ["22x31"]
    # f6 takes e7 and is a king on d8; only in Russia does it fly on at once over b6 to a5.
    position = "W:Wf6:Bb6,e7"
    assert load("checkers:variant=russian").position(position).play("f6:a5").text() == "B:WK13:B"
    assert load("checkers:variant=pool").position(position).play("11x2").text() == "B:WK2:B9"
    assert load("checkers:variant=brazilian").position(position).play("f6:d8").text() == "B:WK2:B9"


def test_an_italian_man_takes_no_king():
    position = load("checkers:variant=italian").position("W:W22:BK18,17")
    assert all("18" not in position.action_text(action) for action in position.actions())


def test_forty_moves_are_a_draw():
    position = load("checkers").position("B:WK32:BK1:H79")
    assert not position.is_drawn()
    assert position.play("1-5").is_drawn()
    assert position.play("1-5").utilities() == (0.0, 0.0)


@pytest.mark.parametrize(("text", "words"), [
    ("B:W32:B29", "would be a king"), ("B:W33:B1", "squares are 1 to 32"), ("B:W1:BK1", "given twice"), ("x", "expected a pos"),
    ("B:W21-32,20:B1-12", "12 is all there are"), ("W::", "expected a position"), ("B:Wa1:Bb1", "no dark square"),
])  # fmt: skip
def test_impossible_positions_get_one_line(text, words):
    with pytest.raises(BadNotation, match=words):
        load("checkers").position(text)


@given(garbage("BW:K,-0123456789abh H"))
def test_garbage_gets_one_line(text):
    assert_only_clear_errors(load("checkers", compiled=False), text)
