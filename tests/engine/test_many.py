"""Search with many players: the textbook is the oracle."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay.engine.frames import many
from outplay.engine.frames.many import ManySearch
from outplay.engine.registry import make
from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.game import load
from outplay.textbook import maxn as book_maxn
from outplay.textbook import paranoid as book_paranoid
from outplay.values import Limits


def some_tree(seed, players=3):
    """A random tree whose leaves add up to nine."""
    source = random.Random(seed)

    def node(left):
        if left == 0 or (left < 4 and source.random() < 0.1):
            first = source.randint(0, 9)
            second = source.randint(0, 9 - first)
            return (first, second, 9 - first - second)
        return [node(left - 1) for _ in range(source.randint(2, 3))]

    return load("tree", tree=node(4)).start()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000))
def test_max_n_and_paranoid_equal_the_textbook(seed):
    position = some_tree(seed)
    plain, book = many.maxn(position, prune=False), book_maxn.maxn(position)
    assert (plain.value, plain.action, plain.line, plain.leaves) == (book.value, book.action, book.line, book.leaves)
    pruned, book = many.maxn(position, total=9, least=0), book_maxn.maxn(position, prune=True, total=9, least=0)
    assert (pruned.value, pruned.action, pruned.leaves) == (plain.value, plain.action, book.leaves)
    mine, book = many.paranoid(position), book_paranoid.paranoid(position)
    assert (mine.value, mine.action, mine.leaves) == (book.value, book.action, book.leaves)


def best_reply_by_definition(position, me, left, answered=False):
    """My value when one of the others chooses freely, and the rest play their first action: plain Python, no pruning."""
    if position.is_terminal() or left == 0:
        return position.utility(me)
    if position.player() == me:
        return max(best_reply_by_definition(position.result(action), me, left - 1) for action in position.actions())
    first, *rest = position.actions()
    values = [best_reply_by_definition(position.result(first), me, left - 1, answered)]
    if not answered:
        values += [best_reply_by_definition(position.result(action), me, left - 1, True) for action in rest]
    return min(values)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_best_reply_by_its_definition(seed):
    position = some_tree(seed)
    mine = many.best_reply(position)
    assert mine.value[0] == best_reply_by_definition(position, 0, 100)
    assert many.paranoid(position).value[0] <= mine.value[0]  # fewer answers cannot hurt me


def test_three_player_isolation():
    position = load("isolation", width=3, height=2, players=3).start()
    book = book_maxn.maxn(position)
    for prune in (False, True):
        result = many.maxn(position, prune=prune)
        assert result.value == book.value and result.exact
    assert many.maxn(position, prune=True).leaves < book.leaves
    assert many.paranoid(position).value[0] == book_paranoid.paranoid(position).value[0]


def test_two_players_are_a_special_case():
    from outplay.textbook.alphabeta import alphabeta

    position = load("tic-tac-toe").position("xo./.x./..o x")
    for algorithm in (many.maxn, many.paranoid, many.best_reply):
        assert algorithm(position).value == alphabeta(position).value


def test_depths_follow_one_another():
    position = load("isolation", width=4, height=4, players=3).start()
    search = ManySearch(position.game, algorithm="best-reply")
    results = list(search.search(position, Limits(nodes=20_000)))
    assert [result.depth for result in results] == list(range(1, len(results) + 1)) and results[-1].nodes <= 20_000


def test_wrong_requests_get_one_line():
    with pytest.raises(UnknownName, match="unknown algorithm 'paranoia': did you mean 'paranoid'"):
        ManySearch(load("isolation", players=3), algorithm="paranoia")
    with pytest.raises(BadValue, match="was promised leaves"):
        many.maxn(some_tree(5), total=5, least=0)
    with pytest.raises(Unsuitable, match="needs a constant-sum game"):
        many.maxn(load("tree", tree=[[(1, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]]).start(), prune=True)


def test_three_players_share_a_constant_sum():
    """Korf's own example: cut-offs without an evaluation must not break the promise that pruning rests on."""
    position = load("tree", tree="[[(3,3,3),(4,2,3)],[(1,7,1),(6,1,2),(0,0,9)]]").start()
    for limits in (Limits(), Limits(depth=1), Limits(depth=5), Limits(nodes=3), Limits(seconds=1.0)):
        *_, result = make("maxn", position.game).search(position, limits)
        if result.exact:
            assert result.value == (3.0, 3.0, 3.0) and position.action_text(result.action) == "a1"
        else:
            assert sum(result.value) == pytest.approx(9.0)
