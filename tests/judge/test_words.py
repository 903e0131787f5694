"""Reasons of games with hidden things and with dice, each proved once more from its predicate alone."""

import pytest

from outplay.game import load
from outplay.judge.claims import LEAST_KEPT, Claim, _own, least_kept, prove, why
from outplay.judge.shares import Fit
from outplay.judge.worth import Judge


def test_what_the_other_holds_is_a_reason():
    game = load("kuhn poker")
    king = game.position("QK b")  # a king that folds
    told = {claim.kind: claim for claim in why(king, "pass")}
    assert told["holding"].text == "Whatever the other side holds, bet is worth more than pass." and prove(king, told["holding"])
    jack = game.position("QJ b")  # a jack that calls: a queen or a king would have done
    told = {claim.kind: claim for claim in why(jack, "bet")}
    assert told["average"].predicate["best"] == "pass" and prove(jack, told["holding"])
    assert not prove(jack, Claim("average", "", predicate={**told["average"].predicate, "least": 3.0}))


@pytest.mark.parametrize(
    ("name", "position", "action", "best", "said"),
    [
        ("chess", "4k3/8/8/3p4/2N1P3/8/8/4K3 w - - 0 1", "e1e2", "e4d5", ["exchange", "takes"]),  # the knight hangs
        ("chess", "4k3/8/4p3/3p4/8/2N5/8/3QK3 w - - 0 1", "c3d5", "e1e2", ["exchange"]),  # a knight for a pawn
        ("chess", "4k3/8/4p3/3p4/8/2N5/8/3QK3 w - - 0 1", "e1f1", "e1e2", []),
        ("chess", "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8e7", "a8b8", ["castling"]),
        ("checkers", "B:W18,26,31:B6,7,11", "11-15", "11-16", ["taken"]),
        ("othello", "---------------------------OX------XO--------------------------- X", "c4", "d3", []),
        ("pac-man", "%%%%%%%/%..G..%/%.%_%.%/%..P..%/%.....%/%%%%%%% 0 0 30 10", "north", "west", ["ghost", "eats"]),
    ],
)
def test_what_a_game_counts_is_counted_again(name, position, action, best, said):
    """The game's own words, each proved once more; nothing is said where nothing differs."""
    here = load(name).position(position)
    told = _own(here, here.parse_action(action), best)
    assert [claim.kind for claim in told] == said and all(prove(here, claim) for claim in told)
    assert all("{" not in claim.text for claim in told)


def test_whoever_looks_at_each_roll_follows_no_one_on_the_bar():
    """Two players who wait on the bar by turns: a review ran out of stack there."""
    game, number = load("backgammon"), 0
    while True:
        position, number = game.start(), number + 1
        for ply in range(120):
            if position.is_terminal():
                break
            if not position.is_chance() and len(position.actions()) == 1 and position.result(position.actions()[0]).is_chance():
                judge = Judge(game, 400)
                assert judge._is_to_be_followed(position, ()) and not judge.smaller(2)._is_to_be_followed(position, ())
                assert 0 <= judge.worth(position).share(0) <= 1
                return
            position = position.result(
                position.sample_chance(1000 * number + ply) if position.is_chance() else position.actions()[-1]
            )


def test_estimates_that_change_much_have_to_lie_further_apart():
    kept = [least_kept(Fit(width=1.0, draw=0.5, jump=jump)) for jump in (0.0, 0.1, 1.0, 4.0)]
    assert kept[:2] == [LEAST_KEPT, LEAST_KEPT] and LEAST_KEPT < kept[2] < kept[3] < 1
