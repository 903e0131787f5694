"""Connections that cannot shut others out, and the process around them.

Whoever connects owes a request: a connection that has sent none within some seconds, or only half of one, is closed, and of those
that are still waiting the oldest go when there are too many. So a thousand half-open connections trouble nobody else. A crowd that
comes all at once is no attack: its requests may be there already and not read yet, so each connection has a moment for its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import sys
from typing import Any, ClassVar

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from outplay.web.limits import ARENAS, HEAD_SECONDS, MOMENT_SECONDS, MOST_FILES, MOST_SILENT

M_ARENA_MAX = -8  # mallopt's name for the number of arenas, in glibc's malloc.h


class PatientProtocol(AutoHTTPProtocol):  # type: ignore[valid-type,misc]  # uvicorn picks the class when it is imported
    """HTTP as uvicorn speaks it, with a time limit for the head of every request."""

    silent: ClassVar[dict[PatientProtocol, asyncio.TimerHandle]] = {}  # those that owe a request, the oldest first

    def connection_made(self, transport: Any) -> None:
        """Somebody connects; the oldest of too many silent ones are closed for it."""
        super().connection_made(transport)
        self._wait()
        while len(self.silent) > MOST_SILENT and (oldest := next(iter(self.silent)))._has_been_silent():
            oldest._give_up()

    def data_received(self, data: bytes) -> None:
        """Bytes came: the wait is over once they make a whole head."""
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            if self not in self.silent and not self.transport.is_closing():
                self._wait()
        else:
            self._served()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._served()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self.silent[self] = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _has_been_silent(self) -> bool:
        """Whether its moment is over."""
        return self.loop.time() > self.silent[self].when() - HEAD_SECONDS + MOMENT_SECONDS

    def _served(self) -> None:
        if timer := self.silent.pop(self, None):
            timer.cancel()

    def _give_up(self) -> None:
        self._served()
        self.transport.close()


def few_arenas() -> None:
    """Let all threads share a few heaps: glibc gives each its own, and a heap with one search's leavings in it never shrinks."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)


def many_files() -> None:
    """Raise the limit of open files, of which every connection takes one, as far as the system lets us."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
