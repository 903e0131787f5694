"""Depth-first search twice: on the stack, as a recursion, and on the heap, with a fringe of its own (Tarry 1895).

The recursion is simple to write, but each step down takes a frame of the program's stack, which is small. A fringe in a list is
limited by memory only. Both meet the positions in the same order:

>>> from outplay.game import load
>>> start = load("tic-tac-toe").start()
>>> ring_wins = lambda position: position.is_terminal() and position.utility(1) == 1
>>> on_the_stack(start, ring_wins) == on_the_heap(start, ring_wins)
True
>>> on_the_heap(start, ring_wins)
(0, 1, 2, 3, 5, 4, 6, 7)

Minimax can be written with a stack of frames on the heap just as well; this is also how the fast engine does it.

>>> minimax_on_the_heap(load("tree", tree="[[3,12,8],[2,4,6],[14,5,2]]").start()).value
3.0
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from outplay.errors import Unavailable
from outplay.game import Position
from outplay.textbook.search import INFINITY, NOTHING, Evaluate, Line, Search, need_two_players, stack_room
from outplay.values import Limits, Result

Goal = Callable[[Position], bool]


def on_the_stack(position: Position, is_goal: Goal) -> Line | None:
    """The first way found to a goal, or None; a tree deeper than Python's stack is refused in one sentence."""

    def tree_search(position: Position, room: int) -> Line | None:
        if room == 0:
            raise Unavailable("this tree is deeper than Python's stack holds: search it on the heap")
        if is_goal(position):
            return ()
        for action in position.actions():
            rest = tree_search(position.result(action), room - 1)
            if rest is not None:
                return (action, *rest)
        return None

    return tree_search(position, stack_room(frames=1))


def on_the_heap(position: Position, is_goal: Goal) -> Line | None:
    """The first way found to a goal, or None, however deep the tree is."""
    fringe: list[tuple[Position, tuple]] = [(position, ())]
    while fringe:
        position, way = fringe.pop()
        if is_goal(position):
            actions = []
            while way:
                way, action = way
                actions.append(action)
            return tuple(reversed(actions))
        for action in reversed(position.actions()):  # the last one in is the first one out
            fringe.append((position.result(action), (way, action)))
    return None


@dataclass
class Frame:
    """What the recursion of minimax would keep on the stack for one node."""

    position: Position
    best: float
    line: Line = NOTHING
    tried: int = 0


def minimax_on_the_heap(position: Position, *, depth: int | None = None, evaluate: Evaluate | None = None,
                        limits: Limits | None = None, trace: bool = False) -> Result:
    """Minimax for trees that are too deep for a recursion."""
    need_two_players("minimax-heap", position)
    search = Search("minimax-heap", position, depth=depth, evaluate=evaluate, limits=limits, trace=trace)
    search.room = INFINITY

    def value(position: Position) -> tuple[float, Line]:
        frames: list[Frame] = []
        while True:
            # Down: enter the position; one that is no leaf gets a frame, and its first action comes next.
            search.enter(position)
            if not search.is_leaf(position):
                frames.append(Frame(position, -INFINITY if position.side() == 0 else INFINITY))
            else:
                v, line = search.leaf(position), NOTHING
                # Up: hand the value to the frame above, and leave each frame whose actions are all tried.
                while frames:
                    frame = frames[-1]
                    action = frame.position.actions()[frame.tried]
                    if v > frame.best if frame.position.side() == 0 else v < frame.best:
                        frame.best, frame.line = v, (action, *line)
                    frame.tried += 1
                    if frame.tried < len(frame.position.actions()):
                        break
                    frames.pop()
                    v, line = search.leave(frame.position, frame.best), frame.line
                if not frames:
                    return v, line
            frame = frames[-1]
            position = search.result(frame.position, frame.position.actions()[frame.tried])

    return search.decide(value, position)
