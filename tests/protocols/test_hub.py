"""The Hub protocol as dialogues, both ways."""

import sys

import pytest

from outplay.cli.protocols.hub import Hub
from outplay.errors import BadNotation
from outplay.game import load
from outplay.players.external import external
from outplay.protocols import hub
from outplay.values import Limits


def dialogue(text, variant="english"):
    said = []
    session = Hub(said.append, variant)

    def lines():
        yield from text.splitlines()
        session.rest()

    assert session.run(lines())
    return said


def test_the_greeting():
    said = dialogue("hub\ninit\nping\nquit")
    assert said[0].startswith("id name=Outplay") and said[-3:] == ["wait", "ready", "pong"]


def test_a_forced_capture_is_played():
    # 11-15 22-18: the man on 15 must take.
    said = dialogue('pos pos=Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves="11-15 22-18"\nlevel depth=2\ngo think')
    assert said[-1].startswith("done move=15x22x18")


def test_wrong_lines_are_told_and_the_talk_goes_on():
    said = dialogue("dance\npos pos=Wxx\nset-param name=colour value=red\npos moves=1-2\nping")
    assert [line.split(" ")[0] for line in said] == ["error"] * 4 + ["pong"]
    assert "unknown command" in said[0] and "32 squares" in said[1]


@pytest.mark.parametrize("fen", ["W:W31,K50:BK1,20", "B:W:B7"])
def test_positions_go_round(fen):
    assert hub.read_position(hub.write_position(fen, 50), 50) == fen
    with pytest.raises(BadNotation, match="50 squares"):
        hub.read_position("Wwww", 50)


def test_a_program_that_speaks_hub_is_a_player(monkeypatch):
    monkeypatch.setattr("outplay.players.external.PATIENCE", 120.0)  # all of Outplay is imported first
    player = external(f"hub:{sys.executable} -m outplay hub,depth=2")
    try:
        position = load("checkers").start()
        for _ in range(4):
            position = position.result(player.pick(position, Limits(depth=2)))
    finally:
        player.close()


def test_stop_ends_a_search_in_the_middle_of_a_depth(monkeypatch):
    """It was heard between two depths only, and the later ones take minutes."""
    heard = []

    def search(position, algorithm, limits, stop, **more):
        heard.append(stop.wait(3600))  # one long depth
        yield from ()

    monkeypatch.setattr("outplay.players.searcher.search", search)
    said = dialogue("pos\nlevel depth=40\ngo think\nstop\nping")
    assert heard == [True] and "pong" in said and sum(line.startswith("done") for line in said) == 1


def test_what_goes_wrong_inside_does_not_end_the_talk(monkeypatch):
    def search(position, algorithm, limits, stop, **more):
        raise ZeroDivisionError("inside")
        yield

    monkeypatch.setattr("outplay.players.searcher.search", search)
    said = dialogue("pos\ngo think\nping")
    assert any("internal error" in line for line in said) and "pong" in said
