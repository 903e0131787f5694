"""Routes for playing: the games there are, positions, and saved games that people and searches move in."""

from __future__ import annotations

import functools
import logging
import random
import secrets
import threading
from collections import OrderedDict
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from outplay.errors import BadValue, IllegalAction
from outplay.game import Game, Position, game_names
from outplay.web import boards
from outplay.web import limits as most
from outplay.web.choices import Asked, describe, open_game, replay, seated
from outplay.web.desk import Stopped, Tell
from outplay.web.store import Saved, Store
from outplay.web.streams import lines_of

router = APIRouter(prefix="/api", tags=["play"])
HUMAN = "human"
HIDDEN = "•"
logger = logging.getLogger("outplay.web")
dice = random.SystemRandom()


class NewRecord(Asked):
    """A new game, and who plays it: one player text a seat, such as human, random, engine:time=1 or alphabeta:depth=4."""

    players: list[str] = Field(default_factory=list, max_length=8)


class Move(BaseModel):
    """An action in the game's notation, made when the game had so many plies."""

    model_config = ConfigDict(extra="forbid")

    action: str = Field(max_length=200)
    plies: int = Field(ge=0)


class Plies(BaseModel):
    """How many plies the game had when the request was made."""

    model_config = ConfigDict(extra="forbid")

    plies: int = Field(ge=0)


class Seats(BaseModel):
    """Other players for a game."""

    model_config = ConfigDict(extra="forbid")

    players: list[str] = Field(max_length=8)


class Positions:
    """Positions met lately, so that a long game is not replayed for every look at it."""

    def __init__(self, most_kept: int = 4096, most_bytes: int = 64 * 2**20) -> None:
        self._kept: OrderedDict[tuple, Position] = OrderedDict()
        self._lock = threading.Lock()
        self._most, self._most_bytes, self._bytes = most_kept, most_bytes, 0

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
            if (game, start, actions) not in self._kept:
                self._kept[game, start, actions] = position
                self._bytes += _weight(position)
            while len(self._kept) > self._most or (self._bytes > self._most_bytes and len(self._kept) > 1):
                self._bytes -= _weight(self._kept.popitem(last=False)[1])
        return position


def _weight(position: Position) -> int:
    return len(position.state) if isinstance(position.state, bytes) else 1000


positions = Positions()


@router.get("/games")
def list_games() -> dict[str, Any]:
    """The games that come with Outplay: traits, parameters, and the searches that fit."""
    return {"games": _listed()}


@functools.cache
def _listed() -> list[dict[str, Any]]:
    listed = []
    for name in game_names():
        try:
            listed.append(describe(open_game(name)))
        except Exception:  # a game whose rules are broken must not hide the others
            logger.exception("%s cannot be listed", name)
    return listed


@router.post("/positions")
def look_at_position(asked: Asked, flip: bool = False) -> dict[str, Any]:
    """A position: its picture, who is to move, and what may be done."""
    return boards.clean(boards.shown(asked.position(), flip))


@router.post("/records")
def start_game(asked: NewRecord, request: Request) -> dict[str, Any]:
    """Start a game, or take up one that was saved to a file."""
    begun = asked.model_copy(update={"actions": []}).position()
    position = replay(begun, asked.actions)
    game = begun.game
    players = asked.players or [HUMAN] * game.players
    check_players(players, game)
    start = None if asked.start is None else begun.text()
    actions = [*_texts(begun, asked.actions), *roll(position)]
    address = _store(request).add(game.name, start, players, actions)
    return view(_saved(request, address))


@router.get("/records/{address}")
def see_game(address: str, request: Request, at: int | None = None, flip: bool = False) -> dict[str, Any]:
    """A saved game, as it stands or as it stood after `at` plies."""
    return view(_saved(request, address), at, flip)


@router.get("/records/{address}/file")
def save_game(address: str, request: Request) -> Response:
    """The game as a file that `POST /api/records` takes up again."""
    saved = _saved(request, address)
    position = _position(saved)
    if position.game.traits.information == "hidden" and not position.is_terminal():
        raise HTTPException(409, "a game with hidden information can be saved to a file once it is over")
    content = NewRecord(game=saved.game, start=saved.start, actions=list(saved.actions), players=list(saved.players), parameters={})
    headers = {"content-disposition": 'attachment; filename="outplay-game.json"'}
    return Response(content.model_dump_json(exclude={"parameters"}), media_type="application/json", headers=headers)


@router.post("/records/{address}/moves")
def move(address: str, asked: Move, request: Request, flip: bool = False) -> dict[str, Any]:
    """Make a person's move; chance answers at once where it is its turn."""
    saved = _saved(request, address)
    position = _position(saved)
    if position.is_terminal():
        raise IllegalAction(f"illegal action {asked.action!r}: the game is over")
    if not is_person(saved, position):
        raise HTTPException(409, f"it is not a person's turn: {saved.players[position.player()]} is to move")
    action = position.parse_action(asked.action)
    made = [position.action_text(action)]
    made += roll(position.result(action))
    return _extended(request, saved, asked.plies, made, flip)


@router.post("/records/{address}/back")
def take_back(address: str, asked: Plies, request: Request, flip: bool = False) -> dict[str, Any]:
    """Take moves back to the last decision of a person."""
    saved = _saved(request, address)
    left = _last_decision(saved)
    if left is None:
        raise HTTPException(409, "there is nothing to take back")
    if not _store(request).shorten(address, asked.plies, left):
        raise HTTPException(409, "the game has gone on since: look at it again")
    return view(_saved(request, address), None, flip)


@router.post("/records/{address}/players")
def change_players(address: str, asked: Seats, request: Request, flip: bool = False) -> dict[str, Any]:
    """Put other players at the board."""
    saved = _saved(request, address)
    check_players(asked.players, open_game(saved.game))
    _store(request).seat(address, asked.players)
    return view(_saved(request, address), None, flip)


@router.post("/records/{address}/reply")
def reply(address: str, asked: Plies, request: Request, flip: bool = False) -> StreamingResponse:
    """Let the player to move think and move: a stream of lines of JSON, the place in the queue first, the game last."""
    saved = _saved(request, address)
    if len(saved.actions) != asked.plies:
        raise HTTPException(409, "the game has gone on since: look at it again")
    position = _position(saved)
    if position.is_terminal() or is_person(saved, position):
        raise HTTPException(409, "no search is to move here")
    text = saved.players[position.player()]

    def think(tell: Tell, stop: threading.Event) -> None:
        here = Position(open_game(saved.game, compiled=None), position.state)
        thinker = seated(text, here.game, stop, seed=secrets.randbits(62))
        action = thinker.choose(here)
        if stop.is_set():
            raise Stopped
        made = [position.action_text(action)]
        made += roll(position.result(action))
        told = _extended(request, saved, asked.plies, made, flip)
        found = getattr(thinker, "last", None)
        if found is not None and position.game.traits.information == "perfect":
            told["thought"] = {"value": found.value, "depth": found.depth, "nodes": found.nodes, "seconds": found.seconds}
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
        outcomes = position.chances()
        action = dice.choices([a for a, _ in outcomes], [p for _, p in outcomes])[0]
        brought.append(position.action_text(action))
        position = position.result(action)
    return brought


def view(saved: Saved, at: int | None = None, flip: bool = False) -> dict[str, Any]:
    """A saved game as the page shows it, with what the rules hide from the person at the board left out."""
    plies = len(saved.actions)
    if at is not None and not 0 <= at <= plies:
        raise BadValue(f"at must be from 0 to {plies}, got {at}")
    latest = _position(saved)
    position = latest if at is None else _position(saved, at)
    secret = latest.game.traits.information == "hidden" and not latest.is_terminal()
    eyes = _eyes(saved, position if at is None else latest)
    seen = position.observe(eyes) if secret else position
    told = boards.shown(seen, flip, {} if secret else last_move(saved, plies if at is None else at))
    person = is_person(saved, position)
    told.update(
        address=saved.address,
        start=saved.start,
        players=list(saved.players),
        plies=plies,
        at=plies if at is None else at,
        record=_record(saved, eyes) if secret else list(saved.actions),
        person=person,
        waiting=not person and not position.is_terminal(),
        hidden=secret,
    )
    told["movable"] = person and told["at"] == plies
    return boards.clean(told)


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
    """Whose eyes the page looks through: the person to move, else the first person, else the first player."""
    if is_person(saved, position):
        return position.player()
    people = [seat for seat, text in enumerate(saved.players) if text.strip().lower() == HUMAN]
    return people[0] if people else 0


def _record(saved: Saved, eyes: int) -> list[str]:
    """The moves, with those of others (and of chance) covered."""
    return [text if _position(saved, ply).player() == eyes else HIDDEN for ply, text in enumerate(saved.actions)]


def _position(saved: Saved, plies: int | None = None) -> Position:
    return positions.after(open_game(saved.game), saved.start, saved.actions[:plies])


def _texts(position: Position, actions: list[str]) -> list[str]:
    texts = []
    for text in actions:
        action = position.parse_action(text)
        texts.append(position.action_text(action))
        position = position.result(action)
    return texts


def _extended(request: Request, saved: Saved, plies: int, made: list[str], flip: bool) -> dict[str, Any]:
    if plies + len(made) > most.MOST_PLIES:
        raise BadValue(f"a saved game may have {most.MOST_PLIES} plies at most")
    if not _store(request).extend(saved.address, plies, made):
        raise HTTPException(409, "the game has gone on since: look at it again")
    return view(_saved(request, saved.address), None, flip)


def _store(request: Request) -> Store:
    return request.app.state.store


def _saved(request: Request, address: str) -> Saved:
    saved = _store(request).get(address)
    if saved is None:
        raise HTTPException(404, "no game is saved at this address")
    return saved


