"""Many independent items in many processes: a line of JSON each, in a file from which a second call goes on.

No new item begins after --seconds; SIGTERM and Ctrl-C end with what there is.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Worker = Callable[[int], dict[str, Any]]
"""Does one item by its number."""


def add_options(parser: argparse.ArgumentParser, items: int = 20) -> None:
    """The options that all benchmarks of this kind have."""
    parser.add_argument("--items", type=int, default=items)
    parser.add_argument("--first", type=int, default=1, help="the number of the first item")
    parser.add_argument("--seconds", type=float, default=120.0, help="no new item after these")
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--out", type=Path, help="a file of JSON lines, read first and then written to")


_worker: Worker | None = None


def _begin(make: Callable[[argparse.Namespace], Worker], chosen: argparse.Namespace) -> None:
    """In each process: Ctrl-C and SIGTERM are the parent's."""
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _worker = make(chosen)


def _do(asked: tuple[int, float]) -> dict[str, Any] | None:
    number, until = asked
    begun = time.time()
    if begun > until or _worker is None:
        return None
    return {"number": number, **_worker(number), "seconds": round(time.time() - begun, 2)}


def run(make: Callable[[argparse.Namespace], Worker], chosen: argparse.Namespace) -> list[dict[str, Any]]:
    """All lines: those of the file, and those of the items that were missing there."""
    lines: list[dict[str, Any]] = []
    if chosen.out is not None and chosen.out.exists():
        lines = [json.loads(line) for line in chosen.out.read_text().splitlines()]
    done = {line["number"] for line in lines}
    until = time.time() + chosen.seconds
    missing = [(number, until) for number in range(chosen.first, chosen.first + chosen.items) if number not in done]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        with multiprocessing.get_context("fork").Pool(min(chosen.processes, max(1, len(missing))), _begin, (make, chosen)) as pool:
            for line in pool.imap_unordered(_do, missing):
                if line is None:
                    continue
                lines.append(line)
                if chosen.out is not None:
                    with chosen.out.open("a") as file:
                        file.write(json.dumps(line) + "\n")
    except (KeyboardInterrupt, SystemExit):
        pass
    return lines
