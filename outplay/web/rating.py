"""Routes of the visitor's rating: finished games, which the browser keeps, against players whose strength was measured.

Nothing is kept here. Opponents stand where the game's ladder has them, `random` at 0; who is none of its players counts for
nothing. The rating is Glicko's (`outplay.arena.glicko`), and somebody new is taken for a beginner whom nobody knows yet.

>>> win = Finished(game="nim", against=["random"], mine=1.0, when=0)
>>> told = rated([win] * 5)["nim"]
>>> told["begin"] < told["rating"], told["counted"], told["error"] > 100
(True, 5, True)
>>> rated([Finished(game="nim", against=["alphabeta:depth=2"], mine=1.0, when=0)])
{}
"""

from __future__ import annotations

import functools
import re
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from outplay import extras
from outplay.arena import ladder
from outplay.arena.glicko import Rating, Ratings, opponent
from outplay.names import family

router = APIRouter(prefix="/api", tags=["play"])
NEW = Rating()
YOU = "you"
DAY = 86_400_000
"""Milliseconds."""


class Finished(BaseModel):
    """A finished game of the visitor: against whom, 1 for a win and a half for a draw, and when, in milliseconds since 1970."""

    model_config = ConfigDict(extra="ignore")

    game: str = Field(max_length=200)
    against: list[str] = Field(max_length=8)
    mine: float = Field(ge=0, le=1)
    when: float = Field(ge=0, lt=1e14)
    aided: bool = False


class AllFinished(BaseModel):
    """Everything that the browser remembers."""

    model_config = ConfigDict(extra="forbid")

    finished: list[Finished] = Field(max_length=10_000)


@functools.cache
def rungs_of(game: str) -> dict[str, ladder.Rung]:
    """The ladder of a game by the names of its players; empty where none comes along."""
    path = ladder.shipped().get(game)
    return {rung.name: rung for rung in ladder.Ladder.read(path).rungs()} if path is not None else {}


def rung_of(game: str, text: str) -> ladder.Rung | None:
    """Where a player stands: one of a level by that level, the strongest as `auto`, others by their name."""
    known = rungs_of(game)
    if level := re.search(r"\blevel=(\w+)", text):
        return known.get("auto" if level[1] == "full" else f"auto:level={level[1]}")
    base = text.partition(":")[0]
    own = extras.of(game).player.partition(":")[0]
    return known.get("auto" if base in ("auto", "engine", own) else base)


@router.post("/ratings")
def tell_ratings(asked: AllFinished) -> dict[str, Any]:
    """The visitor's rating in each game with a ladder, how sure it is, and how it came about."""
    return {"ratings": rated(asked.finished)}


def rated(finished: list[Finished]) -> dict[str, dict[str, Any]]:
    """By game: where somebody new begins, the rating now, half of its 95 % interval, its curve, and the games that count."""
    kept, found = Ratings(), dict[str, dict[str, Any]]()
    for one in sorted(finished, key=lambda each: each.when):
        game = family(one.game)
        rung = rung_of(game, one.against[0]) if len(one.against) == 1 and not one.aided else None
        if rung is None:
            continue
        beginner = rung_of(game, "auto:level=beginner")
        begin = beginner.elo if beginner is not None else 0.0
        kept.played(game, YOU, opponent(rung.elo - begin + NEW.rating, rung.error), one.mine, day=int(one.when // DAY))
        now = kept.of(game, YOU)
        told = found.setdefault(game, {"begin": round(begin), "curve": [], "counted": 0})
        told["rating"], told["error"] = round(now.rating - NEW.rating + begin), round(1.96 * now.deviation)
        told["counted"] += 1
        told["curve"].append([one.when, told["rating"]])
    return found
