"""A route for sharing: a game as one page that plays without the studio (`outplay.pages`)."""

from __future__ import annotations

import threading

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from outplay.jit import watch_compiling
from outplay.pages.build import page
from outplay.players.networks import usual
from outplay.web import limits as most
from outplay.web.choices import open_game
from outplay.web.desk import Stopped, Tell
from outplay.web.streams import lines_of

router = APIRouter(prefix="/api", tags=["sharing"])


class Wanted(BaseModel):
    """The game that is to become a page."""

    game: str = Field(max_length=most.MOST_TEXT)


@router.post("/page")
def save_as_page(asked: Wanted, request: Request) -> StreamingResponse:
    """A game as one HTML file: lines of JSON with what is compiled, the last one with the page."""
    game = open_game(asked.game)

    def work(tell: Tell, stop: threading.Event) -> None:
        def compiling(kernel: str) -> None:
            if stop.is_set():
                raise Stopped
            tell({"compiling": kernel.strip("_")})

        with watch_compiling(compiling):
            text, searches = page(usual(game))
        tell({"page": text, "searches": searches})

    return lines_of(request.app.state.desk.run(work))
