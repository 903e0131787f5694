"""Rivers: analytic solutions, and the general solver on a game of the same hands."""

import numpy as np
import pytest

from outplay.errors import OutplayError
from outplay.experts.poker.equity import equity
from outplay.experts.poker.subgame import solve_river, solve_turn


@pytest.mark.parametrize("bet", [0.5, 1.0, 2.0])
def test_nuts_and_air_against_a_bluff_catcher(bet):
    """One hand that always wins and one that always loses: bluff b / (1 + b) as often as for value, and call 1 / (1 + b)."""
    found = solve_river("KsKh7d7c2s", "KdKc,4h3h", "AsAd", pot=10, stack=10 * bet, sizes=(bet,), iterations=1500)
    name = f"bet {10 * bet:g}"
    assert found.mixture("KdKc")[name] == pytest.approx(1, abs=0.01)
    assert found.mixture("4h3h")[name] == pytest.approx(bet / (1 + bet), abs=0.03)
    assert found.mixture("AsAd", after=(name,))["call"] == pytest.approx(1 / (1 + bet), abs=0.03)
    assert found.value + 5 == pytest.approx(10 * 0.5 * (1 + bet / (1 + bet)), abs=0.05)
    assert 0 <= found.exploitability < 0.02


def test_without_chips_to_bet_a_river_is_worth_its_equity():
    """With a bet that nobody can gain by, the value is the share of the pot that the cards win."""
    found = solve_river("Kd7h2c9sTc", "QQ+,87s", "JJ-88", pot=10, stack=1e-9, sizes=(1.0,), iterations=2000)
    assert found.value + 5 == pytest.approx(10 * equity(["QQ+,87s", "JJ-88"], "Kd7h2c9sTc").equities[0], abs=0.02)


def test_without_chips_to_bet_a_turn_is_worth_its_equity():
    ranges, board = ["QQ+,87s", "JJ-88,A9s"], "Kd7h2c9s"
    found = solve_turn(board, *ranges, pot=10, stack=1e-9, sizes=(1.0,), iterations=300)
    assert found.value + 5 == pytest.approx(10 * equity(ranges, board).equities[0], abs=0.03)


def test_a_turn_where_the_river_changes_nothing_is_a_longer_bluff():
    """A hand that always wins and one that never does, two rounds of pot-sized bets: bluffs are 1 - (2/3)**2 of all bets.

    Value and air come in equal numbers; betting both rounds with the pot, 5 air hands go with 4 value hands on the turn
    (Ankenman and Chen 2006), so all that there are: the air always bets.
    """
    found = solve_turn("KsKh7d7c", "KdKc,4h3h", "AsAd", pot=10, stack=40, sizes=(1.0,), iterations=400)
    assert found.mixture("KdKc")["check"] < 0.05 and found.exploitability < 0.1
    assert found.mixture("4h3h")["check"] < 0.1
    one = solve_turn("KsKh7d7c", "KdKc,4h3h", "AsAd", pot=10, stack=10, sizes=(1.0,), iterations=400)
    assert one.value == pytest.approx(5 * 0.5, abs=0.4) and one.value < found.value  # one bet's worth of bluffs


def test_large_ranges_are_solved():
    found = solve_river("Kd7h2c9sTc", "random", "random", pot=10, stack=20, sizes=(1.0,), iterations=150)
    assert found.exploitability < 0.1


def test_the_betting_is_that_of_the_rules():
    found = solve_river("Kd7h2c9sTc", "AA,87s", "KK,A9s", pot=10, stack=30, sizes=(1.0,), iterations=1)
    assert list(found.names(0)) == ["check", "bet 10", "bet 30"]
    assert list(found.names(found.node(["bet 10"]))) == ["fold", "call", "raise to 30"]
    tree = found.solver.tree
    assert np.all(tree.count[tree.ends] == 0) and np.all(tree.count[tree.player >= 0] >= 2)
    with pytest.raises(OutplayError, match="bet 10"):
        found.node(["bet 1"])


@pytest.mark.parametrize(("board", "first", "second"), [("Kd7h2c", "AA", "KK"), ("Kd7h2c9sTc", "KdQd", "AA"), ("Kd7h2c9sTc",
                                                                                                               "AhAd", "AhAs")])
def test_refusals(board, first, second):
    with pytest.raises(OutplayError):
        solve_river(board, first, second, pot=10, stack=10)
    with pytest.raises(OutplayError):
        solve_turn(board, first, second, pot=10, stack=10)
