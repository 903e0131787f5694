"""Answers as streams: one JSON object a line, as soon as there is something to say."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from fastapi.responses import StreamingResponse

from outplay.web.boards import clean
from outplay.web.desk import Message


def lines_of(messages: AsyncIterator[Message]) -> StreamingResponse:
    """A response of one line a message; a reader that goes away ends the messages, too."""

    async def lines() -> AsyncIterator[str]:
        try:
            async for message in messages:
                yield json.dumps(clean(message), ensure_ascii=False) + "\n"
        finally:
            await messages.aclose()  # type: ignore[attr-defined]  # generators have it

    return StreamingResponse(lines(), media_type="application/x-ndjson", headers={"cache-control": "no-store"})
