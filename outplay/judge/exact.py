"""The exact value of a game of chance to its end, where that is near: every roll, every play, each position once.

>>> from outplay.game import load
>>> position = load("isolation", width=3, height=2, sloppy=0.5).start().play("a1 c2")
>>> found = to_the_end(position, 5000)
>>> found.proved, position.action_text(found.action), round(found.value, 6)
(True, 'b1', ...)
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from outplay.game import Position
from outplay.values import Action

DEEPEST = 80  # plies: a game that can go on for longer is not near its end


class TooFar(Exception):
    """The end is not near enough."""


@dataclass(frozen=True)
class Exact:
    """What the first player gets with best play by both."""

    value: float
    action: Action | None
    positions: int
    proved: bool = True


def to_the_end(position: Position, most: int, stop: threading.Event | None = None) -> Exact | None:
    """The value where no more than so many positions can still come up; None where there are more, or where they can come again."""
    known: dict[Position, tuple[float, Action | None]] = {}
    open_ones: set[Position] = set()

    def value(here: Position, depth: int) -> float:
        if here.is_terminal():
            return float(here.utility(0))
        if here in known:
            return known[here][0]
        if here in open_ones or depth > DEEPEST or len(known) + len(open_ones) >= most or (stop is not None and stop.is_set()):
            raise TooFar
        open_ones.add(here)
        best: Action | None = None
        if here.is_chance():
            worth = sum(p * value(here.result(outcome), depth + 1) for outcome, p in here.chances())
        else:
            sign = 1.0 if here.side() == here.game.side(0) else -1.0
            told = [(sign * value(here.result(action), depth + 1), -number, action) for number, action in enumerate(here.actions())]
            worth, _, best = max(told, key=lambda each: each[:2])
            worth *= sign
        open_ones.discard(here)
        known[here] = worth, best
        return worth

    try:
        found = value(position, 0)
    except TooFar:
        return None
    return Exact(found, None if position.is_terminal() else known[position][1], len(known))
