"""Routes for the course: exercises that are drawn, answered and told apart by their mistakes; sheets; the tables of its pages."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, ConfigDict, Field

from outplay.errors import UnknownName
from outplay.lessons import exercises, numbers, sheet
from outplay.lessons.exercises import Exercise
from outplay.lessons.table import kept, names_kept
from outplay.views import tree as pictures

router = APIRouter(prefix="/api", tags=["learn"])

MOST_SEED = 2**31 - 1
TRIES = 2
"""After so many wrong answers the solution is told."""


class Answer(BaseModel):
    """An answer to the exercise of a seed: in words, or as the nodes that were picked, and the number of the try."""

    model_config = ConfigDict(extra="forbid")

    seed: int = Field(ge=0, le=MOST_SEED)
    answer: str = Field("", max_length=200)
    nodes: list[int] = Field(default_factory=list, max_length=200)
    attempt: int = Field(1, ge=1, le=100)


@router.get("/exercises")
def listed() -> dict[str, Any]:
    """The topics that have exercises, and how many kinds each has."""
    return {"topics": {topic: exercises.many(topic) for topic in exercises.topics()}}


def _drawn(topic: str, number: int, seed: int) -> Exercise:
    try:
        known = exercises.many(topic)
    except UnknownName as problem:
        raise HTTPException(404, str(problem)) from None
    if not 0 <= number < known or not 0 <= seed <= MOST_SEED:
        raise HTTPException(404, f"{topic} has exercises 0 to {known - 1}, got {number}")
    return exercises.draw(topic, number, seed)


@router.get("/exercises/{topic}/{number}")
def asked(topic: str, number: int, seed: int = 0) -> dict[str, Any]:
    """An exercise as this seed draws it, without its answer."""
    each = _drawn(topic, number, seed)
    svg = sheet.picture(each)
    return {"question": each.question, "choices": each.choices, "table": each.table, "picks": each.picks, "svg": svg}


@router.post("/exercises/{topic}/{number}")
def answered(topic: str, number: int, given: Answer) -> dict[str, Any]:
    """Whether an answer is right; a hint by the kind of mistake where it is not; the solution at the end."""
    each = _drawn(topic, number, given.seed)
    said = given.answer
    if each.picks:
        _, tree = exercises.searched(each.tree, each.algorithm)
        said = ", ".join(tree.name(node) for node in given.nodes if 0 < node < len(tree))
    verdict = exercises.check(each, said)
    told: dict[str, Any] = {"right": verdict.is_right, "hint": verdict.hint}
    if verdict.is_right or given.attempt >= TRIES:
        told |= {"answer": each.answer, "solution": each.solution}
        if each.tree:
            result, tree = exercises.searched(each.tree, each.algorithm)
            told["svg"] = pictures.draw(tree, 0, title="the tree of the exercise")
            told["frames"] = pictures.frames(tree, pictures.default_open(tree, result.line))
    return told


@router.get("/exercises/{topic}")
def printed(topic: str, seed: int = 0, each: int = 1, solutions: bool = False) -> HTMLResponse:
    """A sheet of a topic's exercises, to be printed."""
    _drawn(topic, 0, seed)
    if not 1 <= each <= 20:
        raise HTTPException(422, f"each must be 1 to 20, got {each}")
    return HTMLResponse(sheet.sheet(topic, seed=seed, each=each, solutions=solutions))


@router.get("/lectures/{name}")
def made(name: str) -> dict[str, Any]:
    """One of the tables that the lectures' pages speak of: made now where that is quick, else as it was measured."""
    table = numbers.table(name) if name in QUICK else kept(name)
    if table is None:
        raise HTTPException(404, f"the tables here are {', '.join([*QUICK, *names_kept()])}; outplay lectures has more")
    return {"title": table.title, "columns": table.columns, "rows": table.rows, "words": table.words}


QUICK = ("chinook", "backgammon", "opponents", "general", "sizes")
"""Tables that take less than a second."""


@router.get("/lectures/orders/{branching}/{plies}")
def orders(branching: int, plies: int) -> dict[str, Any]:
    """Leaves of alpha-beta in uniform trees by the order of the actions and the model of the leaves, means over eight trees."""
    if not (2 <= branching <= 16 and 1 <= plies <= 8 and branching**plies <= 4096):
        raise HTTPException(422, f"a tree of at most 4,096 leaves, got b = {branching}, m = {plies}")
    means = {model: numbers.mean_leaves(branching, plies, model, range(8)) for model in ("independent", "graded")}
    return {"best": numbers.best_leaves(branching, plies), "formula": round(numbers.random_leaves(branching, plies)),
            "worst": branching**plies, **{model: round(mean) for model, mean in means.items()}}  # fmt: skip


