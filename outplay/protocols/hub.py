"""Hub, the protocol of draughts engines (Fabien Letouzey, for Scan, 2015): its lines as values, and its positions.

>>> parse('pos pos=Wbbw moves="32-28 19-23"')
Line(name='pos', pairs={'pos': 'Wbbw', 'moves': '32-28 19-23'})
>>> parse("level infinite").pairs
{'infinite': ''}
>>> line("done", move="32-28", ponder="19-23"), line("info", pv="32-28 19-23", depth=3)
('done move=32-28 ponder=19-23', 'info pv="32-28 19-23" depth=3')
>>> write_position("W:W31-50:B1-20", 50)[:25], read_position(write_position("B:WK3,14:B22", 32), 32)
('Wbbbbbbbbbbbbbbbbbbbbeeee', 'B:WK3,14:B22')
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from outplay.errors import BadNotation, shorten

LONGEST = 1 << 16
_WORD = re.compile(r'([^\s=]+)(?:=(?:"([^"]*)"?|(\S*)))?')


@dataclass(frozen=True)
class Line:
    """One line: its name, and pairs; a word without a value has an empty one."""

    name: str
    pairs: dict[str, str] = field(default_factory=dict)


def parse(text: str) -> Line | None:
    """The line's name and pairs; None for an empty one."""
    words = _WORD.findall(text.strip()[:LONGEST])
    if not words:
        return None
    return Line(words[0][0], {name: quoted or plain for name, quoted, plain in words[1:]})


def line(word: str, /, **pairs: Any) -> str:
    """A line to send; values with spaces are put in quotes, dashes in names are written with _ here."""
    parts = [word]
    for key, value in pairs.items():
        text = str(value).replace('"', "'")
        shown = f'"{text}"' if not text or re.search(r"\s|=", text) else text
        parts.append(f"{key.replace('_', '-')}={shown}")
    return " ".join(parts)


def write_position(fen: str, squares: int) -> str:
    """A FEN as Hub writes positions: who is to move, then a letter for each square (w b W B e)."""
    board = ["e"] * squares
    turn, *sides = fen.split(":")
    for side in sides:
        letter, rest = side[:1].lower(), side[1:]
        if letter not in "wb":
            continue
        for item in filter(None, rest.split(",")):
            is_king, (low, _, high) = item.startswith("K"), item.removeprefix("K").partition("-")
            for number in range(int(low), int(high or low) + 1):
                board[number - 1] = letter.upper() if is_king else letter
    return turn + "".join(board)


def read_position(text: str, squares: int) -> str:
    """Hub's text of a position as FEN."""
    if len(text) != squares + 1 or text[0] not in "WB" or set(text[1:]) - set("wbWBe"):
        raise BadNotation(f"expected W or B to move and {squares} squares of w b W B e, got {shorten(text)!r}")
    sides = {colour: ",".join(("K" if cell.isupper() else "") + str(number) for number, cell in enumerate(text[1:], start=1)
                              if cell.lower() == colour) for colour in "wb"}
    return f"{text[0]}:W{sides['w']}:B{sides['b']}"
