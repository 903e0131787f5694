"""Routes for measuring: round robins between players, with a live table, that go on after a pause or a restart.

A match is played while somebody watches: the stream of `run` plays game after game, each result is saved at once, and leaving the
page is a pause. Every pair of players meets with both colours from the same opening.

>>> [round(rating) for rating, _ in ratings(3, [(0, 1, 1.0)] * 8 + [(1, 2, 0.5)] * 8)]
[328, -164, -164]
"""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from outplay.arena.match import points_of, random_opening, usual_plies
from outplay.errors import BadValue
from outplay.game import Game, Position
from outplay.jit import watch_compiling
from outplay.playing import Play
from outplay.web import boards
from outplay.web.choices import Plain, open_game, seated
from outplay.web.desk import Stopped, Tell
from outplay.web.streams import lines_of

router = APIRouter(prefix="/api", tags=["measure"])
MOST_PLAYERS, MOST_GAMES = 12, 400
SEEN_SECONDS = 0.12  # between two pictures of the game that is played


class Wanted(BaseModel):
    """A round robin: every pair of players meets `pairs` times with each colour."""

    model_config = ConfigDict(extra="forbid")

    game: str = Field(max_length=2000)
    parameters: dict[str, Plain] = Field(default_factory=dict, max_length=20)
    players: list[str] = Field(min_length=2, max_length=MOST_PLAYERS)
    pairs: int = Field(2, ge=1, le=100)
    most_plies: int = Field(400, ge=1, le=2000)


@router.post("/arenas")
def begin(asked: Wanted, request: Request) -> dict[str, Any]:
    """Set up a round robin; nothing is played before somebody runs it."""
    game = open_game(asked.game, asked.parameters)
    if game.players != 2:
        raise BadValue(f"matches here are between two players, and {game.name} has {game.players}")
    for text in asked.players:
        if text.strip().lower() == "human":
            raise BadValue("people play on the Play page: name searches here, such as engine:level=club")
        seated(text, game)
    games = len(asked.players) * (len(asked.players) - 1) * asked.pairs
    if games > MOST_GAMES:
        raise BadValue(f"a round robin here may have {MOST_GAMES} games at most, got {games}")
    arena = {"game": game.name, "players": asked.players, "pairs": asked.pairs, "most_plies": asked.most_plies, "results": []}
    address = request.app.state.store.keep_arena(None, arena)
    return shown(address, arena)


@router.get("/arenas/{address}")
def see(address: str, request: Request) -> dict[str, Any]:
    """A round robin as it stands: its table and its games."""
    return shown(address, _arena(request, address))


@router.post("/arenas/{address}/run")
def run(address: str, request: Request) -> StreamingResponse:
    """Play on: lines of JSON with the `board` of the game that is played, and the whole `arena` after each game."""
    arena = _arena(request, address)
    running: set[str] = request.app.state.running
    if address in running:
        raise HTTPException(409, "this match is being played in another window")

    def work(tell: Tell, stop: threading.Event) -> None:
        running.add(address)
        try:
            with watch_compiling(lambda kernel: tell({"compiling": kernel.strip("_")})):
                game = open_game(arena["game"], compiled=None)
                for first, second, opening in schedule(len(arena["players"]), arena["pairs"])[len(arena["results"]) :]:
                    result = play_one(game, arena, first, second, opening, tell, stop)
                    plays = request.app.state.store.add(game.name, result.pop("start"), result.pop("names"), result.pop("actions"))
                    arena["results"].append({**result, "address": plays})
                    request.app.state.store.keep_arena(address, arena)
                    tell({"arena": boards.clean(shown(address, arena))})
        finally:
            running.discard(address)

    return lines_of(request.app.state.desk.run(work))


def play_one(
    game: Game, arena: dict[str, Any], first: int, second: int, opening: int, tell: Tell, stop: threading.Event
) -> dict[str, Any]:
    """One game between two of the players, shown while it is played."""
    texts = [arena["players"][first], arena["players"][second]]
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
            tell({"board": _board(play), "first": first, "second": second, "number": len(arena["results"]) + 1})
    if play.outcome is None:
        raise Stopped
    tell({"board": _board(play), "first": first, "second": second, "number": len(arena["results"]) + 1})
    record = play.record
    return {
        "first": first, "second": second, "score": points_of(record, 0), "reason": play.reason, "plies": len(play.plies),
        "start": None if start == begun else start.text(), "names": texts, "actions": list(record.actions),
    }  # fmt: skip


def _board(play: Play) -> dict[str, Any] | None:
    from outplay.views.plain import picture_of

    picture = picture_of(play.position)
    return None if picture is None else boards.drawn(picture, play.game.name)


def schedule(players: int, pairs: int) -> list[tuple[int, int, int]]:
    """Who meets whom in which order, and the number of the opening.

    >>> schedule(3, 1)
    [(0, 1, 0), (1, 0, 0), (0, 2, 1), (2, 0, 1), (1, 2, 2), (2, 1, 2)]
    """
    games, opening = [], 0
    for _ in range(pairs):
        for one, other in itertools.combinations(range(players), 2):
            games += [(one, other, opening), (other, one, opening)]
            opening += 1
    return games


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
    results = arena["results"]
    players = arena["players"]
    rated = ratings(len(players), [(r["first"], r["second"], r["score"]) for r in results])
    table = []
    for number, text in enumerate(players):
        met = [(r["second"], r["score"]) if r["first"] == number else (r["first"], 1 - r["score"])
               for r in results if number in (r["first"], r["second"])]  # fmt: skip
        own = [points for _, points in met]
        against = [None if rival == number else sum(points for other, points in met if other == rival)
                   for rival in range(len(players))]  # fmt: skip
        table.append({
            "player": text, "number": number, "games": len(own), "points": sum(own), "elo": rated[number][0],
            "error": rated[number][1], "won": own.count(1.0), "drawn": own.count(0.5), "lost": own.count(0.0), "against": against,
        })  # fmt: skip
    table.sort(key=lambda row: (-row["elo"], row["number"]))
    total = len(schedule(len(players), arena["pairs"]))
    return boards.clean({
        "address": address, "game": arena["game"], "players": players, "table": table, "results": results, "games": total,
        "done": len(results) == total,
    })  # fmt: skip


def _arena(request: Request, address: str) -> dict[str, Any]:
    arena = request.app.state.store.arena(address)
    if arena is None:
        raise HTTPException(404, "no match is saved at this address")
    return arena
