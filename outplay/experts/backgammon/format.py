"""Games of backgammon as match text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from outplay.experts.backgammon.mat import names_of, read_game, write_game
from outplay.formats.games import Format, Taken
from outplay.game import Position, load
from outplay.values import Record


def read(text: str) -> Taken:
    """The first game of a file."""
    length = re.search(r"^\s*(\d+) point match", text, re.MULTILINE)
    name = f"backgammon:cube={'Doubles' in text},match={length[1] if length else 0}" if "Doubles" in text else "backgammon"
    game: Any = load(name, compiled=False)
    position, actions = game.start(), []
    for action in read_game(game.rules, text):
        actions.append(position.action_text(action))
        position = position.result(action)
    tags = tuple(re.findall(r'(?m)^; \[(\w+) "([^"]*)"\]', text))
    return Taken(game.name, tuple(actions), names=names_of(text), tags=tags)


def write(begun: Position, record: Record, lines: Sequence[Sequence[str]]) -> str:
    """A game from the start; match text has no way to say where another begins."""
    if begun.text() != begun.game.start().text():
        return ""
    position, made = begun, []
    for text in record.actions:
        made.append(position.parse_action(text))
        position = position.result(made[-1])
    return write_game(begun.game.rules, made, record.players if len(record.players) == 2 else (), record.tags)


FORMAT = Format("match text (backgammon)", lambda text: re.search(r"^\s*\d+\)\s", text, re.MULTILINE), read, write)
