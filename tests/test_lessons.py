"""Exercises: each is drawn, answered rightly, and told wrong answers; the notes' code runs as printed."""

import pytest

from outplay.errors import BadValue, UnknownName
from outplay.lessons import exercises
from outplay.lessons.notes import GameState

ALL = [(topic, number) for topic in exercises.topics() for number in range(exercises.many(topic))]


@pytest.mark.parametrize(("topic", "number"), ALL)
def test_an_exercise_accepts_its_answer_and_hints_at_mistakes(topic, number):
    drawn = [exercises.draw(topic, number, seed) for seed in range(12)]
    assert len({(each.question, each.tree, each.table, each.answer) for each in drawn}) > 1  # drawn anew
    for each in drawn:
        assert exercises.check(each, each.answer).is_right
        assert each.question and each.solution and each.hint
        for wrong, hint in each.mistakes.items():
            assert exercises.check(each, wrong).hint == hint
        if each.choices:
            assert each.answer in each.choices and len(set(each.choices)) == len(each.choices) > 1
            assert all(wrong in each.choices for wrong in each.mistakes)
            assert not any(exercises.check(each, choice).is_right for choice in each.choices if choice != each.answer)
        if each.tree:
            exercises.searched(each.tree, each.algorithm)
        if not each.choices and not each.picks:
            assert not exercises.check(each, str(float(each.answer) + 100 + 2 * each.tolerance)).is_right


def test_answers_stand_at_every_place():
    places = {each.choices.index(each.answer) for each in (exercises.draw("minimax", 1, seed) for seed in range(20))}
    assert places == {0, 1, 2}


def test_leaves_are_picked_by_their_names():
    each = exercises.draw("alphabeta", 0, seed=1)
    names = each.answer.split(", ")
    assert exercises.check(each, ",".join(reversed(names))).is_right
    assert not exercises.check(each, ", ".join([*names, "a1 b1"])).is_right
    assert not exercises.check(each, "").is_right


@pytest.mark.parametrize("text", ["1,000", "1000", "1000.0", "10^3", "2000/2"])
def test_numbers_as_people_write_them(text):
    asked = exercises.Exercise("?", "1000", "so", "look")
    assert exercises.check(asked, text).is_right


@pytest.mark.parametrize("text", ["", "a", "1/0", "1e999", "nan", "--1", "9^9999"])
def test_what_is_no_number_is_told(text):
    assert exercises.check(exercises.Exercise("?", "1000", "so", "look"), text).hint.startswith("expected a number")


def test_what_there_is_not():
    with pytest.raises(UnknownName, match="did you mean 'minimax'"):
        exercises.draw("minimaxx", 0, 0)
    with pytest.raises(BadValue, match="has exercises 0 to 3, got 9"):
        exercises.draw("minimax", 9, 0)


def test_the_notes_code_runs_as_printed():
    player_id = 0

    def my_moves(gameState):  # as the notes have it
        loc = gameState._player_locations[player_id]
        return len(gameState.liberties(loc))

    def minimax_decision(gameState, depth):
        best_score = float("-inf")
        best_move = None
        for a in gameState.actions():
            v = min_value(gameState.result(a), depth - 1)
            if v > best_score:
                best_score = v
                best_move = a
        return best_move

    def min_value(gameState, depth):
        if gameState.terminal_test():
            return gameState.utility(0)
        if depth <= 0:
            return my_moves(gameState)
        v = float("inf")
        for a in gameState.actions():
            v = min(v, max_value(gameState.result(a), depth - 1))
        return v

    def max_value(gameState, depth):
        if gameState.terminal_test():
            return gameState.utility(0)
        if depth <= 0:
            return my_moves(gameState)
        v = float("-inf")
        for a in gameState.actions():
            v = max(v, min_value(gameState.result(a), depth - 1))
        return v

    state = GameState(3, 2).result((0, 0)).result((2, 1))
    assert minimax_decision(state, 2) in state.actions()
    assert max_value(GameState(3, 2), 6) == -1  # the second player wins on 2 x 3
    with pytest.raises(BadValue, match="expected one of"):
        state.result((9, 9))


def test_liberties_are_the_moves():
    state = GameState(4, 4)
    while not state.terminal_test():
        loc = state._player_locations[state.player()]
        assert sorted(state.actions()) == state.liberties(loc)
        state = state.result(state.actions()[len(state.actions()) // 2])
    assert state.utility(0) == -state.utility(1)


def test_iterative_deepening_is_stepped_depth_by_depth():
    from outplay.game import load
    from outplay.players.explaining import explain
    from outplay.values import Limits

    position = load("tic-tac-toe").position("x.o/.o./..x x")
    _, result, tree = explain(position, "iterative-deepening", Limits(depth=3))
    begins = [tick for tick in range(1, tree.ticks + 1) if tree.word(tick) == "deepen"]
    assert [tree.caption(tick) for tick in begins] == [f"depth {depth} begins" for depth in (1, 2, 3)] or len(begins) == 3
    seen = [max(tree.depth[node] for node in range(len(tree)) if tree.state(node, tick).status != "unseen")
            for tick in [*(begin - 1 for begin in begins[1:]), tree.ticks]]  # fmt: skip
    assert seen == [1, 2, 3] and result.depth == 3


def test_settling_ends_deepening_and_says_so():
    from outplay.game import load
    from outplay.textbook.deepening import deepen
    from outplay.values import Limits

    position = load("uniform tree", branching=2, depth=8, order="best").start()
    level = deepen(position, limits=Limits(depth=6), evaluate=lambda position, player: 1.0, settled=0)
    assert level.depth == 3 and level.facts["settled"]
    rising = deepen(position, limits=Limits(depth=6), evaluate=lambda position, player: float(len(position.text())), settled=0)
    assert rising.depth >= level.depth


def test_the_engines_minimax_visits_every_node_once():
    import outplay

    assert outplay.best(outplay.load("tic-tac-toe").start(), "engine:minimax", depth=9).nodes == 549_946
    found = outplay.best(outplay.load("tic-tac-toe").start(), "engine:minimax", depth=3)
    assert found.nodes == 1 + 9 + 72 + 504


def test_a_map_with_a_colour_given():
    from outplay.csp.files import read
    from outplay.errors import BadNotation

    text = "map\ncolours: red green blue\n{}\nWA: NT SA\nNT: Q SA\nQ: NSW SA\nNSW: V SA\nV: SA\nSA:\nT:"
    assert read(text.format("SA = blue")).model.count() == 6
    assert read(text.format("SA = blue").removeprefix("map\n")).kind == "map"  # the colours say so
    for line, said in (("SA = bleu", "line 3: unknown colour 'bleu': did you mean 'blue'"),
                       ("SE = blue", "line 3: unknown region 'SE'"),
                       ("SA = red\nSA = blue", "line 4: 'SA' has a colour by line 3")):  # fmt: skip
        with pytest.raises(BadNotation, match=said):
            read(text.format(line))


def test_a_games_own_search_is_asked_by_its_text():
    import outplay

    deal = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
    found = outplay.best(outplay.load("bridge").position(deal), "kitchen")
    assert found.action is not None


def test_best_in_every_deal_is_right_in_kuhn_poker_and_not_always_in_leduc_poker():
    from outplay.lessons import numbers

    rows = {row[0]: [int(cell) for cell in row[1:]] for row in numbers.asterisk().rows}
    assert rows["kuhn poker"][1] > 0 and rows["kuhn poker"][2] == 0
    assert 0 < rows["leduc poker"][2] < rows["leduc poker"][1] < rows["leduc poker"][0]


def test_skips_vanish_as_bounds_go_apart():
    from outplay.lessons import numbers

    star1 = [float(row[3]) for row in numbers.sliding().rows]
    assert star1 == sorted(star1, reverse=True) and star1[0] > 0.5 > 0.05 > star1[-1]
