"""Search with chance: the textbook is the oracle, leaf by leaf."""

import math
import random
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay.engine.frames import chance
from outplay.engine.frames.chance import ChanceSearch
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
    position = load("isolation", width=3, height=2, sloppy=0.4).start().play("a1 c2")
    whole = chance.star2(position, memory=1)
    assert whole.exact
    assert whole.value == pytest.approx(book_star.star2(position).value, abs=1e-9)


def test_a_worse_opponent_is_never_worth_less():
    position = some_tree(77)
    values = [chance.imperfect_opponent(position, skill=skill).value for skill in (1.0, 0.7, 0.3, 0.0)]
    sign = 1 if position.player() <= 0 else -1
    assert [sign * v for v in values] == sorted(sign * v for v in values)
    assert values[0] == pytest.approx(chance.expectiminimax(position).value)


# ---------------------------------------------------------------- an opponent who plays by a distribution


def shy(position):
    """A policy of its own making: each action half as likely as the one before, the last one impossible."""
    actions = position.actions()
    shares = [2.0**-k for k in range(len(actions))]
    if len(shares) > 1:
        shares[-1] = 0.0
    return [(action, share / sum(shares)) for action, share in zip(actions, shares, strict=True)]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_any_policy_of_the_opponent_equals_the_textbooks(seed):
    position = some_tree(seed)
    book = book_expectimax.expectimax(position, model=shy)
    for memory in (0, 0.1):
        mine = chance.expectimax(position, policy=shy, memory=memory)
        assert mine.value == pytest.approx(book.value, abs=1e-9) and mine.action == book.action and mine.exact
    assert chance.expectimax(position, policy=shy).leaves == book.leaves


def test_an_opponent_with_a_temperature_plays_by_its_evaluation():
    position = load("isolation", width=3, height=3, sloppy=0.4).start().play("a1 c3")
    temperature = 0.7

    def model(node):
        scores = [node.result(action).evaluate(node.player()) for action in node.actions()]
        powers = [math.exp((score - max(scores)) / temperature) for score in scores]
        return [(action, power / sum(powers)) for action, power in zip(node.actions(), powers, strict=True)]

    for depth in (1, 2, 3):
        mine = chance.expectimax(position, temperature=temperature, depth=depth)
        book = book_expectimax.expectimax(position, model=model, depth=depth)
        assert mine.value == pytest.approx(book.value, abs=1e-9) and mine.leaves == book.leaves and mine.action == book.action
        by_policy = chance.expectimax(position, policy=model, depth=depth)
        assert by_policy.value == pytest.approx(book.value, abs=1e-9)
    position = load("isolation", width=3, height=3).start().play("a1 c3")
    hot, cold = (chance.expectimax(position, temperature=t, depth=3).value for t in (1e9, 1e-9))
    assert hot == pytest.approx(chance.expectimax(position, depth=3).value)
    assert cold < hot  # one who knows what is good is worth less to the other


def test_any_player_is_a_policy():
    from outplay.players import player
    from outplay.players.policy import policy_of

    position = load("isolation", width=3, height=3).start().play("a1 c3")
    for name in ("random:seed=1", "minimax:depth=2", "mcts:simulations=200"):
        policy = policy_of(player(name))
        listed = dict(policy(position))
        assert sum(listed.values()) == pytest.approx(1) and set(listed) <= set(position.actions())
        assert len(listed) > 1 or name.startswith("minimax")
    mine = chance.expectimax(position, policy=policy_of(player("random")), depth=3)
    assert mine.value == pytest.approx(chance.expectimax(position, depth=3).value)


def test_a_wrong_policy_is_told():
    position = some_tree(77)
    with pytest.raises(BadValue, match=r"add up to 0\.5"):
        chance.expectimax(position, policy=lambda node: [(node.actions()[0], 0.5)])
    with pytest.raises(BadValue, match="expected each legal action once"):
        chance.expectimax(position, policy=lambda node: [(99, 1.0)])
    with pytest.raises(BadValue, match="how the opponent of expectimax plays; star2 takes none"):
        chance.star2(position, policy=shy)
    with pytest.raises(BadValue, match="temperature must be more than 0 points, got 0"):
        chance.expectimax(load("isolation").start(), temperature=0)


def test_the_table_is_kept_and_still_knows_what_an_evaluation_had_a_part_in():
    position = load("isolation", width=4, height=4, sloppy=0.3).start()
    search = ChanceSearch(position.game, memory=1)
    first, second = (search.best(position, Limits(depth=3)) for _ in range(2))
    assert second.nodes < first.nodes / 5
    assert (second.value, second.action, second.exact) == (first.value, first.action, False)


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
