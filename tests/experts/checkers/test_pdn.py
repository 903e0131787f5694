"""PDN: files of games both ways, what is wrong with them, the three-move deck."""

import random

import pytest

from outplay.experts.checkers import pdn
from outplay.formats.movetext import Problem
from outplay.game import load
from outplay.values import Outcome, Record


def random_record(variant, seed):
    game, draw = load("checkers" if variant == "english" else f"checkers:variant={variant}"), random.Random(seed)
    position, texts = game.start(), []
    while not position.is_terminal() and len(texts) < 80:
        action = draw.choice(position.actions())
        texts.append(position.action_text(action))
        position = position.result(action)
    outcome = Outcome(position.utilities()) if position.is_terminal() else None
    return Record(game.name, game.start().text(), tuple(texts), ("Ann", 'Bob "the man"'), outcome)


@pytest.mark.parametrize("variant", ["english", "international", "russian"])
def test_games_go_round(variant):
    records = [random_record(variant, seed) for seed in range(3)]
    text = "\n".join(pdn.write(pdn.from_record(record)) for record in records)
    for record, game in zip(records, pdn.read(text.splitlines()), strict=True):
        assert not isinstance(game, Problem), game
        assert game.moves == record.actions and game.variant == variant
        assert game.record().players == record.players and game.record().outcome == record.outcome


def test_a_game_that_cannot_be_read_does_not_stop_the_rest():
    text = '[Event "a"]\n\n1. 11-15 22-18 8-11 *\n\n[Event "b"]\n\n1. 11-15 24-20 1-0\n\n[Event "c"]\n[GameType "99"]\n\n1. 1-2 *\n'
    first, second, third = pdn.read(text.splitlines())
    assert str(first).startswith("game 1: move 2: no such move: 8-11")  # 15 must take
    assert second.moves == ("11-15", "24-20") and second.result == "1-0"
    assert "GameType '99' is not played here" in str(third)


def test_other_spellings_and_set_up_positions():
    text = '[GameType "25"]\n[FEN "W:Wf6:Bb6,e7"]\n[Result "2-0"]\n\n1. f6:d8:a5 2-0'
    game, = pdn.read(text.splitlines())
    assert game.result == "1-0" and [*game.positions()][-1].text() == "B:WK13:B"


def test_the_deck_has_156_different_openings():
    assert len(pdn.deck()) == 156
    assert len({position.text() for position in pdn.deck_positions()}) == 156
    barred = ("9-13 21-17 10-14, 9-13 23-18 10-14, 9-13 24-19 10-15, 9-13 24-20 12-16, 9-14 22-18 12-16, 9-14 22-18 14-17, "
              "9-14 23-19 10-15, 9-14 24-19 10-15, 10-14 24-19 11-15, 10-15 21-17 9-14, 10-15 22-17 9-14, 10-15 24-20 11-16, "
              "11-15 21-17 10-14, 11-16 21-17 10-14, 11-16 22-18 10-15, 11-16 24-19 10-15, 12-16 23-18 9-14, 12-16 23-19 16-23")
    assert not set(barred.split(", ")) & {" ".join(moves) for moves in pdn.deck()} and len(barred.split(", ")) == 174 - 156

