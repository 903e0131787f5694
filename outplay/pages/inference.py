"""A network asked by one kernel, where no library can be: residual blocks of 3x3 convolutions over a board with a border of zeros.

It computes what `networks.nets.Net.ask` does, a position at a time. Two points of the board and four channels are taken together,
so that what is read once is used several times; the innermost loop runs over channels that lie side by side, as vectors want it.
Weights travel as the 16-bit floats of their file (IEEE 754) and are widened once.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from outplay.jit import inlined, kernel, u32
from outplay.networks.nets import HIDDEN, POLICY_CHANNELS, VALUE_CHANNELS, Net

TOGETHER = 4  # channels


class Room(NamedTuple):
    """A network's weights, and what it computes with."""

    weights: Any  # all layers one behind the other
    planes: Any  # what the game shows
    boards: Any  # [three, point with border, channel]
    seen: Any  # what a head makes of the points
    logits: Any  # [action], and what a head joins


def rounded(depth: int) -> int:
    """So many channels that they come in fours."""
    return -(-depth // TOGETHER) * TOGETHER


def weights_of(net: Net) -> np.ndarray:
    """All weights in the order in which the kernel reads them; of each layer the biases first, its outputs side by side."""
    w, parts = net.weights, []
    for name in ("first", *(f"{block}.{part}" for block in range(net.blocks) for part in ("one", "two"))):
        weight = w[f"{name}.weight"]
        whole = np.zeros((3, 3, rounded(weight.shape[1]), weight.shape[0]), np.float32)
        whole[:, :, : weight.shape[1]] = weight.transpose(2, 3, 1, 0)
        parts += [w[f"{name}.bias"], whole]
    for name in ("policy", "policy.out", "value", "value.hidden", "value.out"):
        parts += [w[f"{name}.bias"], w[f"{name}.weight"].T]
    return np.concatenate([np.ascontiguousarray(part).ravel() for part in parts]).astype(np.float16)


def room_of(net: Net) -> Room:
    """Empty room for a network."""
    depth, height, width = net.planes
    points = (height + 2) * (width + 2) + 1  # the last pair of a row looks one beyond it
    broadest = max(net.channels, rounded(depth))
    return Room(
        np.zeros(len(weights_of(net)), np.float32), np.zeros(net.planes, np.float32), np.zeros((3, points, broadest), np.float32),
        np.zeros(max(POLICY_CHANNELS, VALUE_CHANNELS) * height * width, np.float32), np.zeros(max(net.actions, HIDDEN), np.float32),
    )  # fmt: skip


@kernel
def widen(halves: Any, words: Any, weights: Any) -> None:
    """16-bit floats as those of 32: `words` and `weights` are the same memory."""
    for index in range(len(halves)):
        half = u32(halves[index])
        exponent, part = (half >> u32(10)) & u32(31), half & u32(1023)
        if exponent == u32(0):  # below the least normal number
            small = np.float32(part) * np.float32(2.0**-24)
            weights[index] = -small if half >> u32(15) else small
        else:
            words[index] = ((half & u32(0x8000)) << u32(16)) | ((exponent + u32(112)) << u32(23)) | (part << u32(13))


@inlined
def convolve(weights: Any, at: Any, depth: Any, channels: Any, source: Any, target: Any, height: Any, width: Any) -> Any:
    """A 3x3 convolution of a board; where the next layer's weights begin."""
    wide, base = width + 2, at + channels
    for row in range(1, height + 1):
        for column in range(1, width + 1, 2):
            one = row * wide + column
            other = one + 1
            for channel in range(channels):
                target[one, channel] = weights[at + channel]
                target[other, channel] = weights[at + channel]
            for window in range(9):
                near = one + (window // 3 - 1) * wide + window % 3 - 1
                for k in range(0, depth, 4):
                    a, b, c, d = source[near, k], source[near, k + 1], source[near, k + 2], source[near, k + 3]
                    e, f, g, h = source[near + 1, k], source[near + 1, k + 1], source[near + 1, k + 2], source[near + 1, k + 3]
                    if a == 0 and b == 0 and c == 0 and d == 0 and e == 0 and f == 0 and g == 0 and h == 0:
                        continue
                    here = base + (window * depth + k) * channels
                    for channel in range(channels):
                        p, q = weights[here + channel], weights[here + channels + channel]
                        r, s = weights[here + 2 * channels + channel], weights[here + 3 * channels + channel]
                        target[one, channel] += a * p + b * q + c * r + d * s
                        target[other, channel] += e * p + f * q + g * r + h * s
        for channel in range(channels):
            target[row * wide + width + 1, channel] = 0  # the border, where the width is odd
    return base + 9 * depth * channels


@inlined
def bend(board: Any, channels: Any, height: Any, width: Any) -> None:
    """The larger of each number and 0."""
    for row in range(1, height + 1):
        for column in range(1, width + 1):
            for channel in range(channels):
                board[row * (width + 2) + column, channel] = max(board[row * (width + 2) + column, channel], np.float32(0))


@inlined
def look(weights: Any, at: Any, channels: Any, count: Any, board: Any, seen: Any, height: Any, width: Any) -> Any:
    """A head's few channels at every point, [channel, point], none below 0; where the next layer's weights begin."""
    for channel in range(count):
        for row in range(height):
            for column in range(width):
                total = weights[at + channel]
                for k in range(channels):
                    total += board[(row + 1) * (width + 2) + column + 1, k] * weights[at + count + k * count + channel]
                seen[(channel * height + row) * width + column] = max(total, np.float32(0))
    return at + count + channels * count


@inlined
def combine(weights: Any, at: Any, seen: Any, given: Any, out: Any, count: Any) -> Any:
    """A layer in which all is joined with all; where the next layer's weights begin."""
    for k in range(count):
        out[k] = weights[at + k]
    for index in range(given):
        share = seen[index]
        if share != 0:
            for k in range(count):
                out[k] += share * weights[at + count + index * count + k]
    return at + count + given * count


@kernel
def judge(room: Any, blocks: Any, channels: Any, known: Any, worth: Any, states: Any, actions: Any, counts: Any, control: Any,
          values: Any, priors: Any) -> None:  # fmt: skip
    """What a network says of the leaves that wait: utilities, and the probability of each action."""
    weights, planes, boards, seen, logits = room.weights, room.planes, room.boards, room.seen, room.logits
    depth, height, width = planes.shape
    points, full = height * width, -(-depth // 4) * 4
    hidden = np.int64(HIDDEN)
    for leaf in range(control[0].waiting):
        mover = states[leaf].player()
        for plane in range(depth):
            for row in range(height):
                for column in range(width):
                    planes[plane, row, column] = 0
        states[leaf].planes(mover, planes)
        one, two, three = boards[0], boards[1], boards[2]
        for point in range(len(one)):
            for channel in range(one.shape[1]):
                one[point, channel] = 0
        for plane in range(depth):
            for row in range(height):
                for column in range(width):
                    one[(row + 1) * (width + 2) + column + 1, plane] = planes[plane, row, column]
        at = convolve(weights, 0, full, channels, one, two, height, width)
        for block in range(blocks + 1):
            if block > 0:
                at = convolve(weights, at, channels, channels, two, one, height, width)
                bend(one, channels, height, width)
                at = convolve(weights, at, channels, channels, one, three, height, width)
                for point in range(len(two)):
                    for channel in range(channels):
                        two[point, channel] += three[point, channel]
            bend(two, channels, height, width)
        at = look(weights, at, channels, POLICY_CHANNELS, two, seen, height, width)
        at = combine(weights, at, seen, POLICY_CHANNELS * points, logits, known)
        greatest = np.float64(-1e30)
        for k in range(counts[leaf]):
            greatest = max(greatest, np.float64(logits[actions[leaf, k]]))
        total = 0.0
        for k in range(counts[leaf]):
            priors[leaf, k] = math.exp(np.float64(logits[actions[leaf, k]]) - greatest)
            total += priors[leaf, k]
        for k in range(counts[leaf]):
            priors[leaf, k] /= total
        at = look(weights, at, channels, VALUE_CHANNELS, two, seen, height, width)
        at = combine(weights, at, seen, VALUE_CHANNELS * points, logits, hidden)  # the logits are read: their room is free
        said = np.float64(weights[at])
        for k in range(hidden):
            said += np.float64(max(logits[k], np.float32(0)) * weights[at + 1 + k])
        value = worth * math.tanh(said)
        values[leaf, mover], values[leaf, 1 - mover] = value, -value
