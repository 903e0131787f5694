"""Evaluation by a small network whose first layer is kept up to date move by move: NNUE (Yu Nasu, 2018, for shogi).

A position is a set of inputs that are 1, such as "my knight on f3": 768 of them in chess. The first layer adds up a row of weights
for each input that is set, once as each seat sees the board. A move changes two or three inputs, so that these sums, the
accumulators, are those of the position before with a few rows added and taken away. Only the small rest is computed anew at each
position: both sums, that of the player to move first, clipped to 0..1 and squared, times one row of weights. All in whole numbers.

A game whose `evaluation` declares an `Nnue` can be judged so. It also has the method `nnue_inputs(seat, out)`, which lists the
inputs that are set as a seat sees them and returns how many, and with several last layers `nnue_bucket()`: which one is meant.
`Nnue.rules_with` then makes the same rules with accumulators for the network of a file:

>>> small = random_network("tic-tac-toe", inputs=18, hidden=4, buckets=1, seed=1)
>>> small.judge([0, 4], [9, 13])  # my marks on a1 and b2, as both see them
57
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from outplay.errors import BadValue, Unsuitable, shorten
from outplay.files import read_described, write_described
from outplay.jit import f64, i16, i32, i64, table
from outplay.names import family

FORMAT = "outplay nnue 2"
ONE = 255
"""What 1 is in the accumulators: beyond it, and below 0, a unit is clipped."""
PART = 64
"""What 1 is among the weights of the last layer, which lie between -127 and 127."""
MOST_LAST = 127
MOST_HIDDEN = 512
"""Units for each seat."""
SUMMED = 256
"""Units whose squares, times the largest weights, still fit into 32 bits: so many are added up before a wider sum takes them."""
MOST_BYTES = 1 << 22
UNSURE, SURE = 3.0, 5.0
"""Up to the first, in parts of `points`, the network's word counts in full, from the second on only that of the rules' own
evaluation: games that are as good as won are not what it learned from, and how to win them the rules know."""


@dataclass(frozen=True)
class Network:
    """Weights as whole numbers, the game they are for, and how they were learned."""

    game: str
    first: np.ndarray  # int16 [inputs + 1, hidden]: a row for each input, and last what is there without any
    last: np.ndarray  # int16 [buckets, 2 * hidden]: the units of the player to move, then the other's
    bias: np.ndarray  # int32 [buckets]
    points: int  # of the game's evaluation, that an output of 1 is worth
    added: bool = False  # to the evaluation that the rules have, rather than in its place
    trained: Mapping[str, Any] = field(default_factory=dict)
    weights: np.ndarray | None = None  # of the evaluation that the rules have, in place of their own

    def __post_init__(self) -> None:
        inputs, hidden = self.first.shape
        if hidden > MOST_HIDDEN or hidden < 1 or inputs < 2 or self.last.shape != (len(self.bias), 2 * hidden):
            raise BadValue(f"a network of {inputs - 1} inputs, {hidden} units and {self.last.shape} last weights cannot be")

    @property
    def shape(self) -> tuple[int, int, int]:
        """Inputs, hidden units for each seat, buckets."""
        return len(self.first) - 1, self.first.shape[1], len(self.bias)

    def judge(self, mine: Any, theirs: Any, bucket: int = 0) -> int:
        """What it says of the inputs that are set, as the player to move and as the other sees them; in plain NumPy."""
        sums = [self.first[-1].astype(np.int64) + self.first[list(seen)].sum(0, dtype=np.int64) for seen in (mine, theirs)]
        units = np.concatenate([np.clip(each, 0, ONE) ** 2 for each in sums])
        return in_points(int(units @ self.last[bucket]), int(self.bias[bucket]), self.points)

    def body(self) -> bytes:
        """All weights as bytes."""
        rules = np.zeros(0) if self.weights is None else self.weights
        return b"".join(np.ascontiguousarray(part, kind).tobytes() for part, kind in
                        ((self.first, "<i2"), (self.last, "<i2"), (self.bias, "<i4"), (rules, "<f4")))  # fmt: skip

    @functools.cached_property
    def checksum(self) -> str:
        """The SHA-256 of all weights."""
        return hashlib.sha256(self.body()).hexdigest()

    def save(self, path: Path) -> None:
        """Write the file aside and rename it: one line that names the format, one of JSON, and the weights."""
        inputs, hidden, buckets = self.shape
        head = {"game": self.game, "inputs": inputs, "hidden": hidden, "buckets": buckets, "points": self.points,
                "added": self.added, "rules": 0 if self.weights is None else len(self.weights),
                "trained": dict(self.trained)}  # fmt: skip
        write_described(path, FORMAT, head, self.body())

    @classmethod
    def load(cls, path: Path) -> Network:
        """Read a file; a torn, foreign or damaged one is refused in one line."""
        head, body = read_described(path, FORMAT, MOST_BYTES + 1)
        try:
            inputs, hidden, buckets, points = (int(head[name]) for name in ("inputs", "hidden", "buckets", "points"))
            game, added, trained, rules = str(head["game"]), bool(head["added"]), dict(head["trained"]), int(head.get("rules", 0))
        except (ValueError, KeyError, TypeError, OverflowError):
            raise BadValue(f"{path} is damaged: its description cannot be read") from None
        sizes = (inputs + 1) * hidden, buckets * 2 * hidden, buckets
        whole = 2 * sizes[0] + 2 * sizes[1] + 4 * sizes[2]
        if min(inputs, hidden, buckets) < 1 or rules < 0 or len(body) != whole + 4 * rules:
            raise BadValue(f"{path} is damaged: its weights are not as many as it says")
        first = np.frombuffer(body, "<i2", sizes[0]).reshape(inputs + 1, hidden)
        last = np.frombuffer(body, "<i2", sizes[1], 2 * sizes[0]).reshape(buckets, 2 * hidden)
        bias = np.frombuffer(body, "<i4", buckets, 2 * (sizes[0] + sizes[1]))
        weights = np.frombuffer(body, "<f4", rules, whole) if rules else None
        return cls(game, first, last, bias, points, added, trained, weights)


def in_points(total: int, bias: int, points: int) -> int:
    """The last sum in points of the game."""
    return (total // ONE + bias) * points // (ONE * PART)


def random_network(game: str, inputs: int, hidden: int, buckets: int, seed: int, points: int = 200, *,
                   added: bool = False) -> Network:
    """One that has learned nothing, for tests."""
    source = np.random.default_rng(seed)
    return Network(game, source.integers(-60, 90, (inputs + 1, hidden)).astype(np.int16),
                   source.integers(-MOST_LAST, MOST_LAST, (buckets, 2 * hidden)).astype(np.int16),
                   source.integers(-99, 99, buckets).astype(np.int32), points, added)  # fmt: skip


# ---------------------------------------------------------------- inside the rules


@dataclass(frozen=True)
class Nnue:
    """What a game shows to such a network, and how its rules are made with one."""

    inputs: int
    most: int  # inputs that are set at once, at most
    buckets: int
    make: Callable[[Any], type] | None = None  # the author's class with accumulators, from the functions of `accumulators`
    """Left out, both sums are computed anew at each evaluation: slower, and nothing more to write."""

    def rules_with(self, rules: Any, network: Network) -> Any:
        """The rules with this network as their evaluation; one for another game is refused."""
        from outplay.rules import make_rules  # a room below, which hands the class that was made there back

        name = rules.definition.name
        inputs, _, buckets = network.shape
        if family(network.game) != name or (inputs, buckets) != (self.inputs, self.buckets):
            raise Unsuitable(f"this network was trained for {shorten(network.game)} with {inputs} inputs, not for {name} "
                             f"with {self.inputs}")
        if network.weights is not None and network.weights.shape != np.shape(rules.weights):
            raise Unsuitable(f"this network comes with {len(network.weights)} weights of {name}'s own evaluation, which has "
                             f"{np.size(rules.weights)}")
        key = rules, network.checksum
        if key not in _made:
            _made[key] = make_rules(rules.definition, (self.make or self._anew(rules))(accumulators(network)), rules.parameters)
        return _made[key]


    def _anew(self, rules: Any) -> Callable[[Any], type]:
        """Makes the author's class with a network that reads all inputs at each evaluation."""
        from outplay.rules import Derived

        maker = rules.definition.maker
        base: Any = maker if isinstance(maker, type) else maker(**rules.parameters)

        def make(tools: Any) -> type:
            clear, put, judged, share, is_added = tools.clear, tools.put, tools.judged, tools.share, tools.added

            def refresh(self):  # type: ignore[no-untyped-def]  # Numba types all of these
                pass

            def nothing(self, seat, weights):  # type: ignore[no-untyped-def]
                return 0.0

            def evaluate(self, seat, weights):  # type: ignore[no-untyped-def]
                turn = i64(self.turn)
                for each in range(2):
                    clear(self.nnue_sums, each)
                    for index in range(self.nnue_inputs(each, self.nnue_list)):
                        put(self.nnue_sums, each, self.nnue_list[index])
                own = f64(self.own_evaluate(turn, weights))
                points = f64(judged(self.nnue_sums, turn, i64(self.nnue_bucket())))
                part = share(points)
                total = own + part * points if is_added else part * points + (1.0 - part) * own
                return total if seat == turn else -total

            fields = {"nnue_sums": Derived((i16, (2, tools.hidden))), "nnue_list": Derived((i64, (self.most,)))}
            made = {"__doc__": base.__doc__, "__annotations__": fields, "evaluate": evaluate,
                    "own_evaluate": getattr(base, "evaluate", nothing)}  # fmt: skip
            made |= {} if hasattr(base, "refresh") else {"refresh": refresh}
            made |= {} if tools.weights is None else {"weights": tools.weights}
            return type(base.__name__, (base,), made)

        return make


_made: dict[Any, Any] = {}
_places: dict[tuple[str, tuple[int, int, int]], list[str]] = {}


def accumulators(network: Network) -> SimpleNamespace:
    """The functions that rules are made with: `clear`, `put`, `take`, `shift` change a seat's sums, `judged` gives points, `share`
    says how much these count where an evaluation stands at so many points; whether they are `added` to the rules' own, and the
    `weights` of that, if they are others.

    The weights are data tables, so that the code of a game's rules is the same for every network of a shape. A process that uses
    several at once has a table for the first, the second, and so on: what another process compiled fits the first one here.
    """
    _, hidden, buckets = network.shape
    known = _places.setdefault((family(network.game), network.shape), [])
    if network.checksum not in known:
        known.append(network.checksum)
    name = f"{family(network.game)} network {known.index(network.checksum)} of {hidden} units"
    first = table(f"{name}: first layer", lambda: network.first, dtype=np.int16, shape=network.first.shape)
    last = table(f"{name}: last layer", lambda: network.last, dtype=np.int16, shape=network.last.shape)
    scalars = np.array([*network.bias.tolist(), network.points], np.int32)
    rest = table(f"{name}: bias and points", lambda: scalars, dtype=np.int32, shape=len(scalars))
    nothing = len(network.first) - 1

    def clear(sums, seat):  # type: ignore[no-untyped-def]  # Numba types all of these
        for unit in range(hidden):
            sums[seat, unit] = first[nothing, unit]

    def put(sums, seat, index):  # type: ignore[no-untyped-def]  # Numba types it
        for unit in range(hidden):
            sums[seat, unit] += first[index, unit]

    def take(sums, seat, index):  # type: ignore[no-untyped-def]  # Numba types it
        for unit in range(hidden):
            sums[seat, unit] -= first[index, unit]

    def shift(sums, seat, old, new):  # type: ignore[no-untyped-def]  # Numba types it
        for unit in range(hidden):
            sums[seat, unit] += first[new, unit] - first[old, unit]

    def judged(sums, seat, bucket):  # type: ignore[no-untyped-def]  # Numba types it
        whole = i64(0)
        for side in range(2):
            whose = seat if side == 0 else 1 - seat
            for begin in range(0, hidden, SUMMED):
                total = i32(0)  # both factors fit into 16 bits: a processor multiplies and adds pairs of them at once
                for unit in range(begin, min(begin + SUMMED, hidden)):
                    value = min(max(sums[whose, unit], i16(0)), i16(ONE))
                    total = i32(total + i32(i32(value) * i32(i16(value * last[bucket, side * hidden + unit]))))
                whole += i64(total)
        return (whole // ONE + i64(rest[bucket])) * i64(rest[buckets]) // (ONE * PART)

    def share(points):  # type: ignore[no-untyped-def]  # Numba types it
        scale = f64(rest[buckets])
        if abs(points) <= UNSURE * scale:
            return 1.0
        return max((SURE - abs(points) / scale) / (SURE - UNSURE), 0.0)

    weights = None if network.weights is None else network.weights.astype(np.float64)
    return SimpleNamespace(hidden=hidden, added=network.added, weights=weights, clear=clear, put=put, take=take, shift=shift,
                           judged=judged, share=share)  # fmt: skip
