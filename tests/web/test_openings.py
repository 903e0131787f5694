"""The opening explorer and the match that the arena opens with: by HTTP and in a real browser."""

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi.testclient import TestClient

from outplay.books import openings
from outplay.errors import OutplayError
from outplay.experts.chess import book, pgn
from outplay.game import load
from outplay.web import explorer
from outplay.web.app import create_app
from tests.web.board import moves, recorded, start, sync_api

expect = sync_api.expect
GAMES = """[White "A"]
1. e4 c5 2. Nf3 1-0

[White "B"]
1. e4 c5 0-1

[White "C"]
1. d4 d5 1/2-1/2

[White "D"]
1. e4 e5 1-0""".splitlines()


@pytest.fixture
def own_book(tmp_path):
    """A book of four games, named as `serve --book` names it."""
    book.save(book.build(pgn.read(GAMES)), tmp_path / "mine.bin")
    explorer.name_books([str(tmp_path / "mine.bin")])
    yield tmp_path / "mine.bin"
    explorer.name_books([])


def test_a_polyglot_book_is_explored_with_the_names_of_openings(own_book):
    with TestClient(create_app(None), base_url="http://localhost") as studio:
        found = studio.post("/api/openings", json={"game": "chess"}).json()
        assert found["books"] == ["mine.bin"]
        rows = [(row["word"], row["points"], row["name"]) for row in found["moves"]]
        assert rows == [("e4", 4, "King's pawn"), ("d4", 1, "Queen's pawn")]  # two wins and a loss; a draw
        assert all(row["results"] is None for row in found["moves"])  # Polyglot's format holds points only
        assert sum(row["share"] for row in found["moves"]) == pytest.approx(1)
        later = studio.post("/api/openings", json={"game": "chess", "actions": ["e2e4"]}).json()["moves"]
        assert [(row["action"], row["points"], row["name"]) for row in later] == [("c7c5", 2, "Sicilian Defence")]  # e5 only lost
        assert studio.post("/api/openings", json={"game": "chess", "actions": ["a2a3"]}).json()["moves"] == []
        assert studio.post("/api/openings", json={"game": "nim"}).json() == {"books": [], "moves": []}


def test_a_book_that_counts_games_is_shown_as_won_drawn_and_lost(tmp_path):
    made = openings.build("chess", [game.record() for game in pgn.read(GAMES)])
    made.save(tmp_path / "mine.txt")
    explorer.name_books([str(tmp_path / "mine.txt")])
    try:
        rows = explorer.moves_of(load("chess", compiled=False).start())
        seen = [(row["action"], row["results"], row["share"]) for row in rows]
        assert seen == [("e2e4", [2, 0, 1], 0.75), ("d2d4", [0, 1, 0], 0.25)]
    finally:
        explorer.name_books([])


def test_the_books_of_the_package_hold_only_what_can_be_played():
    for name in ("chess", "checkers", "othello"):
        position, plies = load(name, compiled=False).start(), 0
        while (rows := explorer.moves_of(position)) and plies < 40:
            assert {row["action"] for row in rows} <= {position.action_text(action) for action in position.actions()}
            position, plies = position.play([rows[0]["action"]]), plies + 1
        assert plies >= 4, name
    assert len(explorer.moves_of(load("chess", compiled=False).start())) >= 5


def test_a_file_that_is_no_book_is_refused_at_the_start(tmp_path):
    (tmp_path / "torn.bin").write_bytes(b"0123456789")
    for text in (str(tmp_path / "torn.bin"), str(tmp_path / "none.bin")):
        with pytest.raises(OutplayError, match="book"):
            explorer.name_books([text])


def test_the_example_of_the_arena_is_planted_once_and_again_where_its_games_are_gone():
    app = create_app(None)
    with TestClient(app, base_url="http://localhost") as studio:
        arena = studio.get("/api/arenas/example").json()
        assert arena["done"] and not arena["running"] and len(arena["results"]) == arena["games"] == 24
        assert arena["live"]["board"]["svg"].startswith("<svg")
        assert studio.get("/api/arenas/example").json()["results"] == arena["results"]
        for result in arena["results"]:  # every game can be looked at, and ended as the table says
            game = studio.get(f"/api/records/{result['address']}").json()
            assert game["terminal"] and game["plies"] == result["plies"]
            assert [(1 + utility) / 2 for utility in game["utilities"]] == result["points"]
        app.state.store._base.execute("DELETE FROM records")
        again = studio.get("/api/arenas/example").json()
        assert studio.get(f"/api/records/{again['results'][0]['address']}").status_code == 200


@pytest.mark.usefixtures("browser")
def test_a_book_move_is_played_by_a_click_beside_the_board(page, address):
    start(page, address, "chess", "human", "human")
    page.click("#tab-think")
    first = page.locator("#book button").first
    expect(first).to_be_visible()
    word = first.inner_text()
    first.click()
    recorded(page, 1)
    assert moves(page) == [word]
    page.click("#tab-game")
    page.fill("#move", "h5")
    page.press("#move", "Enter")
    recorded(page, 2)
    page.click("#tab-think")
    expect(page.locator("#booked")).to_have_text("No book knows this position.")
    start(page, address, "tic-tac-toe", "human", "human")
    page.click("#tab-think")
    expect(page.locator("#explorer")).to_be_hidden()


@pytest.mark.usefixtures("browser")
def test_the_arena_opens_with_a_finished_match_and_a_way_to_start_one(page, address):
    page.goto(f"{address}/arena")
    expect(page.locator("#status")).to_contain_text("All 24 games are played")
    expect(page.locator("#table tbody tr")).to_have_count(4)
    expect(page.locator("#games li")).to_have_count(24)
    expect(page.locator("#board svg")).to_be_visible()
    expect(page.locator("#ratings .interval")).to_have_count(4)
    page.select_option("#game", "tic-tac-toe")
    for row in page.locator("#players select").all():
        row.select_option("random")
    page.fill("#pairs", "1")
    page.click("#form button.main")
    expect(page.locator("#status")).to_contain_text("All 6 games are played")
    expect(page.locator("#example")).to_be_hidden()
    own = page.evaluate("location.href")
    page.goto(f"{address}/arena")
    expect(page.locator("#earlier a")).to_have_attribute("href", own.removeprefix(address))
