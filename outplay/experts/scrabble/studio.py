"""Scrabble's tiles, laid one by one: whatever lies on the board is judged, so that a page needs no list of all plays.

>>> from outplay.game import load
>>> opening = load("scrabble", compiled=None).position("/".join(["15"] * 15) + " ACEST?X/******* 0/0 0 0")
>>> judged(opening, [("first", 1), (7, 7), ("first", 0), (7, 8), ("first", 2), (7, 9)])
{'plays': [], 'reason': 'CAE is not in the word list'}
>>> judged(opening, [("first", 1), (7, 7), ("first", 0), (7, 8), ("first", 4), (7, 9)])
{'plays': [{'action': '8H:CAT', 'points': 10}], 'reason': ''}
>>> cat = opening.parse_action("8H:CAT")
>>> about(opening, [cat])[cat]
{'points': '10', 'leave': 'ESX? +32.9'}
"""

from __future__ import annotations

import itertools
import string
from collections.abc import Mapping, Sequence
from typing import Any

from outplay.errors import BadValue
from outplay.experts.scrabble.leaves import leave_worth
from outplay.experts.scrabble.search import leave_terms
from outplay.experts.scrabble.words import kept, scored
from outplay.game import Position
from outplay.games.scrabble.notation import COLUMNS
from outplay.picture import Spot
from outplay.values import Action
from outplay.views import svg
from outplay.views.panel import Panel, Tool
from outplay.views.sheet import spot_of

MOST_TILES = 26
MOST_PLAYS = 60  # that two blanks together are offered as; whoever means another one types its letters


def rack(position: Position) -> dict[str, Any] | None:
    """Where tiles can be taken from and laid to in a position; None where nothing is to be laid."""
    if position.is_chance() or position.is_terminal():
        return None
    state = _state(position)
    picture: Any = position.picture()
    mine = next((hand for hand in picture.hands if hand.mark and hand.things), None)
    if state.asked or mine is None:
        return None
    squares = [(row, column) for row, line in enumerate(picture.cells) for column, cell in enumerate(line) if not cell.symbol]
    return {
        "tiles": [svg.spot_id((mine.name, number)) for number in range(len(mine.things))],
        "squares": [svg.spot_id(square) for square in squares] + (["bag"] if state.can_swap() else []),
    }


def judged(position: Position, touches: Sequence[Spot], letters: Mapping[Spot, str] | None = None) -> dict[str, Any]:
    """The plays that tiles make, those with most points first, and where there is none, why."""
    try:
        texts = _texts(position, list(zip(touches[::2], touches[1::2], strict=True)), letters or {})
    except ValueError as problem:
        return {"plays": [], "reason": str(problem)}
    reason, found = "", {}
    actions = frozenset(position.actions())
    for text in texts:
        try:
            action = position.game.parse_action(position.state, text)
        except ValueError as problem:
            reason = reason or str(problem)
            continue
        if action in actions:
            found[position.action_text(action)] = _points(position, action)
    plays = [{"action": text, "points": points} for text, points in sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))]
    if not plays and len(texts) > 1:
        reason = "no letter for the blank makes that a word"
    return {"plays": plays[:MOST_PLAYS], "reason": "" if plays else reason or "that cannot be played now"}


def spelled(position: Position, action: Any, text: str) -> str:
    """A play with its points."""
    points = 0 if position.is_chance() else _points(position, action)
    return f"{text} +{points}" if points else text


def _state(position: Position) -> Any:
    game: Any = position.game
    return game.record(position.state)


def _points(position: Position, action: Any) -> int:
    state = _state(position)
    if action & 3 != 1:
        return 0
    state.put(action)
    return int(state.gain)


def _texts(position: Position, moved: list[tuple[Spot, Spot]], letters: Mapping[Spot, str]) -> list[str]:
    """The plays in the rules' notation that these tiles may be, one for each letter that a blank may stand for."""
    picture: Any = position.picture()
    mine = next((hand for hand in picture.hands if hand.mark), None) if picture else None
    if mine is None:
        raise ValueError("no tiles are to be laid here")
    held: dict[Any, str] = {(mine.name, number): cell.symbol for number, cell in enumerate(mine.things)}
    if any(tile not in held for tile, _ in moved) or len({tile for tile, _ in moved}) < len(moved):
        raise ValueError("tiles come from the rack of the player to move, each once")
    if any(place == "bag" for _, place in moved):
        if any(place != "bag" for _, place in moved):
            raise ValueError("tiles are either laid or swapped, not both")
        return ["swap:" + "".join(held[tile] for tile, _ in moved)]
    cells: dict[Any, str] = {(row, column): cell.symbol for row, line in enumerate(picture.cells)
                             for column, cell in enumerate(line)}  # fmt: skip
    laid: dict[Any, str] = {place: held[tile] for tile, place in moved}
    if len(laid) < len(moved) or any(cells.get(place, "x") for place in laid):
        raise ValueError("each tile needs a free square of its own")
    rows, columns = {row for row, _ in laid}, {column for _, column in laid}
    if len(rows) > 1 and len(columns) > 1:
        raise ValueError("the tiles of a word lie in one row or one column")

    def read(down: int, across: int) -> tuple[tuple[int, int], list[tuple[int, int]]]:
        at = min(laid)
        while cells.get((at[0] - down, at[1] - across)):
            at = at[0] - down, at[1] - across
        first, way = at, []
        while cells.get(at) or at in laid:
            way.append(at)
            at = at[0] + down, at[1] + across
        return first, way

    down = 1 if len(rows) > 1 or (len(laid) == 1 and len(read(0, 1)[1]) == 1) else 0
    (row, column), way = read(down, 1 - down)
    if not set(laid) <= set(way):
        raise ValueError("there is a gap between the tiles")
    where = f"{COLUMNS[column]}{row + 1}" if down else f"{row + 1}{COLUMNS[column]}"
    choices = []
    for place in way:
        if laid.get(place) != "?":
            choices.append(laid.get(place) or cells[place].upper())
            continue
        wanted = letters.get(place, "").lower()
        choices.append(wanted if len(wanted) == 1 and wanted in string.ascii_lowercase else string.ascii_lowercase)
    return [f"{where}:{''.join(word)}" for word in itertools.product(*choices)]


def laid(position: Position, past: Sequence[Position], touches: Sequence[str],
         letters: Mapping[str, str] | None = None) -> dict[str, Any]:  # fmt: skip
    """What tiles that somebody has laid make, before they are played: the plays with their points, or why it is none."""
    is_list = isinstance(touches, list) and len(touches) <= 2 * MOST_TILES and all(isinstance(each, str) for each in touches)
    if not is_list or not touches or len(touches) % 2:
        raise BadValue("touches are pairs of texts, a tile and its square")
    wishes = letters or {}
    if not isinstance(wishes, dict) or len(wishes) > MOST_TILES or not all(isinstance(each, str) for each in wishes.values()):
        raise BadValue("letters are texts by their squares")
    spots = [spot_of(text) for text in touches]
    return judged(position, spots, {spot_of(at): one for at, one in wishes.items()})


def about(position: Position, actions: Sequence[Action]) -> dict[Action, dict[str, str]]:
    """What a play scores, what it leaves on the rack, and what that is worth in points."""
    if position.is_chance() or _state(position).asked:
        return {}
    terms, told = leave_terms(), {}
    for action in actions:
        left = kept(position, action)
        worth = f"{left} {leave_worth(terms, left):+.1f}" if left else "–"
        told[action] = {"points": str(scored(position, action)), "leave": worth}
    return told


PANEL = Panel(spelled=spelled, touch=rack, about=about, tools={"laid": Tool(laid, when="person")})
