"""The clock: how long to think about one move, and never a moment longer.

>>> plan = Clock(remaining=60.0, increment=1.0).plan()
>>> 2.0 < plan.target < plan.most < 60.0
True
>>> Clock(remaining=0.05).plan().most < 0.05
True
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from outplay.errors import BadValue
from outplay.values import Limits

MOVES_LEFT = 22  # how many more moves a game is planned to last where nobody says
OVERHEAD = 0.01  # seconds kept back for everything between the search and the clock
RESERVE, RESERVED = 0.1, 0.25  # seconds never planned with, but at most this part of what is left: a busy machine stalls at times
STALLS, STALLED = 2.0, 0.1  # so many times a stall that was met is kept back, too, but at most this part of what is left
BETWEEN = 0.6  # of what is left: no more of it is kept back for the time between searches
SETTLED, UNSETTLED = 0.7, 2.0  # of the target: the best action did not change for long; it has just changed
PATIENCE = 6  # depths without a change after which the best action counts as settled
NEXT_DEPTH = 0.7  # of the target: a depth that begins later than this is not expected to end


@dataclass(frozen=True)
class Plan:
    """Seconds for one move: `target` in a quiet position, `most` whatever happens."""

    target: float
    most: float

    def wants_more(self, spent: float, unchanged: int) -> bool:
        """Whether to begin another depth after so many seconds, with the best action unchanged for so many depths."""
        calm = min(unchanged, PATIENCE) / PATIENCE
        target = self.target * (UNSETTLED + (SETTLED - UNSETTLED) * calm)
        return spent < min(target, self.most) * NEXT_DEPTH


@dataclass(frozen=True)
class Clock:
    """The time a player has left: seconds now, seconds gained with each move, moves until more comes (None: never).

    `overhead` is lost with every move between the search and the clock; `stall` is the longest delay that was met of late.

    >>> Clock(1.0, stall=0.05).plan().target < Clock(1.0).plan().target
    True
    """

    remaining: float
    increment: float = 0.0
    moves_to_go: int | None = None
    overhead: float = OVERHEAD
    stall: float = 0.0

    def __post_init__(self) -> None:
        if self.remaining < 0 or self.increment < 0 or self.overhead < 0 or self.stall < 0:
            raise BadValue(f"a clock needs seconds of 0 or more, got {self.remaining} and an increment of {self.increment}")
        if self.moves_to_go is not None and self.moves_to_go < 1:
            raise BadValue(f"moves to go must be 1 or more, got {self.moves_to_go}")

    def plan(self) -> Plan:
        """A share of what is left: the increment is spent as it comes, the rest is spread over the moves to go."""
        moves = self.moves_to_go or MOVES_LEFT
        between = min(self.overhead * (moves + 1), BETWEEN * self.remaining)  # what all the moves to go lose between two searches
        reserve = min(RESERVE, RESERVED * self.remaining) + min(STALLS * self.stall, STALLED * self.remaining)
        left = max(0.0, self.remaining - between - reserve) * 0.98
        target = min(left, left / moves + 0.75 * self.increment)
        most = min(left, 4 * target) if moves == 1 else min(left * 0.4, 4 * target)
        return Plan(min(target, most), most)


def planned(limits: Limits) -> Limits:
    """Seconds for this move where a clock is given; the rest as it is.

    >>> planned(Limits(depth=3)), planned(Limits(remaining=2.0, depth=3)).seconds < 0.1
    (Limits(depth=3), True)
    """
    if limits.remaining is None:
        return limits
    target = Clock(limits.remaining, limits.increment or 0.0).plan().target
    return replace(limits, seconds=target, remaining=None, increment=None)
