import pytest

from outplay.arena.match import match, play_game, random_opening, read, save, tally
from outplay.errors import BadValue, Unsuitable
from outplay.game import load
from outplay.players import Player, player
from outplay.values import Limits


class Crashing(Player):
    name = "crashing"

    def pick(self, view, limits):
        raise ZeroDivisionError("a bug of its own")


class Cheating(Player):
    name = "cheating"

    def pick(self, view, limits):
        return 99


class Slow(Player):
    name = "slow"

    def pick(self, view, limits):
        import time

        time.sleep(1.2)
        return view.actions()[0]


def test_each_opening_is_played_from_both_sides():
    records = list(match(load("connect four"), [player("random"), player("random:seed=9")], games=6, opening_plies=3))
    assert [record.players[0] for record in records] == ["random", "random:seed=9"] * 3
    assert [record.start for record in records[0::2]] == [record.start for record in records[1::2]]
    assert len({record.start for record in records}) == 3


def test_a_record_replays_to_its_outcome():
    for name in ("tic-tac-toe", "isolation:width=3,height=3,sloppy=0.3"):
        game = load(name)
        record = play_game([player("random"), player("random:seed=4")], game.start(), seed=5)
        position = game.position(record.start)
        for action in record.actions:
            position = position.play([action])
        assert position.utilities() == record.outcome.utilities


@pytest.mark.parametrize(("culprit", "reason"), [
    (Crashing(), "crashing failed: ZeroDivisionError: a bug of its own"),
    (Cheating(), "cheating played the illegal action 99"),
])
def test_a_player_that_fails_loses_and_the_match_goes_on(culprit, reason):
    records = list(match(load("tic-tac-toe"), [culprit, player("random")], games=4, opening_plies=0))
    assert len(records) == 4
    assert all(record.reason == reason for record in records)
    assert tally(records, culprit.name).losses == 4


def test_a_player_that_oversteps_its_time_loses():
    record = play_game([Slow(), player("random")], load("tic-tac-toe").start(), limits=Limits(seconds=0.1))
    assert record.reason == "slow took 1.2 s for a move of 0.1 s"
    assert record.outcome.utilities == (-1, 1)


def test_a_clock_goes_down_with_each_move_and_ends_the_game():
    seen = []

    class Watching(Player):
        name = "watching"

        def pick(self, view, limits):
            seen.append((limits.remaining, limits.increment))
            return view.actions()[0]

    record = play_game([Watching(), Slow()], load("connect four").start(), clock=(2.0, 0.25))
    assert record.reason == "slow ran out of time" and record.outcome.utilities == (1, -1)
    first, *rest = seen
    assert first == (2.0, 0.25) and rest and all(2.0 < remaining <= 2.0 + 0.25 * len(rest) for remaining, _ in rest)


def test_records_go_to_disk_and_back_and_a_match_goes_on_where_it_stopped(tmp_path):
    game, players = load("tic-tac-toe"), [player("random"), player("random:seed=2")]
    whole = list(match(game, players, games=6, opening_plies=2, seed=3))
    path = tmp_path / "games.jsonl"
    for record in whole[:3]:
        save(record, path)
    with path.open("a") as file:
        file.write('{"game": "tic-tac')  # the program was stopped while writing
    assert read(path) == whole[:3]
    path.write_text("nonsense\n" + path.read_text())
    with pytest.raises(BadValue, match="line 1 is not a game record"):
        read(path)


def test_openings_are_unfinished_and_the_same_for_the_same_seed():
    start = load("tic-tac-toe").start()
    assert random_opening(start, 5, 1) == random_opening(start, 5, 1) != random_opening(start, 5, 2)
    assert not any(random_opening(start, 7, seed).is_terminal() for seed in range(20))
    with pytest.raises(BadValue, match="ask for fewer"):
        random_opening(start, 9, 0)


def test_repeating_a_position_three_times_is_a_draw():
    chess = load("chess")

    class Shuffling(Player):
        name = "shuffling"

        def pick(self, view, limits):
            texts = [view.action_text(action) for action in view.actions()]
            return view.actions()[texts.index(next(move for move in ("g1f3", "f3g1", "g8f6", "f6g8") if move in texts))]

    record = play_game([Shuffling(), Shuffling()], chess.start())
    assert record.reason == "threefold repetition" and record.outcome.winner is None and len(record.actions) == 8


def test_fifty_moves_without_progress_are_a_draw():
    start = load("chess").position("8/8/8/3k4/8/8/1R6/K7 w - - 97 90")
    record = play_game([player("random"), player("random:seed=5")], start)
    assert record.outcome.utilities == (0.0, 0.0) and record.reason == "50 moves without progress" and len(record.actions) == 3


def test_three_players_do_not_make_a_match():
    with pytest.raises(Unsuitable, match="a match needs a game of two players"):
        list(match(load("isolation:players=3"), [player("random"), player("random")], games=2))
