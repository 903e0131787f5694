"""Routes for playing: the games there are, positions, and saved games that people and searches move in."""

from __future__ import annotations

import hashlib
import logging
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from cachetools import LRUCache
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from outplay.errors import BadValue, IllegalAction, OutplayError, Unavailable, UnknownName
from outplay.game import Game, Position
from outplay.jit import random_source, watch_compiling
from outplay.knowledge import formats, phh, variations
from outplay.players.reviewing import accuracy, can_review, review
from outplay.playing import drawn, forfeit, is_open
from outplay.values import Limits, Outcome
from outplay.views import svg
from outplay.views.plain import picture_of
from outplay.web import boards, clocks, explorer, gallery, laying, openings, spoken
from outplay.web import limits as most
from outplay.web.boards import PLAIN, Look, Looking
from outplay.web.choices import Asked, open_game, replay, seated
from outplay.web.desk import Stopped, Tell
from outplay.web.reasons import why
from outplay.web.store import Saved, Store
from outplay.web.streams import lines_of
from outplay.web.tables import follow

router = APIRouter(prefix="/api", tags=["play"])
HUMAN = "human"
HIDDEN = "•"
logger = logging.getLogger("outplay.web")
dice = random.SystemRandom()


class NewRecord(Asked):
    """A new game, and who plays it: one player text a seat, such as human, random, engine:time=1 or alphabeta:depth=4."""

    players: list[str] = Field(default_factory=list, max_length=8)
    clock: str | None = Field(None, max_length=30, description="Seconds for the game and back with each move, such as 300+3")


class Move(BaseModel):
    """An action in the game's notation, made when the game had so many plies."""

    model_config = ConfigDict(extra="forbid")

    action: str = Field(max_length=200)
    plies: int = Field(ge=0, lt=2**31)
    at: int | None = Field(None, ge=0, lt=2**31, description="Played after so many plies, in place of what was played there")


class Plies(BaseModel):
    """How many plies the game had when the request was made."""

    model_config = ConfigDict(extra="forbid")

    plies: int = Field(ge=0, lt=2**31)


class Line(Plies):
    """A line of the game by its number in the tree, and how many of its plies are to be seen: all, if left out."""

    line: int = Field(ge=0, lt=2**31)
    at: int | None = Field(None, ge=0, lt=2**31)


class Variation(Plies):
    """A move in the tree of a game: that of a line after so many plies."""

    line: int = Field(ge=0, lt=2**31)
    at: int = Field(ge=0, lt=2**31)


class Seats(BaseModel):
    """Other players for a game."""

    model_config = ConfigDict(extra="forbid")

    players: list[str] = Field(max_length=8)


class Tried(BaseModel):
    """A move that was not legal: where it began (left out: it was a touch of one place) and where it ended."""

    model_config = ConfigDict(extra="forbid")

    source: str | None = Field(None, max_length=60)
    target: str = Field(max_length=60)


class Laid(Plies):
    """Tiles that were laid and not played yet: `touches` as of a legal action, from the rack to the board, tile by tile."""

    touches: list[str] = Field(min_length=2, max_length=2 * 26)
    letters: dict[str, str] = Field(default_factory=dict, max_length=26, description="What blanks stand for, by their square; "
                                    "left out: any letter that makes a word")  # fmt: skip


class File(BaseModel):
    """A game as a file: PGN, SGF or what was saved here."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=most.MOST_BODY)


class Looked(BaseModel):
    """How long a review may look at each position."""

    model_config = ConfigDict(extra="forbid")

    seconds: float = Field(0.2, gt=0, le=10)


class Positions:
    """Positions met lately, so that a long game is not replayed for every look at it."""

    def __init__(self, most_kept: int = 4096, most_bytes: int = 64 * 2**20) -> None:
        share = most_bytes // most_kept  # the least that a position counts for, so that there are never more than `most_kept`
        self._kept: LRUCache[tuple, Position] = LRUCache(most_bytes, lambda kept: min(max(_weight(kept), share), most_bytes))
        self._lock = threading.Lock()

    def after(self, game: Game, start: str | None, actions: tuple[str, ...]) -> Position:
        """The position after the actions; what is known of the way there is used."""
        known = len(actions)
        position = None
        with self._lock:
            while known >= 0 and position is None:
                position = self._kept.get((game, start, actions[:known]))
                known -= 1
        if position is None:
            position = game.start() if start is None else game.position(start)
        position = replay(position, actions[known + 1 :])
        with self._lock:
            self._kept[game, start, actions] = position
        return position


def _weight(position: Position) -> int:
    """Bytes, about: of the state, and of the actions that a position keeps once they were asked for."""
    listed = 36 * len(position.actions()) if getattr(position.game, "has_many_actions", False) else 0
    return listed + (len(position.state) if isinstance(position.state, bytes) else 1000)


positions = Positions()


@router.get("/games")
def list_games() -> dict[str, Any]:
    """The games that come with Outplay: traits, parameters, and the searches that fit."""
    return {"games": list(gallery.listed())}


@router.post("/positions")
def look_at_position(asked: Asked, look: Looking) -> dict[str, Any]:
    """A position: its picture, who is to move, and what may be done: of `legal` a thousand, `unlisted` counts the others."""
    return boards.clean(boards.shown(asked.position(), look))


@router.post("/records")
def start_game(asked: NewRecord, request: Request, look: Looking) -> dict[str, Any]:
    """Start a game, or take up one that was saved to a file."""
    begun = asked.model_copy(update={"actions": []}).position()
    position = replay(begun, asked.actions)
    game = begun.game
    players = asked.players or [HUMAN] * game.players
    check_players(players, game)
    start = None if asked.start is None else begun.text()
    actions = [*_texts(begun, asked.actions), *roll(position)]
    clock = clocks.begin(asked.clock, game.players)
    address = _store(request).add(game.name, start, players, actions)
    if clock:
        _store(request).keep_extra(address, clock)
    return view(_saved(request, address), None, look)


@router.post("/files")
def load_file(asked: File, request: Request, look: Looking) -> dict[str, Any]:
    """Take up a game from a file; people sit at all places unless the file names players of this studio."""
    taken = formats.read(asked.text)
    wanted = NewRecord(game=taken.game, start=taken.start, actions=list(taken.actions), players=list(taken.players), clock=None)
    try:
        told = start_game(wanted, request, look)
    except UnknownName:
        told = start_game(wanted.model_copy(update={"players": []}), request, look)
    saved = _saved(request, told["address"])
    if _position(saved).is_terminal() and is_secret(saved):  # who brings the file knows what it tells
        _store(request).keep_extra(saved.address, {**saved.extra, "open": True})
        return view(_saved(request, saved.address), None, look)
    if not taken.lines:
        return told
    _keep_tree(request, saved, [saved.actions, *taken.lines[:MOST_OTHER_LINES]], saved.actions)
    return view(_saved(request, saved.address), None, look)


@router.get("/records/{address}")
def see_game(address: str, request: Request, look: Looking, at: int | None = None, eyes: int | None = None) -> dict[str, Any]:
    """A saved game, as it stands or as it stood after `at` plies; `eyes` is the seat of the person who looks."""
    return view(_saved(request, address), at, look, eyes)


@router.get("/records/{address}/file")
def save_game(address: str, request: Request) -> Response:
    """The game as a file: PGN for chess, SGF for Go, else JSON; `POST /api/files` takes it up again."""
    saved = _saved(request, address)
    position = _position(saved)
    secret = is_secret(saved)
    if secret and not position.is_terminal():
        raise HTTPException(409, "a game with hidden information can be saved to a file once it is over")
    if secret and formats.kind_of(saved.game) != "phh":
        raise HTTPException(409, "cards stayed hidden in this game: it cannot be saved to a file")
    outcome, _ = ending(saved)
    main, *others = tree_of(saved)
    ended = outcome if main == saved.actions else None
    text, kind = formats.write(saved.game, _position(saved, 0), main, saved.players, ended, others)
    if secret:  # with ???? for cards that nobody saw
        text = phh.write(position.observe(_eyes(saved, position)))
    headers = {"content-disposition": f'attachment; filename="outplay-game.{kind}"'}
    return Response(text, media_type="application/json" if kind == "json" else "text/plain", headers=headers)


@router.get("/records/{address}/picture.svg")
def picture_file(address: str, request: Request, look: Looking, at: int | None = None) -> Response:
    """The board as a standalone picture."""
    saved = _saved(request, address)
    plies = len(saved.actions) if at is None else max(0, min(at, len(saved.actions)))
    position = _position(saved, plies)
    secret = is_secret(saved)
    seen = position.observe(_eyes(saved, _position(saved))) if secret else position
    picture = picture_of(seen)
    if picture is None:
        raise HTTPException(404, "this position has no picture")
    drawing = svg.draw(picture, position.game.name, look.flip, {} if secret else last_move(saved, plies))
    return Response(drawing.svg, media_type="image/svg+xml", headers={"content-disposition": 'attachment; filename="board.svg"'})


@router.post("/records/{address}/share")
def share(address: str, request: Request) -> dict[str, str]:
    """An address under which others can watch the game and not move in it."""
    saved = _saved(request, address)
    token = hashlib.blake2b(address.encode(), digest_size=9, person=b"outplay watch").hexdigest()
    _store(request).share(token, saved.address)
    return {"watch": token}


@router.get("/watch/{token}")
def watch(token: str, request: Request, look: Looking, at: int | None = None) -> dict[str, Any]:
    """A game that somebody shared, to look at; a game with hidden information once it is over."""
    address = _store(request).shared(token)
    if address is None:
        raise HTTPException(404, "no game is shared at this address")
    saved = _saved(request, address)
    if is_secret(saved):
        raise HTTPException(409, "a game with hidden information can be watched once it is over"
                            if not _position(saved).is_terminal() else "cards stayed hidden in this game: it cannot be watched")
    told = view(saved, at, look)
    told.update(address="", person=False, movable=False, waiting=False, watching=token)
    return told


@router.post("/records/{address}/why")
def explain_refusal(address: str, asked: Tried, request: Request) -> dict[str, str]:
    """Why a move that was tried is not legal, in one line."""
    saved = _saved(request, address)
    position = _position(saved)
    if is_secret(saved):  # what nobody may know is no reason to give
        return {"reason": "that cannot be played now"}
    return {"reason": why(position, None if asked.source is None else spot(asked.source), spot(asked.target))}


@router.post("/records/{address}/review")
def look_over(address: str, asked: Looked, request: Request) -> StreamingResponse:
    """Judge every move: lines of JSON with a `move` each, and at last the `accuracy` of each player."""
    saved = _saved(request, address)
    begun = _position(saved, 0)
    if problem := can_review(begun):
        raise BadValue(problem)
    if not saved.actions:
        raise BadValue("there are no moves to look over yet")

    def work(tell: Tell, stop: threading.Event) -> None:
        game = open_game(saved.game, compiled=None)
        moves = []
        with watch_compiling(lambda kernel: tell({"compiling": kernel.strip("_")})):
            for judged in review(Position(game, begun.state), saved.actions, Limits(seconds=asked.seconds), stop=stop, memory=16):
                if stop.is_set():
                    raise Stopped
                moves.append(judged)
                tell({"move": {**vars(judged), "words": spelled_line(_position(saved, judged.ply), judged.line)}})
        tell({"accuracy": [accuracy(moves, seat) for seat in range(game.players)], "seconds": asked.seconds})

    return lines_of(request.app.state.desk.run(work))


@router.post("/records/{address}/laid")
def judge_tiles(address: str, asked: Laid, request: Request) -> dict[str, Any]:
    """What the tiles that somebody has laid make, before they are played: the plays with their points, or why it is none."""
    saved = _saved(request, address)
    if asked.plies != len(saved.actions):
        raise HTTPException(409, "the game has gone on since: look at it again")
    position = _position(saved)
    if not is_person(saved, position) or ending(saved)[0] is not None:
        raise HTTPException(409, "it is not a person's turn")
    if len(asked.touches) % 2:
        raise BadValue(f"touches are pairs, a tile and its square, got {len(asked.touches)}")
    return laying.judged(position, [spot(text) for text in asked.touches], {spot(at): one for at, one in asked.letters.items()})


@router.post("/records/{address}/moves")
def move(address: str, asked: Move, request: Request, look: Looking) -> dict[str, Any]:
    """Make a person's move; chance answers at once where it is its turn."""
    saved = _saved(request, address)
    if asked.at is not None and asked.at < len(saved.actions):
        return _branch(request, saved, asked, look)
    position = _position(saved)
    if ending(saved)[0] is not None:
        raise IllegalAction(f"illegal action {asked.action!r}: the game is over")
    if not is_person(saved, position):
        raise HTTPException(409, f"it is not a person's turn: {saved.players[position.player()]} is to move")
    action = position.parse_action(asked.action)
    made = [position.action_text(action)]
    made += roll(position.result(action))
    after = clocks.moved(saved.extra, position.player(), clocks.spent(saved.extra))
    return _extended(request, saved, asked.plies, made, look, position.player(), after)


def _branch(request: Request, saved: Saved, asked: Move, look: Look) -> dict[str, Any]:
    """Another move than the one that was played: the old line is kept beside the new one."""
    assert asked.at is not None
    position = _position(saved, asked.at)
    _free(saved)
    if not is_person(saved, position):
        raise HTTPException(409, "it was not a person's turn there")
    action = position.parse_action(asked.action)
    text = position.action_text(action)
    if text == saved.actions[asked.at]:
        return view(saved, asked.at + 1, look)
    way = (*saved.actions[: asked.at], text)
    lines = tree_of(saved)
    known = next((line for line in lines if line[: len(way)] == way), None)
    line = known or (*way, *roll(position.result(action)))
    if not _store(request).replace(saved.address, asked.plies, list(line)):
        raise HTTPException(409, "the game has gone on since: look at it again")
    _keep_tree(request, saved, lines if known else variations.added(lines, line), line)
    return view(_saved(request, saved.address), len(way) if known and len(known) > len(way) else None, look)


MOST_OTHER_LINES = 40  # of a game; beyond that the last ones go


def tree_of(saved: Saved) -> list[tuple[str, ...]]:
    """All lines of a game in order, the main line first; the one that is played is among them."""
    lines = [tuple(line) for line in saved.extra.get("lines", ())]
    lines.insert(min(saved.extra.get("place", 0), len(lines)), saved.actions)
    return list(dict.fromkeys(lines))


def _keep_tree(request: Request, saved: Saved, lines: Sequence[tuple[str, ...]], now: tuple[str, ...]) -> None:
    """Keep the lines in this order; `now` is the one that is played."""
    telling = variations.tidy(lines)
    kept = [line for line in dict.fromkeys(lines) if line == now or line in telling]
    others = [list(line) for line in kept if line != now][:MOST_OTHER_LINES]
    _store(request).keep_extra(saved.address, {**saved.extra, "lines": others, "place": kept.index(now)})


def _line(saved: Saved, number: int) -> tuple[str, ...]:
    lines = tree_of(saved)
    if number >= len(lines):
        raise HTTPException(404, "there is no such line")
    return lines[number]


@router.post("/records/{address}/lines")
def take_line(address: str, asked: Line, request: Request, look: Looking) -> dict[str, Any]:
    """Go over to another line of the game; the tree stays as it is."""
    saved = _saved(request, address)
    wanted = _line(saved, asked.line)
    _free(saved)
    if not _store(request).replace(address, asked.plies, list(wanted)):
        raise HTTPException(409, "the game has gone on since: look at it again")
    _keep_tree(request, saved, tree_of(saved), wanted)
    return view(_saved(request, address), None if asked.at is None or asked.at >= len(wanted) else asked.at, look)


@router.post("/records/{address}/lines/promote")
def promote_line(address: str, asked: Variation, request: Request, look: Looking) -> dict[str, Any]:
    """A variation becomes the main line of the position where it begins."""
    return _rearranged(address, asked, request, look, variations.promoted)


@router.post("/records/{address}/lines/delete")
def delete_line(address: str, asked: Variation, request: Request, look: Looking) -> dict[str, Any]:
    """Take a move out of the tree, with all that follows it."""
    return _rearranged(address, asked, request, look, variations.without)


def _rearranged(address: str, asked: Variation, request: Request, look: Look,
                change: Callable[[Sequence[tuple[str, ...]], int, int], list[tuple[str, ...]]]) -> dict[str, Any]:  # fmt: skip
    saved = _saved(request, address)
    _free(saved)
    if asked.at >= len(_line(saved, asked.line)):
        raise HTTPException(404, "there is no such move")
    lines = change(tree_of(saved), asked.line, asked.at)
    now = saved.actions if saved.actions in lines else max(lines, key=lambda line: variations.shared(line, saved.actions))
    if not _store(request).replace(address, asked.plies, list(now)):
        raise HTTPException(409, "the game has gone on since: look at it again")
    request.app.state.tables.forget(address)
    _keep_tree(request, saved, lines, now)
    return view(_saved(request, address), None, look)


def _free(saved: Saved) -> None:
    """Refuse to rearrange a game whose moves stand."""
    if is_secret(saved) or saved.extra.get("clock"):
        kind = "a clock" if saved.extra.get("clock") else "hidden things"
        raise HTTPException(409, f"moves already made stand in a game with {kind}")


@router.post("/records/{address}/resign")
def resign(address: str, asked: Plies, request: Request, look: Looking) -> dict[str, Any]:
    """The person to move, or the only person at the board, gives the game up."""
    saved = _saved(request, address)
    position = _position(saved)
    people = _people(saved)
    if ending(saved)[0] is not None or not people or position.game.players == 1:
        raise HTTPException(409, "there is nothing to give up")
    if asked.plies != len(saved.actions):
        raise HTTPException(409, "the game has gone on since: look at it again")
    seat = position.player() if is_person(saved, position) else people[0]
    _store(request).keep_extra(address, {**saved.extra, "lost": [seat, "resigned", len(saved.actions)]})
    return view(_saved(request, address), None, look)


@router.post("/records/{address}/back")
def take_back(address: str, asked: Plies, request: Request, look: Looking) -> dict[str, Any]:
    """Take moves back to the last decision of a person."""
    saved = _saved(request, address)
    left = _last_decision(saved)
    if left is None:
        raise HTTPException(409, "there is nothing to take back")
    if not _store(request).shorten(address, asked.plies, left):
        raise HTTPException(409, "the game has gone on since: look at it again")
    if saved.extra.get("clock"):
        _store(request).keep_extra(address, {**saved.extra, "since": time.time()})
    return view(_saved(request, address), None, look)


@router.post("/records/{address}/players")
def change_players(address: str, asked: Seats, request: Request, look: Looking) -> dict[str, Any]:
    """Put other players at the board."""
    saved = _saved(request, address)
    check_players(asked.players, open_game(saved.game))
    people = [[text.strip().lower() == HUMAN for text in players] for players in (saved.players, asked.players)]
    if is_secret(saved) and people[0] != people[1]:
        raise HTTPException(409, "in a game with hidden information people keep their seats until it is over")
    request.app.state.tables.forget(address)
    _store(request).seat(address, asked.players)
    return view(_saved(request, address), None, look)


@router.post("/prepare")
def prepare(asked: NewRecord, request: Request) -> Response:
    """Compile what the players of a game need, while a person still thinks about the first move: lines of JSON, `ready` last."""
    check_players(asked.players, asked.opened())
    beside = request.app.state.beside
    if beside is None or beside.waiting:  # others are being prepared: this one compiles when its move is due
        return JSONResponse({"ready": False})

    def work(tell: Tell, stop: threading.Event) -> None:
        position = asked.position(compiled=None)
        for text in dict.fromkeys(asked.players):
            if text.strip().lower() != HUMAN and not stop.is_set():
                with watch_compiling(lambda kernel: tell({"compiling": kernel.strip("_")})):
                    seated(text, position.game).get_ready(position)
        tell({"ready": True})

    return lines_of(beside.run(work))


@router.post("/records/{address}/reply")
def reply(address: str, asked: Plies, request: Request, look: Looking) -> StreamingResponse:
    """Let the player to move think and move: a stream of lines of JSON, the place in the queue first, the game last."""
    saved = _saved(request, address)
    if len(saved.actions) != asked.plies:
        raise HTTPException(409, "the game has gone on since: look at it again")
    position = _position(saved)
    if ending(saved)[0] is not None or is_person(saved, position):
        raise HTTPException(409, "no search is to move here")

    def think(tell: Tell, stop: threading.Event) -> None:
        with watch_compiling(lambda kernel: tell({"compiling": kernel.strip("_")})):
            kept = request.app.state.tables.at(saved)
            with kept.lock:
                kept.play.clock, kept.play.clocks = None, []  # the past is not timed again
                follow(kept.play, saved.actions)
                if clock := saved.extra.get("clock"):
                    kept.play.clock, kept.play.clocks = (clock[0], clock[1]), list(saved.extra["left"])
                event = next((event for event in kept.play.run(stop) if event.kind in ("move", "end")), None)
        if stop.is_set() or event is None:
            raise Stopped
        if event.kind == "end" and event.action is None:
            request.app.state.tables.forget(address)
            if "ran out of time" not in event.text and "resigned" not in event.text:
                raise Unavailable(event.text or "the game is over")
            why = "resigned" if "resigned" in event.text else "ran out of time"
            _store(request).keep_extra(address, {**saved.extra, "lost": [position.player(), why, asked.plies]})
            tell({"record": boards.clean(view(_saved(request, address), None, look))})
            return
        made = [event.text]
        made += roll(position.result(event.action))
        told = _extended(request, saved, asked.plies, made, look, None, clocks.moved(saved.extra, position.player(), event.seconds))
        found = event.thought
        if found is not None and position.game.traits.information == "perfect":
            told["thought"] = {"value": found.value, "unit": found.unit, "scale": found.scale, "depth": found.depth,
                               "nodes": found.nodes, "seconds": found.seconds, "exact": found.exact}  # fmt: skip
        tell({"record": boards.clean(told)})

    return lines_of(request.app.state.desk.run(think))


# ---------------------------------------------------------------- what the routes share


def check_players(players: list[str], game: Game) -> None:
    """Refuse a wrong number of players, and any that cannot sit here."""
    if len(players) != game.players:
        raise BadValue(f"{game.name} has {game.players} player{'s' if game.players > 1 else ''}, got {len(players)}")
    for text in players:
        seated(text, game)


def is_person(saved: Saved, position: Position) -> bool:
    """Whether a person is to move."""
    if position.is_terminal() or position.is_chance():
        return False
    return saved.players[position.player()].strip().lower() == HUMAN


def _last_decision(saved: Saved) -> int | None:
    """After how many plies a person last had to decide; in one walk from the start, however long the game is."""
    if not any(text.strip().lower() == HUMAN for text in saved.players):
        return None
    found = None
    position = _position(saved, 0)
    for ply, text in enumerate(saved.actions):
        if is_person(saved, position):
            found = ply
        position = position.result(position.parse_action(text))
    return found


def roll(position: Position) -> list[str]:
    """What chance brings until somebody is to move."""
    brought = []
    while position.is_chance():
        if position.game.traits.sampled:
            action = position.sample_chance(random_source(dice.getrandbits(62)))
        else:
            outcomes = position.chances()
            action = dice.choices([a for a, _ in outcomes], [p for _, p in outcomes])[0]
        brought.append(position.action_text(action))
        position = position.result(action)
    return brought


def spot(text: str) -> Any:
    """A spot out of its text: numbers where its parts are numbers."""
    parts = tuple(int(part) if part.lstrip("-").isdecimal() and len(part) < 9 else part for part in text.split(","))
    return parts if len(parts) > 1 else parts[0]


MUCKED = ("hold'em", "kuhn poker", "leduc poker", "push or fold")
"""Games at whose end cards stay face down: those of whoever folded, and of whom nobody called."""


def is_secret(saved: Saved) -> bool:
    """Whether something is hidden from somebody: until the game is over, and in poker from the people at the table even then."""
    latest = _position(saved)
    if latest.game.traits.information != "hidden":
        return False
    is_poker = latest.game.name.partition(":")[0] in MUCKED and not saved.extra.get("open")
    return not latest.is_terminal() or (is_poker and any(latest.observe(seat).state != latest.state for seat in _people(saved)))


def ending(saved: Saved) -> tuple[Outcome | None, str]:
    """How a game ended and why: by its rules, or by a draw that the referee calls."""
    latest = _position(saved)
    if (outcome := latest.outcome()) is not None:
        return outcome, ""
    lost = saved.extra.get("lost")
    if lost and lost[2] == len(saved.actions):
        return forfeit(latest.game, lost[0]), f"{boards.seat_names(latest.game)[lost[0]]} {lost[1]}"
    if is_person(saved, latest) and clocks.is_over(saved.extra, latest.player()):
        return forfeit(latest.game, latest.player()), f"{boards.seat_names(latest.game)[latest.player()]} ran out of time"
    if latest.is_chance() or not latest.game.offers("reversible"):
        return None, ""
    plies = len(saved.actions)
    back = min(plies, latest.reversible())
    reason = drawn(latest, [_position(saved, ply) for ply in range(plies - 1, plies - back - 1, -1)])
    return (Outcome(latest.game.drawn_utilities()), reason) if reason else (None, "")


def view(saved: Saved, at: int | None = None, look: Look = PLAIN, eyes: int | None = None) -> dict[str, Any]:
    """A saved game as the page shows it, with what the rules hide from the person at the board left out."""
    plies = len(saved.actions)
    if at is not None and not 0 <= at <= plies:
        raise BadValue(f"at must be from 0 to {plies}, got {at}")
    latest = _position(saved)
    position = latest if at is None else _position(saved, at)
    secret = is_secret(saved)
    people = _people(saved)
    if eyes is not None and eyes not in people:
        raise HTTPException(409, "no person sits there")
    looking = _eyes(saved, position if at is None else latest) if eyes is None else eyes
    seen = position.observe(looking) if secret else position
    marks = {} if secret else last_move(saved, plies if at is None else at)
    below = people[0] if len(people) == 1 else looking if secret else None
    told = boards.shown(seen, look, marks, is_person(saved, position), below)
    outcome, reason = ending(saved)
    over = outcome is not None and (at is None or at == plies)
    if over and reason:
        assert outcome is not None
        told.update(terminal=True, utilities=list(outcome.utilities), legal=[], result="a draw" if outcome.winner is None
                    else boards.winner_in_words(latest.game, outcome.winner))  # fmt: skip
    person = is_person(saved, position) and not over
    curtain = secret and person and position.player() != looking
    seats, words = told_of.of(saved)
    known = _record(saved, looking) if secret else []
    told.update(
        address=saved.address,
        start=None if secret else saved.start,  # it tells what everybody was dealt
        players=list(saved.players),
        plies=plies,
        at=plies if at is None else at,
        record=[text for text, _ in known] if secret else list(saved.actions),
        notation=[said for _, said in known] if secret else list(words),
        movers=list(seats),
        reason=reason if over else "",
        person=person,
        waiting=not person and not position.is_terminal() and not over,
        hidden=secret,
        eyes=looking if secret else None,
        curtain=curtain,
        reviewable=not can_review(latest),
        threatens=_threatens(latest.game),
        file=formats.kind_of(saved.game),
        booked=bool(explorer.books_of(latest.game)),
    )
    free = not secret and not saved.extra.get("clock")  # then another move may be tried where one was made already
    told["movable"] = person and (told["at"] == plies or free) and not curtain
    if times := clocks.left(saved.extra, latest.player(), is_person(saved, latest) and outcome is None):
        base, increment = saved.extra["clock"]
        told["clock"] = {"seconds": base, "increment": increment, "left": [max(0.0, each) for each in times],
                         "runs": outcome is None and saved.extra["since"] is not None}  # fmt: skip
    if free and saved.extra.get("lines"):
        told["tree"] = shown_tree(saved)
    told["faces"] = boards.faces(seen)
    if not secret:
        told["standing"] = boards.standing(position)
    if saved.game == "chess" and saved.start is None:
        told["opening"] = openings.name(words[: told["at"]])
    from outplay.web.special import beside  # which knows the routes here

    told.update(beside(seen))
    if told["movable"] and (tiles := laying.rack(seen)):
        told["laying"] = tiles
    if curtain:
        told["legal"] = []
    return boards.clean(told)


def _threatens(game: Game) -> bool:
    """Whether one may ask what the other side threatens."""
    return game.traits.information == "perfect" and not game.traits.chance and game.players > 1 and not game.name.startswith("tree")


def shown_tree(saved: Saved) -> dict[str, Any]:
    """The lines of a game in order: each with the earlier one it leaves, after how many plies, and how it goes on from there."""
    lines = tree_of(saved)
    told = []
    for line, (parent, ply) in zip(lines, variations.forks(lines), strict=True):
        seats, words = told_of.of(replace(saved, actions=line, extra={}))
        told.append({"parent": parent, "from": ply, "words": list(words[ply:]), "movers": list(seats[ply:])})
    return {"lines": told, "now": lines.index(saved.actions)}


class Told:
    """Who made each move of a game and how people write it, found in one walk and kept, so that the next move costs one step."""

    def __init__(self, most_kept: int = 512) -> None:
        self._kept: LRUCache[tuple, tuple[tuple[int, ...], tuple[str, ...]]] = LRUCache(most_kept)
        self._lock = threading.Lock()

    def of(self, saved: Saved) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """The seats (-1: chance) and the words of all moves."""
        known, found = len(saved.actions), None
        with self._lock:
            for known in range(len(saved.actions), max(-1, len(saved.actions) - 8), -1):
                found = self._kept.get((saved.game, saved.start, saved.actions[:known]))
                if found is not None:
                    break
        if found is None:
            known, found = 0, ((), ())
        position = _position(saved, known)
        seats, words = list(found[0]), list(found[1])
        for text in saved.actions[known:]:
            action = position.parse_action(text)
            seats.append(position.player())
            words.append(spelled(position, action, text))
            position = position.result(action)
        told = tuple(seats), tuple(words)
        with self._lock:
            self._kept[saved.game, saved.start, saved.actions] = told
        return told


told_of = Told()


def spelled(position: Position, action: Any, text: str) -> str:
    """A move as people of the game write it, where that differs from the rules' own notation: chess in SAN."""
    if position.game.name.split(":")[0] != "chess":
        return _in_words(position, text)
    from outplay.games.chess.notation import write_san

    state: Any = position.game.record(position.state)
    return write_san(state, action, position.actions())


def _in_words(position: Position, text: str) -> str:
    """A move in the words of its button, where its notation is for machines: poker's and Monopoly's, and Monopoly's cards."""
    base = position.game.name.split(":")[0]
    if base not in SPOKEN or (position.is_chance() and base != "monopoly"):
        return text
    return spoken.said(position, None, text)  # these speak of the text alone


SPOKEN = ("hold'em", "monopoly", "liar's dice", "leduc poker", "kuhn poker", "push or fold")


def spelled_line(position: Position, line: Sequence[str]) -> list[str]:
    """A line as people of the game write it, as far as it can be played."""
    words = []
    for text in line:
        try:
            action = position.parse_action(text)
        except OutplayError:
            break
        words.append(spelled(position, action, text))
        position = position.result(action)
    return words


def last_move(saved: Saved, plies: int) -> dict[Any, str]:
    """Where the last move of a player before this ply began and ended, as marks."""
    for ply in range(plies - 1, max(-1, plies - 4), -1):
        before = _position(saved, ply)
        if not before.is_chance():
            picture = before.picture()
            action = before.parse_action(saved.actions[ply])
            return dict.fromkeys(() if picture is None else picture.touches.get(action, ()), "last")
    return {}


def _eyes(saved: Saved, position: Position) -> int:
    """Whose eyes the page looks through: the person to move, when all is over who moved last, else the first person or player."""
    if is_person(saved, position):
        return position.player()
    people = _people(saved)
    movers = told_of.of(saved)[0] if position.is_terminal() else ()
    return next((seat for seat in reversed(movers) if seat in people), people[0] if people else 0)


def _people(saved: Saved) -> list[int]:
    return [seat for seat, text in enumerate(saved.players) if text.strip().lower() == HUMAN]


def _record(saved: Saved, eyes: int) -> list[tuple[str, str]]:
    """The moves as one player knows them, also in words: those of others where all see them, and nothing of what chance dealt."""
    shown = []
    for ply, text in enumerate(saved.actions):
        position = _position(saved, ply)
        seen = position.player() == eyes or is_open(position, text)
        shown.append((text, _in_words(position, text)) if seen else (HIDDEN, _veiled(text)))
    return shown


def _veiled(text: str) -> str:
    """What the others see of a hidden move: that tiles were swapped and how many, else nothing.

    >>> _veiled("swap:AE?"), _veiled("d1-h1")
    ('swap 3', '•')
    """
    return f"swap {len(text) - len('swap:')}" if text.startswith("swap:") else HIDDEN


def _position(saved: Saved, plies: int | None = None) -> Position:
    return positions.after(open_game(saved.game), saved.start, saved.actions[:plies])


def _texts(position: Position, actions: list[str]) -> list[str]:
    texts = []
    for text in actions:
        action = position.parse_action(text)
        texts.append(position.action_text(action))
        position = position.result(action)
    return texts


def _extended(request: Request, saved: Saved, plies: int, made: list[str], look: Look, eyes: int | None = None,
              extra: dict[str, Any] | None = None) -> dict[str, Any]:  # fmt: skip
    if plies + len(made) > most.MOST_PLIES:
        raise BadValue(f"a saved game may have {most.MOST_PLIES} plies at most")
    if not _store(request).extend(saved.address, plies, made):
        raise HTTPException(409, "the game has gone on since: look at it again")
    if extra:
        _store(request).keep_extra(saved.address, extra)
    after = _saved(request, saved.address)
    return view(after, None, look, eyes if eyes is not None and is_secret(after) else None)


def _store(request: Request) -> Store:
    return request.app.state.store


def _saved(request: Request, address: str) -> Saved:
    saved = _store(request).get(address)
    if saved is None:
        raise HTTPException(404, "no game is saved at this address")
    return saved


