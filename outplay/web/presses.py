"""Many pages at once: a process for each core, which makes one page after the other and is told so line by line, in JSON.

Compiling holds Python's lock, so that threads alone would wait for each other.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from outplay.errors import OutplayError
from outplay.pages import export
from outplay.web import gallery

FEW = 3  # pages: another process is not worth its start
MOST = 4  # processes, each of some 400 MB


class _Press:
    """A process that makes pages, started for its first."""

    command = (sys.executable, "-m", "outplay.web.presses")

    def __init__(self) -> None:
        self._process: subprocess.Popen | None = None

    def make(self, game: str, path: Path, memory: float | None) -> dict[str, Any]:
        """What was made, or in one line why not."""
        if self._process is None:
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
            self._process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                             encoding="utf-8", env=environment)  # fmt: skip
        assert self._process.stdin is not None and self._process.stdout is not None
        line = ""
        with contextlib.suppress(OSError):  # it has ended
            self._process.stdin.write(json.dumps([game, str(path.absolute()), memory]) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        if not line:
            raise OutplayError(f"the process that was to make the page of {game} ended by itself")
        return dict(json.loads(line))

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(OSError):
                    pipe.close()  # type: ignore[union-attr]


def pages(wanted: Sequence[tuple[str, Path]], memory: float | None, tell: Callable[[str], Any]) -> list[dict[str, Any]]:
    """For each game and file what its page has (`bytes`), or why there is none (`refused`)."""
    count = min(MOST, os.cpu_count() or 1, len(wanted) // FEW)
    presses = [_Press() for _ in range(count)] if count > 1 else []
    free, here = iter(presses), threading.local()

    def take() -> None:
        here.make = next(free).make

    def make(number: int) -> dict[str, Any]:
        game, path = wanted[number]
        tell(f"{game} ({number + 1} of {len(wanted)}) ...")
        return dict(here.make(game, path, memory) if presses else made(game, path, memory))

    if not presses:
        return [make(number) for number in range(len(wanted))]
    with ThreadPoolExecutor(count, initializer=take) as pool:
        running = [pool.submit(make, number) for number in range(len(wanted))]
        try:
            return [each.result() for each in running]
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for press in presses:
                press.close()


def made(game: str, path: Path, memory: float | None) -> dict[str, Any]:
    """One page."""
    try:
        return {"bytes": export(gallery.open_game(game), path, memory=memory)["bytes"]}
    except OutplayError as problem:
        return {"refused": str(problem)}


def work() -> None:
    """Make what is asked for, until the pipe is closed."""
    writer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else is said is no answer
    for line in sys.stdin:
        game, path, memory = json.loads(line)
        print(json.dumps(made(game, Path(path), memory)), file=writer, flush=True)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):  # whoever asked tells it
        work()
