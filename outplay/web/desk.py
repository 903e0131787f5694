"""The desk where searches are handed in: a bounded number runs at a time, each in a thread, the rest wait and know their place.

A job is a function of `tell` and `stop`: it calls `tell(message)` as often as it likes and ends soon after `stop` is set. Whoever
stops reading the stream (a page that is left) stops the job; its seat is free again only when its thread has really ended.

>>> import asyncio
>>> async def ask():
...     desk = Desk(seats=1)
...     return [message async for message in desk.run(lambda tell, stop: tell({"value": 3}))]
>>> asyncio.run(ask())
[{'queued': 0}, {'value': 3}]
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import sys
import threading
import weakref
from collections.abc import AsyncIterator, Callable
from typing import Any

from outplay.errors import OutplayError, Unavailable
from outplay.web.limits import MOST_WAITING, SEARCHES

Message = dict[str, Any]
Tell = Callable[[Message], None]
Job = Callable[[Tell, threading.Event], None]

NICENESS = 4  # of a search's thread: pages come first, and a machine that is busy with other things still answers (at 10: a tenth)

logger = logging.getLogger("outplay.web")


def give_way() -> None:
    """Let this thread run after those that serve pages, where the system knows priorities of threads."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


class Busy(Unavailable):
    """Too much is asked at the moment: the queue is full, or the file of saved games stays locked."""


class Stopped(Exception):
    """Raised inside a job by those who notice that nobody waits for it any more."""


class Desk:
    """Seats for running searches and a queue for the others."""

    def __init__(self, seats: int = SEARCHES, longest: int = MOST_WAITING) -> None:
        self.seats, self.longest = seats, longest
        self.running = 0
        self.waiting: list[asyncio.Event] = []
        self.promised: weakref.WeakSet[asyncio.Event] = weakref.WeakSet()  # of streams not read yet; gone with those never read
        self.door = threading.Lock()  # requests come by several threads
        self.stops: set[threading.Event] = set()
        self.idle: list[queue.SimpleQueue[Any]] = []  # one a thread without work: threads and their memory are kept

    def run(self, job: Job) -> AsyncIterator[Message]:
        """What the job tells, after its place in the queue each time that changes (0: it begins); Busy at once when it is full."""
        ticket = asyncio.Event()
        with self.door:
            if len(self.waiting) + len(self.promised) >= self.longest:  # said here, not in the stream: its answer would have begun
                raise Busy(f"{self.longest} searches are waiting already: try again in a while")
            self.promised.add(ticket)
        return self._queued(job, ticket)

    async def _queued(self, job: Job, ticket: asyncio.Event) -> AsyncIterator[Message]:
        self.waiting.append(ticket)
        self.promised.discard(ticket)
        told = 0
        try:
            while self.running >= self.seats or self.waiting[0] is not ticket:
                place = self.waiting.index(ticket) + 1
                ticket.clear()
                if place != told:
                    told = place
                    yield {"queued": place}
                await ticket.wait()
            self.running += 1
        finally:
            self.waiting.remove(ticket)
            self._notify()
        async for message in self._seated(job):
            yield message

    async def _seated(self, job: Job) -> AsyncIterator[Message]:
        loop = asyncio.get_running_loop()
        messages: asyncio.Queue[Message | None] = asyncio.Queue()
        stop = threading.Event()
        self.stops.add(stop)

        def post(call: Callable[..., Any], *arguments: Any) -> None:
            try:
                loop.call_soon_threadsafe(call, *arguments)
            except RuntimeError:
                stop.set()  # the server has gone

        def work() -> None:
            try:
                job(lambda message: post(messages.put_nowait, message), stop)
            except Stopped:
                pass
            except OutplayError as problem:
                post(messages.put_nowait, {"error": str(problem)})
            except Exception as problem:
                logger.exception("a search failed")
                post(messages.put_nowait, {"error": f"internal error: {type(problem).__name__}"})

        def leave() -> None:
            post(self._leave, stop)
            post(messages.put_nowait, None)

        self._hand_over(work, leave)
        try:
            yield {"queued": 0}
            while (message := await messages.get()) is not None:
                yield message
        finally:
            stop.set()

    def _hand_over(self, work: Callable[[], None], leave: Callable[[], None]) -> None:
        """Let a thread that has no work do it, or a new one; it can be had again before its seat is free."""
        if self.idle:
            self.idle.pop().put((work, leave))
            return
        mine: queue.SimpleQueue[tuple[Callable[[], None], Callable[[], None]]] = queue.SimpleQueue()
        mine.put((work, leave))

        def stay() -> None:
            give_way()
            while True:
                work, leave = mine.get()
                try:
                    work()
                finally:
                    self.idle.append(mine)
                    leave()

        threading.Thread(target=stay, daemon=True, name="outplay search").start()

    def _leave(self, stop: threading.Event) -> None:
        self.stops.discard(stop)
        self.running -= 1
        self._notify()

    def _notify(self) -> None:
        for ticket in self.waiting:
            ticket.set()

    def close(self) -> None:
        """Stop everything that runs."""
        for stop in list(self.stops):
            stop.set()
