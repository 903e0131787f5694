"""Somebody else's program, held: its time, processor, memory, processes, output and files, and where it can be had in a box.

Three fences, each of which stands without the others:

- limits of the system (`setrlimit`), which `Bounds` names, set before the program begins;
- a filter of system calls (`shut`), which a Python guest puts on itself before it reads a stranger's file: no further process, no
  other program, no socket, no signal, no look into another process (seccomp, Linux on x86-64 and arm64);
- a box (`Box`): bubblewrap's view of the machine, in which all is read-only or not there at all, without network and among no other
  processes.

`Guest` is the running program: lines in, lines out, never a wait without an end, and nothing that it leaves behind.

>>> guest = Guest(["cat"])
>>> guest.say("hello", 5.0)
>>> guest.hear(5.0)
'hello'
>>> guest.close()
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import queue
import selectors
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from outplay.errors import Unavailable
from outplay.sandbox.seal import shut

LONGEST_LINE = 1 << 16
"""Characters of one line of a guest's."""
LOOK = 0.1
"""Seconds between two looks at a guest that is waited for."""
BUSY = 8
"""How many times its room a guest is waited for that would work, had it a processor."""
KEPT = 4000
"""Bytes of a guest's standard error that are kept: the last ones."""


@dataclass(frozen=True)
class Bounds:
    """What a guest may take."""

    memory: int = 1024
    """Megabytes of its data, for each of its processes."""
    processor: float = 600.0
    """Seconds of processor time, for each of its processes."""
    processes: int = 32
    """Processes at a time."""
    output: int = 1 << 20
    """Bytes that it may write for one answer."""
    file_size: int = 16
    """Megabytes of one file that it writes."""
    files: int = 64
    """Files open at a time."""

    def around(self, command: Sequence[str]) -> list[str]:
        """The command line that runs a command within them: a shell sets them and becomes the command."""
        mega = 1024
        seconds = max(1, round(self.processor))  # the hard limit kills without a word, so it comes a second later
        wanted = (("-d", self.memory * mega), ("-S -t", seconds), ("-H -t", seconds + 1), ("-c", 0),
                  ("-f", self.file_size * 2 * mega), ("-n", self.files))  # fmt: skip  # files in blocks of 512 bytes
        limits = "; ".join(f"ulimit {which} {value} 2>/dev/null" for which, value in wanted)
        return ["/bin/sh", "-c", f'{limits}; exec "$@"', "sh", *command]


class Broken(Unavailable):
    """A guest that did not answer, ended, or took more than it may: `kind` says which in one word."""

    def __init__(self, kind: str, said: str) -> None:
        super().__init__(said)
        self.kind = kind


# ---------------------------------------------------------------- the box


@dataclass(frozen=True)
class Box:
    """What a guest sees of the machine: `shown` folders and files, read-only; everything, where there are none; `hidden` ones are
    empty; `scratch` is an empty folder of its own in memory, where there is one."""

    shown: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    scratch: str = "/tmp"
    network: bool = False

    around_it: ClassVar[int] = 2
    """Processes of the box itself."""

    def fresh(self) -> Box:
        """The same for one more guest."""
        return self

    def held(
        self, command: Sequence[str], bounds: Bounds, folder: str | None, environment: Mapping[str, str] | None
    ) -> tuple[list[str], Mapping[str, str] | None]:
        """The command line that runs a command inside and within its bounds, and the environment to begin it in."""
        words = self.around(command, folder)
        return bounds.around(words) if has_limits() else words, environment

    def inside(self) -> int | None:
        """The number of the first process inside, where it does not descend from the one that was begun."""
        return None

    def clear(self) -> None:
        """End what does not end with the process that was begun."""

    def around(self, command: Sequence[str], folder: str | None = None) -> list[str]:
        """The command line that runs a command inside."""
        words = ["bwrap", "--die-with-parent", "--unshare-user-try", "--unshare-ipc", "--unshare-pid", "--unshare-uts",
                 "--unshare-cgroup-try", "--cap-drop", "ALL", "--hostname", "box"]  # fmt: skip
        words += [] if self.network else ["--unshare-net"]
        words += [] if self.shown else ["--ro-bind", "/", "/"]
        words += ["--dev", "/dev", "--proc", "/proc"]
        words += ["--tmpfs", self.scratch] if self.scratch else []  # what is shown may lie in there
        if self.shown:
            for each in dict.fromkeys([*SYSTEM, *self.shown]):
                if os.path.islink(each) and each in SYSTEM:
                    words += ["--symlink", os.readlink(each), each]
                elif os.path.exists(each):
                    words += ["--ro-bind", each, each]
        if folder is not None:
            words += ["--ro-bind", folder, folder, "--chdir", folder]
        for each in self.hidden:
            words += ["--tmpfs", each] if os.path.isdir(each) else ["--ro-bind", "/dev/null", each]
        return [*words, "--", *command]


SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
"""What any program needs of a system."""


@functools.cache
def can_box() -> bool:
    """Whether bubblewrap is there and may do its work: it asks the kernel for namespaces, which some containers refuse."""
    if shutil.which("bwrap") is None:
        return False
    try:
        return subprocess.run(Box().around(["true"]), capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def python_folders() -> tuple[str, ...]:
    """What a Python needs to be seen in a box: its own folders and the paths on which its modules lie."""
    found = [sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(os.path.realpath(sys.executable))]
    found += [each for each in sys.path if each and os.path.isdir(each) and ("site-packages" in each or "dist-packages" in each)]
    return tuple(dict.fromkeys(os.path.abspath(each) for each in found))


# ---------------------------------------------------------------- a running guest


def die_with_parent() -> None:
    """Have this process ended with the one that began it, even where it is stopped and reads no end of its input (Linux)."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_ON_DEATH, int(signal.SIGKILL), 0, 0, 0)


_ON_DEATH = 1  # PR_SET_PDEATHSIG


@functools.cache
def _dying() -> tuple[str, ...]:
    """The words before a command line that do so, where util-linux is there; a Python guest does it by itself, too."""
    found = shutil.which("setpriv") if sys.platform.startswith("linux") else None
    words = (found, "--pdeathsig", "KILL", "--") if found else ()
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        if words and subprocess.run([*words, "true"], capture_output=True, timeout=60, check=False).returncode == 0:
            return words
    return ()


Beginning = tuple[Callable[[], "subprocess.Popen[bytes]"], "Future[subprocess.Popen[bytes]]"]
_asked: dict[int, queue.SimpleQueue[Beginning]] = {}  # by process: one that was forked has no threads


def _begun(begin: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
    """What `begin` gives in a thread that lives as long as this process.

    For the kernel the parent of a process is the thread that began it, and a guest outlives the threads of a server or a contest.
    """
    fresh: queue.SimpleQueue[Beginning] = queue.SimpleQueue()
    asked = _asked.setdefault(os.getpid(), fresh)
    if asked is fresh:
        threading.Thread(target=_begin_all, args=(asked,), name="begins guests", daemon=True).start()
    answer: Future[subprocess.Popen[bytes]] = Future()
    asked.put((begin, answer))
    return answer.result()


def _begin_all(asked: queue.SimpleQueue[Beginning]) -> None:
    while True:
        begin, answer = asked.get()
        try:
            answer.set_result(begin())
        except BaseException as problem:
            answer.set_exception(problem)
        del begin, answer  # nothing is kept until the next one


@dataclass
class Guest:
    """A running program in a session of its own: what it says, line by line, within its bounds; nothing of it outlives `close`."""

    command: Sequence[str]
    bounds: Bounds = field(default_factory=Bounds)
    box: Box | None = None
    folder: str | None = None
    environment: Mapping[str, str] | None = None
    name: str = ""
    room: float = 1.0
    """How many times its time it may take on a machine so busy that it has not had that much of a processor."""

    def __post_init__(self) -> None:
        self.name = self.name or self.command[0]
        self.box = self.box and self.box.fresh()
        environment = self.environment
        if self.box is None:
            words = [*_dying(), *self.bounds.around(self.command)] if has_limits() else list(self.command)
        else:
            words, environment = self.box.held(self.command, self.bounds, self.folder, environment)
        try:
            self.process = _begun(lambda: subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, bufsize=0,
                cwd=self.folder, env=dict(environment) if environment is not None else None,
            ))  # fmt: skip
        except (OSError, ValueError, subprocess.SubprocessError) as problem:
            said = getattr(problem, "strerror", None) or problem
            raise Broken("start", f"cannot be started: {said}") from None
        assert self.process.stdin is not None and self.process.stdout is not None and self.process.stderr is not None
        self._in, self._out, self._err = self.process.stdin.fileno(), self.process.stdout.fileno(), self.process.stderr.fileno()
        for each in (self._in, self._out, self._err):
            os.set_blocking(each, False)
        self._spent: float | None = None  # what it has had of the processor when the wait for it began to be long
        self._given = 0.0
        self._text, self._said, self._is_at_end, self._is_over = b"", 0, False, False
        self._complains = True  # until it closes its standard error
        self.complaint = b""
        """The end of what it wrote on standard error."""

    def say(self, line: str, seconds: float, stop: threading.Event | None = None) -> None:
        """Send one line, or several; a guest that does not read is given so many seconds."""
        left, until = memoryview(line.encode("utf-8", "replace") + b"\n"), time.monotonic() + seconds
        while left:
            with contextlib.suppress(BlockingIOError):
                try:
                    left = left[os.write(self._in, left) :]
                    continue
                except OSError as problem:
                    if isinstance(problem, BlockingIOError):
                        raise
                    self.fail("end", "has ended by itself")
            self._wait(until, stop, writing=True)

    def hear(self, seconds: float, stop: threading.Event | None = None) -> str:
        """Its next line, within so many seconds; "" once `stop` is set."""
        until, self._said = time.monotonic() + seconds, len(self._text)
        self._spent, self._given = None, seconds
        while b"\n" not in self._text:
            if stop is not None and stop.is_set():
                return ""
            if len(self._text) > LONGEST_LINE:
                self.fail("output", f"wrote a line of more than {LONGEST_LINE:,} characters")
            if self._is_at_end:
                self.fail("end", "has ended by itself")
            self._wait(until, stop)
        line, _, self._text = self._text.partition(b"\n")
        return line.decode("utf-8", "replace").strip("\r")

    def forget(self) -> None:
        """Drop what it has said without being asked."""
        self._said = 0
        with contextlib.suppress(BlockingIOError):
            while more := os.read(self._out, 1 << 16):
                self._said += len(more)
                if self._said > self.bounds.output:
                    self.fail("output", f"wrote more than {self.bounds.output:,} bytes without being asked")
        self._text = b""

    def is_running(self) -> bool:
        """Whether it can still be spoken to."""
        return not self._is_over and self.process.poll() is None

    def processor(self) -> float:
        """Seconds of processor time that its processes have had so far."""
        ticks = 0
        first = self._first()
        for pid in (first, *_family(first)):
            with contextlib.suppress(OSError, IndexError, ValueError):
                words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                ticks += int(words[11]) + int(words[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def _wants_a_processor(self) -> bool:
        """Whether some process of the guest's could go on at once: one that sleeps or waits could not."""
        first = self._first()
        for pid in (first, *_family(first)):
            with contextlib.suppress(OSError, IndexError):
                if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in ("R", "D"):
                    return True
        return False

    def _first(self) -> int:
        """The first process of all that are the guest's."""
        return (self.box.inside() if self.box is not None else None) or self.process.pid

    def rest(self) -> None:
        """Stop it until it is asked again: nobody works on somebody else's time."""
        self._signal(signal.SIGSTOP)

    def wake(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def fail(self, kind: str, said: str) -> None:
        """End it and say why."""
        if kind == "end":
            with contextlib.suppress(OSError):
                self._drain()
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = self.process.wait(1.0)
                if status in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
                    kind, said = "processor", f"took more than {self.bounds.processor:g} s of the processor"
                elif status < 0 or 128 < status < 160:
                    kind, said = "crash", f"was ended by signal {abs(status) if status < 0 else status - 128}"
        self.close()
        raise Broken(kind, said)

    def close(self) -> None:
        """End it and every process that it started."""
        if self._is_over:
            return
        self._is_over = True
        left = _family(self.process.pid)
        self._signal(signal.SIGKILL)
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            self.process.kill()
        self.process.wait()
        if self.box is not None:
            self.box.clear()
        for each in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                each.close()  # type: ignore[union-attr]  # all three are pipes

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    def _signal(self, which: int) -> None:
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, which)

    def _wait(self, until: float, stop: threading.Event | None, writing: bool = False) -> None:
        """Take what there is, for a moment at most."""
        left = until - time.monotonic()
        if left < 0:
            waited = (self._given - left) / max(self._given, 1e-9)  # as a share of its time
            has_room = waited < self.room or (self.room > 1 and waited < BUSY * self.room and self._wants_a_processor())
            if not has_room or self.processor() - (self._spent or 0.0) > 0.8 * self._given:
                self.fail("time", "does not answer")
            left = LOOK
        with selectors.DefaultSelector() as ready:
            if not self._is_at_end:
                ready.register(self._out, selectors.EVENT_READ)
            if self._complains:
                ready.register(self._err, selectors.EVENT_READ)
            if writing:
                ready.register(self._in, selectors.EVENT_WRITE)
            found = ready.select(min(left, LOOK))
        for key, _ in found:
            if key.fd == self._out:
                self._take()
            elif key.fd == self._err:
                self._drain()
        if not found and self._spent is None and self.room > 1:
            self._spent = self.processor()
        if not found and len(_family(self._first())) + 1 - (self.box.around_it if self.box else 0) > self.bounds.processes:
            self.fail("processes", f"started more than {self.bounds.processes} process{'es' if self.bounds.processes > 1 else ''}")

    def _take(self) -> None:
        try:
            more = os.read(self._out, 1 << 16)
        except BlockingIOError:
            return
        self._is_at_end = not more
        self._text += more
        self._said += len(more)
        if self._said > self.bounds.output:
            self.fail("output", f"wrote more than {self.bounds.output:,} bytes for one answer")

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            more = os.read(self._err, 1 << 16)
            self.complaint = (self.complaint + more)[-KEPT:]
            self._complains = bool(more)


def _family(pid: int) -> list[int]:
    """The processes that a guest has started: of its session, or descending from it."""
    above: dict[int, int] = {}
    found = {pid}
    try:
        for each in os.listdir("/proc"):
            if each.isdigit():
                with contextlib.suppress(OSError, IndexError, ValueError):
                    words = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
                    above[int(each)] = int(words[1])
                    if int(words[3]) == pid:
                        found.add(int(each))
    except OSError:  # a system without /proc
        return []
    while True:
        more = {child for child, parent in above.items() if parent in found} - found
        if not more:
            return sorted(found - {pid})
        found |= more


@functools.cache
def has_limits() -> bool:
    """Whether this system lets a program be limited at all."""
    return os.name == "posix"


def own_environment(**more: str) -> dict[str, str]:
    """What a Python guest is told of ours: where modules and kernels lie, and nothing else."""
    kept = {key: os.environ[key] for key in ("PATH", "LANG", "LC_ALL", "PYTHONPATH", "OUTPLAY_CACHE", "NUMBA_DISABLE_JIT",
                                             "LD_LIBRARY_PATH", "SYSTEMROOT") if key in os.environ}  # fmt: skip
    return {**kept, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
            "HOME": "/tmp", **more}  # fmt: skip


__all__ = ["Bounds", "Box", "Broken", "Callable", "Guest", "can_box", "has_limits", "own_environment", "python_folders", "shut"]
