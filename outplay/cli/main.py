"""The entry: `outplay` on the command line. Everything is imported inside, so that Ctrl-C is caught meanwhile.

>>> run(["show", "tic-tac-toe", "--actions", "b2,a1"])
3  . . .
2  . x .
1  o . .
   a b c
<BLANKLINE>
position  .../.x./o.. x
to move   the first player
actions   a3 b3 c3 a2 c2 b1 c1
0
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType

INTERRUPTED = 130
LLVM = os.path.join("llvmlite", "binding") + os.sep


def main() -> None:
    """Run the command line and leave with its status."""
    for name in ("stdout", "stderr"):  # closed by whoever started us: what is said there goes nowhere
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  (open as long as we are)
    try:
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # so far it ended all without a word
            signal.signal(signal.SIGINT, stop)
        status = run(sys.argv[1:])
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is said: nothing is left to be stopped
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        status = INTERRUPTED
    if status == INTERRUPTED:  # at once, and with this status: Python itself may end with a signal after an interrupted exec()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


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
