"""Explicit trees: the lectures' figures, every way to write a tree, and what is refused."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.conformance import check_game
from outplay.errors import BadNotation, BadValue, IllegalAction, OutplayError
from outplay.game import load
from tests.games.oracles import assert_only_clear_errors, assert_playthrough, garbage


def value(position):
    """The vector of a position's value when everyone plays best: minimax, expectiminimax and max^n in one."""
    if position.is_terminal():
        return position.utilities()
    children = [value(position.result(action)) for action in position.actions()]
    if position.is_chance():
        weights = [probability for _, probability in position.chances()]
        return tuple(math.fsum(w * v[p] for w, v in zip(weights, children, strict=True)) for p in range(len(children[0])))
    return max(children, key=lambda vector: vector[position.player()])


THREE = [[(1, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]]
RISK = {"max": {"sure": 10, "risk": {"chance": [["3/10", 9], [0.7, 100]]}}}


@pytest.mark.parametrize("tree", [
    "[[3,12,8],[2,4,6],[14,5,2]]",
    '{"max":[{"chance":[[0.5,[3,-4]],[0.5,{"min":[1,2]}]]},0]}',
])
def test_it_keeps_its_promises(tree):
    check_game(load("tree", tree=tree), games=30)


@pytest.mark.parametrize("tree", [THREE, RISK, 5, [[[7]]], {"leaf": 3}, {"leaf": [1, 2]}, [list(range(60)), [1]]])
def test_it_keeps_its_promises_uncompiled(tree):
    check_game(load("tree", tree=tree, compiled=False), games=6)


def test_the_lectures_figures():
    assert value(load("tree").start()) == (3, -3)
    assert value(load("tree", tree={"chance": [["1/2", 8], ["1/3", 24], ["1/6", -12]]}).start())[0] == pytest.approx(10)
    risk = load("tree", tree=RISK).start()
    assert value(risk)[0] == pytest.approx(72.7)
    assert [risk.action_text(action) for action in risk.actions()] == ["sure", "risk"]
    # The same with an opponent who chooses instead of chance: the sure thing.
    assert value(load("tree", tree={"max": {"sure": 10, "risk": {"min": [9, 100]}}}).start()) == (10, -10)
    assert value(load("tree", tree=THREE).start()) == (7, 4, 1)


def test_traits_come_from_the_tree():
    traits = load("tree").traits
    assert (traits.players, traits.chance, traits.sum, traits.bounds) == (2, False, "zero", (-14, 14))
    assert load("tree", tree=RISK).traits.chance
    three = load("tree", tree=THREE).traits
    assert (three.players, three.sum, three.total, three.bounds) == (3, "general", None, (1, 7))
    shared = load("tree", tree=[(0.25, 0.75), (1, 0)]).traits
    assert (shared.players, shared.sum, shared.total) == (2, "constant", 1)
    alone = load("tree", tree={"player": 0, "actions": {"a": (3,), "b": (5,)}}).traits
    assert (alone.players, alone.sum) == (1, "general")


def test_who_moves():
    def players(tree, path):
        position = load("tree", tree=tree).start()
        found = [position.player()]
        for action in path.split():
            position = position.play(action)
            found.append(position.player())
        return found

    assert players([[[1, 2]]], "a1 b1") == [0, 1, 0]
    assert players({"min": [[1]]}, "a1") == [1, 0]
    assert players({"max": [{"max": [[1]]}]}, "a1 b1") == [0, 0, 1]
    assert players([{"chance": [[1, [5]]]}], "a1 b1") == [0, -1, 1]  # chance takes nobody's turn
    assert players([[[[(1, 2, 3)]]]], "a1 b1 c1") == [0, 1, 2, 0]
    assert players({"player": 2, "actions": [[(1, 2, 3)]]}, "a1") == [2, 0]


def test_all_ways_to_write_one_tree():
    written = ["[[3,12],[2,4]]", "[[3, 12], [2, 4]]", [[3, 12], [2, 4]], "[[3,12],[2,4],]"]
    games = {load("tree", tree=tree) for tree in written}
    assert len(games) == 1
    (game,) = games
    assert load(game.name) is game
    assert load("tree:tree=[[3,12],[2,4]]") is game
    named = load("tree", tree=RISK)
    assert load(named.name) is named and eval(repr(named.start().play("risk")), {"load": load}) == named.start().play("risk")


def test_positions_are_paths():
    game = load("tree")
    assert game.start().text() == "root"
    assert game.position("a3 b1").utilities() == (14, -14)
    assert game.start().play("a3").play("b1") == game.position("a3 b1")
    deep = load("tree", tree="[" * 60 + "1" + "]" * 60, compiled=False)
    assert deep.start().play(["a1", "b1"]).text() == "a1 b1"
    end = deep.start()
    while not end.is_terminal():
        end = end.result(0)
    assert end.text().split()[24:28] == ["y1", "z1", "aa1", "ab1"] and end.text().endswith("az1 ba1 bb1 bc1 bd1 be1 bf1 bg1 bh1")
    assert deep.position(end.text()) == end
    with pytest.raises(BadNotation, match="after 'a1' expected b1 or b2 or b3, got 'b4'"):
        game.position("a1 b4")
    with pytest.raises(BadNotation, match="after 'a1 b1' expected nothing more, got 'c1'"):
        game.position("a1 b1 c1")
    with pytest.raises(IllegalAction, match="illegal action 'a4' in root: legal are a1 a2 a3"):
        game.start().play("a4")


def test_trees_of_one_size_share_their_compiled_code():
    def layout(tree):
        return load("tree", tree=tree).rules.layout.descr

    assert layout([[1, 2], [3, 4]]) == layout([[5], [6, 7, 8]])
    assert layout([[1, 2], [3, 4]]) != layout([[1, 2], {"chance": [[1, 4]]}])
    with pytest.raises(BadValue, match="at most 16384 nodes, got 20001"):
        load("tree", tree=[0] * 20000)


@pytest.mark.parametrize(("tree", "why"), [
    ("", "expected nested lists"),
    ("[", "expected nested lists"),
    ("import os", "expected nested lists"),
    ("[[]]", "at least one subtree"),
    ("{}", "expected nested lists"),
    ('{"maxx":[1]}', "expected nested lists"),
    ('{"max":[1],"min":[2]}', "expected nested lists"),
    ('{"max":3}', "at least one subtree"),
    ('{"player":2,"actions":[1]}', "from 0 to 1, got 2"),
    ('{"max":[(1,2,3)]}', "this tree has 3"),
    ("[true]", "a leaf must be a number, got True"),
    ("[NaN]", "a leaf must be a number, got nan"),
    ("[1e999]", "a leaf must be a number, got inf"),
    ('["x"]', "a leaf must be a number, got 'x'"),
    ("[null]", "a leaf must be a number, got None"),
    ("[1,(1,2)]", "same number of utilities"),
    ("[(1,2,3),(1,2)]", "same number of utilities"),
    ('{"chance":[[0.5,1]]}', "must sum to 1, got 0.5"),
    ('{"chance":[[1.5,1],[-0.5,1]]}', "must sum to 1"),
    ('{"chance":[["1/0",1]]}', "pair"),
    ('{"chance":[1,2]}', "pair"),
    ('{"max":{"two words":1}}', "without spaces and commas"),
    ('{"max":{"a,b=1":1}}', "without spaces and commas"),
    ("[" * 5000 + "]" * 5000, "nested too deeply"),
])
def test_wrong_trees_are_refused(tree, why):
    with pytest.raises(BadValue, match=why) as caught:
        load("tree", tree=tree)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300


def nested(leaf):
    return st.recursive(leaf, lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=12)


@given(nested(st.integers(-50, 50)))
def test_values_of_any_nested_lists(tree):
    def minimax(node, best=max, other=min):
        return best(minimax(child, other, best) for child in node) if isinstance(node, list) else node

    game = load("tree", tree=tree, compiled=False)
    assert value(game.start())[0] == minimax(tree)


odd_leaves = nested(st.none() | st.floats() | st.text(max_size=3)).map(json.dumps)


@given(st.text(max_size=30) | garbage('[]{}(),"0123456789.-:maxinchceplyr ') | odd_leaves)
def test_no_text_crashes_the_reader(text):
    try:
        load("tree", tree=text)
    except OutplayError as problem:
        assert "\n" not in str(problem)


@given(garbage("abcd123 root"))
def test_garbage(text):
    assert_only_clear_errors(load("tree", compiled=False), text)


def test_the_playthrough():
    assert_playthrough(load("tree", tree={"max": {"sure": 10, "risk": {"chance": [["3/10", [9, 8]], [0.7, [100, 20]]]}}}), "tree")


def test_the_picture_shows_the_subtrees():
    picture = load("tree", tree=[3, [1, 2], {"chance": [[1, 5]]}]).start().picture()
    children = [picture.nodes[spot] for (spot,) in picture.touches.values()]
    assert [(node.kind, node.label) for node in children] == [("box", "3"), ("min", ""), ("circle", "")]
    assert [picture.labels[0, spot] for (spot,) in picture.touches.values()] == ["a1", "a2", "a3"]
