"""A picture as text for a terminal: plain, or with rich's markup for colours.

>>> from outplay.game import load
>>> print(board(load("tic-tac-toe").start().play("b2 a1 c1").picture()))
3  . . .
2  . x .
1  o . x
   a b c
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rich.markup import escape

from outplay.picture import Cell, Graph, Hand, Picture, Points, Table, Track

COLOURS = ("bold cyan", "bold yellow", "bold magenta", "bold green", "bold red", "bold blue")
"""One style a player, in order; further players begin again."""
PREMIUMS = {"3W": "=", "2W": "-", "3L": '"', "2L": "'", "star": "*"}
"""Empty squares that count letters or words twice or three times, by their grounds, as boards of Scrabble are typed."""


def board(picture: Picture, markup: bool = False) -> str:
    """The board, top row first, with its labels; marked cells stand in brackets, or in reverse video with markup."""
    if isinstance(picture, Points):
        picture = _points(picture)
    elif isinstance(picture, Table | Track | Graph):
        return "\n".join(_styled(line, "") if markup else line for line in _lines(picture))
    width = max((len(symbol(cell)) for row in picture.cells for cell in row), default=1)
    width = max([width, *map(len, picture.columns)])
    margin = max(map(len, picture.rows), default=0)
    lines = []
    for number, row in enumerate(picture.cells):
        label = picture.rows[number] if number < len(picture.rows) else ""
        row = tuple(_marked(picture, (number, column), cell) for column, cell in enumerate(row))
        lines.append(_label(label.rjust(margin), margin, markup) + _row(row, width, markup).rstrip())
    if picture.columns:
        columns = " ".join(label.rjust(width) for label in picture.columns).rstrip()
        lines.append(_label(" " * margin, margin, markup) + " " + (_styled(columns, "dim") if markup else columns))
    for hand in picture.hands:
        lines.append(_styled(_hand(hand), "") if markup else _hand(hand))
    if picture.caption:
        lines.append(_styled(picture.caption, "") if markup else picture.caption)
    if not markup and all(line.startswith(" ") for line in lines if line):
        lines = [line[1:] for line in lines]  # no row label and no bracket needs the first column
    return "\n".join(lines)


def _marked(picture: Picture, spot: tuple[int, int], cell: Cell) -> Cell:
    kind = picture.marks.get(spot, cell.mark)
    return replace(cell, mark=bool(kind) and str(kind).split(" ")[0] not in ("territory", "start"))


def _points(picture: Points) -> Picture:
    """Backgammon in two rows: the points 13 to 24 above 12 to 1, the bar between the halves, those borne off at the side."""

    def stack(owner: int | None, count: int) -> Cell:
        return Cell(f"{count}{'xo'[owner]}", "checker", owner) if owner is not None and count else Cell()

    cell = [Cell(), *(stack(owner, count) for owner, count in picture.points)]
    out = [(stack(player, picture.bar[player]), stack(player, picture.off[player])) for player in range(2)]
    top = (*cell[13:19], out[1][0], *cell[19:25], out[1][1])
    bottom = (*cell[12:6:-1], out[0][0], *cell[6:0:-1], out[0][1])
    return Picture((top, bottom), caption=picture.caption, hands=picture.hands)


def _hand(hand: Hand) -> str:
    things = " ".join(thing.symbol.strip() or "?" for thing in hand.things)
    notes = ", ".join(part for part in ("button" * hand.is_dealer, hand.note, f"bet {hand.stake}" if hand.stake else "") if part)
    told = f"{hand.name} ({notes})" if notes else hand.name
    return f"{told}: {things}".rstrip() if things or not notes else told


def _lines(picture: Table | Track | Graph) -> list[str]:
    """What has no rows of cells, told line by line."""
    lines = []
    if isinstance(picture, Track):
        tokens: dict[int, list[str]] = {}
        for player, where in enumerate(picture.tokens):
            if where is not None:
                tokens.setdefault(where, []).append(picture.seat_name(player))
        for number, space in enumerate(picture.spaces):
            if number in tokens or space.owner is not None:
                owned = f", {picture.seat_name(space.owner)}'s" if space.owner is not None else ""
                built = f", {space.houses} houses" if space.houses else ""
                here = f" <- {' '.join(tokens[number])}" if number in tokens else ""
                lines.append(f"{number:2} {space.name}{owned}{built}{here}")
    if isinstance(picture, Graph):
        below: dict[Any, list[Any]] = {}
        for start, end in picture.edges:
            below.setdefault(start, []).append(end)
        roots = [node for node in picture.nodes if not any(node in ends for ends in below.values())]

        def grow(node: Any, depth: int) -> None:
            circle = picture.nodes[node]
            kind = {"max": "△", "min": "▽", "box": ""}.get(circle.kind, "○")
            here = " <-" if picture.marks.get(node) == "note" or circle.mark is True else ""
            lines.append("  " * depth + " ".join(part for part in (kind, circle.label) if part) + here)
            for child in below.get(node, ()):
                grow(child, depth + 1)

        if len(picture.edges) == len(picture.nodes) - len(roots):  # a tree
            for root in roots:
                grow(root, 0)
        else:
            lines += [f"{picture.spot_name(start)} - {picture.spot_name(end)}" for start, end in picture.edges]
    lines += [_hand(hand) for hand in picture.hands]
    if isinstance(picture, Table) and picture.middle:
        lines.append("table: " + " ".join(cell.symbol for cell in picture.middle))
    if picture.dice:
        lines.append("dice: " + " ".join(map(str, picture.dice)))
    if isinstance(picture, Table | Track):
        lines += picture.words
    return lines + ([picture.caption] if picture.caption else [])


def symbol(cell: Cell) -> str:
    """What stands in a cell: its own symbol, a dot (or its premium) for an empty square, a hash for a wall."""
    return cell.symbol or ("#" if "wall" in (cell.piece, cell.ground) else PREMIUMS.get(cell.ground, "."))


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
