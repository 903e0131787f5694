"""Kuhn poker, Leduc poker, liar's dice and goofspiel: the rules are OpenSpiel's, and nobody sees what is hidden."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from outplay.conformance import check_game
from outplay.errors import OutplayError
from outplay.game import load

CASES = {
    # game: OpenSpiel's name, and its number for one of our chance outcomes
    "kuhn poker": ("kuhn_poker", -1),
    "leduc poker": ("leduc_poker", -1),
    "liar's dice": ("liars_dice(numdice=1,dice_sides=6)", 0),
    "liar's dice:dice=2,faces=2": ("liars_dice(numdice=2,dice_sides=2)", 0),
    "goofspiel:cards=3": ("turn_based_simultaneous_game(game=goofspiel(num_cards=3,points_order=random))", -1),
    "goofspiel:cards=4,order=descending": ("turn_based_simultaneous_game(game=goofspiel(num_cards=4,points_order=descending))", -1),
}


@pytest.mark.parametrize("name", ["kuhn poker", "leduc poker", "liar's dice:dice=2,faces=3", "goofspiel:cards=3"])
def test_it_keeps_its_promises(name):
    check_game(load(name), games=25)


@pytest.mark.parametrize("name", CASES)
def test_the_rules_are_open_spiels(name):
    pyspiel = pytest.importorskip("pyspiel")
    spiel, shift = CASES[name]
    states = [(load(name).start(), pyspiel.load_game(spiel).new_initial_state())]
    seen = 0
    while states and seen < 4000:
        ours, theirs = states.pop(len(states) // 2)  # neither only the first branch nor only the roots
        seen += 1
        if ours.is_terminal() or theirs.is_terminal():
            if not theirs.is_terminal():  # OpenSpiel plays a single last card by itself, and we list it
                raise AssertionError(ours.text())
            while not ours.is_terminal():
                ours = ours.result(ours.actions()[0])
            assert ours.utilities() == tuple(theirs.returns()), ours.text()
            continue
        if ours.is_chance():
            mine = {action + shift: chance for action, chance in ours.chances()}
            if not theirs.is_chance_node():  # the last prize is certain
                states.append((ours.result(ours.actions()[0]), theirs))
                continue
            assert mine == pytest.approx(dict(theirs.chance_outcomes())), ours.text()
        else:
            shift_here = -1 if name.startswith("goofspiel") else 0
            mine = {action + shift_here for action in ours.actions()}
            assert ours.player() == theirs.current_player() and mine == set(theirs.legal_actions()), ours.text()
        for action in ours.actions():
            number = action + (shift if ours.is_chance() or name.startswith("goofspiel") else 0)
            states.append((ours.result(action), theirs.child(number)))


@pytest.mark.parametrize(("name", "first", "second", "player"), [
    ("kuhn poker", "J Q pass", "K Q pass", 1),
    ("kuhn poker", "Q J pass bet", "Q K pass bet", 0),
    ("leduc poker", "Kh Js raise call Jh", "Kh Qs raise call Jh", 0),
    ("liar's dice", "2 6 1x2", "2 1 1x2", 0),
    ("goofspiel", "2 3", "2 4", 1),
])
def test_a_view_does_not_tell_what_is_hidden(name, first, second, player):
    start = load(name).start()
    assert start.play(first) != start.play(second)
    assert start.play(first).observe(player) == start.play(second).observe(player)
    assert start.play(first).observe(1 - player) != start.play(second).observe(1 - player)


def test_deals_are_even():
    """Each card that may lie hidden is dealt as often as any other (chi-squared, 1 in 1000)."""
    position = load("leduc poker").start().play("Kh Js raise call Jh")
    counts: dict[str, int] = {}
    for seed in range(2000):
        hand = position.deal(0, seed).text().split()[1]
        counts[hand] = counts.get(hand, 0) + 1
    assert set(counts) == {"Js", "Qh", "Qs", "Ks"}
    assert sum((n - 500) ** 2 / 500 for n in counts.values()) < 16.27


@given(some.sampled_from(sorted(CASES)), some.text("JQKhs- pbfcr123456x!|:?", max_size=14))
def test_garbage(name, text):
    game = load(name)
    try:
        read = game.position(text)
        assert game.position(read.text()) == read
    except OutplayError as problem:
        assert "\n" not in str(problem)
