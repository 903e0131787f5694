"""Words of chess for the judge: exchanges on a square, castling that is lost, moves left to the other, each counted.

>>> from outplay.game import load
>>> position = load("chess").start().play("e2e4 e7e5 g1f3 d7d6 f1c4 b8c6")
>>> [text for _, text, _, _ in reasons(position, position.parse_action("f3e5"), position.parse_action("d2d3"))]
['After f3e5, Black wins 2 pawns on e5, exchange by exchange; after d2d3, nothing.']
"""

from __future__ import annotations

from typing import Any

from outplay.game import Position
from outplay.judge.words import phrase, say
from outplay.values import Action

WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 100}
"""Pieces in pawns; a king is never taken."""


MANY = 10
"""So many more moves left to the other are a reason."""


def men(position: Position) -> dict[str, str]:
    """The pieces by their squares, as a FEN writes them.

    >>> from outplay.game import load
    >>> men(load("chess").start())["e1"]
    'K'
    """
    found: dict[str, str] = {}
    for down, row in enumerate(position.text().split()[0].split("/")):
        column = 0
        for sign in row:
            if sign.isdecimal():
                column += int(sign)
            else:
                found[f"{'abcdefgh'[column]}{8 - down}"] = sign
                column += 1
    return found


def captures(position: Position) -> dict[str, list[tuple[int, str, Action]]]:
    """What the player to move can take, by square: with what, the least first. Promotions are no exchanges and left out."""
    stand, found = men(position), {}  # type: dict[str, str], dict[str, list[tuple[int, str, Action]]]
    for action in position.actions():
        text = position.action_text(action)
        if len(text) == 4 and text[2:] in stand and stand[text[2:]].islower() != stand[text[:2]].islower():
            found.setdefault(text[2:], []).append((WORTH[stand[text[:2]].lower()], text, action))
    return {square: sorted(takers, key=lambda each: each[:2]) for square, takers in found.items()}


def exchange(position: Position, square: str) -> int:
    """What the player to move wins, in pawns, where both sides take on this square as long as it pays; nothing where it does not.

    >>> from outplay.game import load
    >>> exchange(load("chess").position("4k3/8/4p3/3p4/8/2N5/8/3QK3 w - - 0 1"), "d5")  # a pawn that a pawn protects
    0
    >>> exchange(load("chess").position("4k3/8/8/3p4/8/2N5/8/3QK3 w - - 0 1"), "d5")
    1
    """
    takers = captures(position).get(square, [])
    if not takers:
        return 0
    taken = WORTH[men(position)[square].lower()]
    return max(0, taken - exchange(position.result(takers[0][2]), square))


def gains(position: Position) -> dict[str, int]:
    """The squares on which the player to move wins something by exchanges, and how many pawns."""
    if position.is_terminal():
        return {}
    told = {square: exchange(position, square) for square in captures(position)}
    return {square: amount for square, amount in told.items() if amount > 0}


def reasons(position: Position, played: Action, best: Action) -> list[tuple[str, str, list[str], dict[str, Any]]]:
    """What exchanges bring after two moves."""
    if played == best:
        return []
    (text, taken, lost), (better, more, others) = _told(position, played), _told(position, best)
    worst, least = max(lost.values(), default=0), max(others.values(), default=0)
    other, found = position.game.seat_name(1 - position.player()), []  # type: str, list[tuple[str, str, list[str], dict[str, Any]]]
    if worst > least and more - least > taken - worst:
        told = say("exchange", action=text, other=other, won=_where(lost), best=better, instead=_where(others))
        found.append(("exchange", told, [text], {"pawns": [worst, least]}))
    if more > taken and more - least > taken - worst:
        told = say("takes", best=better, won=_where({better[2:4]: more}), action=text,
                   instead=_where({text[2:4]: taken} if taken > 0 else {}))  # fmt: skip
        found.append(("takes", told, [better], {"pawns": [taken, more]}))
    after, instead, seat = position.result(played), position.result(best), position.player()
    if may_castle(position, seat) and not may_castle(after, seat) and may_castle(instead, seat) and not castles(position, played):
        told = say("castling", action=text, seat=position.game.seat_name(seat), best=better)
        found.append(("castling", told, [text], {"castling": text}))
    moves, fewer = len(after.actions()), len(instead.actions())
    if moves - fewer >= MANY and not instead.is_terminal():
        told = say("mobility", action=text, other=other, theirs=moves, best=better, fewer=fewer)
        found.append(("mobility", told, [better], {"mobility": [moves, fewer]}))
    return found


def may_castle(position: Position, seat: int) -> bool:
    """Whether a side's king and some rook have not moved, as a FEN says."""
    return any(sign.isalpha() and sign.isupper() == (seat == 0) for sign in position.text().split()[2])


def castles(position: Position, action: Action) -> bool:
    """Whether a move is castling.

    >>> from outplay.game import load
    >>> position = load("chess").position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    >>> [castles(position, position.parse_action(text)) for text in ("e1g1", "e1f1")]
    [True, False]
    """
    text, stand = position.action_text(action), men(position)
    rook = {"K": "R", "k": "r"}.get(stand[text[:2]], "")
    onto_rook = stand.get(text[2:4]) == rook  # as it is written where rooks may stand anywhere
    return bool(rook) and (onto_rook or abs(ord(text[2]) - ord(text[0])) > 1)


def _told(position: Position, action: Action) -> tuple[str, int, dict[str, int]]:
    """A move, what it takes and keeps in pawns, and what the other side wins after it beyond what was taken, by square."""
    text, stand, after = position.action_text(action), men(position), position.result(action)
    taken, lost = WORTH[stand[text[2:4]].lower()] if text[2:4] in stand else 0, gains(after)
    back = lost.pop(text[2:4], 0)
    if back > taken:
        lost[text[2:4]] = back - taken
    return text, max(0, taken - back), lost


def _where(won: dict[str, int]) -> str:
    """The most that is won on one square."""
    square = max(sorted(won), key=lambda each: won[each], default="")
    return f"{won[square]} {'pawn' if won[square] == 1 else 'pawns'} on {square}" if square else phrase("nothing")
