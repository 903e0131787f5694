"""Scrabble: rules, notation, and every play against a slow and obvious generator."""

import random

import pytest

from outplay.conformance import check_game
from outplay.errors import OutplayError
from outplay.game import load
from tests.games.scrabble_oracle import Oracle

EMPTY = "/".join(["15"] * 15)


@pytest.fixture(scope="module")
def oracle():
    return Oracle()


def ours(position):
    """Our plays in the oracle's words: {placed tiles: points}."""
    found = {}
    size = 15
    board = position.game.record(position.state).squares
    seat = position.player()
    for action in position.actions():
        if action & 3 != 1:
            continue
        row, column = divmod(action >> 3 & 255, size)
        tiles, placed = action >> 11, set()
        while tiles:
            if board[(row + 1) * (size + 1) + column + 1] == 0:
                placed.add(((row, column), chr(64 + (tiles & 63))))
                tiles >>= 6
            row, column = (row + 1, column) if action >> 2 & 1 else (row, column + 1)
        key = frozenset(placed)
        assert key not in found
        after = position.game.record(position.game.result(position.state, action))
        found[key] = int(after.scores[seat]) - int(position.game.record(position.state).scores[seat])
        if after.over:
            found[key] -= sum(int(after.points_of(k)) * int(after.racks[1 - seat, k]) for k in range(27))
    return found


def random_positions(game, seed):
    """Positions of a random game in which longer plays are likelier; now and then with blanks on the rack."""
    source = random.Random(seed)
    position = game.start()
    while not position.is_terminal():
        if position.is_chance():
            position = position.result(position.sample_chance(source.getrandbits(40)))
            continue
        yield position
        plays = [action for action in position.actions() if action & 3 == 1] or list(position.actions())
        position = position.result(max(source.choice(plays), source.choice(plays)))


def compare(oracle, game, seed, most, blanks=None):
    done = 0
    for position in random_positions(game, seed):
        if blanks is not None and position.text().split(" ")[1].split("/")[position.player()].count("?") != blanks:
            continue
        assert ours(position) == oracle.plays(position.text()), position.text()
        done += 1
        if done == most:
            break
    return done


def test_every_play_is_found_and_counted(oracle):
    game = load("scrabble")
    assert compare(oracle, game, 1, 3) + compare(oracle, game, 5, 1, blanks=1) == 4


def test_two_blanks(oracle):
    game = load("scrabble")
    position = game.position(EMPTY.replace("15/15/15/15/15/15/15/15", "15/15/15/15/15/15/15/5ZAX7", 1) + " E??/EEE 0/0 0 0")
    assert ours(position) == oracle.plays(position.text())


def test_promises_of_a_small_game():
    assert check_game(load("scrabble:board=small,tiles=small,rack=2"), games=3, seconds=1)


def test_promises_with_challenges():
    assert check_game(load("scrabble:board=3x3,tiles=small,rack=2,challenge=double,players=3", compiled=False), games=3, seconds=1)


def test_a_famous_opening():
    position = load("scrabble").position(f"{EMPTY} QUIXOT?/AEINRST 0/0 0 0")
    after = position.play("8D:QUIXOTe")
    assert after.game.record(after.state).scores[0] == 114
    assert position.parse_action("8D QUIXOTe") == position.parse_action("8D:QUIXOTe")


def test_going_out_and_scoreless_turns():
    game = load("scrabble")
    idle = game.position(f"{EMPTY} AEIOUUU/QZXJKVV 0/0 5 0").play("pass")
    assert idle.is_terminal() and idle.utilities() == (1.0, -1.0)
    assert list(game.record(idle.state).scores) == [-7, -49]


def test_challenges():
    game = load("scrabble:challenge=double")
    board = EMPTY.replace("15/15/15/15/15/15/15/15", "15/15/15/15/15/15/15/6CAT6", 1)
    position = game.position(f"{board} DOGZXEE/AEINRST 0/0 0 0")
    phony = next(a for a in position.actions() if position.action_text(a) == "9G:DOG")
    asked = position.result(phony)
    assert asked.player() == 1 and [asked.action_text(a) for a in asked.actions()] == ["accept", "challenge"]
    withdrawn = asked.play("challenge")
    assert withdrawn.player() == 1 and withdrawn.text().startswith(f"{board} DEEGOXZ/AEINRST 0/0 1 1")
    right = position.play("J8:EX").play("challenge")  # no harm done, and the doubter loses a turn
    assert right.is_chance()


def test_what_is_hidden():
    position = load("scrabble").position(f"{EMPTY} QUIXOT?/AEINRST 0/0 0 0")
    assert position.observe(1).text() == f"{EMPTY} *******/AEINRST 0/0 0 0"
    assert position.deal(1, 3).text() != position.text()


@pytest.mark.parametrize("text", ["", "15 A/B 0/0 0 0", f"{EMPTY} QQ/A 0/0 0 0", f"{EMPTY} ABCDEFGH/A 0/0 0 0",
                                  f"{EMPTY} A/B 0/0 0 7"])
def test_bad_positions_get_one_line(text):
    with pytest.raises(OutplayError):
        load("scrabble").position(text)


@pytest.mark.parametrize(("said", "meant"), [("exchange ark", "swap:AKR"), ("-AK", "swap:AK"), ("SWAP A", "swap:A"), ("-", "pass"),
                                             ("5g sad", "5G:SAD"), ("4h jars", "4H:JARS")])
def test_actions_are_read_as_people_write_them(said, meant):
    position = load("scrabble").position("15/15/15/7J7/7A7/7P7/7E7/7S7/15/15/15/15/15/15/15 ADKRRSX/AEINRST 0/71 0 0")
    assert position.action_text(position.parse_action(said)) == meant


@pytest.mark.parametrize(("said", "reason"), [
    ("exchange", "name the tiles to swap"), ("swap:Q", "the rack is ADKRRSX, which lacks Q"), ("8h cat", "H8 has S, not C"),
    ("9h ax", "JAPESA, which it makes across, is not in the word list"), ("1A DARK", "a word must touch one"),
    ("H4 japesx", "JAPESX is not in the word list"), ("Z9 CAT", "expected a play such as 8H:WORD")])
def test_what_cannot_be_laid_gets_its_reason(said, reason):
    position = load("scrabble").position("15/15/15/7J7/7A7/7P7/7E7/7S7/15/15/15/15/15/15/15 ADKRRSX/AEINRST 0/71 0 0")
    with pytest.raises(OutplayError, match=reason) as problem:
        position.parse_action(said)
    assert "\n" not in str(problem.value)


def test_everybody_sees_what_is_laid_and_nobody_what_is_swapped():
    game = load("scrabble")
    position = game.position(f"{EMPTY} AEINRST/CDOOQVV 0/0 0 0")
    laid, passed, swapped = (position.parse_action(text) for text in ("8D:NASTIER", "pass", "swap:AEI"))
    assert position.is_public(laid) and position.is_public(passed) and not position.veiled_text(laid)
    assert not position.is_public(swapped) and position.veiled_text(swapped) == "swap 3"
    assert not game.start().is_public(game.start().parse_action("draw:AEINRST"))


def test_touches_are_told_of_the_action_that_is_asked_for():
    position = load("scrabble").position(f"{'/'.join([*['15'] * 7, '6CAT6', *['15'] * 7])} S?E/ 0/0 0 0")
    touches = position.picture().touches
    hand = "first"
    assert touches[position.parse_action("8G:CATS")] == ((hand, 1), (7, 9))  # the rack is E S ?
    assert touches[position.parse_action("J8:SEx")] == ((hand, 1), (7, 9), (hand, 0), (8, 9), (hand, 2), (9, 9))
    assert touches[position.parse_action("pass")] == ()
    assert sorted(touches) == sorted(position.actions()) and len(touches) == len(position.actions())
