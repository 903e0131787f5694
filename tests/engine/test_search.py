"""The engine against the textbook: every algorithm, with and without a table, under tiny tables and on two threads."""

import itertools
import json
import random

import pytest

from outplay.engine import ALGORITHMS, Clock, Engine, Options, best, search, solve
from outplay.errors import BadValue, Unavailable, UnknownName, Unsuitable
from outplay.game import load
from outplay.textbook.maxn import maxn
from outplay.values import Limits
from tests.engine.oracle import minimax, random_positions, random_tree

GAMES = ("tic-tac-toe", "connect four", "nim", "isolation:width=3,height=3")
TEXTBOOK = Options(same_depth=True)  # an entry of another depth would be better founded, and so another value


def agrees(result, position, depth):
    assert result.value == minimax(position, depth)
    assert result.action in position.actions()
    assert minimax(position.result(result.action), depth - 1) == result.value


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", GAMES)
def test_every_algorithm_finds_the_minimax_value(name, algorithm, threads):
    game = load(name, compiled=True)
    bare = Options(table=False, table_move=False, game_order=False, killers=False, history=False, replies=False, aspiration=0)
    engines = [
        Engine(game, algorithm=algorithm, memory=1, threads=threads, options=TEXTBOOK),
        Engine(game, algorithm=algorithm, memory=1, threads=threads, options=Options(table=False)),
        Engine(game, algorithm=algorithm, memory=1, threads=threads, options=bare),
        Engine(game, algorithm=algorithm, entries=4, threads=threads, options=TEXTBOOK),
    ]
    seed = 10 * list(ALGORITHMS).index(algorithm) + threads  # other positions each time: thousands in all
    for number, position in enumerate(random_positions(game, 100, seed)):
        for engine, depth in zip(engines, (3, 2, 3, 4 if number % 10 == 0 else 2), strict=True):
            agrees(engine.best(position, Limits(depth=depth)), position, depth)


@pytest.mark.parametrize("replacement", ["always", "deeper", "older-first"])
@pytest.mark.parametrize("algorithm", ["alphabeta", "pvs", "mtdf", "bns"])
def test_four_entries_are_enough_to_be_right(algorithm, replacement):
    for name in ("tic-tac-toe", "nim"):
        game = load(name)
        engine = Engine(game, algorithm=algorithm, entries=4, options=Options(same_depth=True, replacement=replacement))
        for position in random_positions(game, 40, seed=2):
            agrees(engine.best(position, Limits(depth=4)), position, 4)


@pytest.mark.parametrize("threads", [1, 2])
def test_random_trees(threads):
    source = random.Random(3)
    for number in range(60):
        tree = [random_tree(source, 4) for _ in range(3)]
        position = load("tree", tree=json.dumps(tree)).start()
        for algorithm in ALGORITHMS:
            result = best(position, Limits(depth=10), algorithm=algorithm, memory=1, threads=threads, options=TEXTBOOK)
            assert result.value == minimax(position, 10), (number, algorithm, tree)
            assert result.exact


def test_one_thread_always_says_the_same():
    position = load("connect four").start().play("4 4 3")
    runs = [[(r.action, r.value, r.nodes, r.line) for r in search(position, Limits(depth=9), memory=1)] for _ in range(2)]
    assert runs[0] == runs[1]


def test_symmetry_changes_no_value():
    game = load("connect four")
    engine = Engine(game, memory=1, options=Options(symmetry=True))
    for position in random_positions(game, 30, seed=5):
        assert engine.best(position, Limits(depth=4)).value == minimax(position, 4)


def test_lines_are_the_best_actions_in_order():
    for position in random_positions(load("tic-tac-toe"), 20, seed=6, most=5):
        result = best(position, Limits(depth=9), lines=3, memory=1)
        sign = 1 if position.player() == 0 else -1
        values = sorted((sign * minimax(position.result(a), 8) for a in position.actions()), reverse=True)
        shown = result.choices
        assert [sign * choice.value for choice in shown] == values[:3]
        assert len({choice.action for choice in shown}) == 3
        for choice in shown:
            assert minimax(position.result(choice.action), 8) == choice.value


def test_the_line_can_be_played_and_leads_to_the_value():
    for position in random_positions(load("tic-tac-toe"), 30, seed=7):
        result = best(position, Limits(depth=9), memory=1, algorithm="pvs")
        end = position
        for action in result.line:
            end = end.result(action)
        assert not end.is_terminal() or end.utility(0) == result.value


def test_a_forced_win_is_announced():
    # ..xx... on the bottom row, open on both sides: x plays a third and then has two ends to choose from.
    position = load("connect four").position("......./......./......./......./..oo.../..xx... x")
    result = best(position, Limits(depth=7), memory=1, options=Options(distance=True))
    assert result.value == 1.0
    assert result.facts["distance"] == 3
    assert result.facts["announcement"] == "win in 2"
    loser = position.result(result.action)
    answer = best(loser, Limits(depth=7), memory=1, options=Options(distance=True))
    assert answer.facts["announcement"] == "loss in 1" and answer.facts["distance"] == 2


def test_distances_are_those_of_the_shortest_win():
    def distance(position, depth):
        """(utility to the player to move, plies): a quick win is best, a slow loss less bad."""
        if position.is_terminal():
            return position.utility(position.player()), 0
        if depth == 0:
            return 0.0, 0
        best_found = None
        for action in position.actions():
            value, plies = distance(position.result(action), depth - 1)
            found = (-value, plies + (value != 0))
            rank = (found[0], -found[0] * found[1])
            if best_found is None or rank > best_found[0]:
                best_found = (rank, found)
        return best_found[1]

    engine = Engine(load("tic-tac-toe"), memory=1, options=Options(distance=True))
    for position in random_positions(load("tic-tac-toe"), 60, seed=8, most=8):
        if len(position.actions()) > 6:
            continue
        result = engine.best(position, Limits(depth=9))
        value, plies = distance(position, 9)
        assert result.value == (value if position.player() == 0 else -value)
        assert result.facts.get("distance", 0) == (plies if value else 0)


def test_ordering_switches_change_nodes_and_no_value():
    position = load("connect four").start().play("4 4")
    nodes = {}
    for switch in ("table_move", "game_order", "killers", "history", "replies"):
        result = best(position, Limits(depth=9), memory=4, options=Options(**{switch: False}))
        assert result.value == best(position, Limits(depth=9), memory=4).value
        nodes[switch] = result.nodes
    assert len(set(nodes.values())) > 1


def test_leaves_of_uniform_trees_in_best_random_and_worst_order():
    plain = Options(table=False, killers=False, history=False, replies=False, deepening=False)
    for branching, depth in ((2, 8), (3, 6), (5, 4)):
        leaves = {}
        for order in ("best", "random", "worst"):
            position = load("uniform tree", branching=branching, depth=depth, order=order, leaves="graded", seed=1).start()
            result = best(position, Limits(depth=depth), algorithm="alphabeta", memory=1, options=plain)
            assert result.value == 0.0
            leaves[order] = result.leaves
        half = depth // 2
        assert leaves["best"] == branching**half + branching ** (depth - half) - 1  # Knuth and Moore's least
        assert leaves["best"] < leaves["random"] < leaves["worst"] == branching**depth


@pytest.mark.parametrize("switches", [
    {"quiescence": True}, {"null_move": True}, {"reductions": True}, {"futility": 100}, {"singular": 20}, {"beam": 2},
    {"quiescence": True, "null_move": True, "reductions": True, "futility": 100, "singular": 20},
])  # fmt: skip
def test_selective_searches_play_legal_moves_and_see_short_wins(switches):
    game = load("isolation:width=3,height=3")
    engine = Engine(game, memory=1, options=Options(**switches))
    for position in random_positions(game, 15, seed=9):
        result = engine.best(position, Limits(depth=8))
        assert result.action in position.actions()
        winning = [a for a in position.actions() if position.result(a).is_terminal()]
        if winning and "beam" not in switches:
            assert result.action in winning


def test_selectivity_is_off_without_an_evaluation():
    assert not Engine(load("connect four"), memory=1).options.selective()
    with pytest.raises(Unsuitable, match="beam would have no effect: connect four has no `evaluate`"):
        Engine(load("connect four"), memory=1, options=Options(beam=2))


def test_what_the_engine_refuses():
    start = load("tic-tac-toe").start()
    with pytest.raises(UnknownName, match="did you mean 'alphabeta'"):
        best(start, algorithm="alfabeta")
    with pytest.raises(BadValue, match="threads must be 1 or more, got 0"):
        best(start, threads=0)
    with pytest.raises(BadValue, match="lines must be 1 or more, got 0"):
        best(start, lines=0)
    with pytest.raises(BadValue, match="must be more than 0 MB, got 0"):
        best(start, memory=0)
    with pytest.raises(Unavailable, match="cannot get 1000000000 MB"):
        best(start, memory=10**9)
    with pytest.raises(Unsuitable, match="whole numbers"):
        best(load("tree", tree="[[0.3333333333,2],[1,3]]").start(), Limits(depth=3), memory=1)
    with pytest.raises(BadValue, match="moves to go must be 1 or more"):
        Clock(10.0, moves_to_go=0)


def test_utilities_between_whole_numbers():
    for texts, value in (("[[0.5,2],[1,3]]", 1.0), ("[[0.5,2],[0.25,3]]", 0.5), ("[[0.1,2],[0.07,3]]", 0.1)):
        position = load("tree", tree=texts).start()
        for algorithm in ALGORITHMS:
            assert best(position, Limits(depth=3), memory=1, algorithm=algorithm).value == value
        assert solve(position, memory=1).value == value


def test_two_sides_of_a_constant_sum():
    """Centred inside the kernel, told as a vector: what the textbook's max^n says."""
    position = load("tree", tree="[[(3,6),(4,5)],[(1,8),(9,0)],[(5,4),[(0,9),(7,2)]]]").start()
    for algorithm in ALGORITHMS:
        result = best(position, Limits(depth=4), memory=1, algorithm=algorithm)
        assert result.value == maxn(position).value and result.exact
    assert solve(position, memory=1).value == maxn(position).value


def test_a_finished_game_is_worth_its_utility():
    position = load("tic-tac-toe").position("xxx/oo./... o")
    result = best(position, memory=1)
    assert result.action is None and result.value == 1.0


def test_results_stream_out_one_a_depth():
    results = list(itertools.islice(search(load("connect four").start(), memory=1), 6))
    assert [r.depth for r in results] == [1, 2, 3, 4, 5, 6]
    facts = results[-1].facts
    assert 0.5 < facts["first_move_cutoffs"] <= 1 and 0 < facts["table_hits"] < 1 and 1 < facts["branching"] < 7


def test_a_game_carries_its_margins():
    from outplay.engine import preferences
    from outplay.learning.margins import fit

    game = load("isolation", width=4, height=4)
    assert preferences.alphabeta(game).futility == game.rules.margins["futility"] != Options.playing().futility
    found = fit(game, positions=4, depth=3)
    assert found["gain"] > 0 and set(found["margins"]) == set(preferences.MARGINS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game.rules, "margins", found["margins"], raising=False)
        assert preferences.alphabeta(game).futility == found["margins"]["futility"]
        assert preferences.alphabeta(game, futility=7).futility == 7
        patch.setattr(game.rules, "margins", {"futilty": 3}, raising=False)
        with pytest.raises(UnknownName, match=r"unknown margin of isolation.*'futilty': did you mean 'futility'"):
            preferences.alphabeta(game)
