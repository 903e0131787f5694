"""A table of the course: numbers with a line above and words below; those that take long are kept as they were measured.

>>> kept("isolation").rows[0][:2]
('2 x 1', 'the second player')
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

Tell = Callable[[str], None]
"""Called with what is being done, so that a long table shows how far it is."""

MEASURED = Path(__file__).with_name("measured")
"""Each file is what `outplay lectures NAME --json` said."""


def quietly(said: str) -> None:
    """Tells nobody."""


@dataclass(frozen=True)
class Table:
    """Numbers with a line above and words below; `detail` is what the rows were counted from, where a part of it can be made anew."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: str = ""
    detail: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The table as plain objects; `detail` only where there is one."""
        return {key: value for key, value in asdict(self).items() if value or key != "detail"}


def kept(name: str) -> Table | None:
    """The table of that name as it was measured, which is what the lessons show; None for those that are made at once."""
    place = MEASURED / f"{name}.json"
    if name not in names_kept():
        return None
    found = json.loads(place.read_text("utf-8"))
    return Table(found["title"], tuple(found["columns"]), tuple(map(tuple, found["rows"])), found["words"], tuple(found.get("detail", ())))


def names_kept() -> list[str]:
    """The tables that are kept."""
    return sorted(path.stem for path in MEASURED.glob("*.json"))
