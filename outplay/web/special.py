"""What some games have beside their board: bridge's auction in words and cards by open play, Monopoly's worth over time, advice.

>>> from outplay.game import load
>>> deal = "N:KQ942.A73.K6.Q84 J7.K95.AQ7432.T3 AT63.QJ64.T8.A75 85.T82.J95.KJ962"
>>> auction = beside(load("bridge", compiled=False).position(deal).play("1S pass"))["auction"]
>>> [(call["said"], call["means"]) for call in auction["calls"]]
[('1♠', '12-21 points, 5 or more spades'), ('Pass', 'anything')]
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import StreamingResponse
from pydantic import Field

from outplay.game import Position
from outplay.jit import watch_compiling
from outplay.values import Limits
from outplay.views import svg
from outplay.views.plain import picture_of
from outplay.web import boards, records, spoken
from outplay.web.boards import Look, Looking
from outplay.web.choices import open_game, seated
from outplay.web.desk import Stopped, Tell
from outplay.web.store import Saved
from outplay.web.streams import lines_of
from outplay.web.threats import Threats, estimate, threats

router = APIRouter(prefix="/api", tags=["play"])
ADVICE_SECONDS = 1.5
MOST_POINTS = 120  # of a chart


def beside(position: Position) -> dict[str, Any]:
    """What stands beside the board of this position, which tells only what its reader may know."""
    base = position.game.name.split(":")[0]
    if base == "battleships":
        return {"task": task} if (task := ship_to_place(position)) else {}
    if base != "bridge" or position.is_chance():
        return {}
    from outplay.games.bridge import PASS, call_text
    from outplay.games.bridge.bidding import explain, read, rules
    from outplay.games.bridge.notation import SEAT_LETTERS, SEATS

    game: Any = position.game
    state = game.record(position.state)
    if int(game.rules.parameters["ranks"]) != 13:
        return {}
    dealer = SEAT_LETTERS.index(game.rules.parameters["dealer"])
    calls = [int(call) + PASS - 1 for call in state.calls[: state.said]]
    told = [words.partition(": ")[2] for words in explain(calls, dealer)]
    made = [{"seat": (dealer + number) % 4, "said": spoken.CALLS.get(text := call_text(call), text.translate(spoken.SUITS)
             if len(text) == 2 else text), "means": told[number]} for number, call in enumerate(calls)]  # fmt: skip
    means: dict[str, str] = {}
    if not position.is_terminal() and int(state.plays) == 0 and any(action >= PASS for action in position.actions()):
        for rule in rules(calls, dealer, read(calls, dealer)):
            means.setdefault(call_text(rule.call), rule.words)
    told_too: dict[str, Any] = {}
    if int(state.plays) > 0 and not position.is_terminal():
        from outplay.players.bridge import Board

        board = Board(position)
        if position.player() % 2 == board.declarer % 2:  # declarer may claim so many tricks at most
            told_too["claim"] = board.hands[board.turn].bit_count()
    return {"auction": {"dealer": dealer, "seats": list(SEATS), "calls": made, "means": means}, **told_too}


def ship_to_place(position: Position) -> str:
    """Battleships: what to do while fleets are laid; nothing once shots are fired.

    >>> from outplay.game import load
    >>> ship_to_place(load("battleships", compiled=False).start())
    'Place a ship of 5 cells: touch its first cell, then its last.'
    """
    if position.is_chance() or position.is_terminal():
        return ""
    ends = position.action_text(position.actions()[0]).split("-")
    if len(ends) < 2:
        return ""
    length = max(abs(ord(ends[0][0]) - ord(ends[1][0])), abs(int(ends[0][1:]) - int(ends[1][1:]))) + 1
    return f"Place a ship of {length} cells: touch its first cell, then its last."


class Claimed(records.Plies):
    """A claim of declarer's: so many of the tricks to come."""

    tricks: int = Field(ge=0, le=13)


@router.post("/records/{address}/claim")
def claim_tricks(address: str, asked: Claimed, request: Request, look: Looking) -> StreamingResponse:
    """Bridge: declarer claims; where the defence can do nothing about it the board is ended, else it goes on."""
    saved = records._saved(request, address)
    position = records._position(saved)
    if saved.game.split(":")[0] != "bridge" or not records.is_person(saved, position):
        raise HTTPException(409, "only declarer at a table of bridge may claim, in turn")
    if len(saved.actions) != asked.plies:
        raise HTTPException(409, "the game has gone on since: look at it again")
    from outplay.engine.double_dummy import Memory
    from outplay.players import bridge_table

    def work(tell: Tell, stop: threading.Event) -> None:
        memory = Memory()
        with watch_compiling(lambda kernel: tell({"compiling": kernel.strip("_")})):
            made = bridge_table.claim(position, asked.tricks, memory=memory)
        tell({"claim": {"accepted": made.accepted, "reason": made.reason}})
        if not made.accepted:
            return
        here, texts = position, []
        for card in bridge_table.rest(position, memory=memory):
            texts.append(here.action_text(card))
            here = here.result(card)
        tell({"record": boards.clean(records._extended(request, saved, asked.plies, texts, look))})

    return lines_of(request.app.state.desk.run(work))


@router.post("/records/{address}/advice")
def advise(address: str, request: Request) -> StreamingResponse:
    """What a good player would do who sees no more than the person to move: a stream of lines of JSON."""
    saved = records._saved(request, address)
    position = records._position(saved)
    if records.ending(saved)[0] is not None or not records.is_person(saved, position):
        raise HTTPException(409, "it is not a person's turn")
    named = spoken.SPECIAL.get(position.game.name.split(":")[0])
    text = named[0][0] if named else f"auto:time={ADVICE_SECONDS:g}"

    def work(tell: Tell, stop: threading.Event) -> None:
        with watch_compiling(lambda kernel: tell({"compiling": kernel.strip("_")})):
            game = open_game(saved.game, compiled=None)
            here = Position(game, position.state)
            adviser = seated(text, game)
            adviser.stop = stop
            action = adviser.choose(here, Limits(seconds=ADVICE_SECONDS))
        if stop.is_set():
            raise Stopped
        found = adviser.last
        choices = [] if found is None else [
            {"action": (its := position.action_text(one.action)), "said": spoken.said(position, one.action, its),
             "value": one.value, "visits": one.visits, "share": one.share} for one in found.choices]  # fmt: skip
        picture = picture_of(position)
        touches = () if picture is None else picture.touches.get(action, ())
        tell({"advice": boards.clean({
            "action": position.action_text(action), "said": spoken.said(position, action, position.action_text(action)),
            "touches": [svg.spot_id(each) for each in touches],
            "by": named[0][1] if named else "the search that fits", "why": getattr(adviser, "said", ""), "choices": choices[:12],
            "deals": None if found is None else found.nodes, "unit": "" if found is None else found.unit,
        })})  # fmt: skip

    return lines_of(request.app.state.desk.run(work))


@router.get("/records/{address}/threats")
def see_threats(address: str, request: Request, look: Looking, at: int | None = None) -> dict[str, Any]:
    """What the other side threatens, in words and on the board; at a ply of the game or as it stands."""
    saved = records._saved(request, address)
    plies = len(saved.actions) if at is None else max(0, min(at, len(saved.actions)))
    position = records._position(saved, plies)
    found = threats(position)
    return {"words": found.words, "board": _marked(saved, plies, position, found, look)}


@router.post("/records/{address}/territory")
def see_territory(address: str, request: Request, look: Looking, at: int | None = None) -> StreamingResponse:
    """Go: an estimate of the score by games played out at random, a stream of lines of JSON that ends in `words` and `board`."""
    saved = records._saved(request, address)
    if saved.game.split(":")[0] != "go":
        raise HTTPException(409, "territory is counted in Go")
    plies = len(saved.actions) if at is None else max(0, min(at, len(saved.actions)))

    def work(tell: Tell, stop: threading.Event) -> None:
        with watch_compiling(lambda kernel: tell({"compiling": kernel.strip("_")})):
            position = Position(open_game(saved.game, compiled=None), records._position(saved, plies).state)
            found = estimate(position)
        tell({"words": found.words, "board": boards.clean(_marked(saved, plies, position, found, look))})

    return lines_of(request.app.state.desk.run(work))


def _marked(saved: Saved, plies: int, position: Position, found: Threats, look: Look) -> dict[str, Any] | None:
    picture = picture_of(position)
    if picture is None:
        return None
    picture = replace(picture, marks={**picture.marks, **found.marks}, arrows=(*picture.arrows, *found.arrows))
    return boards.drawn(picture, position.game.name, look, records.last_move(saved, plies))


@router.get("/records/{address}/open-cards")
def open_cards(address: str, request: Request, at: int) -> dict[str, Any]:
    """Bridge, once the board is over: the tricks that declarer's side takes after each card, all hands being open."""
    saved = records._saved(request, address)
    if saved.game.split(":")[0] != "bridge" or records.is_secret(saved):
        raise HTTPException(409, "cards are looked at openly once a board of bridge is over")
    from outplay.engine.double_dummy import DoubleDummy
    from outplay.games.bridge import PASS
    from outplay.players.bridge import Board

    position = records._position(saved, max(0, min(at, len(saved.actions))))
    if position.is_terminal() or position.is_chance() or position.actions()[0] >= PASS:
        return {"cards": {}}
    board = Board(position)
    found = DoubleDummy(board.hands).cards(board.strain, board.leader, board.trick)
    left = board.ranks - len(board.play) // 4
    side = board.declarer % 2
    tricks = {card: board.won[side] + (more if side == 0 else left - more) for card, more in found.items()}
    return {"cards": {position.action_text(board.action(card)): number for card, number in tricks.items()}}


@router.get("/deeds")
def deeds() -> dict[str, Any]:
    """Monopoly's deeds by their space: price, what a house costs, and the rents (bare, with one to four houses, with a hotel)."""
    from outplay.games.monopoly.board import GROUP, GROUPS, HOUSE, NAMES, PRICE, PROPERTIES, RENT, SPACE_OF

    return {
        str(SPACE_OF[at]): {"name": NAMES[SPACE_OF[at]], "group": GROUPS[GROUP[at]], "price": int(PRICE[at]),
                            "house": int(HOUSE[at]), "rents": [int(rent) for rent in RENT[at]]}
        for at in range(PROPERTIES)
    }  # fmt: skip


@router.get("/records/{address}/worth")
def worth_over_time(address: str, request: Request) -> dict[str, Any]:
    """Monopoly: what everybody was worth after each turn."""
    saved = records._saved(request, address)
    if saved.game.split(":")[0] != "monopoly":
        raise HTTPException(409, "only Monopoly is counted so")
    step = max(1, len(saved.actions) // MOST_POINTS)
    points = []
    for ply in sorted({*range(0, len(saved.actions) + 1, step), len(saved.actions)}):
        position = records._position(saved, ply)
        state: Any = position.game.record(position.state)
        points.append([ply, *(int(state.net_worth(seat)) if state.lives(seat) else 0 for seat in range(position.game.players))])
    return {"worth": points}
