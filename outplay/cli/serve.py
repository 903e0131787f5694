"""`serve`: the studio in the browser."""

from __future__ import annotations

import contextlib
import errno
import socket
import sys
from typing import Annotated

from outplay.cli.commands import Argument, Option
from outplay.cli.common import tell
from outplay.errors import BadValue, Unavailable, shorten

PORT = 8321
FEWEST_FILES = 64
PATIENCE = 20  # further ports that are tried where nobody asked for one

Port = Annotated[int | None, Option("--port", metavar="N", help=f"The port; default: {PORT} or the next free one.")]
Files = Annotated[list[str] | None, Argument(metavar="[FILE.py]...", help="Games of your own, shown on every page.")]
Books = Annotated[list[str] | None, Option("--book", metavar="FILE", help="An opening book to explore; may be repeated.")]
Host = Annotated[str, Option("--host", metavar="NAME", help="Where to listen; default: for this computer only.")]


Contest = Annotated[str, Option("--contest", metavar="FOLDER", help="A contest to watch while it is played, on the page /contest.")]


def serve(files: Files = None, port: Port = None, host: Host = "127.0.0.1", book: Books = None, contest: Contest = "") -> None:
    """Open the studio in the browser: play, think, look inside searches, compare them, learn. Ctrl-C ends it."""
    if port is not None and not 0 <= port <= 65535:
        raise BadValue(f"--port must be from 0 to 65535, got {port}")
    _need_files()
    try:
        import uvicorn

        from outplay.web.app import create_app
    except ImportError as problem:
        raise Unavailable(f"the studio needs {problem.name}: pip install 'outplay[studio]'") from None
    from outplay.web import contests, explorer, own
    from outplay.web.guard import LOOPBACK
    from outplay.web.sockets import PatientProtocol, few_arenas, many_files
    from outplay.web.store import data_folder

    own.name_files(files or [])
    explorer.name_books(book or [])
    contests.name_contest(contest)
    listener = _listen(host, port)
    number = listener.getsockname()[1]
    anywhere = host in ("0.0.0.0", "::", "")
    name = "127.0.0.1" if anywhere else host
    shown = f"[{name}]" if ":" in name else name
    names = None if anywhere else (*dict.fromkeys((shown.lower(), *LOOPBACK)),)
    app = create_app(data_folder() / "studio.sqlite", hosts=names, prepares=True)
    tell(f"the studio is at http://{shown}:{number}/  (Ctrl-C ends it)")
    if contest:
        tell(f"the contest is at http://{shown}:{number}/contest")
    if anywhere:
        tell("every computer that can reach this one can use it")
    sys.setswitchinterval(0.001)  # pages stay quick while searches in plain Python share the interpreter with them
    few_arenas()
    many_files()
    server = uvicorn.Server(uvicorn.Config(app, http=PatientProtocol, log_level="warning", access_log=False, server_header=False,
                                           timeout_graceful_shutdown=1))  # fmt: skip
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


def _need_files() -> None:
    """Refuse a shell that lets us open so few files that the studio would break in the middle of an answer."""
    with contextlib.suppress(ImportError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]  # up to which `many_files` goes
        if most != resource.RLIM_INFINITY and most < FEWEST_FILES:
            raise Unavailable(f"the studio needs {FEWEST_FILES} open files, and {most} are allowed here: ulimit -n raises that")


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens: on the port asked for, or on the first free one from the usual one on."""
    ports = range(PORT, PORT + PATIENCE) if port is None else [port]
    for number in ports:
        try:
            family = socket.getaddrinfo(host or "0.0.0.0", number, type=socket.SOCK_STREAM)[0][0]
            # Named as TCP, asyncio sets TCP_NODELAY on what it accepts; else each answer waits 40 ms for a delayed ACK.
            listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, number))
            listener.listen(512)
            return listener
        except (OSError, UnicodeError) as problem:
            if isinstance(problem, UnicodeError):
                raise BadValue(f"--host must be a name or an address, got {shorten(host)!r}") from None
            if problem.errno != errno.EADDRINUSE or number == ports[-1]:
                raise Unavailable(f"cannot listen on {host}:{number}: {problem.strerror or problem}") from None
    raise AssertionError("there is always a last port")
