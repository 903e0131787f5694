"""Evaluation by a network of one hidden layer that learned by temporal differences, for rules that only say what it sees: `planes`.

The network's numbers are the class's `weights`, and its memory two derived fields, so that any search of the engine may ask it:

>>> from outplay.game import load
>>> from outplay.networks.td_nets import Weights
>>> game = load("connect four:width=3,height=3,line=3")
>>> made = rules_with(game.rules, Weights.random(networks=1, inputs=18, hidden=4, outputs=1, seed=1))
>>> made.weights.shape, made.scale
((81,), 1.0)
"""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np

from outplay.errors import Unsuitable
from outplay.evaluations import of
from outplay.jit import f32, i64
from outplay.rules import Derived, make_rules

_made: dict[Any, Any] = {}


def rules_with(rules: Any, network: Any) -> Any:
    """The rules with this network as their evaluation: `network` has `first`, `first_bias`, `second` and `second_bias`."""
    flat = np.concatenate([np.asarray(part, np.float64).ravel() for part in network])
    key = rules, flat.tobytes()
    if key not in _made:
        (nets, inputs, hidden), told = network.first.shape, of(rules).outcomes
        if not rules.plane_shape or (nets, inputs) != (told.networks, int(np.prod(rules.plane_shape))) or (
                network.second.shape[1] != told.count):
            raise Unsuitable(f"this network has {inputs} inputs and {network.second.shape[1]} outputs, which is not what "
                             f"{rules.definition.name} shows and tells apart")
        _made[key] = make_rules(rules.definition, _with_network(rules, hidden, flat), rules.parameters)
    return _made[key]


def _with_network(rules: Any, hidden: int, flat: np.ndarray) -> type:
    maker = rules.definition.maker
    base: Any = maker if isinstance(maker, type) else maker(**rules.parameters)
    shape, told = tuple(int(size) for size in rules.plane_shape), of(rules).outcomes
    inputs, nets, outputs = int(np.prod(shape)), told.networks, told.count
    worth = told.worth_within(*rules.bounds)
    ends = np.cumsum([nets * inputs * hidden, nets * hidden, nets * outputs * hidden])
    to_bias, to_second, to_last = (int(end) for end in ends)
    row, plane = shape[-1], int(np.prod(shape[1:]))

    def by_one(self, index):  # type: ignore[no-untyped-def]  # Numba types all of these
        return self.td_seen[index]

    def by_two(self, index):  # type: ignore[no-untyped-def]
        return self.td_seen[index // row, index % row]

    def by_three(self, index):  # type: ignore[no-untyped-def]
        return self.td_seen[index // plane, index % plane // row, index % row]

    def refresh(self):  # type: ignore[no-untyped-def]
        pass

    def evaluate(self, seat, weights):  # type: ignore[no-untyped-def]
        turn = i64(self.turn)
        net = i64(self.network())
        self.planes(turn, self.td_seen)
        for unit in range(hidden):
            self.td_hidden[unit] = weights[to_bias + net * hidden + unit]
        for index in range(inputs):
            value = self.td_input(index)
            if value != 0.0:
                at = (net * inputs + index) * hidden
                for unit in range(hidden):
                    self.td_hidden[unit] += value * weights[at + unit]
        for unit in range(hidden):
            self.td_hidden[unit] = 1.0 / (1.0 + exp(-self.td_hidden[unit]))
        total = worth[outputs]
        for output in range(outputs):
            said = weights[to_last + net * outputs + output]
            at = to_second + (net * outputs + output) * hidden
            for unit in range(hidden):
                said += self.td_hidden[unit] * weights[at + unit]
            total += worth[output] / (1.0 + exp(-said))
        return total if seat == turn else -total

    if not 1 <= len(shape) <= 3:
        raise Unsuitable(f"{rules.definition.name}: planes of {len(shape)} axes; a network here reads 1 to 3")
    more = {} if hasattr(base, "refresh") else {"refresh": refresh}
    fields = {"td_seen": Derived((f32, shape)), "td_hidden": Derived((f32, (hidden,)))}
    return type(base.__name__, (base,), {"__doc__": base.__doc__, "__annotations__": fields, "scale": 1.0, "unit": "points",
                                         "weights": flat, "td_input": (by_one, by_two, by_three)[len(shape) - 1],
                                         "evaluate": evaluate, **more})  # fmt: skip
