"""Saved games in one SQLite file: what was played, from where and by whom. A game's address is a random text nobody can guess.

>>> store = Store(None)
>>> address = store.add("tic-tac-toe", None, ["human", "random"], ["b2"])
>>> store.extend(address, 1, ["a1"]), store.get(address).actions
(True, ('b2', 'a1'))
>>> store.extend(address, 1, ["c3"])  # somebody else has moved since
False
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from outplay.errors import Unavailable
from outplay.web.desk import Busy
from outplay.web.limits import LOCKED_SECONDS, MOST_ARENAS, MOST_RECORDS, MOST_WRITERS

SCHEMA = """
CREATE TABLE IF NOT EXISTS records (
    address TEXT PRIMARY KEY, game TEXT NOT NULL, start TEXT, players TEXT NOT NULL, actions TEXT NOT NULL,
    plies INTEGER NOT NULL, changed REAL NOT NULL);
CREATE TABLE IF NOT EXISTS arenas (address TEXT PRIMARY KEY, arena TEXT NOT NULL, changed REAL NOT NULL);
CREATE TABLE IF NOT EXISTS extras (address TEXT PRIMARY KEY, extra TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS shared (token TEXT PRIMARY KEY, address TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS by_change ON records (changed);
CREATE TRIGGER IF NOT EXISTS forget AFTER DELETE ON records BEGIN DELETE FROM extras WHERE address = OLD.address; END;
"""


@dataclass(frozen=True)
class Saved:
    """One saved game; `start` is None for the usual start, `extra` holds its clock, its other lines and who gave up."""

    address: str
    game: str
    start: str | None
    players: tuple[str, ...]
    actions: tuple[str, ...]
    extra: dict[str, Any] = field(default_factory=dict)


def data_folder() -> Path:
    """Where saved games lie: `OUTPLAY_DATA`, else the user's data folder."""
    if named := os.environ.get("OUTPLAY_DATA"):
        return Path(named)
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "outplay"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "outplay"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "outplay"


def _list(text: str) -> list[str]:
    """A list of texts out of a row."""
    try:
        found = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise Unavailable("cannot read this saved game: it is damaged")
    return found


BROKEN = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises; the second where it would quote bytes of a damaged file that are no text."""


def _told(problem: Exception) -> str:
    return "the file is damaged" if isinstance(problem, UnicodeDecodeError) else str(problem)


class Store:
    """The saved games of one file; None keeps them in memory."""

    def __init__(self, path: Path | None) -> None:
        self._lock = self._reading = threading.Lock()
        self._counting = threading.Lock()
        self._writers = 0
        self._blocked: float | None = None  # since when the one whose turn it is waits for another program
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._base = self._reader = self._open(path)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=NORMAL")
            self._base.executescript(SCHEMA)
            if path is not None:  # who only looks never waits for who writes, be it another program
                self._reader, self._reading = self._open(path), threading.Lock()
        except (OSError, *BROKEN) as problem:
            raise Unavailable(f"cannot keep saved games in {path}: {_told(problem)}") from None

    def _open(self, path: Path | None) -> sqlite3.Connection:
        return sqlite3.connect(path or ":memory:", timeout=LOCKED_SECONDS / 2, check_same_thread=False, isolation_level=None)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """The only writer, for a moment; Busy where another program keeps the file locked, at once where many wait already."""
        locked = Busy("the saved games are in use by another program: try again in a moment")
        with self._counting:
            since = self._blocked
            if self._writers >= MOST_WRITERS and since is not None and time.monotonic() - since > LOCKED_SECONDS / 8:
                raise locked
            self._writers += 1
        try:
            if not self._lock.acquire(timeout=LOCKED_SECONDS):
                raise locked
            try:
                self._blocked = time.monotonic()
                self._base.execute("BEGIN IMMEDIATE")
                self._blocked = None
                yield
                self._base.execute("COMMIT")
            except BROKEN as problem:  # locked by another program; or the disk is full, or the file damaged
                raise locked if "locked" in str(problem) else Unavailable(f"cannot save the game: {_told(problem)}") from None
            finally:
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
                self._blocked = None
                self._lock.release()
        finally:
            with self._counting:
                self._writers -= 1

    def add(self, game: str, start: str | None, players: Sequence[str], actions: Sequence[str]) -> str:
        """Save a new game and return its address; the oldest games go when there are too many."""
        address = secrets.token_urlsafe(9)
        row = (address, game, start, json.dumps(list(players)), json.dumps(list(actions)), len(actions), time.time())
        with self._writing():
            self._base.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            self._base.execute(
                "DELETE FROM records WHERE address IN (SELECT address FROM records ORDER BY changed DESC LIMIT -1 OFFSET ?)",
                (MOST_RECORDS,),
            )
        return address

    def get(self, address: str) -> Saved | None:
        """The game at an address, or None."""
        found = self._look_up("SELECT address, game, start, players, actions, extra FROM records LEFT JOIN extras USING (address) "
                              "WHERE address = ?", address)  # fmt: skip
        if found is None:
            return None
        extra = json.loads(found[5]) if found[5] else {}
        return Saved(found[0], found[1], found[2], tuple(_list(found[3])), tuple(_list(found[4])), extra)

    def keep_extra(self, address: str, extra: dict[str, Any]) -> None:
        """Save what a game has beside its moves."""
        with self._writing():
            self._base.execute("INSERT OR REPLACE INTO extras VALUES (?, ?)", (address, json.dumps(extra)))

    def extend(self, address: str, plies: int, more: Sequence[str]) -> bool:
        """Add actions to a game that has so many; False when it has another number by now."""
        return self._change(address, plies, lambda actions: [*actions, *more])

    def shorten(self, address: str, plies: int, left: int) -> bool:
        """Take actions back until so many are left; False when the game has another number than `plies` by now."""
        return self._change(address, plies, lambda actions: actions[:left])

    def replace(self, address: str, plies: int, actions: Sequence[str]) -> bool:
        """Another line in place of the one that was played; False when the game has another number than `plies` by now."""
        return self._change(address, plies, lambda _: list(actions))

    def seat(self, address: str, players: Sequence[str]) -> None:
        """Put other players at the board."""
        with self._writing():
            self._base.execute("UPDATE records SET players = ? WHERE address = ?", (json.dumps(list(players)), address))

    def share(self, token: str, address: str) -> None:
        """Let a game be looked at under another address."""
        with self._writing():
            self._base.execute("INSERT OR IGNORE INTO shared VALUES (?, ?)", (token, address))

    def shared(self, token: str) -> str | None:
        """The game that is shared under this address."""
        found = self._look_up("SELECT address FROM shared WHERE token = ?", token)
        return None if found is None else found[0]

    def keep_arena(self, address: str | None, arena: dict) -> str:
        """Save a round robin, at a new address where it has none yet; the oldest go when there are too many."""
        address = address or secrets.token_urlsafe(9)
        with self._writing():
            self._base.execute("INSERT OR REPLACE INTO arenas VALUES (?, ?, ?)", (address, json.dumps(arena), time.time()))
            self._base.execute(
                "DELETE FROM arenas WHERE address IN (SELECT address FROM arenas ORDER BY changed DESC LIMIT -1 OFFSET ?)",
                (MOST_ARENAS,),
            )
        return address

    def arena(self, address: str) -> dict | None:
        """The round robin at an address."""
        found = self._look_up("SELECT arena FROM arenas WHERE address = ?", address)
        return None if found is None else json.loads(found[0])

    def _look_up(self, query: str, wanted: str) -> Any:
        """The row that a query finds, or None."""
        try:
            with self._reading:
                return self._reader.execute(query, (wanted,)).fetchone()
        except BROKEN as problem:
            raise Unavailable(f"cannot read the saved games: {_told(problem)}") from None

    def running_arenas(self) -> list[tuple[str, dict]]:
        """The round robins that were being played when they were last saved."""
        with self._reading:
            found = self._reader.execute("SELECT address, arena FROM arenas WHERE arena LIKE '%\"running\": true%'").fetchall()
        return [(address, json.loads(arena)) for address, arena in found]

    def _change(self, address: str, plies: int, change: Callable[[list], list]) -> bool:
        with self._writing():
            found = self._base.execute("SELECT actions FROM records WHERE address = ? AND plies = ?", (address, plies)).fetchone()
            if found is None:
                return False
            actions = change(_list(found[0]))
            self._base.execute("UPDATE records SET actions = ?, plies = ?, changed = ? WHERE address = ?",
                               (json.dumps(actions), len(actions), time.time(), address))  # fmt: skip
            return True

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._base.close()
        self._reader.close()
