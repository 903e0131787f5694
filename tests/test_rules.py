"""What an author of a game is told when the class breaks the contract, and what the decorator makes of a good one."""

import numpy as np
import pytest

from outplay.errors import BadValue, RulesError, UnknownName
from outplay.game import load
from outplay.jit import Array, f64, i8, i32, u64
from outplay.rules import ASKED_BEFORE, OPTIONAL, game


def countdown(**extra):
    """A correct little class, with more attributes if asked for."""

    class Countdown:
        left: i8
        turn: i8

        def actions(self, out):
            out[0] = 1
            return 1 if self.left > 0 else 0

        def play(self, action):
            self.left -= 1
            self.turn = 1 - self.turn

        def utility(self, player):
            return 1 if player == self.turn else -1

    for name, value in extra.items():
        setattr(Countdown, name, value)
    return Countdown


def test_a_class_becomes_a_record_class():
    rules = game("countdown")(countdown())()
    states = rules.states(2)
    states[0].left = 3
    assert isinstance(states[0], rules)
    states[1] = states[0]
    states[1].play(1)
    assert (states[0].left, states[1].left, states[1].turn) == (3, 2, 1)  # copies are independent


def test_traits_come_from_what_the_class_has():
    plain = game("countdown")(countdown())().traits
    assert (plain.players, plain.chance, plain.information, plain.sum) == (2, False, "perfect", "zero")
    hidden = game("hidden")(countdown(observe=lambda self, player: None, deal=lambda self, player, source: None))().traits
    assert hidden.information == "hidden"
    chance = game("chance")(countdown(chances=lambda self, out, probabilities: 0))().traits
    assert chance.chance
    assert game("three")(countdown(players=3, total=1))().traits.sum == "constant"
    assert game("many")(countdown(players=3, total=None))().traits.sum == "general"


def test_every_optional_method_has_a_default():
    rules = game("countdown")(countdown())()
    for name in OPTIONAL.keys() - ASKED_BEFORE:
        assert callable(getattr(rules, name))
        assert not getattr(rules.states(1)[0], f"offers_{name}")()


@pytest.mark.parametrize("missing", ["actions", "play", "utility"])
def test_a_missing_method_is_named(missing):
    cls = countdown()
    delattr(cls, missing)
    with pytest.raises(RulesError, match=f"lacks the method {missing}"):
        game("broken")(cls)()


def test_a_method_of_the_contract_with_other_arguments_is_told():
    with pytest.raises(RulesError, match=r"order is a method of the contract and takes 1 arguments: order\(action\)"):
        game("broken")(countdown(order=lambda self: 0))()


def test_nobody_to_move():
    class NoTurn:
        left: i8
        actions = play = utility = lambda self, given: 0

    with pytest.raises(RulesError, match="field `turn` or a method `player"):
        game("broken")(NoTurn)()


def test_observe_without_deal():
    with pytest.raises(RulesError, match="belong together"):
        game("broken")(countdown(observe=lambda self, player: None))()


@pytest.mark.parametrize("kind", ["text", str, object, np.complex128])
def test_a_field_that_is_no_number(kind):
    cls = countdown()
    cls.__annotations__["left"] = kind
    with pytest.raises(RulesError, match="'left'"):
        game("broken")(cls)()


def test_a_field_name_that_numpy_needs():
    cls = countdown()
    cls.__annotations__["data"] = i8
    with pytest.raises(RulesError, match="field 'data' cannot have that name"):
        game("broken")(cls)()


def test_ranges_belong_to_functions():
    with pytest.raises(RulesError, match="takes no parameters"):
        game("broken", width=range(3))(countdown())


def test_every_parameter_has_a_range_and_a_default():
    with pytest.raises(RulesError, match="'width' needs its range"):
        game("broken")(lambda width=3: countdown())
    with pytest.raises(RulesError, match="'width' needs a default"):
        game("broken", width=range(3))(lambda width: countdown())
    with pytest.raises(RulesError, match="'height', which is not a parameter"):
        game("broken", width=range(3), height=range(3))(lambda width=1: countdown())


def test_wrong_parameters_name_the_allowed_range():
    with pytest.raises(BadValue, match=r"connect four: width must be a whole number from 1 to 9, got 12"):
        load("connect four", width=12)
    with pytest.raises(BadValue, match=r"width must be a whole number from 1 to 9, got 'seven'"):
        load("connect four:width=seven")
    with pytest.raises(BadValue, match=r"got 7\.5"):
        load("connect four", width=7.5)
    with pytest.raises(UnknownName, match="unknown parameter of connect four 'widht': did you mean 'width'"):
        load("connect four:widht=5")
    with pytest.raises(BadValue, match="at most 64"):
        load("connect four", width=9, height=8)
    with pytest.raises(BadValue, match="tic-tac-toe takes no parameters"):
        load("tic-tac-toe:size=4")
    with pytest.raises(BadValue, match="expected parameters as key=value"):
        load("connect four:7")


def test_the_same_parameters_give_the_same_rules():
    definition = game("countdown", size=range(5))(lambda size=1: countdown())
    assert definition(size=2) is definition(size=2)
    assert definition(size=1) is definition()
    assert definition(size=2) is not definition()


def test_the_default_key_hashes_every_field_and_every_element():
    class Fields:
        board: Array[i32, 2, 3]
        word: u64
        share: f64
        turn: i8

        def actions(self, out):
            return 0

        def play(self, action):
            pass

        def utility(self, player):
            return 0

    rules = game("fields")(Fields)()
    keys = set()
    with np.errstate(over="ignore"):
        for change in range(10):
            state = rules.states(1)[0]
            if change < 6:
                state.board[change // 3, change % 3] = -1
            elif change == 6:
                state.word = 1
            elif change == 7:
                state.share = 0.5
            elif change == 8:
                state.turn = -1
            keys.add(int(state.key()))
    assert len(keys) == 10
