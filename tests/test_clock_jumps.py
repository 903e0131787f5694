"""Whoever sets the clock of the machine, or sleeps, loses no game by it: time is measured by a clock that only runs."""

import random
import time

import pytest

from outplay.cli.protocols.uci import Uci
from outplay.engine.clock import Clock
from outplay.engine.pacing import Watch
from outplay.game import load
from outplay.players.searcher import Searcher
from outplay.playing import Play
from outplay.values import Limits


@pytest.fixture
def jumping(monkeypatch):
    """The time of day leaps by up to a year, back and forth, at every look."""
    source = random.Random(1)
    monkeypatch.setattr(time, "time", lambda: 1.7e9 + source.uniform(-3e7, 3e7))
    monkeypatch.setattr(time, "time_ns", lambda: int(time.time() * 1e9))


@pytest.fixture
def hands(monkeypatch):
    """A clock that runs only when it is moved by hand."""
    now = [1000.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    return now


def test_a_game_with_clocks_is_played_to_its_end(jumping):
    play = Play("tic-tac-toe", [Searcher("minimax"), Searcher("alphabeta")], clock="60+0")
    record = play.finished()
    assert record.reason == "" and record.outcome.winner is None
    assert all(50 < left <= 60 for left in play.clocks)


def test_uci_is_not_hurried(jumping):
    said = []
    talk = Uci(said.append)
    talk.thinker().wait_ready(talk.game())
    for line in ("position startpos", "go wtime 60000 btime 60000 depth 2"):
        talk.answer(line)
    talk.wait()
    assert said[-1].startswith("bestmove ") and any("depth 2 " in line for line in said)


def test_the_studio_counts_by_a_clock_that_only_runs(jumping):
    tables = pytest.importorskip("outplay.web.tables")
    first = tables.now()
    assert 0 <= tables.now() - first < 30


def test_a_clock_that_runs_down_in_a_persons_thought_ends_the_game(hands):
    play = Play("tic-tac-toe", clock="60+1")
    hands[0] += 59
    play.push("b2")
    assert play.clocks == [2.0, 60.0] and play.outcome is None
    hands[0] += 61
    event = play.push("a1")
    assert event.kind == "end" and play.outcome.winner == 0 and "out of time" in play.reason


def test_a_search_ends_by_its_deadline_and_after_a_sleep_of_the_machine(hands):
    watch = Watch(Limits(seconds=5))
    hands[0] += 4.9
    assert not watch.is_over(10) and watch.is_over(10, ahead=0.2)
    hands[0] += 1e6
    assert watch.is_over(10)


def test_a_clock_below_zero_and_one_without_end_are_planned_for():
    assert Clock(0.0).plan().most == 0.0
    assert 0 < Clock(1e9).plan().target < 1e9


def test_a_thought_that_took_too_long_is_told_and_the_others_clock_stands(hands):
    class Sleeper:
        name = "sleeper"

        def choose(self, position, limits=None):
            hands[0] += 100
            return position.actions()[0]

    play = Play(load("tic-tac-toe"), [Sleeper(), None], clock="60+0")
    assert [event.kind for event in play.run()] == ["end"]
    assert play.outcome.winner == 1 and play.clocks == [60.0, 60.0]
