"""Depth-first iterative deepening: depth-first search to depth 0, 1, 2, ... until the goal is met (Slate, Atkin 1977; Korf 1985).

It finds a way with the fewest actions, as breadth-first search does, in memory for one path only. The price is small: the last
depth has more nodes than all before it together.

>>> from outplay.game import load
>>> from outplay.textbook.breadth_first import breadth_first
>>> start = load("fifteen puzzle", width=3, height=2).position("3 1 2 4 5 0")
>>> deepening(start).depth == breadth_first(start).depth
True
"""

from __future__ import annotations

import itertools

from outplay.errors import Unavailable
from outplay.game import Position
from outplay.textbook.search import Line, Search
from outplay.textbook.tree_search import need_one_player
from outplay.values import Limits, Result


def deepening(position: Position, *, limits: Limits | None = None, trace: bool = False) -> Result:
    """The way with the fewest actions, in little memory."""
    need_one_player("dfid", position)
    search = Search("dfid", position, limits=limits, trace=trace)
    way: list[Position] = []  # a position that is on the way already closes a circle

    def look(position: Position, left: int) -> tuple[Line | None, bool]:
        """A way of at most `left` actions, or None; and whether the depth cut anything off."""
        search.enter(position)
        if position.is_solved():
            search.leave(position, position.utility(0))
            return (), False
        if left == 0 or position.is_terminal():
            search.leave(position, 0.0)
            return None, not position.is_terminal()
        cut = False
        way.append(position)
        for action in position.actions():
            child = search.result(position, action)
            if child in way:
                search.path.pop()
                continue
            line, deeper = look(child, left - 1)
            cut = cut or deeper
            if line is not None:
                search.leave(position, 1.0)
                return (action, *line), True
        way.pop()
        search.leave(position, 0.0)
        return None, cut

    most = search.depth
    for depth in itertools.count():
        way.clear()
        search.restart(None)
        try:
            line, cut = look(position, depth)
        except RecursionError:
            deep = f"dfid came {search.deepest} actions deep, more than Python's stack holds"
            raise Unavailable(f"{deep}: use breadth-first") from None
        if line is not None:
            value = end_of(position, line).utility(0)
            return search.report((value,), line, depth=depth, cost=cost_of(position, line), rounds=depth + 1)
        if not cut or depth == most:
            search.exact = not cut
            return search.report((0.0,), (), cost=None, rounds=depth + 1)
    raise AssertionError("the count has no end")


def end_of(position: Position, line: Line) -> Position:
    """Where a line of actions leads."""
    for action in line:
        position = position.result(action)
    return position


def cost_of(position: Position, line: Line) -> float:
    """What a line of actions costs."""
    total: float = 0
    for action in line:
        total += position.cost(action)
        position = position.result(action)
    return total
