"""Opening books for every game: Polyglot's for chess, and for all others a book of positions by their keys.

The file of the second kind is text: a line that names the game, then a line for each action of a position: the key of the position,
the action, its weight, and how many of the games were won, drawn and lost by whoever played it (older files have no such figures).
It is made from played games. Those of chess, Othello and checkers come with the package, under the name `own`.

>>> from outplay.game import load
>>> from outplay.values import Outcome, Record
>>> game = load("tic-tac-toe")
>>> won = Record("tic-tac-toe", game.start().text(), ("b2", "a1"), ("A", "B"), Outcome((1.0, -1.0)))
>>> book = build("tic-tac-toe", [won])
>>> [(game.start().action_text(action), weight) for action, weight in book.moves(game.start())]
[('b2', 2)]
>>> book.results(game.start())
{'b2': (1, 0, 0)}
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from outplay import extras
from outplay.errors import BadValue, OutplayError, shorten
from outplay.files import write_whole
from outplay.game import Game, Position, known_game, load
from outplay.values import Action, Outcome, Record

HEAD = "outplay book "
OWN = "own"
"""Asked for instead of a file: the book that comes with the package."""
BOOKS = Path(__file__).parent
PLIES = 20
"""How far into a game a book goes where nobody says."""


class OpeningBook(Protocol):
    """What a player asks of a book."""

    def moves(self, position: Position) -> list[tuple[Any, int]]:
        """The actions that the book knows in a position, each with its weight, the best first."""
        ...

    def results(self, position: Position) -> dict[str, tuple[int, int, int]]:
        """Games won, drawn and lost by whoever played each action of a position, as far as the book knows."""
        ...


class PositionBook:
    """A book of any game: weights by key and action, and results of games, where they are known."""

    def __init__(self, game: str, entries: dict[int, dict[str, int]] | None = None,
                 counts: dict[tuple[int, str], tuple[int, int, int]] | None = None) -> None:  # fmt: skip
        self.game = game
        self.entries = entries if entries is not None else {}
        self.counts = counts if counts is not None else {}

    def __len__(self) -> int:
        return sum(map(len, self.entries.values()))

    def moves(self, position: Position) -> list[tuple[Any, int]]:
        """The actions that the book knows in a position, each with its weight, the best first."""
        known = self.entries.get(key_of(position), {})
        found = [(action, known[text]) for action in position.actions() if (text := position.action_text(action)) in known]
        return sorted(found, key=lambda pair: -pair[1])

    def results(self, position: Position) -> dict[str, tuple[int, int, int]]:
        """Games won, drawn and lost by whoever played each action of a position, as far as the book knows."""
        key = key_of(position)
        return {text: self.counts[key, text] for text in self.entries.get(key, {}) if (key, text) in self.counts}

    def text(self) -> str:
        """The book as the text of its file."""
        rows = []
        for key, known in sorted(self.entries.items()):
            for action, weight in sorted(known.items(), key=lambda pair: (-pair[1], pair[0])):
                rows.append("\t".join([f"{key:016x}", action, str(weight), *map(str, self.counts.get((key, action), ()))]))
        return "\n".join([HEAD + self.game, *rows]) + "\n"

    def save(self, path: str | Path) -> None:
        """Write the book file."""
        write_whole(path, self.text())


@dataclass(frozen=True)
class BookFormat:
    """A format of opening books that one game has beside ours: how it is read, built and merged."""

    ending: str
    open: Callable[[Path], OpeningBook]
    records: Callable[[Sequence[Path], Callable[[int], None], Callable[[Path, Any], None]], Iterator[Record]]
    """The games of files as records; told are how many were read, and what could not be."""
    build: Callable[..., Sized]
    """A book of files, written to a path: of so many plies, moves played so often at least."""
    merge: Callable[[Sequence[Path], Path], Sized]
    """Several books as one, written to a path."""
    spelled: Callable[[Position, Any], str] | None = None
    """A move as the game's people write it."""


def format_of(game: Game) -> BookFormat | None:
    """The game's own format of books; None where it has none."""
    own = extras.of(game)
    return own.fetch(own.books) if own.books else None


def key_of(position: Position) -> int:
    """What a position is found by: the key of its rules, or a hash of its text."""
    game: Any = position.game
    if hasattr(game, "rules"):
        return int(game.key(position.state)) & (2**64 - 1)
    import hashlib

    return int.from_bytes(hashlib.blake2b(position.text().encode(), digest_size=8).digest(), "big")


def game_of(path: str | Path) -> str | None:
    """The game that a book of positions names; None for another file."""
    try:
        with open(path, "rb") as file:
            line = file.readline(1000)
    except OSError as problem:
        raise BadValue(f"cannot read book {shorten(str(path))!r}: {problem.strerror}") from None
    return line.decode("utf-8", "replace").removeprefix(HEAD).strip() if line.startswith(HEAD.encode()) else None


def open_book(path: str | Path, game: Game) -> OpeningBook:
    """The book in a file, which must be one of this game; `own` is the one that comes with the package."""
    name = game.family
    if str(path) == OWN:
        path = BOOKS / f"{game.name}.txt"
        if not path.is_file():
            known = ", ".join(sorted(each.stem for each in BOOKS.glob("*.txt")))
            raise BadValue(f"no book of {game.name} comes with the package (there are some for {known}): outplay book build {name} "
                           "--games 200 --out FILE makes one")
    try:
        with open(path, "rb") as file:
            head = file.read(len(HEAD))
        if head != HEAD.encode():
            own = format_of(game)
            if own is not None:
                return own.open(Path(path))
            raise BadValue(f"{shorten(str(path))!r} is no opening book of {name}: expected a first line {HEAD + name!r}")
        return read(Path(path).read_text(encoding="utf-8"), game.name, str(path))
    except (OSError, UnicodeDecodeError, ValueError) as problem:
        said = getattr(problem, "strerror", None) or "it is no text"
        raise BadValue(f"cannot read book {shorten(str(path))!r}: {said}") from None


def read(text: str, game: str, path: str = "the book") -> PositionBook:
    """A book from the text of its file."""
    first, *lines = text.splitlines()
    said = first.removeprefix(HEAD).strip()
    if said != game:
        raise BadValue(f"{shorten(path)!r} is a book of {shorten(said)}, and this is {game}")
    made = PositionBook(game)
    for number, line in enumerate(lines, start=2):
        parts = line.split("\t")
        try:
            key, action, weight = int(parts[0], 16), parts[1], int(parts[2][:9])
            if len(parts) > 3:
                won, drawn, lost = (max(0, int(part[:9])) for part in parts[3:])
                made.counts[key, action] = won, drawn, lost
        except (ValueError, IndexError):
            raise BadValue(f"{shorten(path)!r}: line {number} is no entry of a book, got {shorten(line)!r}") from None
        made.entries.setdefault(key, {})[action] = max(0, weight)
    return made


def build(game: str | Game, records: Iterable[Record], *, plies: int = PLIES, least: int = 1) -> PositionBook:
    """A book from played games: two points for a winner's move, none for a loser's, in between by what the game was worth.

    A move that gained nothing is known, too, and never played.
    """
    points: dict[tuple[int, str], float] = {}
    counts: dict[tuple[int, str], list[int]] = {}
    loaded = load(game) if isinstance(game, str) else game
    low, high = loaded.traits.bounds
    for record in records:
        try:
            if record.outcome is None or known_game(record.game).name != loaded.name:
                continue
            position = loaded.position(record.start)
            for text in record.actions[:plies]:
                action = position.parse_action(text)
                if not position.is_chance():
                    seat, entry = position.player(), (key_of(position), position.action_text(action))
                    points[entry] = points.get(entry, 0.0) + 2 * (record.outcome.utilities[seat] - low) / (high - low)
                    counts.setdefault(entry, [0, 0, 0])[_won_drawn_lost(loaded, record.outcome, seat)] += 1
                position = position.result(action)
        except (OutplayError, IndexError):
            continue  # a game that cannot be replayed teaches nothing
    made = PositionBook(loaded.name)
    for (key, action), (won, drawn, lost) in counts.items():
        if won + drawn + lost >= least:
            made.entries.setdefault(key, {})[action] = round(points[key, action])
            made.counts[key, action] = won, drawn, lost
    return made


def _won_drawn_lost(game: Game, outcome: Outcome, seat: int) -> int:
    """0, 1 or 2: how a game ended for the side of a seat."""
    best = max(outcome.utilities)
    winners = {game.side(other) for other, utility in enumerate(outcome.utilities) if utility == best}
    return 2 if game.side(seat) not in winners else 0 if len(winners) == 1 else 1


def merge(books: Iterable[PositionBook]) -> PositionBook:
    """One book from several of one game: weights and results of the same action add up; results are kept where all know them."""
    made: PositionBook | None = None
    for book in books:
        made = made or PositionBook(book.game)
        if book.game != made.game:
            raise BadValue(f"books of different games do not merge: {made.game} and {book.game}")
        for key, known in book.entries.items():
            for action, weight in known.items():
                entry = made.entries.setdefault(key, {})
                if (sums := _added(made, book, key, action, action in entry)) is not None:
                    made.counts[key, action] = sums
                else:
                    made.counts.pop((key, action), None)
                entry[action] = entry.get(action, 0) + weight
    if made is None:
        raise BadValue("there is no book to merge")
    return made


def _added(made: PositionBook, book: PositionBook, key: int, action: str, is_known: bool) -> tuple[int, int, int] | None:
    """The results of an action in both books together; None where one of them knows the action and not its results."""
    old, new = made.counts.get((key, action)), book.counts.get((key, action))
    if new is None or not is_known:
        return new
    return None if old is None else (old[0] + new[0], old[1] + new[1], old[2] + new[2])


def choose(book: OpeningBook, position: Position, source: random.Random) -> Action | None:
    """An action of the book, by chance in proportion to the weights; None where the book ends."""
    known = [(action, weight) for action, weight in book.moves(position) if weight > 0]
    return source.choices([a for a, _ in known], [w for _, w in known])[0] if known else None
