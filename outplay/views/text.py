"""A picture as text for a terminal: plain, or with rich's markup for colours.

>>> from outplay.game import load
>>> print(board(load("tic-tac-toe").start().play("b2 a1 c1").picture()))
3  . . .
2  . x .
1  o . x
   a b c
"""

from __future__ import annotations

from rich.markup import escape

from outplay.values import Cell, Picture

COLOURS = ("bold cyan", "bold yellow", "bold magenta", "bold green", "bold red", "bold blue")
"""One style a player, in order; further players begin again."""


def board(picture: Picture, markup: bool = False) -> str:
    """The board, top row first, with its labels; marked cells stand in brackets, or in reverse video with markup."""
    width = max((len(symbol(cell)) for row in picture.cells for cell in row), default=1)
    width = max([width, *map(len, picture.columns)])
    margin = max(map(len, picture.rows), default=0)
    lines = []
    for number, row in enumerate(picture.cells):
        label = picture.rows[number] if number < len(picture.rows) else ""
        lines.append(_label(label.rjust(margin), margin, markup) + _row(row, width, markup).rstrip())
    if picture.columns:
        columns = " ".join(label.rjust(width) for label in picture.columns).rstrip()
        lines.append(_label(" " * margin, margin, markup) + " " + (_styled(columns, "dim") if markup else columns))
    if picture.caption:
        lines.append(_styled(picture.caption, "") if markup else picture.caption)
    if not markup and all(line.startswith(" ") for line in lines if line):
        lines = [line[1:] for line in lines]  # no row label and no bracket needs the first column
    return "\n".join(lines)


def symbol(cell: Cell) -> str:
    """What stands in a cell: its own symbol, a dot for an empty square, a hash for a wall."""
    return cell.symbol or ("#" if cell.piece == "wall" else ".")


def _label(text: str, margin: int, markup: bool) -> str:
    if not margin:
        return ""
    return _styled(text, "dim") + " " if markup else text + " "


def _row(row: tuple[Cell, ...], width: int, markup: bool) -> str:
    """The cells of one row; a run of marked cells stands in one pair of brackets."""
    parts = []
    for number, cell in enumerate(row):
        text = symbol(cell).rjust(width)
        before = number > 0 and row[number - 1].mark
        if markup:
            colour = "dim" if not cell.symbol else "" if cell.owner is None else COLOURS[cell.owner % len(COLOURS)]
            parts.append(" " + _styled(text, f"{colour} reverse" if cell.mark else colour))
        else:
            parts.append(("(" if cell.mark and not before else ")" if before and not cell.mark else " ") + text)
    closing = ")" if row and row[-1].mark and not markup else ""
    return "".join(parts) + closing


def _styled(text: str, style: str) -> str:
    return f"[{style.strip() or 'none'}]{escape(text)}[/]"  # always in tags: rich reads a backslash by what follows it
