"""A model becomes data: the arrays that the kernels read and write.

``Program.of`` lays out variables, constraints and supports once; ``memory`` makes the fresh state of one search.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from outplay.csp import layout as at
from outplay.csp.expressions import Domain, Variable
from outplay.csp.records import record_in, words_of
from outplay.errors import BadValue

LARGEST_MEMORY = 1 << 29  # words of domains and frames
MATCHING, SUPPORTS, REVERSE = ((at.CONSTRAINT.names or ()).index(name) for name in ("matching", "supports", "reverse"))


class OutOfTime(Exception):
    """The time for a model ran out while it was laid out."""


class Lowered(NamedTuple):
    """A constraint as the kernels know it."""

    kind: int
    scope: Sequence[Variable]
    coefficients: Sequence[int]
    constant: int
    table: Any  # what the kind needs besides: supports, a Python function


def full(domain: Domain) -> np.ndarray:
    """The words of a domain with all its values."""
    words = np.full(domain.words, -1, np.int64)
    if domain.count & 63:
        words[-1] = np.uint64((1 << (domain.count & 63)) - 1).astype(np.int64)
    return words


class Program:
    """The arrays of one model, for one choice of switches."""

    __slots__ = ("addresses", "data", "decisions", "impossible", "lowered", "model", "template", "trailed", "variables")

    def __init__(
        self, variables: Sequence[Variable], decisions: int, lowered: Sequence[Lowered], matching: bool, backjumping: bool,
        scored: bool, deadline: float | None = None,
    ) -> None:
        def on_time() -> None:
            if deadline is not None and time.perf_counter() > deadline:
                raise OutOfTime

        self.variables = variables
        self.lowered = lowered
        self.decisions = decisions
        self.impossible = [  # no variable will ever wake these
            number
            for number, (kind, scope, _, constant, _) in enumerate(lowered)
            if not scope and not (constant == 0 if kind == at.EQUAL else constant >= 0 if kind == at.AT_MOST else constant != 0)
        ]
        count, constraints = len(variables), len(lowered)
        widest = max((variable.domain.words for variable in variables), default=1)
        levels = (count + 1 + 63) // 64 if backjumping else 0

        # The trailed words: domains, then what constraints keep, then the culprits.
        state_words = words_of(at.STATE)
        addresses: list[int] = []
        domain_words = 0
        for variable in variables:
            addresses.append(state_words + domain_words)
            domain_words += variable.domain.words
        if domain_words * (3 + 2 * levels) + (count + 1) * (widest + levels) > LARGEST_MEMORY:
            raise BadValue(f"{count} variables with up to {64 * widest} values each are too many: they need more than 4 GB")
        self.addresses = addresses
        kept: list[int] = []  # words of the constraints; those of the domains lie before them
        stated: list[int] = []  # the records of the constraints, one after the other
        variable_table = words_of(at.MODEL)
        constraint_table = variable_table + words_of(at.VARIABLE) * count
        scopes = constraint_table + words_of(at.CONSTRAINT) * constraints
        terms: list[int] = []
        links: list[list[int]] = [[] for _ in range(count)]
        degrees = [0] * count
        matches: list[tuple[int, int]] = []  # the record that uses a matching, and its arity
        blocks: list[np.ndarray] = []
        places: list[tuple[list[int], int, int, int]] = []  # a list of numbers, the place in it, block number, offset in the block
        known: dict[int, int] = {}  # a table's arrays -> block number
        scratch = 16
        for number, (kind, scope, coefficients, constant, extra) in enumerate(lowered):
            if not number & 1023:
                on_time()
            record, arity = len(stated), len(scope)
            words = kept_at = 0
            if kind == at.ALL_DIFFERENT:
                low = min([v.domain.codes[0] + c for v, c in zip(scope, coefficients, strict=True)])
                high = max([v.domain.codes[-1] + c for v, c in zip(scope, coefficients, strict=True)])
                constant = low
                words = (high - low + 64) >> 6
                tight = 4 * (high - low + 1) <= 5 * arity and words <= 64  # with room to spare a matching prunes little
                if matching and tight and arity > 2:
                    matches.append((record, arity))
                    scratch = max(scratch, arity * words + 131 * words + 7 * arity)
            elif kind == at.PREDICATE:
                kept_at = state_words + domain_words + len(kept)
                kept.append(0)
            elif kind == at.TABLE:
                kept_at = state_words + domain_words + len(kept)
                kept += extra.tuples
                words = len(extra.tuples)
                scratch = max(scratch, words)
            stated += (kind, arity, constant, scopes + len(terms), words, 0, kept_at, 0, 0)  # in the order of CONSTRAINT
            if kind in (at.BINARY, at.TABLE, at.MEMBERS):
                block = known.get(id(extra))
                if block is None:
                    block = known[id(extra)] = len(blocks)
                    blocks.append(extra.supports)
                if kind == at.TABLE:
                    for position, offset in enumerate(extra.offsets):
                        places.append((terms, len(terms) + 2 * position + 1, block, offset))
                else:
                    places.append((stated, record + SUPPORTS, block, 0))
                if kind == at.BINARY:
                    places.append((stated, record + REVERSE, block, extra.offsets[1]))
            else:
                scratch = max(scratch, 2 * arity)
            for position, (variable, coefficient) in enumerate(zip(scope, coefficients, strict=True)):
                variable_number = variable.index
                terms += (variable_number, coefficient)
                links[variable_number] += (number, position)
                degrees[variable_number] += arity - 1

        # Where each piece of the memory starts.
        on_time()
        size = state_words + domain_words + len(kept)

        def take(words: int) -> int:
            nonlocal size
            size += words
            return size - words

        model = self.model = SimpleNamespace(variables=count, decisions=decisions, constraints=constraints, level_words=levels,
                                             widest=widest, variable_table=variable_table, constraint_table=constraint_table)
        model.culprits = take(count * levels)
        model.trailed = model.stamps = self.trailed = size - state_words
        take(self.trailed)
        model.queue = take(2 * count)
        model.tasks = take(3 * constraints + 2)
        model.active = take(constraints)
        model.chosen = take(count)
        model.weights = take(count)
        model.reason = take(levels)
        model.answer = take(widest)
        frames = np.zeros(count + 1, at.FRAME)
        model.frames = take(words_of(at.FRAME) * len(frames))
        first, row = size, widest + levels + (64 * widest if scored else 0)
        frames["remaining"] = first + row * np.arange(len(frames))
        frames["conflicts"] = frames["remaining"] + widest
        frames["scores"] = frames["conflicts"] + levels
        take(row * len(frames))
        match_start = size
        for record, arity in matches:
            stated[record + MATCHING] = take(arity)
        model.scratch = take(scratch)

        # The program: the model, variables, constraints, scopes, then codes and links, degrees, supports.
        after = scopes + len(terms)
        tail: list[int] = []
        codes: dict[int, int] = {}
        records: list[int] = []
        for variable, address, pairs in zip(variables, addresses, links, strict=True):
            domain: Domain = variable.domain
            values, least = -1, domain.base
            if least is None:
                least = 0
                if id(domain) not in codes:
                    codes[id(domain)] = after + len(tail)
                    tail += domain.codes
                values = codes[id(domain)]
            records += (address, domain.words, values, least, domain.count, after + len(tail), len(pairs) >> 1)  # of VARIABLE
            tail += pairs
        model.degrees = after + len(tail)
        tail += degrees
        offset = after + len(tail)
        starts = []
        for supports in blocks:
            starts.append(offset)
            offset += len(supports)
        for numbered, place, block, shift in places:
            numbered[place] = starts[block] + shift
        head = [getattr(model, name) for name in at.MODEL.names or ()]
        numbers = np.frombuffer(array("q", head + records + stated + terms + tail), np.int64)
        self.data = np.concatenate([numbers, *blocks]) if blocks else numbers

        on_time()
        memory = np.zeros(size, np.int64)
        memory[state_words : state_words + domain_words] = np.concatenate([full(v.domain) for v in variables]) if variables else 0
        memory[state_words + domain_words : state_words + domain_words + len(kept)] = kept
        memory[model.active : model.weights] = -1  # active; nothing chosen
        memory[model.weights : model.reason] = 1
        memory[model.frames : first] = frames.view(np.int64)
        memory[match_start : model.scratch] = -1
        # At the start every variable and every costly constraint is queued.
        memory[model.queue : model.queue + count] = range(count)
        memory[model.queue + count : model.tasks] = 1
        record_in(memory, 0, at.STATE)["queued"] = count
        self.template = memory
