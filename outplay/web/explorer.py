"""The opening explorer: what the books know of a position, each move with its share, its points, and games won, drawn and lost.

Books are those that come with the package and the files that the studio was started with (`serve --book FILE`), never anything
that a request names. A move's points are two for each game it won and one for each draw, as `outplay book build` and Polyglot
count them. Polyglot's books hold no more than points; those that `outplay book build` makes as text count the games, too.

>>> from outplay.game import load
>>> known = moves_of(load("othello", compiled=False).start())
>>> sorted(row["action"] for row in known) == sorted({row["action"] for row in known}) and bool(known)
True
>>> books_of(load("nim"))
()
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter

from outplay.books import openings as books
from outplay.game import Game, Position
from outplay.views.panel import panel_of
from outplay.web import own
from outplay.web.choices import Asked
from outplay.web.spoken import spelled_line

router = APIRouter(prefix="/api", tags=["think"])

named: list[Path] = []
"""The files that the studio was started with."""


def name_books(files: Sequence[str]) -> None:
    """Explore these books, too; one that cannot be read is refused at once."""
    from outplay.game import known_game

    own.games()  # a book of a game of one's own is known by that file
    for text in files:
        books.open_book(text, known_game(books.game_of(text) or "chess", compiled=False))
    named[:] = [Path(text) for text in files]
    _opened.cache_clear()


def books_of(game: Game) -> tuple[tuple[str, books.OpeningBook], ...]:
    """The books of a game, each with the name that people know it by."""
    return () if game.traits.information == "hidden" else _opened(game)


@functools.lru_cache(32)
def _opened(game: Game) -> tuple[tuple[str, books.OpeningBook], ...]:
    found = []
    for path in named:
        if (books.game_of(path) or "chess") == game.name:
            found.append((path.name, books.open_book(path, game)))
    if not found and (books.BOOKS / f"{game.name}.txt").is_file():
        found.append(("games of the engine", books.open_book(books.OWN, game)))
    return tuple(found)


def moves_of(position: Position) -> list[dict[str, Any]]:
    """What all books of the game say together: the move of most games first, or of most points where a book counts no games.

    `results` are the games that the player to move won, drew and lost, and a share is one of games; without results, of points.
    """
    points: dict[str, int] = {}
    results: dict[str, list[int]] = {}
    is_counted = True
    for _, book in books_of(position.game):
        counted = book.results(position)
        for action, weight in book.moves(position):
            text = position.action_text(action)
            points[text] = points.get(text, 0) + weight
            is_counted = is_counted and text in counted
            results[text] = [old + new for old, new in zip(results.get(text, (0, 0, 0)), counted.get(text, (0, 0, 0)), strict=True)]
    sizes = {text: sum(results[text]) if is_counted else weight for text, weight in points.items()}
    total = sum(sizes.values()) or 1
    ranked = sorted(points, key=lambda text: (-sizes[text], -points[text]))
    return [{"action": text, "points": points[text], "share": sizes[text] / total, "results": results[text] if is_counted else None}
            for text in ranked]  # fmt: skip


@router.post("/openings")
def explore(asked: Asked) -> dict[str, Any]:
    """The moves that the opening books know in a position, with points and results; in chess also the names of openings."""
    position = asked.position()
    if position.is_chance() or position.is_terminal():
        return {"books": [], "moves": []}
    moves = moves_of(position)
    begun = asked.model_copy(update={"actions": []}).position()
    name = panel_of(position.game).opening if begun == position.game.start() else None
    words = spelled_line(begun, asked.actions) if name is not None else []
    for row in moves:
        row["word"] = spelled_line(position, [row["action"]])[0]
        row["name"] = "" if name is None else name([*words, row["word"]])
    return {"books": [title for title, _ in books_of(position.game)], "moves": moves}
