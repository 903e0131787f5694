"""Connect four at any size and line length, against another program's rules and a slow look at every line."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.conformance import check_game
from outplay.errors import BadNotation, BadValue
from outplay.game import load
from tests.games.oracles import assert_only_clear_errors, assert_playthrough, follow, garbage


def has_line(rows, symbol, line):
    """Whether a board of rows has that many equal cells in a row, looked at cell by cell."""
    cells = {(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == symbol}
    steps = ((0, 1), (1, 0), (1, 1), (1, -1))
    return any(all((r + i * dr, c + i * dc) in cells for i in range(line)) for r, c in cells for dr, dc in steps)


def test_it_keeps_its_promises():
    check_game(load("connect four", width=4, height=3, line=3), games=40)
    check_game(load("connect four", compiled=False), games=10)


@pytest.mark.parametrize(("width", "height", "line"), [(7, 6, 4), (5, 4, 3), (4, 7, 5), (9, 6, 2)])
def test_the_rules_are_open_spiels(width, height, line):
    pyspiel = pytest.importorskip("pyspiel")
    other = pyspiel.load_game(f"connect_four(rows={height},columns={width},x_in_row={line})")
    assert follow(other, load("connect four", width=width, height=height, line=line, compiled=False), games=25) > 50


@given(st.integers(1, 9), st.integers(1, 8), st.integers(2, 9), st.integers(0, 2**32))
def test_lines_of_any_length_on_any_board(width, height, line, seed):
    if width * (height + 1) > 64:
        with pytest.raises(BadValue, match="at most 64"):
            load("connect four", width=width, height=height)
        return
    position = load("connect four", width=width, height=height, line=line, compiled=False).start()
    draw = random.Random(seed)
    mover = "o"
    while not position.is_terminal():
        assert not has_line(position.text().split()[0].split("/"), mover, line)
        mover = "xo"[position.player()]
        position = position.result(draw.choice(position.actions()))
    rows = position.text().split()[0].split("/")
    won = has_line(rows, mover, line)
    assert won or all("." not in row for row in rows)
    assert position.utility("xo".index(mover)) == (1 if won else 0)


def test_the_playthrough():
    assert_playthrough(load("connect four"), "connect_four")


@pytest.mark.parametrize(("text", "why"), [
    ("......./......./......./......./x....../....... o", "hangs in the air"),
    ("......./......./......./......./......./xx..... o", "cannot be to move"),
    ("......./......./......./......./ooo..../xxxx... x", "cannot be to move"),
    ("......./......./......./......./ooo..../xxxxo.. x", "over before"),
    ("......./......./......./......./....... x", "expected 6 rows of 7 cells"),
])
def test_impossible_positions_are_refused(text, why):
    with pytest.raises(BadNotation, match=why):
        load("connect four").position(text)


@given(garbage("xo./ 1234567"))
def test_garbage(text):
    assert_only_clear_errors(load("connect four", width=4, height=3, line=3), text)
