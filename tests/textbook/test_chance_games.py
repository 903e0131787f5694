"""The algorithms for chance, many players and hidden information on real games, plain and compiled, from random positions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay.game import load
from outplay.textbook import ALGORITHMS, run
from outplay.textbook.alphabeta import alphabeta
from outplay.textbook.deals import deals
from outplay.textbook.expectimax import expectimax
from outplay.textbook.expectiminimax import expectiminimax
from outplay.textbook.maxn import maxn
from outplay.textbook.mcts import mcts
from outplay.textbook.opponent import imperfect_opponent
from outplay.textbook.paranoid import paranoid
from outplay.textbook.star import star1, star2
from outplay.values import Limits

CHOICES = st.lists(st.integers(0, 1000), min_size=2, max_size=6)


def walk(position, choices):
    """The position after these choices, taken from whatever is legal (or may come up)."""
    for choice in choices:
        if position.is_terminal():
            break
        position = position.result(position.actions()[choice % len(position.actions())])
    return position


@settings(max_examples=15)
@given(CHOICES)
def test_sloppy_isolation(choices):
    position = walk(load("isolation", width=3, height=2, sloppy=0.3).start(), choices)
    full = expectiminimax(position)
    for search in (star1, star2):
        pruned = search(position)
        assert pruned.value == pytest.approx(full.value, abs=1e-9) and pruned.leaves <= full.leaves
    assert mcts(position, simulations=50, seed=0).facts["simulations"] in (1, 50)


@settings(max_examples=15)
@given(CHOICES, st.integers(1, 3))
def test_sloppy_isolation_to_a_depth(choices, depth):
    position = walk(load("isolation", width=3, height=3, sloppy=0.2).start(), [*choices, 1, 2])
    full = expectiminimax(position, depth=depth)
    for search in (star1, star2):
        pruned = search(position, depth=depth)
        assert pruned.value == pytest.approx(full.value, abs=1e-6) and pruned.leaves <= full.leaves


@settings(max_examples=15)
@given(CHOICES)
def test_three_at_isolation(choices):
    position = walk(load("isolation", width=3, height=2, players=3).start(), choices)
    full, pruned, careful = maxn(position), maxn(position, prune=True), paranoid(position)
    assert (pruned.value, pruned.line) == (full.value, full.line) and pruned.leaves <= full.leaves
    assert careful.value[position.player()] <= full.value[position.player()]


@settings(max_examples=15)
@given(CHOICES, st.floats(0, 1))
def test_games_without_chance_are_a_special_case(choices, skill):
    position = walk(load("tic-tac-toe").start(), [*choices, 1, 2, 3])
    value = alphabeta(position).value
    for search in (expectiminimax, star1, star2, maxn, paranoid):
        assert search(position).value == value
    sign = -1 if position.player() == 1 else 1
    assert sign * imperfect_opponent(position, skill=skill).value >= sign * value - 1e-9


@settings(max_examples=5)
@given(st.integers(0, 2**32))
def test_blind_tic_tac_toe_is_played_by_what_is_seen(seed):
    """Two positions that look the same to the player to move get the same answer."""
    one, two = (load("blind tic-tac-toe").start().play(moves) for moves in ("b2 a1 a3 b1", "b2 a2 a3 b3"))
    assert one != two and one.observe(0) == two.observe(0)
    for search in (lambda position: deals(position, number=2, depth=2, seed=seed),
                   lambda position: mcts(position, simulations=30, seed=seed)):
        left, right = search(one), search(two)
        assert (left.action, left.value, left.each("value")) == (right.action, right.value, right.each("value"))


def test_rock_paper_scissors_second_player_sees_nothing():
    start = load("rock-paper-scissors").start()
    answers = {deals(start.play(choice), seed=3).each("value")[0] for choice in ("rock", "paper", "scissors")}
    assert len(answers) == 1 and abs(answers.pop()) < 0.3


FITTING = {
    "expectimax": "isolation:width=3,height=2,sloppy=0.3", "expectiminimax": "isolation:width=3,height=2,sloppy=0.3",
    "star1": "isolation:width=3,height=2,sloppy=0.3", "star2": "isolation:width=3,height=2,sloppy=0.3",
    "opponent": "isolation:width=3,height=2,sloppy=0.3", "maxn": "isolation:width=3,height=2,players=3",
    "paranoid": "isolation:width=3,height=2,players=3", "deals": "rock-paper-scissors", "mcts": "tic-tac-toe",
}


@pytest.mark.parametrize("name", FITTING)
def test_every_row_of_the_table_runs_by_name(name):
    position = load(FITTING[name]).start()
    assert ALGORITHMS[name].suits(position.game)
    limits = Limits(simulations=20) if name == "mcts" else Limits(depth=2)
    result = run(name, position, limits=limits, seed=0, trace=True)
    assert result.algorithm == name and result.action in position.actions() and result.trace
    assert ALGORITHMS[name].suits(load("tree")) == (name != "deals")


def test_interpreted_and_compiled_rules_agree():
    for name in ("star2", "maxn", "mcts"):
        limits = Limits(simulations=30) if name == "mcts" else Limits(depth=2)
        both = [run(name, load(FITTING[name], compiled=kind).start(), seed=1, limits=limits) for kind in (False, True)]
        assert len({(result.value, result.line, result.nodes, result.leaves) for result in both}) == 1


def test_star_prunes_for_one_player_against_chance():
    position = load("pac-man", maze="corridor", ghosts="random", compiled=False).start()
    whole = expectimax(position, depth=4)
    for search in (star1, star2):
        pruned = search(position, depth=4)
        assert pruned.value == pytest.approx(whole.value) and pruned.line == whole.line and pruned.leaves < whole.leaves
