"""A network as an ONNX model, the format that ONNX Runtime and other programs read, written without any library.

The format is Google's protocol buffers: every field is a number that says which one it is and how it is written, and then its
value (https://protobuf.dev/programming-guides/encoding, https://onnx.ai/onnx/api/classes.html).

>>> whole(1, 300).hex(), text(2, "conv").hex()
('08ac02', '1204636f6e76')
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

FLOAT = 1  # the type of a tensor's numbers
AN_INTEGER, INTEGERS = 2, 7  # the types of an attribute
OPSET, FORMAT_VERSION = 13, 8


def varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first; the eighth says that more follow."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def whole(field: int, number: int) -> bytes:
    """A field that is a whole number."""
    return varint(field << 3) + varint(number)


def part(field: int, content: bytes) -> bytes:
    """A field that is a message or bytes."""
    return varint(field << 3 | 2) + varint(len(content)) + content


def text(field: int, words: str) -> bytes:
    """A field that is a text."""
    return part(field, words.encode())


def tensor(name: str, array: np.ndarray) -> bytes:
    """Weights with their name."""
    sides = b"".join(whole(1, side) for side in array.shape)
    return sides + whole(2, FLOAT) + text(8, name) + part(9, np.ascontiguousarray(array, "<f4").tobytes())


def node(kind: str, inputs: Sequence[str], output: str, **attributes: int | Sequence[int]) -> bytes:
    """One operation."""
    out = b"".join(text(1, name) for name in inputs) + text(2, output) + text(4, kind)
    for name, value in attributes.items():
        if isinstance(value, int):
            told = whole(3, value) + whole(20, AN_INTEGER)
        else:
            told = b"".join(whole(8, each) for each in value) + whole(20, INTEGERS)
        out += part(5, text(1, name) + told)
    return out


def place(name: str, sides: Sequence[int | str]) -> bytes:
    """An input or output and its shape; a side with a name may have any length."""
    shape = b"".join(part(1, whole(1, side) if isinstance(side, int) else text(2, side)) for side in sides)
    return text(1, name) + part(2, part(1, whole(1, FLOAT) + part(2, shape)))


def model(net: Any) -> bytes:
    """The whole file: planes in; logits, value and, where the network has them, targets out."""
    nodes: list[bytes] = []
    weights: dict[str, np.ndarray] = {}

    def layer(kind: str, name: str, source: str, out: str, **attributes: Any) -> str:
        weight = net.weights[f"{name}.weight"]
        if kind == "Conv" and weight.ndim == 2:  # a 1x1 convolution is kept as a matrix
            weight = weight[:, :, None, None]
        weights[f"{name}.weight"], weights[f"{name}.bias"] = weight, net.weights[f"{name}.bias"]
        nodes.append(node(kind, [source, f"{name}.weight", f"{name}.bias"], out, **attributes))
        return out

    def simple(kind: str, sources: Sequence[str], out: str, **attributes: Any) -> str:
        nodes.append(node(kind, sources, out, **attributes))
        return out

    window = {"kernel_shape": (3, 3), "pads": (1, 1, 1, 1)}
    x = simple("Relu", [layer("Conv", "first", "planes", "first", **window)], "x")
    for block in range(net.blocks):
        y = simple("Relu", [layer("Conv", f"{block}.one", x, f"{block}.a", **window)], f"{block}.b")
        y = layer("Conv", f"{block}.two", y, f"{block}.c", **window)
        x = simple("Relu", [simple("Add", [x, y], f"{block}.d")], f"{block}.x")

    def head(name: str) -> str:
        seen = simple("Relu", [layer("Conv", name, x, f"{name}.seen", kernel_shape=(1, 1))], f"{name}.relu")
        return simple("Flatten", [seen], f"{name}.flat", axis=1)

    layer("Gemm", "policy.out", head("policy"), "logits", transB=1)
    hidden = simple("Relu", [layer("Gemm", "value.hidden", head("value"), "hidden", transB=1)], "hidden.relu")
    simple("Tanh", [layer("Gemm", "value.out", hidden, "value.raw", transB=1)], "value")
    outs = [place("logits", ["positions", net.actions]), place("value", ["positions", 1])]
    if net.targets:
        raw = simple("Tanh", [layer("Conv", "target", x, "target.raw", kernel_shape=(1, 1))], "target.tanh")
        simple("Flatten", [raw], "targets", axis=1)
        outs.append(place("targets", ["positions", net.targets]))
    graph = b"".join(part(1, each) for each in nodes) + text(2, "outplay")
    graph += b"".join(part(5, tensor(name, array)) for name, array in weights.items())
    graph += part(11, place("planes", ["positions", *net.planes])) + b"".join(part(12, each) for each in outs)
    return whole(1, FORMAT_VERSION) + text(2, "outplay") + part(7, graph) + part(8, whole(2, OPSET))
