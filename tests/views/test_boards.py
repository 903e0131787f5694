"""Boards as text and as SVG."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style
from rich.text import Text

from outplay.game import game_names, load
from outplay.picture import Cell, Graph, Hand, Node, Picture, Points, Space, Table, Track
from outplay.views import plain, svg, text, theme

CARDS = tuple(Cell(card, "card") for card in ["As", "Kh", "Td", "9c"])
SCENES = [
    *(Picture(((Cell("x", "disc", 0), Cell()), (Cell(), Cell("o", "disc", 1))), surface=surface)
      for surface in ("squares", "lines", "holes", "hexes", "hexagon", "plain")),
    Points(points=((0, 5), (1, 1), *((None, 0),) * 22), bar=(1, 2), off=(3, 15), dice=(6, 5), cube=4, cube_owner=1),
    Table(hands=(Hand("North", CARDS, "above"), Hand("West", (Cell("", "card"),) * 13, "left"), Hand("South", CARDS * 3)),
          middle=CARDS[:2], words=("pot 12",)),
    Track(spaces=tuple(Space(f"street {number}", "red") for number in range(40)), tokens=(0, 39, None, 0), dice=(1, 2)),
    Graph(nodes={"a": Node(0, 0, "a"), "b": Node(1, 1, "b", "box")}, edges=(("a", "b"),), marks={"a": "open"}),
    Picture(((Cell("Q", "tile", note="10"), Cell(ground="3W")),), hands=(Hand("You", (Cell("A", "tile", note="1"),) * 7),)),
]  # fmt: skip

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


def test_a_track_calls_players_by_the_names_of_their_hands():
    spaces = (Space("start"), Space("street", "red", owner=1))
    hands = (Hand("A", owner=0), Hand("B", owner=1))
    assert text.board(Track(spaces=spaces, tokens=(0, 1), hands=hands)).splitlines()[:2] == [" 0 start <- A", " 1 street, B's <- B"]
    assert text.board(Track(spaces=spaces, tokens=(0, 1))).splitlines() == [" 0 start <- 1", " 1 street, 2's <- 2"]


# ---------------------------------------------------------------- SVG

SVG = "{http://www.w3.org/2000/svg}"


def classes(drawing, tag):
    return [element.get("class") for element in ElementTree.fromstring(drawing).iter(SVG + tag)]


def drawn_pieces(drawing):
    """Every piece of a drawing: its name, its colour and its spot."""
    found = []
    for element in ElementTree.fromstring(drawing).iter(SVG + "g"):
        if element.get("data-piece"):
            colour = next(word[2:] for word in element.get("class").split() if word.startswith("c-"))
            found.append((element.get("data-piece"), colour, element.get("data-spot")))
    return found


def test_pieces_are_drawn_by_kind_and_owner():
    drawing = svg.board(load("tic-tac-toe").position("x../.o./..x o").picture())
    assert drawn_pieces(drawing) == [("cross", "blue", "0,0"), ("ring", "orange", "1,1"), ("cross", "blue", "2,2")]
    assert classes(drawing, "rect").count("square") == 9


def test_marks_walls_and_checkered_boards():
    drawing = svg.board(Picture(((Cell(mark=True), Cell()), (Cell(piece="wall"), Cell())), checkered=True))
    assert classes(drawing, "rect") == ["paper", "plate", "square", "shade", "ground-wall", "square", "mark note"]


def test_a_drawing_stands_alone_and_knows_the_dark():
    drawing = svg.board(load("connect four").start().play("4 4 3").picture(), title='a <b> & "c"')
    assert "prefers-color-scheme: dark" in drawing
    assert not re.search(r"(src=|url\(|href=.[^#])", drawing)
    assert ElementTree.fromstring(drawing).get("aria-label") == 'a <b> & "c"'


def test_every_colour_that_is_used_has_a_light_and_a_dark_value():
    used = {name for name in re.findall(r"var\(--([\w-]+)", theme.STYLE)} - {"fill", "edge", "own", "detail", "shine"}
    assert used <= set(theme.LIGHT) == set(theme.DARK)
    assert all(re.fullmatch(r"#[0-9a-f]{6}", colour) for colour in (*theme.LIGHT.values(), *theme.DARK.values()))


def contrast(one, other):
    def light(colour):
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    bright, dim = sorted((light(one), light(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def test_two_players_differ_in_lightness_not_only_in_hue():
    for colours in (theme.LIGHT, theme.DARK):
        for one, other in (("white", "black"), ("red", "yellow")):
            assert contrast(colours[f"{one}-fill"], colours[f"{other}-fill"]) > 2.5
        assert contrast(colours["ink"], colours["paper"]) > 7
        assert contrast(colours["soft"], colours["paper"]) > 4.5


@given(pictures())
def test_any_picture_is_well_formed_and_inside_its_frame(picture):
    drawing = svg.draw(picture)
    ElementTree.fromstring(drawing.svg)
    for place in drawing.places:
        assert 0 <= place.x <= drawing.width - place.width and 0 <= place.y <= drawing.height - place.height
    assert len(drawing.places) == sum(len(row) for row in picture.cells)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: type(scene).__name__ + " " + scene.surface)
def test_every_surface_is_drawn_with_its_places_both_ways_round(scene):
    assert scene.problem() == ""
    for turned, narrow in ((False, False), (True, False), (False, True), (True, True)):
        drawing = svg.draw(scene, turned=turned, narrow=narrow)
        ElementTree.fromstring(drawing.svg)
        assert {place.id for place in drawing.places} >= {svg.spot_id(spot) for spot in scene.places()}
        for place in drawing.places:
            assert place.x >= -1 and place.x + place.width <= drawing.width + 1, place
            assert place.y >= -1 and place.y + place.height <= drawing.height + 1, place
    assert text.board(scene)


def test_backgammon_shows_how_many_checkers_stand_where():
    picture = load("backgammon").start().play("x31").picture()
    drawing = svg.draw(picture)
    here = {place.id: place.here for place in drawing.places}
    assert here["6"] == "5 white checkers" and here["24"] == "2 white checkers"
    assert here["1"] == "2 black checkers" and here["2"] == ""
    assert sum(1 for piece, _, spot in drawn_pieces(drawing.svg) if piece == "checker" and spot == "6") == 5
    assert drawing.svg.count('class="pip"') == 4  # a three and a one
    turned = {place.id: (place.x, place.y) for place in svg.draw(picture, turned=True).places}
    straight = {place.id: (place.x, place.y) for place in drawing.places}
    assert turned["1"] == straight["24"] and turned["13"] == straight["12"]


PHONE = 366
"""Pixels that a board has on a screen 390 wide."""


def test_on_a_narrow_screen_every_card_and_every_cell_that_is_touched_is_as_large_as_a_fingertip():
    deal = "N:KQ942.A73.K6.Q84 J7.K95.AQ7432.T3 AT63.QJ64.T8.A75 85.T82.J95.KJ962"
    played = load("bridge", compiled=False).position(deal).play("1S pass 4S pass pass pass")
    drawing = svg.draw(svg.seen_from(played.picture(), "East"), narrow=True)
    scale = PHONE / drawing.width
    cards = [place for place in drawing.places if place.id.startswith("East,")]
    assert len(cards) == 13 and min(place.width for place in cards) * scale > 40
    assert min(place.y for place in cards) > drawing.height / 2  # who sits there sees the own hand below
    seas = load("battleships", compiled=False).start().picture()
    wide, stacked = svg.draw(seas), svg.draw(seas, narrow=True, front=0, names=("mine", "theirs"))
    assert {place.id for place in wide.places} == {place.id for place in stacked.places}
    assert {place.name for place in wide.places} == {place.name for place in stacked.places}
    sizes = {place.id: place.width * PHONE / stacked.width for place in stacked.places}
    assert sizes["0,0"] > 33 and sizes["0,11"] < sizes["0,0"]
    assert svg.board_in_front(seas, True) == 0 and svg.board_in_front(seas, False) == 1


def test_a_win_is_marked_and_a_king_in_check():
    four = load("connect four").start().play("1 2 1 2 1 2 1").picture()
    assert set(four.marks.values()) == {"line"} and len(four.marks) == 4
    assert "win-line" in svg.board(four)
    mate = load("chess").start().play("f2f3 e7e5 g2g4 d8h4").picture()
    assert mate.marks == {(7, 4): "check"}


def test_territory_and_score_are_shown_once_both_have_passed():
    picture = load("go:size=5").start().play("C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 pass pass").picture()
    assert picture.marks[0, 0] == "territory 0" and picture.marks[0, 4] == "territory 1"
    assert picture.caption == "Black 15, White 10 + komi 7.5: White wins by 2.5"


def test_a_promotion_offers_four_men():
    picture = load("chess").position("8/P6k/8/8/8/8/8/K7 w - - 0 1").picture()
    assert sorted(cell.piece for cell in picture.offers.values()) == ["bishop", "knight", "queen", "rook"]


def test_a_game_without_a_picture_gets_one():
    assert plain.from_text("xo/.# o").cells[1][1].piece == "wall"
    fields = plain.from_fields({"heaps": [3, 4], "turn": 0})
    assert [cell.symbol for cell in fields.cells[0]] == ["3", "4"] and fields.rows == ("heaps", "turn")
    assert plain.from_text("a line of words") is None


@pytest.mark.parametrize(("picture", "problem"), [
    (Picture(((Cell(), Cell()), (Cell(),))), "the rows have [1, 2] cells"),
    (Picture(((Cell(),),), surface="carpet"), "unknown surface 'carpet': known are squares, lines, holes, hexes, hexagon, plain"),
    (Picture(((Cell(),),), marks={(0, 0): "bright"}), "unknown mark 'bright': known are"),
    (Points(touches={1: (("bar", 2),)}), "action 1 touches ('bar', 2), which is not on the board"),
])  # fmt: skip
def test_what_is_wrong_with_a_picture_is_said_in_one_line(picture, problem):
    assert picture.problem().startswith(problem)


def test_notebooks_show_the_same_board():
    position = load("tic-tac-toe").start().play("b2")
    assert ElementTree.fromstring(position._repr_svg_()).get("aria-label") == repr(position)
    assert drawn_pieces(position._repr_svg_()) == [("cross", "blue", "1,1")]


def test_stones_stand_on_the_crossings():
    drawing = svg.board(load("go").start().play("E5 D4").picture())
    assert drawn_pieces(drawing) == [("stone", "black", "4,4"), ("stone", "white", "5,3")]
    assert classes(drawing, "circle").count("star-point") == 5
