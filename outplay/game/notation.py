"""The notation of games whose author wrote none: the fields of the record as `name=value` pairs.

>>> from outplay.game import load
>>> from outplay.game.notation import fields_text
>>> game = load("nim")
>>> fields_text(game.record(game.initial()))
'stones=328707;turn=0'
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.errors import BadNotation, shorten


def fields_text(record: Any) -> str:
    """A record as `field=value` pairs, for games without a notation of their own."""
    shown = []
    for field in record.dtype.names[:-1]:
        value = record[field]
        shown.append(f"{field}=" + ("/".join(str(x) for x in np.ravel(value).tolist()) if np.ndim(value) else str(value)))
    return ";".join(shown)


def parse_fields(record: Any, text: str) -> None:
    """Fill a record from such a text."""
    given = dict(part.split("=", 1) for part in text.split(";") if "=" in part)
    names = record.dtype.names[:-1]
    if set(given) != set(names) or text.count(";") != len(names) - 1:
        raise BadNotation(f"expected {';'.join(f'{name}=…' for name in names)}, got {shorten(text)!r}")
    for name, value in given.items():
        kind, shape = record.dtype[name].base, record.dtype[name].shape
        numbers = [kind.type(float(part) if kind.kind == "f" else int(part)) for part in value.split("/")]
        record[name] = np.array(numbers, kind).reshape(shape) if shape else numbers[0]
        if not shape and len(numbers) != 1:
            raise BadNotation(f"{name} takes one number, got {value!r}")
