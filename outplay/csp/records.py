"""Records with named fields inside an array of words: as fast as offsets, and read like attributes.

>>> PAIR = record("left", "right")
>>> words = np.array([1, 2, 3, 4])
>>> pair_at = record_at(PAIR)
>>> int(pair_at(words, 2).right)
4
>>> pair_at(words, 0).left = 9
>>> words.tolist()
[9, 2, 3, 4]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from outplay.compiling.marks import helpers


def record(*fields: str) -> np.dtype:
    """The layout of a record: one int64 for each field."""
    return np.dtype([(field, np.int64) for field in fields], align=True)


def words_of(layout: np.dtype) -> int:
    """How many words a record takes."""
    return layout.itemsize // 8


def record_in(words: np.ndarray, place: int, layout: np.dtype) -> Any:
    """The record that starts at a place of an array, by `record["field"]`; writing to its fields writes to the array."""
    return words[place : place + words_of(layout)].view(layout)[0]


def record_at(layout: np.dtype) -> Callable[[Any, Any], Any]:
    """A function (words, place) -> record of this layout, for Python and for kernels, where `words` is a `pointer`."""

    with_attributes = np.dtype((np.record, layout))

    def at(words: Any, place: Any) -> Any:
        return record_in(words, place, with_attributes)

    def typer(target: str) -> Callable:
        from numba import types
        from numba.extending import intrinsic
        from numba.np import numpy_support

        kind = numpy_support.from_dtype(layout)

        @intrinsic
        def run(typing_context: Any, words: Any, place: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return builder.bitcast(builder.gep(args[0], [args[1]]), context.get_value_type(kind))

            return kind(words, types.int64), generate

        return lambda words, place: lambda words, place: run(words, place)

    helpers.append((at, typer))
    return at
