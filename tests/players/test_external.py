"""Other programs as players: a scripted engine of each protocol, and what a bad one is told."""

import re
import sys
import textwrap

import pytest

from outplay.arena.match import play_game
from outplay.errors import BadValue, IllegalAction, OutplayError, Unavailable, Unsuitable
from outplay.game import load
from outplay.players.external import external
from outplay.playing import Play
from outplay.values import Limits

GAME = load("chess")

UCI_ENGINE = """
import sys
print("banner of some sort", flush=True)
moves = iter({moves!r})
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("id name scripted\\nuciok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        print("info string heard", line.strip(), file=open({log!r}, "a"))
    elif words[:1] == ["go"]:
        print("info depth 1 score cp 20 nodes 5 pv e2e4", flush=True)
        print("bestmove", next(moves), flush=True)
    elif words[:1] == ["quit"]:
        break
"""

XBOARD_ENGINE = """
import sys
moves = iter({moves!r})
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["protover"]:
        print('feature setboard=1 usermove=1 myname="scripted" done=1', flush=True)
    elif words[:1] == ["go"]:
        print("move", next(moves), flush=True)
    elif words[:1] == ["quit"]:
        break
    print(line.strip(), file=open({log!r}, "a"))
"""


@pytest.fixture
def scripted(tmp_path, monkeypatch):
    monkeypatch.setattr("outplay.players.external.xboard.FEATURES", 60.0)  # Python has to start
    made = []

    def make(protocol, source, moves):
        path, log = tmp_path / "engine.py", tmp_path / "log"
        path.write_text(textwrap.dedent(source).format(moves=moves, log=str(log)))
        player = external(f"{protocol}:{sys.executable} {path}")
        made.append(player)
        return player, log

    yield make
    for player in made:
        player.close()


def test_a_uci_program_plays_and_hears_the_moves_of_the_game(scripted):
    player, log = scripted("uci", UCI_ENGINE, ["e2e4", "g1f3"])
    play = Play(GAME, [player, None], limits=Limits(seconds=0.1))
    list(play.run())
    play.push("e7e5")
    assert [event.text for event in play.run() if event.kind == "move"] == ["g1f3"]
    assert log.read_text().splitlines()[-1].endswith("0 1 moves e2e4 e7e5")
    assert player.info.points == 20


def test_an_xboard_program_plays_and_hears_only_what_is_new(scripted):
    player, log = scripted("xboard", XBOARD_ENGINE, ["e2e4", "g1f3"])
    play = Play(GAME, [player, None], limits=Limits(seconds=1))
    list(play.run())
    play.push("e7e5")
    assert [event.text for event in play.run() if event.kind == "move"] == ["g1f3"]
    heard = log.read_text().splitlines()
    assert [line for line in heard if line.startswith("usermove")] == ["usermove e7e5"]


def test_an_xboard_program_hears_the_clock(scripted):
    player, log = scripted("xboard", XBOARD_ENGINE, ["e2e4", "g1f3"])
    play = Play(GAME, [player, None], clock="70+2")
    list(play.run())
    play.push("e7e5")
    play.clocks[0] = 65.5
    list(play.run())
    heard = [line for line in log.read_text().splitlines() if line.split()[0] in ("level", "time", "st")]
    assert heard == ["level 0 1:10 2", "time 7000", "time 6550"]


@pytest.mark.parametrize(("option", "said"), [
    ("Skil Level=3", "did you mean 'Skill Level'?"), ("Skill Level=abc", "a whole number from 0 to 20, got 'abc'"),
    ("skill level=21", "a whole number from 0 to 20"), ("Ponder=maybe", "true or false"), ("Style=Dull", "one of Solid, Risky")])
def test_an_option_that_a_uci_program_does_not_have_is_refused(scripted, option, said):
    listed = ("option name Skill Level type spin default 20 min 0 max 20\\noption name Ponder type check default false\\n"
              "option name Style type combo default Solid var Solid var Risky\\nuciok")
    player, _ = scripted("uci", UCI_ENGINE.replace("\\nuciok", "\\n" + listed), ["e2e4"])
    with pytest.raises(OutplayError, match=re.escape(said)):
        external(f"uci:{' '.join(player.command)},{option}")
    right = external(f"uci:{' '.join(player.command)},skill level=3")
    assert GAME.start().action_text(right.choose(GAME.start(), Limits(seconds=1))) == "e2e4"
    right.close()


def test_a_uci_program_hears_the_clock(scripted, monkeypatch):
    player, _ = scripted("uci", UCI_ENGINE, ["e2e4"])
    said = []
    monkeypatch.setattr(player.program, "say", lambda line, say=player.program.say: (said.append(line), say(line)))
    player.choose(GAME.start(), Limits(remaining=10.0, increment=0.1))
    assert said[-1] == "go wtime 10000 btime 10000 winc 100 binc 100"


def test_an_illegal_answer_is_told_in_one_line(scripted):
    player, _ = scripted("uci", UCI_ENGINE, ["e2e5"])
    with pytest.raises(IllegalAction, match="e2e5") as refused:
        player.choose(GAME.start(), Limits(seconds=0.1))
    assert "\n" not in str(refused.value)


def test_a_program_that_ends_is_told(scripted):
    player, _ = scripted("uci", UCI_ENGINE, [])
    with pytest.raises(Unavailable, match="ended by itself"):
        player.choose(GAME.start(), Limits(seconds=0.1))


def test_a_program_that_ended_is_started_again_for_the_next_game(scripted):
    player, _ = scripted("uci", UCI_ENGINE, ["e2e4"])  # it falls over its second move
    position = GAME.start()
    position = position.result(player.choose(position, Limits(seconds=0.1))).play("e7e5")
    with pytest.raises(Unavailable, match="has ended by itself"):
        player.choose(position, Limits(seconds=0.1))
    player.program.process.wait(60)
    assert player.choose(GAME.start(), Limits(seconds=0.1)) == GAME.start().parse_action("e2e4")


def test_a_result_is_no_move_and_a_resignation_ends_the_game(scripted):
    player, _ = scripted("xboard", XBOARD_ENGINE.replace('print("move",', 'print("1/2-1/2 {{of the last game}}\\nmove",'), ["e2e4"])
    assert player.choose(GAME.start(), Limits(seconds=0.1)) == GAME.start().parse_action("e2e4")
    beaten, _ = scripted("xboard", XBOARD_ENGINE.replace('print("move", next(moves)', 'print("resign"'), [])
    record = play_game([beaten, player], GAME.start(), limits=Limits(seconds=0.1))
    assert record.outcome.utilities == (-1.0, 1.0) and record.reason.endswith("resigned")


def test_wrong_texts_are_refused():
    with pytest.raises(Unavailable, match="not installed"):
        external("uci:surely-no-such-program")
    with pytest.raises(BadValue, match="PROGRAM"):
        external("uci:")
    with pytest.raises(BadValue, match="time must be a number"):
        external("uci:stockfish,time=soon")


def test_other_games_are_refused(scripted):
    player, _ = scripted("uci", UCI_ENGINE, ["e2e4"])
    with pytest.raises(Unsuitable, match="plays chess"):
        player.choose(load("tic-tac-toe").start(), Limits(seconds=0.1))


def test_what_an_engine_says_of_its_move_is_its_thought(scripted):
    """Depth and score of the last `info`, as MAX has them: of White's move as told, of Black's with the other sign."""
    player, _ = scripted("uci", UCI_ENGINE, ["e2e4", "e7e5"])
    start = GAME.start()
    assert start.action_text(player.choose(start)) == "e2e4"
    assert (player.last.value, player.last.depth, player.last.nodes, player.last.unit) == (20.0, 1, 5, "centipawns")
    black = start.play("e4")
    player.choose(black)
    assert player.last.value == -20.0
