"""Who may ask: a guard before every route, written against the bare ASGI interface so that streams pass through untouched.

A page of another site may not start searches here or read answers (cross-site requests), a foreign name that points at this
machine is not served (DNS rebinding), and nothing larger than a request may be is ever read into memory.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.exceptions import HTTPException

from outplay.errors import shorten
from outplay.web.limits import BODY_SECONDS, MOST_BODY

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
SAFE = ("GET", "HEAD", "OPTIONS")

HEADERS = [
    (b"content-security-policy", b"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
     b"img-src 'self' data: blob:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
]  # fmt: skip


class Guard:
    """ASGI middleware: refuses strangers in one line of JSON; `hosts` is None where any name will do.

    With `numbers` every address in figures will do, too: no foreign name can stand for one.
    """

    def __init__(self, app: Any, hosts: tuple[str, ...] | None = LOOPBACK, numbers: bool = False) -> None:
        self.app = app
        self.hosts = hosts
        self.numbers = numbers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers: dict[str, str] = {}
        for key, value in ((key.decode("latin-1").lower(), value.decode("latin-1")) for key, value in scope["headers"]):
            headers[key] = f"{headers[key]}, {value}" if key in headers else value  # of two origins none is ours
        refusal = self.refusal(scope["method"], headers)
        if refusal:
            await _answer(send, *refusal)
            return

        async def guarded_send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
            await send(message)

        await self.app(scope, _bounded(receive), guarded_send)

    def refusal(self, method: str, headers: dict[str, str]) -> tuple[int, str] | None:
        """Why a request is refused, or None."""
        host = headers.get("host", "")
        name, _, port = host.rpartition(":") if not host.endswith("]") and ":" in host else (host, "", "")
        if port and not (port.isascii() and port.isdecimal()):
            return 421, f"unknown host {shorten(host)!r}: a port is a number"
        if self.hosts is not None and name.lower() not in self.hosts and not (self.numbers and _is_number(name)):
            return 421, f"unknown host {shorten(host)!r}: this studio is at {self.hosts[0]}"
        if method not in SAFE:
            site = headers.get("sec-fetch-site", "same-origin")
            origin = headers.get("origin")
            if site not in ("same-origin", "none") or (origin is not None and origin not in (f"http://{host}", f"https://{host}")):
                return 403, "requests from other sites are refused"
            if headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
                return 415, f"expected content-type application/json, got {shorten(headers.get('content-type', 'nothing'))!r}"
            length = headers.get("content-length", "0")
            if not length.isdecimal() or len(length) > 12 or int(length) > MOST_BODY:
                return 413, f"a request may have {MOST_BODY} bytes at most, got {shorten(length, 20)}"
        return None


def _is_number(host: str) -> bool:
    """Whether a host is an address in figures."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _bounded(receive: Receive) -> Receive:
    """The same stream of messages, which breaks off when a body without a length grows too large or does not come."""
    seen = 0
    end: float | None = time.monotonic() + BODY_SECONDS

    async def read() -> MutableMapping[str, Any]:
        nonlocal seen, end
        try:
            message = await (receive() if end is None else asyncio.wait_for(receive(), max(0.0, end - time.monotonic())))
        except TimeoutError:
            raise HTTPException(408, f"the request did not arrive within {BODY_SECONDS:g} s") from None
        if not message.get("more_body", False):
            end = None  # from here on it only waits for the reader to leave
        seen += len(message.get("body", b""))
        if seen > MOST_BODY:
            raise HTTPException(413, f"a request may have {MOST_BODY} bytes at most")
        return message

    return read


async def _answer(send: Send, status: int, error: str) -> None:
    body = json.dumps({"error": error}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": [*headers, *HEADERS]})
    await send({"type": "http.response.body", "body": body})
