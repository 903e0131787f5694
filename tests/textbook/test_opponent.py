"""The imperfect opponent: the lecture's threshold, and what weakness may never cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.errors import BadValue
from outplay.game import load
from outplay.textbook.expectimax import expectimax
from outplay.textbook.expectiminimax import expectiminimax
from outplay.textbook.opponent import imperfect_opponent, thresholds
from outplay.values import CHANCE
from tests.textbook.chance_trees import Tree, zero, zero_sum_trees

FIGURE = '{"max": {"a1": {"min": [10]}, "a2": {"min": [9, 100]}}}'


def test_the_lectures_threshold():
    position = load("tree", tree=FIGURE).start()
    assert position.action_text(expectiminimax(position).action) == "a1"  # minimax, for every skill
    assert imperfect_opponent(position, skill=0.3).value == pytest.approx(72.7)
    (switch, bold), (_, safe) = thresholds(position)
    assert switch == pytest.approx(90 / 91, abs=1e-9)
    assert (position.action_text(bold), position.action_text(safe)) == ("a2", "a1")
    for skill, action in ((switch - 1e-6, bold), (switch + 1e-6, safe)):
        assert imperfect_opponent(position, skill=skill).action == action


def test_several_thresholds():
    """Three lines that cross: 100 - 100p, 80 - 60p and 30 meet at p = 1/2 and p = 5/6."""
    position = Tree((0, (1, zero(0), zero(100)), (1, zero(20), zero(80)), zero(30)), bounds=(-100, 100)).start()
    found = thresholds(position)
    assert [action for _, action in found] == [0, 1, 2]
    assert [skill for skill, _ in found] == pytest.approx([0.5, 5 / 6, 1.0], abs=1e-9)


def test_no_threshold_where_one_action_is_always_best():
    assert thresholds(Tree((0, zero(1), zero(2))).start()) == ((1.0, 1),)


@pytest.mark.parametrize("skill", [-0.1, 1.5, float("nan")])
def test_skill_is_a_probability(skill):
    with pytest.raises(BadValue, match="skill must be a probability from 0 to 1"):
        imperfect_opponent(load("tree", tree=FIGURE).start(), skill=skill)


@given(zero_sum_trees(), st.floats(0, 1), st.floats(0, 1))
def test_a_weaker_opponent_is_never_worse_for_me(game, skill, other):
    position = game.start()
    sign = -1 if position.player() == 1 else 1
    weak, strong = sorted((skill, other))
    values = [sign * imperfect_opponent(position, skill=s).value for s in (weak, strong, 1.0)]
    assert values[0] >= values[1] - 1e-9 and values[1] >= values[2] - 1e-9
    assert values[2] == pytest.approx(sign * expectiminimax(position).value)


@given(zero_sum_trees())
def test_random_play_lies_between_no_skill_and_full_skill(game):
    position = game.start()
    sign = -1 if position.player() == 1 else 1
    none, some, full = imperfect_opponent(position, skill=0), expectimax(position), imperfect_opponent(position, skill=1)
    assert sign * none.value >= sign * some.value - 1e-9 and sign * some.value >= sign * full.value - 1e-9


@given(zero_sum_trees(), st.randoms(use_true_random=False))
def test_minimax_play_against_any_opponent_gets_at_least_the_minimax_value(game, random):
    """The exercise of the lectures: MAX follows expectiminimax, MIN does as it likes; the average over the dice is judged."""
    position = game.start()

    def played(position):
        if position.is_terminal():
            return position.utility(0)
        if position.player() == CHANCE:
            return sum(p * played(position.result(outcome)) for outcome, p in position.chances())
        action = expectiminimax(position).action if position.player() == 0 else random.choice(position.actions())
        return played(position.result(action))

    assert played(position) >= expectiminimax(position).value - 1e-9
