"""Moves in games that hide something are judged by experts, from what their player could see."""

import random

import pytest

from outplay.game import load
from outplay.judge.hints import hint
from outplay.judge.review import review
from outplay.judge.worth import Judge
from outplay.players import player


def dealt(name, seed):
    """A game from its start on, with what chance brought, as texts."""
    position, texts, source = load(name).start(), [], random.Random(seed)
    while position.is_chance():
        outcome = position.sample_chance(source.randrange(1 << 30))
        texts.append(position.action_text(outcome))
        position = position.result(outcome)
    return position, texts


def test_a_slam_on_nothing_costs_imps_and_a_call_of_the_system_nothing():
    for seed in range(20):
        position, texts = dealt("bridge", seed)
        hand = position.observe(position.player()).text()
        told = review(load("bridge").start(), [*texts, "7NT"], nodes=1000, words=True)
        assert told.moves[-1].verdict == "blunder" and told.moves[-1].unit == "IMPs" and told.moves[-1].loss > 5, hand
        assert "7NT costs at least" in told.moves[-1].words and "IMPs" in told.moves[-1].words
        passed = review(load("bridge").start(), [*texts, "pass"], nodes=1000).moves
        if told.moves[-1].best == "pass":
            assert passed[-1].loss == 0 and passed[-1].verdict == "best"
            return
    raise AssertionError("in twenty deals nobody had a hand to pass with")


def test_a_card_is_judged_by_tricks_and_the_same_whatever_the_hidden_hands():
    position, texts = dealt("bridge:phase=play", 3)
    lead = position.action_text(position.actions()[0])
    whole = review(position.game.start(), [*texts, lead], nodes=1000).moves[-1]
    other = position.deal(position.player(), 5)
    assert other.observe(position.player()) == position.observe(position.player()) and other != position
    again = review(other, [lead], nodes=1000).moves[-1]
    assert whole.unit == "tricks" and (whole.best, whole.loss, whole.before) == (again.best, again.loss, again.before)


def test_to_fold_aces_is_a_fault():
    game = load("hold'em")
    position, texts = dealt("hold'em", 1)
    hand = position.game.record(position.state).hands[position.player()]
    assert all((int(card) - 1) // 4 == 12 for card in hand)
    raised = next(position.action_text(each) for each in position.actions() if position.action_text(each).startswith("r"))
    told = review(game.start(), [*texts, raised, "f"], nodes=1000).moves
    assert told[-2].loss == 0 and told[-2].verdict == "best" and told[-2].unit == "chips"
    folded = review(game.start(), [*texts, "f"], nodes=1000, words=True).moves[-1]
    assert folded.loss > 0 and folded.verdict not in ("best", "good") and "f costs at least" in folded.words
    assert [each["kind"] for each in folded.claims] == ["weighed", "price"]  # what the others may hold, and what staying in costs


def test_before_a_roll_a_position_is_worth_the_mean_over_the_rolls():
    position = load("backgammon").start()
    while not position.is_chance():
        position = position.result(position.actions()[0])
    judge = Judge(position.game, 2000)
    over, alike = judge._over_rolls(position, ()), judge.smaller(len(position.chances()))
    mean = sum(part * alike.after(position, roll).values[0] for roll, part in position.chances())
    assert abs(over.values[0] - mean) < 1e-9 and abs(over.values[0] + over.values[1]) < 1e-9


@pytest.mark.parametrize("seat", [0, 1])
def test_a_hint_for_a_shot_speaks_of_hits(seat):
    """Whoever shoots: the likeliest cell first, in hits and not in games won."""
    source, view = random.Random(4), load("battleships").start()
    for _ in range(30 + seat):
        view = view.result(source.choice(view.actions()))
    shooter = player("auto")
    shooter.choose(view)
    told = hint(view, shooter.last)
    values = [bar.value for bar in told.bars[1:]]  # the first is the network's choice, the others stand by their chance
    assert view.player() == seat and told.unit == "hits" and told.bars[0].words.endswith(" hits")
    assert values == sorted(values, reverse=True) and values[-1] >= 0 and told.bars[0].value > 0
