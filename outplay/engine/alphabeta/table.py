"""The transposition table: what was found out about a position, in a fixed piece of memory that several threads share.

An entry is two words: the position's key xor the data, and the data (Hyatt and Mann, 2002). A reader accepts an entry only when
the two xor to its own key, so a half-written entry of another thread is never believed and no lock is needed. Two entries make
a bucket; which of them a new one replaces is the policy: `always` (the older of the two), `deeper` (the shallower one, while a
deep one stays) or `older-first` (one of an earlier search, then the shallower).

>>> table = Table(memory=1)
>>> table.words.nbytes <= 1 << 20, table.used()
(True, 0.0)
"""

from __future__ import annotations

import contextlib
import mmap
import os
from typing import Any

import numpy as np

from outplay.errors import BadValue, Unavailable, UnknownName
from outplay.jit import i64, inlined, u64

POLICIES = {"always": 0, "deeper": 1, "older-first": 2}
ENTRIES = 2  # of a bucket
WORDS = 2 * ENTRIES  # of a bucket
MOST_DEPTH = 250  # deeper searches are not told apart in an entry
GENERATIONS = 32
LARGE_PAGE = 2**21  # bytes: aligned so that the system can use transparent huge pages (fewer TLB misses)
MOST_TAKEN = 2**28  # bytes that are had from the system beforehand: a quarter of a second
NO_ACTION = -1

# An entry's data, from the low bits: value (32, from -2**31), hash move (16, 0 for none, see `fold`), depth (8), bound (2),
# complete (1), generation (5).
_VALUE_MASK = u64(0xFFFFFFFF)
_VALUE_ZERO = 1 << 31
_ACTION_MASK = u64(0xFFFF)
_BYTE = u64(0xFF)
_THREE = u64(3)
_ONE = u64(1)
_SPREAD = u64(0x9E3779B97F4A7C15)
_HALF = u64(32)
_ZERO = u64(0)


@inlined
def first_word(key: Any, buckets: Any) -> Any:
    """Where the bucket of a key begins."""
    spread = (key ^ (key >> _HALF)) * _SPREAD
    return (((spread >> _HALF) * buckets) >> _HALF) * u64(WORDS)


@inlined
def probe(table: Any, key: Any, buckets: Any) -> Any:
    """The data stored for a key, or 0."""
    at = first_word(key, buckets)
    data = table[at + _ONE]
    if table[at] ^ data == key:
        return data
    data = table[at + _THREE]
    if table[at + u64(2)] ^ data == key:
        return data
    return _ZERO


@inlined
def value_of(data: Any) -> Any:
    """The stored value."""
    return i64(data & _VALUE_MASK) - _VALUE_ZERO


@inlined
def action_of(data: Any) -> Any:
    """The stored action as `fold` gives it, or NO_ACTION."""
    return i64((data >> u64(32)) & _ACTION_MASK) - 1


@inlined
def depth_of(data: Any) -> Any:
    """How deep the search behind the entry looked."""
    return i64((data >> u64(48)) & _BYTE)


@inlined
def bound_of(data: Any) -> Any:
    """LOWER, UPPER, EXACT, or 0 for an empty entry."""
    return i64((data >> u64(56)) & _THREE)


@inlined
def complete_of(data: Any) -> Any:
    """1 when only ends of the game, no evaluation, stood behind the value."""
    return i64((data >> u64(58)) & _ONE)


@inlined
def fold(action: Any) -> Any:
    """An action as an entry keeps it: itself, or a hash of it where it needs more than 16 bits; it only goes first by it."""
    if action < 0xFFFF:
        return action
    return i64((u64(action) * _SPREAD) >> u64(48)) & 0x7FFF


@inlined
def packed(value: Any, action: Any, depth: Any, bound: Any, complete: Any, generation: Any) -> Any:
    """The data of an entry; the action may be NO_ACTION."""
    return (
        u64(value + _VALUE_ZERO)
        | (u64(fold(action) + 1) << u64(32))
        | (u64(min(depth, MOST_DEPTH)) << u64(48))
        | (u64(bound) << u64(56))
        | (u64(complete) << u64(58))
        | (u64(generation) << u64(59))
    )


@inlined
def store(table: Any, key: Any, buckets: Any, data: Any, policy: Any) -> None:
    """Write an entry: over the position's own if there is one, else over the one that the policy gives up."""
    at = first_word(key, buckets)
    second = at + u64(2)
    old = table[at + _ONE]
    other = table[second + _ONE]
    if table[at] ^ old == key:
        if (data >> u64(32)) & _ACTION_MASK == _ZERO:
            data |= old & (_ACTION_MASK << u64(32))  # an all-node knows no best action: the earlier one is still a good guess
    elif table[second] ^ other == key:
        if (data >> u64(32)) & _ACTION_MASK == _ZERO:
            data |= other & (_ACTION_MASK << u64(32))
        at = second
    elif policy == 0:
        table[second] = table[at]
        table[second + _ONE] = old
    else:
        # The first entry is kept as long as it is worth more than the new one; the second takes everything else.
        stale = policy == 2 and (old >> u64(59)) != (data >> u64(59))
        if not stale and depth_of(old) > depth_of(data):
            at = second
        else:
            table[second] = table[at]
            table[second + _ONE] = old
    table[at] = key ^ data
    table[at + _ONE] = data


def _memory_of_this_machine() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not every system tells
        return 2**63


def _large_pages(size: int) -> np.ndarray:
    """Zeroed memory for which the system is asked to use large pages, where it has them."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return np.zeros(size, np.uint8)
    try:
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)  # shared, the default, gets none
        with contextlib.suppress(OSError):  # some systems know the word and refuse the wish
            memory.madvise(mmap.MADV_HUGEPAGE)
    except OSError:
        raise MemoryError from None
    return np.frombuffer(memory, np.uint8)


def aligned(count: int, layout: np.dtype) -> np.ndarray:
    """Zeroed records that begin at a cache line, so that none lies across two; many of them, at a large page of memory."""
    size = count * layout.itemsize
    step = LARGE_PAGE if size >= 2 * LARGE_PAGE else 64
    raw = _large_pages(size + step) if step == LARGE_PAGE else np.zeros(size + step, np.uint8)
    skip = -raw.ctypes.data % step
    return raw[skip : skip + size].view(layout)


class Table:
    """The memory of a transposition table; `entries` instead of `memory` (in MB) makes a tiny one."""

    def __init__(self, memory: float = 64, policy: str = "deeper", entries: int | None = None) -> None:
        if policy not in POLICIES:
            raise UnknownName("replacement policy", policy, POLICIES)
        wanted = memory * 2**20 / 16 if entries is None else entries
        if not wanted >= ENTRIES:
            raise BadValue(f"memory of the transposition table must be more than 0 MB, got {memory}")
        self.buckets = min(int(wanted) // ENTRIES, 2**32 - 1)
        self.policy = POLICIES[policy]
        self.generation = 0
        try:
            if self.buckets * WORDS * 8 > _memory_of_this_machine():  # which would give it, and break when it is used
                raise MemoryError
            self.words = aligned(self.buckets * WORDS, np.dtype(np.uint64))
        except (MemoryError, ValueError):
            raise Unavailable(f"cannot get {memory} MB for the transposition table: give a smaller memory") from None

    def take_memory(self) -> None:
        """Touch every page, which has the system hand it out; what is stored stays. A huge table comes as it is needed."""
        self.words[: MOST_TAKEN // 8 : mmap.PAGESIZE // 8] |= np.uint64(0)

    def clear(self) -> None:
        """Forget everything."""
        self.words[:] = 0
        self.generation = 0

    def next_generation(self) -> None:
        """Mark what is stored so far as older than what comes."""
        self.generation = (self.generation + 1) % GENERATIONS

    def used(self) -> float:
        """The share of entries that hold something, from a sample at the beginning."""
        return float(np.count_nonzero(self.words[1:4000:2])) / max(1, len(self.words[1:4000:2]))

    def stored(self) -> int:
        """How many entries hold something; of a large table, from its first megabytes: reading all of it takes longer than many a
        search, not least because memory that was never touched would have to be handed out."""
        sample = self.words[1 : 1 << 20 : 2]
        return round(np.count_nonzero(sample) * len(self.words) / (2 * len(sample)))

    def look(self, key: int) -> tuple[int, int, int, int, bool] | None:
        """What is stored for a key: value, action, depth, bound, complete."""
        with np.errstate(over="ignore"):
            data = probe(self.words, np.uint64(key), np.uint64(self.buckets))
            if not bound_of(data):
                return None
            return int(value_of(data)), int(action_of(data)), int(depth_of(data)), int(bound_of(data)), bool(complete_of(data))
