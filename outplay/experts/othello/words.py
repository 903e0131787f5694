"""Words of Othello for the judge: corners, safe discs, passes, parity, and how many actions are left to the other, each counted.

>>> from outplay.game import load
>>> corners(load("othello").start().play("d3 c3 b3 e3 f3 c5 f6 g2 b5 c6 f4 a5"))  # g2 gives it away
('h1',)
"""

from __future__ import annotations

from typing import Any

from outplay.game import Position
from outplay.judge.words import say
from outplay.values import Action

MANY = 3
"""So many more actions left to the other are a reason."""


def corners(position: Position) -> tuple[str, ...]:
    """The corners that the player to move can take at once."""
    game: Any = position.game
    size = int(game.rules.parameters["size"])
    names = {f"{column}{row}" for column in ("a", "abcdefgh"[size - 1]) for row in (1, size)}
    return tuple(sorted(names & {position.action_text(action) for action in position.actions()}))


def safe(position: Position, seat: int) -> int:
    """How many discs of a player can never be turned again: each way, their line is full or they lean on the edge or a safe one.

    >>> from outplay.game import load
    >>> safe(load("othello:size=4").position("XXO-OXX--OO----- X"), 0)
    2
    """
    size = int(position.game.rules.parameters["size"])
    board, mine = position.text()[: size * size], "XO"[seat]
    inside = [(row, column) for row in range(size) for column in range(size)]
    at = {(row, column): board[row * size + column] for row, column in inside}
    kept: set[tuple[int, int]] = set()

    def is_full(row: int, column: int, down: int, right: int) -> bool:
        for sign in (1, -1):
            there = row, column
            while there in at:
                if at[there] == "-":
                    return False
                there = there[0] + sign * down, there[1] + sign * right
        return True

    def is_held(row: int, column: int, down: int, right: int) -> bool:
        ends = [(row + sign * down, column + sign * right) for sign in (1, -1)]
        return any(end not in at or end in kept for end in ends) or is_full(row, column, down, right)

    grows = True
    while grows:
        new = {spot for spot in inside if spot not in kept and at[spot] == mine
               and all(is_held(*spot, *way) for way in ((0, 1), (1, 0), (1, 1), (1, -1)))}  # fmt: skip
        kept |= new
        grows = bool(new)
    return len(kept)


def region(position: Position, square: str) -> int:
    """How many empty squares hang together with an empty one, sideways, up and down or across a corner; itself counts."""
    size = int(position.game.rules.parameters["size"])
    if not square[1:].isdecimal():
        return 0
    board, waiting = position.text()[: size * size], [(int(square[1:]) - 1, ord(square[0]) - ord("a"))]
    seen = set(waiting)
    while waiting:
        row, column = waiting.pop()
        for near in ((row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)):
            if near not in seen and min(near) >= 0 and max(near) < size and board[near[0] * size + near[1]] == "-":
                seen.add(near)
                waiting.append(near)
    return len(seen)


def ring(position: Position, square: str) -> str:
    """The empty corner that a square lies beside, nothing where there is none."""
    size = int(position.game.rules.parameters["size"])
    board = position.text()[: size * size]
    if square[1:].isdecimal():
        row, column = int(square[1:]) - 1, ord(square[0]) - ord("a")
        for there in ((r, c) for r in (0, size - 1) for c in (0, size - 1)):
            if (row, column) != there and max(abs(row - there[0]), abs(column - there[1])) == 1:
                return f"{'abcdefgh'[there[1]]}{there[0] + 1}" if board[there[0] * size + there[1]] == "-" else ""
    return ""


def frontier(position: Position, seat: int) -> int:
    """How many discs of a player border on an empty square.

    >>> from outplay.game import load
    >>> frontier(load("othello").start().play("d3"), 0)
    4
    """
    size = int(position.game.rules.parameters["size"])
    board, mine = position.text()[: size * size], "XO"[seat]
    at = {(place // size, place % size): what for place, what in enumerate(board)}
    ways = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
    return sum(any(at.get((r + down, c + right)) == "-" for down, right in ways) for (r, c), what in at.items() if what == mine)


LATE = 20
"""So many empty squares or fewer: then the last move of each part of them counts."""


def reasons(position: Position, played: Action, best: Action) -> list[tuple[str, str, list[str], dict[str, Any]]]:
    """What can be counted of two moves."""
    after, instead = position.result(played), position.result(best)
    if played == best or any(each.is_terminal() or each.player() == position.player() for each in (after, instead)):
        return []
    found: list[tuple[str, str, list[str], dict[str, Any]]] = []
    text, better, other = position.action_text(played), position.action_text(best), position.game.seat_name(1 - position.player())
    given, others_given = corners(after), corners(instead)
    if given and not others_given:
        found.append(("corner", say("corner", action=text, other=other, corner=" and ".join(given), best=better), [text, given[0]],
                      {"corners": list(given)}))  # fmt: skip
    has_to_pass = [not any(each.action_text(one)[1:].isdecimal() for one in each.actions()) for each in (after, instead)]
    if has_to_pass == [False, True]:
        found.append(("pass", say("pass", action=text, best=better, other=other), [better], {"pass": better}))
    seat = position.player()
    kept, more = safe(after, seat), safe(instead, seat)
    if more > kept:
        told = say("safe", action=text, best=better, seat=position.game.seat_name(seat), more=more, count=kept)
        found.append(("safe", told, [better], {"safe": [kept, more]}))
    count, odd = region(position, text), region(position, better)
    if count % 2 == 0 and odd % 2 == 1 and count and position.text().count("-") <= LATE:
        found.append(("parity", say("parity", action=text, best=better, count=count, odd=odd), [better], {"parity": [count, odd]}))
    mine, others = len(after.actions()), len(instead.actions())
    if mine - others >= MANY:
        found.append(("mobility", say("mobility", action=text, other=other, theirs=mine, best=better, fewer=others), [text],
                      {"mobility": [mine, others]}))  # fmt: skip
    if (near := ring(position, text)) and not ring(position, better) and near not in (text, better):
        found.append(("beside", say("beside", action=text, corner=near, best=better), [text], {"beside": near}))
    out, fewer = frontier(after, seat), frontier(instead, seat)
    if out - fewer >= MANY:
        told = say("frontier", action=text, seat=position.game.seat_name(seat), count=out, best=better, fewer=fewer)
        found.append(("frontier", told, [text], {"frontier": [out, fewer]}))
    return found
