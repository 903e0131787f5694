"""A position as the pages want it: the picture as SVG, whose turn it is, and where a person touches the board for each action.

>>> from outplay.game import load
>>> seen = shown(load("tic-tac-toe").start().play("b2"))
>>> seen["to_move"], seen["legal"][0], seen["board"]["rows"]
('the second player', {'text': 'a3', 'touches': [[0, 0]]}, 3)
"""

from __future__ import annotations

import math
from typing import Any

from outplay.game import Position
from outplay.values import CHANCE, Picture
from outplay.views import svg

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def shown(position: Position, flip: bool = False) -> dict[str, Any]:
    """All that a page shows of a position."""
    picture = position.picture()
    if picture is not None and flip:
        picture = flipped(picture)
    touches = {} if picture is None else picture.touches
    terminal = position.is_terminal()
    return {
        "game": position.game.name,
        "position": position.text(),
        "player": position.player(),
        "to_move": to_move(position),
        "chance": position.is_chance(),
        "terminal": terminal,
        "utilities": list(position.utilities()) if terminal else None,
        "result": result_in_words(position),
        "legal": [
            {"text": position.action_text(action), "touches": [list(spot) for spot in touches.get(action, ())]}
            for action in ([] if position.is_chance() else position.actions())
        ],
        "board": None if picture is None else drawn(picture, f"{position.game.name}: {position.text()}"),
    }


def drawn(picture: Picture, title: str) -> dict[str, Any]:
    """A picture as SVG, and where its squares lie in it."""
    left, top = svg.corner(picture)
    return {
        "svg": svg.board(picture, title=title),
        "left": left,
        "top": top,
        "size": svg.SIZE,
        "rows": len(picture.cells),
        "columns": max((len(row) for row in picture.cells), default=0),
        "row_labels": list(picture.rows),
        "column_labels": list(picture.columns),
    }


def flipped(picture: Picture) -> Picture:
    """The board from the other side."""
    height = len(picture.cells)
    width = max((len(row) for row in picture.cells), default=0)
    return Picture(
        cells=tuple(tuple(reversed(row)) for row in reversed(picture.cells)),
        rows=tuple(reversed(picture.rows)),
        columns=tuple(reversed(picture.columns)),
        touches={action: tuple((height - 1 - r, width - 1 - c) for r, c in spots) for action, spots in picture.touches.items()},
        caption=picture.caption,
        checkered=picture.checkered,
    )


def ordinal(number: int) -> str:
    """The place of a player, counted from 0, in words."""
    return ORDINALS[number] if number < len(ORDINALS) else f"{number + 1}th"


def to_move(position: Position) -> str:
    """Who is to move, in words."""
    if position.is_terminal():
        return "nobody: the game is over"
    if position.player() == CHANCE:
        return "chance"
    return "the player" if position.game.players == 1 else f"the {ordinal(position.player())} player"


def result_in_words(position: Position) -> str:
    """How a finished game ended; empty while it goes on."""
    outcome = position.outcome()
    if outcome is None:
        return ""
    amounts = ", ".join(f"{amount:g}" for amount in outcome.utilities)
    if len(outcome.utilities) == 1:
        return f"the game is over: {amounts}"
    if outcome.winner is None:
        return "a draw" if len(set(outcome.utilities)) == 1 else f"no single winner: {amounts}"
    plain = len(outcome.utilities) == 2 and sum(outcome.utilities) == 0 and abs(outcome.utilities[0]) == 1
    return f"the {ordinal(outcome.winner)} player wins" + ("" if plain else f": {amounts}")


def clean(value: Any) -> Any:
    """The same for JSON: no infinities, no NumPy numbers, no tuples."""
    if isinstance(value, dict):
        return {str(key): clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean(item) for item in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return value + 0.0 if math.isfinite(value) else None
    return value
