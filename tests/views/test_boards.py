"""Boards as text and as SVG."""

import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style
from rich.text import Text

from outplay.game import game_names, load
from outplay.values import Cell, Picture
from outplay.views import svg, text

symbols = st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=2).map(str.strip)
pieces = st.sampled_from(["", "disc", "cross", "ring", "wall"])
cells = st.builds(Cell, symbols, pieces, st.none() | st.integers(0, 8), st.booleans())


@st.composite
def pictures(draw):
    width, height = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    grid = tuple(tuple(draw(cells) for _ in range(width)) for _ in range(height))
    labelled = draw(st.booleans())
    rows = tuple(str(height - r) for r in range(height)) if labelled else ()
    columns = tuple("abcd"[:width]) if labelled else ()
    return Picture(grid, rows, columns, caption=draw(symbols))


def test_a_board_with_labels():
    picture = load("tic-tac-toe").position("x../.o./..x o").picture()
    assert text.board(picture).splitlines() == [
        "3  x . .",
        "2  . o .",
        "1  . . x",
        "   a b c",
    ]


def test_marked_cells_stand_in_one_pair_of_brackets():
    row = (Cell("x", mark=True), Cell("x", mark=True), Cell("o"), Cell("10", mark=True))
    assert text.board(Picture((row,))) == "( x  x) o(10)"


def test_walls_and_empty_squares_are_told_apart():
    assert text.board(Picture(((Cell(piece="wall"), Cell()),))) == "# ."


@given(pictures())
def test_markup_changes_only_the_colours(picture):
    coloured = Text.from_markup(text.board(picture, markup=True)).plain
    plain = text.board(picture)
    for marked in "()":  # brackets of marked cells are reverse video in colour
        coloured, plain = coloured.replace(marked, " "), plain.replace(marked, " ")
    assert coloured.split() == plain.split()


@given(pictures())
def test_rich_knows_every_style(picture):
    for span in Text.from_markup(text.board(picture, markup=True)).spans:
        Style.parse(span.style)


@given(pictures())
def test_every_symbol_is_on_the_board(picture):
    lines = text.board(picture).splitlines()
    for row, line in zip(picture.cells, lines, strict=False):
        for cell in row:
            assert text.symbol(cell) in line


def test_every_game_with_a_picture_can_be_shown():
    for name in game_names():
        picture = load(name).start().picture()
        if picture is not None:
            assert len(text.board(picture).splitlines()) >= len(picture.cells)


# ---------------------------------------------------------------- SVG

SVG = "{http://www.w3.org/2000/svg}"


def classes(drawing, tag):
    return [element.get("class") for element in ElementTree.fromstring(drawing).iter(SVG + tag)]


def test_pieces_are_drawn_by_kind_and_owner():
    drawing = svg.board(load("tic-tac-toe").position("x../.o./..x o").picture())
    assert classes(drawing, "circle") == ["ring p1"]
    assert classes(drawing, "path") == ["cross p0", "cross p0"]
    assert classes(drawing, "rect").count("square") == 9


def test_marks_walls_and_checkered_boards():
    drawing = svg.board(Picture(((Cell(mark=True), Cell()), (Cell(piece="wall"), Cell())), checkered=True))
    assert classes(drawing, "rect") == ["ground", "mark", "shade", "wall", "square"]


def test_a_drawing_stands_alone_and_knows_the_dark():
    drawing = svg.board(load("connect four").start().play("4 4 3").picture(), title='a <b> & "c"')
    assert "prefers-color-scheme: dark" in drawing
    assert not re.search(r"(href|src|url\()", drawing)
    assert ElementTree.fromstring(drawing).get("aria-label") == 'a <b> & "c"'


def test_every_colour_that_is_used_has_a_light_and_a_dark_value():
    used = set(re.findall(r"var\((--\w+)\)", svg.STYLE))
    light, dark = svg.STYLE.split("@media")
    assert used == set(re.findall(r"(--\w+):", light)) == set(re.findall(r"(--\w+):", dark))


@given(pictures())
def test_any_picture_is_well_formed_and_inside_its_frame(picture):
    root = ElementTree.fromstring(svg.board(picture))
    width, height = float(root.get("width")), float(root.get("height"))
    for square in list(root.iter(SVG + "rect"))[1:]:
        assert 0 <= float(square.get("x")) <= width - svg.SIZE
        assert 0 <= float(square.get("y")) <= height - svg.SIZE


def test_notebooks_show_the_same_board():
    position = load("tic-tac-toe").start().play("b2")
    assert ElementTree.fromstring(position._repr_svg_()).get("aria-label") == repr(position)
    assert classes(position._repr_svg_(), "path") == ["cross p0"]


def test_stones_are_discs():
    assert classes(svg.board(load("go").start().play("E5 D4").picture()), "circle") == ["disc p0", "disc p1"]
