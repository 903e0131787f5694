"""The strategy that comes along for heads-up no-limit hold'em, and where the player of it thinks in ranges instead."""

import numpy as np
import pytest

from outplay.cards import cards
from outplay.engine.regret.equilibrium import rules_stamp
from outplay.experts.poker import blueprint
from outplay.experts.poker.rest import Rest
from outplay.game import load
from outplay.games.holdem.ranges import hand_number
from outplay.players import player

GAME = load("hold'em")


def shares(text, game=GAME):
    position = game.start().play(text)
    view = position.observe(position.player())
    found = player("blueprint").shares(view)
    assert not found or (sum(found.values()) == pytest.approx(1) and set(found) <= set(view.actions()))
    return {view.action_text(action): share for action, share in found.items()}


def test_the_file_is_of_these_rules():
    with np.load(blueprint.FILE) as kept:
        assert str(kept["rules"]) == rules_stamp(GAME) and int(kept["deals"]) > 1_000_000
    assert blueprint.FILE.stat().st_size < 8e6


def test_good_hands_are_raised_and_bad_ones_given_up():
    button = shares("7s 2d Kh Kd")
    assert sum(share for action, share in button.items() if action[0] == "r") > 0.5
    assert shares("7s 2d Kh Kd r200").get("f", 0.0) > 0.9
    assert shares("As Ah Kh Kd r200").get("c", 0.0) > 0.9


def test_it_sees_nothing_hidden():
    assert shares("7s 2d Kh Kd c c Qs Jh 3c") == shares("7s 2d 4h 4d c c Qs Jh 3c") != {}


def test_other_sizes_and_chips_are_taken_for_the_nearest():
    """The game in chips of five, and raises that it does not offer."""
    larger = load("hold'em:stack=1000,small=5,big=10")
    assert shares("7s 2d Kh Kd", larger).keys() == {"f" if each == "f" else "c" if each == "c" else f"r{5 * int(each[1:])}"
                                                     for each in shares("7s 2d Kh Kd")}
    view = GAME.position("AsAh ???? | r7")
    assert view.player() == 0 and player("blueprint").shares(view)


def test_elsewhere_it_thinks_in_ranges():
    for name in ("hold'em:seats=3", "hold'em:kind=limit", "hold'em:stack=40", "hold'em:ante=1"):
        position = load(name, compiled=False).start()
        while position.is_chance():
            position = position.result(position.actions()[-1])
        one = player("blueprint:boards=20")
        view = position.observe(position.player())
        assert one.shares(view) == {} and one.choose(view) in position.actions() and one.last.algorithm == "ranges"


def test_a_river_is_thought_about_again():
    """After a bet on the river, the best hand there is does not fold, and a hand that beats nothing mostly does."""
    rest = Rest(blueprint.known(), (1, 1, 1, 1, 1, 1), cards("2h7s9dJh3s"))
    bet = (*rest.log, 4)  # all chips
    found = rest.mixtures(rest.think(1, iterations=30)[0], rest.node(bet))
    assert found[0, hand_number(cards("Tc8c"))] < 0.01 and found[0, hand_number(cards("5c4d"))] > 0.9
