"""The frozen values that everything hands along: limits in, results out, and what a picture shows.

>>> Limits(depth=4, seconds=1.5)
Limits(depth=4, seconds=1.5)
>>> Limits(depth=-1)
Traceback (most recent call last):
outplay.errors.BadValue: depth must be 0 or more, got -1
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from outplay.errors import BadValue

Action = Hashable
"""One choice of a player or of chance: a whole number in compiled games, any hashable value in plain ones."""

Value = float | tuple[float, ...]
"""What a position is worth: to MAX (player 0) in two-player zero-sum games, a vector with one entry a player otherwise."""

CHANCE = -1
"""The "player" at a chance node."""


@dataclass(frozen=True, repr=False)
class Limits:
    """When a search must stop; None is no limit. Limits combine: the first one reached stops the search."""

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    simulations: int | None = None
    remaining: float | None = None  # seconds on the player's clock, for this move and all that follow
    increment: float | None = None  # seconds that come back with each move

    def __post_init__(self) -> None:
        for part in fields(self):
            value = getattr(self, part.name)
            if value is not None and not (value >= 0 and math.isfinite(value)):
                raise BadValue(f"{part.name} must be 0 or more, got {value}")

    def __repr__(self) -> str:
        given = ", ".join(f"{p.name}={getattr(self, p.name)!r}" for p in fields(self) if getattr(self, p.name) is not None)
        return f"Limits({given})"


@dataclass(frozen=True)
class Traits:
    """What kind of game it is, along the lectures' axes."""

    players: int
    chance: bool
    information: str  # "perfect" or "hidden"
    sum: str  # "zero", "constant" or "general"
    total: float | None = 0.0  # what all utilities add up to; None when they do not add up to a constant
    bounds: tuple[float, float] = (-1.0, 1.0)  # the least and the greatest utility of a player
    scale: float = 1.0  # points of the evaluation that one unit of utility is worth
    sides: int = 0  # how many sides the players form; without partnerships as many as there are players
    sampled: bool = False  # whether chance's outcomes can only be drawn, not listed
    recall: bool = True  # whether what a player sees tells all that it saw and did before

    def __post_init__(self) -> None:
        object.__setattr__(self, "sides", self.sides or self.players)


@dataclass(frozen=True)
class Outcome:
    """How a finished game ended."""

    utilities: tuple[float, ...]

    @property
    def winner(self) -> int | None:
        """The one player who got more than every other, or None for a draw (or for a game of one player)."""
        best = max(self.utilities)
        if len(self.utilities) == 1 or self.utilities.count(best) > 1:
            return None
        return self.utilities.index(best)


@dataclass(frozen=True)
class Step:
    """One event of a traced search.

    ``event`` is "enter" (a node is reached, with its window), "leave" (a node returns its value), "cut" (the rest of a node's
    actions is skipped, with the reason), "leaf" (a node is finished or cut off) or a word that the algorithm explains itself.
    ``path`` is the actions that lead from the root to the node.
    """

    event: str
    path: tuple[Action, ...]
    kind: str = ""  # "max", "min", "chance", or "player 2" for the third player
    alpha: float | None = None
    beta: float | None = None
    value: Value | None = None
    depth: int | None = None
    skipped: tuple[Action, ...] = ()
    reason: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """What a search found.

    ``value`` is MAX's (player 0's) in a two-player zero-sum game, whoever is to move, and the vector of all players otherwise.
    ``exact`` says that no evaluation or limit stood in for the end of the game.
    """

    action: Action | None
    value: Value
    line: tuple[Action, ...] = ()
    depth: int = 0
    nodes: int = 0
    leaves: int = 0
    seconds: float = 0.0
    algorithm: str = ""
    exact: bool = True
    trace: tuple[Step, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)  # what only this algorithm knows: visits, cutoffs, table hits


@dataclass(frozen=True)
class Record:
    """One played game: its moves, its players and how it ended."""

    game: str
    start: str
    actions: tuple[str, ...]
    players: tuple[str, ...] = ()
    outcome: Outcome | None = None
    reason: str = ""
    comments: tuple[str, ...] = ()  # one an action, such as "+35/12 0.52s": value, depth and time of the search behind it


@dataclass(frozen=True)
class Cell:
    """One square of a board: a symbol for text, and how to draw it."""

    symbol: str = ""  # one or two characters; empty for an empty square
    piece: str = ""  # "disc", "cross", "ring", "wall", "text"; empty draws the symbol as text
    owner: int | None = None  # whose piece: the colour
    mark: bool = False  # highlighted: the last move, a winning line


@dataclass(frozen=True)
class Picture:
    """A board as rows of cells, top row first; drawn by ``views``.

    ``touches`` says where a person clicks for an action: one (row, column) for placing, two for moving from one to the other,
    and so on in pairs for an action of several moves.
    """

    cells: tuple[tuple[Cell, ...], ...]
    rows: tuple[str, ...] = ()  # labels, top first
    columns: tuple[str, ...] = ()  # labels, left first
    touches: Mapping[Action, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    caption: str = ""
    checkered: bool = False
