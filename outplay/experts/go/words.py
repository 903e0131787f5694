"""Words of Go for the judge: stones that are taken, chains with one liberty left, territory, each counted on the board.

>>> from outplay.game import load
>>> position = load("go:size=5").position("...../.xox./..x../...../..... x - 0 4 -")
>>> [(kind, text) for kind, text, _, _ in reasons(position, position.parse_action("E5"), position.parse_action("C5"))][:1]
[('captures', 'Taken: 1 by C5, 0 by E5.')]
"""

from __future__ import annotations

from typing import Any

from outplay.game import Position
from outplay.judge.words import say
from outplay.values import Action

Spot = tuple[int, int]
MORE = 3
"""So many more points that lie by stones of one colour alone are a reason."""


def rows_of(position: Position) -> list[str]:
    """The board, a row a text: x Black's, o White's, a dot an empty point."""
    return position.text().split()[0].split("/")


def groups(board: list[str], what: str) -> list[tuple[set[Spot], set[Spot]]]:
    """The points of one kind that hang together along lines, each group with what lies around it."""
    size, seen, found = len(board), set(), []
    for start in ((row, column) for row in range(size) for column in range(size) if board[row][column] == what):
        if start in seen:
            continue
        group, around, waiting = {start}, set(), [start]
        while waiting:
            row, column = waiting.pop()
            for there in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if min(there) < 0 or max(there) >= size or there in group:
                    continue
                if board[there[0]][there[1]] == what:
                    group.add(there)
                    waiting.append(there)
                else:
                    around.add(there)
        seen |= group
        found.append((group, around))
    return found


def stones(position: Position, seat: int) -> int:
    """How many stones of a player stand on the board."""
    return sum(row.count("xo"[seat]) for row in rows_of(position))


def in_atari(position: Position, seat: int) -> int:
    """How many stones of a player stand in chains with one liberty left."""
    board = rows_of(position)
    return sum(len(group) for group, around in groups(board, "xo"[seat]) if sum(board[r][c] == "." for r, c in around) == 1)


def territory(position: Position, seat: int) -> int:
    """How many empty points lie by stones of one player alone."""
    board = rows_of(position)
    return sum(len(group) for group, around in groups(board, ".") if {board[r][c] for r, c in around} == {"xo"[seat]})


def reasons(position: Position, played: Action, best: Action) -> list[tuple[str, str, list[str], dict[str, Any]]]:
    """What can be counted of two moves."""
    after, instead = position.result(played), position.result(best)
    if played == best or after.is_terminal() or instead.is_terminal():
        return []
    found: list[tuple[str, str, list[str], dict[str, Any]]] = []
    seat, text, better = position.player(), position.action_text(played), position.action_text(best)
    name = position.game.seat_name(seat)
    taken, more = (stones(position, 1 - seat) - stones(there, 1 - seat) for there in (after, instead))
    if more > taken:
        found.append(("captures", say("captures", action=text, best=better, count=taken, more=more), [better],
                      {"captures": [taken, more]}))  # fmt: skip
    count, others = in_atari(after, seat), in_atari(instead, seat)
    if count > others:
        told = say("atari", action=text, best=better, count=count, fewer=others, seat=name)
        found.append(("atari", told, [text], {"atari": [count, others]}))
    held, holds = in_atari(after, 1 - seat), in_atari(instead, 1 - seat)
    if holds > held:
        other = position.game.seat_name(1 - seat)
        found.append(("attack", say("attack", action=text, best=better, count=held, more=holds, other=other), [better],
                      {"attack": [held, holds]}))  # fmt: skip
    lies, larger = territory(after, seat), territory(instead, seat)
    if larger - lies >= MORE:
        found.append(("territory", say("territory", action=text, best=better, count=lies, more=larger, seat=name), [better],
                      {"territory": [lies, larger]}))  # fmt: skip
    return found
