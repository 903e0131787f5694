"""GNU Backgammon as a player: a scripted program in its place, and the program itself where it is installed."""

import shutil
import sys
import textwrap

import pytest

from outplay.arena.match import play_game
from outplay.errors import BadValue, Unavailable, UnknownName
from outplay.game import load
from outplay.players import player

GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
needs_gnubg = pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")

SCRIPT = """#!{python}
import sys, time
answers = iter({answers!r})
for line in sys.stdin:
    if line.startswith("hint"):
        answer = next(answers)
        time.sleep(60 if answer == "sleep" else 0)
        print(answer, flush=True)
    elif line.startswith("show clockwise"):
        print("Player 1 moves anticlockwise (and player 0 moves clockwise).", flush=True)
    elif line.startswith("quit"):
        break
    print(line.strip(), file=open({log!r}, "a"))
"""


@pytest.fixture
def scripted(tmp_path):
    made = []

    def make(*answers):
        path, log = tmp_path / "program", tmp_path / "log"
        path.write_text(textwrap.dedent(SCRIPT).format(python=sys.executable, answers=answers, log=str(log)))
        path.chmod(0o755)
        made.append(player(f"gnubg:program={path},ply=1"))
        return made[-1], log

    yield make
    for each in made:
        each.close()


def test_it_is_told_the_position_and_its_hint_is_played(scripted):
    program, log = scripted("1. Cubeless 1-ply    8/5 6/5                      Eq.: +0.159\n0.5 0.1 0.0 - 0.5 0.1 0.0")
    position = load("backgammon").start().play("x31")
    assert position.action_text(program.choose(position)) == position.action_text(position.parse_action("8/5+6/5"))
    heard = log.read_text().splitlines()
    assert "set evaluation chequerplay evaluation plies 1" in heard and f"set gnubgid {position.text()}" in heard
    assert "set evaluation chequerplay evaluation cubeful off" in heard


def test_the_cube_is_offered_and_answered(scripted):
    says = "Proper cube action: Double, pass"
    program, log = scripted(says, says, "Proper cube action: No double, take")
    position = load("backgammon", cube=True).start().play("x31 8/5+6/5")
    assert position.action_text(program.choose(position)) == "double"
    offered = position.play("double")
    assert [offered.action_text(program.choose(offered)) for _ in range(2)] == ["drop", "take"]
    # Asked as the one who doubles: the same board three times.
    assert len({line for line in log.read_text().splitlines() if line.startswith("set gnubgid")}) == 1


@pytest.mark.parametrize(
    ("answers", "reason"),
    [(["1. Cubeless 0-ply    8/1                 Eq.: +0"], "which is illegal"), (["hm"], "gave no hint"), ([], "ended by itself")],
)
def test_a_bad_answer_or_the_end_of_the_program_loses_the_game(scripted, answers, reason):
    program, _ = scripted(*answers)
    record = play_game([program, player("random")], load("backgammon").start().play("x31"))
    assert reason in record.reason and "\n" not in record.reason
    assert record.outcome.winner == 1


def test_a_program_that_hangs_loses_and_is_ended(scripted, monkeypatch):
    monkeypatch.setattr("outplay.experts.backgammon.gnubg.THINKING", 0.3)
    program, _ = scripted("sleep")
    record = play_game([program, player("random")], load("backgammon").start().play("x31"))
    assert "does not answer" in record.reason and record.outcome.winner == 1
    program.close()
    assert program.program.process.poll() is not None


def test_wrong_requests_get_one_line():
    with pytest.raises(BadValue, match="ply must be a whole number from 0 to 4, got 'nine'"):
        player("gnubg:ply=nine")
    with pytest.raises(UnknownName, match="unknown option of player gnubg 'plies': did you mean 'ply'"):
        player("gnubg:plies=1")
    with pytest.raises(Unavailable, match="'no-such-program' is not installed"):
        player("gnubg:program=no-such-program")


@needs_gnubg
@pytest.mark.parametrize("name", ["backgammon", "backgammon:cube=true,match=3,score=1-0"])
def test_gnu_backgammon_plays_a_whole_game(name):
    program = player("gnubg:ply=0")
    try:
        record = play_game([program, player("random:seed=1")], load(name).start(), seed=3)
    finally:
        program.close()
    assert record.reason == "" and record.outcome.winner == 0
    assert program.program.process.poll() is not None


@needs_gnubg
def test_it_reads_our_identities_as_we_mean_them():
    import random

    program, source = player("gnubg:ply=0"), random.Random(4)
    try:
        position = load("backgammon").start()
        for _ in range(25):
            said = program._send(f"set gnubgid {position.text()}", "show board") if not position.is_chance() else []
            if said:
                board, match = position.text().split(":")[:2]
                assert any(line.endswith(f"Position ID: {board}") for line in said)
                assert any(line.endswith(f"Match ID   : {match}") for line in said)
            position = position.result(source.choice(position.actions()))
    finally:
        program.close()
