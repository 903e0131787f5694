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


def fields_text(record: Any, derived: frozenset[str] = frozenset()) -> str:
    """A record as `field=value` pairs, for games without a notation of their own; what is derived from them is left out."""
    shown = []
    for field in field_names(record, derived):
        values = np.ravel(record[field])
        shown.append(f"{field}=" + "/".join(str(number) for number in values.tolist()))
    return ";".join(shown)


def parse_fields(record: Any, text: str, derived: frozenset[str] = frozenset()) -> None:
    """Fill a record from such a text."""
    given = dict(part.split("=", 1) for part in text.split(";") if "=" in part)
    names = field_names(record, derived)
    if set(given) != set(names) or text.count(";") != len(names) - 1:
        raise BadNotation(f"expected {';'.join(f'{name}=…' for name in names)}, got {shorten(text)!r}")
    for name, value in given.items():
        kind, shape = record.dtype[name].base, record.dtype[name].shape
        numbers = [_number(part, kind) for part in value.split("/")]
        if len(numbers) != (size := int(np.prod(shape))):
            raise BadNotation(f"{name} takes {size} number{'s' if size > 1 else ''}, got {shorten(value)!r}")
        record[name] = np.array(numbers, kind).reshape(shape) if shape else numbers[0]


def field_names(record: Any, derived: frozenset[str] = frozenset()) -> list[str]:
    """The fields that an author wrote, less those that follow from the others."""
    return [name for name in record.dtype.names[:-1] if name not in derived]  # the last one is the fingerprint of the rules


def _number(text: str, kind: np.dtype) -> Any:
    return kind.type(float(text) if kind.kind == "f" else int(text))
