"""A contest watched while it is played: its folder is named when the studio is started, what the contest writes there is shown.

The contest itself runs on its own (`outplay classroom contest FOLDER`); the studio reads its standings, names or pseudonyms as they
were written, and nothing else of the folder.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fastapi import APIRouter

from outplay.errors import BadValue

router = APIRouter(prefix="/api", tags=["contest"])
MOST_BYTES = 8 << 20

named: list[Path] = []
"""The folder of the contest that this studio shows, if any."""


def name_contest(folder: str) -> None:
    """Show this contest; a folder that is none is refused at once."""
    path = Path(folder)
    if folder and not (path / "staff" / "contest.json").is_file():
        raise BadValue(f"expected the folder of a contest, which `outplay classroom new` writes, got {folder!r}")
    named[:] = [path] if folder else []


@router.get("/contest")
def standings() -> dict[str, Any]:
    """The standings as they are now: points and ratings, the ladder, divisions, the last games; or that there are none yet."""
    if not named:
        return {"shown": False}
    try:
        path = named[0] / "staff" / "standings.json"
        found = json.loads(path.read_text("utf-8")) if path.stat().st_size < MOST_BYTES else {}
    except (OSError, ValueError):
        return {"shown": True, "begun": False}
    return {"shown": True, "begun": True, **found}
