"""Averaging over deals: the averages, both early stops, the lecture's special case, and its flaw."""

import pytest

from outplay.errors import BadValue, Unsuitable
from outplay.game import load
from outplay.textbook.deals import deals, laid_open
from outplay.textbook.expectiminimax import expectiminimax
from outplay.textbook.mcts import mcts
from outplay.values import Limits
from tests.textbook.hidden_games import Cup, Fork, HighCard


def test_the_action_best_on_average():
    result = deals(Cup().start(), number=100, seed=3)
    assert result.action == "heads" and not result.exact
    heads, tails, leave = (result.each("value")[action][0] for action in ("heads", "tails", "leave"))
    assert heads == -tails == pytest.approx(0.5, abs=0.2) and leave == 0
    assert result.value == (heads,)
    counts = result.facts["times_best"]
    assert counts["heads"] + counts["tails"] == result.facts["deals"] and counts["leave"] == 0


def test_a_coin_that_is_nearly_fair_is_left_alone():
    """Called right 52 times in 100, or wrong: what decides is the average, and not how often an action is best."""

    class Dear(Cup):
        def utility(self, state, player):
            return 0.25 if state[1] == "leave" else super().utility(state, player)

    result = deals(Dear(heads=0.5).start(), seed=1)
    assert result.action == "leave" and result.facts["times_best"]["leave"] == 0


def test_stops_early_when_one_action_is_best_in_every_deal():
    result = deals(HighCard(mine=5).start(), number=100, agree=25, seed=0, trace=True)  # the highest card always bets
    assert result.action == "b" and result.facts["deals"] == 25
    assert result.facts["stopped"] == "one action was best in every one of 25 deals"
    assert [step.event for step in result.trace] == ["deal"] * 25
    assert all(step.facts["values"]["b"] == 1.0 for step in result.trace)  # the other folds when it sees the 5
    assert result.value == 1.0


def test_stops_early_when_the_lead_is_too_great():
    result = deals(Cup(heads=0.95).start(), number=60, agree=60, seed=0)
    done, counts = result.facts["deals"], result.facts["times_best"]
    assert result.facts["stopped"] == f"after {done} deals the rest cannot change the choice" and done < 60
    lead = counts["heads"] - counts["tails"]  # over "leave", which stands at 0
    assert lead > (60 - done) * 2 and lead - 2 <= (60 - done + 1) * 2


def test_the_early_stop_never_changes_the_choice():
    for seed in range(20):
        assert deals(Cup(heads=0.6).start(), number=30, agree=30, seed=seed).action == \
            deals(Cup(heads=0.6).start(), number=30, agree=10**6, seed=seed).action


def test_nothing_hidden_leaks():
    for search in (deals, mcts):
        one, two = search(Cup("heads").start(), seed=5), search(Cup("tails").start(), seed=5)
        assert (one.action, one.value, one.each("value")) == (two.action, two.value, two.each("value"))
        one, two = search(HighCard(3, 1).start(), seed=5), search(HighCard(3, 5).start(), seed=5)
        assert (one.action, one.value, one.each("value")) == (two.action, two.value, two.each("value"))


def test_two_players_over_all_deals():
    """With open cards a better other card calls and wins 2, a worse one folds and gives 1: the 3 is worth (1 + 1 - 2 - 2) / 4."""
    result = deals(HighCard(3).start(), number=2000, agree=2000, seed=0)
    assert result.each("value")["b"] == pytest.approx(-0.5, abs=0.15) and result.each("value")["f"] == -1.0
    assert result.action == "b" and result.value == result.each("value")["b"]
    second = deals(HighCard(3, 1).start().result("b"), number=400, seed=0)
    assert second.action == "f" and second.value == 1.0  # the 1 never calls; the value is MAX's


def test_the_flaw():
    """Best in every deal and still wrong: whoever sees the coin goes on; whoever does not gets 0.5 there and 0.8 here."""
    fooled = deals(Fork().start(), seed=0)
    assert fooled.action == "go on" and fooled.facts["stopped"].startswith("one action was best in every one")
    assert mcts(Fork().start(), simulations=2000, seed=0).action == "sure"


def test_refusals():
    with pytest.raises(Unsuitable, match=r"^deals needs a game with hidden information; tic-tac-toe hides nothing: use alphabeta$"):
        deals(load("tic-tac-toe").start())
    with pytest.raises(BadValue, match="number must be a whole number of at least 1, got 0"):
        deals(Cup().start(), number=0)
    with pytest.raises(BadValue, match="depth must be a whole number of at least 1, got 0"):
        deals(Cup().start(), depth=0)
    with pytest.raises(Unsuitable, match="expectiminimax needs a two-player zero-sum game with perfect information"):
        expectiminimax(HighCard().start())
    assert expectiminimax(laid_open(HighCard(3, 5).start())).value == -1.0  # it folds, seeing the 5


def test_depth_and_limits():
    shallow = deals(HighCard(3).start(), number=10, depth=1, seed=0)
    assert shallow.each("value")["b"] == 0.0 and shallow.depth == 1  # the middle of the bounds
    hurried = deals(HighCard(3).start(), limits=Limits(seconds=0.0))  # a look at each action is better than no answer
    assert hurried.action in ("b", "f") and hurried.facts["stopped"] == "out of time" and hurried.facts["deals"] == 1
    few = deals(HighCard(3).start(), limits=Limits(nodes=40), seed=0)
    assert few.facts["stopped"] == "out of time" and 1 <= few.facts["deals"] < 100
    over = deals(HighCard(3).start().result("f"))
    assert (over.action, over.value, over.exact) == (None, -1.0, True)
