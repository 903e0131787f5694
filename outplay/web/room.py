"""The students' door: an application and a listener of its own, with the page to join by and nothing else of the studio.

The studio itself stays where it is, on this computer alone. Whoever reaches this door finds a page, its scripts and styles, and
three questions that it may ask: to join by the code, what is to be seen, and to answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from outplay.errors import BadValue, OutplayError, Unavailable
from outplay.views.theme import STYLE
from outplay.web.guard import LOOPBACK, Guard
from outplay.web.live import CODE, LETTERS, Lesson, Stranger
from outplay.web.sockets import PatientProtocol
from outplay.web.wire import Compressed

PORT = 8322
PATIENCE = 20
"""Further ports that are tried."""
WAIT_SECONDS = 25.0
"""How long a browser waits for something new before it asks again."""
MOST_WRONG, WRONG_SECONDS = 30, 60.0
"""Wrong codes from one address in so many seconds, before it has to wait."""
MOST_CONNECTIONS = 1000
"""At a time; who comes then is told to come later."""
STATIC = Path(__file__).parent / "static"
FILES = {"icon.svg": "image/svg+xml", "studio.css": "text/css", "studio.js": "text/javascript", "board.js": "text/javascript",
         "words.js": "text/javascript", "join.js": "text/javascript", "results.js": "text/javascript",
         "language.js": "text/javascript", "phrases.js": "text/javascript", "de.json": "application/json"}  # fmt: skip
"""All that the students' page loads."""


class RoomProtocol(PatientProtocol):
    """The same patience; who is silent here is no matter of the studio's."""

    silent: ClassVar[dict[PatientProtocol, asyncio.TimerHandle]] = {}


class Wrong:
    """Who types wrong codes, and has to wait after many."""

    def __init__(self) -> None:
        self.wrong: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def count_wrong(self, who: str) -> None:
        """Note a wrong code; those that try many have to wait."""
        began, times = self.wrong.pop(who, (time.monotonic(), 0))
        if time.monotonic() - began > WRONG_SECONDS:
            began, times = time.monotonic(), 0
        self.wrong[who] = began, times + 1
        while len(self.wrong) > 1000:
            self.wrong.popitem(last=False)

    def may_try(self, who: str) -> bool:
        """Whether this address may try a code."""
        began, times = self.wrong.get(who, (0.0, 0))
        return times < MOST_WRONG or time.monotonic() - began > WRONG_SECONDS


class Hall(Wrong):
    """What the routes share: the lesson, the event that something is new, and who types wrong codes."""

    def __init__(self, lesson: Lesson) -> None:
        super().__init__()
        self.lesson = lesson
        self.turned = asyncio.Event()
        self.loop: asyncio.AbstractEventLoop | None = None

    def wake(self) -> None:
        """Something is new: from any thread."""
        if self.loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has gone
                self.loop.call_soon_threadsafe(self._turn)

    def _turn(self) -> None:
        before, self.turned = self.turned, asyncio.Event()
        before.set()


def create_room(lesson: Lesson, names: tuple[str, ...] = LOOPBACK) -> Any:
    """The application of the students' door; `names` are the hosts that it answers to beside numbers."""
    hall = Hall(lesson)
    lesson.wake = hall.wake

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        hall.loop = asyncio.get_running_loop()
        hall._turn()
        yield
        hall.loop = None

    async def join(request: Request) -> Response:
        code = (await body_of(request, code=str))["code"]
        who = request.client.host if request.client else ""
        if not hall.may_try(who):
            return _error(429, f"too many wrong codes from here: wait {WRONG_SECONDS:g} s")
        try:
            student = lesson.join(code)
        except Stranger:
            hall.count_wrong(who)
            raise
        return JSONResponse({"token": student.token, "name": student.name})

    async def follow(request: Request) -> Response:
        asked = await body_of(request, token=str, turn=int)
        lesson.student(asked["token"])
        until = time.monotonic() + WAIT_SECONDS
        while True:
            turned = hall.turned  # before the look: what comes after it sets this one
            if lesson.turn != asked["turn"]:
                break
            try:
                await asyncio.wait_for(turned.wait(), max(0.0, until - time.monotonic()))
            except TimeoutError:
                lesson.student(asked["token"])
                return JSONResponse({"turn": asked["turn"], "same": True})
        plain, packed = lesson.spoken()
        headers = {"cache-control": "no-store", "vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(packed, media_type="application/json", headers={**headers, "content-encoding": "gzip"})
        return Response(plain, media_type="application/json", headers=headers)

    async def answer(request: Request) -> Response:
        asked = await body_of(request, token=str, round=int, key=str)
        lesson.answer(asked["token"], asked["round"], asked["key"])
        return JSONResponse({"answer": asked["key"]})

    questions = {"join": join, "follow": follow, "answer": answer}
    return door_of("join.html", FILES, is_code, questions, names, life)


def door_of(html: str, files: Mapping[str, str], fits: Callable[[str], bool], questions: Mapping[str, Callable[[Request], Any]],
            names: tuple[str, ...], life: Any = None) -> Any:
    """The application behind a door: its page, with a code behind the address or without, the files it loads, and its questions."""

    async def page(request: Request) -> Response:
        if request.path_params and not fits(request.path_params["code"]):
            raise HTTPException(404)
        return HTMLResponse((STATIC / html).read_text("utf-8"), headers={"cache-control": "no-store"})

    async def file(request: Request) -> Response:
        name = request.path_params["name"]
        if name == "scene.css":
            return Response(STYLE, media_type="text/css")
        if name not in files:
            raise HTTPException(404)
        return Response((STATIC / name).read_bytes(), media_type=files[name])

    asked = [Route(f"/api/{name}", answer, methods=["POST"]) for name, answer in questions.items()]
    app = Starlette(routes=[Route("/", page), Route("/{code:str}", page), Route("/static/{name}", file), *asked], lifespan=life,
                    exception_handlers=HANDLERS)  # fmt: skip
    app.add_middleware(Compressed)
    app.add_middleware(Guard, hosts=names, numbers=True)
    return app


def is_code(text: str) -> bool:
    """Whether a text may be a code, as far as its letters go.

    >>> is_code("krtmb"), is_code("play")
    (True, False)
    """
    return len(text) == CODE and all(letter in LETTERS for letter in text.upper())


async def body_of(request: Request, **wanted: type) -> dict[str, Any]:
    """What a request says: just these names, each of its kind."""
    try:
        found = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise BadValue("expected JSON") from None
    has_all = isinstance(found, dict) and set(found) == set(wanted)
    if not has_all or any(type(found[key]) is not kind for key, kind in wanted.items()):
        raise BadValue(f"expected {', '.join(f'{key} ({kind.__name__})' for key, kind in wanted.items())}")
    return dict(found)


def _error(status: int, message: str) -> JSONResponse:
    sendable = message.encode("utf-8", "replace").decode()  # half of a pair of surrogates cannot be written
    return JSONResponse({"error": " ".join(sendable.split())}, status)


async def _outplay_error(request: Request, problem: Exception) -> Response:
    return _error(403 if isinstance(problem, Stranger) else 503 if isinstance(problem, Unavailable) else 422, str(problem))


async def _http_error(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    return _error(problem.status_code, "there is no such page" if problem.status_code == 404 else str(problem.detail))


async def _failure(request: Request, problem: Exception) -> Response:
    return _error(500, f"internal error: {type(problem).__name__}")


HANDLERS: dict[Any, Any] = {OutplayError: _outplay_error, HTTPException: _http_error, Exception: _failure}


# ---------------------------------------------------------------- the listener


class Listener:
    """An application behind a socket of its own, in a thread of its own; on this computer alone unless opened to the network."""

    def __init__(self, make: Callable[[tuple[str, ...]], Any], to_network: bool, name: str) -> None:
        self.to_network = to_network
        listener = listen("0.0.0.0" if to_network else "127.0.0.1")
        self.port = listener.getsockname()[1]
        self.host = own_address() if to_network else "127.0.0.1"
        app = make((self.host, *LOOPBACK, *own_names()) if to_network else LOOPBACK)
        self._server = uvicorn.Server(uvicorn.Config(
            app, http=RoomProtocol, log_level="warning", access_log=False, server_header=False,
            limit_concurrency=MOST_CONNECTIONS, timeout_graceful_shutdown=2))  # fmt: skip
        self._thread = threading.Thread(target=self._server.run, args=([listener],), daemon=True, name=f"outplay {name}")
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            time.sleep(0.005)

    @property
    def address(self) -> str:
        """What people type."""
        return f"http://{self.host}:{self.port}/"

    def close(self) -> None:
        """Leave the port; what is being answered has a moment."""
        self._server.should_exit = True
        self._thread.join(5)


class Room(Listener):
    """A lesson behind a listener of its own."""

    def __init__(self, to_network: bool = False, code: str | None = None) -> None:
        self.lesson = Lesson(code)
        super().__init__(lambda names: create_room(self.lesson, names), to_network, "class")

    def close(self) -> None:
        """Tell all that it is over, forget everything, and leave the port."""
        self.lesson.close()
        super().close()


def listen(host: str) -> socket.socket:
    """A socket on the first free port from the usual one on."""
    for number in range(PORT, PORT + PATIENCE):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, number))
            listener.listen(512)
            return listener
        except OSError as problem:
            listener.close()
            if problem.errno != errno.EADDRINUSE or number == PORT + PATIENCE - 1:
                raise Unavailable(f"cannot listen on {host}:{number}: {problem.strerror or problem}") from None
    raise AssertionError("there is always a last port")


def own_address() -> str:
    """The address by which the network reaches this computer; nothing is sent to find it out."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address for examples (RFC 5737): the route there tells which of ours is meant
        return str(probe.getsockname()[0])
    return socket.gethostname()


def own_names() -> tuple[str, ...]:
    """What this computer is called in its network."""
    name = socket.gethostname().lower()
    return (name, f"{name.partition('.')[0]}.local")
