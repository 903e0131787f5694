"""GTP, the Go text protocol (Gunnar Farnebäck, version 2, 2002): its lines as values, in both directions.

>>> parse("7 play black D4  # a comment")
Command(number=7, name='play', arguments=('black', 'D4'))
>>> answer(Command(7, "play"), "")
'=7\\n\\n'
>>> refuse(Command(None, "paly"), "unknown command")
'? unknown command\\n\\n'
>>> parse_color("W"), parse_color("black")
(1, 0)
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from outplay.errors import BadNotation, shorten


@dataclass(frozen=True)
class Command:
    """One line that a controller sent."""

    number: int | None
    name: str
    arguments: tuple[str, ...] = ()


def parse(line: str) -> Command | None:
    """The command of a line, or None for an empty line or a comment."""
    plain = re.sub(r"[^\x20-\x7e\t\u0080-\uffff]", "", line.partition("#")[0]).replace("\t", " ")
    words = plain.split()
    if not words:
        return None
    number = None
    if words[0].isascii() and words[0].isdigit():
        number = int(words.pop(0)[:18])
    if not words:
        return Command(number, "")
    return Command(number, words[0].lower(), tuple(words[1:]))


def answer(command: Command, text: str) -> str:
    """A success, with what was asked for."""
    return f"={'' if command.number is None else command.number} {text}".rstrip(" ") + "\n\n"


def refuse(command: Command, text: str) -> str:
    """A failure, with the reason."""
    return f"?{'' if command.number is None else command.number} {text}\n\n"


def parse_color(text: str) -> int:
    """Player 0 for black, 1 for white."""
    found = {"b": 0, "black": 0, "w": 1, "white": 1}.get(text.lower())
    if found is None:
        raise BadNotation(f"expected black or white, got {shorten(text)!r}")
    return found


def score_text(black_minus_white: float) -> str:
    """A final score as GTP writes it.

    >>> score_text(3.5), score_text(-12), score_text(0)
    ('B+3.5', 'W+12', '0')
    """
    if black_minus_white == 0:
        return "0"
    return f"{'B' if black_minus_white > 0 else 'W'}+{abs(black_minus_white):g}"


HANDICAPS = {
    2: "bl tr", 3: "bl tr br", 4: "bl tr br tl", 5: "bl tr br tl c", 6: "bl tr br tl l r", 7: "bl tr br tl l r c",
    8: "bl tr br tl l r b t", 9: "bl tr br tl l r b t c",
}  # fmt: skip
"""Where fixed handicap stones go, by number: corners, sides and centre."""


def handicap_points(size: int, stones: int) -> list[tuple[int, int]]:
    """The (column, row) of each fixed handicap stone, counted from the lower left; the table of the protocol's section 4.1.1.

    >>> handicap_points(9, 2)
    [(2, 2), (6, 6)]
    """
    most = 9 if size % 2 and size >= 9 else 4 if size >= 7 else 0
    if not 2 <= stones <= most:
        raise BadNotation(f"a board of size {size} takes 2 to {most} fixed handicap stones, got {stones}" if most else
                          f"a board of size {size} takes no fixed handicap, got {stones}")  # fmt: skip
    low = 2 if size <= 12 else 3
    high, middle = size - 1 - low, size // 2
    where = {"b": (middle, low), "t": (middle, high), "l": (low, middle), "r": (high, middle), "c": (middle, middle),
             "bl": (low, low), "br": (high, low), "tl": (low, high), "tr": (high, high)}  # fmt: skip
    return [where[place] for place in HANDICAPS[stones].split()]
