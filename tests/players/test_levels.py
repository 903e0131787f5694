"""Levels, opening books and endgame tables as parts of players."""

import random
from itertools import pairwise

import pytest

from outplay.arena.ladder import Ladder, shipped
from outplay.arena.match import match, tally
from outplay.books import openings
from outplay.engine.tables import retrograde
from outplay.errors import BadValue, OutplayError, Unsuitable
from outplay.game import load
from outplay.players import Play, levels, player
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


def test_a_level_is_measured_for_its_game():
    """Where levels were measured, each looks at no fewer positions than the one below; numbers are ratings of chess everywhere."""
    words = [word for word in levels.LEVELS if word != "full"]
    known = levels._measured()
    assert {"tic-tac-toe", "nim"} <= known.keys()
    for game, found in known.items():
        assert list(found) == words, game
        rows = [found[word] for word in words]
        assert all(low[0] <= high[0] for low, high in pairwise(rows)), game
    one = levels.level("beginner").of(load("tic-tac-toe"))
    assert one.slip > levels.level("master").of(load("tic-tac-toe")).slip and one.nodes < 200
    chess = load("chess")
    assert levels.level("1234").of(chess) == levels.level("1234") and levels.level("club").of(chess) != levels.level("club")
    assert levels.level("full").of(load("nim")).rating is None


def test_levels_of_the_shipped_ladders_stand_in_their_order():
    """Every ladder that comes with Outplay: random at its bottom, and no level clearly above the next better one."""
    for game, path in shipped().items():
        rungs = {rung.name: rung for rung in Ladder.read(path).rungs()}
        names = [f"auto:level={word}" for word in levels.LEVELS if f"auto:level={word}" in rungs]
        if game in {"rock-paper-scissors", "tree", "uniform tree"}:  # one decision: nobody is stronger by a level
            assert not names and len(rungs) == 2
            continue
        assert len(names) >= 3, game
        assert all(rungs["random"].elo < rungs[name].elo for name in names), game
        for low, high in pairwise(names):
            assert rungs[low].elo < rungs[high].elo + rungs[low].error, (game, low, high)


def test_who_errs_chooses_among_what_is_worth_most_to_the_mover():
    """Whoever is to move: a shot of the second player's falls on a likely cell, and a large error still finds no hopeless one."""
    source, view = random.Random(2), load("battleships").start()
    for ply in range(41):  # ten ships, then shots in turns
        assert ply < 10 or view.player() == ply % 2
        view = view.result(source.choice(view.actions()))
    assert view.player() == 1
    one, shots = player("auto:level=beginner"), set()
    for _ in range(30):
        shots.add(action := one.choose(view))
        hits = {cell: -value for cell, value in one.last.each("value").items()}  # values are the first player's
        assert one.last.unit == "hits" and min(hits.values()) >= 0
        assert hits[action] >= sorted(hits.values(), reverse=True)[one.last.facts["among"] - 1]
    assert len(shots) > 4


def test_a_bid_that_errs_is_a_neighbour():
    assert levels.among(["pass", "1C", "1D"], "1D") == ["pass", "1C", "1D"] and levels.among(["pass"], "pass") == ["pass"]
