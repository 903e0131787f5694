"""Perft: the number of action sequences of a given length, the classic test of a move generator.

>>> from outplay.game import load
>>> perft(load("tic-tac-toe").start(), 3)[0]
504

A game that ends early counts only if it ends at exactly the depth, as is the custom; where the custom is another, as in Othello,
the class says `counts_ended`, and it counts at every depth from there on. The last ply is not played: its actions are counted in
bulk. A draw by rule (`is_drawn`) does not end the count: its actions can still be played.

With `memory`, positions that come again by another order of actions are counted once: a table holds what came of them. It knows
them by their 64-bit `key`, so that it tests the key along with the actions.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from outplay.engine.memory import action_list, action_rows, load_state, refuse_overrun
from outplay.engine.pacing import Pacer, Watch, at_work
from outplay.errors import BadValue, Unsuitable
from outplay.game import Position
from outplay.jit import i64, kernel, u64
from outplay.values import Limits

MOST_DEPTH = 10_000
SHARES = 8
"""Pieces of work for each thread, at the least, so that none waits long for the last."""
MOST_MEMORY = 1 << 16
"""Megabytes of a table."""
LAYER = 0x9E3779B97F4A7C15
"""Times the plies that are left, so that a position is another one at every depth."""


@kernel
def _count(states: Any, actions: Any, scratch: Any, index: Any, counts: Any, where: Any, depth: Any, most: Any, table: Any,
           before: Any, adds: Any) -> Any:
    """Walk the tree over an explicit stack; returns True when it is done, False to be called again after `most` positions.

    Block p of `actions` belongs to ply p. The last two plies are one loop, in which each child is only counted. `where` holds the
    ply, the count, whether a position had more actions than a block has room for, and how many games were over before the depth.
    An entry of `table` is what a position came to, and its key xor that: halves of two threads' entries fit no key. `before` is
    what there was before each ply; `adds` is 1 where games that were over count, else 0.
    """
    width, last = len(scratch), u64(len(table) - 1)
    ply, total, visited, ended = where[0], where[1], 0, where[3]
    bottom = max(depth - 2, 0)
    while True:
        here = u64(ply)
        base = ply * width
        if index[here] < 0:  # a fresh position
            index[here] = 0
            visited += 1
            before[here] = total + adds * ended
            if len(table) > 1 and ply > 0:
                key = states[here].key() ^ (u64(depth - ply) * u64(LAYER))
                entry = table[key & last]
                if entry[0] ^ entry[1] == key:
                    total += i64(entry[1])
                    ply -= 1
                    continue
            if depth == 1:
                number = states[here].count_actions(scratch)
                total += number
                ended += number == 0
                counts[here] = 0
            else:
                counts[here] = states[here].actions(actions[base:])
                ended += counts[here] == 0
            if counts[here] > width:
                where[2] = 1
                return True
        below = u64(ply + 1)
        if ply == bottom:
            for i in range(counts[here]):
                states[below] = states[here]
                child = states[below]
                child.play(actions[u64(base + i)])
                number = child.count_actions(scratch)
                if number > width:
                    where[2] = 1
                total += number
                ended += number == 0
            visited += counts[here]
            index[here] = counts[here]
        if index[here] < counts[here]:
            if visited >= most:
                where[0], where[1], where[3] = ply, total, ended
                return False
            states[below] = states[here]
            states[below].play(actions[u64(base + index[here])])
            index[here] += 1
            ply += 1
            index[below] = -1
        elif ply == 0:
            where[1], where[3] = total, ended
            return True
        else:
            if len(table) > 1:
                key = states[here].key() ^ (u64(depth - ply) * u64(LAYER))
                found = u64(total + adds * ended - before[here])
                table[key & last, 0] = key ^ found
                table[key & last, 1] = found
            ply -= 1


class _Walk:
    """One thread's stack."""

    def __init__(self, rules: Any, depth: int, table: np.ndarray) -> None:
        self.depth, self.table = depth, table
        self.counts_ended = rules.counts_ended
        self.states = rules.states(depth + 1)
        self.actions = action_rows(rules, depth + 1).reshape(-1)
        self.scratch = action_list(rules)
        self.index = np.zeros(depth + 1, np.int64)
        self.counts, self.before = np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64)
        self.where = np.zeros(4, np.int64)

    def nodes(self, position: Position, keep_on: Callable[[int], bool]) -> int:
        load_state(self.states, 0, position)
        self.where[:] = 0
        self.index[0] = -1
        pacer = Pacer(Watch(Limits()), first=20_000)
        while not pacer.slice(self._some):
            if not keep_on(int(self.where[1])):
                break
        if self.where[2]:
            refuse_overrun(position.game)
        return int(self.where[1]) + (int(self.where[3]) if self.counts_ended else 0)

    @np.errstate(over="ignore")
    def _some(self, positions: int) -> bool:
        return bool(_count(self.states, self.actions, self.scratch, self.index, self.counts, self.where, self.depth, positions,
                           self.table, self.before, int(self.counts_ended)))


def _children(positions: list[Position]) -> list[Position]:
    """What one more action of each leads to, drawn positions included."""
    return [Position(each.game, each.game.result(each.state, action)) for each in positions for action in each.moves()]


def _room(megabytes: float) -> np.ndarray:
    """A table of so many megabytes at most, without an entry; of one row where there is to be none."""
    if not 0 <= megabytes <= MOST_MEMORY:
        raise BadValue(f"memory must be from 0 to {MOST_MEMORY:,} megabytes, got {megabytes:g}")
    rows = 1 << max(0, int(megabytes * (1 << 20) / 16).bit_length() - 1)
    return np.zeros((rows, 2), np.uint64)


def perft(position: Position, depth: int, threads: int = 1, progress: Callable[[int], None] | None = None,
          memory: float = 0) -> tuple[int, float]:
    """How many sequences of `depth` actions there are, and the seconds it took; `progress` hears the count so far.

    `memory`, in megabytes, is for a table of the positions that were counted: the same number, sooner.

    Of eleven plies of Othello, 228 games were over after nine of them and 356 after ten; its programs count them:

    >>> from outplay.game import load
    >>> over = load("othello").start().play("f5 f4 c3 c6 c5 d6 f3 c4 c7")
    >>> over.is_terminal(), perft(over, 5)[0]
    (True, 1)
    """
    if not 0 <= depth <= MOST_DEPTH:
        raise BadValue(f"depth must be from 0 to {MOST_DEPTH:,}, got {depth}")
    if threads < 1:
        raise BadValue(f"threads must be 1 or more, got {threads}")
    if not hasattr(position.game, "rules"):
        raise Unsuitable(f"perft needs compiled rules; {position.game.name} is a plain game")
    if position.game.traits.chance:
        raise Unsuitable(f"perft needs a game without chance; {position.game.name} has chance")
    started = time.perf_counter()
    if depth == 0:
        return 1, time.perf_counter() - started
    rules, table = position.game.rules, _room(memory)
    stopped = threading.Event()
    sums = [0] * threads

    def keep_on(nodes: int) -> bool:
        if progress is not None:
            progress(sum(sums) + nodes)
        return not stopped.is_set()

    if threads == 1 or depth < 3:
        return _Walk(rules, depth, table).nodes(position, keep_on), time.perf_counter() - started

    # The positions after one ply, or after two where those are few, are shared out as threads get free.
    children, left, ended = _children([position]), depth - 1, 0
    if len(children) < SHARES * threads:
        if rules.counts_ended:
            ended = sum(not child.moves() for child in children)
        children, left = _children(children), depth - 2
    if rules.counts_ended and not position.moves():
        ended = 1
    work = iter(children)
    lock = threading.Lock()

    def worker(number: int) -> None:
        walk = _Walk(rules, left, table)
        while not stopped.is_set():
            with lock:
                child = next(work, None)
            if child is None:
                return
            sums[number] += walk.nodes(child, lambda nodes: not stopped.is_set())

    for _ in at_work(threads, worker, stopped):
        if progress is not None:
            progress(sum(sums))
    return sum(sums) + ended, time.perf_counter() - started
