"""Friends at other devices: a seat is kept by a code, behind a door of its own that shows one game from that seat and nothing else.

The studio stays where it is, on this computer alone. A seat is offered by `POST /api/friends`; only that opens the door, and to
the network only where it is asked for. Whoever types the code sees what that seat may see: hidden hands never reach the door.

>>> is_code(code_of("some address", 1)), code_of("some address", 1) == code_of("some address", 0)
(True, False)
"""

from __future__ import annotations

import hashlib
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as Asking
from starlette.responses import JSONResponse, Response

from outplay.errors import BadValue
from outplay.web.boards import Look
from outplay.web.guard import LOOPBACK
from outplay.web.live import LETTERS, Stranger
from outplay.web.room import FILES, WRONG_SECONDS, Listener, Wrong, body_of, door_of
from outplay.web.seeing import view
from outplay.web.store import Store
from outplay.web.tables import FRIEND, Table, is_human

router = APIRouter(prefix="/api/friends", tags=["play"])
CODE = 8
OWN_FILES = {name: kind for name, kind in FILES.items() if name not in ("join.js", "results.js")} | {"friend.js": "text/javascript"}
KEPT = ("game", "position", "player", "seats", "to_move", "chance", "terminal", "utilities", "result", "task", "ended", "caption",
        "legal", "unlisted", "board", "players", "plies", "at", "record", "notation", "movers", "reason", "person", "away",
        "hidden", "eyes", "movable", "happened", "standing", "faces", "auction", "waiting", "clock")  # fmt: skip
"""What a friend's page hears of a game: no address, no past lines, no tools."""


class Seat(BaseModel):
    """A seat of a saved game, and whether other computers may reach its door."""

    model_config = ConfigDict(extra="forbid")

    address: str = Field(max_length=40)
    seat: int = Field(ge=0, lt=32)
    network: bool = Field(False, description="Let every computer on the network reach the door, by the code")


def code_of(address: str, seat: int) -> str:
    """The code of a seat: always the same, and not to be guessed by who does not know the game's address."""
    digest = hashlib.blake2b(f"{address} {seat}".encode(), digest_size=CODE, person=b"outplay friend").digest()
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest)


def is_code(text: str) -> bool:
    """Whether a text may be a code, as far as its letters go."""
    return len(text) == CODE and all(letter in LETTERS for letter in text.upper())


class Door(Listener):
    """The seats that are offered, behind a listener of its own."""

    def __init__(self, store: Store, to_network: bool) -> None:
        self.seats: dict[str, tuple[str, int]] = {}
        super().__init__(lambda names: create_door(store, self.seats, names), to_network, "friends")


@router.get("")
def look(request: Request) -> dict[str, Any]:
    """Whether the door is open, and to whom."""
    door = request.app.state.friends
    return {"open": False} if door is None else {"open": True, "address": door.address, "network": door.to_network,
                                                 "seats": len(door.seats)}  # fmt: skip


@router.post("")
def offer(asked: Seat, request: Request) -> dict[str, Any]:
    """Keep a seat for a friend: the code, and the address under which their device finds it."""
    state = request.app.state
    table = Table.at(state.store, asked.address)
    if asked.seat >= table.game.players or not is_human(table.saved.players[asked.seat]):
        raise BadValue("a seat is kept for a friend where a person sits")
    others = [text for seat, text in enumerate(table.saved.players) if seat != asked.seat]
    if not any(is_human(text) and text != FRIEND for text in others):
        raise BadValue("one person at least stays at this screen")
    players = [FRIEND if seat == asked.seat else text for seat, text in enumerate(table.saved.players)]
    with state.door:
        if state.friends is not None and state.friends.to_network != asked.network:
            kept = state.friends.seats
            state.friends.close()
            state.friends = Door(state.store, asked.network)
            state.friends.seats.update(kept)
        elif state.friends is None:
            state.friends = Door(state.store, asked.network)
        code = code_of(asked.address, asked.seat)
        state.friends.seats[code] = (asked.address, asked.seat)
    if tuple(players) != table.saved.players:
        table.keep(players=players)
    where = state.friends.address
    return {"code": code, "address": where, "link": f"{where}{code}", "network": state.friends.to_network}


@router.post("/close")
def close(request: Request) -> dict[str, Any]:
    """Shut the door; the seats stay as they are, and their codes hold when it is opened again."""
    with request.app.state.door:
        door, request.app.state.friends = request.app.state.friends, None
    if door is not None:
        door.close()
    return {"open": False}


def create_door(store: Store, seats: dict[str, tuple[str, int]], names: tuple[str, ...] = LOOPBACK) -> Any:
    """The application behind the door: a page, what it loads, and three questions, each with the code."""
    wrong = Wrong()

    def sit(request: Asking, code: str) -> Table:
        who = request.client.host if request.client else ""
        if not wrong.may_try(who):
            raise HTTPException(429, f"too many wrong codes from here: wait {WRONG_SECONDS:g} s")
        found = seats.get(code.strip().upper())
        if found is None:
            wrong.count_wrong(who)
            raise Stranger("no seat is kept by this code: ask for it again")
        return Table.at(store, *found)

    def told(table: Table, narrow: bool, at: int | None = None) -> dict[str, Any]:
        assert table.seat is not None
        look = Look(flip=False, narrow=narrow)
        seen = view(table, None, look, table.seat)
        if seen["board"] and seen["board"]["turns"] and seen["board"]["below"] != table.seat:
            look = Look(flip=True, narrow=narrow)
        seen = view(table, at, look, table.seat)
        return {key: seen[key] for key in KEPT if key in seen} | {"seat": table.seat, "flip": look.flip}

    async def see(request: Asking) -> Response:
        asked = await body_of(request, code=str, plies=int, narrow=bool)

        def work() -> dict[str, Any]:
            table = sit(request, asked["code"])
            return {"same": True} if table.plies == asked["plies"] else told(table, asked["narrow"])

        return JSONResponse(await run_in_threadpool(work))

    async def move(request: Asking) -> Response:
        asked = await body_of(request, code=str, plies=int, action=str, narrow=bool)

        def work() -> dict[str, Any]:
            table = sit(request, asked["code"])
            position = table.persons_turn(asked["plies"])
            table.play.push(position.parse_action(asked["action"]), table.spent)
            table.play.fall()
            return told(table.keep(), asked["narrow"])

        return JSONResponse(await run_in_threadpool(work))

    async def resign(request: Asking) -> Response:
        asked = await body_of(request, code=str, plies=int, narrow=bool)

        def work() -> dict[str, Any]:
            table = sit(request, asked["code"])
            table.expect(asked["plies"])
            if table.is_over:
                raise HTTPException(409, "there is nothing to give up")
            assert table.seat is not None
            table.play.resign(table.seat)
            return told(table.keep(), asked["narrow"])

        return JSONResponse(await run_in_threadpool(work))

    return door_of("friend.html", OWN_FILES, is_code, {"see": see, "move": move, "resign": resign}, names)
