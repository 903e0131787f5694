"""Deals that fit, the bidding system, the players and team matches."""

from __future__ import annotations

import collections
import itertools
import json
import random
import time

import pytest

from outplay.errors import OutplayError
from outplay.experts.bridge.player import Board, Gib
from outplay.experts.bridge.teams import imps_a_board, start_of, team_match
from outplay.game import load
from outplay.games.bridge import AUCTION, PASS, call_text
from outplay.games.bridge.bidding import choose, explain, read
from outplay.games.bridge.fitting import Fit, Known, points
from outplay.games.bridge.notation import parse_hand
from outplay.players import player
from tests.experts.bridge.deals import random_hands


def all_deals(fit: Fit) -> list[tuple[int, ...]]:
    """Every deal of the unknown cards that fits, by trying all of them."""
    cards = [bit for bit in range(64) if fit.unknown >> bit & 1]
    found = []
    for owners in itertools.product(fit.seats, repeat=len(cards)):
        hands = {seat: sum(1 << card for card, owner in zip(cards, owners, strict=True) if owner == seat) for seat in fit.seats}
        for seat, known in fit.hands.items():
            lengths = [(hands[seat] >> 16 * suit & 0x1FFF).bit_count() for suit in range(4)]
            right = hands[seat].bit_count() == known.cards and known.points[0] <= points(hands[seat]) <= known.points[1]
            if not right or any(not a <= n <= b for a, n, b in zip(known.least, lengths, known.most, strict=True)):
                break
        else:
            found.append(tuple(hands[seat] for seat in fit.seats))
    return found


@pytest.mark.parametrize(
    "known",
    (
        {0: Known(3), 1: Known(3), 3: Known(3)},
        {0: Known(3, most=(0, 13, 13, 13)), 1: Known(3), 3: Known(3, least=(0, 0, 2, 0))},
        {0: Known(3, points=(4, 9)), 1: Known(3), 3: Known(3, most=(13, 13, 13, 1))},
    ),
)
def test_draws_are_even_over_all_deals_that_fit(known: dict[int, Known]) -> None:
    unknown = sum(0b111 << 16 * suit + 10 for suit in (0, 2, 3))
    fit = Fit(unknown, known)
    every = all_deals(fit)
    if all(each.points == (0, 40) for each in known.values()):
        assert fit.count() == len(every)
    source, seen, draws = random.Random(6), collections.Counter(), 20 * len(every)
    for _ in range(draws):
        hands, weight = fit.draw(source)
        assert weight == 1.0
        seen[tuple(hands[seat] for seat in fit.seats)] += 1
    assert set(seen) <= set(every)
    expected = draws / len(every)
    chi_squared = sum((seen[deal] - expected) ** 2 / expected for deal in every)
    freedom = len(every) - 1
    assert abs(chi_squared - freedom) < 5 * (2 * freedom) ** 0.5


def test_a_deal_that_fits_takes_one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the lengths are that others have shown; so thousands are drawn in a second."""
    position = start_of(1, 3)
    while position.actions() and Board(position).stage == AUCTION:
        position = position.result(choose(Board(position).hands[position.player()], Board(position).calls, 0).call)
    fit, source = Board(position.observe(position.player())).fit(use_auction=False), random.Random(1)
    tries, draw_lengths = [], fit.draw_lengths
    monkeypatch.setattr(fit, "draw_lengths", lambda source: tries.append(1) or draw_lengths(source))
    assert all(fit.draw(source)[1] == 1.0 for _ in range(500)) and len(tries) == 500


def test_the_rules_of_the_game_deal_evenly_too() -> None:
    game = load("bridge:ranks=3,phase=play,contract=1NT,declarer=S", compiled=False)
    position = game.position("N:AKQ... .AKQ.. ..AKQ. ...AKQ").play("CA SA")
    seen = collections.Counter(position.observe(0).deal(0, seed).text() for seed in range(300))
    assert all("| CA SA" in text for text in seen) and len(seen) > 50


@pytest.mark.parametrize(
    ("hand", "call"),
    (("KQ942.A73.K6.Q84", "1S"), ("KQ4.A73.KQ6.Q842", "1NT"), ("KQJ942.73.96.T84", "2S"), ("942.A73.K96.T842", "pass"),
     ("AKQ2.AKQ.AK6.Q84", "2C"), ("42.A73.KQ86.KJ84", "1D")),
)  # fmt: skip
def test_openings(hand: str, call: str) -> None:
    assert call_text(choose(parse_hand(hand), [], 0).call) == call


def test_every_call_keeps_its_promise_and_auctions_end() -> None:
    source = random.Random(2)
    for _ in range(60):
        hands, calls = random_hands(source), []
        while len(calls) < 4 or calls[-3:] != [PASS] * 3:
            seat = len(calls) % 4
            rule = choose(hands[seat], calls, 0)
            assert rule.promise.fits(hands[seat])
            calls.append(rule.call)
            assert len(calls) < 40
        assert len(explain(calls, 0)) == len(calls) and len(read(calls, 0)) == 4


def test_gib_decides_in_seconds_at_a_hundred_deals() -> None:
    game = load("bridge:ranks=4,phase=play,contract=1NT,declarer=S,dealer=N", compiled=False)
    position = game.position("N:AKQJ... .AKQJ.. ..AKQJ. ...AKQJ")
    assert Gib(5).choose(position) in position.actions()
    board = start_of(2, 7)
    middle = load("bridge", compiled=False, phase="play", contract="3NT", declarer="S").position(board.text())
    source = random.Random(1)
    for _ in range(20):
        middle = middle.result(source.choice(middle.actions()))
    gib = Gib(100, 60.0)
    gib.choose(middle)
    begun = time.process_time()
    gib.choose(middle)
    assert time.process_time() - begun < 5.0  # a fraction of a second where nothing else runs


def test_gib_plays_for_what_the_form_of_scoring_counts() -> None:
    """A greedy card gives an overtrick nine times in ten, else fails; a safe one always makes: greed is right for tricks alone."""
    board = Board(load("bridge", compiled=False, phase="play", contract="3NT", declarer="S").position(start_of(1, 1).text()))
    units = {"tricks": 1, "points": 31, "imps": 1, "contract": 0}
    for aim, overtrick in units.items():
        made, more, beaten = (board.value(tricks, 10, aim) for tricks in (9, 10, 8))
        assert round(more - made) == overtrick
        assert made > beaten and (aim != "contract" or round(made - beaten) == 1)
    likely = {aim: 0.9 * (board.value(10, 10, aim) - board.value(9, 10, aim))
              + 0.1 * (board.value(8, 9, aim) - board.value(9, 9, aim)) for aim in units}
    assert likely["tricks"] > 0 and likely["imps"] < 0 and likely["points"] < 0 and likely["contract"] < 0
    position = load("bridge:ranks=4,phase=play,contract=1NT,declarer=S,dealer=N", compiled=False).position(
        "N:AKQJ... .AKQJ.. ..AKQJ. ...AKQJ")
    for aim in units:
        assert player(f"gib:deals=3,aim={aim}").choose(position) in position.actions()
    with pytest.raises(OutplayError, match="aim"):
        player("gib:aim=fame")


def test_team_match() -> None:
    boards = list(team_match(player("kitchen"), player("kitchen"), boards=3, seed=1))
    assert [board.imps for board in boards] == [0, 0, 0] and imps_a_board(boards)[0] == 0
    with pytest.raises(OutplayError):
        player("gib:deals=x")


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    from outplay.cli.app import run

    assert run(["match", "bridge", "kitchen", "kitchen", "--boards", "2", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert len(answer["boards"]) == 2 and answer["imps"] == 0
    assert run(["match", "nim", "random", "random", "--boards", "2"]) == 2
