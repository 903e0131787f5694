"""A model becomes data: the arrays that the kernels read and write.

``Program.of`` lays out variables, constraints and supports once; ``memory`` makes the fresh state of one search.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from outplay.csp import layout as at
from outplay.csp.expressions import Domain, Variable
from outplay.errors import BadValue

LARGEST_MEMORY = 1 << 29  # words of domains and frames


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

    __slots__ = ("addresses", "data", "decisions", "impossible", "lowered", "template", "trailed", "variables")

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
        addresses: list[int] = []
        domain_words = 0
        for variable in variables:
            addresses.append(at.STATE + domain_words)
            domain_words += variable.domain.words
        if domain_words * (3 + 2 * levels) + (count + 1) * (widest + levels) > LARGEST_MEMORY:
            raise BadValue(f"{count} variables with up to {64 * widest} values each are too many: they need more than 4 GB")
        self.addresses = addresses
        bits: list[int] = []  # of the constraints; those of the domains lie before them
        head = [0] * at.HEADER
        table = at.HEADER
        constraint_table = table + at.VARIABLE_SIZE * count
        start = constraint_table + constraints
        body: list[int] = []
        records: list[int] = []
        links: list[list[int]] = [[] for _ in range(count)]
        degrees = [0] * count
        matches: list[tuple[int, int]] = []  # place in the body, arity
        blocks: list[np.ndarray] = []
        places: list[tuple[int, int, int]] = []  # place in the body, block number, offset in the block
        known: dict[int, int] = {}  # a table's arrays -> block number
        scratch = 16
        for number, (kind, scope, coefficients, constant, extra) in enumerate(lowered):
            if not number & 1023:
                on_time()
            place = len(body)
            records.append(start + place)
            arity = len(scope)
            first = second = third = 0
            if kind == at.ALL_DIFFERENT:
                low = min([v.domain.codes[0] + c for v, c in zip(scope, coefficients, strict=True)])
                high = max([v.domain.codes[-1] + c for v, c in zip(scope, coefficients, strict=True)])
                constant = low
                first = (high - low + 64) >> 6
                tight = 4 * (high - low + 1) <= 5 * arity and first <= 64  # with room to spare a matching prunes little
                if matching and tight and arity > 2:
                    third = 1
                    matches.append((place + at.EXTRA2, arity))
                    scratch = max(scratch, arity * first + 131 * first + 7 * arity)
            elif kind == at.PREDICATE:
                first = at.STATE + domain_words + len(bits)
                bits.append(0)
            elif kind == at.TABLE:
                first = at.STATE + domain_words + len(bits)
                bits += extra.tuples
                constant = len(extra.tuples)
                scratch = max(scratch, constant)
            body += (kind, arity, constant, first, second, third)
            if kind in (at.BINARY, at.TABLE, at.MEMBERS):
                block = known.get(id(extra))
                if block is None:
                    block = known[id(extra)] = len(blocks)
                    blocks.append(extra.supports)
                if kind == at.BINARY:
                    places.append((place + at.EXTRA, block, 0))
                    places.append((place + at.EXTRA2, block, extra.offsets[1]))
                elif kind == at.MEMBERS:
                    places.append((place + at.EXTRA, block, 0))
                else:
                    for position, offset in enumerate(extra.offsets):
                        places.append((place + at.SCOPE + 2 * position + 1, block, offset))
            else:
                scratch = max(scratch, 2 * arity)
            for position, (variable, coefficient) in enumerate(zip(scope, coefficients, strict=True)):
                variable_number = variable.index
                body += (variable_number, coefficient)
                links[variable_number] += (number, position)
                degrees[variable_number] += arity - 1

        # Where each piece of the memory starts.
        on_time()
        size = at.STATE + domain_words + len(bits)
        head[at.CULPRITS] = size
        size += count * levels
        self.trailed = size - at.STATE
        head[at.STAMPS] = self.trailed
        size += self.trailed
        head[at.QUEUE] = size
        size += 2 * count
        head[at.TASKS] = size
        size += 3 * constraints + 2
        head[at.ACTIVE] = size
        size += constraints
        head[at.CHOSEN] = size
        size += count
        head[at.WEIGHTS] = size
        size += count
        head[at.REASON] = size
        size += levels
        head[at.ANSWER] = size
        size += widest
        most = 64 * widest if scored else 0
        head[at.FRAMES] = size
        head[at.FRAME_SIZE] = at.FRAME_REMAINING + widest + levels + most
        size += (count + 1) * head[at.FRAME_SIZE]
        match_start = size
        for place, arity in matches:
            body[place] = size
            size += arity
        head[at.SCRATCH] = size
        size += scratch

        # The program: header, variables, constraints, links, codes, degrees, supports.
        after = start + len(body)
        tail: list[int] = []
        codes: dict[int, int] = {}
        rows: list[int] = []
        for variable, address, pairs in zip(variables, addresses, links, strict=True):
            domain: Domain = variable.domain
            values, base = -1, domain.base
            if base is None:
                base = 0
                if id(domain) not in codes:
                    codes[id(domain)] = after + len(tail)
                    tail += domain.codes
                values = codes[id(domain)]
            rows += (address, domain.words, values, base, domain.count, after + len(tail), len(pairs) >> 1)
            tail += pairs
        head[at.DEGREES] = after + len(tail)
        tail += degrees
        offset = after + len(tail)
        starts = []
        for supports in blocks:
            starts.append(offset)
            offset += len(supports)
        for place, block, shift in places:
            body[place] = starts[block] + shift
        head[at.VARIABLES] = count
        head[at.DECISIONS] = decisions
        head[at.CONSTRAINTS] = constraints
        head[at.VARIABLE_TABLE] = table
        head[at.CONSTRAINT_TABLE] = constraint_table
        head[at.LEVEL_WORDS] = levels
        head[at.WIDEST] = widest
        head[at.MOST_VALUES] = most
        head[at.TRAILED] = self.trailed
        numbers = np.frombuffer(array("q", head + rows + records + body + tail), np.int64)
        self.data = np.concatenate([numbers, *blocks]) if blocks else numbers

        on_time()
        memory = np.zeros(size, np.int64)
        memory[at.STATE : at.STATE + domain_words] = np.concatenate([full(v.domain) for v in variables]) if variables else 0
        memory[at.STATE + domain_words : at.STATE + domain_words + len(bits)] = bits
        memory[head[at.ACTIVE] : head[at.WEIGHTS]] = -1  # active; nothing chosen
        memory[head[at.WEIGHTS] : head[at.REASON]] = 1
        memory[match_start : head[at.SCRATCH]] = -1
        # At the start every variable and every costly constraint is queued.
        memory[head[at.QUEUE] : head[at.QUEUE] + count] = range(count)
        memory[head[at.QUEUE] + count : head[at.TASKS]] = 1
        memory[at.QUEUED] = count
        self.template = memory
