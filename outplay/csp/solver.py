"""The Python side of a search: its switches, its buffers, its clock.

The kernel runs in slices of nodes, so that a clock can stop it and Ctrl-C is heard; between slices all its state rests in arrays.

>>> Options(order="mvr")
Traceback (most recent call last):
outplay.errors.UnknownName: unknown order 'mvr': did you mean 'mrv'?
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from outplay.csp import layout as at
from outplay.csp.program import Program
from outplay.csp.records import record_in, words_of
from outplay.csp.search import search
from outplay.errors import BadValue, UnknownName
from outplay.jit import random_source

PROPAGATIONS = {"none": at.PLAIN, "forward": at.FORWARD, "arc": at.ARC}
ORDERS = {"input": at.INPUT, "mrv": at.SMALLEST, "mrv+degree": at.SMALLEST_DEGREE, "dom/wdeg": at.WEIGHTED}
VALUE_ORDERS = {"ascending": at.ASCENDING, "least-constraining": at.LEAST_CONSTRAINING, "random": at.RANDOM}
FIRST_SLICE = 2_000_000  # words looked at between two looks at the clock: some milliseconds
SHORT, LONG = 0.02, 0.06  # seconds that a slice may take before the next one grows or shrinks
NO_LIMIT = 1 << 62
FIRST_RESTART = 100  # failures


@dataclass(frozen=True)
class Options:
    """The switches of a search; each one can be turned off, so that its effect shows."""

    propagation: str = "arc"  # "none": backtracking, "forward": forward checking, "arc": to the fixpoint
    order: str = "mrv+degree"  # "input", "mrv", "mrv+degree", "dom/wdeg"
    values: str = "ascending"  # "least-constraining", "random"
    backjumping: bool = False
    restarts: bool = False
    matching: bool = True
    seconds: float | None = None
    seed: int = 0
    deadline: float | None = field(init=False, default=None, compare=False, repr=False)  # laying out the model counts, too

    def __post_init__(self) -> None:
        if self.propagation not in PROPAGATIONS:
            raise UnknownName("propagation", str(self.propagation), PROPAGATIONS)
        if self.order not in ORDERS:
            raise UnknownName("order", str(self.order), ORDERS)
        if self.values not in VALUE_ORDERS:
            raise UnknownName("order of values", str(self.values), VALUE_ORDERS)
        if self.seconds is not None and not self.seconds > 0:
            raise BadValue(f"seconds must be above 0, not {self.seconds}")
        if self.seconds is not None:
            object.__setattr__(self, "deadline", time.perf_counter() + self.seconds)

    @property
    def layout(self) -> tuple[bool, bool, bool]:
        """What the layout of a program depends on: matchings, conflict sets, value scores."""
        return self.matching, self.backjumping, self.values == "least-constraining"


@dataclass(frozen=True)
class Statistics:
    """What a search took: nodes (values tried), failures, domain words pruned, solutions found, seconds."""

    nodes: int = 0
    failures: int = 0
    pruned: int = 0
    solutions: int = 0
    seconds: float = 0.0
    finished: bool = False  # the whole space was searched, or as much of it as was asked for


def load_kernel() -> None:
    """Compile the search, or load it from the cache, so that the next search's clock shows only itself."""
    program, memory = np.zeros(words_of(at.MODEL), np.int64), np.zeros(words_of(at.STATE), np.int64)
    record_in(memory, 0, at.STATE)["phase"] = at.FINISHED
    search(program, memory, program, program, random_source(0))


class Search:
    """One search over a program: fresh memory, run in slices."""

    def __init__(
        self, program: Program, options: Options, objective: int = -1, active: np.ndarray | None = None, stepping: bool = False
    ) -> None:
        self.program = program
        self.options = options
        self.started = time.perf_counter()
        self.finished = False
        self.seconds = 0.0
        self.slice = FIRST_SLICE
        self.memory = program.template.copy()
        state = self.state = record_in(self.memory, 0, at.STATE)
        self.trail = np.empty(2 * program.trailed * 12 + 64, np.int64)
        self.source = random_source(options.seed)
        state["stamp"] = 1
        state["propagation"] = PROPAGATIONS[options.propagation]
        state["order"] = ORDERS[options.order]
        state["value_order"] = VALUE_ORDERS[options.values]
        state["objective"] = objective
        state["bound"] = 1 << 60
        state["stepping"] = stepping
        if options.restarts:
            state["restart_at"] = FIRST_RESTART
        if active is not None:
            start = program.model.active
            self.memory[start : start + len(active)] = active
        if any(active is None or active[number] for number in program.impossible):
            state["phase"] = at.FINISHED

    def rows(self, first_only: bool = False) -> Iterator[list[int]]:
        """The solutions as rows of value numbers, in growing batches (one, four, sixteen, ...)."""
        decisions = self.program.decisions
        batch = 1
        improving = self.state["objective"] >= 0
        while True:
            buffer = np.empty(max(1, batch * decisions), np.int64)
            self.state["rows"] = batch
            self.state["filled"] = 0
            status = self.run(buffer)
            filled = int(self.state["filled"])
            if filled:
                if first_only:
                    self.finished = True
                if batch == 1:
                    yield buffer[:decisions].tolist()
                else:
                    yield from buffer[: filled * decisions].reshape(filled, decisions).tolist()
            if status != at.BUFFER_FULL:
                return
            batch = 1 if improving else min(4 * batch, 1024)

    def count(self, limit: int | None) -> bool:
        """Count on without keeping solutions, up to this many nodes; whether the end was reached."""
        self.state["rows"] = 0
        return self.run(np.empty(1, np.int64), limit) == at.DONE

    def run(self, buffer: np.ndarray, limit: int | None = None) -> int:
        """Run until the buffer is full, the space is searched, or time or nodes are used up."""
        state = self.state
        deadline = self.options.deadline
        state["node_limit"] = NO_LIMIT if limit is None else limit
        while True:
            state["work_limit"] = int(state["work"]) + self.slice
            begun = time.perf_counter()
            status = int(search(self.program.data, self.memory, self.trail, buffer, self.source))
            if status == at.ASKING:
                self.answer()
            elif status == at.TRAIL_FULL:
                self.trail = np.concatenate([self.trail, np.empty_like(self.trail), np.empty(2 * self.program.trailed, np.int64)])
            elif status == at.LIMIT_REACHED:
                now = time.perf_counter()
                if state["nodes"] >= state["node_limit"] or (deadline is not None and now > deadline):
                    break
                if now - begun < SHORT:
                    self.slice *= 2
                elif now - begun > LONG:
                    self.slice = max(self.slice // 2, 1)
            else:
                self.finished = status == at.DONE
                break
        self.seconds = time.perf_counter() - self.started
        return status

    def answer(self) -> None:
        """Ask the Python predicate that the kernel stopped for, about each value of its open variable."""
        state, memory, program = self.state, self.memory, self.program
        lowered = program.lowered[int(state["cause"])]
        asked = int(state["asked"])
        place = program.model.answer
        values = [None if v.index == asked else v.domain.values[self.left(v.index)[0]] for v in lowered.scope]
        if asked < 0:
            memory[place] = bool(lowered.table(*values))
            return
        domain = program.variables[asked].domain
        spots = [position for position, variable in enumerate(lowered.scope) if variable.index == asked]
        words = [0] * domain.words
        for index in self.left(asked):
            for spot in spots:
                values[spot] = domain.values[index]
            if lowered.table(*values):
                words[index >> 6] |= 1 << (index & 63)
        memory[place : place + domain.words] = [word - (1 << 64) if word >> 63 else word for word in words]

    def left(self, variable: int) -> list[int]:
        """The numbers of the values that a variable has left."""
        address = self.program.addresses[variable]
        words = self.program.variables[variable].domain.words
        if words == 1:
            bits = int(self.memory[address])
            return [index for index in range(self.program.variables[variable].domain.count) if bits >> index & 1]
        return np.flatnonzero(np.unpackbits(self.memory[address : address + words].view(np.uint8), bitorder="little")).tolist()

    def propagate(self, pairs: Sequence[tuple[int, int]]) -> list[list[int]] | None:
        """Assign these values (variable number, value number), propagate each, and return what every variable has left."""
        state = self.state
        state["stepping"] = 1
        buffer = np.empty(1, np.int64)
        if self.step(buffer) != at.STEPPED or state["phase"] == at.FAIL:
            return None
        for variable, index in pairs:
            if index not in self.left(variable):
                return None
            # A decision like the kernel's own: a frame for this variable with this value alone.
            level = int(state["level"]) + 1
            frame = self.frame(level)
            state["level"] = level
            frame["variable"], frame["mark"], frame["value"] = variable, state["trail_top"], 0
            self.memory[frame["remaining"] : frame["remaining"] + self.program.model.widest] = 0
            self.memory[frame["remaining"] + (index >> 6)] = np.uint64(1 << (index & 63)).astype(np.int64)
            state["phase"] = at.NEXT_VALUE
            if self.step(buffer) != at.STEPPED or state["phase"] == at.FAIL:
                return None
        return [self.left(variable) for variable in range(self.program.decisions)]

    def step(self, buffer: np.ndarray) -> int:
        """Run to the next stop that matters, answering predicates and growing the trail on the way."""
        self.state["node_limit"] = NO_LIMIT
        while True:
            self.state["work_limit"] = int(self.state["work"]) + self.slice
            status = int(search(self.program.data, self.memory, self.trail, buffer, self.source))
            if status == at.LIMIT_REACHED:
                continue  # a moment for Ctrl-C
            if status == at.ASKING:
                self.answer()
            elif status == at.TRAIL_FULL:
                self.trail = np.concatenate([self.trail, np.empty_like(self.trail), np.empty(2 * self.program.trailed, np.int64)])
            else:
                return status

    def frame(self, level: int) -> Any:
        """The frame of a decision; the first one's level is 1."""
        return record_in(self.memory, self.program.model.frames + words_of(at.FRAME) * (level - 1), at.FRAME)

    def bound(self) -> int:
        """The largest value that the objective may still take."""
        return int(self.state["bound"])

    def statistics(self) -> Statistics:
        """What it took so far."""
        state = self.state
        return Statistics(
            nodes=int(state["nodes"]),
            failures=int(state["failures"]),
            pruned=int(state["pruned"]),
            solutions=int(state["found"]),
            seconds=self.seconds,
            finished=self.finished,
        )
