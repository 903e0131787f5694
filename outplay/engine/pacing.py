"""Time inside kernels: every kernel works in slices, and between two slices Python looks at the clock, the stop flag and Ctrl-C.

`Watch` knows the limits of one search; a `Pacer` cuts the work. A kernel counts its work in a unit of its own (nodes, simulations,
moves of playouts) and returns when a slice of it is done, so that one rule serves them all: a slice takes some milliseconds, and
less when a deadline is near.

>>> from outplay.values import Limits
>>> pacer = Pacer(Watch(Limits(nodes=5000)))
>>> done = 0
>>> while not pacer.is_over(done):
...     done += pacer.slice(lambda size: size, most=5000 - done)
>>> done
5000
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from outplay.engine.clock import Clock
from outplay.errors import BadValue
from outplay.values import Limits

SLICE_SECONDS = 0.004  # how long a kernel runs before Python looks around
SHORTEST = 0.0002  # seconds: a slice just before a deadline
GROWTH = 4.0  # a slice is at most this many times the last one, and not below a tenth of it
FEWEST, MOST = 50, 4_000_000  # of nodes in a slice
SLOWEST = 20_000  # units a second: what no search falls short of by much, so that the first slice of all does not miss a deadline

T = TypeVar("T")


class Watch:
    """The limits of one search: asked after every slice of work."""

    def __init__(self, limits: Limits, stop: threading.Event | None = None, clock: Clock | None = None) -> None:
        self.started = time.perf_counter()
        self.stop = stop or threading.Event()
        self.nodes = limits.nodes
        self.plan = clock.plan() if clock else None
        ends = [seconds for seconds in (limits.seconds, self.plan.most if self.plan else None) if seconds is not None]
        self.deadline = self.started + min(ends) if ends else None
        self.ended = threading.Event()  # set when the answer is there: the helper threads shall end

    def elapsed(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self.started

    def is_over(self, nodes: int, ahead: float = 0.0) -> bool:
        """Whether a limit is reached, or will be in the next moment."""
        if self.stop.is_set() or (self.nodes is not None and nodes >= self.nodes):
            return True
        return self.deadline is not None and time.perf_counter() + ahead >= self.deadline


class Pacer:
    """Cuts the work of one thread into slices of about equal time, whatever a unit of work takes in a game."""

    def __init__(self, watch: Watch, *, first: int = 2000, fewest: int = FEWEST, most: int = MOST, helper: bool = False) -> None:
        self.watch, self.size, self.fewest, self.most, self.helper = watch, first, fewest, most, helper
        if watch.deadline is not None and not helper:  # nobody knows the speed yet
            self.size = min(first, max(fewest, int(SLOWEST * (watch.deadline - time.perf_counter()) / 4)))

    def is_over(self, done: int) -> bool:
        """Whether to stop: a helper thread does when the answer is there, the others at a limit."""
        return self.watch.ended.is_set() if self.helper else self.watch.is_over(done)

    def slice(self, work: Callable[[int], T], most: int | None = None, count: Callable[[], int] | None = None) -> T:
        """Do a slice of work, at most `most` units, and let the next one follow the speed.

        Work that may be done before its slice is used up gives the `count` of its units: such a slice tells nothing of the speed.
        (A search whose first depths stand in its table would else be given millions of nodes, and miss its deadline by seconds.)
        """
        size = self.size if most is None else max(1, min(self.size, most))
        before = count() if count is not None else 0
        begun = time.perf_counter()
        answer = work(size)
        now = time.perf_counter()
        if count is not None and count() - before < size:
            return answer
        goal = SLICE_SECONDS
        if self.watch.deadline is not None and not self.helper:
            goal = min(goal, max(SHORTEST, (self.watch.deadline - now) / 4))
        ratio = goal / max(now - begun, 1e-6)
        self.size = int(min(max(size * min(max(ratio, 0.1), GROWTH), self.fewest), self.most))
        return answer


def in_threads(threads: int, work: Callable[[int], None]) -> None:
    """Do work(0), work(1) ... side by side, the first in this thread.

    >>> done = []
    >>> in_threads(3, done.append)
    >>> sorted(done)
    [0, 1, 2]
    """
    if threads < 1:
        raise BadValue(f"threads must be 1 or more, got {threads}")
    others = [threading.Thread(target=work, args=(number,)) for number in range(1, threads)]
    for each in others:
        each.start()
    work(0)
    for each in others:
        each.join()


def at_work(threads: int, work: Callable[[int], None], halt: threading.Event,
            until: Callable[[], bool] = lambda: False) -> Iterator[None]:
    """Let work(0), work(1) ... go on side by side and yield now and then, until all are done or `until` says so.

    `halt` tells them to end; it is set when one of them failed, whose exception is raised here, and whenever this is left.

    >>> done = []
    >>> for _ in at_work(3, done.append, threading.Event()):
    ...     pass
    >>> sorted(done)
    [0, 1, 2]
    """
    failures: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as problem:  # handed to the caller's thread
            failures.append(problem)
            halt.set()

    crew = [threading.Thread(target=guarded, args=(number,), daemon=True) for number in range(threads)]
    try:
        for each in crew:
            each.start()
        while not until() and (busy := next((each for each in crew if each.is_alive()), None)):
            busy.join(0.02)
            yield
    finally:
        halt.set()
        for each in crew:
            each.join()
    if failures:
        raise failures[0]
