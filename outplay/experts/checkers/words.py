"""Words of checkers for the judge: what the other side takes at once, and what is taken.

>>> from outplay.game import load
>>> position = load("checkers").position("B:W18,26,31:B6,7,11")
>>> [text for _, text, _, _ in reasons(position, position.parse_action("11-15"), position.parse_action("11-16"))]
['After 11-15, White takes 2 men more than it gives back at once; after 11-16, 0 men.']
"""

from __future__ import annotations

from typing import Any

from outplay.game import Position
from outplay.judge.words import say
from outplay.values import Action


def men(position: Position, seat: int) -> int:
    """How many men and kings of a player stand on the board.

    >>> from outplay.game import load
    >>> men(load("checkers").start(), 1)
    12
    """
    parts = {part[0]: part[1:] for part in position.text().split(":")[1:]}
    return len([each for each in parts.get("BW"[seat], "").split(",") if each])


def taken(position: Position, seat: int) -> int:
    """How many men of a player the other one, whose turn it is, can take at most, less what is taken back at once."""
    if position.is_terminal() or position.player() == seat:
        return 0
    worst = 0
    for there in (position.result(action) for action in position.actions()):
        lost, back = men(position, seat) - men(there, seat), 0
        if lost and not there.is_terminal() and there.player() == seat:
            back = men(there, 1 - seat) - min(men(there.result(action), 1 - seat) for action in there.actions())
        worst = max(worst, lost - back)
    return worst


def reasons(position: Position, played: Action, best: Action) -> list[tuple[str, str, list[str], dict[str, Any]]]:
    """What can be counted of two moves: what the other takes then, less what was taken."""
    if played == best:
        return []
    seat, text, better = position.player(), position.action_text(played), position.action_text(best)
    after, instead = position.result(played), position.result(best)
    mine, more = (men(position, 1 - seat) - men(there, 1 - seat) for there in (after, instead))
    lost, less = taken(after, seat), taken(instead, seat)
    found: list[tuple[str, str, list[str], dict[str, Any]]] = []
    if lost - mine > less - more and lost > less:
        other = position.game.seat_name(1 - seat)
        told = say("taken", action=text, other=other, count=_men(lost), best=better, fewer=_men(less))
        found.append(("taken", told, [text], {"men": [lost, less]}))
    if more > mine and lost - mine > less - more:
        told = say("captures", action=text, best=better, count=mine, more=more)
        found.append(("captures", told, [better], {"men": [mine, more]}))
    return found


def _men(count: int) -> str:
    return "1 man" if count == 1 else f"{count} men"
