"""The rest of a hand of limit hold'em: the tree is the rules' own, ranges come by Bayes, and thinking again concedes no more."""

import numpy as np
import pytest

from outplay.cards import cards
from outplay.engine.regret.public import PublicSolver
from outplay.engine.regret.public_tree import build
from outplay.errors import OutplayError
from outplay.experts.poker.limit import HoldemSolver
from outplay.experts.poker.rest import FLOOR, Rest, hand_number
from outplay.game import load
from outplay.players import player
from outplay.playing import Play

BOARD = cards("2h7s9dJh3s")


@pytest.fixture(scope="module")
def trained():
    solver = HoldemSolver(load("hold'em:kind=limit"), seed=1)
    solver.advance(3000)
    return solver


@pytest.fixture(scope="module")
def file(trained, tmp_path_factory):
    name = tmp_path_factory.mktemp("limit") / "limit.npz"
    trained.save(name)
    return str(name)


def test_the_tree_is_that_of_the_rules(trained):
    """The general builder asks the rules at each state; here the betting is copied for each card. Bet and call on the flop."""
    rest = Rest(trained, (1, 1, 3, 1, 1, 1), BOARD)
    position = trained.game.position("AcAd KcKd | c c | 2h7s9d r2 c | Jh c c | 3s")
    general = PublicSolver(trained.game, tree=build(trained.game, position, list(rest.ranges)))
    own = PublicSolver(trained.game, tree=rest.tree)
    assert own.tree.nodes == general.tree.nodes == 27 and own.tree.information_sets == general.tree.information_sets
    for solver in (own, general):
        solver.advance(3)
    assert own.report().values == pytest.approx(general.report().values, abs=1e-9)
    assert own.report().responses == pytest.approx(general.report().responses, abs=1e-9)


def test_a_turn_has_all_its_rivers(trained):
    rest = Rest(trained, (1, 1, 1, 1), BOARD[:4])
    assert rest.tree.nodes == 11691 and len(rest.boards) == 1 + 48 and rest.tree.hands == 48 * 47 // 2
    assert rest.tree.shares[1] == pytest.approx(rest.tree.shares[0] / 44)  # beside two hands
    with pytest.raises(OutplayError, match="from the turn on"):
        Rest(trained, (1, 1), BOARD[:3])


def test_ranges_are_those_of_the_strategy(trained):
    """Before the flop the buckets are exact: the small blind raised and was called."""
    rest = Rest(trained, (5, 1, 1, 1, 1, 1), BOARD)
    shares = [trained.shares((), hand, ())[2] for hand in (cards("AsAd"), cards("9c4d"))]
    called = {name: trained.shares((5,), cards(name), ())[1] for name in ("AsAd", "9c4d")}
    buckets = {name: [rest.bucket(BOARD[:n])[hand_number(cards(name))] for n in (3, 4)] for name in called}
    assert all(0 <= each < 60 for found in buckets.values() for each in found)
    assert rest.ranges[1, hand_number(cards("AsAd"))] <= max(shares[0], FLOOR) + 1e-12
    assert rest.ranges[0, hand_number(cards("9c4d"))] <= max(called["9c4d"], FLOOR) + 1e-12
    assert not rest.ranges[:, hand_number(cards("JhAs"))].any() and (rest.ranges >= 0).all()  # the jack lies on the board


@pytest.mark.parametrize("seat", [0, 1])
def test_thinking_again_concedes_no_more(trained, seat):
    rest = Rest(trained, (1, 1, 1, 1, 1, 1), BOARD)
    before = rest.public.evaluate(rest.trained())[1][1 - seat]
    numbers, done = rest.think(seat, iterations=200)
    assert done == 200 and rest.public.evaluate(numbers)[1][1 - seat] < before - 0.05  # chips of a pot of 4


def test_it_plays_whole_hands_and_sees_no_cards(file):
    game = load("hold'em:kind=limit")
    play = Play(game, [f"resolve:policy={file},time=0.05", "random"], seed=3)
    play.finished()
    assert sum(play.position.utilities()) == 0
    river = game.position("AcAd KcKd | c c | 2h7s9d c c | Jh c c | 3s")
    other = game.position("AcAd 4c4d | c c | 2h7s9d c c | Jh c c | 3s")
    assert river.observe(0) == other.observe(0)  # so whatever it does, the other's cards do not matter
    who = player(f"resolve:policy={file},time=0.2")
    action = who.choose(river.observe(0))
    assert action in river.actions() and who.last.algorithm == "resolve" and who.last.facts["iterations"] > 0
    assert sum(choice.share for choice in who.last.choices) == pytest.approx(1)


def test_what_was_played_counts_for_its_own_range(trained):
    log = (1, 1, 1, 1, 1, 1)
    never = np.zeros((3, 1326))
    never[2] = 1.0  # on the turn it would have bet with every hand but one
    aces = hand_number(cards("AcAd"))
    never[:, aces] = 0.0, 1.0, 0.0
    rest = Rest(trained, log, BOARD, {log[:4]: never})
    assert rest.ranges[0].argmax() == aces and rest.ranges[0, aces] > 100 * np.sort(rest.ranges[0])[-2]


@pytest.mark.parametrize("options", ["depth=2", "threads=0"])
def test_refusals(file, options):
    with pytest.raises(OutplayError):
        player(f"resolve:policy={file},{options}")
    with pytest.raises(OutplayError, match="several threads only"):
        player("resolve:threads=2")


def test_the_trained_strategy_can_be_looked_at(trained):
    """A table of the information sets before the flop, the likeliest first, with what the strategy plays there."""
    rows = list(trained.table())
    assert len(rows) == 8 * 169 and [row[3] for row in rows] == sorted((row[3] for row in rows), reverse=True)
    first = [row for row in rows if not row[1].game.record(row[1].state)["made"]]
    assert sum(row[3] for row in first) == pytest.approx(1) and {row[0] for row in first} == {1}  # the button moves first
    for _, view, mixture, _ in rows[::100]:
        record = view.game.record(view.state)
        log = tuple(int(action) - 1 for action in record["log"][: int(record["made"])])
        hole = tuple(int(card) - 1 for card in record["hands"][view.player()])
        assert list(mixture.values()) == pytest.approx(list(trained.shares(log, hole, ()).values()))
