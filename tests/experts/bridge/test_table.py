"""Claims, the review of a board, calls in words, one plan for all deals, and the table in the terminal."""

from __future__ import annotations

import io
import random

import pytest

from outplay.errors import Unsuitable
from outplay.experts.bridge.double_dummy import Memory
from outplay.experts.bridge.table import calls_in_words, claim, diagram, replay, rest, result, review
from outplay.game import load
from outplay.games.bridge import DOUBLE, FIRST_BID, PASS, call_text
from outplay.games.bridge.bidding import bid_out, candidates, contract_of
from outplay.games.bridge.notation import card_text, hands_text, parse_hands
from outplay.players import player

MEMORY = Memory()


def short_deal(source: random.Random, ranks: int) -> str:
    cards = [16 * suit + rank for suit in range(4) for rank in range(13 - ranks, 13)]
    source.shuffle(cards)
    return hands_text([sum(1 << card for card in cards[seat * ranks : (seat + 1) * ranks]) for seat in range(4)])


def test_a_claim_holds_in_every_deal_that_fits() -> None:
    game = load("bridge", compiled=False, phase="play", contract="1NT", declarer="S", ranks=3)
    # West has all the clubs and leads one.
    board = game.position("N:.AKQ.. ..AKQ. AKQ... ...AKQ").play("CA")
    with pytest.raises(Unsuitable, match="from 0 to 3"):
        claim(board, 4, memory=MEMORY)
    assert not claim(board, 1, memory=MEMORY).accepted  # the clubs run
    assert claim(board, 0, memory=MEMORY).accepted
    lead = game.position("N:.AKQ.. ..AKQ. AKQ... ...AKQ")
    with pytest.raises(Unsuitable, match="only declarer"):
        claim(lead, 1, memory=MEMORY)


def test_a_refusal_tells_nothing_of_the_cards_that_declarer_does_not_see() -> None:
    game = load("bridge", compiled=False, phase="play", contract="1NT", declarer="S", ranks=4)
    source, told = random.Random(56), set()  # a deal in which the drawn layouts hold and the real one may not
    cards = [16 * suit + rank for suit in range(4) for rank in range(9, 13)]
    source.shuffle(cards)
    north, south, lead, others = cards[:4], cards[4:8], cards[8], cards[9:]
    for _ in range(12):  # whatever East and the rest of West hold, the answer is the same
        source.shuffle(others)
        hands = north, others[:4], south, [lead, *others[4:]]
        board = game.position(hands_text([sum(1 << card for card in hand) for hand in hands])).play(card_text(lead))
        told.add(tuple(claim(board, tricks, memory=MEMORY).accepted for tricks in range(5)))
    assert len(told) == 1


def test_who_may_claim_two_may_claim_one() -> None:
    game = load("bridge", compiled=False, phase="play", contract="1NT", declarer="S", ranks=3)
    source = random.Random(4)
    for _ in range(5):
        board = game.position(short_deal(source, 3))
        board = board.result(board.actions()[0])
        sure = [tricks for tricks in range(4) if claim(board, tricks, memory=MEMORY).accepted]
        assert sure and sure == list(range(len(sure)))


def test_review_and_rest_agree() -> None:
    source = random.Random(2)
    game = load("bridge", compiled=False, phase="play", contract="1H", declarer="W", ranks=4)
    board = game.position(short_deal(source, 4))
    for action in rest(board, memory=MEMORY):
        board = board.result(action)
    assert board.is_terminal()
    lessons = review(board, memory=MEMORY)
    assert len(lessons) == 16 and all(lesson.tricks == lesson.best for lesson in lessons)
    sides = {lesson.seat in ("North", "South"): lesson.tricks for lesson in lessons}
    assert sides[True] + sides[False] == 4
    assert {lesson.tricks for lesson in lessons if lesson.seat in ("East", "West")} == {sides[False]}  # nobody ever erred


def test_calls_in_words() -> None:
    game = load("bridge", compiled=False)
    board = game.position("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3").play("pass pass pass 1S")
    assert calls_in_words(board)[-1] == "West 1S: 12-21 points, 5 or more spades"


def test_calls_bid_to_the_end() -> None:
    assert call_text(contract_of([FIRST_BID + 3, PASS, FIRST_BID + 8, DOUBLE, PASS, PASS, PASS], 1)[0]) == "2S"
    assert contract_of([FIRST_BID + 3, PASS, FIRST_BID + 8, DOUBLE, PASS, PASS, PASS], 1)[1:] == (1, 1)
    assert contract_of([PASS] * 4, 0) is None
    hands = parse_hands("N:KQ942.A73.K6.AQ4 873.J96.AT74.T93 A5.T82.Q983.K765 JT6.KQ54.J52.J82")
    auction = bid_out(hands, [], 0)
    assert auction[-3:] == [PASS] * 3 and auction[0] == candidates(hands[0], [], 0)[0].call
    board = load("bridge", compiled=False).position(hands_text(hands))
    assert player("gib:bid=2").choose(board) in {rule.call for rule in candidates(hands[0], [], 0)}


def test_one_plan_as_a_player() -> None:
    source = random.Random(6)
    for declarer in "SW":
        game = load("bridge", compiled=False, phase="play", contract="1D", declarer=declarer, ranks=3)
        position = game.position(short_deal(source, 3))
        planner, others = player("gib:plan=3,deals=5"), player("kitchen")
        algorithms = set()
        while not position.is_terminal():
            declares = position.player() % 2 == ("SW".index(declarer))
            chosen = (planner if declares else others).choose(position)
            assert chosen in position.actions()
            if declares and planner.last is not None:
                algorithms.add(planner.last.algorithm)
            position = position.result(chosen)
        assert algorithms <= {"one plan for all deals that fit"}


def test_the_table_in_the_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from outplay.cli.app import run

    monkeypatch.setattr("sys.stdin", io.StringIO("calls\nwhy\nclaim\nclaim 3\nquit\n"))
    assert run(["play", "bridge", "--as", "East", "--seed", "3", "--against", "kitchen"]) == 0
    out = capsys.readouterr().out
    assert "you are East, against kitchen" in out and "West   North  East   South" in out
    assert "claim needs a number of tricks" in out and "only declarer may claim" in out and "points" in out


def test_the_result_as_the_score_sheet_says_it() -> None:
    game = load("bridge", compiled=False, phase="play", contract="1NT", declarer="S", ranks=2)
    lost = game.position("N:AK... ..AK. .AK.. ...AK").play("CA SK DK HK CK SA DA HA")
    assert result(lost) == "1NT by South, 2 down: 100 for East and West."
    won = game.position("N:A..A. K..K. .A..A .K..K").play("HK SA SK HA")
    assert "1NT by South; tricks: North-South 1, East-West 0" in diagram(won)
    assert result(won.play("CA CK DA DK")) == "1NT by South, just made: 90 for North and South."
    assert result(load("bridge", compiled=False, ranks=1).position("N:A... .A.. ..A. ...A").play("pass pass pass pass")) \
        == "Passed out: nobody scores."


def test_a_board_is_replayed_trick_by_trick(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from outplay.cli.app import run

    game = load("bridge", compiled=False, phase="play", contract="1H", declarer="S", ranks=3)
    board = game.position(short_deal(random.Random(3), 3))
    for action in rest(board, memory=MEMORY):
        board = board.result(action)
    tricks = replay(board, memory=MEMORY)
    assert [trick.number for trick in tricks] == [1, 2, 3] and sum(tricks[-1].won) == 3
    assert [len(trick.cards) for trick in tricks] == [4, 4, 4] and all(trick.before.actions() for trick in tricks)
    assert all(lesson.cards for trick in tricks for lesson in trick.cards)
    # South declares and plays dummy, too: three cards each, then the board is looked at again.
    first = game.position(short_deal(random.Random(3), 3))
    monkeypatch.setattr("sys.stdin", io.StringIO("claim 0\n\nb\n3\n9\nq\n"))
    assert run(["play", "bridge:phase=play,contract=1H,declarer=S,ranks=3", "--position", first.text(), "--as", "3", "--seed", "3",
                "--against", "kitchen"]) == 0
    out = capsys.readouterr().out
    assert "West leads" in out and "South, from North's hand:" in out and "1H by South, " in out
    assert "All hands as they were dealt" in out and "trick 1:" in out and "trick 3:" in out
    assert "expected Enter, b, q or a number from 1 to 3, got '9'" in out
