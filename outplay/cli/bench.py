"""`bench` prints the tables of `benchmarks/`, each measured in a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Annotated, Any, TextIO

from outplay.cli.commands import Argument, Exit
from outplay.cli.common import AsJson, print_json, seconds_in_words, tell
from outplay.cli.progress import Progress, working
from outplay.errors import Unavailable, UnknownName, shorten

PACKAGE = Path(__file__).resolve().parents[2]
BENCHMARKS = PACKAGE / "benchmarks"
"""The folder of a checkout; an installed package has none."""

NAMED_ONLY = {
    "attacks and crowds": ("commands", "fuzz", "interrupts", "load", "soak"),
    "pages in a browser": ("look_inside", "paint", "screenshots"),
    "an empty cache, many times": ("first_minutes", "startup"),
    "words of their own": ("before_after", "bridge_play", "kernels", "learning", "nnue"),
    "a machine with a GPU": ("gpu_doors",),
    "machines, matches and puzzles by the hour": ("battleships", "cluster", "paths", "poker_study", "race", "spiel"),
}
"""What runs only when it is named: the rest, all together, takes the time in which one drinks a coffee."""

GRACE_SECONDS = 1.0
"""How long a table that is told to stop may take for it."""


def bench(
    tables: Annotated[
        list[str] | None, Argument(metavar="[TABLE]...", help="Which tables; default: all that take minutes at most.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure: run the tables under benchmarks/, each with a node count that changes only when a search does."""
    known = sorted(path.stem for path in BENCHMARKS.glob("*.py") if _has_main(path))
    if not known:
        raise Unavailable("bench needs the benchmarks/ folder of a checkout of the project; an installed package has none")
    for name in tables or ():
        if name not in known:
            raise UnknownName("table", name, known)
    apart = {name for names in NAMED_ONLY.values() for name in names}
    wanted = tables or [name for name in known if name not in apart]
    answers: dict[str, Any] = {}
    failed: dict[str, str] = {}
    for number, name in enumerate(wanted, start=1):
        tell(f"-- {name} ({number} of {len(wanted)})" if len(wanted) > 1 else f"-- {name}")
        begun = time.perf_counter()
        said = _run_table(BENCHMARKS / f"{name}.py", as_json)
        answers[name] = said.get("table")
        if "failed" in said:
            failed[name] = said["failed"]
            tell(f"{name} failed: {shorten(said['failed'], 200)} (python benchmarks/{name}.py shows where)")
        elif "unavailable" in said:  # no GPU, no package: the other tables still count
            tell(f"{name}: {said['unavailable']}")
        else:
            tell(f"{name}: {seconds_in_words(time.perf_counter() - begun)}")
    if as_json:
        print_json({"tables": answers, "failed": failed})
    if not tables:
        tell("only by name: " + "; ".join(f"{', '.join(names)} ({why})" for why, names in NAMED_ONLY.items()))
    if failed:
        if len(wanted) > 1:
            tell(f"failed: {', '.join(failed)}")
        raise Exit(1)


def _has_main(path: Path) -> bool:
    return re.search(r"^def main\(", path.read_text(encoding="utf-8"), re.MULTILINE) is not None


def _run_table(path: Path, quietly: bool) -> dict[str, Any]:
    """Run one benchmark's main() elsewhere; what it prints goes to standard error when standard output is kept for JSON.

    In a process of its own it has the modules, the signals and the memory that it has when it is started by hand, and Ctrl-C ends
    it whatever it does with an exception: a search, for one, ends with its best so far, and the benchmark would go on.
    """
    with tempfile.TemporaryDirectory() as folder, working(path.stem, path.stem, "Ctrl-C stops") as progress:
        out = Path(folder) / "answer.json"
        with _started(path, out) as process:
            assert process.stdout is not None and process.stderr is not None
            gone: list[OSError] = []
            streams = (process.stdout, sys.stderr if quietly else sys.stdout), (process.stderr, sys.stderr)
            pumps = [threading.Thread(target=_pass_on, args=(*each, progress, gone), daemon=True) for each in streams]
            for pump in pumps:
                pump.start()
            while process.poll() is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.2)
                if gone:
                    raise gone[0]
            _end_group(process, signal.SIGKILL)  # what it left running
            for pump in pumps:
                pump.join(5.0)
        if gone:
            raise gone[0]
        try:
            answer: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {"failed": f"it ended with status {process.returncode}"}
        return answer


@contextlib.contextmanager
def _started(path: Path, out: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The process of one table and all that it starts; they end with this block, and with this process, however it ends."""
    lifeline, held = os.pipe()
    words = [sys.executable, "-P", "-m", "outplay.cli.one_table", str(path), str(out), str(lifeline)]
    paths = os.pathsep.join(filter(None, [str(PACKAGE), os.environ.get("PYTHONPATH")]))
    try:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   pass_fds=[lifeline], start_new_session=True,
                                   env={**os.environ, "PYTHONPATH": paths, "PYTHONUNBUFFERED": "1"})  # fmt: skip
    except BaseException:
        os.close(held)
        raise
    finally:
        os.close(lifeline)
    try:
        yield process
    except BaseException:
        _end_group(process, signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_SECONDS)
        raise
    finally:
        _end_group(process, signal.SIGKILL)
        process.wait()
        os.close(held)


def _end_group(process: subprocess.Popen[bytes], how: signal.Signals) -> None:
    with contextlib.suppress(OSError):
        os.killpg(process.pid, how)


def _pass_on(source: IO[bytes], target: TextIO, progress: Progress, gone: list[OSError]) -> None:
    """Print what a table prints, as it comes; a reader that is gone, such as `head`, is told to the one who waits."""
    try:
        for line in source:
            progress.write(line.decode("utf-8", "replace"), target)
    except OSError as problem:
        gone.append(problem)
