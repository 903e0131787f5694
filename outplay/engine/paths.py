"""A* and IDA* at native speed, for compiled games of one player (Hart, Nilsson and Raphael 1968; Korf 1985).

>>> from outplay.game import load
>>> start = load("fifteen puzzle", width=3, height=3).position("8 0 6 5 4 7 2 3 1")
>>> ida_star(start).depth, a_star(start).depth
(31, 31)

Both find a way of least cost, given that the game's `estimate` never says more than the truth. IDA* keeps one path only and visits
some positions many times; A* remembers every position that it met. `shortest` chooses between them: IDA* where the game's
`redundant` says how to leave out most repeats, else A*, and IDA* from the bound that A* has proved once the memory is full.

What counts as a node is what Korf counts: every position that is generated, those beyond the bound too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from outplay.engine.memory import action_list, action_rows, load_state, refuse_overrun
from outplay.engine.needs import refuse
from outplay.engine.pacing import Pacer, Watch
from outplay.errors import RulesError, Unavailable, UnknownName
from outplay.game import CompiledGame, Game, Position
from outplay.jit import i64, inlined, kernel, u64
from outplay.values import Limits, Result

FOUND, NONE, PAUSED, FULL, WIDE, OVERRUN = 0, 1, 2, 3, 4, 5
"""How a kernel comes back: with a path, without one, after its slice of nodes, for more room, for more buckets, or since a position
has more actions than its rules promise."""

FAR = 1 << 40
"""More than any way costs."""

PLIES = 256
"""Room for the first path; it grows when a path is longer."""

MOST_PLIES = 1 << 20
NODES = 1 << 12
"""Room for the first nodes of A*; it doubles as far as the memory goes."""

BUCKETS = 1 << 10
NOBODY = -1

NAMES = ("a-star", "ida-star")

Progress = Callable[[int, int], None]
"""Called now and then with the nodes and the bound on the cost so far."""


@inlined
def is_goal(state: Any) -> Any:
    """Whether a finished game is a gain."""
    return state.utility(0) > 0


# ---------------------------------------------------------------- IDA*


FRAME = np.dtype((np.record, [("cost", np.int64), ("action", np.int64), ("count", np.int32), ("index", np.int32)]))
"""One step of the path: its cost so far, the action that led to it, how many actions it has and how many are tried."""


@kernel
def _deepen(states: Any, actions: Any, frames: Any, keys: Any, where: Any, bound: Any, slice_: Any) -> Any:
    """One round of IDA*, over an explicit stack; `where` holds the ply, the nodes and the least cost beyond the bound.

    A position that is on the path already closes a cycle and is left alone; where the game itself says what is `redundant`, that
    leaves out enough, and no keys are compared.

    What belongs to the top of the stack is kept in plain variables, and goes into its frame only when the path gets longer. The
    indices are unsigned: a signed one would cost a test for wrapping around.
    """
    one, ply, last = u64(1), u64(where[0]), u64(len(states) - 2)
    nodes, beyond = i64(0), where[2]
    index, count = u64(frames[ply].index), u64(frames[ply].count)
    cost, previous = frames[ply].cost, frames[ply].action
    status = PAUSED
    while nodes < slice_:
        if index == count:
            if ply == u64(0):
                status = NONE
                break
            ply -= one
            index, count = u64(frames[ply].index), u64(frames[ply].count)
            cost, previous = frames[ply].cost, frames[ply].action
            continue
        action = actions[ply, index]
        index += one
        if ply > u64(0) and states[ply].redundant(previous, action):
            continue
        child = ply + one
        states[child] = states[ply]
        states[child].play(action)
        if not states[0].offers_redundant():
            key = states[child].key()
            back = i64(ply)
            while back >= 0 and keys[back] != key:
                back -= 1
            if back >= 0:
                continue
            keys[child] = key
        nodes += 1
        way = cost + states[ply].cost(action)
        whole = way + states[child].estimate()
        if whole > bound:
            beyond = min(beyond, whole)
            continue
        number = 0
        if not states[child].is_terminal():
            number = states[child].actions(actions[child])
        if number > actions.shape[1]:
            status = OVERRUN
            break
        if number == 0:
            if is_goal(states[child]):
                ply = child
                frames[ply].action = action
                status = FOUND
                break
            continue
        frames[ply].index = index
        ply = child
        index, count, cost, previous = u64(0), u64(number), way, action
        frames[ply].count, frames[ply].cost, frames[ply].action = count, way, action
        if ply >= last:
            status = FULL
            break
    if status != FOUND:
        frames[ply].index = index
    where[0] = ply
    where[1] += nodes
    where[2] = beyond
    return status


class _Path:
    """The stack of one IDA*."""

    def __init__(self, game: Game) -> None:
        rules = game.rules
        self.game, self.rules = game, rules
        self.states, self.where = rules.states(PLIES), np.zeros(3, np.int64)
        self.actions = action_rows(rules, PLIES)
        self.frames, self.keys = np.zeros(PLIES, FRAME), np.zeros(PLIES, np.uint64)

    def begin(self, position: Position) -> None:
        """Put a position at the bottom of the stack."""
        listed = position.actions()
        load_state(self.states, 0, position)
        self.actions[0, : len(listed)] = listed
        self.frames[0], self.keys[0] = (0, 0, len(listed), 0), self.game.key(position.state)
        self.where[0], self.where[2] = 0, FAR

    def go(self, bound: int, nodes: int) -> int:
        """Search on for so many nodes."""
        with np.errstate(over="ignore"):
            status = int(_deepen(self.states, self.actions, self.frames, self.keys, self.where, bound, nodes))
        if status == OVERRUN:
            refuse_overrun(self.game)
        return status

    def grow(self) -> None:
        """Make room for a path twice as long."""
        plies = 2 * len(self.states)
        if plies > MOST_PLIES:
            raise Unavailable(f"ida-star is {len(self.states):,} actions deep and sees no end: use a-star")
        states = self.rules.states(plies)
        states[: len(self.states)] = self.states
        self.states = states
        actions = action_rows(self.rules, plies)
        actions[: len(self.actions)] = self.actions
        self.actions = actions
        self.frames = np.append(self.frames, np.zeros_like(self.frames))
        self.keys = np.append(self.keys, np.zeros_like(self.keys))

    def line(self) -> list[int]:
        """The actions on the stack."""
        return self.frames["action"][1 : int(self.where[0]) + 1].tolist()


# ---------------------------------------------------------------- A*

def node_layout(action: Any) -> np.dtype:
    """A position that was met: its hash, what it cost to get there, from where and how, the next in its bucket of the fringe."""
    return np.dtype((np.record, [("key", np.uint64), ("cost", np.int64), ("action", action), ("parent", np.int32),
                                 ("next", np.int32), ("stale", np.int32)]))  # fmt: skip



@inlined
def _slot_of(key: Any, nodes: Any, slots: Any) -> Any:
    """Where a position stands in the hash table, or would."""
    mask = u64(len(slots) - 1)
    at = key & mask
    while slots[at] != NOBODY and nodes[slots[at]].key != key:
        at = (at + u64(1)) & mask
    return at


@kernel
def _expand(states: Any, nodes: Any, slots: Any, heads: Any, actions: Any, where: Any, slice_: Any) -> Any:
    """Expand the cheapest nodes of the fringe, which is a row of stacks, one for each f.

    `where` holds: nodes kept, nodes expanded, the lowest bucket that may hold something, nodes in the fringe, the goal (or the
    bucket that is missing), the f of bucket 0, and nodes generated.
    """
    kept, low, waiting, base = where[0], where[2], where[3], where[5]
    generated, expanded, steps, status = 0, 0, 0, PAUSED
    room = len(nodes) - len(actions) - 1
    while generated + steps < slice_:
        steps += 1
        if waiting == 0:
            status = NONE
            break
        if kept > room:
            status = FULL
            break
        while heads[low] == NOBODY:
            low += 1
        node = heads[low]
        heads[low] = nodes[node].next
        waiting -= 1
        if nodes[node].stale != 0:
            continue
        expanded += 1
        number = 0
        if not states[node].is_terminal():
            number = states[node].actions(actions)
        if number > len(actions):
            status = OVERRUN
            break
        if number == 0 and is_goal(states[node]):
            where[4] = node
            status = FOUND
            break
        for index in range(number):
            states[kept] = states[node]
            states[kept].play(actions[index])
            generated += 1
            way = nodes[node].cost + states[node].cost(actions[index])
            key = states[kept].key()
            at = _slot_of(key, nodes, slots)
            old = slots[at]
            if old != NOBODY and nodes[old].cost <= way:
                continue
            bucket = max(low, way + states[kept].estimate() - base)
            if bucket >= len(heads):
                # No such bucket yet: put the node back, and its children that are kept already will not be kept twice.
                nodes[node].next = heads[low]
                heads[low] = node
                waiting += 1
                expanded -= 1
                where[4] = bucket
                status = WIDE
                break
            if old != NOBODY:
                nodes[old].stale = 1
            slots[at] = kept
            nodes[kept].key, nodes[kept].cost, nodes[kept].parent, nodes[kept].action = key, way, node, actions[index]
            nodes[kept].stale = 0
            nodes[kept].next = heads[bucket]
            heads[bucket] = kept
            kept += 1
            waiting += 1
        if status == WIDE:
            break
    where[0], where[2], where[3] = kept, low, waiting
    where[1] += expanded
    where[6] += generated
    return status


@kernel
def _enter_all(nodes: Any, slots: Any, kept: Any) -> None:
    """Fill a new hash table with the nodes that are kept."""
    for node in range(kept):
        if nodes[node].stale == 0:
            slots[_slot_of(nodes[node].key, nodes, slots)] = node


class _Graph:
    """The memory of one A*."""

    def __init__(self, position: Position, memory: float) -> None:
        game: Any = position.game
        rules = game.rules
        self.game, self.rules = game, rules
        layout = node_layout(rules.action_type)
        each = rules.layout.itemsize + layout.itemsize + 8
        self.most = max(int(memory * 2**20) // each, 4 * (rules.most_actions + 2))
        room = min(NODES + 2 * rules.most_actions, self.most)
        self.states, self.nodes = rules.states(room), np.zeros(room, layout)
        self.actions = action_list(rules)
        self.heads = np.full(BUCKETS, NOBODY, np.int32)
        self.where = np.array([1, 0, 0, 1, 0, position.estimate(), 1], np.int64)
        load_state(self.states, 0, position)
        self.nodes[0] = (game.key(position.state), 0, 0, NOBODY, NOBODY, 0)
        self.heads[0] = 0
        self.index()

    def index(self) -> None:
        """Make the hash table anew, at most half full."""
        self.slots = np.full(1 << (2 * len(self.nodes) - 1).bit_length(), NOBODY, np.int32)
        _enter_all(self.nodes, self.slots, int(self.where[0]))

    def go(self, nodes: int) -> int:
        """Search on for so many nodes."""
        with np.errstate(over="ignore"):
            status = int(_expand(self.states, self.nodes, self.slots, self.heads, self.actions, self.where, nodes))
        if status == OVERRUN:
            refuse_overrun(self.game)
        return status

    def grow(self) -> bool:
        """Make room for twice as many nodes; False when the memory is full."""
        room = min(2 * len(self.nodes), self.most)
        if room == len(self.nodes):
            return False
        states, nodes = self.rules.states(room), np.zeros(room, self.nodes.dtype)
        states[: len(self.states)], nodes[: len(self.nodes)] = self.states, self.nodes
        self.states, self.nodes = states, nodes
        self.index()
        return True

    def widen(self) -> None:
        """Make buckets for greater costs."""
        wider = np.full(2 * int(self.where[4]) + 2, NOBODY, np.int32)
        wider[: len(self.heads)] = self.heads
        self.heads = wider

    def bound(self) -> int:
        """What any way costs at least, as far as it is proved."""
        return int(self.where[5] + self.where[2])

    def line(self) -> list[int]:
        """The way to the goal."""
        node, line = int(self.where[4]), []
        while self.nodes[node]["parent"] != NOBODY:
            line.append(int(self.nodes[node]["action"]))
            node = int(self.nodes[node]["parent"])
        return line[::-1]


# ---------------------------------------------------------------- the searches


class _Watch(Watch):
    """The limits of one search, with its pace and its reports."""

    def __init__(self, limits: Limits | None, stop: threading.Event | None, progress: Progress | None) -> None:
        super().__init__(limits or Limits(), stop)
        self.depth, self.progress, self.pacer = (limits or Limits()).depth, progress, Pacer(self)
        self.earlier = 0  # nodes of a search before this one

    def go_on(self, work: Callable[[int], int], nodes: int, bound: int) -> int | None:
        """How the kernel came back from one more slice; None when a limit is reached."""
        if self.is_over(nodes + self.earlier):
            return None
        if self.progress is not None:
            self.progress(nodes + self.earlier, bound)
        return self.pacer.slice(work, None if self.nodes is None else self.nodes - nodes - self.earlier)


def ida_star(position: Position, limits: Limits | None = None, *, stop: threading.Event | None = None,
             progress: Progress | None = None) -> Result:
    """The cheapest way, in memory for one path; where no way exists it may search for ever."""
    refuse("ida-star", position.game)
    return _ida_star(position, _Watch(limits, stop, progress), position.estimate())


def _ida_star(position: Position, watch: _Watch, bound: float) -> Result:
    most = watch.depth
    path, bounds = _Path(position.game), []
    path.where[1] = 1
    status = FOUND if position.is_solved() else NONE
    while status != FOUND and bound < FAR and (most is None or bound <= most):
        bounds.append(int(bound))
        path.begin(position)
        status = PAUSED
        while status not in (FOUND, NONE):
            nodes = int(path.where[1])
            came = watch.go_on(lambda size: path.go(int(bound), size), nodes, int(bound))  # noqa: B023  (called at once)
            if came is None:
                return _unfinished("ida-star", position, watch, nodes, int(bound))
            status = came
            if status == FULL:
                path.grow()
        bound = bound if status == FOUND else int(path.where[2])
    if status != FOUND and bound < FAR:
        return _unfinished("ida-star", position, watch, int(path.where[1]), int(bound))
    return _report("ida-star", position, watch, int(path.where[1]), path.line() if status == FOUND else None, bounds=tuple(bounds))


def a_star(position: Position, limits: Limits | None = None, *, memory: float = 256, stop: threading.Event | None = None,
           progress: Progress | None = None) -> Result:
    """The cheapest way, with a memory of that many MB for the positions that were met."""
    refuse("a-star", position.game)
    found, graph = _a_star(position, _Watch(limits, stop, progress), memory)
    if found is None:
        held = f"{int(graph.where[0]):,} positions"
        raise Unavailable(f"a-star has filled its {memory:g} MB with {held}: give it more, or use ida-star")
    return found


def _a_star(position: Position, watch: _Watch, memory: float) -> tuple[Result | None, _Graph]:
    """The Result, or None when the memory is full."""
    graph = _Graph(position, memory)
    most = watch.depth
    status = PAUSED
    while status not in (FOUND, NONE):
        nodes = int(graph.where[1])
        came = None if most is not None and graph.bound() > most else watch.go_on(graph.go, nodes, graph.bound())
        if came is None:
            return _unfinished("a-star", position, watch, nodes, graph.bound()), graph
        status = came
        if status == FULL and not graph.grow():
            return None, graph
        if status == WIDE:
            graph.widen()
    line = graph.line() if status == FOUND else None
    facts = {"positions": int(graph.where[0]), "generated": int(graph.where[6])}
    return _report("a-star", position, watch, int(graph.where[1]), line, **facts), graph


def shortest(position: Position, limits: Limits | None = None, *, algorithm: str | None = None, memory: float = 256,
             stop: threading.Event | None = None, progress: Progress | None = None) -> Result:
    """The cheapest way, by the search that fits: A* as far as the memory goes and then IDA*, or IDA* at once."""
    name = algorithm or fitting(position.game)
    if name not in NAMES:
        raise UnknownName("algorithm", name, NAMES)
    if name == "ida-star":
        return ida_star(position, limits, stop=stop, progress=progress)
    refuse(name, position.game)
    watch = _Watch(limits, stop, progress)
    found, graph = _a_star(position, watch, memory)
    if found is None:
        watch.earlier = int(graph.where[1])
        found = _ida_star(position, watch, graph.bound())
    return found


def fitting(game: Game) -> str:
    """Which of the two searches fits a game."""
    return "ida-star" if game.offers("redundant") else "a-star"


class PathSearch:
    """A search for the cheapest way as a stream of one Result, like every search of the engine."""

    def __init__(self, game: CompiledGame, *, algorithm: str = "a-star", memory: float = 64) -> None:
        refuse(algorithm, game)
        self.algorithm, self.memory = algorithm, memory

    def search(self, position: Position, limits: Limits | None = None, *, lines: int = 1, stop: threading.Event | None = None,
               earlier: Sequence[Position] = ()) -> Iterator[Result]:
        """The cheapest way from a position, or what a limit left of it."""
        yield shortest(position, limits, algorithm=self.algorithm, memory=self.memory, stop=stop)


def _report(algorithm: str, position: Position, watch: _Watch, nodes: int, line: list[int] | None, **facts: Any) -> Result:
    """The Result of a search that came to an end; a way is followed once more, by the rules, before it is told."""
    cost, end = 0, position
    for action in line or ():
        cost += int(end.cost(action))
        end = end.result(action)
    if line is not None and not end.is_solved():
        raise RulesError(f"{position.game.name}: {algorithm} came to {end.text()}, which is no goal: two positions share a key")
    return Result(
        action=line[0] if line else None, value=(1.0 if line is not None else 0.0,), line=tuple(line or ()), depth=len(line or ()),
        nodes=nodes + watch.earlier, leaves=int(line is not None), seconds=watch.elapsed(), algorithm=algorithm,
        facts={"cost": None if line is None else cost, **facts})  # fmt: skip


def _unfinished(algorithm: str, position: Position, watch: _Watch, nodes: int, bound: int) -> Result:
    """The Result of a search that a limit ended: the action that looks best, and what any way costs at least."""
    least, best = FAR, None
    for action in position.actions():
        whole = position.cost(action) + position.result(action).estimate()
        if whole < least:
            least, best = int(whole), action
    return Result(
        action=best, value=(sum(position.game.traits.bounds) / 2,), line=() if best is None else (best,), depth=0,
        nodes=nodes + watch.earlier, seconds=watch.elapsed(), algorithm=algorithm, exact=False,
        facts={"cost": None, "bound": bound})  # fmt: skip
