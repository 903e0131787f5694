"""Networks as files: what a game looks like to them, their weights, and how an ordinary processor asks them, without torch.

A file is one line that names the format, one line of JSON (the game with its parameters, the shape of its planes, the layers, how
it was trained, a checksum) and the weights as 16-bit floats. It is refused where game, planes or bytes do not fit.

The network is a stack of residual blocks of 3x3 convolutions (He and others, 2015) with three heads: a logit for each action, the
value for the player to move from -1 to 1, and, where the rules have `targets`, one number for each of them. Batch normalisation is
folded into the convolutions when the file is written, so that what is left are convolutions, matrices and the larger of x and 0.

>>> net = random_net("tic-tac-toe", planes=(2, 3, 3), actions=9, blocks=1, channels=8, seed=1)
>>> logits, value, _ = net.ask(np.zeros((5, 2, 3, 3), np.float32))
>>> logits.shape, value.shape
((5, 9), (5,))
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from outplay.errors import BadValue, Unsuitable
from outplay.files import read_described, write_described

FORMAT = "outplay network 1"


@functools.cache
def _matrix_library() -> Any:
    """NumPy's library of matrix products, kept to one thread: its threads wait for each other by spinning, and where other work
    shares the cores a few positions then take sixteen times as long."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:  # where there is nothing but the packages that training needs
        return _Unlimited()
    return ThreadpoolController()


class _Unlimited:
    def limit(self, **_: Any) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()


@dataclass(frozen=True)
class Net:
    """A network that is ready to answer: its description and its weights by name."""

    game: str
    planes: tuple[int, int, int]
    actions: int
    blocks: int
    channels: int
    weights: Mapping[str, np.ndarray]
    targets: int = 0
    trained: Mapping[str, Any] = field(default_factory=dict)  # settings, seconds, games: how to make it again

    # ---------------------------------------------------------------- asking
    def ask(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Logits [position, action], values [position] and targets [position, target] of what is seen in many positions.

        ONNX Runtime answers where it is installed: two to three times as fast as NumPy (`benchmarks/learning.py speed`).
        """
        if self._session is not None:
            logits, value, *rest = self._session.run(None, {"planes": planes})
            return logits, value[:, 0], rest[0] if rest else None
        return self.ask_plainly(planes)

    @functools.cached_property
    def _session(self) -> Any:
        """ONNX Runtime, kept to the thread that asks, or None where it is not installed."""
        try:
            import onnxruntime
        except ImportError:
            return None
        from outplay.networks.onnx_model import model

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        return onnxruntime.InferenceSession(model(self), options, providers=["CPUExecutionProvider"])

    def ask_plainly(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """The same in NumPy, which is always there."""
        with _matrix_library().limit(limits=1, user_api="blas"):
            return self._ask(planes)

    def _ask(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        count = len(planes)
        which = threading.get_ident(), count  # each thread writes into memory of its own
        if which not in self._boards:
            self._boards[which] = _Board(count, *self.planes[1:], self.channels)
        board, matrices, w = self._boards[which], self._matrices, self.weights
        x = board.convolve(board.lay_out(planes), *matrices["first"])
        np.maximum(x, 0, out=x)
        for block in range(self.blocks):
            y = board.convolve(x, *matrices[f"{block}.one"])
            np.maximum(y, 0, out=y)
            y = board.convolve(y, *matrices[f"{block}.two"])
            y += x
            x = np.maximum(y, 0, out=y)
        inside = board.inside(x)  # [position, point, channel]
        seen = np.maximum(inside @ w["policy.weight"].T + w["policy.bias"], 0)
        logits = seen.transpose(0, 2, 1).reshape(count, -1) @ w["policy.out.weight"].T + w["policy.out.bias"]
        seen = np.maximum(inside @ w["value.weight"].T + w["value.bias"], 0)
        hidden = seen.transpose(0, 2, 1).reshape(count, -1) @ w["value.hidden.weight"].T + w["value.hidden.bias"]
        value = np.tanh(np.maximum(hidden, 0) @ w["value.out.weight"].T + w["value.out.bias"])[:, 0]
        targets = np.tanh(inside @ w["target.weight"].T + w["target.bias"])[:, :, 0] if self.targets else None
        return logits, value, targets

    @functools.cached_property
    def _boards(self) -> dict[tuple[int, int], _Board]:
        return {}

    @functools.cached_property
    def _matrices(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Each convolution's weights as three matrices, one for each row of its window: [row, 3 columns * channels, channel]."""
        made = {}
        for name in self.weights:
            if name.endswith(".weight") and self.weights[name].ndim == 4:
                weight = self.weights[name]
                by_row = np.ascontiguousarray(weight.transpose(2, 3, 1, 0).reshape(3, 3 * weight.shape[1], weight.shape[0]))
                made[name.removesuffix(".weight")] = by_row, self.weights[name.removesuffix("weight") + "bias"]
        return made

    # ---------------------------------------------------------------- files
    def save(self, path: Path) -> None:
        """Write the file aside and rename it: a torn one never stands under its name."""
        body = b"".join(np.ascontiguousarray(array, np.float16).tobytes() for array in self.weights.values())
        head = {
            "game": self.game, "planes": list(self.planes), "actions": self.actions, "blocks": self.blocks, "channels":
            self.channels, "targets": self.targets, "trained": dict(self.trained),
            "weights": {name: list(array.shape) for name, array in self.weights.items()},
        }  # fmt: skip
        write_described(path, FORMAT, head, body)

    @classmethod
    def load(cls, path: Path) -> Net:
        """Read a file; one that is torn, foreign or damaged is refused in one line."""
        head, body = read_described(path, FORMAT)
        try:
            shapes = {name: tuple(int(side) for side in shape) for name, shape in head["weights"].items()}
            depth, height, width = (int(side) for side in head["planes"])
            described = cls(
                head["game"],
                (depth, height, width),
                int(head["actions"]),
                int(head["blocks"]),
                int(head["channels"]),
                {},
                int(head["targets"]),
                head["trained"],
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BadValue(f"{path} is damaged: its description cannot be read") from None
        if described.blocks > len(shapes) or shapes != _shapes(described):  # the first, so that a wild number costs nothing
            raise BadValue(f"{path} is damaged: its layers are not those of a network of {described.blocks} blocks")
        weights, at = {}, 0
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            weights[name] = np.frombuffer(body, np.float16, size, at * 2).astype(np.float32).reshape(shape)
            at += size
        return cls(**{**described.__dict__, "weights": weights})

    def fits(self, game: Any) -> bool:
        """Whether a game shows and asks what this network sees and knows."""
        rules = getattr(game, "rules", None)
        return (rules is not None and bool(rules.plane_shape) and tuple(rules.plane_shape) == tuple(self.planes)
                and policy_size(rules) == self.actions)  # fmt: skip

    def check(self, game: Any) -> None:
        """Refuse a game that this network was not trained for."""
        rules = getattr(game, "rules", None)
        if rules is None or not rules.plane_shape:
            raise Unsuitable(f"a network needs rules with `planes`; {game.name} has none")
        if not self.fits(game):
            raise Unsuitable(
                f"this network was trained for {self.game}: it sees {self.planes} and knows {self.actions} actions; "
                f"{game.name} has {tuple(rules.plane_shape)} and {policy_size(rules)}"
            )


def policy_size(rules: Any) -> int:
    """How many actions a network tells apart: their numbers are below this."""
    return int(rules.policy_size or rules.most_actions)


def symmetries(game: Any, positions: int = 24) -> list[tuple[np.ndarray, np.ndarray]]:
    """How each symmetry of a game moves the points of its planes and the numbers of its actions: a network that sees the points
    `points` instead has for its logit of an action that at `actions[action]`.

    Which flip or turn of the board a symmetry is, is found by looking at random positions.

    >>> from outplay.game import load
    >>> [actions.tolist() for _, actions in symmetries(load("connect four"))]
    [[0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0]]
    """
    rules = game.rules
    if not rules.plane_shape:
        raise Unsuitable(f"a network needs rules with `planes`; {game.name} has none")
    _, height, width = rules.plane_shape
    board = np.arange(height * width).reshape(height, width)
    forms = [np.rot90(way, turns) for way in (board, board[:, ::-1]) for turns in range(4)]
    forms = [form for form in forms if form.shape == board.shape]
    source = np.random.default_rng(1)
    states: list[np.ndarray] = []
    position = game.start()
    while len(states) < positions:
        position = game.start() if position.is_terminal() else position.result(int(source.choice(position.actions())))
        if not position.is_terminal():
            states.append(np.frombuffer(position.state, rules.layout))
    found = []
    room = rules.states(1)

    def look(state: np.ndarray, symmetry: int) -> np.ndarray:
        room[:] = state
        player = room[0].player()
        room[0].transform(symmetry)
        out = np.zeros(rules.plane_shape, np.float32)
        room[0].planes(player, out)
        return out.reshape(len(out), -1)

    with np.errstate(over="ignore"):
        seen = [look(state, 0) for state in states]
        for symmetry in range(max(1, int(rules.symmetries))):
            twins = [look(state, symmetry) for state in states]
            fits = [form.ravel() for form in forms
                    if all((plain[:, form.ravel()] == twin).all() for plain, twin in zip(seen, twins, strict=True))]
            if not fits:
                raise Unsuitable(f"symmetry {symmetry} of {game.name} is no flip or turn of its planes: use symmetric=no")
            found.append((fits[0], np.array([room[0].transform_action(symmetry, action) for action in range(policy_size(rules))])))
    return found


def _shapes(net: Net) -> dict[str, tuple[int, ...]]:
    """The name and shape of every array of weights, in the order of the file."""
    depth, height, width = net.planes
    points, channels = height * width, net.channels
    shapes: dict[str, tuple[int, ...]] = {"first.weight": (channels, depth, 3, 3), "first.bias": (channels,)}
    for block in range(net.blocks):
        for part in ("one", "two"):
            shapes[f"{block}.{part}.weight"] = (channels, channels, 3, 3)
            shapes[f"{block}.{part}.bias"] = (channels,)
    shapes |= {
        "policy.weight": (POLICY_CHANNELS, channels), "policy.bias": (POLICY_CHANNELS,),
        "policy.out.weight": (net.actions, POLICY_CHANNELS * points), "policy.out.bias": (net.actions,),
        "value.weight": (VALUE_CHANNELS, channels), "value.bias": (VALUE_CHANNELS,),
        "value.hidden.weight": (HIDDEN, VALUE_CHANNELS * points), "value.hidden.bias": (HIDDEN,),
        "value.out.weight": (1, HIDDEN), "value.out.bias": (1,),
    }  # fmt: skip
    if net.targets:
        shapes |= {"target.weight": (1, channels), "target.bias": (1,)}
    return shapes


def resized(net: Net, game: str, planes: tuple[int, int, int], actions: int) -> Net:
    """The same network for a board of another size, to learn on from: convolutions as they are, the rest stretched.

    An action on a point is judged by what lies around it, as the network judged the action on the point at the same place of
    its own board; the value, and actions on no point, by all points, each counting as the nearest one did.

    >>> small = random_net("go:size=3", planes=(6, 3, 3), actions=10, blocks=1, channels=4, seed=1)
    >>> resized(small, "go:size=5", (6, 5, 5), 26).weights["policy.out.weight"].shape
    (26, 200)
    """
    (depth, height, width), (new_depth, tall, wide) = net.planes, planes
    rest = net.actions - height * width
    if new_depth != depth or rest < 0 or actions - tall * wide != rest or net.targets not in (0, height * width):
        raise BadValue(f"a network of {net.game} cannot be stretched to {game}: they differ in more than the size of the board")
    rows, columns = ([round(at * (old - 1) / max(new - 1, 1)) for at in range(new)] for old, new in ((height, tall), (width, wide)))
    share, weights = height * width / (tall * wide), dict(net.weights)

    def stretched(weight: np.ndarray) -> np.ndarray:  # [unit, channels * point]
        maps = weight.reshape(len(weight), -1, height, width)[:, :, rows][:, :, :, columns]
        return np.asarray(share * maps.reshape(len(weight), -1), np.float32)

    weights["value.hidden.weight"] = stretched(net.weights["value.hidden.weight"])
    old, biases = net.weights["policy.out.weight"].reshape(net.actions, -1, height, width), net.weights["policy.out.bias"]
    made = np.zeros((tall, wide, old.shape[1], tall, wide), np.float32)
    for r, row in enumerate(rows):
        for c, column in enumerate(columns):
            up, left = min(row, r), min(column, c)
            down, right = min(height - row, tall - r), min(width - column, wide - c)
            made[r, c, :, r - up : r + down, c - left : c + right] = old[row * width + column, :, row - up : row + down,
                                                                         column - left : column + right]  # fmt: skip
    others = stretched(net.weights["policy.out.weight"][height * width :]).reshape(rest, -1)
    weights["policy.out.weight"] = np.concatenate([made.reshape(tall * wide, -1), others])
    places = [row * width + column for row in rows for column in columns]
    weights["policy.out.bias"] = np.concatenate([biases[places], biases[height * width :]])
    return Net(game, planes, actions, net.blocks, net.channels, weights, tall * wide if net.targets else 0, dict(net.trained))


POLICY_CHANNELS, VALUE_CHANNELS, HIDDEN = 8, 4, 64
"""Channels that the heads make of the trunk's, and the units of the value head's hidden layer."""


class _Board:
    """Convolutions as matrix products: every position lies with a border of zeros in one long array of points [point, channel].

    A step up or down, left or right is then one shift of that array. The three columns of a 3x3 window stand side by side in
    memory, so one copy gives rows of three points' channels, and the three rows of the window are three products of shifted parts
    of it.
    """

    def __init__(self, count: int, height: int, width: int, channels: int) -> None:
        self.count, self.height, self.width = count, height, width
        self.tall, self.wide = height + 2, width + 2
        self.points = count * self.tall * self.wide
        mask = np.zeros((count, self.tall, self.wide, 1), np.float32)
        mask[:, 1:-1, 1:-1] = 1
        self.mask = mask.reshape(self.points, 1)
        self.outs = [np.zeros((self.points, channels), np.float32) for _ in range(3)]  # the input of a block, and two in turn
        self.part = np.zeros((self.points, channels), np.float32)
        self.rooms: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def lay_out(self, planes: np.ndarray) -> np.ndarray:
        """The planes as points with a border."""
        whole = np.zeros((self.count, self.tall, self.wide, planes.shape[1]), np.float32)
        whole[:, 1:-1, 1:-1] = planes.transpose(0, 2, 3, 1)
        return whole.reshape(self.points, -1)

    def convolve(self, x: np.ndarray, matrices: np.ndarray, bias: np.ndarray) -> np.ndarray:
        """A 3x3 convolution of all positions at once; the border stays zero. The result is good for two more calls."""
        depth = x.shape[1]
        margin = self.wide + 1
        if depth not in self.rooms:
            self.rooms[depth] = (np.zeros((self.points + 2 * margin, depth), np.float32),
                                 np.zeros((self.points + 2 * self.wide, 3 * depth), np.float32))
        whole, threes = self.rooms[depth]
        whole[margin:-margin] = x
        stride = whole.strides[1]  # row r of `threes` is the points r, r + 1 and r + 2 of `whole`
        np.copyto(threes, np.lib.stride_tricks.as_strided(whole, threes.shape, (depth * stride, stride)))
        out = self.outs.pop(0)
        self.outs.append(out)
        np.matmul(threes[: self.points], matrices[0], out=out)
        for row in (1, 2):
            np.matmul(threes[row * self.wide : row * self.wide + self.points], matrices[row], out=self.part)
            out += self.part
        out += bias
        out *= self.mask
        return out

    def inside(self, x: np.ndarray) -> np.ndarray:
        """The points without the border: [position, point, channel]."""
        whole = x.reshape(self.count, self.tall, self.wide, -1)[:, 1:-1, 1:-1]
        return whole.reshape(self.count, self.height * self.width, -1)


def random_net(
    game: str, planes: tuple[int, int, int], actions: int, blocks: int, channels: int, seed: int, targets: int = 0
) -> Net:
    """A network that has learned nothing."""
    source = np.random.default_rng(seed)
    empty = Net(game, planes, actions, blocks, channels, {}, targets)
    weights = {}
    for name, shape in _shapes(empty).items():
        fan = float(np.prod(shape[1:])) if len(shape) > 1 else 1.0
        spread = np.sqrt(2 / fan) if name.endswith("weight") else 0.0
        weights[name] = (source.standard_normal(shape) * spread).astype(np.float16).astype(np.float32)
    return Net(game, planes, actions, blocks, channels, weights, targets)
