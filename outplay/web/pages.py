"""Routes for the pages themselves: plain files, read once."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse, Response

from outplay.views.theme import STYLE
from outplay.views.tree import script
from outplay.web import figures, gallery, own

router = APIRouter(include_in_schema=False)
TOPICS = ("formulation", "minimax", "alphabeta", "ordering", "cutoff", "lookup", "chance", "opponents", "players", "hidden",
          "regret", "mcts", "learning", "paths", "plans", "constraints", "systems", "deep-blue", "chinook", "logistello",
          "td-gammon", "gib", "alphago")  # fmt: skip
STATIC = Path(__file__).parent / "static"


@functools.cache
def page(name: str) -> str:
    """A page of the studio: its own part inside the frame that all share."""
    title, _, body = (STATIC / f"{name.partition(',')[0]}.html").read_text("utf-8").partition("\n")
    if name == "learn":
        links = (
            f'<li><a class="game-card" href="/learn/{topic}"><span class="thumb">'
            f'<img loading="lazy" alt="" src="/figures/{topic}.svg"></span>'
            f"<strong>{number}. {_lesson(topic)[0]}</strong><span>{_first_words(topic)}</span></a></li>"
            for number, topic in enumerate(TOPICS, start=1)
        )
        body = body.replace("{{topics}}", "".join(links))
    if name == "home":
        body = body.replace("{{gallery}}", gallery.cards())
    if name == "home, first":  # the games are still being read: the page comes without them and asks for them
        body = body.replace("{{gallery}}", '<p class="faint" data-gallery>All games …</p>')
    return framed(name, title, body)


def framed(name: str, title: str, body: str) -> str:
    """A page inside the frame that all share."""
    frame = (STATIC / "frame.html").read_text("utf-8")
    if name.startswith("home"):  # no board stands there at first: the first paint need not wait for its style
        for part in ('<link rel="stylesheet" href="/static/scene.css">\n', '<script defer src="/static/board.js"></script>\n'):
            frame = frame.replace(part, "")
    return frame.replace("{{title}}", title).replace("{{body}}", body).replace(f'data-page="{name}"', 'aria-current="page"')


@functools.cache
def lesson(topic: str) -> str:
    """A page of the course: its text, with links to the topics before and after it."""
    place = TOPICS.index(topic)
    heading, text = _lesson(topic)
    around = []
    if place:
        around.append(f'<a class="button" href="/learn/{TOPICS[place - 1]}">← {_lesson(TOPICS[place - 1])[0]}</a>')
    if place + 1 < len(TOPICS):
        around.append(f'<a class="button next" href="/learn/{TOPICS[place + 1]}">{_lesson(TOPICS[place + 1])[0]} →</a>')
    body = (STATIC / "lesson.html").read_text("utf-8").replace("{{place}}", f"{place + 1} of {len(TOPICS)}")
    body = body.replace("{{heading}}", heading).replace("{{lesson}}", text).replace("{{neighbours}}", "".join(around))
    return framed("learn", heading, body)


def _first_words(topic: str) -> str:
    text = re.sub(r"<[^>]+>", "", _lesson(topic)[1].partition("<p>")[2].partition("</p>")[0])
    return " ".join(text.split("\n")).partition(". ")[0].rstrip(".") + "."


def _lesson(topic: str) -> tuple[str, str]:
    heading, _, text = (STATIC / "learn" / f"{topic}.html").read_text("utf-8").partition("\n")
    return heading, text


@router.get("/")
def home() -> HTMLResponse:
    """The front page: what this is, all games, three doors."""
    if not gallery.is_ready():
        return HTMLResponse(page("home, first"))
    return HTMLResponse(page("home") if not own.named else page.__wrapped__("home"))


@router.get("/gallery")
def gallery_part() -> HTMLResponse:
    """The gallery alone, for a front page that did not wait for it."""
    return HTMLResponse(gallery.cards())


@router.get("/pictures/{name}.svg")
def game_picture(name: str) -> Response:
    """A picture of a game, for the gallery."""
    if name not in {game["name"] for game in gallery.listed()}:
        raise HTTPException(404)
    return Response(gallery.picture(name), media_type="image/svg+xml", headers={"cache-control": "max-age=3600"})


@router.get("/play")
@router.get("/play/{address}")
@router.get("/watch/{address}")
async def play_page(address: str = "") -> HTMLResponse:
    """Play, with a game's address or without."""
    return HTMLResponse(page("play"))


@router.get("/arena")
@router.get("/arena/{address}")
async def arena_page(address: str = "") -> HTMLResponse:
    """Matches and round robins."""
    return HTMLResponse(page("arena"))


@router.get("/learn/{topic}")
async def learn_page(topic: str) -> HTMLResponse:
    """One topic of the course."""
    if topic not in TOPICS:
        raise HTTPException(404)
    return HTMLResponse(lesson(topic))


@router.get("/figures/{topic}.svg")
def figure(topic: str) -> Response:
    """A small picture for a topic of the course."""
    if topic not in TOPICS:
        raise HTTPException(404)
    return Response(figures.figure(topic), media_type="image/svg+xml", headers={"cache-control": "max-age=3600"})


@router.get("/static/tree.js")
async def stepper() -> Response:
    """The program that steps through trees, which standalone files carry, too."""
    return Response(script(), media_type="text/javascript")


@router.get("/static/scene.css")
async def scene_style() -> Response:
    """The style sheet of all pictures, which standalone files carry in themselves."""
    return Response(STYLE, media_type="text/css")


@router.get("/{name}")
async def other_page(name: str) -> HTMLResponse:
    """Look inside, compare, learn, API."""
    if name not in ("inside", "compare", "constraints", "yours", "learn", "api"):
        raise HTTPException(404)
    return HTMLResponse(page(name))
