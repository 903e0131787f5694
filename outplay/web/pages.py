"""Routes for the pages themselves: plain files, read once."""

from __future__ import annotations

import functools
from pathlib import Path

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from outplay.views.tree import script

router = APIRouter(include_in_schema=False)
STATIC = Path(__file__).parent / "static"


@functools.cache
def page(name: str) -> str:
    """A page of the studio: its own part inside the frame that all share."""
    frame = (STATIC / "frame.html").read_text("utf-8")
    title, _, body = (STATIC / f"{name}.html").read_text("utf-8").partition("\n")
    return frame.replace("{{title}}", title).replace("{{body}}", body).replace(f'data-page="{name}"', 'aria-current="page"')


@router.get("/")
def home() -> RedirectResponse:
    """The studio opens on the board."""
    return RedirectResponse("/play")


@router.get("/play")
@router.get("/play/{address}")
def play_page(address: str = "") -> HTMLResponse:
    """Play, with a game's address or without."""
    return HTMLResponse(page("play"))


@router.get("/static/tree.js")
def stepper() -> Response:
    """The program that steps through trees, which standalone files carry, too."""
    return Response(script(), media_type="text/javascript")


@router.get("/{name}")
def other_page(name: str) -> HTMLResponse:
    """Look inside, compare, learn, API."""
    if name not in ("inside", "compare", "learn", "api"):
        raise HTTPException(404)
    return HTMLResponse(page(name))
