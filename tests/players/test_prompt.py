"""Players whom nobody waits for while the compiler works, and what plain Python finds at a glance."""

from __future__ import annotations

import gc
import threading
import time
import weakref

import pytest

from outplay import load
from outplay.errors import BadValue
from outplay.game import game_names
from outplay.jit import UNCOMPILED, load_compiler
from outplay.players import player
from outplay.players.base import Player
from outplay.players.glance import glance
from outplay.players.prompt import Glimpse, Prompt, prompt
from outplay.players.searcher import FIRST_GLANCE
from outplay.playing import Play, settle

compiled_only = pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")


@pytest.fixture(autouse=True)
def no_patience(monkeypatch):
    monkeypatch.setenv("OUTPLAY_PATIENCE", "0")


class Slow(Player):
    """Has something compiled, which takes until `ready` is set; then takes the last action there is."""

    name, plays, py_func = "slow", "tic-tac-toe", staticmethod(glance)  # the last for those who hear what is compiled

    def __init__(self) -> None:
        self.ready, self.heard = threading.Event(), []

    def begin(self, view, *, seed=0):
        self.heard.append("begin")

    def follow(self, action, view):
        self.heard.append(action)

    def pick(self, view, limits):
        from numba.core import event

        event.start_event("numba:compile", data={"dispatcher": self})
        self.ready.wait()
        event.end_event("numba:compile", data={"dispatcher": self})
        self.heard.append("pick")
        return view.actions()[-1]


@compiled_only
def test_a_glance_answers_while_the_compiler_works_and_then_the_player_does():
    slow = Slow()
    asked = prompt(slow)
    play = Play("tic-tac-toe", [asked, None])
    (event,) = [each for each in play.run() if each.kind == "move"]
    assert event.note == FIRST_GLANCE and event.thought is None and event.action in play.start.actions()
    first = event.action
    play.push(play.position.actions()[0])
    assert slow.heard == ["begin"]  # at work: it hears of the rest when it is done
    slow.ready.set()
    asked.patience = 600.0
    last = play.position.actions()[-1]
    (event,) = [each for each in play.run() if each.kind == "move"]
    assert (event.note, event.action) == ("", last)
    assert slow.heard[:3] == ["begin", "pick", first] and slow.heard[4] == "pick"


@compiled_only
def test_a_stop_ends_the_waiting_and_the_player():
    slow = Slow()
    asked = prompt(slow)
    asked.patience, asked.stop = 600.0, threading.Event()
    asked.stop.set()
    assert asked.choose(load("tic-tac-toe").start()) == 0
    assert slow.stop.is_set()
    slow.ready.set()


@compiled_only
def test_what_goes_wrong_in_the_thread_of_the_player_is_raised_where_it_was_asked():
    class Broken(Slow):
        def pick(self, view, limits):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        prompt(Broken()).choose(load("tic-tac-toe").start())


@compiled_only
def test_a_player_and_its_tables_go_with_the_last_who_asks_for_it(monkeypatch):
    monkeypatch.setenv("OUTPLAY_PATIENCE", "600")
    slow = Slow()
    slow.ready.set()
    asked, gone = prompt(slow), weakref.ref(slow)
    position = load("tic-tac-toe").start()
    assert asked.choose(position) == position.actions()[-1]
    asked._errand._thread.join()
    gc.disable()
    try:
        del asked, slow
        assert gone() is None  # without a search for rings, which may be long in coming
    finally:
        gc.enable()


@compiled_only
def test_players_whose_answers_are_counted_on_are_left_as_they_are():
    for text in ("engine:nodes=100", "alphabeta", "alphabeta:depth=2", "mcts:simulations=10", "net:backgammon", "random", "human"):
        assert not isinstance(prompt(player(text)), Prompt), text
    for text in ("auto", "engine:level=club,time=1", "engine:time=2,seed=3", "net:connect-four,time=1", "shooter"):
        assert isinstance(prompt(player(text)), Prompt), text


@compiled_only
def test_nobody_in_a_match_is_prompt():
    load_compiler()
    with Play("tic-tac-toe", ["engine:time=0.1", "random"]) as play:
        assert not any(isinstance(each, Prompt) for each in play.players)


@compiled_only
def test_a_glimpse_is_told_where_nothing_is_found_yet_and_not_afterwards(monkeypatch):
    told, heard = [], threading.Event()
    Glimpse(load("chess").start(), lambda text: (told.append(text), heard.set()))
    assert heard.wait(600) and load("chess").start().parse_action(told[0]) in load("chess").start().actions()
    monkeypatch.setenv("OUTPLAY_PATIENCE", "3600")
    glimpse = Glimpse(load("chess").start(), told.append)
    glimpse.end()
    assert glimpse.action is None and len(told) == 1


@pytest.mark.parametrize("name", game_names())
def test_a_glance_is_legal_in_every_game_however_little_time_it_has(name):
    game = load(name, compiled=False)
    position = settle(game.start(), 5)
    if game.players < 2 or game.has_many_actions:
        pytest.skip("nobody to answer, or plain Python lists the actions for seconds")
    view = position.observe(position.player())
    assert glance(view, view.actions(), time.perf_counter()) in view.actions()


def test_a_glance_mates_and_takes_the_win():
    position = load("chess", compiled=False).position("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1")
    assert position.action_text(glance(position, position.actions())) == "e1e8"
    nim = load("nim:heaps=3", compiled=False).start()  # without an evaluation: the games tried end at once
    assert nim.action_text(glance(nim, nim.actions())) == "a3"


@compiled_only
def test_how_long_the_compiler_is_waited_for_can_be_set(monkeypatch):
    assert prompt(player("auto")).patience == 0.0
    monkeypatch.setenv("OUTPLAY_PATIENCE", "soon")
    with pytest.raises(BadValue, match="OUTPLAY_PATIENCE must be a number of seconds, got 'soon'"):
        prompt(player("auto"))
