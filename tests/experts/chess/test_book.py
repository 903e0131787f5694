"""Opening books: Polyglot's keys, building, merging, and files that are none."""

import json
import random

import numpy as np
import pytest

from outplay.books import openings
from outplay.cli.main import run
from outplay.errors import BadValue
from outplay.experts.chess import book, pgn
from outplay.game import load

GAME = load("chess", compiled=True)

# The examples of the format's own description.
KEYS = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463B96181691FC9C),
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823C9B50FD114196),
    ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22A48B5A8E47FF78),
    ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652A607CA3F242C1),
    ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00FDD303C946BDD9),
    ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3C8123EA7B067637),
]


@pytest.mark.parametrize(("fen", "expected"), KEYS)
def test_keys(fen, expected):
    assert book.key(GAME.position(fen)) == expected


def test_a_book_is_built_saved_merged_and_asked(tmp_path):
    games = list(pgn.read(["1. e4 e5 2. Nf3 1-0", '[White "x"]', "1. e4 c5 1/2-1/2", '[White "y"]', "1. d4 d5 0-1"]))
    made = book.build(games)
    start = GAME.start()
    assert [(start.action_text(action), weight) for action, weight in book.moves(made, start)] == [("e2e4", 3)]
    book.save(made, tmp_path / "a.bin")
    assert (tmp_path / "a.bin").stat().st_size == 16 * len(made)
    again = book.load(tmp_path / "a.bin")
    both = book.merge([again, made])
    assert [weight for _, weight in book.moves(both, start)] == [6]
    assert book.choose(both, start, random.Random(1)) == start.parse_action("e4")
    assert book.choose(both, start.play("a3"), random.Random(1)) is None


def test_castling_and_promotion_come_back():
    for fen in ("r3k2r/P6P/8/8/8/8/p6p/R3K2R w KQkq - 0 1", "r3k2r/P6P/8/8/8/8/p6p/R3K2R b KQkq - 0 1"):
        position = GAME.position(fen)
        for action in position.actions():
            assert book.decode(position, book.encode(position, action)) == action
    white = GAME.position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    two_steps = 6 | 4 << 6  # as some books write e1g1
    assert white.action_text(book.decode(white, two_steps)) == "e1g1"


def test_the_package_chess_reads_our_books(tmp_path):
    polyglot = pytest.importorskip("chess.polyglot")
    import chess

    book.save(book.build(pgn.read(["1. e4 e5 2. Nf3 Nc6 1-0"])), tmp_path / "b.bin")
    with polyglot.open_reader(str(tmp_path / "b.bin")) as reader:
        assert [entry.move.uci() for entry in reader.find_all(chess.Board())] == ["e2e4"]


def test_what_is_no_book_is_refused(tmp_path):
    (tmp_path / "bad.bin").write_bytes(b"hello")
    with pytest.raises(BadValue, match="no Polyglot book"):
        book.load(tmp_path / "bad.bin")
    with pytest.raises(BadValue, match="cannot read"):
        book.load(tmp_path / "none.bin")


def test_a_move_of_weight_0_stays_one_when_books_are_merged(tmp_path):
    start = load("chess").start()
    entries = np.zeros(2, book.ENTRY)
    first, second = (book.encode(start, start.parse_action(text)) for text in ("e4", "d4"))
    entries["key"], entries["move"], entries["weight"] = book.key(start), (first, second), (0, 5)
    never = np.zeros(1, book.ENTRY)
    never["key"], never["move"] = 7, 1
    merged = book.merge([entries, entries, never])
    assert dict(book.moves(merged, start)) == {start.parse_action("e4"): 0, start.parse_action("d4"): 10}


def test_books_of_any_game_by_commands(tmp_path, capsys):
    games, made, both = tmp_path / "games.jsonl", tmp_path / "book.txt", tmp_path / "both.txt"
    assert run(["match", "tic-tac-toe", "minimax:depth=2", "random", "--opening", "0", "--games", "6", "--save", str(games)]) == 0
    assert run(["book", "build", str(games), "--out", str(made)]) == 0
    assert run(["book", "merge", str(made), str(made), "--out", str(both)]) == 0
    capsys.readouterr()
    assert run(["book", "dump", str(both), "--json"]) == 0
    moves = json.loads(capsys.readouterr().out)["moves"]
    assert moves and all(row["weight"] % 2 == 0 for row in moves)
    assert run(["match", "tic-tac-toe", f"engine:depth=1,book={both}", "random", "--games", "2", "--json"]) == 0


def test_a_book_counts_games_won_drawn_and_lost_and_old_files_still_load(tmp_path, capsys):
    games, made = tmp_path / "games.pgn", tmp_path / "book.txt"
    lines = ("e4 c5 1-0", "e4 c5 1/2-1/2", "e4 e5 0-1", "d4 d5 0-1")
    games.write_text("\n\n".join(f'[White "A"]\n\n1. {line}' for line in lines))
    assert run(["book", "build", str(games), "--out", str(made)]) == 0
    capsys.readouterr()
    start = load("chess").start()
    book = openings.open_book(made, start.game)
    assert book.results(start) == {"e2e4": (1, 1, 1), "d2d4": (0, 0, 1)}
    assert [weight for _, weight in book.moves(start)] == [3, 0]  # d4 only lost: known, and never played
    assert openings.choose(book, start, random.Random(1)) == start.parse_action("e4")
    assert book.results(start.play("e4")) == {"c7c5": (0, 1, 1), "e7e5": (1, 0, 0)}  # of whoever is to move
    old = openings.read("\n".join("\t".join(line.split("\t")[:3]) for line in made.read_text().splitlines()), "chess")
    assert old.moves(start) == book.moves(start) and old.results(start) == {}
    assert openings.merge([book, book]).results(start) == {"e2e4": (2, 2, 2), "d2d4": (0, 0, 2)}
    for mixed in ([book, old], [old, book], [book, old, book]):
        assert openings.merge(mixed).results(start) == {}  # half of the games would be no picture of all
    with pytest.raises(BadValue, match="line 2 is no entry of a book"):
        openings.read("outplay book chess\n00ff\te2e4\t3\t1\t1", "chess")


def test_what_was_there_stays_when_writing_fails(tmp_path, capsys):
    games = tmp_path / "games.pgn"
    games.write_text("1. e4 e5 1-0\n")
    old = tmp_path / "book.bin"
    old.write_bytes(b"0" * 16)
    for out in ("/dev/full", str(tmp_path), "/proc/none/book.bin", str(tmp_path / ("x" * 300))):
        assert run(["book", "build", str(games), "--out", out]) == 2
        assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert old.read_bytes() == b"0" * 16 and sorted(path.name for path in tmp_path.iterdir()) == ["book.bin", "games.pgn"]


@pytest.mark.parametrize("name", ["othello", "checkers"])
def test_books_come_with_the_package(name):
    game = load(name)
    book = openings.open_book("own", game)
    assert len(book) > 100 and book.moves(game.start())  # the keys of its positions are those of the rules
    with pytest.raises(BadValue, match="no book of nim comes with the package"):
        openings.open_book("own", load("nim"))
