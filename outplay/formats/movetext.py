"""What the files of chess (PGN) and draughts (PDN) have in common: tags in brackets, then moves with comments and variations.

>>> [(tags["White"], text) for tags, text in split(['[White "Ann"]', "", "1. e4 e5 1-0", '[White "Bob"]', "1. d4 *"])]
[('Ann', '1. e4 e5 1-0'), ('Bob', '1. d4 *')]
>>> list(main_line(["1.", "e4", "{best}", "(", "1.", "d4", ")", "e5", "$1", "!?"]))
['e4', 'e5']
"""

from __future__ import annotations

import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from outplay.errors import BadNotation, BadValue
from outplay.game import Position
from outplay.values import Outcome, Record

RESULTS = {"1-0": (1.0, -1.0), "0-1": (-1.0, 1.0), "1/2-1/2": (0.0, 0.0), "*": None}
_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"?\s*\]?\s*$')
_NUMBER = re.compile(r"\d+\s*\.[\s.]*")
Read = TypeVar("Read")


@dataclass(frozen=True)
class Problem:
    """A game that could not be read, by its number in the file, from 1 on."""

    number: int
    message: str

    def __str__(self) -> str:
        return f"game {self.number}: {self.message}"


@dataclass(frozen=True)
class TaggedGame(ABC):
    """One game of a file: its tags, its moves as the rules write them, and how it ended."""

    tags: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[str, ...] = ()
    actions: tuple[int, ...] = ()
    result: str = "*"
    number: int = 1
    comments: tuple[str, ...] = ()  # one a move, written behind it; those of a file are not read

    @abstractmethod
    def start(self) -> Position:
        """The position that the game begins with."""

    @abstractmethod
    def record(self) -> Record:
        """The game as the record that every game has."""

    def positions(self) -> Iterator[Position]:
        """All positions, from the first to the last."""
        position = self.start()
        yield position
        for action in self.actions:
            position = position.result(action)
            yield position

    def _as_record(self, game: str, actions: Sequence[str], seats: Sequence[str]) -> Record:
        utilities = RESULTS[self.result]
        return Record(
            game=game, start=self.start().text(), actions=tuple(actions), players=tuple(self.tags.get(name, "?") for name in seats),
            outcome=None if utilities is None else Outcome(utilities), reason=self.tags.get("Termination", ""),
        )  # fmt: skip


def read_path(path: str | Path, read: Callable[[Iterable[str]], Iterator[Read]]) -> Iterator[Read]:
    """What `read` makes of the lines of a file."""
    try:
        with open(path, encoding="utf-8", errors="replace") as lines:
            yield from read(lines)
    except OSError as problem:
        raise BadValue(f"cannot read {str(path)!r}: {problem.strerror}") from None


def split(lines: Iterable[str]) -> Iterator[tuple[dict[str, str], str]]:
    """The tags and the movetext of each game: a tag after moves, outside a comment, begins the next one."""
    tags: dict[str, str] = {}
    moves: list[str] = []
    in_comment = False
    for line in lines:
        if line.startswith("%"):
            continue
        tag = None if in_comment else _TAG.match(line.strip())
        if tag:
            if moves:
                yield tags, "\n".join(moves)
                tags, moves = {}, []
            tags[tag[1]] = tag[2].replace('\\"', '"').replace("\\\\", "\\")
            continue
        if line.strip():
            moves.append(line.rstrip("\n"))
            for sign in re.sub(r";[^{}]*$", "", line) if not in_comment else line:
                in_comment = sign == "{" or (in_comment and sign != "}")
    if tags or moves:
        yield tags, "\n".join(moves)


def main_line(tokens: Iterable[str]) -> Iterator[str]:
    """The moves and the result among the tokens of a game: no comments, numbers, glyphs or variations."""
    depth = 0
    for token in tokens:
        if token == "(":
            depth += 1
        elif token == ")":
            depth = max(0, depth - 1)
        elif not depth and token[0] not in "{;$!?." and not _NUMBER.fullmatch(token):
            yield token
    if depth:
        raise BadNotation("a variation is opened and never closed")


def written(tags: Mapping[str, str], words: Iterable[str], width: int = 80) -> str:
    """A game as text: a line for each tag, and the words of its moves wrapped."""
    lines = ['[{} "{}"]'.format(name, value.replace("\\", "\\\\").replace('"', '\\"')) for name, value in tags.items()]
    return "\n".join([*lines, "", textwrap.fill(" ".join(words), width, break_on_hyphens=False, break_long_words=False), ""])
