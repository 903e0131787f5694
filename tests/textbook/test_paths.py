"""Searches for a way: optimal ones against breadth-first search, plans followed through every outcome, limits and refusals."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay.errors import BadValue, Unavailable, UnknownName, Unsuitable
from outplay.game import Game, load
from outplay.textbook import ALGORITHMS, run
from outplay.textbook.a_star import a_star
from outplay.textbook.and_or import DONE, and_or, outcomes
from outplay.textbook.belief import Belief, belief, consistent, percepts
from outplay.textbook.breadth_first import breadth_first
from outplay.textbook.dfid import cost_of, deepening, end_of
from outplay.textbook.greedy import greedy
from outplay.textbook.ida_star import ida_star
from outplay.textbook.online import lrta_star
from outplay.textbook.tree_search import ONE_PLAYER, depth_first, graph_search, tree_search
from outplay.textbook.uniform_cost import uniform_cost
from outplay.values import Limits

PUZZLE = {"width": 3, "height": 2}
NAMES = [name for name, algorithm in ALGORITHMS.items() if algorithm.needs is ONE_PLAYER]


class Steps(Game):
    """A plain game: go one step on (costs 1) or two (costs 3) until you stand on the last stone; beyond it there is only water."""

    name = "steps"
    players = 1
    bounds = (0, 1)

    def __init__(self, stones=7):
        self.stones = stones

    def initial(self):
        return 0

    def player(self, state):
        return 0

    def actions(self, state):
        return [1, 2] if state < self.stones else []

    def result(self, state, action):
        return state + action

    def is_terminal(self, state):
        return state >= self.stones

    def utility(self, state, player):
        return int(state == self.stones)

    def cost(self, state, action):
        return 1 if action == 1 else 3

    def estimate(self, state):
        return max(self.stones - state, 0)


@st.composite
def maps(draw):
    width, height = draw(st.integers(2, 5)), draw(st.integers(1, 5))
    cells = draw(st.lists(st.sampled_from("....#139"), min_size=width * height, max_size=width * height))
    start, goal = draw(st.permutations(range(width * height)))[:2]
    cells[start], cells[goal] = "S", "G"
    return "/".join("".join(cells[row * width : (row + 1) * width]) for row in range(height))


def is_solution(position, result):
    end = end_of(position, result.line)
    return end.is_solved() and result.facts["cost"] == cost_of(position, result.line)


@settings(max_examples=60)
@given(maps())
def test_the_cheapest_way_through_a_grid(text):
    start = load("grid", map=text, compiled=False).start()
    shortest, cheapest = breadth_first(start), uniform_cost(start)
    for search in (a_star, ida_star, lambda p: graph_search(p, "cost")):
        assert search(start).facts["cost"] == cheapest.facts["cost"]
    assert deepening(start).depth == shortest.depth
    for search in (breadth_first, uniform_cost, a_star, ida_star, deepening, greedy, depth_first):
        result = search(start)
        assert (result.value == (1.0,)) == (cheapest.value == (1.0,))
        assert result.value == (0.0,) or is_solution(start, result)
    assert len(shortest.line) <= len(cheapest.line)
    assert cheapest.value == (0.0,) or cheapest.facts["cost"] <= cost_of(start, shortest.line)


@given(st.integers(0, 500), st.sampled_from(["manhattan", "conflicts"]), st.sampled_from(["first", "last"]))
@settings(max_examples=12)
def test_shortest_solutions_of_a_small_puzzle(seed, estimate, blank):
    start = load("fifteen puzzle", **PUZZLE, blank=blank, seed=seed, slides=20, estimate=estimate, compiled=False).start()
    expected = breadth_first(start)
    for search in (a_star, ida_star, uniform_cost):
        result = search(start)
        assert result.depth == expected.depth and is_solution(start, result)
    assert a_star(start).nodes <= expected.nodes
    assert start.estimate() <= expected.depth  # admissible


def test_a_plain_game_will_do():
    start = Steps().start()
    for name in NAMES:
        result = run(name, start)
        assert result.algorithm == name and result.value == (1.0,) and is_solution(start, result), name
    assert a_star(start).facts["cost"] == 7 and breadth_first(start).facts["cost"] == 10
    assert end_of(start, breadth_first(start).line).state == 7


def test_a_position_that_is_solved_already_needs_nothing():
    goal = load("fifteen puzzle", **PUZZLE).position("0 1 2 3 4 5")
    for name in NAMES:
        result = run(name, goal)
        assert (result.line, result.action, result.value, result.facts["cost"]) == ((), None, (1.0,), 0), name


def test_no_way():
    walled = load("grid", map="S.#G").start()
    for search in (breadth_first, uniform_cost, greedy, a_star, ida_star, deepening, depth_first, graph_search):
        result = search(walled)
        assert (result.value, result.line, result.action, result.facts["cost"], result.exact) == ((0.0,), (), None, None, True)
    with pytest.raises(Unavailable, match="tree-search needs more than 500 nodes here"):
        tree_search(walled, limits=Limits(nodes=500))


def test_a_tree_search_goes_in_circles_where_a_graph_search_does_not():
    start = load("fifteen puzzle", **PUZZLE).position("3 1 2 4 0 5")
    assert tree_search(start).line == graph_search(start).line
    with pytest.raises(Unavailable, match="needs more than 300 nodes"):
        tree_search(load("grid", map="#.S.G").start(), "stack", limits=Limits(nodes=300))  # left, right, left, right, ...


def test_a_weight_saves_nodes_and_costs_at_most_so_much():
    start = load("fifteen puzzle", width=3, height=3, slides=60, seed=9).start()
    best, quick = a_star(start), a_star(start, weight=3)
    assert best.facts["cost"] <= quick.facts["cost"] <= 3 * best.facts["cost"] and quick.nodes < best.nodes
    with pytest.raises(BadValue, match=r"weight must be a number of at least 1, got 0\.5"):
        a_star(start, weight=0.5)


def test_the_trace_tells_what_was_expanded_in_which_order():
    start = load("grid", map="S.G").start()
    result = breadth_first(start, trace=True)
    assert [(step.path, step.value) for step in result.trace if step.event == "expand"] == [((), 0), ((2,), 1), ((2, 2), 2)]
    assert result.trace[-1].event == "goal" and result.trace[-1].path == result.line
    bounded = ida_star(load("grid", map="S.#/..G").start(), trace=True)
    assert {step.event for step in bounded.trace} >= {"enter", "leave"}
    around = ida_star(load("grid", map="S#G/...").start(), trace=True)
    assert around.facts["bounds"] == (2, 4)


def test_a_depth_is_a_limit():
    start = load("grid", map="S....G").start()
    for search in (breadth_first, ida_star, deepening):
        result = search(start, limits=Limits(depth=3))
        assert result.value == (0.0,) and not result.exact
        assert search(start, limits=Limits(depth=5)).value == (1.0,)


# ---------------------------------------------------------------- several outcomes, unseen states, acting while learning


def works(plan, position):
    """Whether a plan reaches the goal in every outcome; returns the length of the worst case, or None."""
    if plan.action is None:
        return 0 if position.is_solved() else None
    branches = dict(plan.branches)
    lengths = [works(branches[after], after) if after in branches else None for after in outcomes(position, plan.action)]
    return None if None in lengths else 1 + max(lengths)


@pytest.mark.parametrize("rooms, text", [(2, "** a"), (2, "*. b"), (3, "*** b"), (3, "*.* a"), (2, ".. a")])
def test_a_contingent_plan_works_whatever_happens(rooms, text):
    start = load("vacuum world", rooms=rooms, erratic=True).position(text)
    result = and_or(start)
    plan = result.facts["plan"]
    assert result.value == (1.0,) and works(plan, start) == plan.depth == result.depth


def test_a_plan_for_a_world_without_chance_is_a_shortest_way():
    start = load("vacuum world", rooms=4).position("*.** b")
    result = and_or(start)
    assert result.depth == breadth_first(start).depth == works(result.facts["plan"], start)


def test_no_plan():
    assert and_or(load("grid", map="S#G").start()).facts["plan"] is None
    assert and_or(load("grid", map="G.S").position("1,1")).facts["plan"] == DONE


def run_plan(plan, position, believed):
    """Follow a plan in one world, seeing only what the agent sees."""
    steps = 0
    while plan.action is not None:
        if not position.is_terminal():
            position = position.result(plan.action)
        for following, further in plan.branches:
            if position in following.positions:
                believed, plan = following, further
                break
        else:
            raise AssertionError(f"{position} is in none of the beliefs after {believed}")
        steps += 1
    return position.is_solved(), steps


@pytest.mark.parametrize("sensors, rooms, worlds", [("none", 2, 6), ("here", 2, 2), ("here", 3, 4), ("none", 3, 21)])
def test_a_plan_for_unseen_states_works_in_every_one(sensors, rooms, worlds):
    start = load("vacuum world", rooms=rooms, sensors=sensors).start()
    assert len(consistent(start)) == worlds
    result = belief(start)
    assert result.value == (1.0,)
    for world in consistent(start):
        solved, steps = run_plan(result.facts["plan"], world, None)
        assert solved and steps <= result.depth


def test_sensors_save_steps():
    blind, seeing = (belief(load("vacuum world", sensors=sensors).start()).depth for sensors in ("none", "here"))
    assert seeing < blind == 4


def test_a_belief_can_be_given_outright():
    game = load("grid", map="S..../.#.#./..G..")
    corners = [game.position("1,3"), game.position("2,3")]
    result = belief(corners[0], positions=corners)
    assert result.value == (1.0,)
    for world in corners:
        assert run_plan(result.facts["plan"], world, None)[0]
    with pytest.raises(BadValue, match="positions must be one or more positions of grid"):
        belief(corners[0], positions=[])


def test_what_is_seen_splits_a_belief():
    game = load("vacuum world", sensors="here")
    after = percepts(Belief(consistent(game.start())), 1)  # right: the second room is dirty or it is not
    assert [str(following) for following in after] == ["{** b}", "{*. b}"]


@settings(max_examples=30)
@given(maps())
def test_an_agent_that_learns_walks_the_cheapest_way_in_the_end(text):
    start = load("grid", map=text, compiled=False).start()
    cheapest = uniform_cost(start)
    if cheapest.value == (1.0,):
        result = lrta_star(start, trips=150, limits=Limits(nodes=20_000))
        assert min(result.facts["costs"]) >= cheapest.facts["cost"]
        assert result.facts["costs"][-1] == cheapest.facts["cost"] and is_solution(start, result)


# ---------------------------------------------------------------- refusals


def test_wrong_games_and_options_get_one_line():
    with pytest.raises(Unsuitable, match=r"a-star needs a one-player game .*; tic-tac-toe has 2 players: use alphabeta"):
        a_star(load("tic-tac-toe").start())
    with pytest.raises(Unsuitable, match=r"breadth-first needs .* has chance: use and-or"):
        breadth_first(load("vacuum world", erratic=True).start())
    with pytest.raises(Unsuitable, match="hides information: use belief"):
        ida_star(load("vacuum world", sensors="here").start())
    with pytest.raises(UnknownName, match="unknown fringe 'heap'"):
        tree_search(load("grid").start(), "heap")
    with pytest.raises(BadValue, match="trips must be a whole number of at least 1, got 0"):
        lrta_star(load("grid").start(), trips=0)
    with pytest.raises(Unavailable, match="stack holds: use a-star"):
        ida_star(load("grid", map="S" + "." * 500 + "G").start())
