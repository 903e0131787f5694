"""Hands and ranges: strengths against two other programs, all hands by class, equities by hand, and the GPU's kernels simulated."""

import itertools
import json
import os
import random
import subprocess
import sys

import numpy as np
import pytest

from outplay.cards import card_text, cards
from outplay.compiling import gpu
from outplay.errors import OutplayError
from outplay.experts.poker.equity import count_classes, equity
from outplay.games.holdem.evaluator import CLASSES, STRONGEST, class_of, in_words, strength, strengths
from outplay.games.holdem.preflop import EQUITIES, WEIGHTS
from outplay.games.holdem.ranges import CLASS_SIZES, HANDS, class_text, hands_of


def random_hands(count, seed=1):
    rng = np.random.default_rng(seed)
    return np.argpartition(rng.random((count, 52)), 7, axis=1)[:, :7].astype(np.uint8)


def test_strengths_are_phevaluators_and_treys():
    phevaluator, treys = pytest.importorskip("phevaluator"), pytest.importorskip("treys")
    hands = random_hands(3000)
    found = strengths(hands)
    other = treys.Evaluator()
    for hand, value in zip(hands.tolist(), found.tolist(), strict=True):
        assert value == strength(hand) == STRONGEST + 1 - phevaluator.evaluate_cards(*hand)
        theirs = [treys.Card.new(card_text(card)) for card in hand]
        assert value == STRONGEST + 1 - other.evaluate(theirs[:5], theirs[5:])


def test_five_and_six_cards_are_phevaluators():
    phevaluator = pytest.importorskip("phevaluator")
    source = random.Random(2)
    for count in (5, 6):
        for _ in range(200):
            hand = source.sample(range(52), count)
            assert strength(hand) == STRONGEST + 1 - phevaluator.evaluate_cards(*hand)


def test_every_straight_flush_and_every_suit():
    for suit in range(4):
        for top in range(3, 13):
            ranks = [12, 0, 1, 2, 3] if top == 3 else range(top - 4, top + 1)
            hand = [4 * rank + suit for rank in ranks]
            rest = [card for card in range(52) if card not in hand and card % 4 != suit][:2]
            assert class_of(int(strengths([hand + rest])[0])) == 8


def test_all_hands_by_class():
    assert count_classes(2) == (23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584)


def test_words():
    said = {cards_: in_words(strength(cards(cards_))) for cards_ in ("AhKhQhJhTh", "5h4h3h2hAh", "KhKdKs2c2d", "6h6d6s6c2d",
                                                                     "AhKdJs9c2d")}
    assert list(said.values()) == ["royal flush", "straight flush, five high", "full house, kings full of deuces",
                                   "four of a kind, sixes", "ace high"]
    assert len(CLASSES) == 9


def test_equity_is_what_counting_by_hand_gives():
    """All turn and river cards on a flop, hands compared by the slow evaluator."""
    board, hands = cards("Kh7h2c"), (cards("AhQh"), cards("KdJc"), cards("2s2d"))
    deck = [card for card in range(52) if card not in board and not any(card in hand for hand in hands)]
    pots = np.zeros(3)
    sample = random.Random(1).sample(list(itertools.combinations(deck, 2)), 150)
    runs = [(*board, *rest) for rest in sample]
    for run in runs:
        values = [strength((*hand, *run)) for hand in hands]
        best = max(values)
        pots += [(value == best) / values.count(best) for value in values]
    ours = np.array([equity(["AhQh", "KdJc", "2s2d"], run).equities for run in runs]).sum(axis=0)
    assert ours == pytest.approx(pots)


def test_ranges_meet_as_their_hands_do_one_by_one():
    flop = "Kh7h2c"
    for first, second in (("QQ+,AKs", "JTs,99-77"), ("random", "A5s-A2s")):
        whole = equity([first, second], flop)
        won = total = 0.0
        mine, theirs = hands_of(first), hands_of(second)
        for one in random.Random(4).sample(mine, min(len(mine), 12)) if first == "random" else mine:
            fits = [hand for hand in theirs if not set(hand) & (set(one) | set(cards(flop)))]
            if fits and not set(one) & set(cards(flop)):
                found = equity([[one], theirs], flop)
                won, total = won + found.equities[0] * len(fits), total + len(fits)
        assert whole.exact and whole.equities[0] == pytest.approx(won / total, abs=1e-9 if first != "random" else 0.2)


def test_sampled_is_exact_within_its_errors():
    exact, drawn = equity(["AhKh", "QsQd"]), equity(["AhKh", "QsQd"], samples=300_000, seed=4)
    assert not drawn.exact and abs(exact.equities[0] - drawn.equities[0]) < 4.5 * drawn.errors[0]
    ranges = equity(["22+", "ATs+"], "Kh7h2c"), equity(["22+", "ATs+"], "Kh7h2c", samples=300_000, seed=5)
    assert abs(ranges[0].equities[0] - ranges[1].equities[0]) < 4.5 * ranges[1].errors[0]


def test_the_table_before_the_flop():
    assert np.allclose(EQUITIES + EQUITIES.T, 1.0) and CLASS_SIZES.sum() == len(HANDS) == 1326
    assert WEIGHTS.sum() == 1326 * 1225
    names = [class_text(number) for number in range(169)]
    for first, second in (("AA", "KK"), ("AKs", "QQ"), ("72o", "A5s")):
        i, j = names.index(first), names.index(second)
        assert EQUITIES[i, j] == pytest.approx(equity([first, second]).equities[0], abs=1e-12)


@pytest.mark.parametrize(("text", "count"), [("22+", 78), ("ATs+", 16), ("KQo", 12), ("AK", 16), ("76s-54s", 12), ("88-55", 24),
                                             ("A5s-A2s", 16), ("AhKh,AhKh", 1), ("random", 1326), ("QQ+ AKs", 22), ("tts", 0)])
def test_ranges(text, count):
    if count:
        assert len(hands_of(text)) == count
    else:
        with pytest.raises(OutplayError, match="expected hands"):
            hands_of(text)


@pytest.mark.parametrize(("stack", "pushed", "called"), [(5, 0.7149, 0.6207), (10, 0.5829, 0.3738), (15, 0.4566, 0.2855)])
def test_push_or_fold_is_as_published(stack, pushed, called):
    from outplay.engine.regret.equilibrium import RegretSolver
    from outplay.game import load

    solver = RegretSolver(load(f"push or fold:stack={stack}"), "cfr+")
    report = solver.run(4000, target=1e-6)
    assert report.exploitability < 1e-4 / 2
    shares = [0.0, 0.0]
    for player, view, mixture, _ in solver.table():
        record = solver.game.record(view.state)
        shares[player] += CLASS_SIZES[int(record["first" if player == 0 else "second"]) - 1] / 1326 * mixture[1]
    assert shares == pytest.approx([pushed, called], abs=0.002)


SIMULATED = """
import json
from outplay.experts.poker import equity_cuda
equity_cuda.BLOCK, equity_cuda.BLOCKS_PER_PROCESSOR = 4, 1
from outplay.experts.poker.equity import equity
found = equity(["AhKh", "QsQd"], "QhJhTh2c", samples=60, device="cuda", seed=1)
print(json.dumps([found.equities, found.device, equity_cuda.random_hands(40, seed=1)[:2]]))
"""


def test_the_kernels_for_a_gpu_in_the_simulator():
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", SIMULATED], env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
                          capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-2000:]
    equities, device, (count, mean) = json.loads(done.stdout)
    assert equities == [1.0, 0.0] and device == "cuda" and count == 40 and 1000 < mean < 6000  # a royal flush stands already


@pytest.mark.skipif(not gpu.available(), reason="needs a GPU")
@pytest.mark.parametrize(("hands", "board"), [(["AhKh", "QsQd"], ""), (["22+,ATs+", "random"], "Kh7h2c"),
                                               (["AA", "KQs", "76s"], "Kd7h2c")])
def test_the_sampler_on_a_gpu_deals_as_chance_does(hands, board):
    """Against exact enumeration (three hands: against the processor's sampler): within four standard errors, wins and ties too."""
    drawn = equity(hands, board, samples=4_000_000, device="cuda", seed=5)
    known = equity(hands, board) if len(hands) == 2 else equity(hands, board, samples=4_000_000, seed=6)
    assert drawn.device == "cuda" and drawn.deals == 4_000_000
    for k in range(len(hands)):
        error = (drawn.errors[k] ** 2 + known.errors[k] ** 2) ** 0.5
        assert abs(drawn.equities[k] - known.equities[k]) < 4 * error < 0.01
        assert abs(drawn.wins[k] - known.wins[k]) < 4 * error and abs(drawn.ties[k] - known.ties[k]) < 4 * error
    again = equity(hands, board, samples=4_000_000, device="cuda", seed=7)
    assert again.equities != drawn.equities  # another seed deals other cards
