"""The flop of limit hold'em, cut at the turn: what lies beyond is worth what the exact trees say, and thinking again gains."""

import numpy as np
import pytest

from outplay.cards import cards
from outplay.experts.poker.flop import Flop, beyond, going_on, on_the_river
from outplay.experts.poker.limit import HoldemSolver
from outplay.experts.poker.rest import Rest, hand_number
from outplay.game import load
from outplay.players import player

FLOPPED = cards("2h7s9d")


@pytest.fixture(scope="module")
def trained():
    solver = HoldemSolver(load("hold'em:kind=limit"), seed=1)
    solver.advance(3000)
    return solver


def row_of(flop, text):
    return int(np.flatnonzero(flop.tree.numbers == hand_number(cards(text)))[0])


@pytest.fixture(scope="module")
def flop(trained):
    return Flop(trained, (1, 1), FLOPPED, seat=0, ways=2, rivers=1)


def test_the_betting_on_the_river_is_worth_what_its_exact_tree_says(trained):
    board = (*FLOPPED, *cards("Jh3s"))
    rest = Rest(trained, (1, 1, 1, 1, 1, 1), board)
    shown, folded = on_the_river(trained, rest.root, 1, 0)
    hands, buckets, start = rest.tree.numbers, rest.bucket(board), rest.tree.start
    ranks = rest._ranks(board, hands, np.ones(len(hands), bool))
    mine = buckets[hands]
    held = rest.tree.cards
    apart = ~(held[:, None, :, None] == held[None, :, None, :]).any(axis=(2, 3))
    worth = (shown[np.ix_(mine, mine)] * np.sign(ranks[:, None] - ranks) + folded[np.ix_(mine, mine)]) * apart
    exact = rest.public.evaluate(rest.trained())[0]
    assert start[0] @ worth @ start[1] / (start[0] @ apart @ start[1]) == pytest.approx(exact[0], abs=1e-6)


def test_all_that_can_happen_on_the_turn_sums_to_one(trained):
    """Nine ends of the betting lead to the river; with those that folded they are everything, for each pair of buckets."""
    root = trained.betting.index[1, 1, 1, 1]
    ends, early = going_on(trained, root, 1, 0)
    on = sum(np.outer(mine, theirs) for _, mine, theirs in ends)
    assert len(ends) == 9 and (on > 0).all() and (on < 1 + 1e-9).all() and (np.abs(early) <= 14 * (1 - on) + 1e-9).all()
    leaning = beyond(trained, [root], 1, 4)
    assert leaning.mine.shape == (4, 9, 60) and (leaning.mine == leaning.mine[0]).all()  # seat 0 goes on as trained
    assert not np.allclose(leaning.theirs[0], leaning.theirs[3])
    checked = [node for node, _, _ in ends].index(trained.betting.index[1, 1, 1, 1, 1, 1])
    assert leaning.theirs[3, checked].mean() < leaning.theirs[0, checked].mean() < leaning.theirs[2, checked].mean()


def test_the_tree_ends_where_the_turn_comes(flop):
    assert flop.tree.nodes == 27 + 2 * 9 and flop.tree.hands == 49 * 48 // 2 and len(flop.tree.tables) == 1 + 2 * 2 * 9
    values, best = flop.public.evaluate(flop.trained())
    assert sum(values) == pytest.approx(0, abs=1e-4) and best[0] > values[0] and best[1] > values[1]
    assert not flop.tree.tables[:, np.eye(flop.tree.hands, dtype=bool)].any()  # nobody meets its own cards
    better = flop.tree.tables[1, row_of(flop, "9h9c"), row_of(flop, "4s3s")]
    assert better > 1  # three nines against nothing: chips of a pot of 4


def test_thinking_again_concedes_no_more(flop):
    before = flop.public.evaluate(flop.trained())[1][1]
    numbers, done = flop.think(0, iterations=60)
    assert done == 60 and flop.public.evaluate(numbers)[1][1] < before - 0.02
    mixtures = flop.mixtures(numbers, 0)
    assert mixtures.sum(axis=0) == pytest.approx(1)


def test_no_more_rivers_are_looked_at_when_the_time_is_over(trained):
    hurried = Flop(trained, (1, 1), FLOPPED, seat=0, ways=1, rivers=1, until=0.0)
    met = hurried.tree.tables[1, row_of(hurried, "AcAd"), row_of(hurried, "KcKd")]
    assert met == pytest.approx(2 * 0.82, abs=0.1)  # what the cards alone are worth, pot of 4


def test_the_player_thinks_on_the_flop_where_it_may(trained, tmp_path, monkeypatch):
    asked = []

    class Quick(Flop):
        def __init__(self, *given, **options):
            asked.append(options["seat"])
            super().__init__(*given, **{**options, "ways": 1, "rivers": 1, "until": 0.0})

        def think(self, seat, **limits):
            return super().think(seat, iterations=2)

    monkeypatch.setattr("outplay.experts.poker.resolver.Flop", Quick)
    trained.save(tmp_path / "limit.npz")
    position = load("hold'em:kind=limit").position("AcAd KcKd | c c | 2h7s9d")
    hasty = player(f"resolve:policy={tmp_path / 'limit.npz'},time=0.1")
    assert hasty.choose(position.observe(position.player())) in position.actions() and not asked
    patient = player(f"resolve:policy={tmp_path / 'limit.npz'},time=600")
    patient.choose(position.observe(position.player()))
    assert asked == [position.player()] and patient.last.facts["iterations"] == 2
    assert sum(choice.share for choice in patient.last.choices) == pytest.approx(1)
    monkeypatch.setattr("outplay.experts.poker.resolver.FLOP", 1e-9)
    late = player(f"resolve:policy={tmp_path / 'limit.npz'},time=0.001")  # the tables take longer than that: as trained
    late.choose(position.observe(position.player()))
    assert late.last.facts["iterations"] == 0 and sum(choice.share for choice in late.last.choices) == pytest.approx(1)
