"""Games of Go as SGF files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from outplay.errors import BadNotation, BadValue
from outplay.experts.go import sgf
from outplay.formats.games import Format, Taken, playable
from outplay.game import Position, load
from outplay.values import Record


def read(text: str) -> Taken:
    """The game of a file, with its variations."""
    if "GM[1]" not in text and "GM[2]" in text:
        raise BadNotation("expected Othello as GGF, (;GM[Othello]...;): its SGF is not read here")
    game = sgf.read(text)
    if game.black or game.white:
        raise BadValue("this SGF sets stones up before the first move, which a game here cannot begin with")
    if game.colors:
        raise BadValue("in this SGF one colour moves twice in a row")
    name = f"go:size={game.size},komi={game.komi:g}"
    begun = load(name, compiled=False).start()
    return Taken(name, game.moves, names=game.players, lines=tuple(playable(begun, line) for line in game.lines),
                 tags=(*game.tags, *([("RE", game.result)] if game.result else [])), notes=game.notes)


def write(begun: Position, record: Record, lines: Sequence[Sequence[str]]) -> str:
    """A game as one line; the stones of an opening are set up before the first move.

    >>> from outplay.values import Outcome
    >>> begun = load("go:size=5").position("...../...../...../...../..... x - 0 0 -")
    >>> write(begun, Record("go:size=5", begun.text(), ("C3", "C4"), ("Ann", "Bob"), Outcome((1.0, -1.0))), ())
    '(;GM[1]FF[4]CA[UTF-8]SZ[5]KM[7.5]PB[Ann]PW[Bob]RE[B+];B[cc];W[cb])'
    """
    rules: Any = begun.game.rules
    rows = record.start.split()[0].split("/")
    stones: dict[str, list[str]] = {"x": [], "o": []}
    for down, row in enumerate(rows):
        for across, symbol in enumerate(row):
            if symbol in stones:
                stones[symbol].append(f"{sgf.LETTERS[across]}{len(rows) - down}")
    first = begun.player()
    colors = () if first == 0 else tuple((first + ply) % 2 for ply in range(len(record.actions)))
    utilities = record.outcome.utilities if record.outcome else None
    tags = dict(record.tags)
    said = tags.pop("RE", "")
    result = said if utilities is None else "0" if utilities[0] == utilities[1] else "B+" if utilities[0] > utilities[1] else "W+"
    names = (record.players[0], record.players[1]) if len(record.players) == 2 else ("", "")
    set_up = tuple(stones["x"]), tuple(stones["o"])
    komi = float(rules.parameters["komi"])
    return sgf.write(sgf.GoGame(len(rows), komi, record.actions, colors, *set_up, names, result, record.comments,
                                lines=tuple(map(tuple, lines)), tags=tuple(tags.items()), notes=record.notes))


FORMAT = Format("SGF (Go)", lambda text: text.startswith("(") and "GM[Othello]" not in text, read, write,
                parted=r"(?<=\))\s*(?=\(;\s*(?:GM|FF|CA|AP|SZ|PB|PW|EV|GN)\[)")
