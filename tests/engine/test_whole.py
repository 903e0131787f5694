"""Games with hidden information that are small enough are solved whole, and played as the equilibrium mixes."""

import itertools
import math
import threading
from statistics import NormalDist

import pytest

from outplay.engine.registry import choose
from outplay.engine.regret.equilibrium import RegretSolver
from outplay.engine.regret.tree import build
from outplay.engine.regret.whole import WholeGame
from outplay.errors import Unsuitable
from outplay.game import load
from outplay.players import levels, player
from outplay.players.algorithms import best
from outplay.values import Limits


@pytest.fixture(scope="module")
def kuhn():
    return load("kuhn poker")


@pytest.fixture(scope="module")
def solved(kuhn):
    whole = WholeGame(kuhn)
    whole.best(kuhn.start(), Limits(simulations=20_000))
    return whole


def test_all_mixtures_of_kuhn_are_those_that_are_known(kuhn, solved):
    """Harold Kuhn's solution: the first player bets with a jack by x, with a king by 3x, and calls with a queen by x + 1/3."""
    def share(text, action):
        position = kuhn.position(text)
        return solved.best(position, Limits(simulations=1)).choice(position.parse_action(action)).share

    x = share("JK", "bet")
    assert 0 <= x <= 1 / 3 + 0.02 and share("KJ", "bet") == pytest.approx(3 * x, abs=0.03)
    assert share("QJ", "bet") == pytest.approx(0, abs=0.02) and share("QJ pb", "bet") == pytest.approx(x + 1 / 3, abs=0.03)
    assert share("KQ b", "bet") == pytest.approx(1 / 3, abs=0.02)
    assert share("QJ p", "bet") == pytest.approx(1 / 3, abs=0.02)


def test_values_are_those_of_the_game(kuhn, solved):
    assert solved.best(kuhn.start(), Limits(simulations=1)).value == pytest.approx(-1 / 18, abs=1e-3)
    for first, second in itertools.permutations("JQK", 2):  # the second to move knows its card and that the other passed
        position = kuhn.position(f"{first}{second} p")
        found = solved.best(position, Limits(simulations=1))
        for choice in found.choices:
            assert choice.interval[0] - 1e-9 <= choice.value <= choice.interval[1] + 1e-9
        assert found.value == pytest.approx(sum(choice.share * choice.value for choice in found.choices))
    king = kuhn.position("JK b")  # a king that is bet into calls: two chips, whatever the other holds
    assert solved.best(king, Limits(simulations=1)).choice(king.parse_action("bet")).value == pytest.approx(-2, abs=1e-6)


def test_a_view_is_found_by_its_bytes():
    """Padding between the fields of a record is no part of a view, and must be the same everywhere."""
    game = load("liar's dice:faces=2")
    tree, position = build(game), game.start().play("1 2")
    views = {view.tobytes() for view in tree.views[0]}
    assert position.observe(0).state in views and len(views) == len(tree.views[0])


def test_after_an_error_the_best_answer_is_played():
    """With two faces a bid of two ones says more than the bidder can know; whoever holds none doubts it."""
    game = load("liar's dice:faces=2")
    solver = WholeGame(game)
    solver.best(game.start().play("1 1"), Limits(simulations=500))
    tree = build(game)
    for seat in range(2):
        for number in range(len(tree.firsts[seat])):
            view = tree.view(seat, number)
            found = solver.best(view, Limits(simulations=1))
            assert found.action in view.actions() and sum(choice.share for choice in found.choices) == pytest.approx(1)
            assert found.action == max(found.choices, key=lambda choice: choice.share).action


def test_auto_takes_it_where_the_game_is_small_and_forgets_nothing(kuhn):
    assert choose(kuhn)[0] == "cfr" and choose(load("blind tic-tac-toe"))[0] == "ismcts" == choose(load("hold'em"))[0]
    assert choose(load("liar's dice:dice=3"))[0] == "ismcts"
    for name in ("blind tic-tac-toe", "hold'em:seats=3"):
        with pytest.raises(Unsuitable, match="use ismcts"):
            WholeGame(load(name))


def test_it_ends_when_it_is_told_and_when_it_knows(kuhn):
    stop = threading.Event()
    stop.set()
    position = kuhn.start().play("J K")
    assert WholeGame(kuhn).best(position, stop=stop).action in position.actions()
    found = best(kuhn.start().play("Q K"), seconds=60)  # a minute is not needed
    assert found.facts["exploitability"] < 1e-4 and found.algorithm == "engine:cfr"
    ended = kuhn.position("JK pbp")
    assert WholeGame(kuhn).best(ended).value == ended.utilities()[0]


def test_a_level_errs_where_something_is_hidden(kuhn):
    """Whoever plays a mixture may err, too: a jack that is bet into is called as often as errors of a level's size make it.

    Folding costs one chip and calling two, and each is misjudged by so much: a call looks better as often as the difference of
    two errors is more than a chip. Of 200 decisions no more than four standard deviations may be off that.
    """
    jack = kuhn.position("KJ b").observe(1)
    calls, likely = {}, {}
    for level in ("beginner", "master"):
        one = player(f"auto:level={level},simulations=500")
        calls[level] = 0
        for seed in range(200):
            one.begin(jack, seed=seed)
            calls[level] += one.choose(jack) == jack.parse_action("bet")
        assert sorted(one.last.each("value").values()) == pytest.approx([1.0, 2.0])
        spread = levels.level(level).of(kuhn).slip * levels.stake_of(jack, one.last)
        likely[level] = NormalDist(0, math.sqrt(2) * spread).cdf(-1)
        assert abs(calls[level] - 200 * likely[level]) <= 4 * math.sqrt(200 * likely[level] * (1 - likely[level]))
    assert calls["master"] < calls["beginner"] and likely["master"] < likely["beginner"] < 0.5


def test_the_same_twice(kuhn):
    position = kuhn.start().play("Q J")
    one, two = (WholeGame(kuhn).best(position, Limits(simulations=300)) for _ in range(2))
    assert one.choices == two.choices and one.value == two.value
    solver = RegretSolver(kuhn)
    solver.advance(300)
    assert solver.report().value == pytest.approx(WholeGame(kuhn).best(kuhn.start(), Limits(simulations=300)).value)
