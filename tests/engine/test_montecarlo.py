"""Monte Carlo tree search against solved games, the textbook, its own promises and its own limits."""

import os
import random
import subprocess
import sys
import threading

import numpy as np
import pytest

from outplay.engine.alphabeta.solve import solve
from outplay.engine.frames.chance import star2
from outplay.engine.montecarlo.mcts import Leaves, MonteCarlo, decide, mcts, planes
from outplay.engine.montecarlo.playouts import playouts
from outplay.engine.pacing import Watch
from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.game import Game, load
from outplay.textbook.alphabeta import alphabeta
from outplay.textbook.mcts import mcts as textbook_mcts
from outplay.values import Limits


def visits(result):
    return sum(result.each("visits").values())


# ---------------------------------------------------------------- it finds what is known


@pytest.mark.parametrize("text", [".../.../... x", "xo./.x./..o x", "xox/.o./... x"])
def test_the_solver_proves_tic_tac_toe(text):
    position = load("tic-tac-toe").position(text)
    result = mcts(position, simulations=300_000, seed=1)
    assert result.exact and result.value == alphabeta(position).value
    assert alphabeta(position.result(result.action)).value == result.value


def test_without_the_solver_it_converges_to_the_value():
    position = load("tic-tac-toe").start()
    result = mcts(position, simulations=300_000, solver=False, exploration=0.7, seed=2)
    assert not result.exact and abs(result.value) < 0.15
    assert visits(result) == result.facts["simulations"] == 300_000


@pytest.mark.parametrize("heaps", ["1-2-3", "3-4-5", "1-4", "2-2-2"])
def test_nim_is_proved_and_the_move_leaves_an_exclusive_or_of_zero(heaps):
    position = load("nim", heaps=heaps).start()
    result = mcts(position, simulations=200_000, seed=3)
    one, two, three = [int(size) for size in heaps.split("-")] + [0] * (3 - heaps.count("-") - 1)
    assert result.exact and result.value == (1.0 if one ^ two ^ three else -1.0)
    if result.value == 1.0:
        left = [int(size) for size in position.result(result.action).text().split()[0].split("-")]
        assert np.bitwise_xor.reduce(left) == 0


def test_connect_four_endings_are_proved():
    position = load("connect four:width=5,height=4").start().play("3 3 3 3 2 4 4 2 2 2")
    exact = alphabeta(position)
    result = mcts(position, simulations=200_000, seed=1)
    assert result.exact and result.value == exact.value


@pytest.mark.parametrize("selection", ["ucb1", "sampled", "tuned", "puct"])
def test_every_rule_of_selection_sees_the_win(selection):
    position = load("tic-tac-toe").position("xx./oo./... x")
    result = mcts(position, simulations=2000, selection=selection, solver=False, seed=5)
    assert position.action_text(result.action) == "c3"
    assert set(result.each("visits")) == set(position.actions())


def test_rave_shares_what_later_moves_tell():
    position = load("connect four").start().play("4 1 4 1 4")
    result = mcts(position, simulations=3000, rave=300, solver=False, seed=1)
    assert position.action_text(result.action) == "4"


def test_rave_begins_with_what_the_rules_expect():
    """White's last stone is in atari: the priors of Go send the first simulations there."""
    position = load("go:size=5").position("...../.xx../xo.../.x.../..... x - 0 6 B3")
    result = mcts(position, simulations=60, seed=1)
    assert position.action_text(result.action) == "C3"
    assert result.each("visits")[result.action] > 30


def test_urgency_lets_good_actions_come_again_before_others_come_first():
    position = load("connect four").start()
    eager = mcts(position, simulations=400, urgency=0.3, exploration=0, solver=False, seed=1)
    assert eager.facts["simulations"] == 400 and min(eager.each("visits").values()) == 0
    assert min(mcts(position, simulations=400, exploration=0, solver=False, seed=1).each("visits").values()) > 0


def test_nodes_grow_after_so_many_visits():
    position = load("connect four").start()
    often, seldom = (mcts(position, simulations=3000, expand=visits, solver=False, seed=1) for visits in (1, 10))
    assert seldom.nodes * 4 < often.nodes
    assert seldom.action == often.action


def test_a_timed_search_ends_once_nothing_can_change():
    position = load("connect four").start().play("4 1 4 1 4")  # all but one action lose at once
    player = MonteCarlo(position.game, solver=False, seed=1)
    result = player.best(position, Limits(simulations=1000))
    ahead, behind = list(result.each("visits").values())[:2]
    assert ahead > behind + 20
    for left, settled in ((0.5 * (ahead - behind), True), (2.0 * (ahead - behind), False)):
        watch = Watch(Limits(), None, None)
        watch.started -= 1000.0  # a thousand simulations in a thousand seconds: one a second
        watch.deadline = watch.started + 1000.0 + left
        player._next_look = 0.0
        assert player._is_settled(watch, 1000) is settled


# ---------------------------------------------------------------- it agrees with the textbook


def test_values_of_actions_agree_with_the_textbook():
    position = load("tic-tac-toe").position("x.o/.../..x o")
    ours = mcts(position, simulations=3000, solver=False, seed=1)
    theirs = textbook_mcts(position, simulations=3000, seed=1)
    assert ours.action == theirs.action
    assert abs(ours.value - theirs.value) < 0.15


def test_three_players_get_a_vector():
    position = load("isolation", width=3, height=3, players=3).start()
    result = mcts(position, simulations=20_000, seed=1)
    assert len(result.value) == 3
    assert sum(result.value) == pytest.approx(position.game.traits.total, abs=0.02)
    theirs = textbook_mcts(position, simulations=400, seed=1)
    assert result.value == pytest.approx(theirs.value, abs=0.3)


def test_chance_is_followed_by_the_dice():
    position = load("isolation", width=3, height=3, sloppy=0.4).start().play("a1 c3")
    result = mcts(position, simulations=200_000, exploration=0.5, seed=1)
    exact = star2(position, memory=1)
    assert result.value == pytest.approx(exact.value, abs=0.09)


# ---------------------------------------------------------------- its promises


def test_one_thread_and_a_seed_give_one_tree():
    position = load("connect four").start()
    first, second = (mcts(position, simulations=5000, seed=11) for _ in range(2))
    assert first.each("visits") == second.each("visits") and first.value == second.value
    assert mcts(position, simulations=5000, seed=12).each("visits") != first.each("visits")


@pytest.mark.parametrize("parallel", ["tree", "root"])
def test_two_threads_agree_with_one(parallel):
    position = load("connect four").start().play("4 4")
    one = mcts(position, simulations=30_000, solver=False, seed=1)
    two = mcts(position, simulations=30_000, solver=False, seed=1, threads=2, parallel=parallel)
    assert two.facts["simulations"] == visits(two) == 30_000  # nothing is lost, wherever the system puts a thread to sleep
    low, high = one.each("interval")[one.action]
    assert low - 0.05 <= two.each("value")[one.action] <= high + 0.05


def test_intervals_and_decisions_are_explained():
    result = mcts(load("connect four").start(), simulations=4000, seed=1)
    visits = [choice.visits for choice in result.choices]
    assert visits == sorted(visits, reverse=True)
    for choice in result.choices:
        assert -1 <= choice.interval[0] <= choice.value <= choice.interval[1] <= 1 and choice.line[0] == choice.action
    assert result.action == result.choices[0].action and result.value == pytest.approx(result.choices[0].value)
    behind = mcts(load("tic-tac-toe").position("xx./o../... o"), simulations=2000, seed=1)  # MAX's values, though MIN is to move
    assert all(choice.value > 0.5 for choice in behind.choices if choice.action != behind.action)


def test_a_full_memory_stops_the_tree_and_not_the_search():
    position = load("connect four").start()
    result = mcts(position, simulations=20_000, memory=0.05, solver=False)
    assert result.facts["full"] and result.facts["simulations"] == 20_000
    assert result.nodes <= 0.05 * 2**20 / 32


def test_limits_of_nodes_and_seconds_and_the_stop_flag_end_it():
    position = load("connect four").start()
    assert mcts(position, Limits(nodes=1000)).nodes <= 1000
    assert mcts(position, Limits(seconds=0.05)).seconds < 60  # it ended at all
    stop = threading.Event()
    player = MonteCarlo(position.game)
    results = player.search(position, Limits(seconds=60), stop=stop)
    next(results)
    stop.set()
    assert sum(1 for _ in results) <= 2


def test_the_tree_is_kept_between_moves():
    game = load("connect four")
    player = MonteCarlo(game, seed=1, solver=False)
    position = game.start()
    first = player.best(position, Limits(simulations=20_000))
    for action in first.line[:2]:
        position = position.result(action)
    second = player.best(position, Limits(simulations=100))
    assert visits(second) > 1000 and second.facts["simulations"] == 100
    assert set(second.each("visits")) == set(position.actions())
    # The kept part is whole: children's visits add up to their parent's, but for its own first.
    nodes = player.trees[0].nodes
    for node in nodes[: player.trees[0].used()]:
        if node["first"]:
            below = nodes[node["first"] : node["first"] + node["count"]]["visits"].sum()
            assert below in (node["visits"], node["visits"] - 1)
    elsewhere = game.start().play("1 1 1 1 1 1")
    assert visits(player.best(elsewhere, Limits(simulations=50))) == 50


def test_memory_does_not_grow_over_many_searches(bytes_kept):
    game = load("tic-tac-toe")
    player = MonteCarlo(game, memory=1)
    positions = [game.start().play("b2 a1"[: 2 + 3 * (k % 2)]) for k in range(2)]

    def many():
        for k in range(500):
            player.best(positions[k % 2], Limits(simulations=2))

    many()
    assert bytes_kept(many)[0] < 50_000  # a hundred for each search


# ---------------------------------------------------------------- leaves handed out


def by_playouts(game):
    def evaluate(leaves: Leaves):
        values = np.zeros((len(leaves.states), 2))
        for index, state in enumerate(leaves.states):
            from outplay.game import Position

            values[index] = playouts(Position(game, state.tobytes()), 20, seed=index).means
        return values, None

    return evaluate


def test_leaves_are_handed_out_in_batches():
    game = load("tic-tac-toe")
    position = game.position("xx./oo./... x")
    sizes = []
    inner = by_playouts(game)

    def evaluate(leaves):
        sizes.append(len(leaves.states))
        assert all(1 <= count <= 9 for count in leaves.counts)
        return inner(leaves)

    result = mcts(position, simulations=200, evaluator=evaluate, batch=8, seed=1, solver=False)
    assert position.action_text(result.action) == "c3"
    assert max(sizes) <= 8 and max(sizes) > 1
    assert result.facts["simulations"] == 200


def test_priors_lead_the_search():
    position = load("tic-tac-toe").start()

    def evaluate(leaves):
        priors = np.zeros(leaves.actions.shape)
        for index, count in enumerate(leaves.counts):
            priors[index, :count] = np.where(leaves.actions[index, :count] == 6, 0.92, 0.01)
        return np.zeros((len(leaves.states), 2)), priors

    result = mcts(position, simulations=300, evaluator=evaluate, selection="puct", batch=4)
    assert result.action == 6
    assert result.each("visits")[6] > 150


@pytest.mark.parametrize("name", ["go:size=5", "go:size=5,policy=light"])
def test_a_network_sees_the_board_from_the_side_of_the_player_to_move(name):
    game = load(name)
    texts = (".xo../x.xo./.xo../...../..... o B4 0 9 C4", "...../...../..x../...../....o x")
    states = game.rules.states(2)
    for index, text in enumerate(texts):
        states[index].parse(text)
    seen = planes(game, states)
    rows = ["".join("." if not (mine or theirs) else "m" if mine else "t" for mine, theirs in zip(*lines, strict=True))
            for lines in zip(seen[0, 0], seen[0, 1], strict=True)]
    assert "/".join(rows) == ".tm../t.tm./.tm../...../....."
    assert np.argwhere(seen[0, 2]).tolist() == [[1, 1]]  # the ko
    assert np.argwhere(seen[0, 3]).tolist() == [[1, 2]]  # the last move, C4
    assert not seen[0, 4].any() and not seen[0, 5].any()  # nobody passed, and white is to move
    assert seen[1, 0, 2, 2] == seen[1, 1, 4, 4] == 1 and seen[1].sum() == 2 + 25
    with pytest.raises(Unsuitable, match="tic-tac-toe has none"):
        planes(load("tic-tac-toe"), states)


# ---------------------------------------------------------------- wrong requests


def test_wrong_requests_get_one_line():
    position = load("tic-tac-toe").start()
    with pytest.raises(UnknownName, match="unknown selection 'ucb': did you mean 'ucb1'"):
        mcts(position, selection="ucb")
    with pytest.raises(BadValue, match="rave goes with the selection ucb1, got puct"):
        mcts(position, rave=100, selection="puct")
    with pytest.raises(BadValue, match="threads must be 1 or more, got 0"):
        mcts(position, threads=0)
    with pytest.raises(BadValue, match="memory must be more than 0 megabytes, got 0"):
        mcts(position, memory=0)
    with pytest.raises(Unsuitable, match="solver needs a two-player game without chance"):
        mcts(load("isolation", players=3).start(), solver=True)

    class Coin(Game):
        name = "coin"

        def initial(self):
            return 0

    with pytest.raises(Unsuitable, match="coin is a plain game: use the textbook's mcts"):
        mcts(Coin().start())


def test_a_finished_game_is_worth_what_it_is_worth():
    result = mcts(load("tic-tac-toe").position("xxx/oo./... o"))
    assert result.action is None and result.value == 1.0 and result.exact


def test_the_kernel_runs_uncompiled_too():
    program = (
        "from outplay.game import load; from outplay.engine.montecarlo.mcts import mcts\n"
        "position = load('tic-tac-toe').start().play('a1 b2 a2')\n"
        "print(position.action_text(mcts(position, simulations=200, seed=1).action))\n"
    )
    surroundings = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "error"}
    answer = subprocess.run([sys.executable, "-c", program], env=surroundings, capture_output=True, text=True, check=False)
    assert (answer.stdout, answer.stderr) == ("a3\n", "")


def test_transpositions_share_what_is_known():
    position = load("tic-tac-toe").start()
    plain, shared = (MonteCarlo(position.game, seed=1, transpositions=each).best(position, Limits(simulations=100_000))
                     for each in (False, True))  # fmt: skip
    assert plain.exact and shared.exact and plain.value == shared.value == 0.0
    assert shared.nodes < plain.nodes / 3 and shared.facts["transpositions"] > 0  # 5,478 positions against 549,946 ways
    with pytest.raises(BadValue, match="give threads=1 or parallel=root"):
        MonteCarlo(position.game, transpositions=True, threads=2)


def test_transpositions_do_not_change_what_is_proved():
    game = load("connect four", width=4, height=4)
    source = random.Random(3)
    for _ in range(6):
        position = game.start()
        for _ in range(7):
            if not position.is_terminal():
                position = position.result(source.choice(position.actions()))
        if not position.is_terminal():
            found = MonteCarlo(game, seed=2, transpositions=True).best(position, Limits(simulations=200_000))
            assert found.exact and found.value == solve(position).value


def test_the_line_is_the_one_that_the_visits_decide():
    search = MonteCarlo(load("tic-tac-toe"), seed=3)
    for position, simulations in ((load("tic-tac-toe").start(), 400), (load("tic-tac-toe").start().play("b2 a1"), 3000)):
        search.best(position, Limits(simulations=simulations))
        tree = search.trees[0]
        inner = [node for node in range(tree.used()) if tree.nodes[node]["first"] and tree.nodes[node]["visits"] > 1]
        assert inner
        assert all(tree.most_visited(node) == decide(tree.arms(node)).action for node in inner)
