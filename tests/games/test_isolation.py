"""Isolation in all its variants against a slow model on sets of cells, and the lecture's small board worked out."""

import itertools
import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.conformance import check_game
from outplay.errors import BadNotation, BadValue
from outplay.game import load
from tests.games.oracles import assert_only_clear_errors, assert_playthrough, garbage


def reach(free, cell, width, height, knight):
    """The cells that a piece can go to, walked cell by cell."""
    column, row = cell % width, cell // width
    found = set()
    for dc, dr in itertools.product((-2, -1, 0, 1, 2), repeat=2):
        jumps = abs(dc) + abs(dr) == 3
        slides = max(abs(dc), abs(dr)) == 1
        c, r = column + dc, row + dr
        while (jumps if knight else slides) and 0 <= c < width and 0 <= r < height and r * width + c in free:
            found.add(r * width + c)
            if knight:
                break
            c, r = c + dc, r + dr
    return found


boards = st.tuples(st.integers(1, 10), st.integers(1, 10), st.sampled_from((2, 3)), st.sampled_from(("queen", "knight")))


@given(boards, st.integers(0, 2**32))
def test_the_rules_are_those_of_the_slow_model(board, seed):
    width, height, players, moves = board
    if width * height < players:
        with pytest.raises(BadValue, match="needs a cell for each"):
            load("isolation", width=width, height=height, players=players)
        return
    game = load("isolation", width=width, height=height, players=players, moves=moves, compiled=False)
    draw = random.Random(seed)
    position = game.start()
    free, places, turn, mover = set(range(width * height)), [None] * players, 0, None
    while True:
        targets = [set(free) if at is None else reach(free, at, width, height, moves == "knight") for at in places]
        order = [(turn + step) % players for step in range(players)]
        able = [player for player in order if player != mover and targets[player]]
        if not able:
            break
        assert position.player() == able[0] and set(position.actions()) == targets[able[0]]
        if players == 2:
            assert position.evaluate(0) == len(targets[0]) and position.evaluate(1) == -len(targets[0])
        else:
            assert sum(position.evaluate(player) for player in range(3)) == pytest.approx(9999)
        mover = able[0]
        cell = draw.choice(position.actions())
        position = position.result(cell)
        free.discard(cell)
        places[mover] = cell
        turn = (mover + 1) % players
    assert position.is_terminal() and position.outcome().winner == mover
    assert sum(position.utilities()) == (0 if players == 2 else 1)


def test_it_keeps_its_promises():
    check_game(load("isolation"), games=20)
    check_game(load("isolation", width=4, height=3, moves="knight", players=3, sloppy=0.25), games=20)


@pytest.mark.parametrize("name", [
    "isolation:width=10,height=8",
    "isolation:width=9,height=8,moves=knight,players=3,sloppy=1",
    "isolation:width=8,height=8,evaluation=my moves minus opponent's",
    "isolation:width=1,height=2",
    "isolation:width=3,height=2,evaluation=my moves minus twice opponent's",
])
def test_it_keeps_its_promises_uncompiled(name):
    check_game(load(name, compiled=False), games=3)


@cache
def wins(position):
    if position.is_terminal():
        return False
    return any(not wins(position.result(action)) for action in position.actions())


def test_small_boards_are_solved_as_by_the_slow_model():
    @cache
    def model_wins(free, mine, other, width, height):
        targets = free if mine is None else reach(free, mine, width, height, False)
        return any(not model_wins(free - {cell}, other, cell, width, height) for cell in targets)

    for width, height in ((2, 2), (3, 2), (3, 3), (4, 2)):
        expected = model_wins(frozenset(range(width * height)), None, None, width, height)
        assert wins(load("isolation", width=width, height=height, compiled=False).start()) is expected


def test_the_lectures_small_board():
    # Two rows of three with the last corner closed: five free cells.
    game = load("isolation", width=3, height=2)
    start = game.position(".../..# x")
    assert len(start.actions()) == 5
    #  . o .      x at a1 can go to a2 and b1, o at b2 to all that is free
    #  x . #
    position = start.play("a1 b2")
    assert position.text() == ".o./x.# x" and {position.action_text(a) for a in position.actions()} == {"a2", "b1"}
    assert position.evaluate(0) == 2 and position.evaluate(1) == -2
    difference = load("isolation", width=3, height=2, evaluation="my moves minus opponent's")
    assert difference.position(position.text()).evaluate(0) == 2 - 3


def test_one_who_cannot_move_is_left_out():
    game = load("isolation", width=3, height=2, players=3)
    #  x o .      after z leaves c1 for c2, x and o can still move
    #  . # z
    position = game.position("xo./.#z z").play("c2")
    assert position.player() == 0 and position.text() == "xoz/.## x"
    #  # o z      x took the last free cell: it is the last who could move
    #  x # #
    end = position.play("a1")
    assert end.utilities() == (1, 0, 0) and end.outcome().winner == 0
    with pytest.raises(BadNotation, match="o cannot move, so another player is to move"):
        load("isolation", width=4, height=1, players=3).position("xoz. o")


def test_a_sloppy_move_lands_around_its_target():
    game = load("isolation", width=3, height=3, sloppy=0.3)
    position = game.start().play("a1 c3")
    assert not position.is_chance()  # placing does not slip
    aimed = position.play("b2")
    #  . . o
    #  . + .      six free cells around b2
    #  x . .
    assert aimed.is_chance() and aimed.text() == "..o/.../x.. x>b2"
    chances = {aimed.action_text(action): chance for action, chance in aimed.chances()}
    assert chances.pop("b2") == pytest.approx(0.7)
    assert chances == {cell: pytest.approx(0.05) for cell in ("b1", "c1", "a2", "c2", "a3", "b3")}
    assert game.position(aimed.text()) == aimed
    assert aimed.play("c1").text() == "..o/.../#.x o"
    alone = game.position("x.#/###/##o x").play("b3")
    assert [(alone.action_text(action), chance) for action, chance in alone.chances()] == [("b3", 1.0)]


def test_symmetric_twins_have_one_representative():
    game = load("isolation", width=4, height=4)
    twins = set()
    for moves in ("a1 b3 c1", "d1 c3 b1", "a4 b2 c4", "d4 c2 b4", "a1 c2 a3", "a4 c3 a2", "d1 b2 d3", "d4 b3 d2"):
        record = game.record(game.start().play(moves).state)
        record.canonical()
        twins.add(record.text())
    assert len(twins) == 1


@pytest.mark.parametrize(("parameters", "why"), [
    ({"width": 11}, "width must be a whole number from 1 to 10, got 11"),
    ({"players": 4}, "players must be a whole number from 2 to 3, got 4"),
    ({"moves": "rook"}, "moves must be one of 'queen', 'knight', got 'rook'"),
    ({"sloppy": 1.5}, "sloppy must be a number from 0.0 to 1.0, got 1.5"),
    ({"sloppy": "nan"}, "sloppy must be a number from 0.0 to 1.0, got nan"),
    ({"players": 3, "evaluation": "my moves minus opponent's"}, "with 3 players the evaluation must be 'my moves'"),
])
def test_wrong_parameters_are_refused(parameters, why):
    with pytest.raises(BadValue, match=why):
        load("isolation", **parameters)


@pytest.mark.parametrize(("text", "why"), [
    (".../... o", "placed in this order"),
    (".o./... x", "placed in this order"),
    ("xx./o.. x", "each at most once"),
    ("x.?/o.. x", "a cell is"),
    ("###/### x", "no free cell"),
    ("x../... o>b2", "expected 2 rows of 3 cells"),
    ("x../.. o", "expected 2 rows of 3 cells"),
])
def test_impossible_positions_are_refused(text, why):
    with pytest.raises(BadNotation, match=why):
        load("isolation", width=3, height=2).position(text)


@given(garbage("xoz.#/> abc123"))
def test_garbage(text):
    assert_only_clear_errors(load("isolation", width=3, height=2, sloppy=0.5, compiled=False), text)


def test_the_playthroughs():
    assert_playthrough(load("isolation", width=4, height=4), "isolation")
    assert_playthrough(load("isolation", width=4, height=3, players=3, moves="knight", sloppy=0.25), "sloppy_isolation")


def test_the_picture_moves_from_one_cell_to_another():
    position = load("isolation", width=3, height=2).start()
    assert position.picture().touches[0] == ((1, 0),)
    moved = position.play("a1 b2")
    assert moved.picture().touches[3] == ((1, 0), (0, 0)) and moved.picture().cells[1][0].owner == 0
