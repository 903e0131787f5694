"""Endgame tables as part of a player: a folder of them, whoever made them, answers with the best action or not at all.

Every game that numbers its positions takes the tables of `outplay tables build GAME --men N`, of chess also by name (`outplay
tables build chess KQK KBNK`); a search holds them in memory and looks into them at every node. Chess takes Syzygy's files beside
them, or alone: they stay on disk, mapped into memory, and a search looks into them after every capture and every pawn's move.

>>> from outplay.game import load
>>> open_tables("no-such-folder", load("chess"))
Traceback (most recent call last):
outplay.errors.BadValue: no such folder of endgame tables: 'no-such-folder'
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from outplay import extras
from outplay.errors import BadValue, Unsuitable, shorten
from outplay.game import Game, Position

MOST_IN_MEMORY = 200_000_000
"""Positions that a search holds in memory at most, two bytes each: all of checkers to five men."""


class EndgameTables(Protocol):
    """What a player asks of tables."""

    def best(self, position: Position) -> Any:
        """The best action, or None where the tables do not know the position."""
        ...


class Numbered:
    """The tables in a folder of a game that numbers its positions, read block by block as they are asked."""

    def __init__(self, path: str, game: Game) -> None:
        from outplay.engine.tables.files import TableFile, told
        from outplay.engine.tables.retrograde import family

        self.game, self._told = game, told
        self._files: dict[int, Any] = {}
        for folder in path.split(os.pathsep):
            for each in sorted(Path(folder).glob("*.table")) if folder else ():
                file = TableFile(each)
                if file.game == family(game):
                    self._files.update((klass, file) for klass, _ in file.classes)
        if not self._files:
            named = extras.of(game).endings
            which = f"{game.family} {extras.of(game).fetch(named)(3)[-1]}" if named else f"{game.name} --men 4"
            raise BadValue(f"no endgame tables of {game.name} lie in {shorten(path)!r}: "
                           f"outplay tables build {which} --out FOLDER makes some")

    def in_memory(self, most: int = MOST_IN_MEMORY) -> tuple[np.ndarray, np.ndarray]:
        """The numbers of all positions for a search, and where those of each class begin; the smallest tables first."""
        places = np.full(max(self._files) + 1, -1, np.int64)
        parts, base = [], 0
        for file in sorted(set(self._files.values()), key=lambda file: file.size):
            if base + file.size > most:
                break
            parts.append(file.values())
            for klass, size in file.classes:
                places[klass] = base
                base += size
        return np.concatenate(parts) if parts else np.zeros(1, np.uint16), places

    def probe(self, position: Position) -> tuple[str, int] | None:
        """'win', 'draw' or 'loss' for the player to move and the plies to the end; None where no table is known."""
        state: Any = self.game.record(position.state)
        with np.errstate(over="ignore"):
            file = self._files.get(int(state.table_class()))
            return None if file is None else self._told(file.code(int(state.table_class()), int(state.table_index())))

    def best(self, position: Position) -> Any:
        """An action that wins soonest, draws, or loses latest; None where the tables do not know every action."""
        if self.probe(position) is None:
            return None
        judged, mover = [], position.player()
        for action in position.actions():
            after = position.result(action)
            found = self.probe(after)
            if found is None:
                if after.actions():
                    return None
                worth = after.utilities()[mover]
                found = ("loss" if worth > 0 else "win" if worth < 0 else "draw"), 0
            elif after.player() == mover:
                found = {"win": "loss", "loss": "win", "draw": "draw"}[found[0]], found[1]
            outcome, plies = found
            judged.append(({"loss": 2, "draw": 1, "win": 0}[outcome], -plies if outcome == "loss" else plies, action))
        return max(judged)[2] if judged else None


def open_tables(path: str | Path, game: Game) -> EndgameTables:
    """The tables of a folder, or of several joined as a path is."""
    if "table_index" not in getattr(getattr(game, "rules", None), "offered", ()):
        raise Unsuitable(f"no endgame tables are known for {game.name}; there are some for chess, checkers and every game that "
                         "numbers its positions")
    folders = [Path(folder) for folder in str(path).split(os.pathsep) if folder]
    if not folders or not all(folder.is_dir() for folder in folders):
        raise BadValue(f"no such folder of endgame tables: {shorten(str(path))!r}")
    own = extras.of(game)
    found = own.fetch(own.tables)(folders, game) if own.tables else None
    return Numbered(str(path), game) if found is None else found
