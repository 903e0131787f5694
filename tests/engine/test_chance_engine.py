"""Search with chance: the textbook is the oracle, leaf by leaf."""

import random
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay.engine import chance
from outplay.engine.chance import ChanceSearch
from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.game import load
from outplay.textbook import expectimax as book_expectimax
from outplay.textbook import expectiminimax as book_expectiminimax
from outplay.textbook import opponent as book_opponent
from outplay.textbook import star as book_star
from outplay.values import Limits


def some_tree(seed, depth=3):
    """A random tree of MAX, MIN and chance nodes with leaves from -10 to 10."""
    source = random.Random(seed)

    def node(left, kind):
        if left == 0 or (left < depth and source.random() < 0.15):
            return source.randint(-10, 10)
        if kind == "chance":
            shares = [source.randint(1, 5) for _ in range(source.randint(2, 3))]
            return {"chance": [[f"{share}/{sum(shares)}", node(left - 1, source.choice(["max", "min"]))] for share in shares]}
        return {kind: [node(left - 1, source.choice(["chance", "min", "max"])) for _ in range(source.randint(2, 3))]}

    import json

    return load("tree", tree=json.dumps(node(depth, source.choice(["max", "min", "chance"])))).start()


PAIRS = [
    (chance.expectiminimax, book_expectiminimax.expectiminimax),
    (chance.star1, book_star.star1),
    (chance.star2, book_star.star2),
    (chance.expectimax, book_expectimax.expectimax),
    (chance.imperfect_opponent, book_opponent.imperfect_opponent),
]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000))
def test_every_algorithm_equals_the_textbook_on_random_trees(seed):
    position = some_tree(seed)
    for ours, book in PAIRS:
        mine, theirs = ours(position), book(position)
        assert mine.value == pytest.approx(theirs.value, abs=1e-9)
        assert mine.action == theirs.action
        if ours in (chance.expectiminimax, chance.expectimax, chance.star1):
            assert mine.leaves == theirs.leaves and mine.nodes == theirs.nodes
        assert mine.exact


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_table_and_order_change_no_value(seed):
    position = some_tree(seed, depth=4)
    plain = chance.expectiminimax(position)
    for algorithm in ("expectiminimax", "star1", "star2"):
        result = ChanceSearch(position.game, algorithm=algorithm, memory=0.01).best(position)
        assert result.value == pytest.approx(plain.value, abs=1e-9)
        assert result.leaves <= plain.leaves or algorithm == "star2"


def test_sloppy_isolation_to_a_depth_and_to_the_end():
    position = load("isolation", width=3, height=3, sloppy=0.4).start().play("a1 c3")
    for depth in (1, 2, 3):
        theirs = book_expectiminimax.expectiminimax(position, depth=depth)
        for algorithm in (chance.expectiminimax, chance.star1, chance.star2):
            mine = algorithm(position, depth=depth)
            assert mine.value == pytest.approx(theirs.value, abs=1e-6) and not mine.exact
    whole = chance.star2(position, memory=1)
    assert whole.exact
    assert whole.value == pytest.approx(book_star.star2(position).value, abs=1e-9)


def test_a_worse_opponent_is_never_worth_less():
    position = some_tree(77)
    values = [chance.imperfect_opponent(position, skill=skill).value for skill in (1.0, 0.7, 0.3, 0.0)]
    sign = 1 if position.player() <= 0 else -1
    assert [sign * v for v in values] == sorted(sign * v for v in values)
    assert values[0] == pytest.approx(chance.expectiminimax(position).value)


def test_depths_follow_one_another_until_a_limit():
    position = load("isolation", width=4, height=4, sloppy=0.3).start()
    search = ChanceSearch(position.game)
    depths = [result.depth for result in search.search(position, Limits(nodes=30_000))]
    assert depths == list(range(1, len(depths) + 1)) and len(depths) >= 2
    assert search.best(position, Limits(nodes=30_000)).nodes <= 30_000
    stop = threading.Event()
    stop.set()
    stopped = search.best(position, Limits(depth=50), stop=stop)
    assert stopped.action in position.actions() and not stopped.exact


def test_wrong_requests_get_one_line():
    game = load("isolation", sloppy=0.3)
    with pytest.raises(UnknownName, match="unknown algorithm 'star3': did you mean"):
        ChanceSearch(game, algorithm="star3")
    with pytest.raises(BadValue, match="skill must be a probability from 0 to 1, got 2"):
        chance.imperfect_opponent(game.start(), skill=2)
    with pytest.raises(BadValue, match=r"needs values from -0.5 to 0.5"):
        chance.star1(some_tree(3), bounds=(-0.5, 0.5))
    with pytest.raises(Unsuitable, match="has 3 players"):
        chance.star2(load("isolation", players=3).start())
