"""A game in progress: the record, the referee, the clocks, chance, and what each seat may know."""

import threading

import pytest

from outplay.errors import BadValue, IllegalAction
from outplay.game import load
from outplay.players import Player, player
from outplay.playing import Play, chance_source
from outplay.values import Limits, Outcome


class Taking(Player):
    """Takes the first of some moves that is legal."""

    def __init__(self, *wanted):
        self.name, self.wanted = "taking", wanted

    def pick(self, view, limits):
        return next(view.parse_action(text) for text in self.wanted if text in map(view.action_text, view.actions()))


def test_everybody_is_told_the_game_and_only_what_they_may_know():
    told = {0: [], 1: []}

    class Listening(Player):
        def __init__(self, seat):
            self.name, self.seat = f"listening {seat}", seat

        def begin(self, view, *, seed=0):
            told[self.seat].append(("begin", view.text()))

        def follow(self, action, view):
            told[self.seat].append((action, view.text()))

        def pick(self, view, limits):
            return view.actions()[0]

    play = Play("rock-paper-scissors", [Listening(0), Listening(1)])
    assert [event.kind for event in play.run()] == ["move", "move", "end"]
    assert told[1][1][0] is None  # the first move is hidden from the second player
    assert "r" not in told[1][1][1].split(" ")[0][:1]
    play = Play("blind tic-tac-toe", [Listening(0), None])
    list(play.run())
    assert play.seen(1) == [None] and play.seen(0) == [play.plies[0].text]
    assert play.view(1).text() != play.position.text()


def test_a_game_is_taken_up_and_told_from_its_beginning():
    heard = []

    class Listening(Player):
        name = "listening"

        def follow(self, action, view):
            heard.append(view.text())

        def pick(self, view, limits):
            return view.actions()[0]

    play = Play("tic-tac-toe", [Listening(), None], actions=["b2", "a1"])
    list(play.run())
    assert len(heard) == 3 and heard[-1] == play.position.text()
    play.take_back()  # nobody but the person decides
    assert len(play.plies) == 1 and play.is_waiting


def test_repetition_and_fifty_moves_end_a_game_wherever_it_is_played():
    play = Play("chess", [Taking("g1f3", "f3g1"), None])
    for text in ("g8f6", "f6g8", "g8f6", "f6g8"):
        list(play.run())
        play.push(text)
    assert play.reason == "threefold repetition" and play.outcome == Outcome((0.0, 0.0))
    with pytest.raises(IllegalAction, match="the game is over"):
        play.push("e4")
    play.take_back(1)
    assert play.outcome is None and play.is_waiting
    dull = Play("chess", start="8/8/8/3k4/8/8/1R6/K7 w - - 99 90")
    dull.push("a1a2")
    assert dull.reason == "50 moves without progress"


def test_what_the_referee_does_to_those_who_break_the_rules():
    class Broken(Player):
        name = "broken"

        def __init__(self, do):
            self.pick = lambda view, limits: do()

    play = Play("isolation:players=3", [Broken(lambda: 10**6), None, None])
    assert [event.kind for event in play.run()] == ["end"]
    assert play.reason == "broken played the illegal action 1000000" and play.outcome.utilities == (0.0, 0.5, 0.5)
    play = Play("tic-tac-toe", [Broken(lambda: 1 / 0), None])
    assert play.finished().reason == "broken failed: ZeroDivisionError: division by zero"
    play = Play("tic-tac-toe")
    play.resign(1)
    assert play.outcome.utilities == (1.0, -1.0) and play.reason == "human resigned"


def test_a_clock_runs_for_people_too(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("outplay.playing.time.perf_counter", lambda: now[0])
    play = Play("tic-tac-toe", clock="10+1")
    now[0] += 4
    play.push("b2")
    assert play.clocks == [7.0, 10.0]
    play.take_back()
    assert play.clocks == [10.0, 10.0]
    now[0] += 10.2
    assert play.push("b2").kind == "end" and play.reason == "human ran out of time"
    with pytest.raises(BadValue, match=r"a clock must be seconds such as 10\+0.1, got 'x'"):
        Play("tic-tac-toe", clock="x")


def test_chance_depends_on_seed_and_ply_alone():
    def dice(seed):
        return Play("backgammon", [player("random"), player("random:seed=1")], seed=seed, most_plies=12).finished().actions

    assert dice(1) == dice(1) != dice(2)
    play = Play("backgammon", seed=5)
    list(play.run())
    first = play.plies[0].text
    play.take_back(1)
    list(play.run())
    assert play.plies[0].text == first


def test_outcomes_are_drawn_by_their_probabilities():
    node = load("tree", tree='{"chance": [[0.25, 1], [0.75, 2]]}').start()
    drawn = [node.sample_chance(chance_source(seed, 0)) for seed in range(2000)]
    share = drawn.count(node.actions()[0]) / len(drawn)
    assert 0.22 < share < 0.28  # four standard deviations are 0.04


def test_a_stop_ends_the_run_between_moves_and_drops_what_a_stopped_search_says():
    stop = threading.Event()

    class Stopped(Player):
        name = "stopped"

        def pick(self, view, limits):
            assert self.stop is stop
            stop.set()
            return view.actions()[0]

    play = Play("tic-tac-toe", [Stopped(), None])
    assert list(play.run(stop)) == [] and play.plies == [] and play.outcome is None


def test_seats_by_name_and_wrong_numbers_of_them():
    with Play("tic-tac-toe", ["random:seed=2", "human"], limits=Limits(seconds=1)) as play:
        list(play.run())
        assert play.names == ("random:seed=2", "human") and len(play.plies) == 1
    with pytest.raises(BadValue, match="tic-tac-toe has 2 seats, got 3 players"):
        Play("tic-tac-toe", [None, None, None])


def test_the_record_keeps_what_was_thought():
    record = Play("tic-tac-toe", [player("engine:depth=3"), player("random")], most_plies=2).finished()
    assert record.reason == "stopped after 2 plies" and record.outcome.utilities == (0.0, 0.0)
    assert record.comments[1] == "" and record.comments[0].endswith("s") and "/3 " in record.comments[0]


def test_two_who_mix_draw_numbers_of_their_own():
    """Both were given the game's seed, drew the same numbers, and one of them could win all that way."""
    met = set()
    for seed in range(20):
        play = Play("rock-paper-scissors", ["engine:cfr,simulations=200", "engine:cfr,simulations=200"], seed=seed)
        play.finished()
        met.add(tuple(ply.text for ply in play.plies))
    assert len(met) > 3
