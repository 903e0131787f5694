"""Iterative deepening as a kernel (Korf, 1985): which window is looked at next, at which depth, and when no more depth counts.

The search kernel looks through one window, in slices; whenever it is done, `steer` reads the root and says what comes next. So
Python's engine and a page are driven by the same code: both only cut slices, and read `found` when a depth is finished.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from outplay.engine.alphabeta.bounds import INFINITY
from outplay.engine.alphabeta.table import NO_ACTION
from outplay.engine.alphabeta.windows import Found, first_window, next_window
from outplay.jit import inlined, kernel

LOOK, DEPTH, OVER = 0, 1, 2  # what is next: a window to look through; `found` to read, a depth is finished; nothing more
START, LOOKING, PROVING, STOPPED, FINISHED = 0, 1, 2, 3, 4  # where the drive stands
MOST_PROVEN = 9  # plies: from here on a win need not be the quickest
FIRST_WINDOWED = 4  # the depth from which a window is narrow at first: before, values jump
FORWARD = ("quiescence", "extensions", "null_move", "reductions", "futility", "singular", "beam", "probcut",
           "table")  # off in proofs

DRIVE = np.dtype((np.record, [(name, np.int64) for name in (
    # what is asked for: so many depths and lines, of so many actions; half the first window; what all values lie between; whether
    # windows are opened here, or the host looks for each line by itself; whether forward pruning may pass wins over
    "depth", "limit", "lines", "count", "margin", "low", "high", "greatest", "windows", "selective",
    # where it stands: lines found at this depth, the window and how far it will move, the depth of a proof, a quicker win found
    "phase", "found", "alpha", "beta", "width", "proof", "distance", "quicker",
    *(f"kept_{name}" for name in FORWARD),
)]))  # fmt: skip
LINE = np.dtype((np.record, [(name, np.int64) for name in ("value", "action", "complete", "length", "guess", "is_guessed")]))


@inlined
def open_root(frames: Any, control: Any, alpha: Any, beta: Any, depth: Any, count: Any) -> None:
    """Start at the root with a window, and with the so many actions that stand in its row."""
    for row in range(len(frames)):
        frames[row].excluded = NO_ACTION  # an interrupted search may have left one behind
    root, c = frames[0], control[0]  # nor is an answer of the last search one of this: a stop may come before the first node
    root.best, root.action, root.index, root.length, root.complete = -INFINITY - 1, NO_ACTION, 0, 0, 0
    c.root_count, c.alpha, c.beta, c.depth, c.ply = count, alpha, beta, depth, -1


@inlined
def list_open(actions: Any, order: Any, count: Any, found: Any, taken: Any) -> Any:
    """The root's actions but those of the first `taken` lines, in their order, as its row; how many these are."""
    listed = 0
    for index in range(count):
        is_open = True
        for line in range(taken):
            if found[line].action == order[index]:
                is_open = False
        if is_open:
            actions[0, listed] = order[index]
            listed += 1
    return listed


@inlined
def take_root(line: Any, frames: Any, lines: Any, kept: Any, index: Any) -> None:
    """What stands at the root as one line."""
    root = frames[0]
    line.value, line.action, line.complete, line.length = root.best, root.action, root.complete, root.length
    for ply in range(root.length):
        kept[index, ply] = lines[0, ply]


@inlined
def swap_lines(found: Any, kept: Any, a: Any, b: Any) -> None:
    """Two lines in each other's place; what is guessed of a place stays."""
    one, other = found[a], found[b]
    one.value, other.value = other.value, one.value
    one.action, other.action = other.action, one.action
    one.complete, other.complete = other.complete, one.complete
    one.length, other.length = other.length, one.length
    for ply in range(max(one.length, other.length)):
        kept[a, ply], kept[b, ply] = kept[b, ply], kept[a, ply]


@inlined
def put_first(order: Any, count: Any, action: Any, place: Any) -> None:
    """An action at a place of the order; those between move back by one."""
    at = place
    while at < count - 1 and order[at] != action:
        at += 1
    while at > place:
        order[at] = order[at - 1]
        at -= 1
    order[place] = action


@inlined
def plies_away(value: Any, spread: Any) -> Any:
    """The plies to the end of the game that a value tells of; 0 where it tells of none."""
    size = abs(value)
    return (-(-size // spread)) * spread - size


@inlined
def switch_off(control: Any, drive: Any) -> None:
    """No forward pruning, and no table that remembers some."""
    c, d = control[0], drive[0]
    d.kept_quiescence, d.kept_extensions, d.kept_null_move = c.quiescence, c.extensions, c.null_move
    d.kept_reductions, d.kept_futility, d.kept_singular = c.reductions, c.futility, c.singular
    d.kept_beam, d.kept_probcut, d.kept_table = c.beam, c.probcut, c.table
    c.quiescence = c.extensions = c.null_move = c.reductions = c.futility = c.singular = c.beam = c.probcut = c.table = 0


@inlined
def switch_on(control: Any, drive: Any) -> None:
    """As it was before the proof."""
    c, d = control[0], drive[0]
    c.quiescence, c.extensions, c.null_move = d.kept_quiescence, d.kept_extensions, d.kept_null_move
    c.reductions, c.futility, c.singular = d.kept_reductions, d.kept_futility, d.kept_singular
    c.beam, c.probcut, c.table = d.kept_beam, d.kept_probcut, d.kept_table


@kernel
def open_at(frames: Any, control: Any, alpha: Any, beta: Any, depth: Any, count: Any) -> None:
    """`open_root`, for a host that chooses windows by itself."""
    open_root(frames, control, alpha, beta, depth, count)


@kernel
def steer(frames: Any, control: Any, actions: Any, lines: Any, drive: Any, found: Any, kept: Any, order: Any) -> Any:
    """What comes next, after what stands at the root."""
    d, c, root = drive[0], control[0], frames[0]
    if d.phase == LOOKING:
        if d.windows != 0:
            is_inside, d.alpha, d.beta, d.width = next_window(root.best, d.alpha, d.beta, d.width, d.low, d.high)
            if not is_inside:
                open_root(frames, control, d.alpha, d.beta, d.depth, list_open(actions, order, d.count, found, d.found))
                return LOOK
            take_root(found[d.found], frames, lines, kept, d.found)
        line = found[d.found]
        line.guess, line.is_guessed = line.value, 1
        d.found += 1
        d.phase = START
        if d.found == d.lines:  # the depth is finished: the best line first, and its actions before all others
            for place in range(d.found):
                at = place
                while at > 0 and found[at].value > found[at - 1].value:
                    swap_lines(found, kept, at, at - 1)
                    at -= 1
            complete = 1
            for place in range(d.found):
                put_first(order, d.count, found[place].action, place)
                complete &= found[place].complete
            best = found[0]
            points, d.distance = -(-abs(best.value) // c.spread), plies_away(best.value, c.spread)
            is_quickest = best.value > 0 and d.distance > 0 and points * c.spread >= d.greatest and d.distance <= d.depth
            if complete != 0 or (d.lines == 1 and is_quickest):  # more depth can change nothing
                d.phase = FINISHED
                if d.selective != 0 and d.distance > 0 and best.value > 0:  # but forward pruning may have passed a quicker win over
                    d.phase, d.proof = PROVING, 0
            d.depth += 1
            return DEPTH
    if d.phase == START:
        if d.found == d.lines:
            d.found = 0
        if d.depth > d.limit:
            d.phase = FINISHED
            return OVER
        line = found[d.found]
        d.width = d.margin if d.depth >= FIRST_WINDOWED else 0
        d.alpha, d.beta = first_window(d.low, d.high, line.guess, d.width if line.is_guessed != 0 else 0)
        open_root(frames, control, d.alpha, d.beta, d.depth, list_open(actions, order, d.count, found, d.found))
        d.phase = LOOKING
        return LOOK
    if d.phase == PROVING or d.phase == STOPPED:
        best = found[0]
        if d.proof == 0:
            switch_off(control, drive)
            d.proof = 2  # an end shows a ply after the action that brings it about
        elif d.phase == PROVING:
            if root.best > best.value:
                take_root(best, frames, lines, kept, 0)
                d.distance, d.quicker = plies_away(best.value, c.spread), 1
            d.proof += 1
        if d.phase == PROVING and d.proof < min(d.distance, MOST_PROVEN):
            open_root(frames, control, best.value, INFINITY, d.proof, list_open(actions, order, d.count, found, 0))
            return LOOK
        switch_on(control, drive)
        d.phase = FINISHED
    return OVER


class Deepening:
    """The arrays of one drive: `begin`, then `steer` after each look that is done; `stop` where it ends before that."""

    def __init__(self, workspace: Any, lines: int) -> None:
        self.workspace = workspace
        work = workspace.work
        self.drive, self.found = np.zeros(1, DRIVE), np.zeros(max(1, lines), LINE)
        self.kept = np.zeros((len(self.found), work.lines.shape[1]), work.lines.dtype)
        self.order = np.zeros(workspace.most, np.int64)
        self.arrays = (work.frames, work.control, work.actions, work.lines, self.drive, self.found, self.kept, self.order)

    def begin(self, actions: Sequence[int], **settings: int) -> None:
        """Set what is asked for; the settings are fields of DRIVE."""
        self.drive[:], self.found[:] = 0, 0
        self.order[: len(actions)] = actions
        for name, value in settings.items():
            self.drive[name] = value
        self.drive["lines"] = min(len(self.found), len(actions))
        self.drive["count"] = len(actions)

    def steer(self) -> int:
        """What comes next."""
        return int(steer(*self.arrays))

    def stop(self) -> None:
        """Leave the switches as they were, wherever it stands."""
        if self["phase"] == PROVING and self["proof"] > 0:
            self.drive["phase"] = STOPPED
            self.steer()

    def __getitem__(self, name: str) -> int:
        return int(self.drive[name][0])

    def is_settled(self) -> bool:
        """Whether more depth can change nothing."""
        return self["phase"] in (PROVING, STOPPED, FINISHED)

    def actions(self) -> list[int]:
        """The root's actions as they are tried now."""
        return self.order[: self["count"]].tolist()

    def lines(self) -> list[Found]:
        """What is found at this depth so far, the best line first when it is finished."""
        some = zip(self.found[: self["found"]], self.kept.tolist(), strict=False)
        return [Found(int(one.value), int(one.action), bool(one.complete), tuple(line[: one.length])) for one, line in some]

    def take(self, found: Found) -> None:
        """A line that the host has found by itself."""
        index = self["found"]
        line = self.found[index]
        line.value, line.action, line.complete, line.length = found.value, found.action, found.complete, len(found.line)
        self.kept[index, : len(found.line)] = found.line

    def guess(self) -> int | None:
        """What the line that is looked for was worth at the last depth."""
        line = self.found[self["found"]]
        return int(line.guess) if line.is_guessed else None
