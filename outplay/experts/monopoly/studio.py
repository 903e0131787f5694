"""Monopoly in the studio: decisions in words, deeds, and what everybody was worth over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from outplay.game import Position
from outplay.games.monopoly.board import (
    FORTUNE_CARDS,
    GROUP,
    GROUPS,
    HOUSE,
    PRICE,
    PROPERTIES,
    PROPERTY_AT,
    RENT,
    SPACE_OF,
    TOWN_CARDS,
)
from outplay.games.monopoly.board import NAMES as SPACES
from outplay.values import Action
from outplay.views.panel import Panel, Tool

MOST_POINTS = 120  # of the chart


def said(position: Position, action: Action, text: str) -> str:
    """A decision in words, with names of streets and sums; a card that was drawn says what stands on it."""
    if text[:1] in ("f", "t") and text[1:].isdecimal():
        return str((FORTUNE_CARDS if text[0] == "f" else TOWN_CARDS)[int(text[1:])][3])
    game: Any = position.game
    state = game.record(position.state)
    mover = int(state.mover)
    word, _, rest = text.partition(":")
    here = int(state.place[mover])
    plain = {"done": "End the turn", "decline": "Do not buy", "pass": "Pass", "try": "Try for doubles", "pay": "Pay 50 and go",
             "use-card": "Use the card", "accept": "Accept", "refuse": "Refuse"}  # fmt: skip
    if word == "buy":
        return f"Buy {SPACES[here]} for {int(PRICE[PROPERTY_AT[here]])}"
    if word.startswith("bid+"):
        return f"Bid {int(state.bid) + int(word[4:])}"
    if word in ("build", "sell", "sell-all", "mortgage", "redeem") and rest.isdigit() and int(rest) < len(SPACES):
        what = {"build": "Build on", "sell": "Sell a house of", "sell-all": "Sell all houses of", "mortgage": "Mortgage",
                "redeem": "Redeem"}[word]  # fmt: skip
        return f"{what} {SPACES[int(rest)]}"
    if word == "offer":
        to, give, take, cash = rest.split(":")
        pays, gets = max(0, int(cash)), max(0, -int(cash))
        gives, takes = (" and ".join(part for part in (_deed(thing), f"{money}" if money else "") if part) or "nothing"
                        for thing, money in ((give, pays), (take, gets)))  # fmt: skip
        return f"Offer {to} {gives} for {takes}"
    return plain.get(text, text)


def _deed(thing: str) -> str:
    if thing == "-":
        return ""
    return SPACES[int(thing)] if thing.isdigit() and int(thing) < len(SPACES) else "a card that opens the jail"


def deeds(position: Position, past: Sequence[Position]) -> dict[str, Any]:
    """The deeds by their space: price, what a house costs, and the rents (bare, with one to four houses, with a hotel)."""
    return {
        str(SPACE_OF[at]): {"name": SPACES[SPACE_OF[at]], "group": GROUPS[GROUP[at]], "price": int(PRICE[at]),
                            "house": int(HOUSE[at]), "rents": [int(rent) for rent in RENT[at]]}
        for at in range(PROPERTIES)
    }  # fmt: skip


def worth(position: Position, past: Sequence[Position]) -> dict[str, Any]:
    """What everybody was worth after each turn."""
    game: Any = position.game
    step = max(1, (len(past) - 1) // MOST_POINTS)
    points = []
    for ply in sorted({*range(0, len(past), step), len(past) - 1}):
        state = game.record(past[ply].state)
        points.append([ply, *(int(state.net_worth(seat)) if state.lives(seat) else 0 for seat in range(game.players))])
    return {"worth": points}


def heading(position: Position) -> str:
    """Whose turn it is."""
    game: Any = position.game
    return f"{game.seat_names[int(game.record(position.state).turn)]}'s turn"


PANEL = Panel(said=said, recorded=True, heading=heading, tools={"deeds": Tool(deeds, when="always"), "worth": Tool(worth)})
