"""Routes beside the board: advice, threats, and the tools that a game has of its own (see `outplay.views.panel`)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import StreamingResponse

from outplay import extras
from outplay.errors import BadValue, UnknownName
from outplay.game import Position
from outplay.jit import watch_compiling
from outplay.judge.hints import hint
from outplay.players.prompt import prompt
from outplay.values import Limits
from outplay.views import svg
from outplay.views.panel import Threats, Tool, panel_of
from outplay.views.plain import picture_of
from outplay.views.threats import threats
from outplay.web import boards, spoken
from outplay.web.boards import Look, Looking
from outplay.web.choices import open_game, seated
from outplay.web.desk import Stopped, Tell
from outplay.web.models import Wanted
from outplay.web.seeing import last_move, view
from outplay.web.streams import lines_of
from outplay.web.tables import AtTable, Table

router = APIRouter(prefix="/api", tags=["play"])
ADVICE_SECONDS = 1.5


@router.post("/records/{address}/advice")
def advise(table: AtTable, request: Request) -> StreamingResponse:
    """What a good player would do who sees no more than the person to move: a stream of lines of JSON."""
    position = table.persons_turn(table.plies)
    own = extras.of(position.game)
    named = () if own.levels else own.named
    text = named[0][0] if named else f"auto:time={ADVICE_SECONDS:g}"

    def work(tell: Tell, stop: threading.Event) -> None:
        with watch_compiling(lambda kernel: tell({"compiling": kernel.strip("_")})):
            game = open_game(table.saved.game, compiled=None)
            here = Position(game, position.state)
            adviser = prompt(seated(text, game))
            adviser.stop = stop
            action = adviser.choose(here, Limits(seconds=ADVICE_SECONDS))
        if stop.is_set():
            raise Stopped
        found = adviser.last
        told = None if found is None else hint(here, found)
        if told is not None and told.column:
            action = told.action  # where it mixes, what it plays most: as the bars beside it say
        choices = [] if told is None else [
            {"action": (its := position.action_text(one.action)), "said": spoken.said(position, one.action, its),
             "value": one.value, "part": one.part, "words": one.words} for one in told.bars]  # fmt: skip
        picture = picture_of(position)
        touches = () if picture is None else picture.touches.get(action, ())
        tell({"advice": boards.clean({
            "action": position.action_text(action), "said": spoken.said(position, action, position.action_text(action)),
            "touches": [svg.spot_id(each) for each in touches],
            "by": f"{adviser.note}," if adviser.note else named[0][1] if named else "the search that fits",
            "why": getattr(adviser, "said", ""), "choices": choices[:12],
            "column": "" if told is None else told.column,
            "deals": None if found is None else found.nodes, "unit": "" if told is None else told.unit,
        })})  # fmt: skip

    return lines_of(request.app.state.desk.run(work))


@router.get("/records/{address}/threats")
def see_threats(table: AtTable, look: Looking, at: int | None = None) -> dict[str, Any]:
    """What the other side threatens, in words and on the board; at a ply of the game or as it stands."""
    plies = table.plies if at is None else max(0, min(at, table.plies))
    found = threats(table.play.after(plies))
    return {"words": found.words, "board": _marked(table, plies, found, look)}


def _marked(table: Table, plies: int, found: Threats, look: Look) -> dict[str, Any] | None:
    position = table.play.after(plies)
    picture = picture_of(position)
    if picture is None:
        return None
    picture = replace(picture, marks={**picture.marks, **found.marks}, arrows=(*picture.arrows, *found.arrows))
    return boards.drawn(picture, position.game.name, look, last_move(table.play, plies))


@router.post("/records/{address}/extra/{name}")
def ask_tool(table: AtTable, name: str, asked: Wanted, request: Request, look: Looking) -> Any:
    """What only this game has: `claim` and `open-cards` at bridge, `territory` in Go, `laid` at Scrabble ..."""
    tools = panel_of(table.game).tools
    if name not in tools:
        if not tools:
            raise BadValue(f"{table.game.family} has no tools of its own")
        raise UnknownName(f"tool of {table.game.family}", name, list(tools))
    tool = tools[name]
    plies = table.plies if asked.at is None else max(0, min(asked.at, table.plies))
    if tool.when == "person":
        table.persons_turn(table.plies if asked.plies is None else asked.plies)
        plies = table.plies
    elif tool.when == "open" and table.is_secret:
        raise HTTPException(409, f"{name} is for a game in which nothing is hidden any more")
    if not tool.compiles:
        (answer,) = _answers(tool, table, plies, asked.asked, look)
        return boards.clean(answer)

    def work(tell: Tell, stop: threading.Event) -> None:
        with watch_compiling(lambda kernel: tell({"compiling": kernel.strip("_")})):
            for answer in _answers(tool, table, plies, asked.asked, look):
                tell(boards.clean(answer))

    return lines_of(request.app.state.desk.run(work))


def _answers(tool: Tool, table: Table, plies: int, asked: dict[str, Any], look: Look) -> Iterator[dict[str, Any]]:
    position, past = table.play.after(plies), table.play.positions[: plies + 1]
    if tool.compiles:
        position = Position(open_game(table.saved.game, compiled=None), position.state)
    try:
        found = tool.run(position, past, **asked)
    except TypeError as problem:
        raise BadValue(f"this tool was asked otherwise than it can be: {problem}") from None
    for answer in [found] if isinstance(found, dict) else found:
        if "marks" in answer or "arrows" in answer:
            marks = Threats(marks=answer.pop("marks", {}), arrows=answer.pop("arrows", ()))
            answer["board"] = _marked(table, plies, marks, look)
        if (moves := answer.pop("moves", None)) is not None:
            for text in moves:
                table.play.push(text, 0.0)
            answer["record"] = view(table.keep(), None, look)
        yield answer
