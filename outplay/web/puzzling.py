"""Routes of the puzzles that come with the package: one a day, a run by rating, and whether a try is right."""

from __future__ import annotations

import datetime
import functools
import hashlib
from typing import Any

from fastapi import APIRouter, HTTPException
from pydantic import BaseModel, ConfigDict, Field

from outplay.game import known_game
from outplay.judge import puzzles
from outplay.web.spoken import spelled_line

router = APIRouter(prefix="/api", tags=["puzzles"])
WIDE = 150  # of ratings: a run takes the next puzzle from around the visitor's


class Try(BaseModel):
    """An action that somebody thinks is best; none gives the puzzle up."""

    model_config = ConfigDict(extra="forbid")

    action: str | None = Field(None, max_length=200)


@functools.cache
def _kept(family: str) -> list[puzzles.Puzzle]:
    found = puzzles.shipped(family) if family in puzzles.families() else []
    if not found:
        raise HTTPException(
            404, f"no puzzles of {family[:60]!r}: there are some of {', '.join(puzzles.families()) or 'no game yet'}"
        )
    return found


@functools.cache
def _setups(family: str) -> dict[str, str]:
    """By game, in words, the parameters in which a family's puzzles differ: of push or fold, how much each player has."""
    known: dict[str, dict[str, Any]] = {}
    for name in {each.game for each in _kept(family)}:
        known[name] = dict(getattr(getattr(known_game(name), "rules", None), "parameters", None) or {})
    told = [key for key in next(iter(known.values())) if len({repr(each.get(key)) for each in known.values()}) > 1]
    return {name: ", ".join(f"{key} {_plainly(values[key])}" for key in told) for name, values in known.items()}


def _plainly(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


@router.get("/puzzles")
def list_puzzles() -> dict[str, Any]:
    """The games with puzzles, and the puzzle of today."""
    games = [{"game": family, "puzzles": len(_kept(family))} for family in puzzles.families()]
    return {"games": games, "day": of_day(datetime.date.today()) if games else None}


def of_day(day: datetime.date) -> dict[str, Any]:
    """The puzzle of a day: the games in turn, and of each one that the date chooses.

    >>> first, second = of_day(datetime.date(2026, 11, 18)), of_day(datetime.date(2026, 11, 19))
    >>> first == of_day(datetime.date(2026, 11, 18)), first["game"] == second["game"] and len(puzzles.families()) > 1
    (True, False)
    """
    family = puzzles.families()[day.toordinal() % len(puzzles.families())]
    digest = hashlib.sha256(day.isoformat().encode()).digest()
    number = int.from_bytes(digest[:4], "big") % len(_kept(family))
    return {"date": day.isoformat(), "game": family, "number": number}


@router.get("/puzzles/{family}")
def next_puzzle(family: str, rating: int = 1200, after: int = 0) -> dict[str, Any]:
    """The next puzzle of a run for somebody of this rating, who has solved so many: those around the rating in turn."""
    kept = _kept(family)
    near = sorted(range(len(kept)), key=lambda k: (abs(kept[k].rating - rating) > WIDE, abs(kept[k].rating - rating), k))
    around = [k for k in near if abs(kept[k].rating - rating) <= WIDE] or near[:10]
    shuffled = sorted(around, key=lambda k: hashlib.sha256(kept[k].position.encode()).digest())
    return one_puzzle(family, shuffled[after % len(shuffled)])


@router.get("/puzzles/{family}/{number}")
def one_puzzle(family: str, number: int) -> dict[str, Any]:
    """One puzzle, without its solution."""
    kept = _kept(family)
    if not 0 <= number < len(kept):
        raise HTTPException(404, f"{family} has {len(kept)} puzzles, counted from 0, got {number}")
    found = kept[number]
    return {"game": found.game, "family": family, "number": number, "of": len(kept), "position": found.position, "kind": found.kind,
            "rating": found.rating, "setup": _setups(family)[found.game]}  # fmt: skip


@router.post("/puzzles/{family}/{number}")
def try_puzzle(family: str, number: int, asked: Try) -> dict[str, Any]:
    """Whether an action solves a puzzle; then its line, else what refutes the try. No action: the solution."""
    one_puzzle(family, number)
    found = _kept(family)[number]
    position = known_game(found.game).position(found.position)
    right = None
    refutation = ""
    if asked.action is not None:
        text = position.action_text(position.parse_action(asked.action))
        right = text == found.solution[0]
        refutation = dict(found.wrong).get(text, "")
    told: dict[str, Any] = {"right": right, "refutation": refutation, "rating": found.rating, "proved_by": found.proved_by}
    if right or asked.action is None:
        told["solution"], told["spelled"] = list(found.solution), spelled_line(position, found.solution)
    return told
