"""How the attacks of `fuzz.py` are entered, and how they spoil what is sound: texts, bytes and JSON values."""

from __future__ import annotations

import functools
import random
import tempfile
import traceback
from collections.abc import Callable
from typing import Any

from outplay.errors import OutplayError

Attack = Callable[[random.Random], "str | None"]
ATTACKS: dict[str, Attack] = {}
ODD = ("", " ", "\n", "\0", "²", "٣", "é", "\ud800", "'", '"', "\\", "%", "0", "-1", "9" * 400, "1e999999999", "nan", "inf",
       *"()[]{},:;=/*", "==", "..", "**", "//", "abs", "in", "<!--<script>", "__import__('os')")  # fmt: skip


def attack(name: str) -> Callable[[Attack], Attack]:
    """Enter an attack under its name."""

    def enter(function: Attack) -> Attack:
        ATTACKS[name] = function
        return function

    return enter


@functools.cache
def folder() -> str:
    """Where attacks may write."""
    return tempfile.mkdtemp(prefix="outplay-fuzz-")


def mutated(text: str, source: random.Random) -> str:
    """A text with a few pieces cut, doubled, swapped or replaced by something odd."""
    for _ in range(source.randint(0, 4)):
        start = source.randint(0, len(text))
        end = min(len(text), start + source.randint(0, 6))
        piece = source.choice(("", text[start:end] * 2, source.choice(ODD), text[start:end][::-1], chr(source.randint(32, 126))))
        text = text[:start] + piece + text[end:]
    return text


def mutated_bytes(data: bytes, source: random.Random) -> bytes:
    """Bytes with bits flipped, a piece cut, blanked, doubled or made up, or the end missing."""
    for _ in range(source.randint(1, 4)):
        start = source.randint(0, len(data)) if source.random() < 0.6 else source.randint(0, min(len(data), 200))  # headers, too
        end = min(len(data), start + source.choice((1, 1, 2, 4, 16, 300)))
        flipped = bytes(byte ^ (1 << source.randrange(8)) for byte in data[start:end])
        piece = source.choice((flipped, flipped, b"", bytes(end - start), b"\xff" * (end - start), data[start:end] * 2,
                               source.randbytes(end - start)))  # fmt: skip
        data = data[:start] + piece + data[end:]
        if source.random() < 0.1:
            data = data[: source.randint(0, len(data))]
    return data


def shaken(value: Any, source: random.Random) -> Any:
    """A JSON value with something in it changed: a text mutated, a number made absurd, a part dropped or doubled."""
    kind = source.random()
    if kind < 0.1:
        return source.choice((None, True, -1, 0, 10**400, 1e308, -0.5, "", [], {}, [[]], {"a": 1}, source.choice(ODD)))
    if isinstance(value, dict):
        pairs = [(key if source.random() < 0.95 else mutated(key, source), shaken(one, source)) for key, one in value.items()]
        return dict(pair for pair in pairs if source.random() < 0.95)
    if isinstance(value, list):
        return [shaken(one, source) for one in value] * (1 if kind < 0.95 else source.choice((0, 2, 50)))
    if isinstance(value, str) and kind < 0.5:
        return mutated(value, source)
    return source.choice((value + 1, -value, value * 10**9)) if isinstance(value, int | float) and kind < 0.4 else value


def refused(what: str, try_it: Callable[[], object]) -> str | None:
    """Try something that may be refused in one line, and in no other way; what is wrong with how it went."""
    try:
        try_it()
    except OutplayError as problem:
        return f"{what}: more than one line: {problem}" if "\n" in str(problem) else None
    except Exception:
        return f"{what}: {traceback.format_exc(limit=-3)}"
    return None
