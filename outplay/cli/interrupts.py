"""Ctrl-C that cannot get lost, whatever runs when it is pressed: a search that swallows it, the compiler, native code."""

from __future__ import annotations

import _thread
import contextlib
import gc
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import ClassVar

from outplay.cli.main import INTERRUPTED, in_llvm, runs_in
from outplay.errors import OutplayError

DEAF_SECONDS = 2.0
"""How long after Ctrl-C the main thread may stay inside native code before the process ends without it."""
AGAIN_SECONDS = 0.3
"""How long after Ctrl-C the compiler may go on, where a search swallowed it and the next kernel is compiled."""
COMPILER = os.path.join("numba", "core") + os.sep


def in_rules(frame: FrameType | None) -> str:
    """The method of an author's own rules that runs, with its file and line; nothing where none does.

    A method that is compiled has no frame: then the question that was put to the rules is told.
    """
    while frame is not None:
        code = frame.f_code
        if str(frame.f_globals.get("__name__", "")).startswith("game_file_") or frame.f_globals.get("_imported_by_a_game"):
            return f"{code.co_qualname}() of {os.path.basename(code.co_filename)}, line {frame.f_lineno}"
        if code.co_name in QUESTIONS and code.co_filename.endswith(COMPILED) and (origin := frame.f_locals["self"].origin):
            return f"{QUESTIONS[code.co_name]} of {origin}, compiled (outplay check says the line)"
        frame = frame.f_back
    return ""


COMPILED = os.path.join("game", "compiled.py")
QUESTIONS = {"facts": "actions(), player(), is_terminal() or utility()", "result": "play()", "evaluate": "evaluate()"}
"""What a compiled game's face asks, by its own methods."""


class Mark(threading.Event):
    """What Ctrl-C leaves, and whether the work has seen it: then the work ends by itself, and is left to tell what there is."""

    is_seen = False

    def is_set(self) -> bool:
        """Whether Ctrl-C was pressed."""
        self.is_seen = super().is_set()
        return self.is_seen


class Interrupts:
    """Ctrl-C that cannot get lost: it raises as ever, and it also leaves a mark on all that are listening; a second one ends all.

    An exception alone is not enough: a search may end with its best so far and not let it through, one raised while Python destroys
    an object or calls back from the compiler is dropped, one raised inside LLVM ends in a crash, and none is raised at all while
    native code runs. So long work takes `event` as its `stop` and looks at it when it comes back, and a `Watchdog` sees to the
    rest. Where nobody looked, it is raised at the end of the block; `keeps` is for those who look themselves and tell what there
    is. Of those that are `patient` the work comes to a whole end once `event` is set, which they look at many times a second: there
    it raises in the compiler only.
    """

    active: ClassVar[list[Interrupts]] = []
    where: ClassVar[str] = ""
    """The method of an author's rules in which Ctrl-C found the program."""
    watchdog: ClassVar[Watchdog | None] = None

    def __init__(self, *, keeps: bool = False, patient: bool = False) -> None:
        self.event = Mark()
        self.keeps, self.patient = keeps, patient
        self._held = False

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """What is done whole or not at all, such as to count a game and to write it down: Ctrl-C is raised behind it."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
        self.hear()

    def hear(self) -> None:
        """Raise a Ctrl-C that somebody swallowed."""
        if self.event.is_set():
            raise KeyboardInterrupt

    def heard_by(self, watch: Callable[..., None]) -> Callable[..., None]:
        """A watch of a search that also raises what got lost."""

        def listen(*numbers: int) -> None:
            self.hear()
            watch(*numbers)

        return listen

    def __enter__(self) -> Interrupts:
        self._is_main = threading.current_thread() is threading.main_thread()
        if self._is_main:
            if not self.active:
                Interrupts.watchdog = Watchdog()
            self.active.append(self)
            self._before = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        if self._is_main:
            signal.signal(signal.SIGINT, self._before)
            self.active.remove(self)
            if not self.active and self.watchdog is not None:
                self.watchdog.close()
                Interrupts.watchdog = None
        if not self.event.is_set():
            return
        if isinstance(problem, OutplayError):  # "needs OR-tools", whose import it has broken off
            raise KeyboardInterrupt from problem
        if problem is None and not self.keeps:
            raise KeyboardInterrupt

    def _handle(self, number: int, frame: FrameType | None) -> None:
        watchdog = self.watchdog
        assert watchdog is not None
        is_call, watchdog.answered = watchdog.calls != watchdog.answered, watchdog.calls
        if is_call and not watchdog.postponed:  # it was raised while the watchdog called
            return
        if is_call and any(each.event.is_seen for each in self.active) and not _is_compiling(frame):
            watchdog.postponed = False
            return
        if threading.Event.is_set(self.event) and not is_call:  # asked twice: whatever still runs, it ends now
            os._exit(INTERRUPTED)
        Interrupts.where = Interrupts.where or in_rules(frame)
        for each in self.active:
            each.event.set()
        _hear_what_is_dropped()
        watchdog.last = time.monotonic()
        watchdog.postponed = in_llvm(frame) or _drops_exceptions(frame)
        watchdog.heard.set()
        if watchdog.postponed or any(each._held for each in self.active) or (self.patient and not _is_compiling(frame)):
            return
        signal.default_int_handler(number, frame)


def _hear_what_is_dropped() -> None:
    """From the first Ctrl-C on: one that was dropped unforeseen is raised again, and the compiler's half-built objects go silently.

    They are destroyed when the exception that broke them off is forgotten, behind the block in which it was raised: so this stays.
    """
    before = sys.unraisablehook
    if getattr(before, "hears", False):
        return

    def told(what: sys.UnraisableHookArgs) -> None:
        watchdog = Interrupts.watchdog
        if issubclass(what.exc_type, KeyboardInterrupt) and watchdog is not None:
            watchdog.last = time.monotonic()
            watchdog.postponed = True
        elif not str(getattr(what.object, "__module__", "")).startswith(("llvmlite.", "numba.")):
            before(what)

    told.hears = True  # type: ignore[attr-defined]  # so that it is known again
    sys.unraisablehook = told


def _drops_exceptions(frame: FrameType | None) -> bool:
    """Whether an exception raised here would be printed and forgotten: in a destructor, a finalizer, a callback of the compiler or
    of garbage collection."""
    while frame is not None:
        code = frame.f_code
        if code.co_name in ("__del__", "on_disposal") or "object_cache" in code.co_name:
            return True
        if os.path.basename(code.co_filename) in ("weakref.py", "_weakrefset.py"):
            return True
        if any(getattr(callback, "__code__", None) is code for callback in gc.callbacks):
            return True
        frame = frame.f_back
    return False


def _is_compiling(frame: FrameType | None) -> bool:
    """Whether the compiler is at work: for seconds, and nobody looks at the mark of Ctrl-C meanwhile."""
    return runs_in(COMPILER, frame)


class Watchdog:
    """A thread that hears Ctrl-C while the main one is deaf: Python runs no handler before native code comes back.

    The optimizer may take seconds for one kernel. Then the process ends without its main thread; that loses nothing, since all
    files are written aside and renamed, and records are flushed game by game. Where a search swallowed Ctrl-C while its kernel was
    compiled and somebody goes on with the next one, it is raised again.
    """

    def __init__(self) -> None:
        self.heard = threading.Event()
        self.postponed = False
        """Whether the handler ran where an exception must not be raised or would have been dropped, and is to be called again."""
        self.calls = self.answered = 0
        """How often the handler was called again, and up to which of them it ran: no call counts as a second Ctrl-C."""
        self.last = 0.0
        """When the handler ran last, or was called."""
        self._reader, self._writer = socket.socketpair()
        self._writer.setblocking(False)
        self._closed = threading.Event()
        self._before = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._closed.set()
        signal.set_wakeup_fd(self._before)
        self._writer.close()
        self._thread.join()
        self._reader.close()

    def _listen(self) -> None:
        while arrived := self._reader.recv(64):
            if signal.SIGINT not in arrived:
                continue
            if not self.heard.wait(DEAF_SECONDS):
                self._end()
            while not self._closed.wait(0.02 if self.postponed else AGAIN_SECONDS):
                main = threading.main_thread().ident or 0
                if self.postponed and time.monotonic() > self.last + DEAF_SECONDS:
                    self._end()
                if not self.postponed and _is_compiling(sys._current_frames().get(main)):
                    self.last = time.monotonic()
                    self.postponed = True
                if self.postponed:
                    self.calls += 1
                    if hasattr(signal, "pthread_kill"):
                        signal.pthread_kill(main, signal.SIGINT)  # it also wakes one that sleeps
                    else:
                        _thread.interrupt_main()

    def _end(self) -> None:
        """End without the main thread."""
        where = Interrupts.where or in_rules(sys._current_frames().get(threading.main_thread().ident or 0))
        if where:
            os.write(2, f"stopped in {where}\n".encode())
        flush = threading.Thread(target=sys.stdout.flush, daemon=True)  # a reader that takes nothing must not hold us
        flush.start()
        flush.join(0.5)
        os._exit(INTERRUPTED)
