"""The rules against published counts, and case by case; `test_chess_agreement.py` compares them with the package `chess`."""

import random

import numpy as np
import pytest

from outplay.engine.perft import perft
from outplay.errors import BadNotation, IllegalAction
from outplay.game import load
from outplay.games.chess import notation

GAME = load("chess", compiled=True)

# The six test positions of the chess programming community, as deep as a test may take.
PERFT = [
    ("startpos", (20, 400, 8902, 197281, 4865609)),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", (48, 2039, 97862, 4085603)),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", (14, 191, 2812, 43238, 674624, 11030083)),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", (6, 264, 9467, 422333, 15833292)),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", (44, 1486, 62379, 2103487)),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", (46, 2079, 89890, 3894594)),
]


@pytest.mark.parametrize(("fen", "counts"), PERFT)
def test_perft(fen, counts):
    position = GAME.position(fen)
    assert tuple(perft(position, depth + 1)[0] for depth in range(len(counts))) == counts


def test_repetition_and_fifty_moves_are_claims():
    chess = pytest.importorskip("chess")
    shuffle = "g1f3 g8f6 f3g1 f6g8 " * 2
    positions = [GAME.start()]
    for text in shuffle.split():
        positions.append(positions[-1].play(text))
        states = [GAME.record(position.state) for position in positions]
        board = chess.Board()
        for move in shuffle.split()[: len(positions) - 1]:
            board.push_uci(move)
        assert (notation.draw_claim(states) == "threefold repetition") == board.is_repetition(3)
    assert notation.draw_claim(states) == "threefold repetition"
    quiet = GAME.position("7k/8/8/8/8/8/8/KR6 w - - 99 80")
    assert notation.draw_claim([GAME.record(quiet.state)]) is None
    assert not quiet.play("b1b2").is_terminal()
    assert notation.draw_claim([GAME.record(quiet.play("b1b2").state)]) == "fifty moves"


def test_en_passant_matters_to_repetition_only_where_it_is_legal():
    # The pawn on b4 is pinned to its king: it may not take on c3, so the right does not make the position a different one.
    pinned = "8/8/8/8/k1pP2R1/8/8/K7 b - {} 0 1".format
    with np.errstate(over="ignore"):
        keys = [GAME.record(GAME.position(pinned(passed)).state).key() for passed in ("d3", "-")]
    assert keys[0] == keys[1]
    free = "8/8/k7/8/2pP4/8/8/K7 b - {} 0 1".format
    with np.errstate(over="ignore"):
        keys = [GAME.record(GAME.position(free(passed)).state).key() for passed in ("d3", "-")]
    assert keys[0] != keys[1]


@pytest.mark.parametrize("threads", [2, 3])
def test_perft_over_threads(threads):
    fen, counts = PERFT[1]
    assert perft(GAME.position(fen), 4, threads=threads)[0] == counts[3]
    assert perft(GAME.position(PERFT[3][0]), 4, threads=threads)[0] == PERFT[3][1][3]  # six actions: shared out after two plies


@pytest.mark.parametrize(("fen", "utilities"), [
    ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", (1.0, -1.0)),  # mated on the back rank
    ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", (0.0, 0.0)),  # stalemate
    ("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", (0.0, 0.0)),  # a knight alone cannot mate
    ("8/2b5/4k3/8/8/4K3/3B4/8 w - - 0 1", (0.0, 0.0)),  # bishops on squares of one colour
    ("7k/8/8/8/8/8/8/KR6 w - - 150 100", (0.0, 0.0)),  # seventy-five moves
    ("R5k1/5ppp/8/8/8/8/8/K7 b - - 150 99", (1.0, -1.0)),  # mate goes before the seventy-five moves
])
def test_how_games_end(fen, utilities):
    assert GAME.position(fen).utilities() == utilities


def test_the_interpreter_agrees_with_the_compiler():
    plain = load("chess", compiled=False)
    source = random.Random(2)
    position = GAME.start()
    for _ in range(60):
        if position.is_terminal():
            break
        assert plain.position(position.text()).actions() == position.actions()
        assert plain.position(position.text()).state == GAME.position(position.text()).state
        position = position.result(source.choice(position.actions()))


def test_chess960_starts_and_castling():
    chess = pytest.importorskip("chess")
    for number in (0, 1, 347, 518, 959):
        assert load("chess", start=number).start().text().split()[0] == chess.Board.from_chess960_pos(number).fen().split()[0]
    # The rook on b1 shields its king from a1: castling would bring the king into check.
    assert "c1b1" not in [load("chess:start=0").position("4k3/8/8/8/8/8/8/rRK5 w B - 0 1").action_text(a)
                          for a in load("chess:start=0").position("4k3/8/8/8/8/8/8/rRK5 w B - 0 1").actions()]
    beside = load("chess:start=0").position("4k3/8/8/8/8/8/8/5KR1 w G - 0 1")
    assert beside.play("f1g1").text() == "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"


@pytest.mark.parametrize(("fen", "word"), [
    ("", "six fields"),
    ("8/8/8/8/8/8/8/8 w - - 0 1", "one king"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1", "8 squares"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1", "'X'"),
    ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "first or last rank"),
    ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "not to move"),
    ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "side by side"),
    ("QQQQQQQQ/QQQQQQQQ/8/8/7k/8/8/K7 b - - 0 1", "too many|promoted"),
    ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "w or b"),
    ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "e9"),
    ("4k3/8/8/8/8/8/8/4K3 w - - -5 1", "half-moves"),
])
def test_bad_positions_are_refused_in_one_line(fen, word):
    with pytest.raises(BadNotation, match=word) as refused:
        GAME.position(fen)
    assert "\n" not in str(refused.value)


def test_bad_moves_are_refused_in_one_line():
    for text in ("e2e5", "Nd5", "O-O", "e9", "", "Ngf3+#!?x"):
        with pytest.raises(IllegalAction) as refused:
            GAME.start().parse_action(text)
        assert "\n" not in str(refused.value)
    with pytest.raises(BadNotation, match="ambiguous"):
        state = GAME.record(GAME.position("4k3/8/8/8/8/8/8/R3K2R w - - 0 1").state)
        notation.read_san(GAME.record(GAME.position("4k3/8/8/3N3N/8/8/8/4K3 w - - 0 1").state), "Nf6+")
        assert state is not None


def test_the_picture_shows_every_square_and_every_move():
    picture = GAME.start().picture()
    assert [cell.symbol for cell in picture.cells[0]] == list("♜♞♝♛♚♝♞♜")
    assert len(picture.touches) == 20
    assert picture.touches[GAME.start().parse_action("e4")] == ((6, 4), (4, 4))
