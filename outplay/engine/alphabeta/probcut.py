"""Multi-ProbCut (Michael Buro, 1995 and 1997): a shallow search tells what a deep one would almost surely find.

For each depth and part of the game, a line is fitted through pairs of values: deep = slope * shallow + offset, with a standard
deviation. Where a shallow search lies so far beyond the window that the deep one would be inside of it only once in so many times,
the node is cut off. `learning.probcut` makes the fits of any game with an evaluation; a game keeps them as `probcut`.

fits[period, depth, test] is (depth of the shallow search, slope, offset, deviation) in points; a slope of 0 ends the list of tests.

>>> shallower(8), shallower(9), shallower(3)
((2, 4), (3, 5), (1,))
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from outplay.errors import BadValue, shorten
from outplay.files import refuse_bomb
from outplay.jit import always_inlined, i64

LEAST, MOST = 3, 24  # depths at which a node is probed
TESTS = 2  # shallow searches tried one after the other
NONE = np.zeros((1, 1, TESTS, 4))


def shallower(depth: int) -> tuple[int, ...]:
    """The depths of the shallow searches tried for a deep one, a quarter and half of it: of equal parity, since values swing."""
    if depth < LEAST:
        return ()
    found = {shallow + (depth - shallow) % 2 for shallow in (max(1, depth // 4), depth // 2)}
    return tuple(sorted(each for each in found if each < depth))


@always_inlined
def probe_window(fits: Any, frame: Any, low: Any, high: Any, left: Any, control: Any) -> Any:
    """The lower end of the shallow search's window of width one, and its depth: -1 when there is nothing (more) to try.

    What the evaluation says decides which end of the window is tried.
    """
    period, deep = min(frame.period, fits.shape[0] - 1), min(left, fits.shape[1] - 1)
    if frame.probe >= fits.shape[2] or fits[period, deep, frame.probe, 1] == 0.0:
        return i64(0), i64(-1)
    shallow, slope = fits[period, deep, frame.probe, 0], fits[period, deep, frame.probe, 1]
    offset, margin = fits[period, deep, frame.probe, 2], fits[period, deep, frame.probe, 3] * control.probcut / 100.0
    grain, spread = control.grain, control.spread
    if frame.static >= high:
        bound = i64(np.ceil((high / spread + (margin - offset) * grain) / slope)) * spread
        return bound - 1, i64(shallow)
    bound = i64(np.floor((low / spread - (margin + offset) * grain) / slope)) * spread
    return bound, i64(shallow)


def fits_of(rules: Any, given: Any = None) -> np.ndarray:
    """The fits that a search uses: those given, as an array or as a file, or the game's own."""
    if isinstance(given, str | Path):
        try:
            refuse_bomb(given, Path(given).stat().st_size)
            given = np.load(given, allow_pickle=False)["fits"]
        except OSError as problem:
            raise BadValue(f"fits {shorten(str(given))!r}: {problem.strerror or 'no file of fits'}") from None
        except (ValueError, KeyError):
            raise BadValue(f"fits {shorten(str(given))!r}: expected a file that `outplay tune GAME --probcut` wrote") from None
    found = given if given is not None else getattr(rules, "probcut", None)
    if found is None:
        return NONE.copy()
    found = np.ascontiguousarray(found, np.float64)
    if found.ndim != 4 or found.shape[3] != 4:
        raise BadValue(f"fits of Multi-ProbCut are numbers by period, depth and test, four each; got the shape {found.shape}")
    return found
