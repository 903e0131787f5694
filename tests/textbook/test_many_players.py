"""Max^n with and without pruning, and paranoid search: worked vectors, and properties on drawn trees."""

import pytest
from hypothesis import given

from outplay.errors import BadValue, Unsuitable
from outplay.game import load
from outplay.textbook.expectiminimax import expectiminimax
from outplay.textbook.maxn import maxn
from outplay.textbook.paranoid import paranoid
from tests.textbook.chance_trees import Tree, free_trees, full_shared_trees, leaf, shared_trees, zero_sum_trees

THREE_PLAYERS = [[[(3, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]], [[(5, 1, 1), (0, 5, 2)], [(7, 7, 1), (5, 4, 5)]]]


def plain_vectors(state, players):
    """Max^n straight on the nested tuples: the oracle."""
    if state[0] == "leaf":
        return state[1]
    if state[0] == "chance":
        parts = [(p, plain_vectors(child, players)) for p, child in state[1:]]
        return tuple(sum(p * vector[i] for p, vector in parts) for i in range(players))
    return max((plain_vectors(child, players) for child in state[1:]), key=lambda vector: vector[state[0]])


def worst_case(state, me):
    """What player `me` is sure of."""
    if state[0] == "leaf":
        return state[1][me]
    if state[0] == "chance":
        return sum(p * worst_case(child, me) for p, child in state[1:])
    return (max if state[0] == me else min)(worst_case(child, me) for child in state[1:])


def test_three_players():
    position = load("tree", tree=THREE_PLAYERS).start()
    result = maxn(position)
    assert result.value == (3.0, 2.0, 6.0) and result.leaves == 8
    assert position.play(" ".join(("a1", "b1", "c1"))).utilities() == (3.0, 2.0, 6.0) and result.line == (0, 0, 0)


def test_a_known_sum_prunes():
    """The lecture's tree for three players with a sum of ten: what is cut cannot matter, so anything may stand there."""
    for unseen in ((2, 5, 3), (9, 0, 1)):
        tree = [[(4, 3, 3), (5, 2, 3)], [(1, 6, 3), unseen]]
        pruned = maxn(load("tree", tree=tree).start(), prune=True, trace=True)
        assert (pruned.value, pruned.leaves, pruned.facts["cuts"]) == ((4.0, 3.0, 3.0), 3, 1)
        cut = next(step for step in pruned.trace if step.event == "cut")
        assert (cut.path, cut.skipped) == ((1,), (1,))


def test_immediate_pruning():
    tree = [[(0, 10, 0), (5, 5, 0)], [(10, 0, 0), (1, 1, 8)]]
    pruned = maxn(load("tree", tree=tree).start(), prune=True)
    assert pruned.leaves == 3  # player 1 has all ten, then 0 of them on the right


def test_a_bound_on_the_sum_will_do():
    """Utilities that need not add up: the user promises that nobody ever shares more than ten."""
    position = load("tree", tree=[[(4, 3, 2), (5, 2, 3)], [(1, 7, 1), (9, 0, 1)]]).start()
    with pytest.raises(Unsuitable, match=r"^maxn with pruning needs a constant-sum game; .*: use maxn without, or give it a total"):
        maxn(position, prune=True)
    assert maxn(position, prune=True, total=10, least=0).leaves == 3
    with pytest.raises(BadValue, match=r"promised leaves of at least 0 each and 8 together, got 4, 3, 2"):
        maxn(position, prune=True, total=8, least=0)


def test_paranoid_and_maxn_differ():
    position = load("tree", tree=[[(6, 5, 1), (0, 3, 9)], [(4, 4, 4), (5, 5, 2)]]).start()
    assert (maxn(position).action, paranoid(position).action) == (0, 1)


def test_depth():
    position = load("tree", tree=THREE_PLAYERS).start()

    def count_down(position, player):
        return float(player)

    result = maxn(position, depth=2, evaluate=count_down)
    assert (result.value, result.exact, result.leaves, result.depth) == ((0.0, 1.0, 2.0), False, 4, 2)
    assert paranoid(position, depth=2, evaluate=count_down).value == (0.0, 1.0, 2.0)


@given(free_trees())
def test_maxn_is_its_definition(game):
    assert maxn(game.start()).value == pytest.approx(plain_vectors(game.root, game.players), abs=1e-9)


@given(shared_trees())
def test_pruning_changes_nothing(game):
    full, pruned = maxn(game.start()), maxn(game.start(), prune=True)
    assert pruned.value == full.value and pruned.line == full.line
    assert pruned.leaves <= full.leaves


@given(full_shared_trees())
def test_pruning_changes_nothing_in_full_trees(game):
    full, pruned = maxn(game.start()), maxn(game.start(), prune=True)
    assert pruned.value == full.value and pruned.line == full.line
    assert pruned.leaves <= full.leaves


@given(shared_trees(players=4, with_chance=True, deepest=3))
def test_pruning_changes_nothing_with_chance(game):
    full, pruned = maxn(game.start()), maxn(game.start(), prune=True)
    assert pruned.value == pytest.approx(full.value, abs=1e-9) and pruned.leaves <= full.leaves


@given(free_trees())
def test_paranoid_is_the_worst_case(game):
    me = 0 if game.root[0] == "chance" else game.root[0]
    sure = paranoid(game.start()).value[me]
    assert sure == pytest.approx(worst_case(game.root, me), abs=1e-9)
    assert sure <= maxn(game.start()).value[me] + 1e-9  # each for itself cannot hurt more than all against one


@given(zero_sum_trees())
def test_two_players_are_the_old_game(game):
    value = expectiminimax(game.start()).value
    for search in (maxn, paranoid):
        assert search(game.start()).value == pytest.approx(value, abs=1e-9)
    assert maxn(game.start(), prune=True).value == pytest.approx(value, abs=1e-9)


def test_hidden_games_are_refused():
    class Veiled(Tree):
        def observe(self, state, player):
            return state

    for search in (maxn, paranoid):
        refusal = f"^{search.__name__} needs a game with perfect information; .* hides information: use deals$"
        with pytest.raises(Unsuitable, match=refusal):
            search(Veiled((0, leaf(1, 2, 3)), players=3, total=None).start())
