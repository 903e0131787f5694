"""Players that are Go programs: a small one of our own as the program, and GNU Go where it is installed."""

import shutil
import sys
import textwrap

import pytest

from outplay.arena.match import play_game
from outplay.errors import Unavailable, Unsuitable
from outplay.game import load
from outplay.players import player

SCRIPT = textwrap.dedent("""
    import sys
    sys.path.insert(0, {here!r})
    from outplay.cli.protocols.gtp import Gtp
    Gtp(lambda text: print(text, end="", flush=True), "go", "mcts", None, 5).run(sys.stdin)
""")


@pytest.fixture
def program(tmp_path, monkeypatch):
    monkeypatch.setattr("outplay.players.external.PATIENCE", 120.0)  # all of Outplay is imported first
    path = tmp_path / "program.py"
    path.write_text(SCRIPT.format(here=sys.path[0]))
    made = player(f"gtp:{sys.executable} {path}")
    yield made
    made.close()


def test_our_own_gtp_plays_a_whole_game(program):
    record = play_game([program, player("random:seed=3")], load("go:size=4").start())
    assert record.reason == "" and record.outcome is not None


def test_it_plays_go_only(program):
    with pytest.raises(Unsuitable, match="plays go and othello, not tic-tac-toe"):
        program.choose(load("tic-tac-toe").start())


def test_a_program_that_is_not_there():
    with pytest.raises(Unavailable, match="'no-such-go' is not installed"):
        player("gtp:no-such-go")


@pytest.mark.skipif(not (shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")), reason="GNU Go is not installed")
def test_gnu_go_plays_a_whole_game():
    gnugo = player("gtp:gnugo --mode gtp --level 1")
    try:
        record = play_game([player("random"), gnugo], load("go:size=7").start().play("D4 C3 D3"))
    finally:
        gnugo.close()
    assert record.reason == "" and record.outcome.winner == 1
