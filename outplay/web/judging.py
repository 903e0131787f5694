"""Routes of the judge: a game reviewed and the review kept with it, reasons in words."""

from __future__ import annotations

import threading
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from outplay.errors import BadValue
from outplay.game import Position
from outplay.jit import watch_compiling
from outplay.judge.claims import why
from outplay.judge.review import Luck, can_review, gathered, steps
from outplay.judge.words import loss_in_words
from outplay.judge.worth import NODES, Judge
from outplay.web import boards
from outplay.web.choices import open_game
from outplay.web.desk import Stopped, Tell
from outplay.web.seeing import reviewed
from outplay.web.spoken import spelled_line, spelled_words
from outplay.web.streams import lines_of
from outplay.web.tables import AtTable, Table

router = APIRouter(prefix="/api", tags=["judge"])
MOST_NODES = 5_000_000


class Looked(BaseModel):
    """How much a review may look at each position."""

    model_config = ConfigDict(extra="forbid")

    nodes: int = Field(NODES, ge=100, le=MOST_NODES)
    seconds: float | None = Field(None, gt=0, le=10, description="no more than so long for each; then the machine has a say")


class Asked(BaseModel):
    """A position of the game, and an action in it; left out, the best one."""

    model_config = ConfigDict(extra="forbid")

    at: int | None = Field(None, ge=0)
    action: str | None = Field(None, max_length=200)
    nodes: int = Field(NODES, ge=100, le=MOST_NODES)


@router.post("/records/{address}/review")
def look_over(table: AtTable, asked: Looked, request: Request) -> StreamingResponse:
    """Judge every move, the last one first: lines of JSON with a `move` or `luck` each, and at last the `accuracy` of each seat."""
    saved, begun = table.saved, table.play.start
    if problem := can_review(begun):
        raise BadValue(problem)
    if not saved.actions:
        raise BadValue("there are no moves to look over yet")
    if table.is_secret:
        raise HTTPException(409, "a game that hides something is looked over once it is over and open")

    def work(tell: Tell, stop: threading.Event) -> None:
        known = reviewed(table)
        if known is not None and known[-1]["nodes"] >= asked.nodes:
            for line in known:
                tell(line)
            return
        game = open_game(saved.game, compiled=None)
        judge = Judge(game, asked.nodes, asked.seconds, stop=stop)
        found, lines = [], []
        with watch_compiling(lambda kernel: tell({"compiling": kernel.strip("_")})):
            for one in steps(Position(game, begun.state), saved.actions, judge, words=True):
                if stop.is_set():
                    raise Stopped
                found.append(one)
                line = {"luck": vars(one)} if isinstance(one, Luck) else {"move": _told(table, one)}
                lines.append(boards.clean(line))
                tell(lines[-1])
        whole = gathered(game, found, judge)
        lines.append(boards.clean({"accuracy": [whole.accuracy[seat] for seat in range(game.players)], "nodes": asked.nodes}))
        latest = Table.at(table.store, saved.address)
        if latest.saved.actions == saved.actions:
            latest.keep(review={"actions": list(saved.actions), "lines": lines})
        tell(lines[-1])

    return lines_of(request.app.state.desk.run(work))


def _told(table: Table, one: Any) -> dict[str, Any]:
    here = table.play.after(one.ply)
    return {
        **one.fields(), "words": spelled_words(here, one.words), "spelled": spelled_line(here, one.line),
        "spoken": (spelled_line(here, [one.action]) or [one.action])[0], "gives": loss_in_words(one),
    }  # fmt: skip


@router.post("/records/{address}/reasons")
def give_reasons(table: AtTable, asked: Asked, request: Request) -> StreamingResponse:
    """Why an action is best, or what is wrong with one: lines of JSON, the last with `claims`, each proved before it is told."""
    plies = table.plies if asked.at is None else min(asked.at, table.plies)
    position, past = table.play.after(plies), table.play.positions[:plies]
    if table.is_secret:
        raise HTTPException(409, "reasons are given once nothing is hidden any more")
    if position.is_terminal() or position.is_chance():
        raise BadValue("reasons are for positions in which a player is to move")
    if asked.action is not None:
        position.parse_action(asked.action)

    def work(tell: Tell, stop: threading.Event) -> None:
        game = open_game(table.saved.game, compiled=None)
        with watch_compiling(lambda kernel: tell({"compiling": kernel.strip("_")})):
            earlier = [Position(game, each.state) for each in past]
            claims = why(Position(game, position.state), asked.action, nodes=asked.nodes, earlier=earlier, stop=stop)
        if stop.is_set():
            raise Stopped
        tell({"claims": boards.clean([claim.fields() for claim in claims])})

    return lines_of(request.app.state.desk.run(work))
