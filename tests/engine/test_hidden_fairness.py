"""What holds for every game with hidden information: even deals, players blind to what is hidden, policies bound to rules."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from outplay.engine.regret.equilibrium import RegretSolver, compare
from outplay.engine.regret.tree import public_roots
from outplay.errors import OutplayError
from outplay.experts.poker.equity import equity
from outplay.experts.poker.limit import deal_cards
from outplay.game import load
from outplay.jit import kernel, random_source
from outplay.players import player


def fits(counts, expected):
    """Pearson's chi-squared against expected counts: four standard deviations of its own spread are allowed."""
    freedom = len(expected) - 1
    chi = sum((counts.get(each, 0) - n) ** 2 / n for each, n in expected.items())
    return set(counts) <= set(expected) and chi < freedom + 4 * math.sqrt(2 * freedom) + 4


@pytest.mark.parametrize(("name", "moves", "seat", "ways"), [
    ("kuhn poker", "Q J pass", 1, 2),
    ("leduc poker", "Kh Js raise call Jh", 0, 4),
    ("liar's dice", "2 6 1x2", 1, 6),
    ("blind tic-tac-toe", "b2 a1", 0, 16),
    ("goofspiel", "2 3", 1, 4),
    ("goofspiel", "2 3 1 4 1", 1, None),
    ("battleships:width=4,height=3,fleet=2", "a1-b1 c2-c3 c2", 0, 4),
    ("battleships:width=3,height=3,fleet=3-2", "a1-c1 a2-b2 a2-c2 a3-b3 a2", 0, None),
])
def test_every_deal_that_fits_is_as_likely_as_any_other(name, moves, seat, ways):
    game = load(name)
    position = game.start().play(moves.split())
    draws, counts = 2400, {}
    for seed in range(draws):
        text = position.deal(seat, seed).text()
        counts[text] = counts.get(text, 0) + 1
    assert ways is None or len(counts) == ways
    assert fits(counts, dict.fromkeys(counts, draws / len(counts)))
    assert all(game.position(text).observe(seat) == position.observe(seat) for text in counts)


@pytest.mark.parametrize(("moves", "seat"), [("AKs QQ push", 1), ("72o AA push", 1), ("22 A2s", 0)])
def test_hands_of_push_or_fold_are_dealt_as_often_as_two_real_hands_come_together(moves, seat):
    """The other's class weighs as many pairs of cards as are left beside one's own."""
    deck = [(rank, suit) for rank in range(13) for suit in range(4)]
    ranks = "23456789TJQKA"

    def class_of(one, two):
        high, low = max(one, two), min(one, two)
        return ranks[high[0]] + ranks[low[0]] + ("" if high[0] == low[0] else "s" if high[1] == low[1] else "o")

    position = load("push or fold").start().play(moves.split())
    mine = next(pair for pair in itertools.combinations(deck, 2) if class_of(*pair) == moves.split()[seat])
    ways = {}
    for pair in itertools.combinations([card for card in deck if card not in mine], 2):
        ways[class_of(*pair)] = ways.get(class_of(*pair), 0) + 1
    draws, counts = 6000, {}
    for seed in range(draws):
        theirs = position.deal(seat, seed).text().split()[1 - seat]
        counts[theirs] = counts.get(theirs, 0) + 1
    assert fits(counts, {each: draws * n / 1225 for each, n in ways.items()})


@kernel
def count_deals(deals, cards, counts, source):
    for _ in range(deals):
        deal_cards(cards, source)
        for k in range(9):
            counts[k, cards[k]] += 1


def test_training_deals_every_card_to_every_place():
    counts = np.zeros((9, 52), np.int64)
    count_deals(20_000, np.zeros(9, np.int64), counts, random_source(3))
    for place in counts:
        assert fits(dict(enumerate(place)), dict.fromkeys(range(52), 20_000 / 52))


def test_hidden_hands_of_holdem_are_dealt_evenly():
    position = load("hold'em:kind=limit").position("AcAd KcKd | c")
    counts = dict.fromkeys(range(52), 0)
    for seed in range(1500):
        record = position.game.record(position.deal(0, seed).state)
        for card in record["hands"][1]:
            counts[int(card) - 1] += 1
    mine = [int(card) - 1 for card in position.game.record(position.state)["hands"][0]]
    assert all(counts.pop(card) == 0 for card in mine)
    assert fits(counts, dict.fromkeys(counts, 3000 / 50))


def test_sampled_equities_meet_the_exact_ones():
    exact = equity(["AhKh", "QsQd", "7c2d"], "Kd8s3c")
    drawn = equity(["AhKh", "QsQd", "7c2d"], "Kd8s3c", samples=200_000, seed=4)
    assert exact.exact and not drawn.exact
    assert np.abs(np.array(exact.equities) - drawn.equities).max() < 4 * 0.5 / math.sqrt(200_000) + 1e-3


PAIRS = [("kuhn poker", "Q J pass bet", "Q K pass bet"), ("leduc poker", "Kh Js raise call Jh", "Kh Qs raise call Jh"),
         ("liar's dice", "2 6 1x2 1x3", "2 1 1x2 1x3")]


@pytest.mark.parametrize(("name", "one", "two"), PAIRS)
@pytest.mark.parametrize("who", ["random:seed=3", "engine:ismcts,simulations=400,seed=2", "policy"])
def test_no_player_uses_what_it_cannot_see(name, one, two, who, tmp_path):
    """The hidden part is exchanged: the same seed takes the same action for the same reasons."""
    game = load(name)
    if who == "policy":
        solver = RegretSolver(game)
        solver.advance(20)
        solver.policy().save(tmp_path / "policy.json")
        who = f"policy:{tmp_path / 'policy.json'}"
    told = []
    for moves in (one, two):
        position = game.start().play(moves)
        mover = player(who, seed=1)
        told.append((mover.choose(position), None if mover.last is None else mover.last.choices))
    assert told[0] == told[1]


@pytest.mark.parametrize(("name", "one", "two"), PAIRS)
def test_resolving_begins_from_what_all_know(name, one, two):
    first, second = (public_roots(load(name).start().play(moves), 40) for moves in (one, two))
    assert first == second and sum(share for _, share in first) == pytest.approx(1)


def test_the_shooter_does_not_see_the_ships():
    game = load("battleships:width=5,height=5,fleet=3-2")
    for one, two in itertools.pairwise(["c3-e3 a1-b1", "c3-c5 a1-a2", "c2-c4 e4-e5"]):
        told = []
        for fleet in (one, two):
            position = game.start().play(["a1-c1", "a3-b3", *fleet.split(), "c3"]).play(["e5"])
            shooter = player("shooter", seed=5)
            told.append((shooter.choose(position), shooter.last.choices))
        assert told[0] == told[1]


def test_a_policy_refuses_rules_that_have_changed(tmp_path):
    text = (Path(__file__).parent / "three_card_guess.py").read_text(encoding="utf-8")
    file = tmp_path / "three_card_guess.py"
    file.write_text(text, encoding="utf-8")
    solver = RegretSolver(load(str(file)))
    solver.advance(5)
    policy = solver.policy()
    policy.check(load(str(file)))
    assert "return -2 if" in text
    file.write_text(text.replace("return -2 if player == odd else 1", "return -1 if player == odd else 0.5"), encoding="utf-8")
    with pytest.raises(OutplayError, match="have changed since"):
        policy.check(load(str(file)))


def test_policies_are_compared():
    kuhn = load("kuhn poker")
    good, poor = RegretSolver(kuhn), RegretSolver(kuhn)
    good.advance(4000)
    poor.advance(1)
    one, two = good.policy(), poor.policy()
    same = compare(kuhn, one, one)
    assert same.distance == 0 and sum(same.wins) == pytest.approx(0) and same.wins[0] == pytest.approx(-1 / 18, abs=1e-3)
    found = compare(kuhn, one, two)
    assert sum(found.wins) > 0 and found.exploitabilities[0] < 1e-2 < found.exploitabilities[1]
    apart = one.differences(two)
    assert set(apart) == set(one.answers) and list(apart.values()) == sorted(apart.values(), reverse=True)
    with pytest.raises(OutplayError, match="cannot be compared"):
        one.differences(RegretSolver(load("rock-paper-scissors")).policy())
