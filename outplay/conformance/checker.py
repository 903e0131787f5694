"""The state of one check: what was broken first, and what was met on the way."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from outplay.compiling.problems import Mistake
from outplay.conformance.promises import PROMISES
from outplay.errors import shorten
from outplay.game import Game, Position


class Checker:
    """A game under check; every facet's checks take this and a position."""

    def __init__(self, game: Game, until: float = math.inf, swift: Game | None = None) -> None:
        self.game = game
        self.swift = swift or game  # the same rules for questions beside the way: compiled where lists of actions are long
        self.until = until  # when to hurry
        self.rules: Any = getattr(game, "rules", None)
        self.broken: dict[str, str] = {}
        self.seed = 0
        self.positions = 0
        self.keys: dict[int, tuple[Any, Position]] = {}
        self.hidden = False
        self.cut = 0  # games left before their end
        self.games_played = 0
        self.where: Any = "the start"
        self.most_points = 0.0
        self.plies_of: dict[int, int] = {}  # in this game, by key: when a position came up last
        self.outcomes: set[Any] = set()  # of chance, drawn
        self.recalled: dict[Any, tuple[Any, Position]] = {}

    def need(self, promise: str, kept: bool, what: str) -> None:
        """Note a promise that is broken here; the first position that shows it is enough."""
        if not kept and promise not in self.broken:
            where = self.where
            if isinstance(where, Position):
                try:
                    where = f"position {shorten(where.text(), 300)!r}"
                except Exception:  # the author's text() is what fails
                    where = f"position {where.state!r}"
            self.broken[promise] = f"{PROMISES[promise]}, but {what} ({where}, seed {self.seed})"

    @contextmanager
    def guarded(self, what: str) -> Iterator[None]:
        """An exception in the author's code is a broken promise, not a crash."""
        try:
            yield
        except Mistake:
            raise
        except Exception as problem:
            self.need("runs", False, f"{what} raised {type(problem).__name__}: {one_line(problem)}")

    def record(self, position: Position) -> Any:
        """The position's record, free to be changed."""
        return self.game.record(position.state)

    def as_position(self, record: Any) -> Position:
        """A record as a position."""
        return Position(self.game, record.tobytes())


def one_line(problem: Exception) -> str:
    """What an exception says, in one line of bounded length."""
    return shorten(" ".join(str(problem).split()), 200)
