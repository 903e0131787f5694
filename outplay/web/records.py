"""Routes of saved games: begun, taken from files and kept as files, looked at, shared; and the games and positions there are."""

from __future__ import annotations

import base64
import binascii
import hashlib
import secrets
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import ValidationError

from outplay.errors import BadValue, UnknownName
from outplay.formats import games as formats
from outplay.game import Game
from outplay.game.card import card
from outplay.playing import Play, parse_clock
from outplay.views import svg
from outplay.views.plain import picture_of
from outplay.views.sheet import spot_of
from outplay.web import boards, gallery
from outplay.web.boards import Looking
from outplay.web.choices import Asked, seated
from outplay.web.models import File, NewRecord, Note, Tried
from outplay.web.reasons import why
from outplay.web.seeing import eyes_of, last_move, tree_of, view, watched
from outplay.web.store import Extra
from outplay.web.tables import HUMAN, AtTable, Table, is_away
from outplay.web.tree import lines_kept

router = APIRouter(prefix="/api", tags=["play"])
MOST_CLOCK = 24 * 3600.0  # seconds
MOST_PARTS = 64  # games of a file that are taken up
MOST_NAME, MOST_TAGS, MOST_NOTES = 80, 40, 2000  # characters; tags and comments of a game


@router.get("/games")
def list_games() -> dict[str, Any]:
    """The games that come with Outplay: traits, parameters, and the searches that fit."""
    return {"games": list(gallery.listed())}


@router.post("/positions")
def look_at_position(asked: Asked, look: Looking) -> dict[str, Any]:
    """A position: its picture, who is to move, and what may be done: of `legal` a thousand, `unlisted` counts the others."""
    return boards.clean(boards.shown(asked.position(), look))


@router.post("/rules")
def tell_rules(asked: Asked) -> dict[str, Any]:
    """The rules of a game in words, and its start as a picture."""
    game = asked.opened()
    told, start = card(game), picture_of(game.start())
    drawn = None if start is None else svg.draw(start, game.name).svg
    return {"name": told.name, "summary": told.summary, "lines": [*told.lines], "more": [*told.more], "facts": [*told.facts],
            "options": [*told.options], "picture": drawn}  # fmt: skip


@router.post("/records")
def start_game(asked: NewRecord, request: Request, look: Looking) -> dict[str, Any]:
    """Start a game, or take up one that was saved to a file."""
    return view(_started(asked, request), None, look)


def _started(asked: NewRecord, request: Request) -> Table:
    begun = asked.model_copy(update={"actions": []}).position()
    game = begun.game
    players = asked.players or [HUMAN] * game.players
    check_players(players, game)
    extra = Extra(seed=secrets.randbits(62))
    if asked.clock:
        seconds, increment = parse_clock(asked.clock)
        if seconds > MOST_CLOCK or increment > MOST_CLOCK:
            raise BadValue(f"a clock may have {MOST_CLOCK:g} seconds at most, got {asked.clock}")
        extra = replace(extra, clock=(seconds, increment), left=(seconds,) * game.players)
    play = Play(game, start=begun, seed=extra.seed)
    for text in asked.actions:
        if play.outcome is not None and not play.position.is_terminal():
            play.go_on()  # from a draw that the referee called
        play.push(text)
    play.fall()
    start = None if asked.start is None else begun.text()
    store = request.app.state.store
    return Table.at(store, store.add(game.name, start, players, [ply.text for ply in play.plies], extra))


@router.post("/files")
def load_file(asked: File, request: Request, look: Looking) -> dict[str, Any]:
    """Take up a game from a file; people sit at all places unless the file names players of this studio."""
    taken = formats.read(_text_of(asked))
    try:
        wanted = NewRecord(game=taken.game, start=taken.start, actions=list(taken.actions), players=list(taken.players), clock=None)
    except ValidationError as problem:
        raise RequestValidationError(problem.errors()) from None
    try:
        table = _started(wanted, request)
    except UnknownName:
        table = _started(wanted.model_copy(update={"players": []}), request)
    if table.latest.is_terminal() and table.is_secret:  # who brings the file knows what it tells
        table = table.keep(open=True)
    elif taken.lines:
        table = table.keep(**lines_kept([table.saved.actions, *taken.lines], table.saved.actions))
    if not table.is_secret and (taken.names or taken.tags or taken.notes):
        names = tuple(name[:MOST_NAME] for name in taken.names) if len(taken.names) == table.game.players else ()
        table = table.keep(names=names, tags=taken.tags[:MOST_TAGS], notes=taken.notes[:MOST_NOTES])
    return view(table, None, look)


@router.post("/files/parts")
def part_file(asked: File) -> dict[str, list[str]]:
    """The games of a file as files of one game each, so that each can be taken up."""
    return {"parts": formats.parts(_text_of(asked))[:MOST_PARTS]}


def _text_of(asked: File) -> str:
    if not asked.data:
        return asked.text
    try:
        return formats.text_of(base64.b64decode(asked.data, validate=True), MOST_PARTS)
    except binascii.Error:
        raise BadValue("data must be base64") from None


@router.post("/records/{address}/notes")
def write_note(table: AtTable, asked: Note, look: Looking) -> dict[str, Any]:
    """Write a comment beside a move of the line that is played; an empty one takes it away."""
    table.expect(asked.plies)
    if table.is_secret:
        raise HTTPException(409, "comments are written once nothing is hidden any more")
    if asked.at > table.plies:
        raise HTTPException(404, "there is no such move")
    way = table.saved.actions[: asked.at]
    notes = {where: text for where, text in table.saved.extra.notes if where != way}
    if text := asked.text.strip():
        if len(notes) >= MOST_NOTES:
            raise BadValue(f"a game may have {MOST_NOTES} comments at most")
        notes[way] = text
    return view(table.keep(notes=tuple(notes.items())), asked.at, look)


@router.get("/records/{address}")
def see_game(table: AtTable, look: Looking, at: int | None = None, eyes: int | None = None) -> dict[str, Any]:
    """A saved game, as it stands or as it stood after `at` plies; `eyes` is the seat of the person who looks."""
    return view(table, at, look, eyes)


@router.get("/records/{address}/file")
def save_game(table: AtTable, kind: str = "") -> Response:
    """The game as a file: PGN for chess, SGF for Go, the kind that is asked for, else JSON; `POST /api/files` takes it up again."""
    saved, latest, secret = table.saved, table.latest, table.is_secret
    if secret and not latest.is_terminal():
        raise HTTPException(409, "a game with hidden information can be saved to a file once it is over")
    as_seen = formats.seen(saved.game)
    if secret and as_seen is None:
        raise HTTPException(409, "cards stayed hidden in this game: it cannot be saved to a file")
    main, *others = tree_of(table)
    ended = table.play.outcome if main == saved.actions else None
    extra = saved.extra
    notes = [(way, note) for way, note in extra.notes if any(line[: len(way)] == way for line in (main, *others))]
    names = extra.names or saved.players
    text, kind = formats.write(saved.game, table.play.start, main, names, ended, others, extra.tags, notes, kind)
    if secret:  # with ???? for cards that nobody saw
        assert as_seen is not None
        text = as_seen(latest.observe(eyes_of(table, latest)))
    headers = {"content-disposition": f'attachment; filename="outplay-game.{kind}"'}
    content = formats.packed(saved.game, kind, text)
    plain = "text/plain" if content == text.encode() else "application/octet-stream"
    return Response(content, media_type="application/json" if kind == "json" else plain, headers=headers)


@router.get("/records/{address}/picture.svg")
def picture_file(table: AtTable, look: Looking, at: int | None = None) -> Response:
    """The board as a standalone picture."""
    plies = table.plies if at is None else max(0, min(at, table.plies))
    position = table.play.after(plies)
    secret = table.is_secret
    picture = picture_of(position.observe(eyes_of(table, table.latest)) if secret else position)
    if picture is None:
        raise HTTPException(404, "this position has no picture")
    drawing = svg.draw(picture, position.game.name, look.flip, {} if secret else last_move(table.play, plies))
    return Response(drawing.svg, media_type="image/svg+xml", headers={"content-disposition": 'attachment; filename="board.svg"'})


@router.post("/records/{address}/share")
def share(table: AtTable) -> dict[str, str]:
    """An address under which others can watch the game and not move in it."""
    address = table.saved.address
    token = hashlib.blake2b(address.encode(), digest_size=9, person=b"outplay watch").hexdigest()
    table.store.share(token, address)
    return {"watch": token}


@router.get("/watch/{token}")
def watch(token: str, request: Request, look: Looking, at: int | None = None) -> dict[str, Any]:
    """A game that somebody shared, to look at; where something is hidden only what everybody knows, a round behind."""
    store = request.app.state.store
    address = store.shared(token)
    if address is None:
        raise HTTPException(404, "no game is shared at this address")
    table = Table.at(store, address)
    told = watched(table, at, look) if table.is_secret else view(table, at, look)
    told.update(address="", person=False, movable=False, waiting=False, watching=token)
    return told


@router.post("/records/{address}/why")
def explain_refusal(table: AtTable, asked: Tried) -> dict[str, str]:
    """Why a move that was tried is not legal, in one line."""
    if table.is_secret:  # what nobody may know is no reason to give
        return {"reason": "that cannot be played now"}
    return {"reason": why(table.latest, None if asked.source is None else spot_of(asked.source), spot_of(asked.target))}


def check_players(players: list[str], game: Game) -> None:
    """Refuse a wrong number of players, and any that cannot sit here."""
    if len(players) != game.players:
        raise BadValue(f"{game.name} has {game.players} player{'s' if game.players > 1 else ''}, got {len(players)}")
    for text in players:
        if not is_away(text):
            seated(text, game)
