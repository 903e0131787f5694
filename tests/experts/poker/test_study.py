"""Poker studies against a slow reference that compares every pair of hands on every board, without a swap of suits."""

import numpy as np
import pytest

from outplay.cards import cards
from outplay.errors import BadNotation, BadValue, IllegalAction
from outplay.experts.poker.equity import equity
from outplay.experts.poker.study import look as looking
from outplay.experts.poker.study.betting import DEAL, DECIDE, FOLD, Betting, Sizes
from outplay.experts.poker.study.deals import Deals, parse_range
from outplay.experts.poker.study.kernels import BEST, LEARN, MEAN
from outplay.experts.poker.study.solver import Study
from outplay.games.holdem.evaluator import strengths

RIVER = {"board": cards("Qs Jh 2h 7c 3d"), "pot": 60, "stack": 100, "ranges": ("AA,KQs,T9s:0.5,76s", "KK,QJs,A5s,98s:0.25"),
         "sizes": "50,100:60"}
TURN = {"board": cards("Qs Jh 2h 7s"), "pot": 60, "stack": 100, "ranges": ("AcAd,T9s:0.5", "KcKd,98s"), "sizes": "60:a"}


def reference(study, seat, mode):
    """What a seat expects of the pot, pair by pair: its average strategy, or the best answer, against the other's average."""
    betting, deals = study.betting, study.deals
    mine, theirs = deals.cards[seat], deals.cards[1 - seat]
    signs = {}
    apart = 1.0 - (mine[:, None, :, None] == theirs[None, :, None, :]).any(axis=(2, 3))

    def value(line, forest, node, reach, board):
        tree, begin = betting.whole[forest], betting.bounds[forest][0]
        kind = tree.kind[node]
        if kind == FOLD:
            sign = -1 if tree.player[node] == seat else 1
            return sign * tree.amount[node] * (apart @ reach)
        if kind == DEAL:
            leaf = int(np.flatnonzero(tree.deals == node)[0])
            below, root = betting.below[forest][leaf]
            total = np.zeros(len(mine))
            for card in set(range(52)) - set(board):
                free = ~(theirs == card).any(axis=1)
                got = value([*line, card], below, root, reach * free, (*board, card))
                total += got * ~(mine == card).any(axis=1) / (52 - len(board) - 4)
            return total
        if kind != DECIDE:
            if board not in signs:
                ranks = [strengths(np.column_stack([np.tile(board, (len(each), 1)), each])).astype(int) for each in (mine, theirs)]
                signs[board] = np.sign(ranks[0][:, None] - ranks[1][None, :]) * apart  # hands that the board holds never count
            sign = signs[board]
            return tree.amount[node] * (sign @ reach)
        shares = shares_of(study, line)
        children = betting.children(begin + node)
        found = []
        for k, child in enumerate(children):
            after = reach * shares[k] if tree.player[node] != seat else reach
            found.append(value([*line, betting.label[child]], forest, child - begin, after, board))
        if tree.player[node] != seat:
            return np.sum(found, axis=0)
        return np.max(found, axis=0) if mode == BEST else (np.array(found) * shares).sum(axis=0)

    values = value([], 0, 0, deals.weights[1 - seat].astype(float), deals.board)
    return study.pot / 2 + values @ deals.weights[seat] / deals.pairs


def shares_of(study, line):
    """The average strategy in a place, in the hands as a person names them."""
    from outplay.cards import card_text

    way, _ = looking.follow(study, ",".join(card_text(each) if isinstance(each, int) else each for each in line))
    seat = int(study.betting.whole[way.forest].player[way.node])
    return looking.shares(study, way, seat)[:, np.argsort(looking.named(study, way, seat))]


@pytest.mark.parametrize(("spot", "bits"), [(RIVER, 32), (TURN, 16)], ids=["river", "turn"])
def test_values_and_best_answers_are_those_of_the_reference(spot, bits):
    study = Study(**spot, bits=bits)
    study.run(8)
    means, best = study.worth(MEAN), study.worth(BEST)
    for seat in (0, 1):
        assert means[seat] == pytest.approx(reference(study, seat, MEAN), abs=2e-3)
        assert best[seat] == pytest.approx(reference(study, seat, BEST), abs=2e-3)
        assert best[seat] > means[seat] - 1e-3
    assert sum(means) == pytest.approx(study.pot, abs=1e-3)


@pytest.mark.parametrize("bits", [32, 16])
def test_it_finds_an_equilibrium(bits):
    study = Study(**RIVER, bits=bits)
    report = study.run(2000, target=0.05)
    gains = sum(reference(study, seat, BEST) for seat in (0, 1)) - study.pot
    assert 0 <= gains / 2 / study.pot < 0.001
    assert report.exploitability == pytest.approx(100 * gains / 2 / study.pot, abs=0.01)


def test_suits_that_can_be_exchanged_change_no_value():
    even = Study(**TURN)
    weights = parse_range(TURN["ranges"][0])
    weights[weights > 0] *= 1 - 1e-7 * np.arange((weights > 0).sum())  # no suit is like another any more
    uneven = Study(**{**TURN, "ranges": (weights, TURN["ranges"][1])})
    assert len(even.deals.boards) < len(uneven.deals.boards) == 48
    assert even.run(30).values == pytest.approx(uneven.run(30).values, abs=0.02)
    for line in ("", "check, check, 4c", "check, check, 4d, check"):
        one, other = looking.look(even, line), looking.look(uneven, line)
        assert one.actions == other.actions
        assert one.played == pytest.approx(other.played, abs=0.01)
        assert one.worth == pytest.approx(other.worth, abs=0.05)


def test_equity_is_that_of_the_ranges():
    study = Study(cards("Qs Jh 2h"), pot=10, stack=0, ranges=("AA,KQs", "22+,A5s"))
    found = equity(["AA,KQs", "22+,A5s"], "QsJh2h", exact=True)
    assert study.equity() == pytest.approx(found.equities, abs=1e-6)
    assert study.worth() == pytest.approx([10 * each for each in found.equities], abs=1e-4)


def test_threads_change_nothing():
    spot = {"board": cards("Qs Jh 2h"), "pot": 60, "stack": 60, "ranges": ("AA,T9s", "KK,A5s"), "sizes": "100"}
    one, two = Study(**spot), Study(**spot, threads=2)
    assert one.run(2).values == two.run(2).values
    assert sum(one.worth()) == pytest.approx(60, abs=1e-3)
    view = looking.look(one, "check, check, 2c")
    assert view.street == "turn"
    assert view.actions == ("check", "all in")


FLOP = {"board": cards("Qs Jh 2h"), "pot": 60, "stack": 60, "ranges": ("AA,T9s", "KK,A5s"), "sizes": "100"}


def moved_from(study):
    """A copy of a study that walks over all boards at once."""
    copy = Study(study.deals.board, pot=study.pot, stack=study.stack, ranges=(study.whole_weights(0), study.whole_weights(1)),
                 sizes=study.sizes, device="torch")
    copy.begin()
    copy.stores = [each._replace(regrets=each.regrets.copy(), sums=each.sums.copy()) for each in study.stores]
    copy.iterations = study.iterations
    return copy


@pytest.mark.parametrize("spot", [RIVER, TURN, FLOP], ids=["river", "turn", "flop"])
def test_all_boards_at_once_are_worth_what_they_are_one_by_one(spot):
    pytest.importorskip("torch")
    study = Study(**spot)
    study.run(3)
    copy = moved_from(study)
    for mode in (MEAN, BEST):
        assert copy.worth(mode) == pytest.approx(study.worth(mode), abs=1e-3)
    fades = np.array([0.5, 0.5, 0.5], np.float32)
    for seat in (0, 1):
        copy = moved_from(study)
        assert np.allclose(study.walk(LEARN, seat, fades), copy.walk(LEARN, seat, fades), atol=1e-2)
        copy.walker.give()
        assert np.allclose(study.stores[seat].regrets, copy.stores[seat].regrets, atol=1e-2)
        assert np.allclose(study.stores[seat].sums, copy.stores[seat].sums, atol=1e-4)


def test_all_boards_at_once_find_an_equilibrium():
    pytest.importorskip("torch")
    study = Study(**RIVER, device="torch")
    study.run(600)
    gains = sum(reference(study, seat, BEST) for seat in (0, 1)) - study.pot
    assert 0 <= gains / 2 / study.pot < 0.002


def test_numbers_of_16_bits_stay_on_the_processor():
    pytest.importorskip("torch")
    with pytest.raises(BadValue, match="numbers of 32 bits"):
        Study(**RIVER, bits=16, device="torch")


def test_a_look_tells_what_each_action_is_worth():
    study = Study(**TURN)
    study.run(50)
    for line in ("", "check", "check, check, Ts", "bet 36, call, Kh, check"):
        view = looking.look(study, line)
        assert np.allclose(view.shares.sum(axis=0), 1, atol=1e-5)
        assert sum(view.played) == pytest.approx(1)
    assert looking.look(study, "").worth == pytest.approx(study.worth()[0], abs=1e-3)
    folded = looking.look(study, "bet 36")
    assert np.allclose(folded.worths[folded.actions.index("fold")][folded.weights > 0], 0, atol=1e-4)


def test_bets_are_rounded_capped_and_raised_by_the_pot_after_a_call():
    betting = Betting(180, 910, Sizes.parse("52:45 55:45 70:45"))
    forest = betting.whole[0]
    labels = [betting.label[child] for child in betting.children(0)]
    assert labels == ["check", "bet 94"]
    raised = betting.children(2)
    assert [betting.label[child] for child in raised] == ["fold", "call", "raise 260"]  # 94 + 0.45 * (180 + 2 * 94)
    assert sum(forest.kind == DEAL) == 9


@pytest.mark.parametrize(("change", "said"), [
    ({"board": cards("Qs Jh")}, "three to five different cards"),
    ({"ranges": ("QsJh", "AA")}, "the first range has no hand left"),
    ({"ranges": ("AhKh", "AhKd")}, "every pair of hands shares a card"),
    ({"ranges": ("AA:2", "KK")}, "a share from 0 to 1"),
    ({"sizes": "x"}, "expected sizes such as"),
    ({"pot": 0}, "a pot of 1 chip or more"),
    ({"bits": 8}, "16 or 32 bits"),
])
def test_what_cannot_be_is_refused(change, said):
    with pytest.raises((BadValue, BadNotation), match=said):
        Study(**{**TURN, **change})


@pytest.mark.parametrize(("line", "said"), [
    ("bet 1", "expected check or bet 36"), ("check, check", "the river comes next"), ("check, check, 7s", "not on the table"),
    ("bet 36, fold", "somebody has folded"), ("check, check, Kd, check, check", "the hands are shown"),
])
def test_a_line_that_is_not_there_is_refused(line, said):
    study = Study(**TURN)
    with pytest.raises((BadNotation, IllegalAction), match=said):
        looking.look(study, line)


def test_deals_count_the_boards():
    deals = Deals(cards("Qs Jh 2h"), parse_range("AA"), parse_range("KK"))
    total = sum((1 + len(turn.copies)) * (1 + len(copies)) for turn in deals.turns for _, copies in turn.rivers)
    assert total == 49 * 48
