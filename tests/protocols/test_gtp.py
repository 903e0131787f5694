"""GTP as dialogues: what a controller sends, and the exact answer."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.cli.protocols.gtp import Gtp
from outplay.protocols import gtp


def talk(*lines, **options):
    said = []
    session = Gtp(said.append, **{"game": "go:size=5", "algorithm": "mcts", "simulations": 10, **options})
    assert session.run(patient(session, lines))
    return said


def patient(session, lines):
    """Lines, and their end only when all of them are answered."""
    yield from lines
    session.rest()


def test_a_session_from_the_first_word_to_the_last():
    assert talk(
        "1 protocol_version", "name", "", "# only a comment", "2 known_command genmove", "known_command fly", "quit", "name"
    ) == [
        "=1 2\n\n",
        "= Outplay\n\n",
        "=2 true\n\n",
        "= false\n\n",
        "=\n\n",
    ]


def test_the_board_follows_the_moves():
    moves = ["play black C3", "play w c4", "play b B4", "play w A1", "play b D4", "play w A2", "play b c5"]
    said = talk("boardsize 5", "komi 0.5", *moves, "showboard", "final_score")
    assert "4  . x . x ." in said[-2]  # the white stone at C4 is taken
    assert said[0] == said[8] == "=\n\n"


def test_moves_that_cannot_be():
    moves = ["play black C3", "play white C3", "play black Z9", "play green A1", "play black"]
    assert talk("boardsize 5", *moves, "undo", "undo")[2:] == [
        "? illegal move\n\n", "? illegal move\n\n", "? expected black or white, got 'green'\n\n",
        "? syntax error: play does not take black\n\n", "=\n\n", "? cannot undo\n\n",
    ]  # fmt: skip


def test_one_colour_may_move_twice():
    said = talk("boardsize 5", "play black C3", "play black C2", "showboard")
    assert said[-1].count("x") >= 2


def test_unknown_words_and_sizes():
    assert talk("genmov b") == ["? unknown command: did you mean genmove?\n\n"]
    assert talk("boardsize 40", "boardsize x") == ["? unacceptable size\n\n"] * 2


def test_othello_has_a_size_and_no_komi():
    said = talk("boardsize 8", "boardsize 5", "komi 1", "boardsize 6", game="othello")
    assert said == ["=\n\n", "? unacceptable size\n\n", "? only Go knows this, and the game is othello\n\n", "=\n\n"]


def test_a_move_is_made_and_taken_back():
    said = talk("boardsize 4", "genmove b", "undo", "reg_genmove b", "showboard")
    move = said[1].removeprefix("= ").strip()
    assert move == "pass" or (move[0] in "ABCD" and move[1] in "1234")
    assert "x" not in said[-1].split("black")[0]


def test_handicap_stones():
    assert talk("boardsize 9", "fixed_handicap 4")[-1] == "= C3 G7 G3 C7\n\n"
    assert talk("boardsize 19", "fixed_handicap 9")[-1] == "= D4 Q16 Q4 D16 D10 Q10 K4 K16 K10\n\n"
    assert talk("boardsize 9", "set_free_handicap A1 A2", "set_free_handicap A3 A4")[1:] == ["= A1 A2\n\n", "? board not empty\n\n"]
    assert talk("boardsize 9", "fixed_handicap 10")[-1].startswith("? a board of size 9 takes 2 to 9")


def test_dead_stones_are_found_by_playing_on():
    """A white stone deep inside black's wall is dead, and black owns the whole board."""
    wall = [f"play black {column}4" for column in "ABCDEFG"] + [f"play black {column}2" for column in "ABCDEFG"]
    said = talk("boardsize 7", "komi 0", *wall, "play white D7", "final_status_list dead", "final_score", "final_status_list what")
    assert said[-3] == "= D7\n\n"
    assert said[-2] == "= B+49\n\n"
    assert said[-1].startswith("? expected alive, dead or seki")


def test_time_settings_limit_a_move():
    session = Gtp(print, "go")
    assert session._limits(0).seconds == 5.0
    session.reply(gtp.parse("time_settings 300 0 0"))
    assert 1 < session._limits(0).seconds < 30
    session.reply(gtp.parse("time_left black 2 1"))
    assert session._limits(0).seconds < 2


def test_analysis_goes_on_until_the_next_command():
    said = []
    session = Gtp(said.append, "go:size=4", "mcts")

    def lines():
        yield "lz-analyze b 10"
        while len(said) < 2:
            time.sleep(0.01)
        yield "7 name"
        session.rest()

    assert session.run(lines()) and said[-2:] == ["=\n\n", "=7 Outplay\n\n"]
    assert all(line.startswith("info move ") and " visits " in line and " pv " in line for line in said[:-2])


@given(st.text(max_size=60))
def test_garbage_never_stops_the_session(line):
    session = Gtp(print, "go:size=5", "mcts", None, 5)
    command = gtp.parse(line)
    if command is not None and command.name not in ("genmove", "reg_genmove", "lz-analyze"):
        assert session.reply(command)[0] in "=?"


@pytest.mark.parametrize(("number", "text"), [(None, "= D4\n\n"), (12, "=12 D4\n\n")])
def test_answers_carry_the_number_of_the_command(number, text):
    assert gtp.answer(gtp.Command(number, "genmove"), "D4") == text


def test_a_komi_that_is_refused_is_not_kept():
    said = talk("komi 500", "komi x", "clear_board", "boardsize 9", "play b C3", "komi 6.5", "undo", "undo")
    assert said[0] == "? unacceptable komi 500\n\n" and said[1].startswith("? syntax error")
    assert said[2:] == ["=\n\n"] * 5 + ["? cannot undo\n\n"]


@pytest.mark.parametrize(("game", "lines"), [
    ("nim", ["play b a1", "play b zz", "genmove b", "genmove w", "komi 3", "boardsize 5", "final_score", "showboard", "undo"]),
    ("backgammon", ["genmove b", "play w x31", "showboard", "undo", "undo"]),
    ("chess", ["final_score", "play b e2e4", "play b e2e5", "play w e7e5", "fixed_handicap 2", "showboard", "lz-analyze"]),
    ("rock-paper-scissors", ["genmove b", "genmove w", "genmove b", "undo"]),
])
def test_other_games_never_end_the_dialogue(game, lines):
    said = talk(*lines, "name", game=game, algorithm="auto", seconds=0.05, simulations=None)
    assert said[-1] == "= Outplay\n\n" and all(line[0] in "=?" or line.startswith("info") for line in said)
    assert not any("internal error" in line for line in said)


def test_it_passes_in_a_decided_game_once_the_other_side_has_passed():
    """Black's wall holds the whole board; a lone white stone inside is dead."""
    wall = [f"play black {column}4" for column in "ABCDEFG"] + [f"play black {column}2" for column in "ABCDEFG"]
    said = talk("boardsize 7", "komi 0.5", *wall, "play white pass", "genmove black")
    assert said[-1] == "= pass\n\n"
    lost = talk("boardsize 7", "komi 0.5", *wall, "play black pass", "genmove white", simulations=30)
    assert lost[-1] != "= pass\n\n"  # whoever is behind plays on


def test_it_gives_up_what_stays_lost_and_only_then():
    wall = [f"play black {column}{row}" for column in "ABCDE" for row in (2, 4)]
    moves = ["genmove white", "play black A1", *["genmove white", "play black pass"] * 2, "genmove white"]
    assert talk("boardsize 5", "komi 0.5", *wall, *moves, resign=0.2, simulations=60)[-1] == "= resign\n\n"
    assert "resign" not in talk("boardsize 5", "komi 0.5", *wall, *moves, resign=0.0, simulations=60)[-1]


def test_the_tree_is_kept_between_moves():
    session = Gtp(print, "go:size=5", "engine:mcts", None, 200)
    for line in ("genmove b", "genmove w"):
        session.reply(gtp.parse(line))
    engine, = session.thinker._kept.values()
    assert engine.trees[0].root is not None
    session.reply(gtp.parse("genmove b"))
    assert next(iter(session.thinker._kept.values())) is engine


def test_bytes_that_are_no_text_are_answered():
    """As `printf 'name\\n\\xff\\nname\\n' | outplay gtp go` does in a strict locale."""
    import os
    import subprocess
    import sys

    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    for protocol, ask, answer in (("gtp", b"name", b"= Outplay"), ("uci", b"isready", b"readyok")):
        command, lines = [sys.executable, "-m", "outplay", protocol], ask + b"\n\xff\n" + ask + b"\nquit\n"
        done = subprocess.run(command, input=lines, capture_output=True, timeout=600, env=environment)
        assert done.returncode == 0 and done.stdout.count(answer) == 2 and not done.stderr


def test_a_move_for_the_other_side_without_playing_it():
    """`reg_genmove` for the side that is not to move once ended in an IndexError in games other than Go."""
    assert talk("play b c3", "reg_genmove b", "showboard", "undo")[1][0] == "="
    session = Gtp(print, "nim", algorithm="mcts", simulations=3)
    assert session.reply(gtp.parse("reg_genmove w")).startswith("? illegal move")
    assert session.reply(gtp.parse("reg_genmove b")).startswith("= ")
