"""What the files of chess (PGN) and draughts (PDN) have in common: tags in brackets, then moves with comments and variations.

>>> [(tags["White"], text) for tags, text in split(['[White "Ann"]', "", "1. e4 e5 1-0", '[White "Bob"]', "1. d4 *"])]
[('Ann', '1. e4 e5 1-0'), ('Bob', '1. d4 *')]
>>> list(main_line(["1.", "e4", "{best}", "(", "1.", "d4", ")", "e5", "$1", "!?"]))
['e4', 'e5']
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from outplay.errors import BadNotation

RESULTS = {"1-0": (1.0, -1.0), "0-1": (-1.0, 1.0), "1/2-1/2": (0.0, 0.0), "*": None}
_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"?\s*\]?\s*$')
_NUMBER = re.compile(r"\d+\s*\.[\s.]*")


@dataclass(frozen=True)
class Problem:
    """A game that could not be read, by its number in the file, from 1 on."""

    number: int
    message: str

    def __str__(self) -> str:
        return f"game {self.number}: {self.message}"


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
