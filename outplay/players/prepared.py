"""What a player knows before it thinks: an opening book and endgame tables, for every game that has some."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from typing import Any

from outplay.books import openings
from outplay.engine.tables import endings
from outplay.errors import OutplayError
from outplay.game import Game, Position


class Prepared:
    """A book and tables, opened when they are first asked. Whoever sets `warn` hears a problem once, and the search goes on
    without that part; otherwise a problem is raised."""

    def __init__(self, book: str = "", tables: str = "", warn: Callable[[str], None] | None = None) -> None:
        self.book, self.tables, self.warn = book, tables, warn
        self._opened: dict[str, Any] = {}

    def open(self, game: Game) -> None:
        """Read book and tables now, so that what is wrong with them is said before a game."""
        openers: dict[str, tuple[str, Callable[..., Any]]] = {
            "book": (self.book, openings.open_book), "tables": (self.tables, endings.open_tables),
        }  # fmt: skip
        for part, (path, opener) in openers.items():
            if path and part not in self._opened:
                self._opened[part] = None
                try:
                    self._opened[part] = opener(path, game)
                except OutplayError as problem:
                    if self.warn is None:
                        del self._opened[part]
                        raise
                    self.warn(str(problem))

    def in_search(self, game: Game) -> Any:
        """The tables that a search of the engine may look into, None where there are none."""
        self.open(game)
        tables: Any = self._opened.get("tables")
        if "in_memory" not in self._opened and hasattr(tables, "in_memory"):
            from outplay.engine.tables.endgame import EndgameTables

            self._opened["in_memory"] = EndgameTables(*tables.in_memory())
        return self._opened.get("in_memory")

    def action(self, position: Position, source: random.Random, allowed: Collection[Any] | None = None) -> Any:
        """An action of the book or of the tables that is allowed, else None."""
        self.open(position.game)
        book, tables = self._opened.get("book"), self._opened.get("tables")
        if book is not None:
            known = self._ask("book", lambda: openings.choose(book, position, source))
            if known is not None and (allowed is None or known in allowed):
                return known
        if tables is not None:
            known = self._ask("tables", lambda: tables.best(position))
            if known is not None and (allowed is None or known in allowed):
                return known
        return None

    def _ask(self, part: str, ask: Callable[[], Any]) -> Any:
        try:
            return ask()
        except Exception as problem:  # a damaged file shows only when it is read: the search goes on without it
            self._opened[part] = None
            if self.warn is not None:
                self.warn(f"the {part} cannot be read: {type(problem).__name__}: {' '.join(str(problem).split())[:200]}")
            return None
