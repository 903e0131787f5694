"""The player of hold'em by ranges: what it thinks of hands, what it learns of others, and that it beats who is easy to beat."""

import statistics

import numpy as np
import pytest

import outplay
from outplay.cards import cards
from outplay.errors import Unsuitable
from outplay.experts.poker.ranges import HOLDS, Ranges, before_the_flop, folds, raises
from outplay.games.holdem import CALL, FOLD
from outplay.games.holdem.ranges import hand_number


class Caller(outplay.Player):
    name = "caller"

    def pick(self, view, limits):
        return CALL


def view_of(text, game="hold'em", boards=80):
    position = outplay.load(game).start().play(text)
    return position.observe(position.player())


def number(text):
    high, low = sorted(cards(text), reverse=True)
    return hand_number((high, low))


def test_hands_before_the_flop_have_their_order():
    share = before_the_flop()
    assert share[number("AsAh")] == share.max() and share[number("KsKh")] > share[number("AsKs")] > share[number("7s2d")]
    assert 0.0 <= share.min() < 0.05 and abs(share.mean() - 0.5) < 0.01


def test_strong_hands_go_on_and_weak_ones_fold():
    share = np.linspace(0, 1, 50)
    assert (np.diff(folds(share, 0.4)) <= 0).all() and (np.diff(raises(share, 0.4)) >= 0).all()
    assert folds(share, 0.6).mean() > folds(share, 0.2).mean()


def test_equities_are_those_of_the_cards():
    """On the river what a hand wins is counted, not drawn: the nuts win against all, the board ties."""
    player = Ranges(boards=20)
    known = cards("AsKsQsJs2d") + cards("Ts3d")
    royal = player._beats(tuple(known[:5]), tuple(known[5:]))
    possible = ~HOLDS[:, list(known)].any(axis=1)
    assert possible.sum() == 990 and (royal[possible] == 1.0).all()  # 45 cards unseen: 990 hands
    board = Ranges(boards=20)._beats(tuple(cards("AsKsQsJsTs")), tuple(cards("3d2c")))
    assert set(np.round(board[~HOLDS[:, list(cards("AsKsQsJsTs"))].any(axis=1)], 6)) == {0.5}


def test_kings_are_raised_and_deuce_seven_is_not_worth_a_big_bet():
    view = view_of("7s 2d Kh Kd")
    assert view.action_text(outplay.player("ranges:seed=1").choose(view)).startswith("r")
    weak = view_of("7d 2c As Ah c c Kd Qh 9s c r198")
    worths = Ranges(seed=1).worths(weak)
    assert worths[FOLD] == 0.0 > worths[CALL]


def test_a_raise_makes_strong_hands_likelier():
    player = Ranges(seed=2)
    view = view_of("9s 8d As Ah r6")  # seat 0 (the big blind) faces a raise of the button
    weights, _ = player._replayed(view, 0, tuple(cards("9s8d")))
    seat = weights[1]
    assert seat[number("KhKd")] > 2 * seat[number("4h2d")] and seat[number("9s3d")] == 0.0  # my own card is no card of its


def test_it_learns_who_never_folds():
    player, caller = Ranges(seed=3, boards=20), Caller()
    list(outplay.match(outplay.load("hold'em"), [player, caller], games=20, opening_plies=0))
    assert player.seen["folds"] == 0 and player._ratio("folds") < 0.7


def test_it_beats_who_always_calls():
    """By more than two standard errors, over hands with the seats changed."""
    played = outplay.match(outplay.load("hold'em"), [Ranges(seed=4, boards=25), Caller()], games=160, opening_plies=0, seed=3)
    won = [record.outcome.utilities[record.players.index("ranges")] for record in played]
    assert statistics.fmean(won) > 2 * statistics.stdev(won) / len(won) ** 0.5


@pytest.mark.parametrize("game", ["hold'em:seats=4", "hold'em:kind=limit", "hold'em:stack=10-150-90,seats=3",
                                  "hold'em:sizes=any,stack=40"])  # fmt: skip
def test_every_kind_of_hand_is_played(game):
    loaded = outplay.load(game)
    players = [Ranges(seed=seat, boards=10) for seat in range(loaded.players)]
    for record in outplay.match(loaded, players, games=2 * loaded.players, opening_plies=0):
        assert record.reason == "" and sum(record.outcome.utilities) == 0


def test_it_plays_nothing_else():
    with pytest.raises(Unsuitable, match="plays hold'em"):
        outplay.player("ranges").choose(outplay.load("leduc poker").start().play("Js Qs"))
