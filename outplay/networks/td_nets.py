"""Small networks of one hidden layer that learned by temporal differences, as files: what `net:FILE` plays backgammon with.

>>> weights = Weights.random(networks=1, inputs=4, hidden=3, outputs=1, seed=1)
>>> weights.say(np.zeros(4)).shape
(1,)
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.errors import BadValue
from outplay.files import read_described, write_described


class Weights(NamedTuple):
    """What a run has learned: one or more networks of one hidden layer."""

    first: np.ndarray  # [network, input, unit]
    first_bias: np.ndarray
    second: np.ndarray  # [network, output, unit]
    second_bias: np.ndarray

    @classmethod
    def random(cls, networks: int, inputs: int, hidden: int, outputs: int, seed: int) -> Weights:
        """Small numbers to begin with."""
        source = np.random.default_rng(seed)
        first = source.uniform(-0.1, 0.1, (networks, inputs, hidden)).astype(np.float32)
        second = source.uniform(-0.1, 0.1, (networks, outputs, hidden)).astype(np.float32)
        return cls(first, np.zeros((networks, hidden), np.float32), second, np.zeros((networks, outputs), np.float32))

    def say(self, inputs: np.ndarray, network: int = 0) -> np.ndarray:
        """What a network says of one position's inputs, in plain NumPy."""
        hidden = 1 / (1 + np.exp(-(inputs @ self.first[network] + self.first_bias[network])))
        return 1 / (1 + np.exp(-(self.second[network] @ hidden + self.second_bias[network])))


FORMAT = "outplay td network 1"


NUMBERS = {"float32": np.float32, "float16": np.float16}


def save(path: Path, game: str, weights: Weights, trained: dict[str, Any], numbers: str = "float32") -> None:
    """Write a network's file: one line that names the format, one of JSON, and the weights as floats of 32 bits, or of 16, which
    make a file of half the size that plays as well, but is too coarse to learn on from."""
    body = b"".join(np.ascontiguousarray(array, NUMBERS[numbers]).tobytes() for array in weights)
    head = {"game": game, "shapes": [list(array.shape) for array in weights], "numbers": numbers, "trained": trained}
    write_described(path, FORMAT, head, body)


def read(path: Path) -> tuple[str, Weights, dict[str, Any]]:
    """The game, the weights and how they were trained; a torn, foreign or damaged file is refused in one line."""
    head, body = read_described(path, FORMAT)
    try:
        shapes = [tuple(int(side) for side in shape) for shape in head["shapes"]]
        game, trained = str(head["game"]), dict(head["trained"])
        kind = np.dtype(NUMBERS[head.get("numbers", "float32")])
    except (ValueError, KeyError, TypeError):
        raise BadValue(f"{path} is damaged: its description cannot be read") from None
    if len(shapes) != 4 or len(body) != kind.itemsize * sum(math.prod(s) for s in shapes):
        raise BadValue(f"{path} is damaged: its weights are not as many as it says")
    arrays, at = [], 0
    for shape in shapes:
        size = math.prod(shape)
        arrays.append(np.frombuffer(body, kind, size, kind.itemsize * at).reshape(shape).astype(np.float32))
        at += size
    return game, Weights(*arrays), trained
