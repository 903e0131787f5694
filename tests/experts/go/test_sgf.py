import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.errors import BadNotation, OutplayError
from outplay.experts.go.sgf import GoGame, read, write
from outplay.game import load


def test_the_main_line_is_the_first_variation_at_every_branching():
    text = "(;SZ[9](;B[aa](;W[bb];B[cc])(;W[dd];B[ee]))(;B[ff]))"
    assert read(text).moves == ("A9", "B8", "C7")


def test_values_may_hold_brackets_and_backslashes():
    game = GoGame(size=9, players=("a]b\\c", "d"), moves=("E5",))
    assert read(write(game)) == game
    assert read("(;PB[x\\]y]C[a (;B[zz]) comment];B[aa])").players[0] == "x]y"


def test_set_up_stones_and_rectangles():
    assert read("(;SZ[5]AB[aa:ba][ee]AW[cc])").black == ("A5", "B5", "E1")
    game = read("(;SZ[5]AB[aa];W[bb];B[cc])")
    assert game.colors == (1, 0)
    assert read(write(game)) == game


@pytest.mark.parametrize(("text", "complaint"), [
    ("", "begins with"), ("(;SZ[x])", "a number for SZ"), ("(;SZ[40])", "size 2 to 19"), ("(;B[zz])", "a point on a board"),
    ("(;B[aa]", "not closed"), ("(;B[aa", "not closed"), ("(;GM[2])", "a game of Go"), ("(;[aa])", "without a property"),
    ("(;B[aa];AB[bb])", "middle of the game"), ("(;KM[much])", "a number for KM"), ("(;B[aa]!)", "unexpected '!'"),
])  # fmt: skip
def test_bad_text_is_told(text, complaint):
    with pytest.raises(BadNotation, match=complaint):
        read(text)


@given(st.text(alphabet="(;)[]BWABSZ9aeC\\ \n", max_size=40))
def test_garbage_gets_an_error_of_ours(text):
    with contextlib.suppress(OutplayError):
        read(text)


def test_random_games_go_round():
    source = np.random.default_rng(1)
    game = load("go:size=5", compiled=False)
    for _ in range(5):
        position, moves = game.start(), []
        while not position.is_terminal() and len(moves) < 40:
            action = position.actions()[source.integers(len(position.actions()))]
            moves.append(position.action_text(action))
            position = position.result(action)
        record = GoGame(size=5, komi=7.5, moves=tuple(moves), result="B+3")
        assert read(write(record)) == record
        assert game.start().play(list(read(write(record)).moves)) == position


def test_lines_part_in_brackets():
    text = write(GoGame(9, 6.5, ("E5", "C3", "D4"), lines=(("E5", "G7", "C7"), ("E5", "G7", "F5"))))
    assert text.endswith("KM[6.5];B[ee](;W[cg];B[df])(;W[gc](;B[cc])(;B[fe])))")
    assert read(text).moves == ("E5", "C3", "D4") and read(text).lines == (("E5", "G7", "C7"), ("E5", "G7", "F5"))
    broken = read("(;SZ[9];B[ee](;W[cc];B[dd])(;W[gg];W[aa];B[bb])(;W[zz]))")  # a side line ends where it cannot be read
    assert broken.moves == ("E5", "C7", "D6") and broken.lines == (("E5", "G3"), ("E5",))
