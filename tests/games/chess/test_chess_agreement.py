"""The rules against the package `chess` on tens of thousands of positions: moves, checks, ends, keys, FEN, SAN, claims."""

import random

import numpy as np
import pytest

from outplay.game import load
from outplay.games.chess import notation
from outplay.games.chess.exchange import gives_check
from outplay.games.chess.moves import DOUBLE_STEP, PLAIN, TO_KNIGHT, checkers, describe

chess = pytest.importorskip("chess")

GAME = load("chess", compiled=True)
GAME_960 = load("chess", start=0, compiled=True)

# Where the rare rules are near: captures en passant that would open a line on the king, promotions with check, castling through
# attacks, the ends by dead material and by the seventy-five moves.
RARE = (
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "8/8/8/1Ppp3r/RK3p1k/8/4P1P1/8 w - c6 0 2",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/8/4r3/3pP3/8/8/8/4K3 w - d6 0 2",
    "3k4/8/8/2pPp3/8/8/8/B2RK3 w - e6 0 2",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "8/8/4k3/8/2B5/4K3/3p4/8 b - - 120 90",
    "8/5k2/8/8/3NB3/4K3/8/8 w - - 120 90",
    "8/5k2/3b4/8/4B3/4K3/6p1/8 w - - 130 90",
    "8/5k2/8/3R4/8/4K3/8/4r3 w - - 130 90",
    "8/8/1r3k2/8/8/4K1Q1/8/8 w - - 100 70",
)


def key(state):
    with np.errstate(over="ignore"):
        return int(state.key())


def same_moves(board, position):
    """Both lists as numbers: from, to (castling as king takes rook), promotion."""
    flip = 56 * position.player()
    ours = set()
    for action in position.actions():
        source, target, kind = describe(action)
        ours.add((source ^ flip, target ^ flip, kind - TO_KNIGHT + chess.KNIGHT if kind >= TO_KNIGHT else None))
    theirs = {(move.from_square, move.to_square, move.promotion) for move in board.generate_legal_moves()}
    return ours, theirs


def our_action(board, position, move):
    """Our number of a move of the package's."""
    flip = 56 * position.player()
    for action in position.actions():
        source, target, kind = describe(action)
        promotion = kind - TO_KNIGHT + chess.KNIGHT if kind >= TO_KNIGHT else None
        if (source ^ flip, target ^ flip, promotion) == (move.from_square, move.to_square, move.promotion):
            return action
    raise AssertionError(f"{move} is not among our moves in {board.fen()}")


class Ends:
    """How often each end was met."""

    def __init__(self, usual=False):
        self.usual = usual  # all games begin from the usual array: castling is also written as the king's way
        self.positions, self.counts, self.ours_to_theirs, self.theirs_to_ours = 0, {}, {}, {}

    def compare(self, board, position, source):
        """One position; returns whether the game goes on."""
        self.positions += 1
        state = GAME.record(position.state)
        with np.errstate(over="ignore"):
            assert (checkers(state) != 0) == board.is_check(), board.fen()
        mine, other = key(state), board._transposition_key()
        assert self.ours_to_theirs.setdefault(mine, other) == other, board.fen()
        assert self.theirs_to_ours.setdefault(other, mine) == mine, board.fen()
        ours, theirs = same_moves(board, position)
        end = "insufficient" if board.is_insufficient_material() else None
        if not theirs:
            end = "checkmate" if board.is_check() else "stalemate"
        elif end is None and board.halfmove_clock >= 150:
            end = "seventy-five moves"
        self.counts[end] = self.counts.get(end, 0) + 1
        assert position.is_terminal() == (end is not None), board.fen()
        if end is not None:
            lost = -1.0 if end == "checkmate" else 0.0
            assert (position.utility(position.player()), position.utility(1 - position.player())) == (lost, -lost), board.fen()
            return False
        assert ours == theirs, board.fen()
        if self.positions % 10 == 0:
            assert position.text() == board.fen()
        if self.positions % 25 == 0:
            self.compare_san(board, position, state, source)
        return True

    def compare_san(self, board, position, state, source):
        """One move, written and read both ways; a capture, a promotion or castling where there is one."""
        moves = list(board.legal_moves)
        special = [move for move in moves if move.promotion or board.is_capture(move) or board.is_castling(move)]
        move = source.choice(special or moves)
        action, san = our_action(board, position, move), board.san(move)
        assert notation.write_san(state, action, position.actions()) == san, board.fen()
        assert notation.read_san(state, san, position.actions()) == action
        for chess960 in (True, False) if self.usual else (True,):
            written = notation.write_uci(state, action, chess960=chess960)
            assert written == board.uci(move, chess960=chess960)
            assert notation.read_move(state, written, position.actions()) == action


def play_on(board, position, plies, source, ends):
    """A random game from here on, each position compared; castling and captures en passant are taken more often than not."""
    for _ in range(plies):
        if not ends.compare(board, position, source):
            return
        moves = list(board.generate_castling_moves()) + list(board.generate_legal_ep()) if source.random() < 0.5 else []
        move = source.choice(moves or list(board.legal_moves))
        position = position.result(our_action(board, position, move))
        board.push(move)


def test_random_games():
    source, ends = random.Random(1), Ends(usual=True)
    while ends.positions < 12_000:
        board = chess.Board(chess960=True)  # castling as king takes rook, on both sides
        play_on(board, GAME_960.position(board.fen()), 400, source, ends)
    assert ends.counts.keys() >= {None, "checkmate", "insufficient"}


def test_random_games_of_chess960():
    source, ends = random.Random(2), Ends()
    while ends.positions < 8_000:
        number = source.randrange(960)
        board = chess.Board.from_chess960_pos(number)
        assert load("chess", start=number).start().text().split()[0] == board.board_fen()
        play_on(board, GAME_960.position(board.fen()), 120, source, ends)


def test_rare_rules():
    source, ends = random.Random(3), Ends()
    while ends.positions < 8_000:
        for fen in RARE:
            board = chess.Board(fen, chess960=True)
            play_on(board, GAME_960.position(fen), 60, source, ends)
    assert ends.counts.keys() >= {None, "checkmate", "stalemate", "insufficient", "seventy-five moves"}


def test_repetitions_and_claims():
    """Games that go to and fro: how often the last position has been there, and what may be claimed."""
    source, seen = random.Random(4), {}
    starts = ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 88 50", "4k1n1/8/8/8/8/8/8/1N2K3 w - - 0 1", "6k1/8/8/3pP3/8/8/8/R5K1 w - d6 0 2",
              chess.STARTING_FEN)
    for _ in range(12):
        board = chess.Board(source.choice(starts))
        position = GAME.position(board.fen())
        states = [GAME.record(position.state)]
        for _ in range(40):
            moves = list(board.legal_moves)
            if not moves or board.is_insufficient_material():
                break
            back = [move for move in moves if len(board.move_stack) > 1
                    and (move.to_square, move.from_square) == (board.move_stack[-2].from_square, board.move_stack[-2].to_square)]
            move = source.choice(back if back and source.random() < 0.7 else moves)
            position = position.play(board.uci(move))
            board.push(move)
            states.append(GAME.record(position.state))
            expected = "threefold repetition" if board.is_repetition(3) else "fifty moves" if board.is_fifty_moves() else None
            if board.is_fifty_moves() and not any(board.legal_moves):
                break
            assert notation.draw_claim(states) == expected, board.fen()
            last = key(states[-1])
            times = sum(key(state) == last for state in states)
            assert (times >= 5) == board.is_fivefold_repetition(), board.fen()
            seen[expected] = seen.get(expected, 0) + 1
            seen["fivefold"] = seen.get("fivefold", 0) + (times >= 5)
    assert seen.keys() >= {None, "threefold repetition", "fifty moves"} and seen["fivefold"] > 0


def test_which_quiet_moves_give_check():
    source, counts = random.Random(9), {True: 0, False: 0}
    for number in range(28):
        board = chess.Board(RARE[number % len(RARE)] if number % 2 else chess.STARTING_FEN)
        for _ in range(40):
            if board.is_game_over():
                break
            position = GAME.position(board.fen())
            state, flip = GAME.record(position.state), 56 * position.player()
            for action in position.actions():
                at, to, kind = describe(action)
                if kind in (PLAIN, DOUBLE_STEP) and not board.piece_at(to ^ flip):
                    with np.errstate(over="ignore"):
                        found = bool(gives_check(state, np.uint64(at), np.uint64(to)))
                    assert found == board.gives_check(chess.Move(at ^ flip, to ^ flip)), (board.fen(), at, to)
                    counts[found] += 1
            board.push(source.choice(list(board.legal_moves)))
    assert counts[True] > 200 and counts[False] > 5000, counts
