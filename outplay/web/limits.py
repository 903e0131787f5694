"""What a request may ask for at most, and how much runs at a time. A request beyond a limit is refused in one line.

>>> check("seconds", 5, MOST_SECONDS)
5
>>> check("seconds", 1000, MOST_SECONDS)
Traceback (most recent call last):
outplay.errors.BadValue: seconds must be at most 60 here, got 1000
"""

from __future__ import annotations

import os
from typing import Any

from outplay.errors import BadValue

MOST_BODY = 256 * 1024  # bytes of a request: a tree of 16384 leaves fits
MOST_TEXT = 20_000  # characters of a position or a parameter, trees apart
MOST_PLIES = 2_000  # actions of a saved game
MOST_ARENAS = 2_000  # saved round robins
MOST_RECORDS = 100_000  # saved games; beyond that the oldest go

MOST_SECONDS = 60.0
MOST_NODES = 2_000_000_000  # of the engine
MOST_TEXTBOOK_NODES = 1_000_000  # the textbook keeps Python objects for what it remembers
MOST_TRACED_NODES = 300_000  # a traced search keeps every step
MOST_SIMULATIONS = 50_000_000
MOST_MEGABYTES = 64  # of a table
MOST_LINES = 12
MOST_LISTED = 1000  # actions of a position; an opening rack of Scrabble with two blanks has 74,000
MOST_COMPARED = 12  # algorithms in one comparison

MOST_RULES_BYTES = 1_000_000_000  # of all games with parameters met since the start, which are kept for good
RULES_BYTES, BYTES_A_LETTER = 30_000, 350  # what one of them takes, measured on small and on large trees
COMPILED_BYTES = 2_500_000  # what one takes for which searches were loaded, measured with `benchmarks/variants.py`

HEAD_SECONDS = 10.0  # until the head of a request is there
MOMENT_SECONDS = 1.0  # for that which every connection has, however many there are
BODY_SECONDS = 20.0  # until the rest of it is
MOST_SILENT = 256  # connections that have not asked for anything yet
MOST_FILES = 16_384
LOCKED_SECONDS = 4.0  # that a move waits where another program holds the file of saved games
MOST_WRITERS = 12  # of them; pages need the other threads
ARENAS = 2  # of malloc, for all threads together

SEARCHES = max(1, os.cpu_count() or 1)  # at a time
MOST_WAITING = 256  # searches in the queue; further ones are refused
TREES_KEPT = 12
TREE_NODES_KEPT = 1_000_000  # of all kept trees together


def check(name: str, value: Any, most: Any) -> Any:
    """The value itself, once it is known not to exceed a limit."""
    if value is not None and value > most:
        shown = f"{value:g}" if abs(value) < 1e300 else "far more"  # a whole number may be too long to write as a float
        raise BadValue(f"{name} must be at most {most:g} here, got {shown}")
    return value
