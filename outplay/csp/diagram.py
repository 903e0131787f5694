"""Counting without enumerating: all solutions as one decision diagram, layer by layer.

Variables are decided in their order. Two partial assignments that leave every unfinished constraint in the same state have the same
completions, so they share one node: of a sum only what is still missing matters, of an all-different only the values that
later variables could still want. A deal of 39 cards to three hands has some 10**16 solutions and a few thousand nodes. Counts flow
from the bottom up, and a walk down that follows the counts draws a solution uniformly (Hooker 2013 on decision diagrams).
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from outplay.csp import layout as at
from outplay.csp.expressions import Variable
from outplay.csp.functions import PYTHON
from outplay.csp.program import Lowered

if TYPE_CHECKING:
    from outplay.csp.model import Model

LARGEST = 200_000  # nodes: some seconds of work and some tens of megabytes
State = tuple[Any, ...]


class Diagram:
    """The solutions of a model: per layer, for each state, its children by value and the number of completions."""

    def __init__(
        self,
        model: Model,
        layers: list[dict[State, list[tuple[int, State]]]],
        counts: list[dict[State, int]],
        variables: list[Variable],
    ) -> None:
        self.model = model
        self.variables = variables
        self.layers = layers
        self.counts = counts
        self.count = next(iter(counts[0].values()), 0)

    @classmethod
    def of(cls, model: Model, largest: int = LARGEST) -> Diagram | None:
        """The diagram of a model, or None when it would grow beyond this many nodes."""
        variables = _order(model)
        position = {variable: place for place, variable in enumerate(variables)}
        if not _constants_hold(model.lowering.lowered):
            return cls(model, [], [{(): 0}], variables)
        watchers = [_Watcher(one, position) for one in model.lowering.lowered if one.scope]
        layers: list[dict[State, list[tuple[int, State]]]] = []
        current: dict[State, None] = {tuple(w.start for w in watchers): None}
        nodes = 0
        for place, variable in enumerate(variables):
            touched = [(i, w) for i, w in enumerate(watchers) if w.uses(place)]
            layer: dict[State, list[tuple[int, State]]] = {}
            following: dict[State, None] = {}
            for state in current:
                children: list[tuple[int, State]] = []
                for index in range(variable.domain.count):
                    changed = list(state)
                    for i, watcher in touched:
                        changed[i] = watcher.step(state[i], place, index)
                        if changed[i] is None:
                            break
                    else:
                        child = tuple(changed)
                        children.append((index, child))
                        following[child] = None
                layer[state] = children
                if nodes + len(following) > largest:
                    return None
            nodes += len(following)
            layers.append(layer)
            current = following
        counts: list[dict[State, int]] = [dict.fromkeys(current, 1)]
        for layer in reversed(layers):
            below = counts[-1]
            counts.append({state: sum(below[child] for _, child in children) for state, children in layer.items()})
        return cls(model, layers, counts[::-1], variables)

    def draw(self, source: random.Random) -> list[int]:
        """The value numbers of a solution, each solution with the same probability; there must be one."""
        state = next(iter(self.layers[0])) if self.layers else ()
        row: dict[Variable, int] = {}
        for depth, layer in enumerate(self.layers):
            below = self.counts[depth + 1]
            ticket = source.randrange(self.counts[depth][state])
            for index, child in layer[state]:
                ticket -= below[child]
                if ticket < 0:
                    row[self.variables[depth]] = index
                    state = child
                    break
        return [row[variable] for variable in self.model.lowering.variables]


def _order(model: Model) -> list[Variable]:
    """The variables in their order, each helper as soon as what it follows from is decided: states stay small."""
    placed: dict[Variable, None] = {}
    helpers = {helper: None for helper in model.lowering.helpers}
    needs: dict[Variable, set[Variable]] = {helper: set() for helper in helpers}
    for lowered in model.lowering.lowered:
        last = lowered.scope[-1] if lowered.scope else None
        if last in needs:
            needs[last] |= set(lowered.scope) - {last}
    for variable in model.lowering.variables:
        placed[variable] = None
        while ready := [helper for helper in helpers if needs[helper] <= placed.keys()]:
            for helper in ready:
                placed[helper] = None
                del helpers[helper]
    return [*placed, *helpers]


def _constants_hold(lowered: list[Lowered]) -> bool:
    for kind, scope, _, constant, _ in lowered:
        if not scope and not (constant == 0 if kind == at.EQUAL else constant >= 0 if kind == at.AT_MOST else constant != 0):
            return False
    return True


class _Watcher:
    """One constraint's state along the order of the variables; None for "violated", () for "finished and held"."""

    def __init__(self, lowered: Lowered, position: dict[Variable, int]) -> None:
        self.lowered = lowered
        self.numbers = [position[variable] for variable in lowered.scope]
        self.places: dict[int, list[int]] = {}
        for place, variable in enumerate(lowered.scope):
            self.places.setdefault(position[variable], []).append(place)
        order = sorted(self.places)
        self.last = order[-1]
        self.start: Any = ()
        kind = lowered.kind
        if kind in (at.EQUAL, at.AT_MOST, at.UNEQUAL, at.DIFFERENT):
            self.start = lowered.constant
            # What the variables after each one can still contribute, at least and at most.
            self.rest: dict[int, tuple[int, int]] = {}
            low = high = 0
            for number in reversed(order):
                self.rest[number] = (low, high)
                for place in self.places[number]:
                    codes = lowered.scope[place].domain.codes
                    ends = (lowered.coefficients[place] * codes[0], lowered.coefficients[place] * codes[-1])
                    low, high = low + min(ends), high + max(ends)
        elif kind == at.ALL_DIFFERENT:
            self.start = frozenset()
            self.later: dict[int, frozenset[int]] = {}
            wanted: frozenset[int] = frozenset()
            for number in reversed(order):
                self.later[number] = wanted
                for place in self.places[number]:
                    shift = lowered.coefficients[place]
                    wanted |= {code + shift for code in lowered.scope[place].domain.codes}

    def uses(self, variable: int) -> bool:
        """Whether this variable is in its scope."""
        return variable in self.places

    def step(self, state: Any, variable: int, index: int) -> Any:
        """The state after a variable took a value."""
        lowered = self.lowered
        kind = lowered.kind
        finished = variable == self.last
        if kind in (at.EQUAL, at.AT_MOST, at.UNEQUAL, at.DIFFERENT):
            if state == ():
                return ()  # settled early, whatever follows
            for place in self.places[variable]:
                state -= lowered.coefficients[place] * lowered.scope[place].domain.codes[index]
            low, high = self.rest[variable]
            if kind == at.EQUAL:
                if not low <= state <= high:
                    return None
                return () if finished else state
            if kind == at.AT_MOST:
                if state < low:
                    return None
                return () if finished or state >= high else state
            if finished:
                return None if state == 0 else ()
            return state if low <= state <= high else ()
        if kind == at.ALL_DIFFERENT:
            for place in self.places[variable]:
                number = lowered.scope[place].domain.codes[index] + lowered.coefficients[place]
                if number in state:
                    return None
                state = state | {number}
            return () if finished else state & self.later[variable]
        state = (*state, (variable, index))
        if not finished:
            return state
        chosen = dict(state)
        numbers = [chosen[number] for number in self.numbers]
        if kind == at.PREDICATE:
            return () if lowered.table(*(v.domain.values[i] for v, i in zip(lowered.scope, numbers, strict=True))) else None
        if kind == at.MEMBERS:
            return () if int(lowered.table.supports[numbers[0] >> 6]) >> (numbers[0] & 63) & 1 else None
        if kind == at.FUNCTION:
            x, y, z = (v.domain.codes[i] for v, i in zip(lowered.scope, numbers, strict=True))
            return () if PYTHON[lowered.constant](x, y) == z else None
        if kind == at.BINARY:
            words = lowered.scope[1].domain.words
            word = int(lowered.table.supports[numbers[0] * words + (numbers[1] >> 6)])
            return () if word >> (numbers[1] & 63) & 1 else None
        width = len(lowered.table.tuples)
        common = -1
        rows = [offset + number * width for offset, number in zip(lowered.table.offsets, numbers, strict=True)]
        for word_number in range(width):
            common = -1
            for row in rows:
                common &= int(lowered.table.supports[row + word_number])
            if common:
                return ()
        return None
