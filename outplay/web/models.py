"""What the routes of saved games are asked, as values that are checked."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from outplay.web import limits as most
from outplay.web.choices import Asked


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


class Note(Plies):
    """A comment beside the move that led to where so many plies are played."""

    at: int = Field(ge=0, lt=2**31)
    text: str = Field(max_length=4000)


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


class File(BaseModel):
    """Games as a file: PGN, SGF or what was saved here; of a file that is no text its bytes, as base64, or the first of them."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field("", max_length=most.MOST_BODY)
    data: str = Field("", max_length=most.MOST_BODY)


class Wanted(BaseModel):
    """What is asked of a game's own tool: after so many plies, and what the tool wants to know."""

    model_config = ConfigDict(extra="forbid")

    plies: int | None = Field(None, ge=0, lt=2**31)
    at: int | None = Field(None, ge=0, lt=2**31)
    asked: dict[str, int | str | list[str] | dict[str, str]] = Field(default_factory=dict, max_length=8)
