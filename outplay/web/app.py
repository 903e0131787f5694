"""The application: routes, guard, store and desk joined.

>>> from fastapi.testclient import TestClient
>>> studio = TestClient(create_app(), base_url="http://localhost")
>>> studio.post("/api/positions", json={"game": "tic tac toe", "actions": ["b2"]}).json()["position"]
'.../.x./... o'
>>> studio.post("/api/positions", json={"game": "tic tac tow"}).json()
{'error': "unknown game 'tic tac tow': did you mean 'tic-tac-toe'?"}
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

import outplay
from outplay import extras
from outplay.compiling import cache
from outplay.errors import OutplayError, shorten
from outplay.jit import load_compiler
from outplay.web import (
    advice,
    arenas,
    constraints,
    contests,
    explorer,
    friends,
    gallery,
    glances,
    insides,
    judging,
    lessons,
    moves,
    own,
    pages,
    puzzling,
    rating,
    records,
    searches,
    sharing,
    teaching,
    tree,
    trees,
)
from outplay.web.compiler import Compiler
from outplay.web.desk import Busy, Desk
from outplay.web.guard import LOOPBACK, Guard
from outplay.web.store import Store
from outplay.web.tables import Thinkers
from outplay.web.wire import Compressed

DESCRIPTION = "Play, solve and explain games. Positions in, streams of results out; errors are one line, `error`."


def create_app(
    data: Path | None = None, hosts: tuple[str, ...] | None = LOOPBACK, seats: int | None = None, prepares: bool = False
) -> FastAPI:
    """The studio; `data` is the file of saved games (None: in memory), `hosts` the names it answers to (None: any).

    One that `prepares` compiles an opponent as soon as a person sits down, not when the first reply is due, and in another process.
    """

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        if compiler is not None:
            cache.keepers[:] = [compiler]
        threading.Thread(target=gallery.listed, daemon=True, name="outplay gallery").start()  # the first page need not wait for it
        await arenas.resume(app)
        yield
        for live in list(app.state.running.values()):
            if live.task is not None:
                live.task.cancel()
        app.state.desk.close()
        for listener in (app.state.room, app.state.friends):
            if listener is not None:
                listener.close()
        if compiler is not None:
            cache.keepers.clear()
            compiler.close()
        if app.state.beside is not None:
            app.state.beside.close()
        app.state.store.close()

    compiler = Compiler() if prepares else None
    load_compiler()  # before there are threads: two that load it at once have met half of it, and waited for each other
    app = FastAPI(title="Outplay", version=outplay.__version__, docs_url=None, redoc_url=None, lifespan=life,
                  description=DESCRIPTION)  # fmt: skip
    app.state.store = Store(data)
    app.state.orchard = trees.Orchard()
    app.state.thinkers = Thinkers()
    app.state.beside = Desk(1, 1) if prepares else None  # one opponent at a time is compiled ahead, on no search's seat
    app.state.desk = Desk() if seats is None else Desk(seats)
    app.state.room, app.state.door = None, threading.Lock()  # the class that is open, and the door through which it comes and goes
    app.state.friends = None  # the door of friends who play from another device
    app.state.running = {}  # the matches that are being played
    parts = (records, glances, moves, tree, judging, advice, searches, explorer, insides, trees, arenas, constraints,
             own, lessons, sharing, puzzling, rating, teaching, contests, friends, pages)  # fmt: skip
    for part in parts:
        app.include_router(part.router)
    for each in extras.every():
        if each.pages:
            app.include_router(each.fetch(each.pages))
    app.mount("/static", StaticFiles(directory=pages.STATIC), name="static")
    app.add_exception_handler(OutplayError, _outplay_error)
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _failure)
    app.add_middleware(Compressed)
    app.add_middleware(Guard, hosts=hosts)
    return app


def _error(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error": " ".join(message.split())}, status)


async def _outplay_error(request: Request, problem: Exception) -> JSONResponse:
    return _error(503 if isinstance(problem, Busy) else 422, str(problem))


async def _bad_request(request: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, RequestValidationError)
    first: dict[str, Any] = problem.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body") or "the request"
    return _error(422, f"{shorten(where)}: {first['msg'][:1].lower()}{first['msg'][1:]}, got {shorten(repr(first.get('input')))}")


async def _http_error(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    if problem.status_code == 404 and not request.url.path.startswith("/api") and "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(pages.page("missing"), 404)
    return _error(problem.status_code, "there is no such page" if problem.detail == "Not Found" else str(problem.detail))


async def _failure(request: Request, problem: Exception) -> JSONResponse:
    return _error(500, f"internal error: {type(problem).__name__}")
