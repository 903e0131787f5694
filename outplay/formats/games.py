"""Games as files: read by what they say, written in the game's own format; JSON where a game has none.

The formats are those that games bring (`Extras.formats`): each is a `Format` in the folder of its game, or in an author's own file.

>>> taken = read('[White "Ann"]\\n\\n1. e4 e5 2. Nf3 *')
>>> taken.game, taken.actions, taken.names
('chess', ('e2e4', 'e7e5', 'g1f3'), ('Ann', '?'))
>>> read("(;GM[1]SZ[9]KM[6.5];B[ee];W[cc])").game
'go:size=9,komi=6.5'
>>> read("1. 11-15 23-19 8-11 *").game
'checkers'
>>> read("(;GM[Othello]TY[8]B[F5]W[D6];)").actions
('f5', 'd6')
>>> read(" 1) 31: 8/5 6/5    52: 13/8 24/22").actions
('x31', '8/5+6/5', '52', '13/8+24/22')
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outplay import extras
from outplay.errors import BadNotation, BadValue, OutplayError, UnknownName
from outplay.files import append_line, read_bytes, write_whole
from outplay.game import Game, Position, known_game
from outplay.values import Outcome, Record


@dataclass(frozen=True)
class Taken:
    """A game out of a file."""

    game: str
    actions: tuple[str, ...]
    start: str | None = None
    players: tuple[str, ...] = ()  # texts of players, where the file has them
    names: tuple[str, ...] = ()  # who played
    lines: tuple[tuple[str, ...], ...] = ()  # other lines of the game, each from the start
    tags: tuple[tuple[str, str], ...] = ()  # what the file says of the game, by the format's own names
    notes: tuple[tuple[tuple[str, ...], str], ...] = ()  # comments by the actions that lead there


@dataclass(frozen=True)
class Format:
    """One way to write games of one game as files; `write` gives an empty text for a game that the format cannot hold."""

    title: str
    """What people call it, and of which game, such as "PGN (chess)"."""
    begins: Callable[[str], Any]
    """Whether a text, without blanks before it, looks like this format."""
    read: Callable[[str], Taken]
    write: Callable[[Position, Record, Sequence[Sequence[str]]], str]
    """The text of a game: where it begins, its record, and other lines of it from there."""
    only: str = ""
    """A pattern of parameters with which the format does not know the game."""
    parted: str = ""
    """A pattern that matches where each further game of a file begins."""
    seen: Callable[[Position], str] | None = None
    """Writes a finished game as one seat saw it, where something stayed hidden; None where the format has no sign for that."""
    unpacked: Callable[[bytes, int | None], str | None] | None = None
    """Of a format of bytes: its games, or the first so many, as a text that `read` takes; None where the bytes are not of it."""
    packed: Callable[[bytes, str], bytes] | None = None
    """Of a format of bytes: a file, or none, and behind its games those of a text as `write` makes it."""


def _formats() -> Iterator[tuple[extras.Extras, str, str]]:
    for each in extras.every():
        for ending, place in each.formats.items():
            yield each, ending, place


def read(text: str) -> Taken:
    """The first game of a file; what it is written in is told by how it begins."""
    text = text.lstrip("\ufeff \t\r\n")
    if not text:
        raise BadNotation("this file is empty")
    if text.startswith("{"):
        return _json(text)
    titles = []
    for each, _, place in _formats():
        kind: Format = each.fetch(place)
        if kind.begins(text):
            return kind.read(text)
        titles.append(kind.title)
    known = sorted(title.partition(" (")[0] for title in titles)
    raise BadNotation(f"expected a game as {', '.join(known)} or a file saved here (JSON)")


def text_of(content: bytes, most: int | None = None) -> str:
    """What a file holds as text; of a binary format its games, or the first so many.

    >>> text_of(b"1. e4 *")
    '1. e4 *'
    """
    if b"\0" not in content:
        with contextlib.suppress(UnicodeDecodeError):
            return content.decode("utf-8-sig")
    titles = []
    for each, _, place in _formats():
        kind: Format = each.fetch(place)
        if kind.unpacked is None:
            continue
        text = kind.unpacked(content, most)
        if text is not None:
            return text
        titles.append(kind.title.partition(" (")[0])
    raise BadNotation(f"this file is neither text nor {' nor '.join(sorted(titles))}")


def opened(path: Path, most: int | None = None) -> str:
    """The text of a file, or what is wrong with it in one line."""
    try:
        return text_of(read_bytes(path), most)
    except OSError as problem:
        raise BadValue(f"cannot read {path}: {problem.strerror}") from None


def parts(text: str) -> list[str]:
    """The games of a file, each as a text of its own; what belongs to no format is one.

    >>> [len(part) for part in parts('[Event "A"]\\n\\n1. e4 *\\n\\n[Event "B"]\\n\\n1. d4 *\\n')]
    [21, 21]
    """
    text = text.lstrip("\ufeff \t\r\n")
    for each, _, place in _formats() if text[:1] != "{" else ():
        kind: Format = each.fetch(place)
        if kind.begins(text):
            found = re.split(kind.parted, text) if kind.parted else [text]
            return [part for part in found if part.strip()]
    return [text]


def spelled(position: Position, line: Sequence[Any]) -> tuple[str, ...]:
    """A line of actions in the game's notation."""
    texts = []
    for action in line:
        texts.append(position.action_text(action))
        position = position.result(action)
    return tuple(texts)


def playable(position: Position, line: Sequence[str]) -> tuple[str, ...]:
    """As much of a line as the rules allow."""
    texts: list[str] = []
    for text in line:
        try:
            action = position.parse_action(text)
        except OutplayError:
            break
        texts.append(position.action_text(action))
        position = position.result(action)
    return tuple(texts)


def _json(text: str) -> Taken:
    try:
        kept = json.loads(text)
        game, start = kept["game"], kept.get("start")
        actions, players = (_texts(kept.get(key)) for key in ("actions", "players"))
        lines = tuple(map(_texts, kept.get("lines") or ()))
        tags = tuple((str(key), str(value)) for key, value in dict(kept.get("tags") or {}).items())
        notes = tuple((_texts(way), str(text)) for way, text in kept.get("notes") or ())
        if not isinstance(game, str) or not isinstance(start, str | None):
            raise TypeError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise BadNotation("this file is not a game saved here: expected JSON with game and actions") from None
    if lines:
        rules = known_game(game, compiled=False)
        begun = rules.start() if start is None else rules.position(start)
        lines = tuple(playable(begun, line) for line in lines)
    return Taken(game, actions, start, players, lines=lines, tags=tags, notes=notes)


def _texts(found: Any) -> tuple[str, ...]:
    """A list of texts out of a file, or of what JSON writes without quotes."""
    if not isinstance(found or [], list) or any(isinstance(each, list | dict) for each in found or []):
        raise TypeError
    return tuple(map(str, found or ()))


def _own(game: str | Game, ending: str = "") -> tuple[str, Format] | None:
    """A format of a game with the ending of its files, the first unless one is named; None where none knows its parameters."""
    name = game if isinstance(game, str) else game.name
    base, _, parameters = name.partition(":")
    found = extras.of(base if isinstance(game, str) else game)
    for each, place in found.formats.items():
        kind: Format = found.fetch(place)
        if ending in ("", each) and not (kind.only and re.search(kind.only, parameters)):
            return each, kind
    return None


def kind_of(game: str | Game) -> str:
    """The ending of a file for this game."""
    own = _own(game)
    return "json" if own is None else own[0]


def kinds_of(game: str | Game) -> list[str]:
    """The endings of all files that this game may be written as, the usual one first.

    >>> kinds_of("othello"), kinds_of("othello:size=6"), kinds_of("nim")
    (['ggf', 'wtb'], ['json'], ['json'])
    """
    base = game if isinstance(game, str) else game.family
    return [ending for ending in extras.of(base.partition(":")[0]).formats if _own(game, ending)] or ["json"]


def seen(game: str | Game) -> Callable[[Position], str] | None:
    """What writes a finished game as one seat saw it; None where the game's format has no sign for what stayed hidden."""
    own = _own(game)
    return None if own is None else own[1].seen


def write(game: str, begun: Position, actions: Sequence[str], players: Sequence[str], outcome: Outcome | None,
          lines: Sequence[Sequence[str]] = (), tags: Sequence[tuple[str, str]] = (),
          notes: Sequence[tuple[tuple[str, ...], str]] = (), kind: str = "") -> tuple[str, str]:  # fmt: skip
    """The text of a finished or unfinished game and the ending of its file; PGN, SGF and JSON hold variations and comments, too.

    Where `kind` names a format, it is that or a refusal; otherwise what the game's own format cannot hold becomes JSON."""
    own = _own(begun.game, kind) if kind != "json" else None
    if own is None and kind not in ("", "json"):
        raise UnknownName(f"format of {begun.game.family}", kind, [*kinds_of(begun.game), "json"])
    if own is not None:
        ending, form = own
        record = Record(game, begun.text(), tuple(actions), tuple(players), outcome, tags=tuple(tags), notes=tuple(notes))
        text = form.write(begun, record, lines)
        if text:
            return text.rstrip("\n") + "\n", ending
        if kind:
            raise BadValue(f"{form.title} cannot hold this game")
    start = None if begun.text() == begun.game.start().text() else begun.text()
    kept: dict[str, Any] = {"game": game, "start": start, "actions": list(actions), "players": list(players)}
    more = {"lines": [list(line) for line in lines], "tags": dict(tags), "notes": [[list(way), text] for way, text in notes]}
    return json.dumps(kept | {key: value for key, value in more.items() if value}) + "\n", "json"


def packed(game: str | Game, ending: str, text: str, before: bytes = b"") -> bytes:
    """What a file of this ending holds for a text that `write` made: its letters, or of a format of bytes those that it wants."""
    own = _own(game, ending)
    if own is None or own[1].packed is None:
        return before + text.encode("utf-8", "replace")
    return own[1].packed(before, text)


def writer(path: Path, game: Game) -> Callable[[Record], None]:
    """What writes a game's records behind those of this file; refuses an ending that is unknown or of another game."""
    ending = path.suffix[1:].lower()
    known = {ending: each for each, ending, _ in _formats()}
    if ending not in known:
        wanted = ", ".join(f".{ending} ({each.game})" for ending, each in known.items())
        raise BadValue(f"--export takes a file that ends in {wanted}, got {path.name}; --save keeps games as JSON")
    own = _own(game, ending)
    if own is None:
        kinds = " or ".join(f".{kind}" for kind in kinds_of(game))
        fitting = "are kept by --save, as JSON" if kinds == ".json" else f"end in {kinds}"
        raise BadValue(f"{path.suffix} holds games of {known[ending].game}; games of {game.family} {fitting}")
    kind = own[1]

    def add(record: Record) -> None:
        found = kind.write(game.position(record.start), record, ())
        if not found:
            raise BadValue(f"{kind.title} cannot hold a game that begins or ends like this one: keep it by --save")
        if kind.packed is None:
            append_line(path, found + "\n", is_whole=bool)
        else:
            write_whole(path, kind.packed(path.read_bytes() if path.is_file() else b"", found))

    return add
