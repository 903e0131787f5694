"""Routes for the teacher's screen: a class is opened, asked what a search does next or which move is best, shown what came of it.

They are the studio's, so students never reach them: their door is another (`room.py`), and is open only while a class is.
"""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from outplay.errors import BadValue
from outplay.views import tree as pictures
from outplay.views.traces import Tree
from outplay.web import boards
from outplay.web.choices import Asked
from outplay.web.live import Lesson, Option, Question, as_csv
from outplay.web.trees import Grown

router = APIRouter(prefix="/api/class", tags=["live in class"])
MOST_MOVES = 120
"""Moves that can be voted on."""
MOST_NODES = 60
"""Nodes among which the next one can be foreseen."""
LOOKED_AT = ("enter", "leaf", "expand", "goal")
CUT, ON = "cut", "on"


class Opening(BaseModel):
    """Where a class is to be: on this computer alone, or for everyone on the network."""

    model_config = ConfigDict(extra="forbid")

    network: bool = Field(False, description="Let every computer on the network reach the students' page, and nothing else")


class Foresight(BaseModel):
    """A tree that was grown, the step after which the question comes, and what it is about."""

    model_config = ConfigDict(extra="forbid")

    tree: str = Field(max_length=40)
    tick: int = Field(ge=0)
    about: str = Field(CUT, pattern="^(cut|node)$", description="cut: whether the rest is cut; node: which node comes next")


class Results(BaseModel):
    """The best moves of a vote and what is said of them, where somebody knows them."""

    model_config = ConfigDict(extra="forbid")

    right: list[str] = Field(default_factory=list, max_length=MOST_MOVES)
    said: str = Field("", max_length=300)


def _lesson(request: Request) -> Lesson:
    room = request.app.state.room
    if room is None:
        raise HTTPException(404, "no class is open")
    lesson: Lesson = room.lesson
    return lesson


@router.get("")
def look(request: Request) -> dict[str, Any]:
    """How the class stands: its address and code, who is here, what is asked and how many have answered; or that none is open."""
    room = request.app.state.room
    if room is None:
        return {"open": False}
    return {"open": True, "address": room.address, "network": room.to_network, **room.lesson.status()}


@router.post("")
def begin(asked: Opening, request: Request) -> dict[str, Any]:
    """Open a class; one at a time."""
    from outplay.web.room import Room

    with request.app.state.door:
        if request.app.state.room is not None:
            raise BadValue("a class is open already: close it first")
        request.app.state.room = Room(asked.network)
    return look(request)


@router.post("/close")
def close(request: Request) -> dict[str, Any]:
    """End the class; nothing of it is kept."""
    with request.app.state.door:
        room, request.app.state.room = request.app.state.room, None
    if room is not None:
        room.close()
    return look(request)


@router.post("/vote")
def vote(asked: Asked, request: Request) -> dict[str, Any]:
    """Ask which move is best."""
    lesson = _lesson(request)
    position = asked.position()
    if position.is_terminal() or position.is_chance():
        raise BadValue("nobody is to move there: a vote needs a position with a choice")
    if position.game.traits.information == "hidden":
        position = position.observe(position.player())
    seen = boards.shown(position)
    if len(seen["legal"]) + seen["unlisted"] > MOST_MOVES:
        raise BadValue(f"{len(seen['legal']) + seen['unlisted']} moves are too many for a vote: {MOST_MOVES} at most")
    moves = (Option(each["text"], each.get("said", each["text"]), tuple(each["touches"])) for each in seen["legal"])
    options = tuple(sorted(moves, key=lambda move: (len(move.words), move.words)))  # not the order in which a search would try them
    board = {key: seen[key] for key in ("game", "position", "player", "seats", "board", "legal", "to_move", "caption")}
    question = Question("vote", f"{seen['to_move']} to move: which move is best?", options, board=board,
                        about=f"{position.game.name}: {position.text()}")  # fmt: skip
    lesson.ask(question)
    return look(request)


@router.post("/predict")
def predict(asked: Foresight, request: Request) -> dict[str, Any]:
    """Ask what a search does next, at a step of its tree; the answer is the search's own."""
    lesson = _lesson(request)
    grown: Grown = request.app.state.orchard.get(asked.tree)
    with grown.lock:
        question = foreseen(grown, asked.tick, asked.about)
    lesson.ask(question)
    return look(request)


def foreseen(grown: Grown, tick: int, about: str) -> Question:
    """The question after a step of a search, with its answer."""
    tree = grown.tree
    if tick >= tree.ticks:
        raise BadValue(f"the search is over after step {tree.ticks}: nothing comes next")
    if len(tree) > pictures.MOST_WHOLE:
        raise BadValue(f"a tree of {len(tree)} nodes is too large to foresee steps of: {pictures.MOST_WHOLE} at most")
    title = f"{grown.name} on {grown.position.game.name}"
    opened = pictures.default_open(tree)
    here, after = (pictures.draw(tree, at, opened, title=title) for at in (tick, tick + 1))
    told = f"{title}, step {tick}: {tree.caption(tick)}"
    if about == CUT:
        if tree.word(tick) != "update" or tree.word(tick + 1) == "leave" or not tree.pruned:
            raise BadValue("whether the rest is cut can be asked where a value has just come back, and actions are left, "
                           "in a search that cuts")
        right = CUT if tree.word(tick + 1) == "cut" else ON
        options = (Option(CUT, "The rest of this node is cut"), Option(ON, "The search goes on"))
        return Question(CUT, f"{_sentence(tree, tick)} What comes next?", options, (right,), here, after, about=told)
    nodes = [node for node in pictures.visible(tree, opened) if node != tree.focus(tick)]
    comes = tree.focus(tick + 1)
    if tree.word(tick + 1) not in LOOKED_AT or comes not in nodes:
        raise BadValue("which node comes next can be asked where the search goes to another node next")
    if len(nodes) > MOST_NODES:
        raise BadValue(f"{len(nodes)} nodes are too many to choose from: {MOST_NODES} at most")
    asked = f"{_sentence(tree, tick)} Which node does the search look at next?"
    taps = tuple(Option(str(node), tree.name(node)) for node in nodes)
    return Question("node", asked, taps, (str(comes),), here, after, about=told)



def _sentence(tree: Tree, tick: int) -> str:
    text = tree.caption(tick).rstrip(".")
    return f"{'The ' + text[4:] if text.startswith('the ') else text}."


@router.post("/tell")
def tell(asked: Results, request: Request) -> dict[str, Any]:
    """Show the results to all."""
    _lesson(request).tell(asked.right, asked.said)
    return look(request)


@router.post("/rest")
def rest(request: Request) -> dict[str, Any]:
    """Take the question away."""
    _lesson(request).rest()
    return look(request)


@router.get("/notes.{kind}")
def notes(kind: str, request: Request) -> Response:
    """All rounds as a file, json or csv: the only thing of a class that can be kept."""
    found = _lesson(request).notes()
    if kind == "json":
        text, media = json.dumps(found, ensure_ascii=False, indent=1), "application/json"
    elif kind == "csv":
        text, media = as_csv(found), "text/csv"
    else:
        raise HTTPException(404, "results can be saved as json or csv")
    return Response(text, media_type=media, headers={"content-disposition": f'attachment; filename="class.{kind}"'})
