"""What a long search tells while it runs: one live line on a terminal, a line now and then elsewhere; never on standard output."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import ClassVar

from outplay.cli.main import INTERRUPTED

QUIET_SECONDS = 2.0
"""Anything shorter needs no progress."""


class Progress:
    """A ticking line on standard error: what is being done, for how long, and what was found so far.

    It ticks in a thread of its own, since a search may not come back to Python for a while.
    """

    def __init__(self, title: str, hint: str = "", quiet: float = QUIET_SECONDS) -> None:
        self.interrupts: Interrupts | None = None
        self.title = title
        self.hint = hint
        self.note = ""
        self._quiet = quiet
        self._terminal = sys.stderr.isatty()
        self._begun = time.perf_counter()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._tick, daemon=True)
        self._lock = threading.Lock()
        self._shown = False

    def count(self, nodes: int, depth: int) -> None:
        """Note how far a search has come."""
        self.hear()
        self.note = f"{nodes:,} nodes, depth {depth}"

    def nodes(self, nodes: int, *_: int) -> None:
        """Note how much a search has seen, where no depth tells how far it has come."""
        self.hear()
        self.note = f"{nodes:,} nodes"

    def games(self, done: int, of: int) -> None:
        """Note how many games of how many are played."""
        self.hear()
        self.note = f"{done:,} of {of:,} games"

    def hear(self) -> None:
        """Raise a Ctrl-C that somebody swallowed."""
        if self.interrupts is not None and self.interrupts.event.is_set():
            raise KeyboardInterrupt

    def line(self, text: str) -> None:
        """Print a line of its own, above the live one."""
        with self._lock:
            self._wipe()
            print(text, file=sys.stderr, flush=True)

    def __enter__(self) -> Progress:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()
        with self._lock:
            self._wipe()

    def _tick(self) -> None:
        wait = self._quiet
        while not self._over.wait(wait):
            seconds = time.perf_counter() - self._begun
            parts = [f"{self.title}: {seconds:.0f} s", self.note, self.hint]
            text = ", ".join(part for part in parts if part)
            with self._lock:
                if self._terminal:
                    sys.stderr.write(f"\r\x1b[K{text}")
                    sys.stderr.flush()
                    self._shown = True
                    wait = 0.2
                else:
                    print(text, file=sys.stderr, flush=True)
                    wait = seconds  # a log needs the next line when twice the time has passed

    def _wipe(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False


class Interrupts:
    """Ctrl-C that cannot get lost: it raises as ever, and it also leaves a mark on all that are listening; a second one ends all.

    An exception alone is not enough: a search may end with its best so far and not let it through, and one raised inside the
    compiler's callbacks is dropped by Python. Long work takes `event` as its `stop`, and looks at it when it comes back.
    """

    active: ClassVar[list[Interrupts]] = []

    def __init__(self) -> None:
        self.event = threading.Event()

    def heard_by(self, watch: Callable[..., None]) -> Callable[..., None]:
        """A watch of a search that also raises what got lost."""

        def listen(*numbers: int) -> None:
            if self.event.is_set():
                raise KeyboardInterrupt
            watch(*numbers)

        return listen

    def __enter__(self) -> Interrupts:
        self._is_main = threading.current_thread() is threading.main_thread()
        if self._is_main:
            self.active.append(self)
            self._before = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *problem: object) -> None:
        if self._is_main:
            signal.signal(signal.SIGINT, self._before)
            self.active.remove(self)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.event.is_set():  # asked twice: whatever still runs, it ends now
            os._exit(INTERRUPTED)
        for each in self.active:
            each.event.set()
        signal.default_int_handler(number, frame)


@contextlib.contextmanager
def working(title: str, game: str, hint: str = "") -> Iterator[Progress]:
    """Show progress, say what is compiled whenever something really is, and let no Ctrl-C get lost."""
    from outplay.jit import watch_compiling

    progress = Progress(title, hint)
    with Interrupts() as interrupts, progress:
        progress.interrupts = interrupts
        with watch_compiling(lambda kernel: progress.line(f"compiling {kernel.strip('_')} for {game} ...")):
            yield progress
