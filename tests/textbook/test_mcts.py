"""Monte Carlo tree search: the formula, both rules of selection, the four steps, and forced wins and draws."""

import math
import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from outplay.errors import BadValue, UnknownName
from outplay.game import load
from outplay.textbook.expectiminimax import expectiminimax
from outplay.textbook.maxn import maxn
from outplay.textbook.mcts import mcts
from outplay.textbook.ucb import Node, best, sampled, ucb1, update_value
from outplay.values import Limits

# ---------------------------------------------------------------- the formula


def test_ucb1():
    assert ucb1(7 / 10, 10, 35, 1.4) == pytest.approx(0.7 + 1.4 * math.sqrt(math.log(35) / 10))
    assert ucb1(0.5, 5, 100) > ucb1(0.5, 50, 100) > ucb1(0.4, 50, 100)
    assert ucb1(0.5, 5, 100, exploration=0) == 0.5


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=50))
def test_the_running_mean_is_the_mean(outcomes):
    node = Node((0.0, 0.0))
    for outcome in outcomes:
        update_value(node, (outcome, 1 - outcome))
    mean = sum(outcomes) / len(outcomes)
    assert node.value == pytest.approx((mean, 1 - mean)) and node.visits == len(outcomes)


def test_both_rules_of_selection():
    source = random.Random(0)
    weights = [1.0, 4.0, 3.0]
    assert all(best(weights, source) == 1 for _ in range(20))
    drawn = [sampled(weights, source) for _ in range(8000)]
    assert [drawn.count(i) / 8000 for i in range(3)] == pytest.approx([1 / 8, 4 / 8, 3 / 8], abs=0.02)
    assert {sampled([0.0, 0.0], source) for _ in range(50)} == {0, 1}


# ---------------------------------------------------------------- the four steps


def test_the_four_steps_in_their_order():
    result = mcts(load("tic-tac-toe").position("xxo/o../..x o"), simulations=60, seed=4, trace=True)
    simulations = [[]]
    for step in result.trace:
        simulations[-1].append(step)
        if step.event == "backpropagate" and step.path == ():  # the root comes last
            simulations.append([])
    assert simulations.pop() == []
    assert len(simulations) == 60 == result.leaves == result.facts["simulations"]
    for number, steps in enumerate(simulations, start=1):
        events = [step.event for step in steps]
        assert events == sorted(events, key=["select", "expand", "simulate", "backpropagate"].index)
        assert events.count("expand") <= 1 and events.count("simulate") == 1
        playout = steps[events.index("simulate")]
        assert [step.path for step in steps[events.index("backpropagate"):]] == \
            [playout.path[:length] for length in range(len(playout.path), -1, -1)]
        assert steps[-1].facts["visits"] == number
    assert sum(step.event == "expand" for step in result.trace) == result.nodes


def test_selection_follows_the_greatest_ucb():
    position = load("tic-tac-toe").start()
    result = mcts(position, simulations=60, seed=0, trace=True)
    chosen = [step for step in result.trace if step.event == "select"]
    assert chosen
    for step in chosen:
        assert step.facts["ucb"][step.facts["action"]] == max(step.facts["ucb"].values())
    assert set(result.each("visits")) == set(range(9)) and sum(result.each("visits").values()) == 60


def test_the_most_visited_action_is_played():
    for selection in ("best", "sampled"):
        position = load("connect four").start()
        result = mcts(position, simulations=100, selection=selection, seed=2)
        visits = result.each("visits")
        assert visits[result.action] == max(visits.values()) and result.line[0] == result.action
        assert result.value == pytest.approx(result.each("value")[result.action])
        for action, (low, high) in result.each("interval").items():
            assert -1 <= low <= result.each("value")[action] <= high <= 1


def test_a_seed_fixes_everything():
    plain, compiled = (load("tic-tac-toe", compiled=kind).start() for kind in (False, True))
    one, two = mcts(plain, simulations=100, seed=7), mcts(compiled, simulations=100, seed=7)
    assert (one.action, one.value, one.each("visits")) == (two.action, two.value, two.each("visits"))
    assert mcts(plain, simulations=100, seed=8).each("visits") != one.each("visits")


# ---------------------------------------------------------------- all kinds of games


def test_chance_nodes_are_averaged():
    position = load("tree", tree='{"max": {"a1": 10, "a2": {"chance": [[0.3, 9], [0.7, 100]]}}}').start()
    result = mcts(position, simulations=2000, seed=0)
    assert position.action_text(result.action) == "a2"
    low, high = result.each("interval")[result.action]
    assert low <= 72.7 <= high and high - low < 15
    rolled = mcts(load("tree", tree='{"chance": [["1/2", 8], ["1/3", 24], ["1/6", -12]]}').start(), simulations=3000, seed=0)
    assert rolled.action is None and rolled.value == pytest.approx(10, abs=1)


def test_three_players():
    position = load("tree", tree=[[[(3, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]],
                                  [[(5, 1, 1), (0, 5, 2)], [(7, 7, 1), (5, 4, 5)]]]).start()
    result, exact = mcts(position, simulations=2000, exploration=0.7, seed=0), maxn(position)
    assert result.line == exact.line and result.value == pytest.approx(exact.value, abs=1)


@pytest.mark.parametrize(("board", "wanted"), [
    ("xx./oo./... x", "c3"),  # win at once
    ("x../oo./x.. x", "c2"),  # stop the other's win
    ("x../.o./..x o", None),  # an edge, not a corner
])
def test_tactics(board, wanted):
    position = load("tic-tac-toe").position(board)
    for playout in ("random", "decisive"):
        action = position.action_text(mcts(position, simulations=600, playout=playout, seed=0).action)
        assert action == wanted if wanted else action in ("a2", "b1", "b3", "c2")


@settings(max_examples=12)
@given(st.lists(st.integers(0, 8), min_size=3, max_size=5))
def test_forced_wins_and_draws_are_kept(choices):
    position = load("tic-tac-toe").start()
    for choice in choices:
        assume(not position.is_terminal())
        position = position.result(position.actions()[choice % len(position.actions())])
    assume(not position.is_terminal())
    result = mcts(position, simulations=700, seed=0)
    assert expectiminimax(position.result(result.action)).value == expectiminimax(position).value


@pytest.mark.parametrize("heaps", ["1-2", "2-3", "1-2-4", "1-1-3"])
def test_nim_is_won(heaps):
    position = load("nim", heaps=heaps).start()
    result = mcts(position, simulations=1500, seed=1)
    assert expectiminimax(position.result(result.action)).value == 1.0  # the theorem says the first player wins
    assert result.value > 0.5


def test_a_policy_of_ones_own():
    position = load("connect four").start()
    seen = []

    def leftmost(position, source):
        seen.append(position)
        return min(position.actions())

    result = mcts(position, simulations=5, playout=leftmost, seed=0, trace=True)
    playouts = [step.facts["playout"] for step in result.trace if step.event == "simulate"]
    assert seen and all(playout[0] == 0 for playout in playouts)


# ---------------------------------------------------------------- limits and refusals


def test_limits():
    position = load("connect four").start()
    assert mcts(position, limits=Limits(simulations=17)).leaves == 17
    assert mcts(position, limits=Limits(nodes=25)).nodes == 25
    assert mcts(position, limits=Limits(seconds=0.0)).leaves == 1  # one simulation, whatever the clock says
    over = mcts(load("tic-tac-toe").position("xxx/oo./... o"))
    assert (over.action, over.value, over.exact, over.leaves) == (None, 1.0, True, 1)


def test_refusals():
    position = load("tic-tac-toe").start()
    with pytest.raises(UnknownName, match="unknown selection 'bset': did you mean 'best'"):
        mcts(position, selection="bset")
    with pytest.raises(UnknownName, match="unknown playout 'randm': did you mean 'random'"):
        mcts(position, playout="randm")
    with pytest.raises(BadValue, match="simulations must be a whole number of at least 1, got 0"):
        mcts(position, simulations=0)
    with pytest.raises(BadValue, match="exploration must be 0 or more, got -1"):
        mcts(position, exploration=-1)
    with pytest.raises(BadValue, match="mcts has no depth"):
        mcts(position, limits=Limits(depth=3))


def test_transpositions_are_one_node():
    position = load("tic-tac-toe").start()
    plain, shared = (mcts(position, simulations=600, seed=2, transpositions=each) for each in (False, True))
    assert shared.nodes < plain.nodes and shared.facts["simulations"] == plain.facts["simulations"] == 600
    # x to move wins by c3 whatever was played before it
    almost = load("tic-tac-toe").position("xx./oo./... x")
    assert almost.action_text(mcts(almost, simulations=200, seed=1, transpositions=True).action) == "c3"


def test_a_low_urgency_goes_deep_before_wide():
    position = load("connect four").start()
    wide, deep = (mcts(position, simulations=60, seed=4, urgency=each) for each in (None, 0.3))
    assert {choice.action for choice in wide.choices} == set(position.actions())
    assert len(deep.choices) < len(wide.choices) or deep.choices[0].visits > wide.choices[0].visits
    with pytest.raises(BadValue, match="urgency must be 0 or more, got -1"):
        mcts(position, simulations=10, urgency=-1)
