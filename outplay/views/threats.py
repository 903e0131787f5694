"""What the other side threatens: what it would take, or how it would win, if it were its turn.

A game of its own kind says what that is (`Panel.threats`); in any other of perfect information it is actions with which the next
player wins at once after at least half of the moves that there are: a move that itself opens the way to a win makes no threat.

>>> from outplay.game import load
>>> threats(load("tic-tac-toe").position("xx./.o./... o")).words
'Crosses threaten c3'
>>> threats(load("chess").position("4k3/8/8/3p4/4N3/8/8/R3K3 w - - 0 1")).words
'Black threatens dxe4'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from outplay.errors import BadValue, OutplayError
from outplay.game import Position
from outplay.picture import Picture, Spot
from outplay.views import words
from outplay.views.panel import Threats, panel_of
from outplay.views.plain import picture_of

MOST_LOOKED_AT = 20_000  # pairs of a move and an answer: beyond that a page would have to wait


def threats(position: Position) -> Threats:
    """What is threatened against the player to move."""
    game = position.game
    if game.traits.information != "perfect" or game.traits.chance or game.players < 2:
        raise BadValue(f"threats are looked for where nothing is hidden or left to chance and two or more play, not in {game.name}")
    if position.is_terminal() or picture_of(position) is None:
        return Threats()
    return (panel_of(game).threats or wins)(position)


def called(position: Position, seat: int, what: str) -> str:
    """Who threatens what, in words."""
    name = words.seats(position.game)[seat]
    plural = name.endswith("s") or " and " in name
    return f"{name[0].upper()}{name[1:]} threaten{'' if plural else 's'} {what}"


def wins(position: Position) -> Threats:
    """Actions with which the next player wins at once after at least half of the moves that there are."""
    moves = position.actions()
    found: dict[str, int] = {}
    touched: dict[str, tuple[Spot, ...]] = {}
    looked, seat = 0, -1
    for move in moves:
        after = position.result(move)
        if after.is_terminal() or after.player() == position.player():
            continue
        answers = after.actions()
        looked += len(answers)
        if looked > MOST_LOOKED_AT:
            raise BadValue(f"{position.game.name} has too many moves here to look for every win of the other side")
        for answer in answers:
            end = after.result(answer)
            if not end.is_terminal() or (outcome := end.outcome()) is None or outcome.winner != after.player():
                continue
            seat, text = after.player(), after.action_text(answer)
            found[text] = found.get(text, 0) + 1
            if text not in touched:
                picture = picture_of(after)
                touched[text] = () if picture is None else picture.touches.get(answer, ())
    certain = [text for text, times in found.items() if 2 * times >= len(moves)]
    if not certain:
        return Threats()
    return drawn(called(position, seat, " and ".join(certain[:3])), [touched[text] for text in certain])


def taken(position: Position, passed: str, pays: Callable[[Position, Any], bool],
          spelled: Callable[[Position, Any], str]) -> Threats:  # fmt: skip
    """What could be taken, or mated, if the other side were to move: the position is `passed` then."""
    try:
        other = position.game.position(passed)
    except OutplayError:  # the king is in check: that is the threat, and the board shows it
        return Threats()
    picture, before = picture_of(other), picture_of(position)
    if other.is_terminal() or picture is None or before is None:
        return Threats()
    said, touched, lost = [], [], []
    for action in other.actions():
        after = other.result(action)
        mates = after.is_terminal() and (outcome := after.outcome()) is not None and outcome.winner == other.player()
        gone = _gone(before, picture_of(after), position.player())
        if mates or (gone and pays(other, action)):
            said.append(spelled(other, action))
            touched.append(picture.touches.get(action, ()))
            lost += gone or list(touched[-1][-1:])
    if not said:
        return Threats()
    more = f" and {len(said) - 3} more" if len(said) > 3 else ""
    told = drawn(called(position, other.player(), ", ".join(said[:3]) + more), touched)
    return Threats(told.words, dict.fromkeys(lost, "threat"), told.arrows)


def _gone(before: Picture, after: Picture | None, seat: int) -> list[Spot]:
    """Where this seat's pieces stood that are no longer there."""
    if after is None:
        return []
    pairs = ((row, column) for row, cells in enumerate(before.cells) for column in range(len(cells)))
    return [(r, c) for r, c in pairs if before.cells[r][c].owner == seat and after.cells[r][c].owner != seat]


def drawn(words: str, touched: Sequence[tuple[Spot, ...]]) -> Threats:
    """Threats as arrows from where to where."""
    arrows = tuple((way[k], way[k + 1]) for way in touched for k in range(0, len(way) - 1, 2))
    return Threats(words, {way[-1]: "threat" for way in touched if way}, arrows)


def counted(what: str) -> Callable[[Position, Sequence[str]], list[dict[str, Any]]]:
    """How many pieces of each player are on the board, for beside their names."""

    def standing(position: Position, words: Sequence[str]) -> list[dict[str, Any]]:
        picture: Any = picture_of(position)
        counts = [sum(cell.owner == seat for row in picture.cells for cell in row) for seat in range(2)] if picture else []
        return [{"words": f"{count} {what}"} for count in counts]

    return standing
