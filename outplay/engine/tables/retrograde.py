"""Endgame tables of any game by retrograde analysis (Thomas Ströhlein, 1970; Ken Thompson, 1986; for checkers Chinook, 1989-2007).

A game numbers its positions (the facet Tables): a *class* is a set of positions with their own numbers from 0, and
`table_classes(men)` lists the classes in the order of building, in *slices* of those that lead to each other; a move leads to the
same slice or to one built before. The work goes by plies from the end of the game. Every position is looked at once; after that
only those are looked at again of which a successor was settled in the last ply (`retractions` finds them), or whose way into
another slice comes due. Rules without `retractions` are looked at again every ply.

>>> from outplay.game import load
>>> tables = build(load("checkers"), 2)
>>> tables.facts("k-k")
{'name': 'k-k', 'positions': 992, 'won': 230, 'drawn': 654, 'lost': 108, 'longest': 11}
>>> tables.probe(load("checkers").position("B:WK1:BK3"))
('loss', 10)

One number for each position: 0 is a draw, NO_POSITION none at all, else 1 + 2 * plies to the end + whether the player to move wins.
The same functions of one position run in a loop on the processor's cores and as one thread a position on a GPU.
"""

from __future__ import annotations

import functools
import os
import threading
import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.compiling.gpu import cuda, gpu_kernel, is_simulated, layout_of, processors, require
from outplay.engine.tables import files as table_files
from outplay.errors import BadValue, Unavailable, Unsuitable
from outplay.game import Game, Position, load
from outplay.jit import i64, inlined, kernel

NO_POSITION = 65535
NEVER = 65535
MISSING = -1
MOST_PLIES = 32000
PIECE, PIECES = 1 << 15, 1 << 10
"""The fewest positions that a thread looks at between two chances to stop, and the most pieces of a class: handing one out costs
as much as a look at some thousand positions of which nothing is due."""



class Part(NamedTuple):
    """A class of positions in a slice that is worked on."""

    klass: int
    at: int  # where its values begin
    base: int  # where those of the slice do
    now: int  # the ply


class Known(NamedTuple):
    """What is known, in arrays that all threads share."""

    offsets: Any  # [class]: where its values begin, -1 where there are none
    values: Any  # [place]
    due: Any  # [place - base]: the ply at which to look again
    doubt: Any  # [place - base]: whether a successor changed since


# ---------------------------------------------------------------- one position: the same lines on the processor and on a GPU
# `room` is a thread's own: two states, and two lists of actions.


@inlined
def look(room: Any, known: Any) -> Any:
    """What is known of the second position of the room; MISSING where it is not over and no table is built."""
    states, _, more = room
    child = states[1]
    klass = i64(child.table_class())
    if klass >= 0:
        if klass < len(known.offsets) and known.offsets[klass] >= 0:
            return i64(known.values[known.offsets[klass] + child.table_index()])
        return i64(MISSING)
    if child.actions(more) > 0:
        return i64(MISSING)
    worth = child.utility(child.player())
    return i64(2) if worth > 0 else i64(1) if worth < 0 else i64(0)


@inlined
def derive(room: Any, known: Any, now: Any, quick: Any) -> Any:
    """What its successors tell of the first position of the room at the ply `now`: its value, 0 or MISSING, and when to look again.

    `quick` gives up at the first successor that does not lose, where a loss is all that may have come about; when to look again
    is then 0: as before.
    """
    states, actions, _ = room
    state, child = states[0], states[1]
    count = state.actions(actions)
    mover = i64(state.player())
    soonest, latest, all_lose = i64(NEVER), i64(0), True
    if count == 0:
        worth = state.utility(mover)
        return (i64(2) if worth > 0 else i64(1) if worth < 0 else i64(0)), i64(NEVER)
    for i in range(count):
        states[1] = states[0]
        child.play(actions[i])
        code = look(room, known)
        if code < 0:
            return i64(MISSING), i64(NEVER)
        if code == 0:
            all_lose = False
        else:
            plies = ((code - 1) >> 1) + 1
            other_wins = (code - 1) & 1
            if i64(child.player()) == mover:
                other_wins ^= 1
            if other_wins == 0:
                all_lose = False
                soonest = min(soonest, plies)
            else:
                latest = max(latest, plies)
        if not all_lose and (quick or soonest == now):
            break
    if soonest <= now:
        return 2 + 2 * soonest, i64(NEVER)
    if all_lose:
        if latest <= now:
            return 1 + 2 * latest, i64(NEVER)
        return i64(0), latest
    return i64(0), i64(0) if quick else soonest


@inlined
def begin_one(index: Any, part: Any, room: Any, known: Any) -> Any:
    """The first look at a position; returns 1 where it is settled, MISSING where a table is."""
    states, _, _ = room
    if not states[0].table_place(part.klass, index):
        known.values[part.at + index] = NO_POSITION
        return 0
    code, later = derive(room, known, 0, False)
    if code < 0:
        return MISSING
    known.due[part.at - part.base + index] = later
    if code == 0:
        return 0
    known.values[part.at + index] = code
    return 1


@inlined
def look_again(index: Any, part: Any, room: Any, known: Any) -> Any:
    """Settle a position at this ply, if it is time to; returns 1 where it is settled."""
    place = part.at - part.base + index
    if known.values[part.at + index] != 0:
        return 0
    states, _, _ = room
    state = states[0]
    is_due = i64(known.due[place]) == part.now
    if state.offers_retractions() and not is_due and known.doubt[place] == 0:
        return 0
    known.doubt[place] = 0
    state.table_place(part.klass, index)
    code, later = derive(room, known, part.now, state.offers_retractions() and not is_due)
    if code > 0:
        known.values[part.at + index] = code
        return 1
    if later > 0:
        known.due[place] = later
    return 0


@inlined
def tell_one(index: Any, part: Any, room: Any, known: Any) -> None:
    """Tell the positions before one that was settled at this ply."""
    states, actions, _ = room
    code = i64(known.values[part.at + index])
    state, before = states[0], states[1]
    state.table_place(part.klass, index)
    mover = i64(state.player())
    wins = (code - 1) & 1
    count = state.retractions(actions)
    for i in range(count):
        states[1] = states[0]
        before.retract(actions[i])
        which = i64(before.table_class())
        if which < 0 or known.offsets[which] < part.base:
            continue
        there = known.offsets[which] + before.table_index()
        if known.values[there] != 0:
            continue
        if (wins == 1) == (i64(before.player()) == mover):
            known.due[there - part.base] = part.now + 1
        else:
            known.doubt[there - part.base] = 1


@inlined
def check_one(index: Any, part: Any, room: Any, known: Any) -> Any:
    """Whether an entry is what its successors say."""
    states, _, _ = room
    state = states[0]
    if not state.table_place(part.klass, index):
        return i64(known.values[part.at + index]) == NO_POSITION
    if i64(state.table_class()) != part.klass or i64(state.table_index()) != index:
        return False
    code, _ = derive(room, known, MOST_PLIES, False)
    return code == i64(known.values[part.at + index])


# ---------------------------------------------------------------- many positions on the processor


@kernel
def _begin(first: Any, last: Any, part: Any, room: Any, known: Any) -> Any:
    settled = i64(0)
    for index in range(first, last):
        found = begin_one(index, part, room, known)
        if found < 0:
            return i64(MISSING)
        settled += found
    return settled


@kernel
def _look_again(first: Any, last: Any, part: Any, room: Any, known: Any) -> Any:
    settled = i64(0)
    for index in range(first, last):
        settled += look_again(index, part, room, known)
    return settled


@kernel
def _tell(first: Any, last: Any, part: Any, room: Any, known: Any) -> Any:
    for index in range(first, last):
        if (i64(known.values[part.at + index]) - 1) >> 1 == part.now:  # neither a draw nor no position
            tell_one(index, part, room, known)
    return i64(0)


@kernel
def _check(first: Any, last: Any, part: Any, room: Any, known: Any) -> Any:
    """The first index whose entry is not what its successors say, else -1."""
    for index in range(first, last):
        if not check_one(index, part, room, known):
            return index
    return i64(-1)


@kernel
def _count(first: Any, last: Any, values: Any, sums: Any) -> None:
    """Won, drawn, lost and the longest win in plies, added to sums."""
    for place in range(first, last):
        code = i64(values[place])
        if code == NO_POSITION:
            continue
        if code == 0:
            sums[1] += 1
        elif (code - 1) & 1:
            sums[0] += 1
            sums[3] = max(sums[3], (code - 1) >> 1)
        else:
            sums[2] += 1


@kernel
def _next_due(first: Any, last: Any, base: Any, values: Any, due: Any, now: Any) -> Any:
    """The next ply at which something comes due."""
    soonest = i64(NEVER)
    for place in range(first, last):
        later = i64(due[place - base])
        if now < later < soonest and values[place] == 0:
            soonest = later
    return soonest


class Slice(NamedTuple):
    """Classes that lead to each other: name, and of each class its number and how many indices it has."""

    name: str
    classes: tuple[tuple[int, int], ...]

    @property
    def size(self) -> int:
        """Indices of all classes."""
        return sum(size for _, size in self.classes)


class Processor:
    """The steps over all positions of a slice on the cores of this machine."""

    def __init__(self, rules: Any, values: np.ndarray, offsets: np.ndarray, threads: int | None = None) -> None:
        self.rules, self.values, self.offsets = rules, values, offsets
        self.pool = ThreadPoolExecutor(threads or os.cpu_count() or 1)
        self._own = threading.local()
        self._warm: set[str] = set()
        self.due, self.doubt = np.zeros(0, np.uint16), np.zeros(0, np.uint8)  # of the slice that is built

    def _scratch(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if not hasattr(self._own, "scratch"):
            self._own.scratch = self.rules.states(2), self.rules.room(), self.rules.room()
        return self._own.scratch

    def each(self, slice: Slice, work: Callable, base: int = 0, now: int = 0) -> list[Any]:
        """What a kernel says of every piece of every class, on all cores."""
        known = Known(self.offsets, self.values, self.due, self.doubt)
        pieces = []
        for klass, size in slice.classes:
            piece, part = max(PIECE, -(-size // PIECES)), Part(klass, int(self.offsets[klass]), base, now)
            pieces += [(first, min(first + piece, size), part) for first in range(0, size, piece)]
        done = []
        if len(pieces) == 1 or work.__name__ not in self._warm:  # the first call compiles: by one thread
            self._warm.add(work.__name__)
            done = [work(*pieces.pop(0), self._scratch(), known)]
        return done + list(self.pool.map(lambda piece: work(*piece, self._scratch(), known), pieces))

    def begin(self, slice: Slice, base: int) -> int:
        """The first look; returns how many are settled."""
        self.due, self.doubt = np.full(slice.size, NEVER, np.uint16), np.zeros(slice.size, np.uint8)
        return _sum(self.each(slice, _begin, base))

    def look_again(self, slice: Slice, base: int, now: int) -> int:
        """Settle what can be settled at this ply; returns how many."""
        return _sum(self.each(slice, _look_again, base, now))

    def tell(self, slice: Slice, base: int, now: int) -> None:
        """Tell the positions before those settled at this ply."""
        self.each(slice, _tell, base, now)

    def next_due(self, slice: Slice, base: int, now: int) -> int:
        """The next ply at which something comes due."""
        return int(_next_due(base, base + slice.size, base, self.values, self.due, now))

    def count(self, first: int, last: int) -> tuple[int, int, int, int]:
        """Won, drawn, lost, and the longest in plies."""
        sums = np.zeros(4, np.int64)
        _count(first, last, self.values, sums)
        won, drawn, lost, longest = sums.tolist()
        return won, drawn, lost, longest

    def fetch(self, first: int, last: int) -> np.ndarray:
        """The values themselves."""
        return self.values[first:last]

    def put(self, first: int, values: np.ndarray) -> None:
        """Put known values in their place."""
        self.values[first : first + len(values)] = values

    def check(self, slice: Slice) -> int:
        """The first entry that is not what its successors say, else -1."""
        return next((int(index) for index in self.each(slice, _check) if index >= 0), -1)

    def set_offset(self, klass: int, at: int) -> None:
        """From now on this class is known."""
        self.offsets[klass] = at

    def close(self) -> None:
        """Stop the threads."""
        self.pool.shutdown(wait=True, cancel_futures=True)


def _sum(found: Iterable[int]) -> int:
    total = 0
    for each in found:
        if each < 0:
            raise Unsuitable("a move leads to a position that no class of this or an earlier slice holds: list it in table_classes")
        total += each
    return total


# ---------------------------------------------------------------- many positions on a GPU


class Lists(NamedTuple):
    """What the threads of a GPU gather, beside the arrays."""

    sums: Any
    wanted: Any  # [place]: positions to look at again
    settled: Any  # [place]: and those that were settled
    tally: Any  # [2 * class and 2 * class + 1]: how many of both


@functools.cache
def gpu_steps(rules: Any) -> dict[str, Any]:
    """The same steps as CUDA kernels, one position a thread after the other; scratch memory is each thread's own.

    Threads of a warp run in step, and in most plies few positions are looked at again: so these are gathered in a list first, and
    what was settled in another, which `tell` works through.
    """
    layout = layout_of(rules)
    most, action = int(rules.most_actions), rules.action_type
    is_blind = "retractions" not in rules.offered

    def begin(size: Any, which: Any, part: Any, known: Any, lists: Any) -> None:
        room = cuda.local.array(2, layout), cuda.local.array(most, action), cuda.local.array(most, action)
        index = i64(cuda.grid(1))
        while index < size:
            found = begin_one(index, part, room, known)
            if found < 0:
                lists.sums[1] = 1
            elif found > 0:
                lists.settled[part.at - part.base + cuda.atomic.add(lists.tally, 2 * which + 1, 1)] = index
            index += cuda.gridsize(1)

    def gather(size: Any, which: Any, part: Any, known: Any, lists: Any) -> None:
        index = i64(cuda.grid(1))
        while index < size:
            place = part.at - part.base + index
            if known.values[part.at + index] == 0 and (is_blind or known.doubt[place] != 0 or i64(known.due[place]) == part.now):
                lists.wanted[part.at - part.base + cuda.atomic.add(lists.tally, 2 * which, 1)] = index
            index += cuda.gridsize(1)

    def again(size: Any, which: Any, part: Any, known: Any, lists: Any) -> None:
        room = cuda.local.array(2, layout), cuda.local.array(most, action), cuda.local.array(most, action)
        place = i64(cuda.grid(1))
        while place < lists.tally[2 * which]:
            index = i64(lists.wanted[part.at - part.base + place])
            if look_again(index, part, room, known) > 0:
                lists.settled[part.at - part.base + cuda.atomic.add(lists.tally, 2 * which + 1, 1)] = index
            place += cuda.gridsize(1)

    def tell(size: Any, which: Any, part: Any, known: Any, lists: Any) -> None:
        room = cuda.local.array(2, layout), cuda.local.array(most, action), cuda.local.array(1, action)
        place = i64(cuda.grid(1))
        while place < lists.tally[2 * which + 1]:
            tell_one(i64(lists.settled[part.at - part.base + place]), part, room, known)
            place += cuda.gridsize(1)

    def check(size: Any, which: Any, part: Any, known: Any, lists: Any) -> None:
        room = cuda.local.array(2, layout), cuda.local.array(most, action), cuda.local.array(most, action)
        index = i64(cuda.grid(1))
        while index < size:
            if not check_one(index, part, room, known):
                cuda.atomic.add(lists.sums, 0, 1)
            index += cuda.gridsize(1)

    def next_due(size: Any, which: Any, part: Any, known: Any, lists: Any) -> None:
        soonest: Any = i64(NEVER)
        index = i64(cuda.grid(1))
        while index < size:
            later = i64(known.due[part.at - part.base + index])
            if later > part.now and later < soonest and known.values[part.at + index] == 0:
                soonest = later
            index += cuda.gridsize(1)
        if soonest < NEVER:
            cuda.atomic.min(lists.sums, 2, soonest)

    def count(first: Any, last: Any, values: Any, sums: Any) -> None:
        won, drawn, lost = 0, 0, 0
        longest: Any = i64(0)
        place = i64(first) + cuda.grid(1)
        while place < last:
            code = i64(values[place])
            if code == 0:
                drawn += 1
            elif code != NO_POSITION:
                if (code - 1) & 1 == 1:
                    won += 1
                    longest = max(longest, (code - 1) >> 1)
                else:
                    lost += 1
            place += cuda.gridsize(1)
        cuda.atomic.add(sums, 0, won)
        cuda.atomic.add(sums, 1, drawn)
        cuda.atomic.add(sums, 2, lost)
        cuda.atomic.max(sums, 3, longest)

    return {step.__name__: gpu_kernel(step) for step in (begin, gather, again, tell, check, next_due, count)}


class Gpu:
    """The steps over all positions of a slice on a GPU, with all values in its memory."""

    BLOCK, BLOCKS = 128, 32  # threads in a block, blocks for each multiprocessor

    def __init__(self, rules: Any, total: int, offsets: np.ndarray) -> None:
        require()
        self.steps = gpu_steps(rules)
        self.host_offsets = offsets
        try:
            self.values = cuda.device_array(total, np.uint16)
        except Exception:  # whatever the driver calls it
            raise Unavailable(f"{2 * total / 1e9:.1f} GB of tables do not fit in the GPU's memory: ask for fewer men") from None
        self.offsets = cuda.to_device(offsets)
        self.shape = (1, 2) if is_simulated() else (self.BLOCKS * processors(), self.BLOCK)
        self.due = self.doubt = self.wanted = self.settled = cuda.to_device(np.zeros(1, np.uint16))
        self.tally = cuda.to_device(np.zeros(2, np.int64))
        self._clear = gpu_kernel(_fill_in)
        self._fill(self.values, 0, total, 0)

    def _fill(self, array: Any, first: int, last: int, value: int) -> None:
        self._clear[self.shape](array, first, last, value)

    def _run(self, name: str, slice: Slice, base: int, now: int) -> np.ndarray:
        sums = cuda.to_device(np.array([0, 0, NEVER, 0], np.int64))
        known, lists = Known(self.offsets, self.values, self.due, self.doubt), Lists(sums, self.wanted, self.settled, self.tally)
        for which, (klass, size) in enumerate(slice.classes):
            self.steps[name][self.shape](size, which, Part(klass, int(self.host_offsets[klass]), base, now), known, lists)
        return sums.copy_to_host()

    def begin(self, slice: Slice, base: int) -> int:
        """The first look; returns how many are settled."""
        self.due = self.doubt = self.wanted = self.settled = None
        self.due, self.doubt = cuda.device_array(slice.size, np.uint16), cuda.device_array(slice.size, np.uint8)
        self.wanted, self.settled = cuda.device_array(slice.size, np.uint32), cuda.device_array(slice.size, np.uint32)
        self.tally = cuda.to_device(np.zeros(2 * len(slice.classes), np.int64))
        self._fill(self.due, 0, slice.size, NEVER)
        self._fill(self.doubt, 0, slice.size, 0)
        sums = self._run("begin", slice, base, 0)
        return _sum([-1] if sums[1] else [int(self.tally.copy_to_host()[1::2].sum())])

    def look_again(self, slice: Slice, base: int, now: int) -> int:
        """Settle what can be settled at this ply; returns how many."""
        self.tally = cuda.to_device(np.zeros(2 * len(slice.classes), np.int64))
        self._run("gather", slice, base, now)
        self._run("again", slice, base, now)
        return int(self.tally.copy_to_host()[1::2].sum())

    def tell(self, slice: Slice, base: int, now: int) -> None:
        """Tell the positions before those settled at this ply."""
        self._run("tell", slice, base, now)

    def next_due(self, slice: Slice, base: int, now: int) -> int:
        """The next ply at which something comes due."""
        return int(self._run("next_due", slice, base, now)[2])

    def check(self, slice: Slice) -> int:
        """0 where an entry is not what its successors say, else -1."""
        return 0 if self._run("check", slice, 0, 0)[0] else -1

    def count(self, first: int, last: int) -> tuple[int, int, int, int]:
        """Won, drawn, lost, and the longest in plies."""
        sums = cuda.to_device(np.zeros(4, np.int64))
        self.steps["count"][self.shape](first, last, self.values, sums)
        won, drawn, lost, longest = sums.copy_to_host().tolist()
        return won, drawn, lost, longest

    def fetch(self, first: int, last: int) -> np.ndarray:
        """The values themselves."""
        return self.values[first:last].copy_to_host()

    def put(self, first: int, values: np.ndarray) -> None:
        """Put known values in their place."""
        self.values[first : first + len(values)].copy_to_device(np.ascontiguousarray(values))

    def set_offset(self, klass: int, at: int) -> None:
        """From now on this class is known."""
        self.host_offsets[klass] = at
        self.offsets = cuda.to_device(self.host_offsets)

    def close(self) -> None:
        """Nothing is left running."""


def _fill_in(array: Any, first: Any, last: Any, value: Any) -> None:
    place = i64(first) + cuda.grid(1)
    while place < last:
        array[place] = value
        place += cuda.gridsize(1)


# ---------------------------------------------------------------- tables


def family(game: Game) -> str:
    """The name that tables of a game go by: where its parameters only say how it starts, that of the game without them."""
    return game.name if set(game.rules.parameters) - {"start"} else game.family


def slices_of(game: Game, men: int | Sequence[str]) -> list[Slice]:
    """The slices of a game with up to so many men, or those that tables of these names need, in the order of building."""
    rules = game.rules
    if not hasattr(rules, "table_classes") or not {"table_class", "table_index", "table_place"} <= rules.offered:
        raise Unsuitable(f"tables need rules that number their positions (table_class, table_index, table_place, table_classes); "
                         f"{game.name} does not")
    return [Slice(name, tuple(classes)) for name, classes in rules.states(1)[0].table_classes(men)]


def memory() -> float:
    """Bytes of memory that this machine has; without end where it does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return float("inf")


class Tables:
    """All tables of a game up to so many men in memory: built, loaded, checked, asked."""

    def __init__(self, game: Game, men: int | Sequence[str], device: str = "cpu", threads: int | None = None) -> None:
        self.game, self.men = game, men
        self.slices = slices_of(game, men)
        if not self.slices:
            raise BadValue(f"{game.name} has no tables of {men} men")
        self.total = sum(slice.size for slice in self.slices)
        offsets = np.full(max(klass for slice in self.slices for klass, _ in slice.classes) + 1, -1, np.int64)
        self.bases: dict[str, int] = {}
        base = 0
        for slice in self.slices:
            self.bases[slice.name] = base
            base += slice.size
        self.done: set[str] = set()
        self.steps: Any
        if device == "cuda":
            self.steps = Gpu(game.rules, self.total, offsets)
        else:
            needed, there = 2 * self.total + 3 * max(slice.size for slice in self.slices), memory()
            if needed > there:
                raise Unavailable(f"tables of {game.name} to {men} men take {needed / 1e9:,.0f} GB of memory to build, and this "
                                  f"machine has {there / 1e9:,.0f}: ask for fewer men")
            self.steps = Processor(game.rules, np.zeros(self.total, np.uint16), offsets, threads)

    def place(self, slice: Slice) -> None:
        """Give the classes of a slice their places."""
        at = self.bases[slice.name]
        for klass, size in slice.classes:
            self.steps.set_offset(klass, at)
            at += size

    def build(self, progress: Callable[[str, int, int], None] | None = None) -> Iterator[Slice]:
        """Build slice by slice what is not there yet; `progress` hears the slice, the plies and how many are settled."""
        for slice in self.slices:
            if slice.name not in self.done:
                self.build_slice(slice, progress)
                yield slice

    def build_slice(self, slice: Slice, progress: Callable[[str, int, int], None] | None = None) -> None:
        """Build one slice; all that it leads to is there."""
        base = self.bases[slice.name]
        self.place(slice)
        found = self.steps.begin(slice, base)
        settled, now, known = found, 0, "retractions" in self.game.rules.offered
        while True:
            if progress is not None:
                progress(slice.name, now, settled)
            if found and known:
                self.steps.tell(slice, base, now)
            if found or (not known and now == 0):
                now += 1
            else:
                now = self.steps.next_due(slice, base, now)
                if now >= NEVER:
                    break
            if now > MOST_PLIES:
                raise Unavailable(f"{slice.name} has wins of more than {MOST_PLIES} plies")
            found = self.steps.look_again(slice, base, now)
            settled += found
        self.done.add(slice.name)

    def facts(self, name: str) -> dict[str, Any]:
        """How many positions of a slice are won, drawn and lost for the player to move, and the longest win in plies."""
        slice = next(each for each in self.slices if each.name == name)
        base = self.bases[name]
        won, drawn, lost, longest = self.steps.count(base, base + slice.size)
        return {"name": name, "positions": won + drawn + lost, "won": won, "drawn": drawn, "lost": lost, "longest": longest}

    def verify(self, progress: Callable[[str, int, int], None] | None = None, *, names: Container[str] | None = None) -> None:
        """Derive every entry (of all slices, or of those named) again from its successors; raises at the first that differs."""
        for number, slice in enumerate(self.slices):
            if slice.name in self.done and (names is None or slice.name in names):
                if progress is not None:
                    progress(slice.name, number, len(self.slices))
                index = self.steps.check(slice)
                if index >= 0:
                    raise BadValue(f"the table {slice.name} is wrong: an entry near {index} is not what its successors say")

    def probe(self, position: Position) -> tuple[str, int] | None:
        """'win', 'draw' or 'loss' for the player to move and the plies to the end; None where no table is known."""
        state: Any = self.game.record(position.state)
        with np.errstate(over="ignore"):
            klass = int(state.table_class())
            offsets = self.steps.offsets
            if not 0 <= klass < len(offsets) or offsets[klass] < 0:
                return None
            place = int(offsets[klass]) + int(state.table_index())
        return table_files.told(int(self.steps.fetch(place, place + 1)[0]))

    # -------------------------------------------- files
    def save_slice(self, folder: str | Path, slice: Slice) -> Path:
        """Write one slice to its file."""
        base = self.bases[slice.name]
        values = self.steps.fetch(base, base + slice.size)
        return table_files.save(folder, family(self.game), slice.name, slice.classes, values, self.facts(slice.name))

    def load(self, folder: str | Path) -> list[str]:
        """Read every slice whose file is whole; returns their names. Damaged files count as not there."""
        found = []
        for slice in self.slices:
            values = table_files.load(folder, family(self.game), slice.name, slice.classes)
            if values is None:
                continue
            self.place(slice)
            self.steps.put(self.bases[slice.name], values)
            self.done.add(slice.name)
            found.append(slice.name)
        return found

    def close(self) -> None:
        """Stop the threads."""
        self.steps.close()


def build(game: Game, men: int | Sequence[str], folder: str | Path | None = None, *, device: str = "cpu",
          threads: int | None = None, progress: Callable[[str, int, int], None] | None = None,
          built: Callable[[dict[str, Any]], None] | None = None) -> Tables:
    """All tables of a game up to so many men (or, of chess, of the endings named, with all that they need).

    Each slice is written to the folder as soon as it is whole, and read from there when it is there already, so that a build that
    was stopped goes on where it was. `built` hears the facts of each slice.
    """
    tables = Tables(game, men, device, threads)
    try:
        if folder is not None:
            tables.load(folder)
        for slice in tables.slices:
            if slice.name not in tables.done:
                tables.build_slice(slice, progress)
                if folder is not None:
                    tables.save_slice(folder, slice)
            if built is not None:
                built(tables.facts(slice.name))
    finally:
        tables.close()
    return tables


def main(arguments: list[str] | None = None) -> None:
    """Build tables without the packages of the command line.

    python -m outplay.engine.tables.retrograde checkers --men 5 [--device cuda]
    """
    import argparse
    import json

    parser = argparse.ArgumentParser(description="Build endgame tables.")
    parser.add_argument("game")
    parser.add_argument("--men", type=int, default=4)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--threads", type=int, help="threads on the processor, all cores by default")
    parser.add_argument("--out", help="a folder for the tables")
    parser.add_argument("--facts", help="a file for the counts, one slice a line as JSON")
    parser.add_argument("--verify", type=int, default=0, metavar="MEN", help="derive all entries to so many men again")
    given = parser.parse_args(arguments)
    started = time.perf_counter()
    kept = Path(given.facts).open("a") if given.facts else None  # noqa: SIM115  (closed with the program)

    def told(facts: dict[str, Any]) -> None:
        line = json.dumps({**facts, "seconds": round(time.perf_counter() - started, 2)})
        print(line, flush=True)
        if kept is not None:
            print(line, file=kept, flush=True)

    game = load(given.game)
    last_of = {slices[-1].name: men for men in range(given.men, 0, -1) if (slices := slices_of(game, men))}  # the fewest men wins
    tables = Tables(game, given.men, given.device, given.threads)
    sums: dict[str, Any] = {"positions": 0, "won": 0, "drawn": 0, "lost": 0, "longest": 0}
    checked: set[str] = set()
    try:
        if given.out:
            told({"name": "read", "slices": len(tables.load(given.out))})
        for slice in tables.slices:
            if slice.name not in tables.done:
                tables.build_slice(slice)
                if given.out:
                    tables.save_slice(given.out, slice)
            facts = tables.facts(slice.name)
            told(facts)
            sums = {key: max(value, facts[key]) if key == "longest" else value + facts[key] for key, value in sums.items()}
            if slice.name in last_of:
                told({"name": f"all to {last_of[slice.name]} men", **sums})
                if last_of[slice.name] <= given.verify:
                    tables.verify(names=tables.done - checked)
                    checked |= tables.done
                    told({"name": f"every entry to {last_of[slice.name]} men is what its successors say"})
    finally:
        tables.close()


if __name__ == "__main__":
    main()
