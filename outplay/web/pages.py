"""Routes for the pages themselves: plain files, read once."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse, Response

from outplay.errors import BadValue
from outplay.lessons import exercises, table
from outplay.picture import COLOURS, Cell
from outplay.views import svg
from outplay.views.pieces import SHAPES
from outplay.views.theme import STYLE
from outplay.views.tree import script
from outplay.web import figures, gallery, own

router = APIRouter(include_in_schema=False)
PARTS = {
    "A game and its tree": ("formulation", "sums", "sizes"),
    "Two players": ("minimax", "alphabeta", "ordering", "variants"),
    "When the end is too far away": ("cutoff", "features", "quiescence", "strength", "isolation", "lookup"),
    "Dice, and opponents who err": ("chance", "monopoly", "opponents"),
    "More than two players": ("players", "korf"),
    "What cannot be seen": ("hidden", "battleships", "regret"),
    "Playing out and learning": ("mcts", "sampling", "learning", "samuel", "scrabble"),
    "One player": ("paths", "memory", "online", "plans", "constraints"),
    "Programs that made history": ("systems", "deep-blue", "chinook", "logistello", "td-gammon", "gib", "alphago"),
    "Counted and measured": ("counted", "rolls", "hundred", "second", "slips"),
}
"""The lessons in their order, part by part."""
TOPICS = tuple(topic for part in PARTS.values() for topic in part)
STATIC = Path(__file__).parent / "static"


@functools.cache
def page(name: str) -> str:
    """A page of the studio: its own part inside the frame that all share."""
    title, _, body = (STATIC / f"{name.partition(',')[0]}.html").read_text("utf-8").partition("\n")
    if name == "learn":
        parts = (f'<h2>{part}</h2><ul class="topics">{_cards(topics)}</ul>' for part, topics in PARTS.items())
        body = body.replace("{{parts}}", "".join(parts))
    if name == "home":
        body = body.replace("{{gallery}}", gallery.cards())
    if name == "home, first":  # the games are still being read: the page comes without them and asks for them
        body = body.replace("{{gallery}}", '<p class="faint" data-gallery>All games …</p>')
    return framed(name, title, body)


def _cards(topics: tuple[str, ...]) -> str:
    return "".join(
        f'<li><a class="game-card" href="/learn/{topic}"><span class="thumb">'
        f'<img loading="lazy" decoding="async" alt="" src="/figures/{topic}.svg"></span>'
        f"<strong>{TOPICS.index(topic) + 1}. {_lesson(topic)[0]}</strong><span>{_first_words(topic)}</span></a></li>"
        for topic in topics
    )


def page_part(name: str) -> str:
    """A page's own part, without the line of its title."""
    return (STATIC / f"{name}.html").read_text("utf-8").partition("\n")[2]


def framed(name: str, title: str, body: str) -> str:
    """A page inside the frame that all share."""
    frame = (STATIC / "frame.html").read_text("utf-8")
    if name.startswith("home") or (name, title) == ("learn", "Learn"):  # no board stands there at first: its style can wait
        frame = frame.replace('<link rel="stylesheet" href="/static/scene.css">\n', "")
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
    if topic in exercises.topics():
        text += f'<h2>Exercises</h2>\n<div class="live" data-live="exercises" data-topic="{topic}"></div>\n'
    body = (STATIC / "lesson.html").read_text("utf-8").replace("{{place}}", f"{place + 1} of {len(TOPICS)}")
    body = body.replace("{{heading}}", heading).replace("{{lesson}}", text).replace("{{neighbours}}", "".join(around))
    return framed("learn", heading, body)


def _first_words(topic: str) -> str:
    text = re.sub(r"<sup>(.*?)</sup>", r"^\1", _lesson(topic)[1].partition("<p>")[2].partition("</p>")[0])
    text = re.sub(r"<[^>]+>", "", text)
    return " ".join(text.split("\n")).partition(". ")[0].rstrip(".") + "."


def _lesson(topic: str) -> tuple[str, str]:
    heading, _, text = (STATIC / "learn" / f"{topic}.html").read_text("utf-8").partition("\n")
    return heading, re.sub(r'<div class="measured" data-name="([\w-]+)"(?: data-columns="([\d ]+)")?></div>', _measured, text)


def _measured(place: re.Match[str]) -> str:
    """A table of the course as it was measured, all of it or some columns: the page has no numbers of its own."""
    made = table.kept(place[1])
    if made is None:
        raise BadValue(f"no table {place[1]} is kept")
    picked = [int(number) for number in (place[2] or "").split()] or range(len(made.columns))

    def row(cells: Sequence[str], kind: str) -> str:
        marks = ((number, ' class="number"' if number else "") for number in picked)
        return "<tr>" + "".join(f"<{kind}{mark}>{_raised(cells[number])}</{kind}>" for number, mark in marks) + "</tr>"

    said = f"{escape(made.title)} (<code>outplay lectures {place[1]}</code>). {escape(made.words)}"
    parts = f"<thead>{row(made.columns, 'th')}</thead><tbody>{''.join(row(cells, 'td') for cells in made.rows)}</tbody>"
    return f'<div class="scroll"><table class="plain">{parts}</table></div>\n<p class="faint measured">{said}</p>'


def _raised(text: str) -> str:
    return re.sub(r"\^([\d.]+)", r"<sup>\1</sup>", escape(text))


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


@router.get("/pictures/piece/{name}.svg")
def piece_picture(name: str) -> Response:
    """One piece alone, such as white-king, for what is set up by hand."""
    colour, _, piece = name.partition("-")
    if colour not in COLOURS or piece not in SHAPES:
        raise HTTPException(404)
    drawn = svg.icon(Cell("", piece, 0), (colour,), styled=True)
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "max-age=3600"})


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


@router.get("/learn/progress")
async def progress_page() -> HTMLResponse:
    """What was done of the course's exercises, as this browser remembers it."""
    links = "".join(f'<span data-lesson="{topic}">{_lesson(topic)[0]}</span>' for topic in TOPICS)
    return HTMLResponse(framed("learn", "Progress", page_part("progress").replace("{{lessons}}", links)))


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
    """The program that steps through trees, which standalone files carry, too; here as a module."""
    return Response(f"{script()}\nexport {{ Stepper }};\n", media_type="text/javascript")


@router.get("/static/scene.css")
async def scene_style() -> Response:
    """The style sheet of all pictures, which standalone files carry in themselves."""
    return Response(STYLE, media_type="text/css")


@router.get("/{name}")
async def other_page(name: str) -> HTMLResponse:
    """Look inside, compare, learn, the class, API."""
    if name not in ("inside", "compare", "beside", "constraints", "puzzles", "yours", "learn", "class", "contest", "api", "you"):
        raise HTTPException(404)
    return HTMLResponse(page(name))
