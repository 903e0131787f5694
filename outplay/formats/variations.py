"""A game with variations as whole lines in order, the game's own first: where each parts from the others, and how to order them.

Every line begins at the start, so that the tree is the lines laid over each other: of the moves that follow a position, that of
the earliest line is the main one.

>>> lines = [("e4", "e5", "Nf3"), ("e4", "c5", "Nf3"), ("e4", "c5", "c3"), ("d4",)]
>>> forks(lines)
[(-1, 0), (0, 1), (1, 2), (0, 0)]
>>> promoted(lines, 2, 2)
[('e4', 'e5', 'Nf3'), ('e4', 'c5', 'c3'), ('e4', 'c5', 'Nf3'), ('d4',)]
>>> promoted(lines, 2, 1)
[('e4', 'c5', 'Nf3'), ('e4', 'c5', 'c3'), ('e4', 'e5', 'Nf3'), ('d4',)]
>>> without(lines, 1, 1)
[('e4', 'e5', 'Nf3'), ('d4',)]
>>> without(lines, 3, 0)
[('e4', 'e5', 'Nf3'), ('e4', 'c5', 'Nf3'), ('e4', 'c5', 'c3')]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Move = TypeVar("Move")
Line = tuple[Move, ...]


def shared(line: Sequence[Move], other: Sequence[Move]) -> int:
    """How many moves two lines begin with in common."""
    for ply, (one, two) in enumerate(zip(line, other, strict=False)):
        if one != two:
            return ply
    return min(len(line), len(other))


def forks(lines: Sequence[Sequence[Move]]) -> list[tuple[int, int]]:
    """For each line, which earlier one it leaves and after how many plies; the first leaves none: (-1, 0)."""
    found = [(-1, 0)]
    for number in range(1, len(lines)):
        same = [shared(lines[number], lines[earlier]) for earlier in range(number)]
        found.append((same.index(max(same)), max(same)))
    return found[: len(lines)]


def tidy(lines: Sequence[Line]) -> list[Line]:
    """The same without lines that say nothing new: what another one begins with."""
    kept = list(dict.fromkeys(lines))
    return [line for line in kept if not any(other is not line and other[: len(line)] == line for other in kept)]


def added(lines: Sequence[Line], line: Line) -> list[Line]:
    """One more line, behind those with which it has most in common."""
    most = max((shared(line, other) for other in lines), default=0)
    last = max((number for number, other in enumerate(lines) if shared(line, other) == most), default=-1)
    return [*lines[: last + 1], line, *lines[last + 1 :]]


def promoted(lines: Sequence[Line], number: int, ply: int) -> list[Line]:
    """The move of a line after so many plies becomes the main one of its position, with all that follows it."""
    way = lines[number][: ply + 1]
    through = [line for line in lines if line[: ply + 1] == way]
    first = next(at for at, line in enumerate(lines) if line[:ply] == way[:ply])
    rest = [line for line in lines[first:] if line[: ply + 1] != way]
    return [*lines[:first], *through, *rest]


def without(lines: Sequence[Line], number: int, ply: int) -> list[Line]:
    """The move of a line after so many plies is taken out, with all that follows it; what led to it stays."""
    way = lines[number][: ply + 1]
    left = [way[:-1] if line[: ply + 1] == way else line for line in lines]
    return tidy(left) or [way[:-1]]
