"""Endgame tables inside a search: a position that they know has its exact value, however deep the search still is.

A table is one number a position, as `retrograde` makes them: 0 is a draw, 65535 none at all, else 1 + 2 * plies to end
+ whether the player to move wins. `EndgameTables` holds them in memory for all classes of positions that were loaded. Files of
another's making, which the rules read themselves (`probe`), stand beside them: of those a win has no distance, and is worth a point
less than one that is seen, and the less the later the files are reached.

>>> [int(worth) for worth in (worth_of(0, 3, 1000, 1), worth_of(2 + 2 * 5, 3, 1000, 1), worth_of(1 + 2 * 5, 3, 1024000, 1024))]
[0, 1000, -1023992]
>>> int(worth_of(SOME_WIN, 3, 1024000, 1024)) == 1024000 - 1024 - 3
True
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from outplay.jit import i64, inlined

NO_POSITION, SOME_WIN, SOME_LOSS = 65535, 65534, 65533


class EndgameTables(NamedTuple):
    """Tables in memory: the numbers, and where those of each class begin (-1: a class without); and files that the rules read."""

    numbers: np.ndarray
    places: np.ndarray
    files: Any = None


@inlined
def look_up(state: Any, numbers: Any, places: Any) -> Any:
    """What the tables say of a state, -1 where they say nothing."""
    klass = i64(state.table_class())
    if klass < 0 or klass >= len(places) or places[klass] < 0:
        return i64(-1)
    code = i64(numbers[places[klass] + state.table_index()])
    return i64(-1) if code == NO_POSITION else code


@inlined
def look_into(files: Any, states: Any, actions: Any, at: Any) -> Any:
    """What the files say of states[at], -1 where they say nothing; the rows behind it are free. Without files: nothing."""
    if files is None:
        return i64(-1)
    return i64(states[at].probe(files, states, actions, at))


@inlined
def are_there_files(endgame: Any) -> Any:
    """Whether values can come from files, without a distance."""
    if endgame is None:
        return i64(0)
    return i64(endgame.files is not None)


@inlined
def worth_of(code: Any, ply: Any, utmost: Any, spread: Any) -> Any:
    """The kernel's value of a number of the tables, so many plies from the root; with `spread`, a later end counts less."""
    if code == 0:
        return i64(0)
    if code >= SOME_LOSS:
        least = utmost - spread - (ply if spread > 1 else 0)
        return least if code == SOME_WIN else -least
    later = ply + ((code - 1) >> 1) if spread > 1 else 0
    return utmost - later if (code - 1) & 1 else later - utmost
