"""PGN, the portable game notation of chess (Steven Edwards, 1994): files of games to values and back.

Comments, signs and variations are read where they are asked for; a game that cannot be read is reported by its number while the
rest is read.

>>> text = '''[White "A"]
... [Result "1-0"]
...
... 1. e4 {best by test} e5 (1... c5 2. Nf3 (2. c3)) 2. Qh5 $2 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0'''
>>> game, = read(text.splitlines())
>>> game.moves[-1], game.result, game.tags["White"]
('Qxf7#', '1-0', 'A')
>>> print(write(game))
[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "A"]
[Black "?"]
[Result "1-0"]
<BLANKLINE>
1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
<BLANKLINE>
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from outplay.errors import BadNotation, OutplayError
from outplay.formats.movetext import RESULTS, Problem, TaggedGame, main_line, read_path, split, written
from outplay.formats.variations import forks
from outplay.game import Position, known_game, load
from outplay.games.chess.notation import read_san, write_san
from outplay.values import Record

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_TOKEN = re.compile(
    r"\{[^}]*\}?|;[^\n]*|\(|\)|\$\d+|1-0|0-1|1/2-1/2|\*|\d+\s*\.(?:\s*\.\.)?|\.+|[A-Za-z0-9][\w=+#:/()-]*?(?=[\s{}();$!?]|$)|[!?]+|\S"
)


@dataclass(frozen=True)
class Game(TaggedGame):
    """One game of a file, its moves in SAN."""

    lines: tuple[tuple[int, ...], ...] = ()  # variations, each as the whole line from the start; read where they are asked for
    notes: Mapping[tuple[int, ...], str] = field(default_factory=dict)  # comments by the way there, signs such as !? first; so, too

    def start(self) -> Position:
        """The position that the game begins with."""
        game = load("chess", start=0) if "960" in self.tags.get("Variant", "") else load("chess")
        return game.position(self.tags["FEN"]) if "FEN" in self.tags else load("chess").start()

    def record(self) -> Record:
        """The game as the record that every game has."""
        texts = [position.action_text(action) for position, action in zip(self.positions(), self.actions, strict=False)]
        return self._as_record("chess", texts, ("White", "Black"))


def read(lines: Iterable[str], variations: bool = False) -> Iterator[Game | Problem]:
    """The games of a file, one after another; a `Problem` stands for one that cannot be read. Variations only if wanted."""
    for number, (tags, text) in enumerate(split(lines), start=1):
        try:
            game = _parse(number, tags, text)
            yield _annotated(game, text) if variations and any(sign in text for sign in "({;$!?") else game
        except OutplayError as problem:
            yield Problem(number, str(problem))


def read_file(path: str | Path) -> Iterator[Game | Problem]:
    """The games of a file by its path."""
    yield from read_path(path, read)


def _parse(number: int, tags: dict[str, str], text: str) -> Game:
    game = Game(tags)
    position = game.start()
    actions: list[int] = []
    moves: list[str] = []
    result = None
    for token in main_line(_TOKEN.findall(text)):
        if token in RESULTS:
            result = token
            break
        if not token.isdecimal() and token not in ("e.p.", "ep", "--", "Z0"):
            plain = re.sub(r"^\d+\.*", "", token) if not re.match(r"0-0", token) else token
            if not re.match(r"[A-Za-z0]", plain):
                raise BadNotation(f"expected a move, got {token!r} after {len(moves)} half-moves")
            state = position.game.record(position.state)
            action = read_san(state, plain, position.actions())
            moves.append(plain)
            actions.append(action)
            position = position.result(action)
    return Game(tags, tuple(moves), tuple(actions), result or _said(tags), number)


def _annotated(game: Game, text: str) -> Game:
    """The game with its notes and the lines in brackets, each from the start; a move that cannot be read ends its line there."""
    found: list[tuple[int, tuple[int, ...]]] = []  # where each opened, so that a line comes before those inside it
    way: list[tuple[Position, int]] = []  # the position before each action of the line at hand, and the action
    position = game.start()
    above: list[tuple[list[tuple[Position, int]], Position, int]] = []
    broken = False
    signs: dict[tuple[int, ...], str] = {}
    said: dict[tuple[int, ...], list[str]] = {}
    for at, token in enumerate(_TOKEN.findall(text)):
        here = tuple(action for _, action in way)
        if token == "(":
            above.append((way, position, at))
            if not broken and way:
                way, position = way[:-1], way[-1][0]
        elif token == ")" and above:
            way, position, opened = above.pop()
            if here[: len(way)] != tuple(action for _, action in way):
                found.append((opened, here))
            broken = False
        elif token in RESULTS and not above:
            break
        elif broken:
            continue
        elif token[0] in "{;":
            said.setdefault(here, []).append(" ".join(token.strip("{};").split()))
        elif token[0] in "$!?":
            signs[here] = GLYPHS.get(token, token)
        elif re.match(r"[A-Za-z0]", plain := re.sub(r"^[1-9]\d*\.*", "", token)) and plain not in ("e.p.", "ep"):
            try:
                action = read_san(position.game.record(position.state), plain, position.actions())
                way, position = [*way, (position, action)], position.result(action)
            except OutplayError:
                broken = True
            if (sign := re.search(r"[!?]+$", plain)) is not None and not broken:
                signs[tuple(action for _, action in way)] = sign[0]
    notes = {way: " ".join([*([signs[way]] if way in signs else []), *said.get(way, [])]) for way in sorted({*said, *signs})}
    return replace(game, lines=tuple(line for _, line in sorted(found)), notes={way: note for way, note in notes.items() if note})


GLYPHS = {"$1": "!", "$2": "?", "$3": "!!", "$4": "??", "$5": "!?", "$6": "?!"}
"""Numeric signs as people write them; others stay numbers."""
_SIGN = re.compile(r"(\$\d+|[!?]{1,2})(?: |$)")


def _noted(note: str) -> list[str]:
    """A note as words of a file: the sign by its number, then the comment."""
    sign = _SIGN.match(note)
    numbers = {text: number for number, text in GLYPHS.items()}
    words = [] if sign is None else [numbers.get(sign[1], sign[1])]
    text = (note if sign is None else note[sign.end() :]).replace("}", ")")
    return [*words, "{" + text + "}"] if text else words


def _said(tags: Mapping[str, str]) -> str:
    return tags["Result"] if tags.get("Result") in RESULTS else "*"


def write(game: Game) -> str:
    """A game as PGN text, moves wrapped at 80 columns; moves are written as the rules spell them."""
    tags = {name: game.tags.get(name, "????.??.??" if name == "Date" else "?") for name in ROSTER}
    tags |= {name: value for name, value in game.tags.items() if name not in ROSTER}
    tags["Result"] = game.result
    lines = [game.actions, *game.lines]
    words = _movetext(game.start(), lines, forks(lines), 0, 0, game.comments, game.notes)
    return written(tags, [*_noted(game.notes.get((), "")), *words, game.result])


def _movetext(position: Position, lines: Sequence[tuple[int, ...]], parted: Sequence[tuple[int, int]], number: int, begin: int,
              comments: tuple[str, ...] = (), notes: Mapping[tuple[int, ...], str] = MappingProxyType({})) -> list[str]:
    """The numbered moves of a line from a ply on, and behind each the lines that leave it there, in brackets."""
    words: list[str] = []
    numbered = False
    for ply in range(begin, len(lines[number])):
        state: Any = position.game.record(position.state)
        action = lines[number][ply]
        if position.player() == 0:
            words.append(f"{int(state.number)}.")
        elif not numbered:
            words.append(f"{int(state.number)}...")
        words.append(write_san(state, action, position.actions()))
        numbered = True
        if ply < len(comments) and comments[ply]:
            words.append("{" + comments[ply].replace("}", ")") + "}")
        if note := notes.get(lines[number][: ply + 1]):
            words += _noted(note)
            numbered = False
        for other, fork in enumerate(parted):
            if fork == (number, ply) and len(lines[other]) > ply:
                words.append("(" + " ".join(_movetext(position, lines, parted, other, ply, notes=notes)) + ")")
                numbered = False
        position = position.result(action)
    return words


def from_record(record: Record, lines: Iterable[Iterable[str]] = (), **tags: str) -> Game:
    """A played game of chess as one of a PGN file; variations as whole lines, further tags by name."""
    game = known_game(record.game)
    position = game.position(record.start)
    actions, moves = [], []
    for text in record.actions:
        action = position.parse_action(text)
        moves.append(text)
        actions.append(action)
        position = position.result(action)
    def way_of(line: Iterable[str]) -> tuple[int, ...]:
        at, found = game.position(record.start), []
        for text in line:
            found.append(at.parse_action(text))
            at = at.result(found[-1])
        return tuple(found)

    others = [way_of(line) for line in lines]
    notes = {way_of(way): text for way, text in record.notes}
    utilities = record.outcome.utilities if record.outcome else None
    kept = dict(record.tags)
    result = next((text for text, value in RESULTS.items() if value == utilities), "*") if record.outcome else _said(kept)
    names = dict(zip(("White", "Black"), record.players, strict=False))
    start = {} if position.game.start().text() == record.start else {"SetUp": "1", "FEN": record.start}
    told = {**names, **tags, **kept, **names, **start}
    return Game(told, tuple(moves), tuple(actions), result, comments=record.comments, lines=tuple(others), notes=notes)
