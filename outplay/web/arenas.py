"""Routes for measuring: round robins between players, with a live table, that go on without a page and after a restart.

A match is played in the background, a game at a time, so that others get their turns between two games; each result is saved at
once. It goes on until it is done or somebody pauses it, whether a page is open or not, and when the studio is started again. Every
set of players meets in all seats from the same opening.

>>> [round(rating) for rating, _ in ratings(3, [(0, 1, 1.0)] * 8 + [(1, 2, 0.5)] * 8)]
[328, -164, -164]
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import math
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, HTTPException, Request
from pydantic import BaseModel, ConfigDict, Field

from outplay.arena.match import points_of, random_opening, schedule, usual_plies
from outplay.errors import BadValue
from outplay.game import Game, Position
from outplay.jit import watch_compiling
from outplay.playing import Play
from outplay.views.plain import picture_of
from outplay.web import boards
from outplay.web import limits as most
from outplay.web.choices import Plain, open_game, seated
from outplay.web.desk import Busy, Stopped, Tell
from outplay.web.store import Store
from outplay.web.tables import replays

router = APIRouter(prefix="/api", tags=["measure"])
logger = logging.getLogger("outplay.web")
MOST_PLAYERS, MOST_GAMES = 12, 400
MOST_RUNNING = max(1, most.SEARCHES)  # matches at a time
SEEN_SECONDS = 0.12  # between two pictures of the game that is played
EXAMPLE = "example"
"""The address of a match that has been played, for those who come without one (made by benchmarks/arena_example.py)."""


class Wanted(BaseModel):
    """A round robin: every set of players that fills the seats meets `pairs` times in each order of the seats."""

    model_config = ConfigDict(extra="forbid")

    game: str = Field(max_length=2000)
    parameters: dict[str, Plain] = Field(default_factory=dict, max_length=20)
    players: list[str] = Field(min_length=2, max_length=MOST_PLAYERS)
    pairs: int = Field(2, ge=1, le=100)
    most_plies: int = Field(400, ge=1, le=2000)


@dataclass
class Live:
    """A match that is being played: the game on the board, what is to be told, and the task that plays it."""

    task: asyncio.Task[None] | None = None
    shown: dict[str, Any] = field(default_factory=dict)  # the game that is played
    said: str = ""  # compiling, or what went wrong


@router.post("/arenas")
def begin(asked: Wanted, request: Request) -> dict[str, Any]:
    """Set up a round robin; `run` begins it."""
    game = open_game(asked.game, asked.parameters)
    if game.players < 2:
        raise BadValue(f"matches here are between players, and {game.name} has one")
    for text in asked.players:
        if text.strip().lower() == "human":
            raise BadValue("people play on the Play page: name searches here, such as auto:level=club")
        seated(text, game)
    games = len(schedule(len(asked.players), game.players, game.players * asked.pairs))
    if games > MOST_GAMES:
        raise BadValue(f"a round robin here may have {MOST_GAMES} games at most, got {games}")
    arena = {"game": game.name, "players": asked.players, "pairs": asked.pairs, "most_plies": asked.most_plies, "results": []}
    address = request.app.state.store.keep_arena(None, arena)
    return shown(address, arena)


@router.get("/arenas/{address}")
def see(address: str, request: Request) -> dict[str, Any]:
    """A round robin as it stands: its table and its games, and the game that is being played."""
    told = shown(address, _arena(request, address))
    live: Live | None = request.app.state.running.get(address)
    now = {"live": _last(request, told), "said": ""} if live is None else {"live": live.shown, "said": live.said}
    return {**told, "running": live is not None, **now}


def _last(request: Request, told: dict[str, Any]) -> dict[str, Any] | None:
    """How the latest game ended, for a match that is not being played."""
    latest = told["results"][-1] if told["results"] else None
    saved = None if latest is None else request.app.state.store.get(latest["address"])
    if latest is None or saved is None:
        return None
    picture = picture_of(replays.line(open_game(saved.game), saved.start, saved.actions, saved.address).position)
    board = None if picture is None else boards.drawn(picture, saved.game)
    return {"board": board, "seats": latest["seats"], "number": len(told["results"])}


@router.post("/arenas/{address}/run")
async def run(address: str, request: Request) -> dict[str, Any]:
    """Play on, in the background, until all games are played or somebody pauses it."""
    arena = await asyncio.to_thread(_arena, request, address)
    begin_running(request.app, address, arena)
    return {"running": True}


@router.post("/arenas/{address}/pause")
async def pause(address: str, request: Request) -> dict[str, Any]:
    """Stop after the games played so far; the one that is played is begun anew later."""
    live: Live | None = request.app.state.running.pop(address, None)
    if live is not None and live.task is not None:
        live.task.cancel()
        await asyncio.wait([live.task])  # nothing of it is saved after this
    arena = await asyncio.to_thread(_arena, request, address)
    await asyncio.to_thread(request.app.state.store.keep_arena, address, {**arena, "running": False})
    return {"running": False}


def begin_running(app: FastAPI, address: str, arena: dict[str, Any]) -> None:
    """Let a match go on in the background of the running loop."""
    running: dict[str, Live] = app.state.running
    if address in running or len(arena["results"]) >= len(games_of(arena)):
        return
    if len(running) >= MOST_RUNNING:
        raise Busy(f"{MOST_RUNNING} matches are being played already: pause one, or try again later")
    live = running[address] = Live()
    live.task = asyncio.create_task(_go_on(app, address, live))


async def resume(app: FastAPI) -> None:
    """Take up the matches that were being played when the studio ended."""
    for address, arena in await asyncio.to_thread(app.state.store.running_arenas):
        try:
            begin_running(app, address, arena)
        except Busy:
            break


async def _go_on(app: FastAPI, address: str, live: Live) -> None:
    """Game after game, each a search of its own at the desk."""
    store = app.state.store
    try:
        while True:
            arena = await asyncio.to_thread(store.arena, address)
            games = games_of(arena)
            number = len(arena["results"])
            arena["running"] = number < len(games)
            await asyncio.to_thread(store.keep_arena, address, arena)
            if number >= len(games):
                return
            seats, opening = games[number].seats, games[number].opening

            def work(tell: Tell, stop: threading.Event, arena: dict = arena, seats: tuple = seats, opening: int = opening) -> None:
                with watch_compiling(lambda kernel: tell({"compiling": kernel.strip("_")})):
                    tell({"result": play_one(open_game(arena["game"], compiled=None), arena, seats, opening, tell, stop)})

            result = None
            async for message in app.state.desk.run(work):
                if "error" in message:
                    live.said = message["error"]
                    await asyncio.to_thread(store.keep_arena, address, {**arena, "running": False})
                    return
                if "compiling" in message:
                    live.said = "compiling"
                if "board" in message:
                    live.said, live.shown = "", {**message, "number": number + 1}
                result = message.get("result", result)
            if result is None:
                return
            start, names, actions = (result.pop(key) for key in ("start", "names", "actions"))
            plays = await asyncio.to_thread(store.add, arena["game"], start, names, actions)
            arena["results"].append({**result, "address": plays})
            await asyncio.to_thread(store.keep_arena, address, arena)
    except Busy as problem:
        live.said = str(problem)
    except Exception:
        logger.exception("a match failed")
    finally:
        if app.state.running.get(address) is live:
            del app.state.running[address]


def games_of(arena: dict[str, Any]) -> Any:
    """All games of a match in their order."""
    seats = open_game(arena["game"]).players
    return schedule(len(arena["players"]), seats, seats * arena["pairs"])


def play_one(
    game: Game, arena: dict[str, Any], seats: tuple[int, ...], opening: int, tell: Tell, stop: threading.Event
) -> dict[str, Any]:
    """One game between some of the players, shown while it is played."""
    texts = [arena["players"][number] for number in seats]
    movers = [seated(text, game, seed=1000 * opening + number) for number, text in enumerate(texts)]
    begun = game.start()
    start: Position = begun if game.traits.chance or game.traits.information == "hidden" else random_opening(
        begun, min(usual_plies(begun), 4), opening)  # fmt: skip
    play = Play(game, movers, start=start, seed=opening, most_plies=arena["most_plies"])
    last = 0.0
    for event in play.run(stop):
        if stop.is_set():
            raise Stopped
        if event.kind in ("move", "chance") and time.monotonic() - last > SEEN_SECONDS:
            last = time.monotonic()
            tell({"board": _board(play), "seats": list(seats)})
    if play.outcome is None:
        raise Stopped
    tell({"board": _board(play), "seats": list(seats)})
    record = play.record
    return {
        "seats": list(seats), "points": [points_of(record, seat) for seat in range(game.players)], "reason": play.reason,
        "ending": play.ending,
        "plies": len(play.plies), "start": None if start == begun else start.text(), "names": texts,
        "actions": list(record.actions),
    }  # fmt: skip


def _board(play: Play) -> dict[str, Any] | None:
    picture = picture_of(play.position)
    return None if picture is None else boards.drawn(picture, play.game.name)


def ratings(players: int, results: Sequence[tuple[int, int, float]]) -> list[tuple[float, float]]:
    """Elo of each player, the mean being 0, with the half width of its 95 % interval (Bradley and Terry's model).

    Each pair that met counts one draw more than it played, so that who won all games has a rating, too.
    """
    wins = [0.0] * players
    met: dict[tuple[int, int], float] = {}
    for one, other, score in results:
        wins[one] += score
        wins[other] += 1 - score
        pair = (min(one, other), max(one, other))
        met[pair] = met.get(pair, 0.0) + 1
    for one, other in met:
        wins[one] += 0.5
        wins[other] += 0.5
        met[one, other] += 1
    strength = [1.0] * players
    for _ in range(2000):
        fresh = []
        for player in range(players):
            below = sum(n / (strength[a] + strength[b]) for (a, b), n in met.items() if player in (a, b))
            fresh.append(wins[player] / below if below else 1.0)
        mean = math.exp(sum(map(math.log, fresh)) / players)
        fresh = [value / mean for value in fresh]
        moved = max(abs(math.log(a / b)) for a, b in zip(fresh, strength, strict=True))
        strength = fresh
        if moved < 1e-9:
            break
    found = []
    for player in range(players):
        own = [(strength[a], strength[b], n) for (a, b), n in met.items() if player in (a, b)]
        information = sum(n * a * b / (a + b) ** 2 for a, b, n in own)
        error = 1.96 * 400 / math.log(10) / math.sqrt(information) if information else math.inf
        found.append((400 * math.log10(strength[player]), error))
    return found


def shown(address: str, arena: dict[str, Any]) -> dict[str, Any]:
    """A round robin for the page, the best player first."""
    results = [_told(result) for result in arena["results"]]
    players = arena["players"]
    met = [
        (one, other, 0.5 + 0.5 * ((mine > theirs) - (mine < theirs)))
        for result in results
        for (one, mine), (other, theirs) in itertools.combinations(zip(result["seats"], result["points"], strict=True), 2)
        if one != other
    ]
    rated = ratings(len(players), met)
    table = []
    for number, text in enumerate(players):
        own = [points for each in results for seat, points in zip(each["seats"], each["points"], strict=True) if seat == number]
        against = [None if rival == number else sum(score if one == number else 1 - score for one, other, score in met
                   if {one, other} == {number, rival}) for rival in range(len(players))]  # fmt: skip
        table.append({
            "player": text, "number": number, "games": len(own), "points": sum(own), "elo": rated[number][0],
            "error": rated[number][1], "won": own.count(1.0), "lost": own.count(0.0), "against": against,
            "drawn": len(own) - own.count(1.0) - own.count(0.0),
        })  # fmt: skip
    table.sort(key=lambda row: (-row["elo"], row["number"]))
    total = len(games_of(arena))
    return boards.clean({
        "address": address, "game": arena["game"], "players": players, "table": table, "results": results, "games": total,
        "done": len(results) == total, "seats": boards.seat_names(open_game(arena["game"])),
    })  # fmt: skip


def _told(result: dict[str, Any]) -> dict[str, Any]:
    """A result, also of those that were saved when matches were between two only."""
    if "seats" in result:
        return result
    return {**result, "seats": [result["first"], result["second"]], "points": [result["score"], 1 - result["score"]]}


_planting = threading.Lock()


def example(store: Store) -> dict[str, Any]:
    """The match that comes with the studio; its games are saved like any others when somebody first asks for it."""
    with _planting:
        known = store.arena(EXAMPLE)
        if known is not None and all(store.get(result["address"]) is not None for result in known["results"]):
            return known
        arena: dict[str, Any] = json.loads((Path(__file__).parent / "static" / "arena.json").read_text("utf-8"))
        for result in arena["results"]:
            start, names, actions = (result.pop(key) for key in ("start", "names", "actions"))
            result["address"] = store.add(arena["game"], start, names, actions)
        store.keep_arena(EXAMPLE, arena)
        return arena


def _arena(request: Request, address: str) -> dict[str, Any]:
    arena = example(request.app.state.store) if address == EXAMPLE else request.app.state.store.arena(address)
    if arena is None:
        raise HTTPException(404, "no match is saved at this address")
    return arena
