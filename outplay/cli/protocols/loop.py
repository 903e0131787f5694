"""One loop under every protocol: one thread reads lines, one answers them, and at most one searches.

A dialect says what a line means (`answer`), which lines are heard while a search goes on (`hears`), and how to tell what is wrong
(`complain`). A search is begun by `go`, ended early by `stop`, waited for by `wait`. The main thread only waits, and so hears
Ctrl-C at once.

`quit` and the end of the input end a dialogue within a second, whatever was sent before: a search may go on for GRACE seconds and
is then stopped, so that it tells what it has; lines that still wait are answered as far as LAST seconds more will do.

>>> class Echo(Dialect):
...     def answer(self, line):
...         self.say(line.upper())
>>> said = []
>>> Echo(said.append).run(["one", "two", "quit", "three"]), said
(True, ['ONE', 'TWO', 'QUIT'])
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from outplay.errors import OutplayError

GRACE, LAST = 0.5, 0.3
AHEAD = 64
"""How many lines are read ahead: a `quit` behind more of them than that comes when they are answered."""

Work = Callable[[threading.Event], None]


class Dialect:
    """One conversation; `say` hears every line of ours, one at a time."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say, self._mouth = say, threading.Lock()
        self._waiting: queue.Queue[str | threading.Thread | threading.Event] = queue.Queue()
        self._room = threading.Semaphore(AHEAD)
        self._kept: deque[Any] = deque()
        self._stopped = 0  # how many of the kept lines came before a stop of all
        self._search: threading.Thread | None = None
        self._stop = threading.Event()
        self._ending, self._hurried, self._over = threading.Event(), threading.Event(), threading.Event()

    # ------------------------------------------------ what a dialect says of itself

    def answer(self, line: str) -> None:
        """Do what a line asks."""
        raise NotImplementedError

    def hears(self, line: str) -> bool:
        """Whether a line is answered while a search goes on; others wait for its end."""
        return False

    def quits(self, line: str) -> bool:
        """Whether a line ends the dialogue."""
        return line.split()[:1] == ["quit"]

    def complain(self, problem: str) -> None:
        """Tell the other side in one line what is wrong."""

    # ------------------------------------------------ what a dialect does

    def say(self, line: str) -> None:
        """One line to the other side, never mixed with another thread's; where nobody listens any more, the dialogue ends."""
        with self._mouth:
            try:
                self._say(line)
            except OSError:
                self._ending.set()

    def is_waited_for(self) -> bool:
        """Whether lines wait for the end of the search."""
        return bool(self._kept)

    def go(self, work: Work) -> None:
        """Begin a search, once that before it has come to its end; it is given what will be set for it to stop."""
        self.wait()
        self._stop = stop = threading.Event()
        if self._hurried.is_set():
            stop.set()
        self._search = threading.Thread(target=self._work, args=(work, stop), daemon=True)
        self._search.start()

    def stop(self) -> None:
        """Let the search that goes on, if any, end with what it has."""
        self._stop.set()

    def stop_all(self) -> None:
        """The same, and so for those that wait to be begun."""
        self._stopped = len(self._kept)
        self.stop()

    def wait(self) -> None:
        """Wait for the search that goes on, if any."""
        if self._search is not None:
            self._search.join()
            self._search = None

    def halt(self) -> None:
        """Stop, and wait."""
        self.stop()
        self.wait()

    def _work(self, work: Work, stop: threading.Event) -> None:
        with self.telling():
            work(stop)
        self._waiting.put(threading.current_thread())

    @contextlib.contextmanager
    def telling(self) -> Any:
        """Whatever goes wrong inside is told in one line: nobody may lose an engine over one line."""
        try:
            yield
        except OutplayError as problem:
            self.complain(" ".join(str(problem).split()))
        except Exception as problem:
            self.complain(f"internal error: {type(problem).__name__}: {' '.join(str(problem).split())[:200]}")

    # ------------------------------------------------ the loop

    def run(self, lines: Iterable[str]) -> bool:
        """Answer line after line until `quit` or the end of the input; False where something was still at work then."""
        for work, more in ((self._read, (lines,)), (self._talk, ())):
            threading.Thread(target=work, args=more, daemon=True).start()
        self._ending.wait()
        if not self._over.wait(GRACE):
            self._hurried.set()
            self.stop()
            self._over.wait(LAST)
        return self._over.is_set()

    def rest(self) -> None:
        """Wait until all that was read so far is answered and no search goes on."""
        done = threading.Event()
        self._waiting.put(done)
        done.wait()

    def _read(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                self._room.acquire()
                self._waiting.put(line)
                if self.quits(line):
                    break
        finally:
            self._waiting.put(self._over)
            self._ending.set()

    def _talk(self) -> None:
        while not self._over.is_set():
            is_stopped = False
            if self._kept and self._search is None:
                item, is_stopped = self._kept.popleft(), self._stopped > 0
                self._stopped -= is_stopped
            else:
                item = self._waiting.get()
                if isinstance(item, str):
                    self._room.release()
            if isinstance(item, threading.Thread):
                if item is self._search:
                    self.wait()
                continue
            if self._search is not None and not (isinstance(item, str) and self._heard(item)):
                self._kept.append(item)
            elif isinstance(item, str):
                with self.telling():
                    self.answer(item)
                if is_stopped:
                    self.stop()
            else:
                item.set()

    def _heard(self, line: str) -> bool:
        with self.telling():
            return self.hears(line)
        return False


def serve(dialect: Dialect) -> None:
    """Speak a dialect on standard input and output, and end the program.

    At once: the compiler may still be at work in a thread, and must not see the end of Python.
    """
    with contextlib.suppress(AttributeError, ValueError):
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]  # a text stream, unless it is closed
    dialect.run(sys.stdin or ())
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    os._exit(0)
