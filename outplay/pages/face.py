"""What a page asks of a position: its drawing and where it is touched, its moves in words, and how it ended.

Written so that it can be translated: the same functions in Python and in a page give the same text, byte for byte.

>>> from outplay.game import load
>>> seen = shown(load("tic-tac-toe").start().play("b2"), ("Crosses", "Noughts"))
>>> seen["to_move"], seen["legal"][0], len(seen["board"]["places"])
('Noughts', {'text': 'a3', 'touches': ['0,0']}, 9)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from outplay.picture import Picture, Spot, Table
from outplay.values import Outcome
from outplay.views import svg, words
from outplay.views.plain import picture_of

MOST_LISTED, LAST_LISTED = 1000, 200
"""How many moves a position tells of, and how many of those are the last (all ways to swap tiles, and to pass)."""


def shown(
    position: Any,
    seats: Sequence[str],
    flip: bool = False,
    narrow: bool = False,
    marks: Mapping[Spot, str] | None = None,
    person: bool = True,
    seat: int | None = None,
    told: int = MOST_LISTED,
) -> dict[str, Any]:
    """All that a page shows of a position, as the board wants it; with more than `told` moves, these are left to `entries`."""
    picture = picture_of(position)
    actions = () if position.is_chance() else position.actions()
    some = listed(actions)
    legal = entries(position, 0, len(some)) if len(some) <= told else []
    return {
        "game": position.game.name,
        "position": position.text(),
        "player": position.player(),
        "seats": list(seats),
        "to_move": words.to_move(position, seats),
        "chance": position.is_chance(),
        "terminal": position.is_terminal(),
        "caption": "" if picture is None else picture.caption,
        "task": position.task(),
        "ended": position.ending_text(),
        "legal": legal,
        "unlisted": len(actions) - len(some),
        "board": None if picture is None else drawn(picture, position.game.name, seats, flip, narrow, marks, person, seat),
    }


def entries(position: Any, begin: int, end: int) -> list[dict[str, Any]]:
    """Some of the moves that are named: their texts, and where they touch the board."""
    picture = picture_of(position)
    touches: Any = {} if picture is None else picture.touches
    made = []
    for action in listed(() if position.is_chance() else position.actions())[begin:end]:
        entry: dict[str, Any] = {"text": position.action_text(action), "touches": [svg.spot_id(s) for s in touches.get(action, ())]}
        if picture is not None and action in picture.offers:
            entry["offer"] = svg.icon(picture.offers[action], picture.colours)
        made.append(entry)
    return made


def listed(actions: Any) -> Any:
    """The actions that are named: all, or the first and the last where they are thousands."""
    if len(actions) <= MOST_LISTED:
        return actions
    return [*actions[: MOST_LISTED - LAST_LISTED], *actions[-LAST_LISTED:]]


def drawn(
    picture: Picture,
    title: str,
    seats: Sequence[str],
    flip: bool,
    narrow: bool,
    marks: Mapping[Spot, str] | None,
    person: bool,
    seat: int | None,
) -> dict[str, Any]:
    """A picture as SVG, and where its places lie in it."""
    bare = replace(picture, caption="")  # the page says it
    if isinstance(picture, Table):
        bare = svg.seen_from(bare, "" if seat is None else seats[seat], flip)
    drawing = svg.draw(
        bare, title, flip, marks, styled=False, narrow=narrow, front=svg.board_in_front(picture, person), names=seats
    )
    return {
        "svg": drawing.svg,
        "width": drawing.width,
        "height": drawing.height,
        "kind": type(picture).__name__.lower() if type(picture) is not Picture else picture.surface,
        "turns": picture.turns,
        "below": picture.below,
        "places": [
            {
                "id": place.id,
                "x": place.x,
                "y": place.y,
                "w": place.width,
                "h": place.height,
                "name": place.name,
                "here": place.here,
            }
            for place in drawing.places
        ],
    }


def marks_of(position: Any, action: Any) -> dict[Any, str]:
    """Where the action that was just played touched the board of the position before it."""
    picture = picture_of(position)
    found = () if picture is None else picture.touches.get(action, ())
    return dict.fromkeys(found, "last")


def ended(game: Any, utilities: Sequence[float], seats: Sequence[str]) -> str:
    """How a game ended, in words."""
    return words.outcome_in_words(game, Outcome(tuple(utilities)), seats)
