"""Endgame tables as part of a player: a folder of them, whoever made them, answers with the best action or not at all.

Chess takes our own tables (`outplay tables build chess KQK`) and Syzygy's, told apart by what lies in the folder. Another game
joins by an entry in `OPENERS`.

>>> from outplay.game import load
>>> open_tables("no-such-folder", load("chess"))
Traceback (most recent call last):
outplay.errors.BadValue: no such folder of endgame tables: 'no-such-folder'
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from outplay.errors import BadValue, Unsuitable, shorten
from outplay.game import Game, Position


class EndgameTables(Protocol):
    """What a player asks of tables."""

    def best(self, position: Position) -> Any:
        """The best action, or None where the tables do not know the position."""
        ...


class Syzygy:
    """Syzygy's tables in one folder, or in several joined as a path is."""

    def __init__(self, path: str) -> None:
        from outplay.knowledge import syzygy

        self.path, self._best = path, syzygy.best
        syzygy._open(path)

    def best(self, position: Position) -> Any:
        """The move that the tables like best, counting the fifty moves."""
        return self._best(self.path, position)


def _chess(path: str) -> EndgameTables:
    folders = [Path(folder) for folder in path.split(os.pathsep) if folder]
    if any(folder.glob("*.rtbw") for folder in folders if any(folder.glob("*.rtbw"))):
        return Syzygy(path)
    from outplay.knowledge.tables import Tables

    known = Tables()
    found = [name for folder in folders for name in known.load(folder)]
    if not found:
        raise BadValue(f"no endgame tables lie in {shorten(path)!r}: outplay tables build chess KQK --out FOLDER makes some")
    return known


OPENERS: dict[str, Callable[[str], EndgameTables]] = {"chess": _chess}
"""What opens a folder of tables, by the name of the game."""


def open_tables(path: str | Path, game: Game) -> EndgameTables:
    """The tables of a folder."""
    name = game.name.partition(":")[0]
    if name not in OPENERS:
        raise Unsuitable(f"no endgame tables are known for {name}; there are some for {', '.join(OPENERS)}")
    if not all(Path(folder).is_dir() for folder in str(path).split(os.pathsep) if folder) or not str(path):
        raise BadValue(f"no such folder of endgame tables: {shorten(str(path))!r}")
    return OPENERS[name](str(path))
