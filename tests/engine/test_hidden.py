"""Hidden information: mixed strategies are found, strategy fusion is shown."""


import pytest

from outplay.engine.montecarlo.deals import open_deals
from outplay.engine.montecarlo.hidden import InformationSets, ismcts
from outplay.engine.registry import make
from outplay.errors import BadValue, Unsuitable
from outplay.game import load
from outplay.textbook.deals import deals
from outplay.values import Limits

FORK = '''
"""A coin is hidden. Take a sure 0.8, or go on and guess it: 1 for a right guess, 0 for a wrong one."""
from outplay.jit import below, i8
from outplay.rules import game


@game("fork")
class Fork:
    """Take 0.8, or go on and guess a hidden coin for 1 or 0."""

    players, bounds, most_actions = 1, (0.0, 1.0), 2
    coin: i8
    step: i8
    guess: i8

    def actions(self, out):
        out[0], out[1] = 0, 1
        return 2 if self.step < 2 else 0

    def play(self, action):
        if self.step == 0:
            self.step = 2 if action == 0 else 1
            self.guess = -1
        else:
            self.step, self.guess = 2, action

    def utility(self, player):
        if self.guess < 0:
            return 0.8
        return 1.0 if self.guess == self.coin else 0.0

    def observe(self, player):
        self.coin = 0

    def deal(self, player, source):
        self.coin = below(source, 2)
        return 1.0
'''


@pytest.fixture(scope="module")
def fork(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "fork.py"
    path.write_text(FORK)
    return load(str(path)).start()


def test_open_deals_fall_for_strategy_fusion_and_information_sets_do_not(fork):
    # In every deal whoever sees the coin goes on and gets 1. Whoever does not gets 0.5, and should take the 0.8.
    fused = open_deals(fork, deals=30, agree=25, simulations=400)
    assert fused.action == 1 and fused.value[0] > 0.9
    honest = ismcts(fork, simulations=5000, seed=2)
    assert honest.action == 0
    assert honest.each("value")[0][0] == pytest.approx(0.8) and honest.each("value")[1][0] < 0.6


def test_rock_paper_scissors_is_worth_nothing_and_mixed():
    position = load("rock-paper-scissors").start()
    result = ismcts(position, simulations=100_000, seed=4)
    assert abs(result.value) < 0.05
    assert all(0.2 < share < 0.5 for share in result.each("share").values())
    # Open deals believe that the answer is seen: every action of the first player seems to lose.
    assert open_deals(position, deals=5, simulations=300).value < -0.8


def test_blind_tic_tac_toe_runs_to_its_end():
    position = load("blind tic-tac-toe").start()
    for move in range(40):
        if position.is_terminal():
            break
        result = ismcts(position, simulations=200, seed=move)
        assert result.action in position.actions()
        assert sum(result.each("visits").values()) == 200
        position = position.result(result.action)
    assert position.is_terminal()


def test_one_seed_one_tree():
    position = load("blind tic-tac-toe").start()
    assert ismcts(position, simulations=500, seed=3).each("visits") == ismcts(position, simulations=500, seed=3).each("visits")


def test_a_full_memory_goes_on_without_growing():
    result = ismcts(load("blind tic-tac-toe").start(), simulations=3000, memory=0.01)
    assert result.facts["full"] and result.facts["simulations"] == 3000


def test_wrong_requests_get_one_line():
    with pytest.raises(Unsuitable, match="mcts"):
        ismcts(load("tic-tac-toe").start())
    with pytest.raises(BadValue, match="deals must be 1 or more, got 0"):
        open_deals(load("rock-paper-scissors").start(), deals=0)


def test_deals_average_the_values_of_the_textbook():
    """A proved root once ended each deal's search, and the other actions' means came from a few playouts."""
    position = load("blind tic-tac-toe").start().play("b2 a1 a3 c1 c3 a2")
    *_, found = make("deals", position.game, deals=200, agree=200, seed=1).search(position)
    truth = deals(position, number=100, agree=100)
    assert {position.action_text(one.action): round(one.value, 1) for one in found.choices}["c2"] < 0.5
    for choice in found.choices:
        assert choice.value == pytest.approx(truth.choice(choice.action).value, abs=0.25)
    *_, short = make("deals", position.game).search(position, Limits(seconds=0.05))
    assert short.action in position.actions()


def test_the_tree_is_kept_between_moves():
    position = load("blind tic-tac-toe").start()
    search = InformationSets(position.game, memory=8, seed=1)
    first = search.best(position, Limits(simulations=2000))
    again = search.best(position, Limits(simulations=500))
    assert sum(again.each("visits").values()) == 2500 and sum(again.each("share").values()) == pytest.approx(1.0)
    assert again.facts["simulations"] == 500 and first.action in position.actions()
    search.clear()
    assert search.best(position, Limits(simulations=2000)).each("visits") == first.each("visits")
