"""GCG files of Scrabble."""

import random

import pytest

from outplay.errors import BadNotation
from outplay.experts.scrabble.gcg import Moment, from_positions, read_gcg, write_gcg
from outplay.game import load
from outplay.players import player

HEAD = "#player1 ann Ann\n#player2 ben Ben\n"


def test_a_game_goes_round():
    game, greedy, source = load("scrabble"), player("tiles:greedy"), random.Random(4)
    position, moments = game.start(), []
    while not position.is_terminal() and len(moments) < 8:
        if position.is_chance():
            position = position.result(position.sample_chance(source.getrandbits(40)))
            continue
        action = greedy.choose(position)
        moments.append(Moment(position, action))
        position = position.result(action)
    text = write_gcg(from_positions(moments))
    again = read_gcg(text)
    assert [moment.action for moment in again.moments] == [moment.action for moment in moments]
    assert write_gcg(again) == text


def test_a_play_that_was_taken_back():
    game = read_gcg(HEAD + ">ann: AEINRST 8D NASTIER +66 66\n>ann: AEINRST -- -66 0\n>ben: CDOOQVV - +0 0\n")
    assert game.scores == [0, 0] and len(game.moments) == 1
    game = read_gcg(HEAD + ">ann: AEINRST 8D NASTIER +66 66\n>ben: CDOOQVV E7 VAQ +20 20\n#note no word\n>ben: CDOOQVV -- -20 0\n"
                    ">ann: ABCDEFG - +0 66\n")
    assert game.scores == [66, 0] and [moment.position.player() for moment in game.moments] == [0, 0]
    with pytest.raises(BadNotation, match=r"line 3 .*no play to take back"):
        read_gcg(HEAD + ">ben: CDOOQVV -- -20 0\n")


@pytest.mark.parametrize("line", [">ann: AEINRST 8D NASTIER +65 65", ">ann: AEINRST 8D NASTIER +66 67", ">zoe: A - +0 0",
                                  ">ann: AEINRST 8D NASTIEST +66 66", "nonsense"])
def test_wrong_lines_are_told_with_their_number(line):
    with pytest.raises(BadNotation, match="line 3"):
        read_gcg(HEAD + line)


@pytest.mark.parametrize("text", ["", "hello", "#player1 ann Ann\n>ann: ADKRRSX 8G AX +18 18"])
def test_who_plays_must_be_said(text):
    with pytest.raises(BadNotation, match="#player2 NAME"):
        read_gcg(text)
