"""UCI as scripted dialogues: what a GUI says, and what must come back."""

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.cli.uci import LEVELS, OPTIONS, Loop, elo_of
from outplay.errors import BadValue, UnknownName
from outplay.protocols import uci as protocol


class Dialogue:
    """A conversation whose answers are collected."""

    def __init__(self):
        self.lines, self.heard = [], threading.Condition()
        self.loop = Loop(self.hear)

    def hear(self, line):
        with self.heard:
            self.lines.append(line)
            self.heard.notify_all()

    def say(self, *lines):
        for line in lines:
            assert self.loop.answer(line)

    def wait_for(self, start):
        with self.heard:
            assert self.heard.wait_for(lambda: any(line.startswith(start) for line in self.lines), timeout=120), self.lines
            found = next(line for line in self.lines if line.startswith(start))
        return found

    def ask(self, *lines, answer="bestmove"):
        self.lines.clear()
        self.say(*lines)
        return self.wait_for(answer)


@pytest.fixture(scope="module")
def talk():
    dialogue = Dialogue()
    yield dialogue
    dialogue.loop.halt()


def test_the_handshake_lists_every_option(talk):
    talk.ask("uci", answer="uciok")
    names = [line.split(" type ")[0].removeprefix("option name ") for line in talk.lines if line.startswith("option")]
    assert {"Hash", "Threads", "MultiPV", "Ponder", "OwnBook", "SyzygyPath", "UCI_Chess960", "UCI_LimitStrength", "UCI_Elo",
            "Clear Hash"} <= set(names)
    assert "option name Hash type spin default 64 min 1 max 65536" in talk.lines


def test_a_mate_in_one_is_found_and_announced(talk):
    assert talk.ask("position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1", "go depth 4") == "bestmove a1a8"
    assert any("score mate 1" in line for line in talk.lines)


def test_moves_castling_and_promotion_are_understood(talk):
    talk.ask("position fen r3k2r/P7/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8", "d", answer="Fen")
    assert talk.lines[-1] == "Fen: 2kr3r/P7/8/8/8/8/8/R4RK1 w - - 2 2"
    assert talk.ask("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1", "go depth 4").startswith("bestmove a7a8")


def test_multipv_and_searchmoves(talk):
    talk.ask("setoption name MultiPV value 3", "position startpos", "go depth 3")
    assert [line.split()[4] for line in talk.lines if line.startswith("info depth 3")] == ["1", "2", "3"]
    talk.say("setoption name MultiPV value 1")
    assert talk.ask("position startpos", "go depth 3 searchmoves a2a3 h2h3").split()[1] in ("a2a3", "h2h3")


def test_infinite_waits_for_stop_and_isready_is_answered_meanwhile(talk):
    talk.lines.clear()
    talk.say("position startpos", "go infinite", "isready")
    talk.wait_for("readyok")
    time.sleep(0.1)
    assert not any(line.startswith("bestmove") for line in talk.lines)
    talk.say("stop")
    talk.wait_for("bestmove")


def test_ponder_waits_for_the_hit(talk):
    talk.lines.clear()
    talk.say("position startpos moves e2e4", "go ponder wtime 2000 btime 2000")
    time.sleep(0.1)
    assert not any(line.startswith("bestmove") for line in talk.lines)
    talk.say("ponderhit")
    talk.wait_for("bestmove")


def test_every_limit_ends_with_one_legal_move(talk):
    for limit in ("nodes 500", "movetime 30", "wtime 500 btime 500", "wtime 300 btime 300 winc 10 binc 10 movestogo 5", "mate 2"):
        talk.ask("position startpos moves d2d4", f"go {limit} depth 6")
        assert sum(line.startswith("bestmove") for line in talk.lines) == 1


def test_chess960_castling_is_king_takes_rook(talk):
    talk.ask("setoption name UCI_Chess960 value true", "position fen 4k3/8/8/8/8/8/8/5KR1 w G - 0 1 moves f1g1", "d", answer="Fen")
    assert talk.lines[-1] == "Fen: 4k3/8/8/8/8/8/8/5RK1 b - - 1 1"
    talk.say("setoption name UCI_Chess960 value false", "position startpos")


def test_levels_play_legal_moves(talk):
    talk.say("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 600")
    moves = {talk.ask("position startpos", "go depth 4").split()[1] for _ in range(4)}
    assert all(len(move) == 4 for move in moves)
    talk.say("setoption name UCI_LimitStrength value false")


def test_a_finished_game_has_no_move(talk):
    assert talk.ask("position fen R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "go depth 3") == "bestmove 0000"


@pytest.mark.parametrize("line", [
    "", "xyzzy", "go go go", "position", "position fen", "position fen 8/8 w - -", "position startpos moves e2e5", "setoption",
    "setoption name Hash value lots", "setoption name Nonsense value 1", "go depth", "go depth banana nodes 10", "stop stop",
    "position startpos moves", "\x00\xff", "setoption name MultiPV value 0", "ponderhit", "debug on", "eval",
])
def test_garbage_is_survived(talk, line):
    talk.say(line)
    talk.say("position startpos")
    assert talk.ask("isready", answer="readyok") == "readyok"
    assert not any("internal error" in line for line in talk.lines)
    talk.loop.halt()


@given(st.text(max_size=60))
def test_any_line_can_be_parsed(line):
    command, words = protocol.parse_command(line)
    assert command in ("", *protocol.COMMANDS)
    assert isinstance(protocol.parse_go(words), protocol.Go)


@given(st.integers(-3000, 3000), st.integers(0, 10**9), st.lists(st.sampled_from(["e2e4", "e7e8q"]), min_size=1))
def test_info_lines_come_back_as_they_went(points, nodes, line):
    read = protocol.parse_info(protocol.info(depth=3, points=points, distance=None, nodes=nodes, seconds=1.0, line=line))
    assert read == protocol.Info(3, points, None, nodes, tuple(line))


def test_levels_by_word_and_by_rating():
    assert elo_of("Club") == LEVELS["club"]
    with pytest.raises(UnknownName, match="beginner"):
        elo_of("beginer")
    with pytest.raises(BadValue, match="rating from"):
        elo_of("9000")
    assert protocol.find_option(OPTIONS, "hash").read("16") == 16
