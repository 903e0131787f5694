"""Routes of a visitor's games: many at a glance, each with its board as it stands, and games deleted for good."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, ConfigDict, Field

from outplay.errors import OutplayError
from outplay.web.boards import Look
from outplay.web.seeing import view
from outplay.web.tables import Table

router = APIRouter(prefix="/api", tags=["play"])
MOST = 24
KEPT = ("address", "game", "plies", "terminal", "result", "reason", "to_move", "person", "players", "hidden", "file")


class Addresses(BaseModel):
    """The games that are asked for, by their addresses."""

    model_config = ConfigDict(extra="forbid")

    addresses: list[str] = Field(max_length=MOST)


@router.post("/glances")
def glance(asked: Addresses, request: Request) -> dict[str, Any]:
    """Games by their addresses, each with what a list of games shows of it; those that are gone are left out."""
    found = []
    for address in asked.addresses:
        try:
            seen = view(Table.at(request.app.state.store, address), None, Look(narrow=True))
        except (HTTPException, OutplayError):  # deleted, or of a game that is not there any more
            continue
        board = seen.get("board") or {}
        found.append({**{key: seen[key] for key in KEPT}, "svg": "" if seen["curtain"] else board.get("svg", "")})
    return {"games": found}


@router.post("/records/{address}/delete")
def delete(address: str, asked: Addresses, request: Request) -> dict[str, Any]:
    """Delete a game for good, and any others that are named; whoever watches it finds nothing any more."""
    return {"deleted": sum(request.app.state.store.delete(each) for each in dict.fromkeys((address, *asked.addresses)))}
