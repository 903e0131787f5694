"""Boards of bridge as PBN files."""

from __future__ import annotations

import re
from collections.abc import Sequence

from outplay.experts.bridge.files import Game as Board
from outplay.experts.bridge.files import read_lin, read_pbn, write_lin, write_pbn
from outplay.formats.games import Format, Taken
from outplay.game import Position
from outplay.games.bridge import PASS, call_text
from outplay.games.bridge.notation import SEAT_LETTERS, card_text, hands_text
from outplay.games.bridge.scoring import VULNERABILITIES
from outplay.values import Record

PLAYERS = ("North", "East", "South", "West")


def read(text: str) -> Taken:
    """The first board of a file."""
    return _taken(read_pbn(text)[0])


def read_of_lin(text: str) -> Taken:
    """The first board of a file of LIN."""
    return _taken(read_lin(text)[0])


def _taken(board: Board) -> Taken:
    calls = board.calls
    name = f"bridge:dealer={SEAT_LETTERS[board.dealer]},vulnerable={VULNERABILITIES[board.vulnerability]}"
    actions = (*(call_text(call) for call in calls), *(card_text(card) for card in board.play))
    names = tuple(board.tags.get(seat, "?") for seat in PLAYERS)
    tags = tuple((key, value) for key, value in board.tags.items() if key not in PLAYERS)
    return Taken(name, actions, hands_text(board.hands), names=names, tags=tags)


def write(begun: Position, record: Record, lines: Sequence[Sequence[str]]) -> str:
    """A board; empty where not all hands are known."""
    board = _board(begun, record)
    return "" if board is None else write_pbn([board])


def write_of_lin(begun: Position, record: Record, lines: Sequence[Sequence[str]]) -> str:
    """The same as LIN."""
    board = _board(begun, record)
    return "" if board is None else write_lin(board)


def _board(begun: Position, record: Record) -> Board | None:
    position, calls, play = begun, [], []
    hands: tuple[int, ...] = ()
    for text in record.actions:
        if not position.is_chance() and not hands:
            hands = tuple(int(hand) for hand in position.game.record(position.state).hands)
        action = position.parse_action(text)
        if not position.is_chance() and action >= PASS:
            calls.append(int(action))
        elif not position.is_chance():
            play.append(16 * (int(action) % 4) + int(action) // 4)
        position = position.result(action)
    if not hands and not position.is_chance():
        hands = tuple(int(hand) for hand in position.game.record(position.state).hands)
    if len(hands) != 4:
        return None
    parameters = begun.game.rules.parameters
    names = dict(record.tags) | dict(zip(PLAYERS, record.players, strict=False))
    dealer, exposed = SEAT_LETTERS.index(parameters["dealer"]), VULNERABILITIES.index(parameters["vulnerable"])
    deal = (hands[0], hands[1], hands[2], hands[3])
    return Board(deal, dealer, exposed, tuple(calls), None, tuple(play), tags=names)


FORMAT = Format("PBN (bridge)", lambda text: re.search(r'^\[Deal "', text, re.MULTILINE), read, write,
                only="phase=|ranks=|open=|contract=", parted=r"\n\s*\n(?=\[)")
LIN = Format("LIN (bridge)", lambda text: re.search(r"(^|\|)md\|[1-4]S", text), read_of_lin, write_of_lin,
             only="phase=|ranks=|open=|contract=", parted=r"\n(?=qx\|)")
