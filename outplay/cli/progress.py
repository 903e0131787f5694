"""What a long search tells while it runs: one live line on a terminal, a line now and then elsewhere; never on standard output."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from types import TracebackType
from typing import TextIO

from outplay.cli.interrupts import Interrupts

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
        if self.interrupts is not None:
            self.interrupts.hear()

    def line(self, text: str) -> None:
        """Print a line of its own, above the live one."""
        self.write(f"{text}\n", sys.stderr)

    def write(self, text: str, stream: TextIO) -> None:
        """Print what somebody else has to say, above the live line."""
        with self._lock:
            self._wipe()
            stream.write(text)
            stream.flush()

    def __enter__(self) -> Progress:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self._over.set()
        try:
            self._thread.join()
        except KeyboardInterrupt:
            if self.interrupts is None or not self.interrupts.keeps:
                raise  # of those who keep, the work is over: what there is shall be told
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


@contextlib.contextmanager
def working(title: str, game: str, hint: str = "", *, keeps: bool = False, patient: bool = False) -> Iterator[Progress]:
    """Show progress, say what is compiled whenever something really is, and let no Ctrl-C get lost."""
    from outplay.jit import watch_compiling

    progress = Progress(title, hint)
    with Interrupts(keeps=keeps, patient=patient) as interrupts, progress:
        progress.interrupts = interrupts
        with watch_compiling(lambda kernel: progress.line(f"compiling {kernel.strip('_')} for {game} ...")):
            yield progress
