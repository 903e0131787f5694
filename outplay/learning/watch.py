"""The clock of a run of learning: it counts the run's seconds, saves it, reports, and says when the time is up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

from outplay.learning.alphazero import CHECKPOINT_SECONDS, REPORT_SECONDS


class Run(Protocol):
    """What a watch needs of a run."""

    seconds: float  # of learning, this time and before

    def save(self) -> None:
        """Write what is learned."""


class Watch:
    """Begun with the work; whoever works calls `look` now and then."""

    def __init__(self, run: Run, seconds: float, report: Callable[[], object], stop: threading.Event | None = None) -> None:
        self.run, self.seconds, self.report, self.stop = run, seconds, report, stop
        self.before = run.seconds
        self.begun = self.saved = self.told = self.now = time.perf_counter()

    def look(self) -> bool:
        """Save and report where it is time to; True once the work is to end."""
        self.now = time.perf_counter()
        self.run.seconds = self.before + self.now - self.begun
        if self.now - self.saved > CHECKPOINT_SECONDS:
            self.run.save()
            self.saved = self.now
        if self.now - self.told > REPORT_SECONDS:
            self.report()
            self.told = self.now
        return self.now - self.begun >= self.seconds or (self.stop is not None and self.stop.is_set())
