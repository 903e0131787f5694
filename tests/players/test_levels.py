"""Levels, opening books and endgame tables as parts of players."""

import pytest

from outplay.arena.match import match, tally
from outplay.errors import BadValue, OutplayError, Unsuitable
from outplay.game import load
from outplay.knowledge import openings, retrograde
from outplay.players import Play, player
from outplay.values import Outcome, Record


def test_a_higher_level_wins_and_looks_at_more():
    game = load("connect four")
    strong, weak = player("engine:level=club"), player("engine:level=beginner", seed=5)
    records = list(match(game, [strong, weak], games=12))
    assert tally(records, "engine:level=club").score > 0.6
    weak.choose(game.start())
    assert weak.last is None or weak.last.nodes <= 200


def test_a_level_of_monte_carlo_and_of_the_textbook():
    go = player("engine:mcts,level=casual")
    go.choose(load("go:size=5").start())
    assert go.last.leaves <= 64
    book = player("alphabeta:depth=2,level=600")
    moves = {book.choose(load("tic-tac-toe").start()) for _ in range(30)}
    assert len(moves) > 1
    for text in ("engine:level=clubb", "engine:level=99", "engine:level=" + "9" * 50):
        with pytest.raises(OutplayError, match="level"):
            player(text)


def test_a_book_of_any_game_is_made_from_records_and_played(tmp_path):
    start = load("tic-tac-toe").start()
    records = [Record("tic-tac-toe", start.text(), ("a1", "b2"), ("a", "b"), Outcome((1.0, -1.0)))] * 3
    path = tmp_path / "ttt.book"
    openings.build("tic-tac-toe", records).save(path)
    with Play("tic-tac-toe", [f"engine:depth=1,book={path}", None]) as play:
        list(play.run())
        assert play.plies[0].text == "a1" and play.plies[0].thought is None
    with pytest.raises(BadValue, match="is a book of tic-tac-toe, and this is nim"):
        player(f"engine:book={path}").get_ready(load("nim").start())
    with pytest.raises(BadValue, match="cannot read book"):
        player(f"engine:book={tmp_path / 'none'}").get_ready(start)
    one = openings.open_book(path, start.game)
    both = openings.merge([one, one])
    assert dict(both.moves(start)) == {action: 2 * weight for action, weight in one.moves(start)}
    path.write_text(path.read_text() + "zzz\n")
    with pytest.raises(BadValue, match="is no entry of a book"):
        openings.open_book(path, start.game)


def test_tables_mate_without_a_search(tmp_path):
    tables = retrograde.build(load("chess"), ["KQK"], tmp_path)
    texts = [f"engine:depth=1,tables={tmp_path}"] * 2
    with Play("chess", texts, start="8/8/8/3k4/8/8/8/KQ6 w - - 0 1") as play:
        _, plies = tables.probe(play.position)
        record = play.finished()
    assert len(record.actions) == plies and record.outcome.utilities == (1.0, -1.0) and not any(record.comments)
    with pytest.raises(Unsuitable, match="no endgame tables are known for nim"):
        player(f"engine:tables={tmp_path}").get_ready(load("nim").start())
    with pytest.raises(BadValue, match="no such folder"):
        player(f"engine:tables={tmp_path / 'none'}").get_ready(load("chess").start())
