"""The fifteen-puzzle: its contract, its estimates, what can be solved, and garbage."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay.conformance import check_game
from outplay.errors import BadNotation, BadValue
from outplay.game import load
from outplay.games.fifteen_puzzle import is_reachable, line_conflicts, pattern_databases
from tests.games.oracles import assert_only_clear_errors, assert_playthrough, garbage


@pytest.mark.parametrize("parameters", [{"estimate": "manhattan"}, {"blank": "last", "height": 3}, {"estimate": "patterns"}])
def test_it_keeps_its_promises(parameters, monkeypatch):
    monkeypatch.setattr("outplay.conformance.games.MOST_STEPS", 100)  # random slides hardly ever solve it
    check_game(load("fifteen puzzle", **{"width": 3, "height": 2, **parameters}), games=2)


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.sampled_from(["first", "last"]), st.integers(2, 4), st.integers(2, 4),
       st.sampled_from(["conflicts", "manhattan", "patterns"]))
def test_estimates_kept_while_sliding_are_those_of_the_order(seed, blank, width, height, estimate):
    if estimate == "patterns":
        width, height = 3, 3
    game = load("fifteen puzzle", width=width, height=height, blank=blank, seed=seed, slides=30, estimate=estimate, compiled=False)
    position = game.start()
    for turn in range(12):
        again = position.game.position(position.text())
        assert again == position and again.state == position.state and again.estimate() == position.estimate()
        if position.is_terminal():
            break
        position = position.result(position.actions()[(seed + turn) % len(position.actions())])


def test_conflicts_of_a_line_against_trying_everything():
    for order in itertools.product([None, 0, 1, 2, 3], repeat=4):
        own = [place for place in order if place is not None]
        if len(set(own)) == len(own):
            fewest = min(len(own) - len(kept) for n in range(len(own) + 1) for kept in itertools.combinations(own, n)
                         if list(kept) == sorted(kept))
            assert line_conflicts(order) == 2 * fewest


def test_pattern_databases_are_kept_and_made_anew_when_they_are_broken(tmp_path, monkeypatch):
    monkeypatch.setattr("outplay.games.fifteen_puzzle.cache_folder", lambda: tmp_path / "cache")
    make = pattern_databases.__wrapped__
    goal = (0, 1, 2, 3, 4, 5)
    first = make(3, 2, goal)
    (file,) = (tmp_path / "cache").iterdir()
    assert all((a == b).all() for a, b in zip(first, make(3, 2, goal), strict=True))
    file.write_bytes(b"not a table")
    assert all((a == b).all() for a, b in zip(first, make(3, 2, goal), strict=True))


def test_half_of_all_orders_can_be_solved():
    orders = list(itertools.permutations(range(6)))
    assert sum(is_reachable(order, (0, 1, 2, 3, 4, 5), 3) for order in orders) == len(orders) // 2


def test_the_reward_of_sam_loyd_is_safe():
    swapped = "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0"
    with pytest.raises(BadNotation, match=r"impossible position .*: no slides lead from it to 1 2 3 .* 15 0: give blank=first"):
        load("fifteen puzzle", blank="last").position(swapped)
    assert load("fifteen puzzle").position(swapped).text() == swapped


def test_a_picture_of_it():
    picture = load("fifteen puzzle", width=3, height=2).position("1 2 0 3 4 5").picture()
    assert [[cell.symbol.strip() for cell in row] for row in picture.cells] == [["1", "2", ""], ["3", "4", "5"]]
    assert picture.touches == {1: ((0, 1),), 3: ((1, 2),)}


def test_the_playthrough():
    assert_playthrough(load("fifteen puzzle", width=3, height=2, slides=5), "fifteen_puzzle")


@pytest.mark.parametrize("text", ["", "0", "0 1 2 3 4 4", "0 1 2 3 4 6", "a b c d e f", "0 1 2 3 4 5 6", "٠ 1 2 3 4 5"])
def test_wrong_orders_are_refused(text):
    with pytest.raises(BadNotation, match="expected each number from 0 to 5 once, row by row, such as 0 1 2 3 4 5"):
        load("fifteen puzzle", width=3, height=2).position(text)


def test_wrong_parameters_are_refused():
    with pytest.raises(BadValue, match="width must be a whole number from 2 to 4, got 5"):
        load("fifteen puzzle", width=5)
    with pytest.raises(BadValue, match="estimate must be one of 'manhattan', 'conflicts', 'patterns'"):
        load("fifteen puzzle", estimate="none")


@given(garbage("012345 /,"))
def test_garbage(text):
    assert_only_clear_errors(load("fifteen puzzle", width=3, height=2), text)
