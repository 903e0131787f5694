"""The deterministic two-player algorithms: worked examples, properties on random trees, solved facts, limits and refusals."""

import functools
import math
import operator
import random
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay.errors import BadValue, Unavailable, UnknownName, Unsuitable
from outplay.game import Game, load
from outplay.textbook import ALGORITHMS, find, run
from outplay.textbook.alphabeta import alphabeta
from outplay.textbook.beam import beam
from outplay.textbook.bns import best_node_search
from outplay.textbook.cutoff import h_alphabeta, h_minimax
from outplay.textbook.deepening import deepen, iterative_deepening
from outplay.textbook.depth_first import minimax_on_the_heap, on_the_heap, on_the_stack
from outplay.textbook.evaluation import expected, weighted
from outplay.textbook.killer import killer_moves
from outplay.textbook.meta import affordable_depth, best_leaves, deepening_nodes, random_leaves, tree_nodes, worth_deepening, years
from outplay.textbook.minimax import minimax
from outplay.textbook.mtdf import mtdf
from outplay.textbook.negamax import negamax
from outplay.textbook.ordering import best_first, by_evaluation, by_rules, shuffled, uniform_tree, unrolled, worst_first
from outplay.textbook.pvs import pvs
from outplay.textbook.quiescence import quiescence
from outplay.textbook.search import TWO_PLAYERS, OutOfTime
from outplay.textbook.singular import singular_extension
from outplay.textbook.sss import sss
from outplay.textbook.table import alphabeta_with_table
from outplay.values import Limits
from tests.textbook.trees import PlainTree, SeenTree, alternating, plain_trees, seen_trees, value

TWO_PLY = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
EXACT = [minimax, minimax_on_the_heap, alphabeta, h_minimax, h_alphabeta, negamax, pvs, mtdf, sss, best_node_search,
         alphabeta_with_table, killer_moves, quiescence, singular_extension]
TO_A_DEPTH = [minimax_on_the_heap, h_alphabeta, negamax, pvs, mtdf, sss, best_node_search, alphabeta_with_table, killer_moves]
NAMES = [name for name, algorithm in ALGORITHMS.items() if algorithm.needs is TWO_PLAYERS]


def follow(position, line):
    for action in line:
        position = position.result(action)
    return position


# ---------------------------------------------------------------- worked examples of the lectures


@pytest.mark.parametrize("name", NAMES)
def test_two_ply_tree_is_worth_3_by_the_first_action(name):
    result = run(name, load("tree", tree=str(TWO_PLY)).start())
    assert (result.value, result.action, result.line) == (3.0, 0, (0, 0))
    assert result.algorithm == name and result.exact and result.depth == 2


def test_alphabeta_never_looks_at_the_leaves_4_and_6():
    result = alphabeta(load("tree", tree=str(TWO_PLY)).start(), trace=True)
    seen = [TWO_PLY[step.path[0]][step.path[1]] for step in result.trace if step.event == "leaf"]
    assert seen == [3, 12, 8, 2, 14, 5, 2]
    (cut,) = [step for step in result.trace if step.event == "cut"]
    assert (cut.path, cut.skipped, cut.kind, cut.alpha, cut.beta, cut.value) == ((1,), (1, 2), "min", 3.0, math.inf, 2.0)


@given(x=st.integers(-20, 20), y=st.integers(-20, 20))
def test_two_ply_tree_is_worth_3_whatever_x_and_y_are(x, y):
    position = PlainTree(alternating([[3, 12, 8], [2, x, y], [14, 5, 2]])).start()
    assert minimax(position).value == 3 and minimax(position).action == 0
    assert alphabeta(position).leaves == 7


def test_the_2x3_isolation_of_the_lectures_by_my_moves():
    position = load("isolation", width=3, height=2).start()

    def by_hand(position, depth):
        if position.is_terminal():
            return position.utility(0) * position.game.traits.scale
        if depth == 0:
            return my_moves(position)
        return (max, min)[position.player()](by_hand(position.result(a), depth - 1) for a in position.actions())

    def my_moves(position):
        board, _ = position.text().split()
        if "x" not in board:  # not placed yet: any free cell
            return sum(cell in "." for cell in board)
        cells = {(x, y): cell for y, row in enumerate(board.split("/")) for x, cell in enumerate(row)}
        here = next(place for place, cell in cells.items() if cell == "x")
        count = 0
        for step in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            there = (here[0] + step[0], here[1] + step[1])
            while cells.get(there) == ".":
                count += 1
                there = (there[0] + step[0], there[1] + step[1])
        return count

    for depth in range(1, 6):
        assert h_minimax(position, depth).value == h_alphabeta(position, depth).value == by_hand(position, depth)
    assert minimax(position).value == value(position) == deepen(position).value / position.game.traits.scale


@pytest.mark.parametrize(("branching", "depth"), [(2, 6), (3, 4), (3, 5), (5, 3), (8, 2)])
def test_leaves_in_best_and_worst_order_are_those_of_the_formulas(branching, depth):
    def count(leaves):
        return alphabeta(PlainTree(alternating(uniform_tree(branching, depth, leaves))).start()).leaves

    assert count("best") == best_leaves(branching, depth) == branching ** -(-depth // 2) + branching ** (depth // 2) - 1
    assert count("worst") == branching**depth
    assert count("best") < count("random") < count("worst")


def test_random_order_grows_by_about_the_three_quarter_power():
    def count(depth):
        trees = [PlainTree(alternating(uniform_tree(5, depth, "random", seed))).start() for seed in range(6)]
        return sum(alphabeta(tree).leaves for tree in trees) / 6

    four, five, six = count(4), count(5), count(6)
    assert 0.7 < math.log(six / four, 5) / 2 < 0.85  # 0.5 in perfect order, 1 in the worst
    for counted, depth in ((four, 4), (five, 5), (six, 6)):
        assert 1 < counted / random_leaves(5, depth) < 2.5


@pytest.mark.parametrize(("branching", "depth"), [(2, 5), (3, 3), (4, 3)])
def test_iterative_deepening_visits_the_bottom_once_and_the_top_d_times(branching, depth):
    position = PlainTree(alternating(uniform_tree(branching, depth, "worst"))).start()
    visits = [0] * (depth + 1)
    for result in iterative_deepening(position, trace=True, evaluate=lambda position, player: 0.0, reorder=False):
        for step in result.trace:
            visits[step.depth] += step.event == "enter"
    plain = [h_minimax(position, limit).nodes for limit in range(1, depth + 1)]
    assert plain == [tree_nodes(branching, limit) for limit in range(1, depth + 1)]
    assert sum(plain) == deepening_nodes(branching, depth)
    assert visits[0] == depth and visits[depth] == branching**depth


# ---------------------------------------------------------------- properties


@given(position=plain_trees())
def test_all_exact_algorithms_return_the_minimax_value_and_an_action_that_attains_it(position):
    expected = value(position)
    for algorithm in [*EXACT, deepen]:
        result = algorithm(position)
        assert result.value == expected, algorithm.__name__
        assert result.exact
        if position.is_terminal():
            assert result.action is None and result.line == ()
        else:
            assert value(position.result(result.action)) == expected, algorithm.__name__
        end = follow(position, result.line)
        assert end.is_terminal() and end.utility(0) == expected, algorithm.__name__


@given(position=seen_trees(), depth=st.integers(0, 4))
def test_to_a_depth_all_return_the_value_of_h_minimax(position, depth):
    expected = h_minimax(position, depth)
    for algorithm in TO_A_DEPTH:
        result = algorithm(position, depth=depth)
        assert result.value == expected.value, algorithm.__name__
        assert result.depth <= depth
        if result.action is not None:
            child = position.result(result.action)
            assert h_minimax(child, depth - 1).value == expected.value, algorithm.__name__
    if depth:
        for result in iterative_deepening(position, Limits(depth=depth)):
            last = result
        assert last.value == expected.value


@given(position=plain_trees(), seed=st.integers(0, 99))
def test_alphabeta_never_visits_more_leaves_than_minimax(position, seed):
    most = minimax(position)
    for order in (shuffled(seed), best_first, worst_first):
        result = alphabeta(position, order=order)
        assert result.leaves <= most.leaves and result.nodes <= most.nodes
        assert result.value == most.value


@given(branching=st.integers(1, 4), depth=st.integers(0, 5), seed=st.integers(0, 999))
@settings(max_examples=40)
def test_perfect_order_needs_exactly_the_minimal_tree(branching, depth, seed):
    position = PlainTree(alternating(uniform_tree(branching, depth, "random", seed))).start()
    for algorithm in (alphabeta, negamax, pvs):
        assert algorithm(position, order=best_first).leaves == best_leaves(branching, depth)


@given(position=plain_trees(), seed=st.integers(0, 999))
def test_against_a_weaker_opponent_max_never_gets_less_than_the_minimax_value(position, seed):
    promised, source = value(position), random.Random(seed)
    while not position.is_terminal():
        weaker = position.player() == 1
        position = position.result(source.choice(position.actions()) if weaker else minimax(position).action)
    assert position.utility(0) >= promised


@given(position=seen_trees(), depth=st.integers(1, 4))
def test_a_monotonic_change_of_eval_changes_no_decision(position, depth):
    class Changed(SeenTree):
        scale = 2.0

        def utility(self, path, player):
            return rising(10 * self.node(path)) / 2 * (1 - 2 * player)

        def evaluate(self, path, player, weights=None):
            return rising(super().evaluate(path, 0)) * (1 - 2 * player)

    def rising(points):
        return points**3 + 5 * points + 7

    plain, changed = h_minimax(position, depth), h_minimax(Changed(position.game.root).start(), depth)
    assert changed.line == plain.line
    assert changed.value == rising(plain.value)


@given(position=plain_trees(), alpha=st.integers(-21, 20), width=st.integers(1, 10))
def test_a_value_outside_the_window_is_a_bound_and_says_so(position, alpha, width):
    true = value(position)
    for algorithm in (alphabeta, negamax, h_alphabeta):
        result = algorithm(position, window=(alpha, alpha + width))
        if alpha < true < alpha + width:
            assert result.value == true and result.exact
        elif true <= alpha:
            assert true <= result.value <= alpha and result.facts["bound"] == "upper" and not result.exact
        else:
            assert alpha + width <= result.value <= true and result.facts["bound"] == "lower" and not result.exact


@given(position=plain_trees(), guess=st.integers(-30, 30))
def test_mtdf_needs_no_good_guess(position, guess):
    result = mtdf(position, guess=guess)
    assert result.value == value(position)
    for tested, back in result.facts["passes"]:  # MAX's values; MIN, where it is to move, asks for "at most" instead
        at_least = float.__ge__ if position.player() == 0 else float.__le__
        assert at_least(back, tested) == at_least(float(value(position)), tested)


@given(position=plain_trees())
def test_sss_looks_at_no_leaf_that_alphabeta_skips(position):
    def leaves(name):
        return {step.path for step in run(name, position, trace=True).trace if step.event == "leaf"}

    assert leaves("sss") <= leaves("alphabeta")


@given(position=plain_trees())
def test_the_trace_tells_the_whole_story(position):
    for name in NAMES:
        result = run(name, position, trace=True)
        events = [step.event for step in result.trace]
        if name != "iterative-deepening":  # whose trace is that of the last depth
            assert events.count("enter") == result.nodes, name
            assert events.count("leaf") == result.leaves, name
        assert events.count("leave") + events.count("leaf") == events.count("enter"), name
        assert result.trace[-1].path == () and result.trace[-1].value == result.value, name
        for step in result.trace:
            node = follow(position, step.path)
            if step.event == "leaf":
                assert node.is_terminal() and step.value == node.utility(0), name
            if step.event == "cut":
                assert step.reason and set(step.skipped) <= set(node.actions()), name
            if step.alpha is not None:
                assert step.alpha < step.beta, name
            assert step.kind == ("max", "min")[node.player()], name


@given(position=seen_trees(), width=st.integers(1, 3))
def test_a_beam_as_wide_as_the_tree_drops_nothing(position, width):
    result = beam(position, width=width)
    assert beam(position, width=3).value == value(position) * 1.0
    if result.exact:
        assert result.value == value(position)


@given(position=seen_trees(), depth=st.integers(1, 3))
def test_quiescence_trusts_eval_only_where_it_is_quiet_or_good_enough(position, depth):
    plain = h_alphabeta(position, depth)
    assert quiescence(position, depth=depth, forcing=lambda position: ()).value == plain.value
    trace = quiescence(position, depth=depth, trace=True).trace
    good_enough = {step.path for step in trace if step.event == "cut"}
    for step in trace:
        if step.event == "leaf":
            node = follow(position, step.path)
            assert node.is_terminal() or step.path in good_enough or (not node.forcing() and len(step.path) >= depth)
    assert singular_extension(position, depth=depth, most=0).value == plain.value


def test_quiescence_sees_the_recapture_and_singular_extension_looks_behind_the_only_good_action():
    # MAX takes a pawn; if it does, MIN takes the queen, a forcing action that one ply of search does not see.
    position = PlainTree((0, (1, -8, 1), (1, 0, 0))).start()

    def material(position, player):
        return {(): 0, (0,): 1, (1,): 0}[position.state] * (1 - 2 * player)

    assert h_minimax(position, 1, evaluate=material).action == 0
    assert quiescence(position, depth=1, evaluate=material, forcing=lambda p: p.actions() if p.state == (0,) else ()).action == 1
    assert singular_extension(position, depth=1, evaluate=material, margin=1).action == 1
    assert singular_extension(position, depth=1, evaluate=material, margin=2).action == 0


# ---------------------------------------------------------------- real games


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("minimax", "h-minimax")])
def test_every_algorithm_solves_tic_tac_toe_from_a_corner(name):
    position = load("tic-tac-toe").start().play("a3 b1")
    result = run(name, position)
    assert result.value == 1.0, "a ring on the far edge loses to a corner"
    assert value(position.result(result.action)) == 1.0


@given(moves=st.lists(st.integers(0, 8), max_size=6), depth=st.integers(1, 3))
@settings(max_examples=30)
def test_random_positions_of_connect_four(moves, depth):
    position = load("connect four", width=4, height=4).start()
    for move in moves:
        if not position.is_terminal():
            position = position.result(position.actions()[move % len(position.actions())])

    def a_guess(position, player):
        return (zlib.crc32(position.text().encode()) % 7 - 3) / 10 * (1 - 2 * player)

    expected = h_minimax(position, depth, evaluate=a_guess)
    for algorithm in TO_A_DEPTH:
        assert algorithm(position, depth=depth, evaluate=a_guess).value == expected.value


@given(heaps=st.lists(st.integers(1, 4), min_size=1, max_size=3), misere=st.booleans(), seed=st.integers(0, 99))
@settings(max_examples=25)
def test_nim_agrees_with_its_closed_form(heaps, misere, seed):
    position = load("nim", heaps="-".join(map(str, heaps)), misere=misere).start()
    if seed % 2:
        position = position.result(random.Random(seed).choice(position.actions()))
    heaps = [int(part) for part in position.text().split()[0].split("-")]
    cancelled = functools.reduce(operator.xor, heaps) == 0
    mover_wins = cancelled == (misere and max(heaps) <= 1)  # Bouton 1901
    expected = 1 if mover_wins == (position.player() == 0) else -1
    for algorithm in (alphabeta_with_table, mtdf, best_node_search):
        assert algorithm(position).value == expected


@given(moves=st.lists(st.integers(0, 8), max_size=5), depth=st.integers(0, 3), seed=st.integers(0, 9))
@settings(max_examples=20)
def test_an_unrolled_tree_is_searched_as_the_game_itself(moves, depth, seed):
    position = SeenTree(alternating(uniform_tree(3, 4, "random", seed))).start()
    for move in moves[:2]:
        position = position.result(move % 3)
    direct = h_alphabeta(position, depth)
    by_tree = alphabeta(PlainTree(alternating(unrolled(position, depth), position.player())).start())
    assert (by_tree.value, by_tree.leaves) == (direct.value, direct.leaves)


def test_evaluation_by_category_and_by_weighted_features():
    assert expected(wins=0.72, losses=0.20, draws=0.08) == 0.76
    assert expected(wins=36, losses=10, draws=4) == 0.76
    evaluate = weighted([9, 1], [lambda position, player: player, lambda position, player: 2])
    assert evaluate(PlainTree(3).start(), 1) == 11
    with pytest.raises(BadValue, match="a weight for each feature, got 1 weights and 2 features"):
        weighted([1], [lambda position, player: 0] * 2)
    with pytest.raises(BadValue, match="won, lost and drawn, got 0, 0 and 0"):
        expected(0, 0, 0)


def test_the_sums_of_meta_reasoning():
    assert affordable_depth(2, 1e9, 8) == 10.3
    assert round(affordable_depth(100, 1e4, 35)) == 4 and round(affordable_depth(100, 1e4, 35, "best")) == 8
    assert int(math.log10(35**100)) == 154 and int(math.log10(35**50)) == 77
    assert round(years(8**25, 1e9), -5) == 1_200_000
    assert worth_deepening(1, 1, 10, 6) and not worth_deepening(5, 1, 10, 6)
    with pytest.raises(UnknownName, match="unknown order 'bset': did you mean 'best'"):
        affordable_depth(2, 1e9, 8, "bset")
    with pytest.raises(BadValue, match="more than 1 action a position"):
        affordable_depth(2, 1e9, 1)
    with pytest.raises(BadValue, match="depth must be a whole number of at least 0, got -1"):
        tree_nodes(2, -1)


def test_transpositions_save_nodes_and_orders_keep_the_value():
    position = load("tic-tac-toe").start().play("b2")
    assert alphabeta_with_table(position).nodes < alphabeta(position).nodes / 2
    assert {alphabeta(position, order=order).value for order in (by_rules, shuffled(1), by_evaluation())} == {0.0}


# ---------------------------------------------------------------- limits, refusals, the table


@pytest.mark.parametrize("name", NAMES)
def test_limits_stop_every_algorithm(name):
    position = load("connect four").start()
    if name == "iterative-deepening":
        result = run(name, position, limits=Limits(nodes=200))
        assert result.action in position.actions() and not result.exact and result.nodes <= 200
        assert run(name, position, limits=Limits(seconds=0)).depth == 1  # the first depth is always finished
        return
    with pytest.raises(OutOfTime, match=rf"{name}.* needs more than 50 nodes here: .* or use iterative-deepening"):
        run(name, position, limits=Limits(nodes=50, depth=9))
    with pytest.raises(OutOfTime, match=r"more than 0\.01 seconds"):
        run(name, position, limits=Limits(seconds=0.01))
    shallow = run(name, position, limits=Limits(depth=2))
    assert shallow.depth == 2 and not shallow.exact and len(shallow.line) == 2


class Long(Game):
    """Five thousand plies without a choice."""

    name = "a long game"

    def initial(self):
        return 0

    def player(self, state):
        return state % 2

    def actions(self, state):
        return [1]

    def result(self, state, action):
        return state + action

    def is_terminal(self, state):
        return state >= 5000

    def utility(self, state, player):
        return 1 - 2 * player


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("iterative-deepening", "minimax-heap")])
def test_too_deep_for_the_stack_is_one_clear_line(name):
    with pytest.raises(Unavailable, match="plies deep, which is more than Python's stack holds: give it a depth"):
        run(name, Long().start())
    assert run(name, Long().start(), limits=Limits(depth=50)).depth == 50


def test_depth_first_search_on_the_heap_goes_where_the_stack_cannot():
    at_the_end = Long().start().game.is_terminal
    with pytest.raises(Unavailable, match="deeper than Python's stack holds: search it on the heap"):
        on_the_stack(Long().start(), lambda position: at_the_end(position.state))
    assert len(on_the_heap(Long().start(), lambda position: at_the_end(position.state))) == 5000
    assert on_the_heap(Long().start(), lambda position: False) is None
    result = minimax_on_the_heap(Long().start())
    assert (result.value, result.depth, result.nodes, len(result.line)) == (1.0, 5000, 5001, 5000)


@given(position=plain_trees(), wanted=st.integers(-20, 20))
def test_depth_first_search_finds_the_same_on_the_stack_and_on_the_heap(position, wanted):
    def is_goal(position):
        return position.is_terminal() and position.utility(0) == wanted

    found = on_the_stack(position, is_goal)
    assert found == on_the_heap(position, is_goal)
    assert found is None or is_goal(follow(position, found))


class Other(PlainTree):
    """A tree with one trait changed."""


class Dice(Other):
    name = "dice"

    def chances(self, path):
        return []


class Three(Other):
    name = "three"
    players = 3


class General(Other):
    name = "general"
    total = None


class Cards(Other):
    name = "cards"

    def observe(self, path, player):
        return path


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("kind", "complaint"), [
    (Dice, "dice has chance: use expectiminimax"), (Three, "three has 3 players: use maxn"),
    (General, "general is general-sum: use maxn"), (Cards, "cards hides information: use deals")])
def test_games_that_do_not_fit_are_refused_in_one_sentence(name, kind, complaint):
    game = kind((0, 1, 2))
    assert not find(name).suits(game) and find(name).suits(PlainTree((0, 1, 2)))
    with pytest.raises(Unsuitable) as refusal:
        run(name, game.start())
    assert str(refusal.value).startswith(f"{name} needs a two-player zero-sum game without chance")
    assert str(refusal.value).endswith(complaint)


def test_names_and_options():
    position = PlainTree(alternating(TWO_PLY)).start()
    assert find("Alpha Beta").name == "alphabeta" and find("MTD(f)").name == "mtdf"
    assert run("beam", position, width=1, evaluate=lambda position, player: 0.0, seed=3).facts["cuts"] == 2
    with pytest.raises(UnknownName, match="unknown algorithm 'minmax': did you mean 'minimax'"):
        run("minmax", position)
    with pytest.raises(UnknownName, match="unknown option of beam 'widht': did you mean 'width'"):
        run("beam", position, widht=3)
    with pytest.raises(BadValue, match="width must be a whole number of at least 1, got 0"):
        run("beam", position, width=0)
    with pytest.raises(BadValue, match="makes no simulations"):
        run("minimax", position, limits=Limits(simulations=5))
    with pytest.raises(BadValue, match="a window needs a lower end below its upper end"):
        alphabeta(position, window=(3, 3))
    with pytest.raises(BadValue, match="depth must be 0 or more"):
        h_minimax(position, -1)


def test_a_watcher_sees_the_search_go_on():
    seen = []
    run("minimax", load("tic-tac-toe").position("x.o/.../..x o"), watch=lambda search: seen.append(search.nodes))
    assert len(seen) > 10 and seen == sorted(seen)


def test_every_algorithm_is_described():
    for algorithm in ALGORITHMS.values():
        assert callable(algorithm.function) and algorithm.description
        assert {"limits", "trace"} <= set(algorithm.options())


