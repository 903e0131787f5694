"""Search trees: every step of a trace, and the pictures of it."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay.game import load
from outplay.players.explaining import explain
from outplay.textbook import ALGORITHMS
from outplay.values import Limits, Step
from outplay.views import tree as pictures
from outplay.views.traces import ROOT, Tree, value_text

LECTURE = load("tree", tree="[[3,12,8],[2,4,6],[14,5,2]]").start()
SVG = "{http://www.w3.org/2000/svg}"

nested = st.recursive(st.integers(-20, 20), lambda inner: st.lists(inner, min_size=1, max_size=3), max_leaves=14).filter(
    lambda tree: isinstance(tree, list)
)


def nodes_of(drawing):
    return [group.get("class").split() for group in ElementTree.fromstring(drawing).iter(SVG + "g")]


def test_the_lectures_tree_has_exactly_two_leaves_struck():
    _, result, tree = explain(LECTURE, "alphabeta")
    assert (result.value, tree.pruned, [tree.name(node) for node in tree.struck()]) == (3.0, 2, ["a2 b2", "a2 b3"])
    assert [tree.worth(node) for node in tree.struck()] == [4.0, 6.0]
    assert len(tree) == 13


def test_windows_change_as_the_lectures_tell():
    _, _, tree = explain(LECTURE, "alphabeta")
    told = [tree.caption(tick) for tick in range(tree.ticks + 1)]
    assert told[:5] == [
        "nothing is searched yet",
        "the root (MAX) is entered with the window [−∞, ∞]",
        "a1 (MIN) is entered with the window [−∞, ∞]",
        "a1 b1 is worth 3: the game is over",
        "a1: beta falls to 3",
    ]
    assert "the root: alpha rises to 3" in told
    assert "a2: 2 <= alpha 3: MAX has something at least as good, so b2, b3 are skipped" in told
    assert told[-1] == "the root returns 3"
    windows = [(tree.state(ROOT, tick).alpha, tree.state(ROOT, tick).beta) for tick in range(1, tree.ticks + 1)]
    assert list(dict.fromkeys(windows)) == [(float("-inf"), float("inf")), (3.0, float("inf"))]


def test_shapes_are_those_of_the_lectures():
    _, result, tree = explain(LECTURE, "minimax")
    kinds = [classes[1] for classes in nodes_of(pictures.draw(tree, line=result.line))]
    assert sorted(kinds) == ["leaf"] * 9 + ["max"] + ["min"] * 3
    chance = load("tree", tree='{"max": [1, {"chance": [[0.5, 8], [0.5, [2, 3]]]}]}').start()
    drawing = pictures.draw(explain(chance, "expectiminimax")[2])
    assert "chance" in [classes[1] for classes in nodes_of(drawing)]
    assert "0.5</text>" in drawing
    three = load("tree", tree=[[[(1, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]]]).start()
    assert "other" in [classes[1] for classes in nodes_of(pictures.draw(explain(three, "maxn")[2]))]


@settings(max_examples=20)
@given(nested)
def test_every_algorithm_can_be_drawn_at_every_step(leaves):
    root = load("tree", tree=leaves).start()
    for name in ("minimax", "alphabeta", "pvs", "mtdf", "expectiminimax", "maxn"):
        _, result, tree = explain(root, name)
        assert tree.latest(ROOT).value in (result.value, (result.value, -result.value))  # max^n counts for both
        shown = nodes_of(pictures.draw(tree, line=result.line))
        assert sum("struck" in classes for classes in shown) == tree.pruned
        for tick in range(0, tree.ticks + 1, 3):
            ElementTree.fromstring(pictures.draw(tree, tick))
            assert tree.caption(tick)


@settings(max_examples=30)
@given(nested)
def test_frames_replayed_to_the_end_show_what_the_picture_shows(leaves):
    root = load("tree", tree=leaves).start()
    tree = explain(root, "alphabeta")[2]
    opened = pictures.default_open(tree)
    last = {}
    for frame in pictures.frames(tree, opened):
        for node, status, value, window in frame["c"]:
            last[node] = (status, value, window)
    for node in pictures.visible(tree, opened):
        state = tree.latest(node)
        assert last[node] == (state.status, pictures.shown_value(tree, node, state), pictures._below_text(tree, node, state))


def test_all_algorithms_of_the_textbook_leave_a_tree():
    roots = [
        load("tic-tac-toe").position("x.o/.o./..x x"),
        load("blind tic-tac-toe").start().play("b2 a1 a3 c1 c3 a2"),
        load("tree", tree=[[(1,), (3,)], [(2,), (0,)]]).start(),
    ]
    for name, algorithm in ALGORITHMS.items():
        if name in ("cfr", "mccfr", "sequence-form"):
            continue  # they go over all information sets again and again, and grow no tree
        root = next(root for root in roots if algorithm.suits(root.game))
        limits = Limits(simulations=30) if name == "mcts" else Limits(depth=2)
        _, _, tree = explain(root, name, limits)
        assert len(tree) > 1 or name in ("minimax-heap",), name
        ElementTree.fromstring(pictures.draw(tree))
        for tick in range(tree.ticks + 1):
            assert "\n" not in tree.caption(tick)


def test_monte_carlo_grows_by_one_node_a_simulation():
    root = load("tic-tac-toe").start()
    _, _, tree = explain(root, "mcts", Limits(simulations=40))
    assert len(tree.iterations) == 40
    for number, tick in enumerate(tree.iterations, start=1):
        assert tree.state(ROOT, tick).visits == number
        assert sum(tree.state(node, tick).visits is not None for node in range(len(tree))) == number + 1
    selecting = next(tick for tick in range(tree.ticks + 1) if tree.bonus(tick))
    assert set(tree.bonus(selecting)) == set(tree.below(ROOT))
    assert tree.caption(selecting).startswith("select at the root by UCB1: ")
    assert "↑" in pictures.draw(tree, selecting)


def test_a_large_tree_shows_its_top_and_the_principal_line():
    steps = [Step("enter", (), "max")]
    for a in range(100):
        steps.append(Step("enter", (a,), "min"))
        steps += [Step("leaf", (a, b), "max", value=float(a)) for b in range(100)]
        steps.append(Step("leave", (a,), "min", value=float(a)))
    tree = Tree([*steps, Step("leave", (), "max", value=99.0)])
    opened = pictures.default_open(tree, (99, 0))
    assert set(tree.follow((99, 0))[:-1]) <= opened
    assert len(pictures.visible(tree, opened)) <= pictures.MOST_WHOLE < len(tree)
    drawing = pictures.draw(tree, None, opened, (99, 0))
    assert len(drawing) < 200_000 and "+100" in drawing
    assert "99" in [text.text for text in ElementTree.fromstring(drawing).iter(SVG + "text")]


def test_a_node_searched_again_is_no_longer_struck():
    steps = [
        Step("enter", (), "max"), Step("cut", (), "max", skipped=(0, 1), reason="why"), Step("enter", (), "max"),
        Step("enter", (0,), "min"), Step("leaf", (0,), "min", value=1.0), Step("leave", (), "max", value=1.0),
    ]  # fmt: skip
    tree = Tree(steps)
    assert tree.pruned == 1
    assert [tree.state(1, tick).status for tick in (1, 2, 4)] == ["unseen", "struck", "leaf"]


def test_a_page_stands_alone():
    _, result, tree = explain(LECTURE, "alphabeta")
    page = pictures.page(tree, title='a <b> & "c"', facts="f</script>", line=result.line)
    assert not re.search(r"(href|src)=|url\(|https?://(?!www\.w3\.org/2000/svg)", page)
    assert "a &lt;b&gt; &amp;" in page and "f&lt;/script&gt;" in page
    assert page.count("</script>") == 2


def test_an_actions_name_never_breaks_the_page():
    """After `<!--<script>` a browser does not end the script at its end tag: the stepper was dead."""
    start = load("tree", tree='{"player": 0, "actions": {"<!--<script>": 3, "b": 1}}').start()
    _, result, tree = explain(start, "minimax")
    page = pictures.page(tree, title="odd", facts="", line=result.line)
    assert "<!--<script>" not in page and "\\u003c!--\\u003cscript>" in page


@pytest.mark.parametrize(("value", "text"), [(3.0, "3"), (-0.0, "0"), (0.123456, "0.1235"), (-1e9, "−1e+09")])
def test_values_are_short(value, text):
    assert value_text(value) == text


def test_a_plan_has_boxes_with_worlds_and_an_arc_over_the_outcomes():
    _, result, tree = explain(load("vacuum world", erratic=True).start(), "and-or")
    drawing = pictures.draw(tree, line=result.line)
    assert drawing.count('class="arc"') == 1  # only suck in ** a can turn out in two ways
    assert drawing.count('class="node or') == 16 and drawing.count('class="node and') == 14
    assert tree.caption(1) == "OR: {** a}: one action that works is enough"
    assert {tree.short_name(node) for node in tree.solution() if tree.kind[node] == "and"} == {
        "suck in {** a}", "right in {.* a}", "suck in {.* b}"}  # fmt: skip
    ElementTree.fromstring(drawing)


def test_a_belief_is_a_box_with_all_its_worlds():
    _, _, tree = explain(load("vacuum world", sensors="none").start(), "belief")
    assert len(tree.worlds(0)) == 6 and tree.position(0) is None
    assert pictures.draw(tree, 0, opened=()).count("<use class=") == 6
    assert tree.caption(tree.ticks).endswith("a plan, left works")


def test_a_way_shows_cost_estimate_and_their_sum():
    _, result, tree = explain(load("grid", map="....../.S#.G./......").start(), "a-star")
    assert tree.is_walk and tree.caption(1) == "the root is reached: g = 0, h = 3, f = 3"
    goal = tree.follow(result.line)[-1]
    assert pictures.way_text(tree, goal) == f"{result.facts['cost']:g}+0={result.facts['cost']:g}"
    assert 'class="node way' in pictures.draw(tree, line=result.line)


def test_a_search_for_a_way_speaks_of_costs():
    """The cost of the way stands at every node of it; nobody makes the best of costs as of utilities."""
    position = load("grid").start()
    _, _, tree = explain(position, "ida-star")
    said = [tree.caption(tick) for tick in range(tree.ticks + 1)]
    assert said[1].startswith("the root is reached: g = 0, h = ")
    assert said[-1] == "the root: the goal lies this way, at a cost of 29"
    assert not any("best so far" in each or "returns" in each for each in said)


def test_a_tree_of_eighty_nodes_is_drawn_so_that_it_can_be_read():
    leaves = [[[[(5 * a + 7 * b + 3 * c + d) % 19 for d in range(3)] for c in range(3)] for b in range(3)] for a in range(2)]
    tree = explain(load("tree", tree=leaves).start(), "minimax")[2]
    drawing = ElementTree.fromstring(pictures.draw(tree))
    assert len(tree) == 81 and float(drawing.get("width")) < 1100  # on a screen letters stay as large as they are
    boxes = []
    for group in drawing.iter(SVG + "g"):
        x, y = map(float, re.findall(r"-?[\d.]+", group.get("transform")))
        for text in group.iter(SVG + "text"):
            if text.text:
                half = 3.3 * len(text.text)
                across, down = x + float(text.get("x")), y + float(text.get("y"))
                boxes.append((across - half, across + half, down - 9, down))
    assert len(boxes) > 150
    for number, (left, right, top, bottom) in enumerate(boxes):
        for other in boxes[number + 1 :]:
            assert right <= other[0] or other[1] <= left or bottom <= other[2] or other[3] <= top
    frames = pictures.frames(tree, pictures.default_open(tree))
    assert frames[-1]["c"]
