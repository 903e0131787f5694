"""PGN: what is skipped, what is reported, and that games come back as they went."""

import io
import random

import pytest

from outplay.errors import BadValue
from outplay.experts.chess import pgn
from outplay.game import load

FILE = """% an escape line
[Event "One"]
[Result "1-0"]

1. e4 {a comment
with [Event "no tag"] and (brackets) over lines} e5 ; to the end ( of the line {
2. Nf3! Nc6? (2... d6 3. d4 (3. Bc4 {deep})) 3. Bb5 $14 a6 1-0

[Event "Two: an illegal move"]

1. e4 e5 2. Ke3 *

[Event "Three"]
[SetUp "1"]
[FEN "4k3/P7/8/8/8/8/8/4K2R w K - 0 1"]

1. a8=Q+ Kd7 2. O-O 1/2-1/2

[Event "Four: a variation never closed"]

1. d4 (1. e4 d5

[Event "Five"]

1.d4 d5 2.c4 e6 3.Nc3 Nf6 4.Bg5 Be7 5.e3 0-0 6.Nf3 Nbd7 0-1
"""


def test_comments_and_variations_are_skipped_and_bad_games_reported_by_number():
    games = list(pgn.read(FILE.splitlines(keepends=True)))
    assert [type(game).__name__ for game in games] == ["Game", "Problem", "Game", "Problem", "Game"]
    assert games[0].moves == ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6")
    assert str(games[1]).startswith("game 2: illegal move 'Ke3'")
    assert games[2].moves == ("a8=Q+", "Kd7", "O-O") and games[2].result == "1/2-1/2"
    assert "never closed" in str(games[3])
    assert len(games[4].moves) == 12 and games[4].result == "0-1"


def random_game(source):
    position, actions = load("chess", compiled=True).start(), []
    for _ in range(source.randrange(1, 120)):
        if position.is_terminal():
            break
        actions.append(source.choice(position.actions()))
        position = position.result(actions[-1])
    return pgn.Game({"White": 'A "quoted" name', "Black": "B"}, (), tuple(actions), source.choice(list(pgn.RESULTS)))


def test_written_games_come_back():
    source = random.Random(4)
    games = [random_game(source) for _ in range(15)]
    text = "\n".join(pgn.write(game) for game in games)
    assert all(len(line) <= 80 for line in text.splitlines() if not line.startswith("["))
    back = list(pgn.read(text.splitlines(keepends=True)))
    assert [(game.actions, game.result) for game in back] == [(game.actions, game.result) for game in games]
    assert back[0].tags["White"] == 'A "quoted" name'


def test_the_package_chess_reads_the_same_games():
    chess_pgn = pytest.importorskip("chess.pgn")
    import io

    game = random_game(random.Random(9))
    theirs = chess_pgn.read_game(io.StringIO(pgn.write(game)))
    assert [move.uci() for move in theirs.mainline_moves()] == list(game.record().actions)
    assert not theirs.errors


def test_records_become_games():
    game = random_game(random.Random(5))
    again = pgn.from_record(game.record(), Event="test")
    assert again.actions == game.actions and again.tags["Event"] == "test"


def test_a_missing_file_is_told_in_one_line(tmp_path):
    with pytest.raises(BadValue, match="No such file"):
        list(pgn.read_file(tmp_path / "none.pgn"))


def test_thousands_of_games_are_read(tmp_path):
    path = tmp_path / "many.pgn"
    path.write_text('[Event "x"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2\n\n' * 2000)
    assert sum(isinstance(game, pgn.Game) for game in pgn.read_file(path)) == 2000


def test_variations_go_out_and_come_back_as_another_program_reads_them():
    chess_pgn = pytest.importorskip("chess.pgn")
    text = "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 (2. f4 exf4) 2... Nc6 *"
    (game,) = pgn.read(text.splitlines(), variations=True)
    assert len(game.lines) == 3
    written = pgn.write(game)
    other = chess_pgn.read_game(io.StringIO(written))
    answers = other.next().variations
    assert other.errors == [] and [node.san() for node in answers] == ["e5", "c5"]
    assert [node.san() for node in answers[1].variations] == ["Nf3", "c3"]  # a variation in a variation
    (again,) = pgn.read(written.splitlines(), variations=True)
    assert again.lines == game.lines and again.actions == game.actions


def test_a_variation_that_cannot_be_read_ends_before_it():
    (game,) = pgn.read(["1. e4 e5 (1... c5 2. Qh9 d6) 2. Nf3 *"], variations=True)
    assert len(game.actions) == 3 and [len(line) for line in game.lines] == [2]
