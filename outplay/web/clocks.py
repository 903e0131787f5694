"""Clocks of saved games: seconds for a game and those that come back with each move, kept beside the record.

The clock begins with the first move. A person's runs while it is that person's turn, wherever the page is; that of a search runs
while the search does, so that neither compiling nor a place in the queue costs it anything.

>>> extra = begin("60+2", 2)
>>> extra = moved(extra, 0, 5.0, now=100.0)
>>> left(extra, 1, is_person=True, now=109.0), left(extra, 1, is_person=True, now=200.0)
([57.0, 51.0], [57.0, -40.0])
"""

from __future__ import annotations

import time
from typing import Any

from outplay.errors import BadValue
from outplay.playing import LAG, parse_clock

MOST_SECONDS = 24 * 3600.0
NETWORK = 0.4
"""Seconds that a person's move may be under way."""


def begin(clock: str | None, seats: int) -> dict[str, Any]:
    """What a new game keeps of its clock."""
    if not clock:
        return {}
    seconds, increment = parse_clock(clock)
    if seconds > MOST_SECONDS or increment > MOST_SECONDS:
        raise BadValue(f"a clock may have {MOST_SECONDS:g} seconds at most, got {clock}")
    return {"clock": [seconds, increment], "left": [seconds] * seats, "since": None}


def left(extra: dict[str, Any], seat: int | None, is_person: bool, now: float | None = None) -> list[float]:
    """Seconds on each clock now; below zero where a person has overstepped it."""
    found = list(extra.get("left", ()))
    if found and seat is not None and 0 <= seat < len(found) and is_person and extra.get("since") is not None:
        found[seat] -= (time.time() if now is None else now) - extra["since"]
    return found


def is_over(extra: dict[str, Any], seat: int, now: float | None = None) -> bool:
    """Whether the person to move has run out of time."""
    return bool(extra.get("left")) and left(extra, seat, True, now)[seat] < -LAG - NETWORK


def moved(extra: dict[str, Any], seat: int, spent: float, now: float | None = None) -> dict[str, Any]:
    """The clocks after a move that took so many seconds; the first move is free."""
    if not extra.get("left"):
        return extra
    after = list(extra["left"])
    if extra.get("since") is not None or spent:
        after[seat] = max(after[seat] - spent, 0.0) + extra["clock"][1]
    return {**extra, "left": after, "since": time.time() if now is None else now}


def spent(extra: dict[str, Any], now: float | None = None) -> float:
    """Seconds since the last move."""
    since = extra.get("since")
    return 0.0 if since is None else max(0.0, (time.time() if now is None else now) - since)
