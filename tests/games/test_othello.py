"""Othello against two other programs' rules, known counts and the problems of the FFO, whose every move's score is known."""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from outplay.conformance import check_game
from outplay.engine.alphabeta.solve import solve
from outplay.engine.perft import perft
from outplay.errors import BadNotation
from outplay.game import load
from outplay.games.othello.boards import lines_of, on_board
from outplay.games.othello.endings import endings
from outplay.games.othello.lanes import flooded, turned_on
from outplay.games.othello.notation import moves_of
from outplay.jit import kernel
from outplay.values import Limits
from tests.games.oracles import assert_only_clear_errors, follow, garbage

PROBLEMS = Path(__file__).parents[2] / "benchmarks/data/othello-ffo.obf"


def test_it_keeps_its_promises():
    check_game(load("othello", size=4), games=20)
    check_game(load("othello:size=6,score=wld", compiled=False), games=5)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_number_of_games(threads):
    """As published; a pass is a move, and of those of ten and eleven plies 228 games were over after nine and 356 after ten."""
    assert [perft(load("othello").start(), depth, threads)[0] for depth in range(1, 12)] == [
        4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800]  # fmt: skip


@pytest.mark.parametrize("threads", [1, 3])
def test_games_that_were_over_are_counted_once_at_every_depth(threads):
    def played(position, depth):
        if depth == 0 or position.is_terminal():
            return 1
        return sum(played(position.result(action), depth - 1) for action in position.actions())

    start = load("othello:size=4").start().play("b1 c1 d4 c4 d1 a1")
    for depth in range(1, 7):
        assert perft(start, depth, threads)[0] == played(start, depth)
    over = load("othello").start().play("f5 f4 c3 c6 c5 d6 f3 c4 c7")
    assert over.is_terminal() and [perft(over, depth, threads)[0] for depth in (1, 2, 3)] == [1, 1, 1]


@kernel
def four_lines_at_once(boards, lines, size, inner, out):
    for number in range(len(boards)):
        mine, theirs = boards[number]
        out[number, 0] = flooded(mine, theirs, theirs & inner, size)
        for cell in range(len(lines)):
            out[number, 1 + cell] = turned_on(lines, cell, mine, theirs)


@pytest.mark.parametrize("size", [4, 8])
def test_four_lines_at_once_are_four_lines(size):
    source = np.random.default_rng(size)
    boards = source.integers(0, 2**64, (40, 2), np.uint64) & np.uint64(on_board(size, 0, 0))
    boards[:, 1] &= ~boards[:, 0]
    boards[:20, 1] |= source.integers(0, 2**64, 20, np.uint64) & ~boards[:20, 0] & np.uint64(on_board(size, 0, 0))  # fuller ones
    lines, width, inner = lines_of(size), np.uint64(size), on_board(size, 1, 1)
    out = np.zeros((len(boards), 1 + size * size), np.uint64)
    four_lines_at_once(boards, lines, width, inner, out)
    with np.errstate(over="ignore"):
        for (mine, theirs), found in zip(boards, out, strict=True):
            assert flooded(mine, theirs, theirs & inner, width) == found[0]
            assert [turned_on(lines, cell, mine, theirs) for cell in range(size * size)] == list(found[1:])


def test_the_rules_are_open_spiels():
    pyspiel = pytest.importorskip("pyspiel")
    wins = load("othello:score=wld", compiled=False)
    assert follow(pyspiel.load_game("othello"), wins, games=20, number_of=lambda _, action: action) > 1000


def test_the_rules_are_rust_reversis():
    rust_reversi = pytest.importorskip("rust_reversi")
    game, draw = load("othello", compiled=False), random.Random(3)
    for _ in range(20):
        board, position = rust_reversi.Board(), game.start()
        while not position.is_terminal():
            assert board.get_board_line() == position.text()[:-2] and not board.is_game_over()
            action = draw.choice(position.actions())
            if action == 64:
                assert board.is_pass()
                board.do_pass()
            else:
                assert sorted(board.get_legal_moves_vec()) == sorted(position.actions())
                board.do_move(action)
            position = position.result(action)
        assert board.is_game_over()


def problems():
    """The problems: number, position, the score of every move."""
    for number, line in enumerate(PROBLEMS.read_text().splitlines(), 20):
        text, *moves = line.strip().rstrip(";").split(";")
        yield number, text, {move.split(":")[0].strip().lower(): int(move.split(":")[1]) for move in moves}


def test_the_quick_problems_of_the_ffo():
    game = load("othello")
    for number, text, scores in problems():
        if number > 23:
            break
        position = game.position(text)
        found = solve(position, memory=16)
        assert found.exact and found.value * (1 if position.player() == 0 else -1) == max(scores.values())
        assert scores[position.action_text(found.action)] == max(scores.values())


def test_every_move_of_an_ending_has_its_score():
    game = load("othello")
    _, text, scores = next(problems())
    position = game.position(text)
    for move, score in scores.items():
        found = solve(position.play(move), memory=1)
        assert found.value * (1 if position.player() == 0 else -1) == score


def test_small_boards_are_solved():
    assert solve(load("othello:size=4").start(), memory=1).value == -10  # 3 to 11, and the empty cells to the winner


def test_a_solve_within_limits_says_that_it_is_none():
    assert not solve(load("othello").start(), Limits(nodes=20_000), memory=1).exact


@pytest.mark.parametrize(("text", "why"), [
    ("X O", "got 1 cells"),
    ("-" * 64 + " X", "d4 is empty"),
    ("-" * 63 + "Q X", "got a cell 'Q'"),
    ("-" * 64 + " Z", "'Z' to move"),
])  # fmt: skip
def test_bad_positions_get_one_line(text, why):
    with pytest.raises(BadNotation, match=why):
        load("othello", compiled=False).position(text)


@given(garbage("XO-. XOxo*abcdefgh12345678pass"))
def test_garbage_is_refused(text):
    assert_only_clear_errors(load("othello:size=4", compiled=False), text)


def test_transcripts():
    assert moves_of("F5d6C3d3 5. c4 PASS") == ["f5", "d6", "c3", "d3", "c4", "pass"]
    position = load("othello", compiled=False).start().play(" ".join(moves_of("f5d6c3")))
    assert position.text() == "------------------X--------XX------OXX-----O-------------------- O"
    with pytest.raises(ValueError, match="'f5f9'"):
        moves_of("f5f9")


def test_the_board_is_green():
    picture = load("othello", compiled=False).start().picture()
    assert picture.look == "felt" and picture.problem() == ""
    assert sorted(picture.touches) == [19, 26, 37, 44]


def test_what_is_called_stable_never_turns():
    game, draw = load("othello", compiled=False), random.Random(5)
    found = 0
    for _ in range(15):
        position, kept = game.start(), {0: 0, 1: 0}
        while not position.is_terminal():
            state = game.record(position.state)
            discs = {position.player(): int(state.mine), 1 - position.player(): int(state.theirs)}
            for player in (0, 1):
                assert kept[player] & ~discs[player] == 0
                with np.errstate(over="ignore"):
                    kept[player] |= int(endings(8).stable(np.uint64(discs[player]), np.uint64(discs[1 - player])))
            position = position.result(draw.choice(position.actions()))
        found += kept[0].bit_count() + kept[1].bit_count()
    assert found > 300
