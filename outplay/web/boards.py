"""A position as the pages want it: the picture as SVG, whose turn it is, and where a person touches the board for each action.

>>> from outplay.game import load
>>> seen = shown(load("tic-tac-toe").start().play("b2"))
>>> seen["to_move"], seen["legal"][0], len(seen["board"]["places"])
('Noughts', {'text': 'a3', 'touches': ['0,0']}, 9)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import Depends

from outplay.game import Game, Position
from outplay.picture import Cell, Picture, Points, Spot, Table
from outplay.views import pieces, svg, words
from outplay.views.panel import panel_of
from outplay.views.plain import picture_of
from outplay.views.words import clean as clean
from outplay.web import spoken
from outplay.web.limits import MOST_LISTED

LAST_LISTED = 200
"""Of those listed where there are more, so many are the last: all ways to swap tiles, and to pass."""

@dataclass(frozen=True)
class Look:
    """How a page wants its pictures: from the other side, and laid out for a narrow screen."""

    flip: bool = False
    narrow: bool = False


PLAIN = Look()

Looking = Annotated[Look, Depends()]
"""The same out of a request's query."""


def seat_names(game: Game) -> list[str]:
    """What the game calls its players: White and Black, or else the first and the second player."""
    return words.seats(game)


def shown(
    position: Position, look: Look = PLAIN, marks: Mapping[Spot, str] | None = None, person: bool = True,
    seat: int | None = None,
) -> dict[str, Any]:
    """All that a page shows of a position; `marks` are the last move's spots, `person` whether a person is to move.

    `seat` is who sits below where cards lie around a table.
    """
    picture = picture_of(position)
    touches = {} if picture is None else picture.touches
    terminal = position.is_terminal()
    names = seat_names(position.game)
    below = "" if seat is None else names[seat]
    actions = () if position.is_chance() else position.actions()
    legal = []
    for action in listed(actions):
        entry: dict[str, Any] = {"text": position.action_text(action), "touches": [svg.spot_id(s) for s in touches.get(action, ())]}
        if (words := spoken.said(position, action, entry["text"])) != entry["text"]:
            entry["said"] = words
        if picture is not None and action in picture.offers:
            entry["offer"] = svg.icon(picture.offers[action], picture.colours)
        legal.append(entry)
    board = None if picture is None else drawn(picture, position.game.name, look, marks, person, names, below)
    if board is not None and isinstance(picture, Table) and seat is not None:
        board["below"] = seat
    return {
        "game": position.game.name,
        "position": position.text(),
        "player": position.player(),
        "seats": names,
        "to_move": to_move(position),
        "chance": position.is_chance(),
        "terminal": terminal,
        "utilities": list(position.utilities()) if terminal else None,
        "result": result_in_words(position),
        "task": position.task(),
        "ended": position.ending_text(),
        "caption": "" if picture is None else picture.caption,
        "legal": legal,
        "unlisted": len(actions) - len(legal),
        "board": board,
    }


def listed(actions: Sequence[Any]) -> Sequence[Any]:
    """The actions that an answer names: all, or the first and the last where they are thousands (Scrabble's swaps come last).

    >>> len(listed(range(1000))), len(listed(range(74_000))), listed(range(74_000))[-1]
    (1000, 1000, 73999)
    """
    if len(actions) <= MOST_LISTED:
        return actions
    return [*actions[: MOST_LISTED - LAST_LISTED], *actions[-LAST_LISTED:]]


def drawn(
    picture: Picture, title: str, look: Look = PLAIN, marks: Mapping[Spot, str] | None = None, person: bool = True,
    names: Sequence[str] = (), seat: str = "",
) -> dict[str, Any]:
    """A picture as SVG, and where its places lie in it."""
    bare = svg.seen_from(replace(picture, caption=""), seat, look.flip)  # pages say the caption themselves
    parts = svg.boards_of(picture)
    if len(parts) == len(names) == 2 and seat:  # two boards side by side, looked at by one of the two
        names = ["Yours" if name == seat else "Theirs" for name in names]
    front = svg.board_in_front(picture, person)
    drawing = svg.draw(bare, title, look.flip, marks, styled=False, narrow=look.narrow, front=front, names=names)
    return {
        "svg": drawing.svg,
        "width": drawing.width,
        "height": drawing.height,
        "kind": type(picture).__name__.lower() if type(picture) is not Picture else picture.surface,
        "turns": picture.turns,
        "below": picture.below,
        "several": len(parts) > 1,
        "places": [
            {"id": place.id, "x": place.x, "y": place.y, "w": place.width, "h": place.height, "name": _name(place, parts, names),
             "here": place.here}
            for place in drawing.places
        ],
    }  # fmt: skip


def _name(place: svg.Place, parts: Sequence[range], names: Sequence[str]) -> str:
    """What a place is called, with its board where there are several that have the same names."""
    if len(parts) < 2 or len(parts) != len(names):
        return place.name
    column = place.id.partition(",")[2]
    at = next((number for number, part in enumerate(parts) if column.isdecimal() and int(column) in part), None)
    return place.name if at is None else f"{names[at]} {place.name}"


def to_move(position: Position) -> str:
    """Who is to move, in words."""
    return words.to_move(position, seat_names(position.game))


def result_in_words(position: Position) -> str:
    """How a finished game ended; empty while it goes on."""
    outcome = position.outcome()
    return "" if outcome is None else words.outcome_in_words(position.game, outcome, seat_names(position.game))


def winner_in_words(game: Game, seat: int) -> str:
    """Who wins."""
    return words.does(seat_names(game)[seat], "win")


FACES = {
    "chess": ("king", "king"), "go": ("stone", "stone"), "othello": ("stone", "stone"), "connect four": ("disc", "disc"),
    "checkers": ("man", "man"), "backgammon": ("checker", "checker"), "tic-tac-toe": ("cross", "ring"),
    "blind tic-tac-toe": ("cross", "ring"), "isolation": ("pawn", "pawn"), "pac-man": ("pac-man", "ghost"),
}  # fmt: skip
"""What stands before a player's name: a piece of theirs."""


def faces(position: Position) -> list[str]:
    """A small picture of each player's piece; none where a game has no pieces of one's own."""
    base = position.game.family
    picture = picture_of(position)
    if base not in FACES or picture is None:
        return []
    known = FACES[base]
    cells = [Cell("", known[min(seat, len(known) - 1)], seat) for seat in range(position.game.players)]
    colours = tuple(pieces.colour(cell, picture.colours, picture.surface) for cell in cells)
    return [svg.icon(cell, colours) for cell in cells]


def standing(position: Position, moves: Sequence[str] = ()) -> list[dict[str, Any]]:
    """What stands beside each name: what the game says of its own, pips where checkers race; or nothing."""
    if (tell := panel_of(position.game).standing) is not None:
        return tell(position, moves)
    words = [position.standing(seat) for seat in range(position.game.players)]
    if any(words):
        return [{"words": each} for each in words]
    picture = picture_of(position)
    if not isinstance(picture, Points):
        return []
    pips = [0, 0]
    for number, (owner, count) in enumerate(picture.points, start=1):
        if owner is not None:
            pips[owner] += count * (number if owner == 0 else 25 - number)
    return [{"words": f"{pips[seat] + 25 * picture.bar[seat]} pips"} for seat in range(2)]
