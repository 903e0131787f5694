"""A fault is said if and only if value was lost: in worlds that are solved exactly, by another way than the judge's."""

import random

import pytest

from outplay.game import load
from outplay.judge.review import review, steps
from outplay.judge.shares import Fit
from outplay.judge.verdicts import FAULTS
from outplay.judge.worth import Judge
from outplay.players.solving import scores

BAD = ("mistake", "blunder")


def a_game(position, seed):
    """A random game from a position on, as texts."""
    source, texts = random.Random(seed), []
    while not position.is_terminal():
        action = source.choice(position.actions())
        texts.append(position.action_text(action))
        position = position.result(action)
    return texts


def late(name, plies, seed):
    """A position so many random plies into a game, which is not over yet."""
    while True:
        position, source = load(name).start(), random.Random(seed)
        for _ in range(plies):
            if position.is_terminal():
                break
            position = position.result(source.choice(position.actions()))
        if not position.is_terminal():
            return position
        seed += 1000


def values_lost(start, texts):
    """What each move gave away, each action of each position solved on its own."""
    lost, position = [], start
    for text in texts:
        action, mover = position.parse_action(text), position.player()
        worth = scores(position)
        own = {each: value if mover == 0 else -value for each, value in worth.items()}
        lost.append(max(own.values()) - own[action])
        position = position.result(action)
    return lost


WORLDS = {
    "tic-tac-toe": (0, 4), "connect four:width=5,height=4": (4, 3), "connect four": (22, 2), "isolation:width=4,height=4": (6, 3),
    "othello": (48, 2), "othello:size=4": (0, 3), "nim": (0, 5),
}  # fmt: skip


@pytest.mark.parametrize("name", WORLDS)
def test_a_mistake_is_said_if_and_only_if_value_was_lost(name):
    plies, games = WORLDS[name]
    judged = 0
    for seed in range(games):
        start = late(name, plies, seed)
        texts = a_game(start, seed)
        told = review(start, texts, nodes=20_000)
        for move, lost in zip(told.moves, values_lost(start, texts), strict=True):
            assert move.proved and abs(move.loss - lost) < 1e-9, (start.text(), move)
            assert (move.verdict in BAD) == (lost > 0) and (move.verdict in FAULTS) == (lost > 0), (start.text(), move)
            assert move.verdict != "forced" or lost == 0
            judged += 1
    assert judged >= games


def test_the_only_action_that_holds_is_called_so():
    told = review(load("tic-tac-toe").start(), ["a1", "b2", "c3", "a2"])
    assert [move.verdict for move in told.moves][1] == "only move"  # against a corner, the centre alone
    assert told.moves[0].verdict == "best"


@pytest.mark.parametrize("name", ["kuhn poker", "leduc poker"])
def test_poker_is_judged_by_what_the_mover_could_see(name):
    game = load(name)
    bad = {}
    for seed in range(24 if name == "kuhn poker" else 6):
        position, source, texts = game.start(), random.Random(seed), []
        while not position.is_terminal():
            action = position.sample_chance(seed) if position.is_chance() else source.choice(position.actions())
            texts.append(position.action_text(action))
            position = position.result(action)
        here, moves = game.start(), {move.ply: move for move in review(game.start(), texts).moves}
        for ply, text in enumerate(texts):
            if ply in moves:
                view = here.observe(here.player()).text()
                told = moves[ply].verdict in BAD, round(moves[ply].loss, 6)
                assert bad.setdefault((view, text), told) == told  # what cannot be seen makes no difference
                assert (moves[ply].loss > 0) == (moves[ply].verdict in BAD)
            here = here.play([text])
    if name == "kuhn poker":  # what is known of it: the jack never calls, the king always does
        assert bad.get(("?J b", "bet"), (True, 0))[0] and not bad.get(("?J b", "pass"), (False, 0))[0]
        assert bad.get(("?K b", "pass"), (True, 0))[0] and not bad.get(("?K b", "bet"), (False, 0))[0]
        assert not any(wrong for (view, _), (wrong, _) in bad.items() if view == "J?")  # the jack may bluff or not



def test_bear_offs_and_slippery_ground_are_counted_out_to_the_end():
    """Chance is no excuse: what a move loses is what its mean falls by, over all rolls, as the textbook counts it."""
    slippery = load("isolation", width=3, height=2, sloppy=0.5).start().play("a1 c2")
    race = load("backgammon").start()
    source, past = random.Random(1), []
    while not race.is_terminal():
        past.append(race)
        race = race.result(race.sample_chance(source.randrange(1 << 30)) if race.is_chance() else source.choice(race.actions()))
    for start, nodes in ((slippery, 200_000), (past[-3], 60_000)):
        judge, worth = Judge(start.game, nodes, fit=Fit()), scores(start)
        sign = 1 if start.player() == 0 else -1
        best = max(sign * value for value in worth.values())
        for action, value in worth.items():
            move = review_one(judge, start, action)
            assert move.proved and abs(move.loss - (best - sign * value)) < 1e-6
            assert (move.verdict in BAD) == (best - sign * value > 1e-9)


def review_one(judge, start, action):
    return next(one for one in steps(start, [start.action_text(action)], judge) if hasattr(one, "verdict"))
