"""Patterns on a grid: their indexes against a slow look, their fit, and a short run of learning that can be stopped and goes on."""

import numpy as np
import pytest

from outplay.engine import solve
from outplay.errors import BadValue, Unsuitable
from outplay.evaluations.patterns import Patterns
from outplay.game import load
from outplay.games.othello.evaluation import evaluation
from outplay.learning.patterns import Generator, Plan, fit, learn

PATTERNS, WEIGHTS = evaluation(8).patterns, evaluation(8).weights
DRAW = np.random.default_rng(1)


def boards(count):
    first, second = (DRAW.integers(0, 2**64, count, dtype=np.uint64) for _ in range(2))
    return first & second, ~first & second


def test_patterns_lie_on_all_sides_of_the_board():
    assert [PATTERNS.kinds.count(kind) for kind in range(11)] == [4, 4, 8, 4, 4, 4, 2, 4, 4, 4, 4]  # Logistello's 46
    assert WEIGHTS.array.nbytes < 4 * 2**20


def test_indexes_are_numbers_in_base_three():
    mine, theirs = boards(50)
    found = PATTERNS.indexes(mine, theirs)
    for at in range(50):
        for number, cells in enumerate(PATTERNS.instances):
            digits = [1 if int(mine[at]) >> 8 * r + c & 1 else 2 if int(theirs[at]) >> 8 * r + c & 1 else 0 for r, c in cells]
            index = sum(digit * 3**place for place, digit in enumerate(digits))
            assert found[at, number] == PATTERNS.starts[PATTERNS.kinds[number]] + index


def test_the_evaluation_is_the_sum_of_its_weights_and_the_same_for_twins():
    game = load("othello", compiled=False)
    position = game.start().play("f5 d6 c3 d3 c4 f4 f6 f3")
    state = game.record(position.state)
    rows = PATTERNS.indexes(np.array([state.mine]), np.array([state.theirs]))
    assert position.evaluate(position.player()) == int(WEIGHTS.array[1][rows].sum())
    assert {position.transform(symmetry).evaluate(0) for symmetry in range(8)} == {position.evaluate(0)}


def test_a_fit_finds_weights_that_explain_the_targets():
    grid = Patterns("a small grid", 3, 3, {"edge": "a1 b1 c1", "middle": "b2"}, phases=1)
    mine, theirs = (words & np.uint64(0x1FF) for words in boards(3000))
    truth = DRAW.normal(0, 100, grid.size + 1)[grid.twins()]
    truth[-1] = 0
    targets = truth[grid.indexes(mine, theirs)].sum(axis=1)
    found, off = fit(grid, mine, theirs, targets, np.zeros(grid.size + 1), 60)
    assert off < 3 and np.abs(found[grid.indexes(mine, theirs)].sum(axis=1) - targets).max() < 30


@pytest.fixture
def kept():
    before = WEIGHTS.array.copy()
    yield before
    WEIGHTS.array.flags.writeable = True
    WEIGHTS.array[...] = before
    WEIGHTS.array.flags.writeable = False


def test_learning_goes_on_where_it_was_stopped(tmp_path, kept):
    game, plan, lines = load("othello"), Plan(rounds=2, positions=30, depth=1, solved=2, epochs=3), []

    def stop(line):
        if "phase 9" in line:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(game, plan, tmp_path, stop)
    size = (tmp_path / "positions-1.bin").stat().st_size
    with pytest.raises(BadValue, match="another plan"):
        learn(game, Plan(rounds=3), tmp_path)
    file = learn(game, plan, tmp_path, lines.append, threads=2)
    assert "going on in round 1" in lines[0] and (tmp_path / "positions-1.bin").stat().st_size == size
    found = np.load(file)["weights"]
    assert found.shape == WEIGHTS.shape and (found != kept).any()


def test_positions_are_learned_by_what_came_of_them():
    game, last = load("othello"), PATTERNS.phases - 2
    some = Generator(game, Plan(depth=1, solved=2, trace=1.0), last, 7).piece(3)
    is_late = some["phase"] >= last
    begun = np.flatnonzero(np.diff(some["phase"].astype(int), prepend=99) < 0)
    assert len(begun) == 3 and is_late.sum() > 15
    for first in begun:
        solved = first + int(np.argmax(is_late[first:]))  # the first that is solved: what comes of all before it
        assert len(set(np.abs(some["target"][first : solved + 1]))) == 1
        for at in (solved, solved + 3):
            mine, theirs = int(some["mine"][at]), int(some["theirs"][at])
            cells = "".join("X" if mine >> cell & 1 else "O" if theirs >> cell & 1 else "-" for cell in range(64))
            assert some["target"][at] == 100 * solve(game.position(f"{cells} X"), memory=4).value


def test_what_cannot_be_learned_gets_one_line(tmp_path):
    with pytest.raises(Unsuitable, match="has nothing to tune"):
        learn(load("nim"), Plan(), tmp_path)
    with pytest.raises(BadValue, match="'i1' is no cell"):
        Patterns("wrong", 8, 8, {"row": "a1 i1"}, phases=1)
