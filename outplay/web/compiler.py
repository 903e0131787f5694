"""Kernels compiled by a process beside the studio: pages go on meanwhile, and the memory that compiling takes goes with it.

What a kernel leaves in the process that compiles it (30 MB a game, which LLVM never gives back) is left in one that is replaced
when it has grown; the studio loads the code from the cache on disk, at 2 to 3 MB a game. Code that was loaded stays, so
games with other parameters are counted by that, and refused where they would fill the memory.

The two talk in pickles over a pipe that nobody else holds.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

from outplay.compiling import cache
from outplay.web import choices
from outplay.web import limits as most

MOST_MEGABYTES = 400  # that the process may have taken at any time; then the next kernel gets another one


class Compiler:
    """The process, started when the first kernel is missing; it ends with the studio, or where its pipe breaks."""

    command = (sys.executable, "-m", "outplay.web.compiler")

    def __init__(self) -> None:
        self._process: subprocess.Popen | None = None
        self._lock = threading.Lock()

    def met(self, names: set[str]) -> None:
        """Count the games whose kernels are asked for; refuses one with other parameters where there are too many."""
        for name in names:
            if ":" in name:
                choices.account(name, most.COMPILED_BYTES)

    def compile(self, function: Callable, signature: Any, names: set[str]) -> bool:
        """Have a kernel compiled for these types, which are those of games; whether it now lies in the cache."""
        if "<locals>" in function.__qualname__:
            return False  # nobody else could find it
        kinds = tuple(getattr(signature, "args", signature))
        with self._lock:
            try:
                process = self._ready()
                assert process.stdin is not None and process.stdout is not None
                pickle.dump((function.__module__, function.__qualname__, kinds, sorted(names)), process.stdin)
                process.stdin.flush()
                is_done, is_full = pickle.load(process.stdout)
            except (OSError, EOFError, pickle.PickleError, AttributeError, TypeError):
                self.close()
                return False
            if is_full:
                self.close()
            return bool(is_done)

    def _ready(self) -> subprocess.Popen:
        if self._process is None or self._process.poll() is not None:
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
            self._process = subprocess.Popen(self.command, stdin=subprocess.PIPE, env=environment,
                                             stdout=subprocess.PIPE, start_new_session=True)  # fmt: skip
        return self._process

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            process.kill()
            process.wait()


def work() -> None:
    """Compile what is asked for, until the pipe is closed."""
    import resource

    with contextlib.suppress(OSError, AttributeError):
        os.nice(5)
    reader, writer = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is said goes to the log
    while True:
        try:
            module, name, kinds, games = pickle.load(reader)
        except EOFError:
            return
        try:
            is_done = _compiled(module, name, kinds, games)
        except Exception as problem:  # the studio compiles it itself then, and tells what is wrong
            print(f"compiling apart failed: {type(problem).__name__}: {problem}", file=sys.stderr)
            is_done = False
        is_full = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > MOST_MEGABYTES * 1024
        pickle.dump((is_done, is_full), writer)
        writer.flush()


def _compiled(module: str, name: str, kinds: tuple, games: list[str]) -> bool:
    from outplay.game import known_game
    from outplay.players.networks import usual

    for each in games:
        game: Any = known_game(each)
        for judged in (game, usual(game)):  # with the network that comes for it the game has records of its own, by the same name
            judged.rules.bind()
    kernel = getattr(importlib.import_module(module), name)
    kernel.dispatcher().compile(kinds)
    return cache.is_kept(kernel.python, kinds)


if __name__ == "__main__":
    work()
