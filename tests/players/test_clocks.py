"""Nothing but thinking takes time from a player's clock: no compiler, no file, no memory, and no first step of unknown length."""

import threading
import time

import pytest

from outplay.compiling.cache import DiskCache
from outplay.engine.alphabeta.table import Table
from outplay.engine.pacing import SLOWEST, Pacer, Watch
from outplay.game import load
from outplay.jit import UNCOMPILED
from outplay.players import Player, base, player
from outplay.players.networks import options_for
from outplay.playing import Play
from outplay.values import Limits


class Listener(Player):
    """Plays the first action, and keeps what it hears."""

    def __init__(self):
        self.heard = []

    def get_ready(self, position):
        self.heard.append("get ready")

    def rehearse(self, position):
        self.heard.append("rehearse")

    def pick(self, view, limits):
        self.heard.append(limits)
        return view.actions()[0]


def test_the_first_slice_of_a_search_ends_before_a_near_deadline(monkeypatch):
    """It had 2,000 nodes however little time there was: 50 ms of checkers where the clock left 10."""
    now = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])

    def slow(size):
        now[0] += size / SLOWEST

    for seconds in (0.01, 0.05, 1.0):
        pacer, begun = Pacer(Watch(Limits(seconds=seconds))), now[0]
        while not pacer.is_over(0):
            pacer.slice(slow)
        assert now[0] - begun < seconds + 0.003
    assert Pacer(Watch(Limits(seconds=1.0))).size == Pacer(Watch(Limits())).size == 2000


@pytest.mark.parametrize("timed", [{"clock": "60+0"}, {"limits": Limits(seconds=5)}, {}])
def test_whoever_can_lose_on_time_gets_ready_before_the_first_move(timed):
    listener = Listener()
    Play("tic-tac-toe", [listener, "random"], **timed).finished()
    assert listener.heard[:2] == ["get ready", "rehearse"] if timed else isinstance(listener.heard[0], Limits | None)


def test_a_player_without_a_plan_for_its_clock_is_given_seconds():
    """Bridge's solver took a second a card whatever its clock said."""
    listener, hasty = Listener(), Listener()
    hasty.thinks_in_seconds = True
    Play("tic-tac-toe", [listener, hasty], clock="2+0").finished()
    assert all(limits.remaining is not None for limits in listener.heard[2:])
    assert all(limits.remaining is None and 0 < limits.seconds < 0.2 for limits in hasty.heard[2:])


def test_the_memory_of_a_table_is_there_before_the_clock_runs(monkeypatch):
    """The system handed out page after page in the first slices: 60 ms of them for 64 MB."""
    taken = []
    monkeypatch.setattr(Table, "take_memory", lambda table: taken.append(table.words.nbytes))
    player("engine:pvs,memory=4,time=1").get_ready(load("tic-tac-toe").start())
    assert taken == [4 << 20]


def test_a_network_is_laid_out_once_and_not_for_each_move():
    """Backgammon's takes 8 MB with the table of the race: 3 ms a move, and 50 for the first."""
    game = load("backgammon")
    assert options_for("backgammon", game)["weights"] is options_for("backgammon", game)["weights"]


def test_taking_memory_forgets_nothing():
    table = Table(memory=1)
    table.words[::7] = 5
    table.take_memory()
    assert (table.words[::7] == 5).all()


@pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")
@pytest.mark.parametrize(("name", "who", "clock"), [
    ("battleships", "auto", "600+0"), ("battleships", "shooter", "600+0"), ("bridge", "double-dummy:deals=1", "600+0"),
    ("hold'em", "auto", "0.5+0"), ("tic-tac-toe", "engine:mcts", "0.5+0"),
])  # fmt: skip
def test_no_kernel_is_compiled_or_loaded_on_a_clock(monkeypatch, name, who, clock):
    """Battleships first met the one that sinks a ship at the thirtieth ply, bridge its solver after the auction, Monte Carlo search
    in its second search what keeps a part of the tree."""
    monkeypatch.setattr(base, "_rehearsed", set())
    met, load_overload = [], DiskCache.load_overload

    def watched(cache, *more):
        if threading.current_thread() is threading.main_thread():  # what is prepared beside the game is on nobody's clock
            met.append(cache.py_func.__name__)
        return load_overload(cache, *more)

    game = load(name)
    play = Play(game, [who] * game.players, clock=clock, most_plies=120, lag=1e9)
    play._begin()
    monkeypatch.setattr(DiskCache, "load_overload", watched)
    play.finished()
    assert met == [] and "failed" not in play.reason
