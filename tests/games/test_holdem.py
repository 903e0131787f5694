"""Hold'em: whole hands against pokerkit, side pots, histories in PHH, what a view hides, deals that are even."""

import random

import pytest

from outplay.conformance import check_game
from outplay.errors import OutplayError
from outplay.experts.poker import phh
from outplay.game import load


@pytest.mark.parametrize("name", ["hold'em:seats=3,stack=8-15-30,ante=1,kind=limit"])
def test_it_keeps_its_promises(name):
    check_game(load(name), games=3)


def random_hand(source):
    seats = source.choice([2, 2, 3, 4, 6])
    stacks = "-".join(str(source.randrange(5, 80)) for _ in range(seats))
    kind, ante = source.choice(["no-limit", "limit"]), source.choice([0, 0, 1])
    position = load("hold'em", seats=seats, kind=kind, stack=stacks, ante=ante).start()
    while not position.is_terminal():
        actions = position.actions()
        if not position.is_chance() and 0 in actions and source.random() < 0.7:  # few folds, many showdowns
            actions = [action for action in actions if action]
        position = position.result(source.choice(actions))
    return position


def test_whole_hands_are_pokerkits():
    """Random hands of two to six with unequal stacks: legal to pokerkit action by action, and paid out alike.

    Chips that do not divide go to the first seats, one each; pokerkit gives all of them to the first. Its reader pays only those
    who show their cards.
    """
    pokerkit = pytest.importorskip("pokerkit")
    source = random.Random(8)
    exact = 0
    for _ in range(25):
        position = random_hand(source)
        *_, state = pokerkit.HandHistory.loads(phh.write(position))
        paid = tuple(float(after - before) for after, before in zip(state.stacks, state.starting_stacks, strict=True))
        assert not state.status and sum(position.utilities()) == 0
        assert max(abs(mine - theirs) for mine, theirs in zip(position.utilities(), paid, strict=True)) <= 3, position.text()
        exact += paid == position.utilities()
    assert exact >= 22


def test_histories_go_round():
    source = random.Random(4)
    for _ in range(15):
        position = random_hand(source)
        text = phh.write(position)
        assert phh.read(text).utilities() == position.utilities() and phh.write(phh.read(text)) == text
        assert position.game.position(position.text()) == position


def test_a_hidden_hand_is_known_once_it_is_shown():
    position = load("hold'em").position("AcAd KcKd | c c | 2h7s9d c c | Jh c c | 3s c c")
    text = phh.write(position)
    assert '"p1 sm AdAc", "p2 sm KdKc"' in text or '"p1 sm AcAd", "p2 sm KcKd"' in text
    hidden = text.replace("d dh p1 " + text.split("d dh p1 ")[1][:4], "d dh p1 ????")
    assert phh.read(hidden).utilities() == position.utilities() == (2.0, -2.0)
    with pytest.raises(OutplayError, match="cannot be shown there"):
        phh.read(hidden.replace("p1 sm A", "p1 sm K"))


@pytest.mark.parametrize(("text", "said"), [("nonsense", "no hand in PHH"), ('variant = "PO"', "no hand in PHH")])
def test_other_histories_are_refused(text, said):
    with pytest.raises(OutplayError, match=said):
        phh.read(text)


def test_side_pots():
    """The shortest stack wins the main pot, the second best hand the side pot, and what nobody called comes back."""
    game = load("hold'em:seats=3,stack=10-30-60")
    position = game.position("AcAd KcKd 7h2s | r60 c c | 3c4d9s Jh Qs")
    assert position.is_terminal() and position.utilities() == (20.0, 10.0, -30.0)


def test_an_incomplete_raise_does_not_let_others_raise_again():
    game = load("hold'em:seats=3,stack=100-9-100")
    position = game.position("AcAd KcKd 7h2s | r6 c r9")  # seat 1 is all in with 9, less than a full raise to 10
    assert "c" in [position.action_text(a) for a in position.actions()] and all(a <= 1 for a in position.actions())


def test_a_view_hides_the_others_cards_until_the_showdown():
    game = load("hold'em:stack=20")
    first, second = (game.start().play(f"Qs Qd {hand} c c") for hand in ("Ah Kh", "2c 2d"))
    assert first.observe(0) == second.observe(0) and first.observe(1) != second.observe(1)
    shown = game.position("QsQd AhKh | r20 c | 3c4d9s Jh 5s")
    assert shown.observe(0) == shown
    counts = [0] * 52
    for seed in range(3000):
        for card in game.record(first.deal(0, seed).state)["hands"][1]:
            counts[int(card) - 1] += 1
    likely = [count for card, count in enumerate(counts) if count]
    assert len(likely) == 50 and sum((n - 120) ** 2 / 120 for n in likely) < 85.4  # chi-squared, 49 degrees, 1 in 1000


@pytest.mark.parametrize("text", ["", "AhKh", "AhKh AhQd", "AhKh QsQd | r1", "AhKh QsQd | c c | AhTd2c", "AhKh QsQd | r9999"])
def test_garbage(text):
    with pytest.raises(OutplayError):
        load("hold'em").position(text)
