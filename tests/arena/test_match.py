import threading
from pathlib import Path

import pytest

from outplay.arena.match import match, opening_seed, play_game, points_a_game, points_of, random_opening, read, save, tally
from outplay.cli.main import run
from outplay.errors import BadValue, OutplayError
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


@pytest.fixture
def clock(monkeypatch):
    """The referee's own clock, which only goes on where a player says so."""
    now = [100.0]
    monkeypatch.setattr("outplay.playing.time.perf_counter", lambda: now[0])
    return now


class Slow(Player):
    name = "slow"

    def __init__(self, clock):
        self.clock = clock

    def pick(self, view, limits):
        self.clock[0] += 1.2
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


def test_a_player_that_oversteps_its_time_loses(clock):
    record = play_game([Slow(clock), player("random")], load("tic-tac-toe").start(), limits=Limits(seconds=0.1))
    assert record.reason == "slow took 1.2 s for a move of 0.1 s"
    assert record.outcome.utilities == (-1, 1)


def test_a_clock_goes_down_with_each_move_and_ends_the_game(clock):
    seen = []

    class Watching(Player):
        name = "watching"

        def pick(self, view, limits):
            seen.append((limits.remaining, limits.increment))
            clock[0] += 0.125
            return view.actions()[0]

    record = play_game([Watching(), Slow(clock)], load("connect four").start(), clock=(2.0, 0.25))
    assert record.reason == "slow ran out of time" and record.outcome.utilities == (1, -1)
    assert seen == [(2.0, 0.25), (2.125, 0.25)]  # each move takes 0.125 and brings 0.25; the slow one has 1.05 left for its second


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
    of_one, of_next = ({opening_seed(seed, number) for number in range(1000)} for seed in (41, 42))
    assert not of_one & of_next and len(of_one) == 1000  # neither begins where the other has been
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


def test_three_players_rotate_through_the_seats():
    trio = [player(f"random:seed={seed}") for seed in range(3)]
    game = load("isolation:players=3,width=3,height=3")
    records = list(match(game, trio, games=6))
    assert [record.players[0][-1] for record in records] == ["0", "2", "1"] * 2
    assert len({record.start for record in records[:3]}) == 1
    total = sum(points_of(record, seat) for record in records for seat in range(3))
    assert total == pytest.approx(6 * 1.5)
    assert [points_a_game(records, number)[0] for number in range(3)]
    with pytest.raises(BadValue, match="needs three players, got 2"):
        list(match(game, trio[:2], games=2))


def test_one_player_alone_gets_an_average():
    puzzle = load("fifteen puzzle:width=2,height=2")
    records = list(match(puzzle, [player("engine")], games=2, opening_plies=0))
    assert points_a_game(records)[0] == 1.0


def test_a_game_of_a_match_depends_on_its_number_alone():
    game, make = load("tic-tac-toe"), lambda: [player("random"), player("random:seed=2")]
    whole = list(match(game, make(), games=6, seed=3))
    assert list(match(game, make(), games=6, seed=3, done=4)) == whole[4:]


def test_a_player_that_cannot_play_is_refused_before_the_first_game():
    for text in ("beam:widht=2", "h-alphabeta:depth=3,evaluate=my moves", "deals:number=5"):
        with pytest.raises(OutplayError):
            list(match(load("tic-tac-toe"), [player(text), player("random")], games=2))


@pytest.mark.parametrize("text", ["mcts:simulations=50", "engine:mcts", "alphabeta", "minimax", "beam:width=2", "engine"])
def test_every_player_keeps_a_clock(text):
    record = play_game([player(text), player("random")], load("tic-tac-toe").start(), clock=(5.0, 0.25))
    assert record.reason == "" and record.outcome.utilities[0] >= 0


def test_players_mix_where_the_game_hides_information():
    game = load("rock-paper-scissors")
    players = [player("engine:ismcts,simulations=3000"), player("engine:ismcts,simulations=3000", seed=1)]
    records = list(match(game, players, games=30))
    assert len({record.actions for record in records}) >= 5  # of nine


def test_once_stopped_the_unfinished_game_is_dropped():
    stop = threading.Event()

    class Stopping(Player):
        name = "stopping"

        def pick(self, view, limits):
            if len(view.actions()) < 9:
                stop.set()
            return view.actions()[0]

    assert list(match(load("tic-tac-toe"), [Stopping(), player("random")], games=4, opening_plies=0, stop=stop)) == []


def test_a_torn_last_line_is_mended_and_a_whole_one_kept(tmp_path):
    game, path = load("tic-tac-toe"), tmp_path / "games.jsonl"
    records = list(match(game, [player("random"), player("random:seed=2")], games=4, seed=3))
    save(records[0], path)
    with path.open("a") as file:
        file.write('{"game": "tic-tac')
    save(records[1], path)
    assert read(path) == records[:2]
    path.write_text(path.read_text().rstrip("\n"))  # only the end of the line is missing
    save(records[2], path)
    assert read(path) == records[:3]
    for odd in ("null", "[[[[", '{"outcome": {"utilities": [null]}}', "\x00\xff"):
        path.write_text(odd + "\n{}\n")
        with pytest.raises(BadValue, match="line 1 is not a game record"):
            read(path)
    with pytest.raises(BadValue, match="cannot write"):
        save(records[0], tmp_path)


@pytest.mark.parametrize("theirs", [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0 a picture without lines", b"null\n", b"1. e4 e5 *\n"])
def test_a_file_of_something_else_is_not_added_to(theirs, tmp_path, capsys):
    """Its last line looked torn, and would have been cut off."""
    path = tmp_path / "theirs"
    path.write_bytes(theirs)
    assert run(["match", "nim", "random", "random", "--games", "1", "--save", str(path)]) == 2
    assert "line 1 is not a game record" in capsys.readouterr().err
    assert path.read_bytes() == theirs


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_a_full_device_is_told_and_not_read(capsys):
    """Reading it would never end."""
    assert run(["match", "nim", "random", "random", "--games", "1", "--save", "/dev/full"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "cannot write '/dev/full': No space left on device"
