"""PDN, the portable draughts notation: files of checkers games to values and back, of every relative that we play.

Comments behind moves are kept, variations are skipped; a game that cannot be read is reported by its number while the rest is read.
The tag GameType says which relative it is (21, English checkers, where it is not given). A result counts the first player first.

>>> text = '''[Event "Example"]
... [Black "A"]
... [White "B"]
... [Result "1-0"]
... [GameType "21"]
...
... 1. 11-15 23-19 2. 8-11 {the Glasgow comes} 22-17 3. 11-16 24-20 (24x? no) 4. 16x23 27x11 1-0'''
>>> game, = read(text.splitlines())
>>> game.moves[-2:], game.result, game.variant
(('16x23', '27x11'), '1-0', 'english')
>>> print(write(game))
[Event "Example"]
[Black "A"]
[White "B"]
[Result "1-0"]
[GameType "21"]
<BLANKLINE>
1. 11-15 23-19 2. 8-11 {the Glasgow comes} 22-17 3. 11-16 24-20 4. 16x23 27x11 1-0
<BLANKLINE>
>>> len(deck())
156
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outplay.errors import BadNotation, OutplayError, shorten
from outplay.formats.movetext import RESULTS, Problem, TaggedGame, main_line, read_path, split, written
from outplay.game import Position, known_game, load
from outplay.games.checkers import VARIANTS
from outplay.values import Record

SPELLINGS = {"2-0": "1-0", "0-2": "0-1", "1-1": "1/2-1/2", "0-0": "*"}
BY_TYPE = {str(rules.game_type): name for name, rules in VARIANTS.items()}
_TOKEN = re.compile(
    r"\{[^}]*\}?|;[^\n]*|\(|\)|\$\d+|1/2-1/2|\*|\d+\s*\.+|[a-j]?\d+(?:\s*[-x:]\s*[a-j]?\d+)+|[!?]+|\S+?(?=[\s{}()]|$)"
)


@dataclass(frozen=True)
class Game(TaggedGame):
    """One game of a file, its moves as draughts players write them."""

    @property
    def variant(self) -> str:
        """Which relative of checkers it is."""
        return _variant(self.tags)

    def start(self) -> Position:
        """The position that the game begins with."""
        return _start(self.tags)

    def record(self) -> Record:
        """The game as the record that every game has."""
        game: Any = self.start().game
        return self._as_record(game.name, self.moves, game.rules.seat_names)


def _variant(tags: Mapping[str, str]) -> str:
    kind = tags.get("GameType", "21").split(",")[0].strip()
    if kind not in BY_TYPE:
        known = ", ".join(f"{number} {name}" for number, name in BY_TYPE.items())
        raise BadNotation(f"GameType {shorten(kind)!r} is not played here: known are {known}")
    return BY_TYPE[kind]


@functools.cache
def _game(variant: str) -> Any:
    return load("checkers" if variant == "english" else f"checkers:variant={variant}")


def _start(tags: Mapping[str, str]) -> Position:
    game = _game(_variant(tags))
    return game.position(tags["FEN"]) if tags.get("FEN") else game.start()


def read(lines: Iterable[str]) -> Iterator[Game | Problem]:
    """The games of a file, one after another; a `Problem` stands for one that cannot be read."""
    for number, (tags, text) in enumerate(split(lines), start=1):
        try:
            yield _parse(number, tags, text)
        except OutplayError as problem:
            yield Problem(number, str(problem))


def read_file(path: str | Path) -> Iterator[Game | Problem]:
    """The games of a file by its path."""
    yield from read_path(path, read)


def _parse(number: int, tags: dict[str, str], text: str) -> Game:
    position = _start(tags)
    game: Any = position.game
    words, flying = game.record(position.state).words(), VARIANTS[_variant(tags)].flying
    actions: list[int] = []
    moves: list[str] = []
    result = "*"
    tokens = _TOKEN.findall(text)
    for token in main_line(tokens):
        if token in RESULTS or token in SPELLINGS:
            result = SPELLINGS.get(token, token)
            if len(actions):
                break
        else:
            plain = re.sub(r"\s", "", token)
            try:
                action = words.read_move(game.record(position.state), plain, position.actions(), flying)
            except ValueError as problem:
                place = len(actions) // 2 + 1
                raise BadNotation(f"move {place}: {problem} in {position.text()}") from None
            moves.append(position.action_text(action) if "x" in plain or ":" in plain else plain)
            actions.append(action)
            position = position.result(action)
    said = SPELLINGS.get(tags.get("Result", ""), tags.get("Result", ""))
    ended = result if result != "*" else said if said in RESULTS else "*"
    return Game(tags, tuple(moves), tuple(actions), ended, number, _comments(tokens, len(moves)))


def _comments(tokens: Iterable[str], plies: int) -> tuple[str, ...]:
    """What is said behind each move of the main line; nothing at all where nothing is."""
    said = [""] * plies
    depth = made = 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        if depth or token in "()":
            continue
        if token[0] in "{;":
            if made:
                said[min(made, plies) - 1] = f"{said[min(made, plies) - 1]} {' '.join(token.strip('{};').split())}".strip()
        elif token[0] not in "$!?." and token not in RESULTS and token not in SPELLINGS and not re.fullmatch(r"\d+\s*\.+", token):
            made += 1
    return tuple(said) if any(said) else ()


def write(game: Game) -> str:
    """One game as PDN."""
    tags = {"Event": "?", **game.tags, "Result": game.result}
    tags.setdefault("GameType", str(VARIANTS[game.variant].game_type))
    order = ("Event", "Site", "Date", "Round", "Black", "White", "Result", "GameType", "FEN")
    names = [name for name in order if name in tags] + sorted(tags.keys() - set(order))
    first = int(game.start().player())
    words = []
    for at, move in enumerate(game.moves, start=first):
        if at % 2 == 0:
            words.append(f"{at // 2 + 1}.")
        elif at == first:
            words.append(f"{at // 2 + 1}...")
        words.append(move)
        if at - first < len(game.comments) and game.comments[at - first]:
            words.append("{" + game.comments[at - first].replace("}", ")") + "}")
    return written({name: tags[name] for name in names}, [*words, game.result], 79)


def from_record(record: Record, **tags: str) -> Game:
    """A record of checkers as a game to write."""
    game: Any = known_game(record.game, compiled=False)
    variant = game.rules.parameters["variant"]
    names = dict(zip(game.rules.seat_names, record.players or ("?", "?"), strict=False))
    result = next((text for text, worth in RESULTS.items() if record.outcome and worth == tuple(record.outcome.utilities)), "*")
    start = {} if record.start in (None, game.start().text()) else {"FEN": str(record.start)}
    found = {"Event": "?", **names, "GameType": str(VARIANTS[variant].game_type), **start, **tags}
    position, actions = _start(found), []
    for text in record.actions:
        actions.append(position.parse_action(text))
        position = position.result(actions[-1])
    return Game(found, tuple(record.actions), tuple(actions), result, comments=record.comments)


# ---------------------------------------------------------------- the three-move deck


def deck() -> list[tuple[str, str, str]]:
    """The openings of the three-move restriction (American Checker Federation): 156 of the 174 that lose nothing at once.

    Left out are the eighteen that the federation bars as lost.
    """
    return [tuple(line.split()) for line in DECK.split("/")]  # type: ignore[misc]  # three moves in each, which mypy does not count


def deck_positions() -> Sequence[Position]:
    """The positions that they lead to."""
    return [_game("english").start().play(" ".join(moves)) for moves in deck()]


DECK = (
    "9-13 21-17 5-9/9-13 21-17 6-9/9-13 22-17 13-22/9-13 22-18 6-9/9-13 22-18 10-14/9-13 22-18 10-15/9-13 22-18 11-15/9-13 "
    "22-18 11-16/9-13 22-18 12-16/9-13 23-18 5-9/9-13 23-18 6-9/9-13 23-18 10-15/9-13 23-18 11-15/9-13 23-18 11-16/9-13 "
    "23-18 12-16/9-13 23-19 5-9/9-13 23-19 6-9/9-13 23-19 10-14/9-13 23-19 10-15/9-13 23-19 11-16/9-13 24-19 5-9/9-13 24-19 "
    "6-9/9-13 24-19 10-14/9-13 24-19 11-15/9-13 24-19 11-16/9-13 24-20 5-9/9-13 24-20 6-9/9-13 24-20 "
    "10-14/9-13 24-20 10-15/9-13 24-20 11-15/9-13 24-20 11-16/9-14 22-17 5-9/9-14 22-17 6-9/9-14 22-17 11-15/9-14 22-17 "
    "11-16/9-14 22-18 5-9/9-14 22-18 10-15/9-14 22-18 11-15/9-14 22-18 11-16/9-14 23-18 14-23/9-14 23-19 5-9/9-14 23-19 "
    "11-16/9-14 23-19 14-18/9-14 24-19 5-9/9-14 24-19 11-15/9-14 24-19 11-16/9-14 24-20 5-9/9-14 24-20 10-15/9-14 24-20 "
    "11-15/9-14 24-20 11-16/10-14 22-17 7-10/10-14 22-17 9-13/10-14 22-17 11-15/10-14 22-17 11-16/10-14 22-17 14-18/10-14 "
    "22-18 6-10/10-14 22-18 7-10/10-14 22-18 11-15/10-14 22-18 11-16/10-14 22-18 12-16/10-14 23-18 14-23/10-14 23-19 "
    "6-10/10-14 23-19 7-10/10-14 23-19 11-15/10-14 23-19 11-16/10-14 23-19 14-18/10-14 24-19 6-10/10-14 24-19 7-10/10-14 "
    "24-19 11-16/10-14 24-19 14-18/10-14 24-20 6-10/10-14 24-20 7-10/10-14 24-20 11-15/10-14 24-20 11-16/10-14 24-20 "
    "14-18/10-15 21-17 6-10/10-15 21-17 7-10/10-15 21-17 9-13/10-15 21-17 11-16/10-15 21-17 15-18/10-15 22-17 6-10/10-15 "
    "22-17 7-10/10-15 22-17 9-13/10-15 22-17 11-16/10-15 22-17 15-19/10-15 22-18 15-22/10-15 23-18 6-10/10-15 23-18 "
    "7-10/10-15 23-18 9-14/10-15 23-18 11-16/10-15 23-18 12-16/10-15 23-19 6-10/10-15 23-19 7-10/10-15 23-19 11-16/10-15 "
    "24-19 15-24/10-15 24-20 6-10/10-15 24-20 7-10/10-15 24-20 15-19/11-15 21-17 8-11/11-15 21-17 9-13/11-15 21-17 "
    "9-14/11-15 21-17 15-19/11-15 22-17 8-11/11-15 22-17 9-13/11-15 22-17 15-18/11-15 22-17 15-19/11-15 22-18 15-22/11-15 "
    "23-18 8-11/11-15 23-18 9-14/11-15 23-18 10-14/11-15 23-18 12-16/11-15 23-18 15-19/11-15 23-19 8-11/11-15 23-19 "
    "9-13/11-15 23-19 9-14/11-15 24-19 15-24/11-15 24-20 8-11/11-15 24-20 12-16/11-15 24-20 15-18/11-16 21-17 7-11/11-16 "
    "21-17 8-11/11-16 21-17 9-13/11-16 21-17 9-14/11-16 21-17 16-20/11-16 22-17 7-11/11-16 22-17 8-11/11-16 22-17 "
    "9-13/11-16 22-17 16-20/11-16 22-18 7-11/11-16 22-18 8-11/11-16 22-18 16-19/11-16 22-18 16-20/11-16 23-18 7-11/11-16 "
    "23-18 8-11/11-16 23-18 9-14/11-16 23-18 10-14/11-16 23-18 16-20/11-16 23-19 16-23/11-16 24-19 7-11/11-16 24-19 "
    "8-11/11-16 24-19 16-20/11-16 24-20 7-11/11-16 24-20 16-19/12-16 21-17 9-13/12-16 21-17 9-14/12-16 21-17 16-19/12-16 "
    "21-17 16-20/12-16 22-17 16-19/12-16 22-17 16-20/12-16 22-18 16-19/12-16 22-18 16-20/12-16 23-18 16-19/12-16 23-18 "
    "16-20/12-16 24-19 16-20/12-16 24-20 8-12/12-16 24-20 10-15"
)
