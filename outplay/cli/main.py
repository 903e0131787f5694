"""The entry: `outplay` on the command line. Everything is imported inside, so that Ctrl-C is caught meanwhile.

>>> run(["show", "tic-tac-toe", "--actions", "b2,a1"])
3  . . .
2  . x .
1  o . .
   a b c
<BLANKLINE>
position  .../.x./o.. x
to move   Crosses
actions   a3 b3 c3 a2 c2 b1 c1
0
"""

from __future__ import annotations

import codecs
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType

INTERRUPTED = 130
LLVM = os.path.join("llvmlite", "binding") + os.sep


PLAIN = dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟♠♥♦♣•·●○×−–—→≥≤", "KQRBNPkqrbnpshdc*.xox--->><", strict=True))
"""What is written in place of signs where a terminal knows letters alone."""


def plainly(problem: UnicodeError) -> tuple[str, int]:
    """Letters for what the encoding of a terminal or a file lacks, one for each sign."""
    assert isinstance(problem, UnicodeEncodeError)
    return "".join(PLAIN.get(sign, "?") for sign in problem.object[problem.start : problem.end]), problem.end


def main() -> None:
    """Run the command line and leave with its status."""
    codecs.register_error("outplay.plain", plainly)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):  # closed by whoever started us: nothing comes, or goes
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  (open as long as we are)
        elif mode == "w":
            getattr(sys, name).reconfigure(errors="outplay.plain")
    try:
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # so far it ended all without a word
            signal.signal(signal.SIGINT, stop)
        status = run(sys.argv[1:])
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is said: nothing is left to be stopped
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        status = INTERRUPTED
    is_compiling = getattr(sys.modules.get("outplay.players.prompt"), "is_at_work", bool)  # in a thread, which must not see the end
    if status == INTERRUPTED or is_compiling():  # at once: Python itself may end with a signal after an interrupted exec()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    leave(status)


def leave(status: int) -> None:
    """End as Python would, but for the taking apart of all modules, a fifth of a short command's time."""
    import atexit
    import threading

    try:
        if any(not each.daemon for each in threading.enumerate() if each is not threading.main_thread()):
            sys.exit(status)  # which waits for them
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    except Exception:  # whatever it is, Python has its own words for it
        sys.exit(status)
    os._exit(status)


def stop(number: int, frame: FrameType | None) -> None:
    """Ctrl-C where nobody else hears it: raised as ever, except inside LLVM, where it ends all at once."""
    if in_llvm(frame):
        sys.stdout.flush()
        os._exit(INTERRUPTED)
    signal.default_int_handler(number, frame)


def in_llvm(frame: FrameType | None) -> bool:
    """Whether the compiler is in LLVM, where an exception would leave two owners of one piece of memory, and a crash behind it.

    When LLVM has linked one module into another, it has destroyed the former; Python notes that a line later. What is raised in
    between, and there is where Ctrl-C is heard that came meanwhile, makes Python destroy it once more.
    """
    return runs_in(LLVM, frame)


def runs_in(folder: str, frame: FrameType | None) -> bool:
    """Whether a file of this folder is at work, here or further up."""
    while frame is not None:
        if folder in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status."""
    from outplay.cli.app import run as run_command

    return run_command(arguments)
