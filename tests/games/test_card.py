"""The rules of every game in words."""

import contextlib
import re

import pytest

from outplay.errors import Unsuitable
from outplay.game import game_names, load
from outplay.game.card import card

AUTHORS = '''"""A file with words of its own.

    outplay play this.py

They go on here."""
from outplay.jit import i8
from outplay.rules import game


@game("stones", most=range(1, 4))
def stones(most=2):
    """Take stones.

    Goal: the last stone,
      nothing else.
    Moves: one or `most` at a time.

    Told by nobody.

    `most`: So many at once,
      or fewer.

    >>> 1 + 1
    2
    """

    class Stones:
        left: i8
        turn: i8

        def start(self):
            self.left = 5

        def actions(self, out):
            for k in range(min(most, self.left)):
                out[k] = k
            return min(most, self.left)

        def play(self, action):
            self.left -= action + 1
            self.turn = 1 - self.turn

        def utility(self, seat):
            return -1.0 if seat == self.turn else 1.0

    return Stones
'''


@pytest.mark.parametrize("name", game_names())
def test_every_game_has_a_card_that_can_be_read(name):
    told = card(load(name))
    assert told.lines[0][0] == "Goal" and len(told.lines) >= 4 and any(heading in ("Moves", "Auction") for heading, _ in told.lines)
    for _, text in told.lines:
        assert (text[0].isupper() or text[0] == "`") and text.endswith(".") and len(text) < 330
    parameters = set(load(name).rules.definition.defaults)
    words = " ".join(text for _, text in told.lines)
    named = set(re.findall(r"`(\w+)(?:=[\w-]+)?`", words))
    assert named <= parameters, f"the card names parameters that are none: {named - parameters}"


@pytest.mark.parametrize("name", game_names())
def test_every_parameter_of_every_game_says_what_it_is_for(name):
    definition = load(name).rules.definition
    told = card(load(name)).options
    assert [key for key, _ in told] == list(definition.defaults)
    assert all(text.endswith(".") and len(text) < 130 and "`" not in text for _, text in told)
    if load(name).traits.players == 2:
        with contextlib.suppress(Unsuitable):
            *own, (last, words) = card(load(name, pie=True)).options
            assert tuple(own) == told and last == "pie" and words.startswith("Whether the other may answer the first move")


def test_an_author_writes_lines_into_the_docstring(tmp_path):
    file = tmp_path / "stones.py"
    file.write_text(AUTHORS)
    told = card(load(str(file)))
    assert told.summary == "Take stones."
    assert told.lines == (("Goal", "The last stone, nothing else."), ("Moves", "One or `most` at a time."))
    assert told.more == ("Told by nobody.",)
    assert ("Parameters", "most=2") in told.facts
    assert told.options == (("most", "So many at once, or fewer."),)
    file.write_text(AUTHORS.replace('''    Goal: the last stone,
      nothing else.
    Moves: one or `most` at a time.

    Told by nobody.

    `most`: So many at once,
      or fewer.

    >>> 1 + 1
    2
    ''', ""))
    assert card(load(str(file))).more == ("They go on here.",)  # the file's own words, without the command


@pytest.mark.parametrize(("name", "moves", "task", "ending"), [
    ("tic-tac-toe", "b2 a1 a2 b1 c2", "", "three in a line"),
    ("isolation:width=3,height=2", "a1 b1 a2 c1", "Move your pawn like a queen, over free cells only.", None),
    ("isolation:width=2,height=1", "a1", "Place your pawn on any free cell.", None),
    ("isolation:width=2,height=1", "a1 b1", "", "Blue cannot move"),
    ("chess", "f3 e5 g4 Qh4", "", "White is checkmated"),
    ("chess", "e4 d5 Bb5", "Your king is in check.", None),
    ("kuhn poker", "K Q bet", "A chip was bet: pass to give up, or bet to call.", None),
    ("kuhn poker", "J Q bet bet", "", "the queen beats the jack"),
    ("kuhn poker", "J Q bet pass", "", "the bet was not called"),
    ("leduc poker", "Kh Js call call Jh call raise call", "", "a pair of jacks beats the king"),
    ("liar's dice", "2 6 1x2 2x5 liar", "", "1 of all dice counts as 5, and 2 were bid"),
    ("rock-paper-scissors", "paper rock", "", "paper beats rock"),
    ("goofspiel:cards=2", "2 2 1 1 1 2", "", "2 points to 1"),
    ("hold'em", "As Ah Ks Kh c c 2c 7d 9h c c Jd c c 3s c c", "", "pair of aces beats pair of kings"),
    ("hold'em", "As Ah Ks Kh f", "", "everybody else folded"),
    ("battleships:width=2,height=1,fleet=1", "a1", "Place a ship of one cell.", None),
    ("battleships:width=2,height=1,fleet=1", "a1 b1", "Name a cell to shoot at.", None),
    ("battleships:width=2,height=1,fleet=1", "a1 b1 b1", "", "the second fleet is sunk"),
])
def test_a_game_says_what_to_do_and_how_it_ended(name, moves, task, ending):
    position = load(name, compiled=False).start().play(moves)
    assert position.task() == task
    assert position.ending_text() == (ending or "")


def test_a_pass_is_asked_for():
    position = load("othello:size=4", compiled=False).start()
    passes = 0
    for number in range(200):  # random games, in some of which somebody must pass
        while not position.is_terminal():
            actions = position.actions()
            must = position.action_text(actions[0]) == "pass"
            assert position.task() == ("You can enclose nothing: pass." if must else "")
            passes += must
            position = position.result(actions[(number * 7 + len(actions)) % len(actions)])
        position = load("othello:size=4", compiled=False).start()
    assert passes
