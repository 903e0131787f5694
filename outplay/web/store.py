"""Saved games in one SQLite file: what was played, from where and by whom. A game's address is a random text nobody can guess.

>>> store = Store(None)
>>> address = store.add("tic-tac-toe", None, ["human", "random"], ["b2"])
>>> store.change(store.get(address), actions=("b2", "a1")), store.get(address).actions
(True, ('b2', 'a1'))
>>> before = store.get(address)
>>> store.change(before, actions=("b2",)), store.change(before, actions=("b2", "a1", "c3"))  # somebody else has moved since
(True, False)
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import platformdirs

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
class Extra:
    """What a saved game has beside its moves."""

    seed: int = 0
    """Of what chance brings; nobody is told."""
    clock: tuple[float, float] | None = None
    """Seconds for the game, and those that come back with each move."""
    left: tuple[float, ...] = ()
    since: float | None = None
    """When whoever is to move was asked; None before the first move, for which nobody pays."""
    lines: tuple[tuple[str, ...], ...] = ()
    """Other lines of the game, in order; the one that is played stands among them at `place`."""
    place: int = 0
    lost: tuple[int, str, int] | None = None
    """Who lost by the referee's word, by which `Ending`, and after how many plies."""
    open: bool = False
    """Whether it is an analysis, in which nothing is hidden any more."""
    review: dict[str, Any] | None = None
    """What the judge said of it."""
    names: tuple[str, ...] = ()
    """Who played, as the file has it that the game came from."""
    tags: tuple[tuple[str, str], ...] = ()
    """What that file says of the game: event, date and the like."""
    notes: tuple[tuple[tuple[str, ...], str], ...] = ()
    """Comments by the actions that lead to where they stand."""


@dataclass(frozen=True)
class Saved:
    """One saved game; `start` is None for the usual start."""

    address: str
    game: str
    start: str | None
    players: tuple[str, ...]
    actions: tuple[str, ...]
    extra: Extra = field(default_factory=Extra)


def _extra(text: str | None) -> Extra:
    """What a row holds, of this version or an earlier one."""
    kept = json.loads(text) if text else {}
    known = {each.name: kept[each.name] for each in fields(Extra) if each.name in kept}
    for key in ("clock", "left", "lost"):
        if known.get(key) is not None:
            known[key] = tuple(known[key])
    known["lines"] = tuple(tuple(line) for line in known.get("lines", ()))
    known["names"] = tuple(known.get("names", ()))
    known["tags"] = tuple((key, value) for key, value in known.get("tags", ()))
    known["notes"] = tuple((tuple(way), text) for way, text in known.get("notes", ()))
    return Extra(**known)


def data_folder() -> Path:
    """Where saved games lie: `OUTPLAY_DATA`, else the user's data folder."""
    named = os.environ.get("OUTPLAY_DATA")
    return Path(named) if named else platformdirs.user_data_path("outplay", appauthor=False)


def _list(text: str) -> list[str]:
    """A list of texts out of a row."""
    try:
        found = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise Unavailable("cannot read this saved game: it is damaged")
    return found


CHANGING = "players, actions, extra"


def _changing(row: Sequence[Any]) -> tuple[tuple[str, ...], tuple[str, ...], Extra]:
    return tuple(_list(row[0])), tuple(_list(row[1])), _extra(row[2])


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

    def add(self, game: str, start: str | None, players: Sequence[str], actions: Sequence[str], extra: Extra | None = None) -> str:
        """Save a new game and return its address; the oldest games go when there are too many."""
        address = secrets.token_urlsafe(9)
        row = (address, game, start, json.dumps(list(players)), json.dumps(list(actions)), len(actions), time.time())
        with self._writing():
            self._base.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            if extra is not None:
                self._base.execute("INSERT INTO extras VALUES (?, ?)", (address, json.dumps(asdict(extra))))
            self._base.execute(
                "DELETE FROM records WHERE address IN (SELECT address FROM records ORDER BY changed DESC LIMIT -1 OFFSET ?)",
                (MOST_RECORDS,),
            )
        return address

    def get(self, address: str) -> Saved | None:
        """The game at an address, or None."""
        found = self._look_up(f"SELECT address, game, start, {CHANGING} FROM records LEFT JOIN extras USING (address) "
                              "WHERE address = ?", address)  # fmt: skip
        if found is None:
            return None
        players, actions, extra = _changing(found[3:])
        return Saved(found[0], found[1], found[2], players, actions, extra)

    def change(self, before: Saved, **new: Any) -> bool:
        """Save other `actions`, `players` or `extra` of a game, all at once; False where it is not as it was any more."""
        after = replace(before, **new)
        with self._writing():
            found = self._base.execute(f"SELECT {CHANGING} FROM records LEFT JOIN extras USING (address) WHERE address = ?",
                                       (before.address,)).fetchone()  # fmt: skip
            if found is None or _changing(found) != (before.players, before.actions, before.extra):
                return False
            self._base.execute(
                "UPDATE records SET players = ?, actions = ?, plies = ?, changed = ? WHERE address = ?",
                (json.dumps(after.players), json.dumps(after.actions), len(after.actions), time.time(), before.address))
            if after.extra != before.extra:
                row = before.address, json.dumps(asdict(after.extra))
                self._base.execute("INSERT OR REPLACE INTO extras VALUES (?, ?)", row)
            return True

    def delete(self, address: str) -> bool:
        """Forget a game and where it was shared; whether there was one."""
        with self._writing():
            self._base.execute("DELETE FROM shared WHERE address = ?", (address,))
            return self._base.execute("DELETE FROM records WHERE address = ?", (address,)).rowcount > 0

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

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._base.close()
        self._reader.close()
