"""The rules of bridge: against OpenSpiel's, published scores, and the textbook on small decks."""

from __future__ import annotations

import random

import pytest

from outplay.conformance import check_game
from outplay.errors import OutplayError
from outplay.experts.bridge.double_dummy import DoubleDummy
from outplay.experts.bridge.teams import start_of
from outplay.game import load
from outplay.games.bridge.scoring import IMP_STEPS, imps, matchpoints, score
from outplay.textbook.alphabeta import alphabeta
from tests.experts.bridge.deals import random_hands

PUBLISHED = [  # level, strain, doubled, vulnerable, tricks, points: as the tables of the laws and of scoring cards have them
    (1, 0, 0, 0, 7, 70), (1, 4, 0, 0, 7, 90), (2, 3, 0, 1, 8, 110), (3, 4, 0, 0, 9, 400), (3, 4, 0, 1, 9, 600),
    (4, 2, 0, 0, 10, 420),
    (4, 3, 0, 1, 11, 650), (5, 0, 0, 1, 11, 600), (6, 4, 0, 0, 12, 990), (6, 1, 0, 1, 12, 1370), (7, 4, 0, 1, 13, 2220),
    (7, 3, 0, 0, 13, 1510), (1, 0, 1, 0, 7, 140), (2, 2, 1, 0, 8, 470), (2, 2, 1, 1, 9, 870), (1, 4, 2, 0, 7, 560),
    (4, 3, 2, 1, 10, 1080),
    (7, 4, 2, 1, 13, 2980), (3, 4, 0, 0, 8, -50), (3, 4, 0, 1, 7, -200), (4, 3, 1, 0, 9, -100), (4, 3, 1, 0, 8, -300),
    (4, 3, 1, 0, 7, -500), (4, 3, 1, 0, 6, -800), (4, 3, 1, 1, 9, -200), (4, 3, 1, 1, 8, -500), (7, 4, 2, 1, 0, -7600),
    (7, 0, 1, 0, 0, -3500),
]  # fmt: skip


def test_published_scores() -> None:
    for level, strain, doubled, vulnerable, tricks, points in PUBLISHED:
        assert score(level, strain, tricks, doubled=doubled, vulnerable=bool(vulnerable)) == points
    assert [imps(step) for step in IMP_STEPS] == list(range(1, 25)) and imps(-10) == 0 and imps(9999) == 24
    assert matchpoints([100, 100]) == [0.5, 0.5]


def test_every_contract_against_endplay() -> None:
    types = pytest.importorskip("endplay.types")
    denoms = (types.Denom.clubs, types.Denom.diamonds, types.Denom.hearts, types.Denom.spades, types.Denom.nt)
    penalties = (types.Penalty.passed, types.Penalty.doubled, types.Penalty.redoubled)
    for level in range(1, 8):
        for strain, denom in enumerate(denoms):
            for doubled, penalty in enumerate(penalties):
                for vulnerable, vul in ((False, types.Vul.none), (True, types.Vul.both)):
                    for tricks in range(14):
                        theirs = types.Contract(level=level, denom=denom, declarer=types.Player.north, penalty=penalty,
                                                result=tricks - 6 - level).score(vul)
                        assert score(level, strain, tricks, doubled=doubled, vulnerable=vulnerable) == theirs


def test_random_games_against_open_spiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs_game = pyspiel.load_game("bridge(use_double_dummy_result=false)")
    ours_game = load("bridge", compiled=False)
    source = random.Random(8)
    for _ in range(8):
        deck = list(range(52))
        source.shuffle(deck)
        theirs = theirs_game.new_initial_state()
        owner = {}
        for number, card in enumerate(deck):
            theirs.apply_action(card)
            owner[card] = number % 4
        ours = ours_game.start()
        for card in range(52):
            ours = ours.result(owner[card])
        while not theirs.is_terminal():
            assert sorted(ours.actions()) == sorted(theirs.legal_actions())
            assert ours.player() == theirs.current_player()
            passes = 52 in ours.actions() and source.random() < 0.6
            action = 52 if passes else source.choice(ours.actions())
            ours = ours.result(action)
            theirs.apply_action(action)
        assert ours.is_terminal() and list(ours.utilities()) == theirs.returns()


@pytest.mark.parametrize("name", ("bridge:ranks=2", "bridge:ranks=3,phase=play,contract=1NT,open=yes,count=tricks"))
def test_promises(name: str) -> None:
    check_game(load(name, compiled=False), games=2)


def test_open_play_against_the_textbook() -> None:
    source = random.Random(4)
    game = load("bridge:ranks=2,phase=play,contract=1H,declarer=W,open=yes,count=tricks", compiled=False)
    for _ in range(6):
        deck = [16 * suit + rank for suit in range(4) for rank in (11, 12)]
        source.shuffle(deck)
        hands = [1 << deck[2 * seat] | 1 << deck[2 * seat + 1] for seat in range(4)]
        position = game.start()
        for card in range(8):
            position = position.result(next(s for s in range(4) if hands[s] >> (16 * (card % 4) + 11 + card // 4) & 1))
        north_south = DoubleDummy(hands).tricks("H", "N")
        assert alphabeta(position).value == 2 * north_south - 2  # North is to move: tricks of the side less the others'


def test_texts_go_round_and_bad_ones_are_told() -> None:
    game = load("bridge", compiled=False)
    position = game.position("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3").play("pass pass pass 1S")
    assert game.position(position.text()) == position
    for wrong in ("N:QJ6.K652.J85.T98", position.text() + " 1C", position.text().replace("QJ6", "QJ66")):
        with pytest.raises(OutplayError):
            game.position(wrong)
    assert random_hands(random.Random(1))


def test_every_action_is_below_the_policy_size() -> None:
    game = load("bridge", compiled=False)
    last = game.position(str(start_of(1, 1).text())).play("7NT")
    assert game.rules.policy_size == 90 and max(start_of(1, 1).actions()) == 89 and max(last.actions()) < 90
