"""UCI as scripted dialogues: what a GUI says, and what must come back."""

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.cli.protocols.uci import OPTIONS, Uci
from outplay.errors import BadValue, UnknownName
from outplay.players.searcher import Searcher
from outplay.protocols import uci as protocol


class Dialogue:
    """A conversation whose answers are collected."""

    def __init__(self):
        self.lines, self.heard = [], threading.Condition()
        self.loop = Uci(self.hear)

    def hear(self, line):
        with self.heard:
            self.lines.append(line)
            self.heard.notify_all()

    def say(self, *lines):
        for line in lines:
            self.loop.answer(line)

    def wait_for(self, start):
        with self.heard:
            assert self.heard.wait_for(lambda: any(line.startswith(start) for line in self.lines), timeout=1200), self.lines
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
    loop = Uci(lambda line: None)
    loop.limit("Club")
    assert loop.options["UCI_LimitStrength"] and loop.options["UCI_Elo"] == 1500
    with pytest.raises(UnknownName, match="beginner"):
        loop.limit("beginer")
    with pytest.raises(BadValue, match="rating from"):
        loop.limit("9000")
    assert protocol.find_option(OPTIONS, "hash").read("16") == 16


LEGAL = {"a2a3", "a2a4", "b2b3", "b2b4", "c2c3", "c2c4", "d2d3", "d2d4", "e2e3", "e2e4", "f2f3", "f2f4", "g2g3", "g2g4", "h2h3",
         "h2h4", "b1a3", "b1c3", "g1f3", "g1h3"}  # fmt: skip


@pytest.mark.parametrize(("options", "warning"), [
    (["SyzygyPath value /nonexistent"], "no such folder of endgame tables"),
    (["OwnBook value true", "BookFile value /nonexistent"], "cannot read book"),
    (["OwnBook value true", "BookFile value /dev/null"], ""),
    (["Hash value 65536"], ""),
])
def test_a_wrong_option_gives_a_warning_and_a_move(talk, options, warning):
    defaults = {"SyzygyPath": "", "OwnBook": "false", "BookFile": "", "Hash": "16"}
    talk.say(*(f"setoption name {option}" for option in options))
    try:
        assert talk.ask("position startpos", "go depth 2").split()[1] in LEGAL
        assert any(warning in line for line in talk.lines)
        assert not any("internal error" in line for line in talk.lines)
    finally:
        talk.say(*(f"setoption name {name} value {value}" for name, value in defaults.items()))


@pytest.mark.parametrize("go", [
    "depth 0", "nodes 0", "nodes 1", "movetime 0", "wtime 1 btime 1", "wtime 0 btime 0", "depth 99 nodes 0",
    "ponder wtime 99999999999999999999999999", "infinite", "movetime 99999999999999999999",
])
def test_a_stopped_search_answers_its_own_position(talk, go):
    talk.ask("position startpos", "go depth 1")
    for number in range(3):
        talk.lines.clear()
        talk.say(f"position startpos moves {('d2d4', 'e2e4', 'a2a4')[number]}", f"go {go}", "ponderhit", "stop")
        found = talk.wait_for("bestmove").split()[1]
        assert found[:2] in {f"{file}7" for file in "abcdefgh"} | {"b8", "g8"}
        assert not any("internal error" in line for line in talk.lines)


def test_perft_leaves_the_dialogue_open(talk):
    talk.lines.clear()
    talk.say("position startpos", "go perft 10", "isready")
    talk.wait_for("readyok")
    talk.say("stop")
    talk.wait_for("info string perft was stopped")
    assert talk.ask("position startpos", "go perft 3", answer="\nNodes").strip() == "Nodes searched: 8902"


def test_lines_are_sorted_and_no_move_comes_twice(talk):
    talk.say("setoption name MultiPV value 5")
    try:
        for moves in ("e2e4", "d2d4 d7d5", "g1f3"):
            talk.ask(f"position startpos moves {moves}", "go movetime 60")
            by_depth = {}
            for line in talk.lines:
                words = line.split()
                if words[:2] == ["info", "depth"]:
                    by_depth.setdefault(words[2], []).append((int(words[4]), int(words[7]), words[words.index("pv") + 1]))
            for shown in by_depth.values():
                assert [number for number, _, _ in shown] == list(range(1, len(shown) + 1))
                assert len({move for _, _, move in shown}) == len(shown)
                assert [points for _, points, _ in shown] == sorted((points for _, points, _ in shown), reverse=True)
    finally:
        talk.say("setoption name MultiPV value 1")


def test_a_dead_position_still_has_moves_and_only_mate_has_none(talk):
    assert talk.ask("position fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1 moves d3d4 e6d6", "go depth 3").split()[1].startswith("d4")


def test_an_answer_that_no_search_found_says_so(monkeypatch):
    monkeypatch.setattr(Searcher, "warm", lambda *asked: None)
    monkeypatch.setattr(Searcher, "wait_ready", lambda *asked, **more: False)  # the clock runs out before the compiler is done
    said = []
    talk = Uci(said.append)
    for line in ("position startpos", "go movetime 50"):
        talk.answer(line)
    talk.wait()
    assert said[0] == "info string a first glance, while its search gets ready" and said[1].startswith("bestmove ")
