"""Boards and sets of tiles, by name or written out."""

from __future__ import annotations

import re

from outplay.errors import BadValue, shorten

STANDARD = """
=..'...=...'..=
.-..."..."...-.
..-...'.'...-..
'..-...'...-..'
....-.....-....
."..."..."...".
..'...'.'...'..
=..'...*...'..=
..'...'.'...'..
."..."..."...".
....-.....-....
'..-...'...-..'
..-...'.'...-..
.-..."..."...-.
=..'...=...'..=
"""
BOARDS = {
    "standard": "/".join(STANDARD.split()),
    "small": "-.'.'.-/.\"...\"./'.'.'.'/...*.../'.'.'.'/.\"...\"./-.'.'.-",
}
"""Rows from the top: = triple word, - double word, * double word where the first word lies, " triple letter, ' double letter."""

ENGLISH = ("A9.1-B2.3-C2.3-D4.2-E12.1-F2.4-G3.2-H2.4-I9.1-J1.8-K1.5-L4.1-M2.3-N6.1-O8.1-P2.3-Q1.10-R6.1-S4.1-T6.1-U4.1-V2.4-W2.4-"
           "X1.8-Y2.4-Z1.10-?2.0")
TILES = {
    "english": ENGLISH,
    "small": "A3.1-C1.3-D1.2-E4.1-I2.1-L1.1-N2.1-O2.1-R2.1-S2.1-T3.1-?1.0",
}
"""Each letter with how many tiles there are and what one is worth; ? is the blank."""
WORD, LETTER = {"=": 3, "-": 2, "*": 2}, {'"': 3, "'": 2}
GROUNDS = {"=": "3W", "-": "2W", "*": "star", '"': "3L", "'": "2L", ".": ""}


def board_rows(text: str) -> str:
    """a board: standard, small, a size such as 9x9, or rows of . ' " - = with one * parted by /"""
    if text in BOARDS:
        return text
    plain = re.fullmatch(r"(\d+)x(\d+)", text)
    if plain and plain[1] == plain[2] and 3 <= int(plain[1]) <= 15:
        return text
    rows = text.split("/")
    if not 3 <= len(rows) <= 15 or any(len(row) != len(rows) for row in rows) or not re.fullmatch(r"[.'\"=*/-]+", text) or (
        text.count("*") != 1
    ):
        raise BadValue(f"scrabble: board must be {board_rows.__doc__}, as many as each is long, 3 to 15; got {shorten(text)!r}")
    return text


def layout(text: str) -> tuple[str, ...]:
    """The rows of a board that is named so."""
    if text in BOARDS:
        return tuple(BOARDS[text].split("/"))
    if "x" in text:
        size = int(text.split("x")[0])
        middle = size // 2
        return tuple("." * middle + "*" + "." * (size - middle - 1) if row == middle else "." * size for row in range(size))
    return tuple(text.split("/"))


def tile_set(text: str) -> str:
    """a set of tiles: english, small, or letters with number and worth such as A9.1-B2.3-?2.0"""
    if text in TILES:
        return text
    counts, _ = read_tiles(text)
    if not 2 <= sum(counts) <= 120:
        raise BadValue(f"scrabble: a set has 2 to 120 tiles, got {sum(counts)}")
    return text


def read_tiles(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """How many tiles there are of the blank and of each letter, and what they are worth."""
    counts, values = [0] * 27, [0] * 27
    for part in TILES.get(text, text).split("-"):
        found = re.fullmatch(r"([A-Z?])(\d{1,2})\.(\d{1,2})", part)
        at = 0 if part[:1] == "?" else ord(part[:1] or "?") - 64
        if not found or counts[at]:
            raise BadValue(f"scrabble: tiles must be {tile_set.__doc__}, each letter once; got {shorten(part)!r}")
        counts[at], values[at] = int(found[2]), int(found[3])
    return tuple(counts), tuple(values)
