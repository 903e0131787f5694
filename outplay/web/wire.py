"""Answers compressed on their way: pages, scripts, pictures and JSON; streams go line by line as they are."""

from __future__ import annotations

import gzip
from collections.abc import MutableMapping
from typing import Any

from outplay.web.guard import Receive, Scope, Send

LEAST = 700  # bytes: below that there is nothing to gain
LEVEL = 6
KINDS = ("text/", "application/json", "application/javascript", "image/svg+xml")


class Compressed:
    """ASGI middleware; an answer whose length is known in advance is no stream."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or not any(key == b"accept-encoding" and b"gzip" in value for key, value in scope["headers"]):
            await self.app(scope, receive, send)
            return
        begun: MutableMapping[str, Any] = {}
        body = bytearray()

        async def packed(message: MutableMapping[str, Any]) -> None:
            nonlocal begun
            if message["type"] == "http.response.start" and _fits(message):
                begun = message
            elif message["type"] != "http.response.body" or not begun:
                await send(message)
            else:
                body.extend(message.get("body", b""))
                if not message.get("more_body", False):
                    small = gzip.compress(bytes(body), LEVEL, mtime=0)
                    kept = [(key, value) for key, value in begun["headers"] if key != b"content-length"]
                    kept += [(b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")]
                    await send({**begun, "headers": [*kept, (b"content-length", str(len(small)).encode())]})
                    await send({"type": "http.response.body", "body": small})

        await self.app(scope, receive, packed)


def _fits(message: MutableMapping[str, Any]) -> bool:
    headers = dict(message.get("headers", []))
    kind, length = headers.get(b"content-type", b"").decode("latin-1"), headers.get(b"content-length", b"0")
    is_plain = message["status"] == 200 and b"content-encoding" not in headers and b"content-range" not in headers
    return is_plain and kind.startswith(KINDS) and length.isdigit() and int(length) >= LEAST
