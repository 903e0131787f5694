"""Expectimax, expectiminimax, Star1, Star2 and the imperfect opponent: the lectures' figures, and properties on drawn trees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.errors import BadValue, Unsuitable
from outplay.game import Game, load
from outplay.textbook.expectimax import expectimax
from outplay.textbook.expectiminimax import expectiminimax
from outplay.textbook.star import star1, star2
from outplay.values import CHANCE, Limits
from tests.textbook.chance_trees import Tree, chance, full_zero_sum_trees, zero, zero_sum_trees


def plain_value(state, agents=(max, min)):
    """Expectiminimax in five lines, straight on the nested tuples: the oracle."""
    if state[0] == "leaf":
        return state[1][0]
    if state[0] == "chance":
        return sum(p * plain_value(child, agents) for p, child in state[1:])
    return agents[state[0]](plain_value(child, agents) for child in state[1:])


def mean(values):
    values = list(values)
    return sum(values) / len(values)


# ---------------------------------------------------------------- the lectures' figures


def test_a_chance_node_is_its_average():
    position = load("tree", tree='{"chance": [["1/2", 8], ["1/3", 24], ["1/6", -12]]}').start()
    for search in (expectimax, expectiminimax, star1, star2):
        result = search(position)
        assert result.value == pytest.approx(10)
        assert result.action is None and result.leaves == 3


def test_sure_ten_or_a_risk():
    position = load("tree", tree='{"max": {"a1": 10, "a2": {"chance": [[0.3, 9], [0.7, 100]]}}}').start()
    for search in (expectimax, expectiminimax, star1, star2):
        result = search(position)
        assert position.action_text(result.action) == "a2"
        assert result.value == pytest.approx(72.7)


def backgammon_like(moves, rolls, plies):
    """A game whose roll before the first action is known, as in the lecture's count."""

    class Rolling(Game):
        name = "rolling"
        bounds = (-1.0, 1.0)

        def initial(self):
            return (0, False)  # actions played, whether dice are to be rolled

        def player(self, state):
            return CHANCE if state[1] else state[0] % 2

        def is_terminal(self, state):
            return state[0] > plies

        def actions(self, state):
            return range(moves)

        def chances(self, state):
            return [(roll, 1 / rolls) for roll in range(rolls)]

        def result(self, state, action):
            return (state[0], False) if state[1] else (state[0] + 1, True)

        def utility(self, state, player):
            return 0.0

    return Rolling().start()


def test_backgammon_size():
    assert 20 * (21 * 20) ** 3 == 1_481_760_000  # the lecture's depth 4, about 1.5e9
    for moves, rolls in ((2, 3), (3, 2)):
        assert expectiminimax(backgammon_like(moves, rolls, 9), depth=4).leaves == moves * (rolls * moves) ** 3


def test_a_monotonic_transformation_flips_a_decision_only_with_chance():
    """Squaring keeps the order of 0, 3 and 5, and so minimax's choice; but the averages 2.5 and 3 become 12.5 and 9."""

    def choice(kind, leaves):
        first, second = (chance((0.5, zero(x)), (0.5, zero(y))) if kind == "chance" else (1, zero(x), zero(y)) for x, y in leaves)
        return expectiminimax(Tree((0, first, second), bounds=(-25, 25)).start()).action

    plain, squared = ((0, 5), (3, 3)), ((0, 25), (9, 9))
    assert choice("min", plain) == choice("min", squared) == 1
    assert (choice("chance", plain), choice("chance", squared)) == (1, 0)


def test_depth_and_evaluation():
    position = load("tree", tree='{"max": [{"chance": [[0.5, {"min": [4, 2]}], [0.5, 6]]}, 3]}').start()

    def guess(position, player):
        return 5.0 if player == 0 else -5.0

    for search in (expectimax, expectiminimax, star1, star2):
        shallow = search(position, depth=1, evaluate=guess)
        assert (shallow.value, shallow.exact, shallow.leaves) == (5.0, False, 2)
        assert search(position, depth=2, evaluate=guess).exact  # the roll takes no depth
        assert search(position, limits=Limits(depth=1)).value == 3.0  # nothing known: the middle of the bounds, 0, against 3
    assert expectiminimax(position, depth=2).value == 4.0
    assert expectimax(position, depth=2).value == 4.5


def test_the_second_player_wants_values_low():
    position = Tree((1, (0, zero(4), zero(8)), zero(5))).start()
    assert expectimax(position).value == 5.0 and expectimax(position).action == 1  # 6 on average is worse for MIN than 5
    assert expectimax(position, model=lambda here: [(0, 1.0)]).value == 4.0


def test_one_player_gets_a_vector():
    game = Tree((0, ("leaf", (3.0,)), chance((0.5, ("leaf", (10.0,))), (0.5, ("leaf", (0.0,))))), players=1, total=None)
    result = expectimax(game.start())
    assert (result.value, result.action) == ((5.0,), 1)


@pytest.mark.parametrize("search", [expectiminimax, star1, star2])
def test_unfitting_games_are_refused_in_one_sentence(search):
    three = Tree((0, ("leaf", (1.0, 2.0, 3.0))), players=3, total=None)
    with pytest.raises(Unsuitable, match=f"^{search.__name__} needs a two-player zero-sum game .*has 3 players: use maxn$"):
        search(three.start())
    alone = Tree((0, ("leaf", (1.0,))), players=1, total=None)
    if search in (star1, star2):  # one player against chance is pruned alike
        assert search(alone.start()).value == (1.0,)
    else:
        with pytest.raises(Unsuitable, match=r"use expectimax$"):
            search(alone.start())


def test_star_needs_values_within_bounds():
    with pytest.raises(BadValue, match="give wider bounds"):
        star1(Tree((0, zero(11), zero(0))).start())
    assert star1(Tree((0, zero(11), zero(0))).start(), bounds=(-20, 20)).value == 11


# ---------------------------------------------------------------- properties


@given(zero_sum_trees())
def test_expectiminimax_is_its_definition(game):
    result = expectiminimax(game.start())
    assert result.value == pytest.approx(plain_value(game.root), abs=1e-9)
    assert result.exact


@given(zero_sum_trees())
def test_expectimax_averages_over_the_other_player(game):
    me = game.root[0] if game.root[0] != "chance" else 0
    agents = (max, mean) if me == 0 else (mean, min)
    assert expectimax(game.start()).value == pytest.approx(plain_value(game.root, agents), abs=1e-9)


@given(st.one_of(zero_sum_trees(), full_zero_sum_trees()))
def test_star_equals_expectiminimax(game):
    position = game.start()
    full, one, two = expectiminimax(position), star1(position), star2(position)
    assert one.value == pytest.approx(full.value, abs=1e-9) and two.value == pytest.approx(full.value, abs=1e-9)
    assert one.leaves <= full.leaves and one.nodes <= full.nodes and two.leaves <= full.leaves
    for pruned in (one, two):
        if pruned.action is not None:  # equal averages may tie within rounding, so the action is judged by its worth
            assert plain_value(game.result(game.root, pruned.action)) == pytest.approx(full.value, abs=1e-9)


@given(zero_sum_trees(), st.integers(0, 3))
def test_star_equals_expectiminimax_at_any_depth(game, depth):
    position = game.start()

    def guess(position, player):
        return float(hash(position.state) % 19 - 9) * (1 if player == 0 else -1)

    full = expectiminimax(position, depth=depth, evaluate=guess)
    for search in (star1, star2):
        assert search(position, depth=depth, evaluate=guess).value == pytest.approx(full.value, abs=1e-9)


@given(zero_sum_trees())
def test_every_traced_node_is_entered_and_left(game):
    for search in (expectimax, expectiminimax, star1, star2):
        result = search(game.start(), trace=True)
        events = [step.event for step in result.trace]
        assert events.count("enter") == events.count("leave") + events.count("leaf") == result.nodes
        assert events.count("leaf") == result.leaves
        assert result.trace[-1].path == () and result.trace[-1].value == pytest.approx(result.value)
        for step in result.trace:
            if step.event == "cut":
                assert step.skipped and step.reason
