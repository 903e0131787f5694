"""Routes of playing: people's moves, searches' replies, giving up, taking back, and who sits where."""

from __future__ import annotations

import threading
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from outplay.errors import IllegalAction, Unavailable
from outplay.jit import watch_compiling
from outplay.values import Ending, Result
from outplay.web import boards
from outplay.web.boards import Looking
from outplay.web.choices import seated
from outplay.web.desk import Stopped, Tell
from outplay.web.models import Move, NewRecord, Plies, Seats
from outplay.web.records import check_players
from outplay.web.seeing import view
from outplay.web.streams import lines_of
from outplay.web.tables import GONE_ON, AtTable, Table, is_away, is_human
from outplay.web.tree import branched

router = APIRouter(prefix="/api", tags=["play"])


@router.post("/records/{address}/moves")
def move(table: AtTable, asked: Move, look: Looking) -> dict[str, Any]:
    """Make a person's move; chance answers at once where it is its turn."""
    if asked.at is not None and asked.at < table.plies:
        return branched(table, asked, look)
    play, position = table.play, table.latest
    if table.is_over:
        raise IllegalAction(f"illegal action {asked.action!r}: the game is over")
    if not table.is_person():
        raise HTTPException(409, f"it is not a person's turn: {table.saved.players[position.player()]} is to move")
    table.expect(asked.plies)
    play.push(position.parse_action(asked.action), table.spent)
    play.fall()
    after = table.keep()
    return view(after, None, look, position.player() if after.is_secret else None)


@router.post("/records/{address}/resign")
def resign(table: AtTable, asked: Plies, look: Looking) -> dict[str, Any]:
    """The person to move, or the only person at the board, gives the game up."""
    people = table.play.people
    if table.is_over or not people or table.game.players == 1:
        raise HTTPException(409, "there is nothing to give up")
    table.expect(asked.plies)
    table.play.resign(table.latest.player() if table.is_person() else people[0])
    return view(table.keep(), None, look)


@router.post("/records/{address}/back")
def take_back(table: AtTable, asked: Plies, look: Looking) -> dict[str, Any]:
    """Take moves back to the last decision of a person; where something is hidden or drawn, once the game is over."""
    people = table.play.people
    left = next((ply for ply in range(table.plies - 1, -1, -1) if table.play.plies[ply].seat in people), None)
    if left is None:
        raise HTTPException(409, "there is nothing to take back")
    table.expect(asked.plies)
    table = table.freed(back=True)
    table.play.take_back(table.plies - left)
    return view(table.keep(), None, look)


@router.post("/records/{address}/players")
def change_players(table: AtTable, asked: Seats, request: Request, look: Looking) -> dict[str, Any]:
    """Put other players at the board."""
    check_players(asked.players, table.game)
    hides = table.game.traits.information == "hidden"
    if hides and any(is_human(now) != is_human(new) for now, new in zip(table.saved.players, asked.players, strict=True)):
        raise HTTPException(409, "in a game with hidden information people keep their seats")
    leaves = any(is_away(now) and not is_away(new) for now, new in zip(table.saved.players, asked.players, strict=True))
    if hides and leaves and not table.is_over:  # or this screen would see the friend's hand
        raise HTTPException(409, "in a game with hidden information a friend keeps the seat until it is over")
    request.app.state.thinkers.forget(table.saved.address)
    return view(table.keep(players=asked.players), None, look)


@router.post("/prepare")
def prepare(asked: NewRecord, request: Request) -> Response:
    """Compile what the players of a game need, while a person still thinks about the first move: lines of JSON, `ready` last."""
    check_players(asked.players, asked.opened())
    beside = request.app.state.beside
    if beside is None or beside.waiting:  # others are being prepared: this one compiles when its move is due
        return JSONResponse({"ready": False})

    def work(tell: Tell, stop: threading.Event) -> None:
        position = asked.position(compiled=None)
        for text in dict.fromkeys(asked.players):
            if not is_human(text) and not stop.is_set():
                with watch_compiling(lambda kernel: tell({"compiling": kernel.strip("_")})):
                    seated(text, position.game).get_ready(position)
        tell({"ready": True})

    return lines_of(beside.run(work))


@router.post("/records/{address}/reply")
def reply(table: AtTable, asked: Plies, request: Request, look: Looking) -> StreamingResponse:
    """Let the player to move think and move: a stream of lines of JSON, the place in the queue first, the game last."""
    table.expect(asked.plies)
    if table.is_over or table.is_person():
        raise HTTPException(409, "no search is to move here")
    address, seat, thinkers = table.saved.address, table.latest.player(), request.app.state.thinkers

    def think(tell: Tell, stop: threading.Event) -> None:
        if Table.at(table.store, address).saved != table.saved:  # while this one stood in the queue
            raise Unavailable(GONE_ON)
        with watch_compiling(lambda kernel: tell({"compiling": kernel.strip("_")})):
            answer = thinkers.reply(table.saved, stop)
        if answer is None:
            raise Stopped
        event, thinking = answer
        after = Table.at(table.store, address)  # as it is by now
        if after.saved != table.saved:
            raise Unavailable(GONE_ON)
        if event.kind == "end":
            thinkers.forget(address)
            if thinking.ending not in (Ending.RESIGNED, Ending.TIME):
                raise Unavailable(event.text or "the game is over")
            after.play.lose(seat, thinking.ending)
        else:
            after.play.push(event.text, event.seconds)
            after.play.fall()
        told = {**view(after.keep(), None, look), "note": event.note}
        if event.thought is not None and table.game.traits.information == "perfect":
            told["thought"] = _thought(event.thought)
        tell({"record": boards.clean(told)})

    return lines_of(request.app.state.desk.run(think))


def _thought(found: Result) -> dict[str, Any]:
    return {key: getattr(found, key) for key in ("value", "unit", "scale", "depth", "nodes", "seconds", "exact")}
