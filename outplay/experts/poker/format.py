"""Hands of hold'em as PHH files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from outplay.cards import card_text
from outplay.errors import BadValue
from outplay.experts.poker import phh
from outplay.formats.games import Format, Taken
from outplay.game import Position
from outplay.values import Record


def read(text: str) -> Taken:
    """The hand of a file."""
    last = phh.read(text)
    record: Any = last.game.record(last.state)
    if any(int(card) in (0, 53) for hand in record["hands"] for card in hand):
        raise BadValue("this hand hides cards of a player: a game here needs to know them all")
    position, actions = last.game.start(), list[str]()
    waiting = [card_text(int(card) - 1) for hand in record["hands"] for card in hand]
    waiting += [card_text(int(card) - 1) for card in record["board"] if card]
    made = [int(action) - 1 for action in record["log"][: int(record["made"])]]
    while not position.is_terminal() and (waiting if position.is_chance() else made):
        action = position.parse_action(waiting.pop(0)) if position.is_chance() else made.pop(0)
        actions.append(position.action_text(action))
        position = position.result(action)
    names, tags = phh.told_of(text)
    return Taken(last.game.name, tuple(actions), names=names, tags=tags)


def write(begun: Position, record: Record, lines: Sequence[Sequence[str]]) -> str:
    """A hand, with all its cards."""
    position = begun
    for text in record.actions:
        position = position.result(position.parse_action(text))
    return phh.write(position, record.players, record.tags)


FORMAT = Format("PHH (hold'em)", lambda text: re.search(r"^variant\s*=", text, re.MULTILINE), read, write, seen=phh.write)
