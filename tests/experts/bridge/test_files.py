"""PBN both ways, LIN read: round trips, another reader, broken files."""

from __future__ import annotations

import random

import pytest

from outplay.errors import OutplayError
from outplay.experts.bridge.files import Game, read_lin, read_pbn, write_pbn
from outplay.experts.bridge.player import Board
from outplay.game import load
from outplay.games.bridge import PLAY, card_text
from outplay.games.bridge.notation import card, hands_text
from tests.experts.bridge.deals import known_deals, random_hands


def random_games(number: int) -> list[Game]:
    """Boards with a random auction and a random part of their play."""
    source, games = random.Random(11), []
    for _ in range(number):
        hands, dealer, vulnerability = random_hands(source), source.randrange(4), source.randrange(4)
        position = load("bridge", compiled=False, dealer="NESW"[dealer]).position(hands_text(hands))
        plays = source.randrange(53)
        while not position.is_terminal():
            board = Board(position)
            if board.stage == PLAY and len(board.play) >= plays:
                break
            actions = position.actions()
            position = position.result(52 if 52 in actions and source.random() < 0.5 else source.choice(actions))
        record = position.game.record(position.state)
        calls = tuple(int(call) + 51 for call in record.calls[: record.said])
        play = tuple(card(card_text(int(each) - 1)) for each in record.played[: record.plays])
        games.append(Game(hands, dealer, vulnerability, calls, int(record.declarer) if record.bid else None, play))
    return games


def test_pbn_goes_round() -> None:
    games = random_games(12)
    assert read_pbn(write_pbn(games)) == games
    known = known_deals()[0]
    with_table = Game(known.hands, table=known.table)
    assert read_pbn(write_pbn([with_table]))[0].table == known.table


def test_another_reader_understands_what_is_written() -> None:
    pbn = pytest.importorskip("endplay.parsers.pbn")
    games = [each for each in random_games(6) if each.declarer is not None]
    theirs = pbn.loads(write_pbn(games))
    assert len(theirs) == len(games)
    for ours, board in zip(games, theirs, strict=True):
        assert len(board.auction) == len(ours.calls) and len(board.play) == len(ours.play)
        assert board.deal.to_pbn() is not None and int(board.contract.declarer) == ours.declarer


def test_broken_files_are_told_in_one_line() -> None:
    text, source = write_pbn(random_games(2)), random.Random(3)
    for _ in range(300):
        letters = list(text)
        for _ in range(source.randrange(1, 6)):
            letters[source.randrange(len(letters))] = source.choice('[]"NS.AKQ2x \n-*;{')
        try:
            read_pbn("".join(letters))
        except OutplayError as problem:
            assert "\n" not in str(problem)


def test_lin() -> None:
    game = read_lin("pn|a,b,c,d|md|1SK5HT83DKQ9CA7652,SAT942HAQ4D32CKJ3,SQJ6HK652DJ85CT98,S873HJ97DAT764CQ4|sv|b|mb|1N!|mb|d|mb|r|"
                    "mb|p|mb|p|mb|p|pc|SA|pc|S6|")[0]
    assert (game.dealer, game.vulnerability, len(game.calls), game.declarer, game.play) == (2, 3, 6, 2, (card("SA"), card("S6")))
    with pytest.raises(OutplayError, match="expected a deal"):
        read_lin("md|xyz|")
