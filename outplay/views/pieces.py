"""The drawn set: chess men, checkers, discs, stones, cards, tiles, dice and the small folk of the problems, all our own.

Each piece is drawn around (0, 0) in a square of 48; its colours are the variables ``--fill``, ``--edge`` and ``--own`` of its
owner.

>>> body(Cell("♞", "knight", 1)).startswith("<use"), needed([Cell("", "knight", 1)])[:18]
(True, '<symbol id="op-kni')
>>> name_of(Cell("A♠", "card")), name_of(Cell("x", "disc", 1), ("red", "yellow"))
('ace of spades', 'yellow disc')
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from outplay.picture import Cell

SHAPES = {
    name: " ".join(shape.split()).replace("> <", "><")
    for name, shape in re.findall(
        r'<symbol id="op-([\w-]+)"[^>]*>(.*?)</symbol>', (Path(__file__).parent / "pieces.svg").read_text("utf-8"), re.S
    )
}
"""The shapes that are drawn from a symbol, in a square from (0, 0) to (48, 48)."""

NAMES = (*SHAPES, "wall", "text", "card", "tile", "die", "cube", "sticker", "number")
"""Every piece there is."""

SETS = {
    "chess": ("white", "black"),
    "stones": ("black", "white"),
    "discs": ("red", "yellow"),
    "players": ("blue", "orange", "green", "purple", "teal", "rose"),
}
"""The colours of the players where a picture names none."""

SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣", "♠": "♠", "♥": "♥", "♦": "♦", "♣": "♣"}
SUIT_WORDS = {"♠": "spades", "♥": "hearts", "♦": "diamonds", "♣": "clubs"}
RANK_WORDS = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "T": "ten",
    "10": "ten",
    "9": "nine",
    "8": "eight",
    "7": "seven",
    "6": "six",
    "5": "five",
    "4": "four",
    "3": "three",
    "2": "two",
}
SUIT_SHAPES = {
    "♥": "M0 4.6C-6.6-.3-5-4.7-2.5-4.7C-1.1-4.7-.3-3.8 0-2.7C.3-3.8 1.1-4.7 2.5-4.7C5-4.7 6.6-.3 0 4.6Z",
    "♠": "M0-5C1-2.6 4.8-.7 4.8 1.7C4.8 3.5 2.3 4 .7 2.4L1.7 5H-1.7L-.7 2.4C-2.3 4-4.8 3.5-4.8 1.7C-4.8-.7-1-2.6 0-5Z",
    "♦": "M0-5.2L3.9 0L0 5.2L-3.9 0Z",
    "♣": "M-.7 1.2C-1.4 3-4.8 3.2-4.8.5C-4.8-1.5-3-2-1.9-1.5C-3.4-4.2-1.4-5-0-5C1.4-5 3.4-"
    "4.2 1.9-1.5C3-2 4.8-1.5 4.8.5C4.8 3.2 1.4 3 .7 1.2L1.7 5H-1.7Z",
}
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}

CARD = (38, 54)
"""The width and height of a card."""


def colour(cell: Cell, colours: tuple[str, ...] = (), surface: str = "squares") -> str:
    """The colour of a piece: the picture's for its owner, else what its kind usually has."""
    if cell.owner is None:
        own = {
            "pac-man": "yellow",
            "star": "yellow",
            "flag": "green",
            "food": "yellow",
            "coin": "yellow",
            "peg": "blue",
            "robot": "blue",
        }
        return own.get(cell.piece, "grey")
    if colours:
        return colours[cell.owner % len(colours)]
    chess = ("pawn", "rook", "knight", "bishop", "queen", "king", "man", "crowned", "checker")
    kind = "chess" if cell.piece in chess else "stones" if cell.piece == "stone" else ("discs" if surface == "holes" else "players")
    return SETS[kind][cell.owner % len(SETS[kind])]


def name_of(cell: Cell, colours: tuple[str, ...] = (), surface: str = "squares") -> str:
    """A piece as a screen reader says it: "white knight", "ace of spades", "3 black checkers"; empty for an empty place."""
    if cell.piece == "card":
        rank, suit = card(cell.symbol)
        return f"{RANK_WORDS.get(rank, rank)} of {SUIT_WORDS[suit]}" if suit else "a hidden card"
    if cell.piece in ("", "text", "sticker", "number", "tile", "die", "cube"):
        return cell.symbol.strip()
    if cell.piece == "wall":
        return "wall"
    words = f"{colour(cell, colours, surface)} {cell.piece}" if cell.owner is not None else cell.piece
    return f"{cell.count} {words}s" if cell.count > 1 else words


def card(symbol: str) -> tuple[str, str]:
    """Rank and suit of a card such as A♠, 10h or Td; a hidden one has neither."""
    text = symbol.strip()
    suit = SUITS.get(text[-1:].lower(), "")
    return (text[:-1].upper().replace("T", "10"), suit) if suit and len(text) > 1 else ("", "")


def needed(cells: Iterable[Cell]) -> str:
    """The symbols that drawings of these cells use, once each."""
    names = dict.fromkeys(cell.piece for cell in cells if cell.piece in SHAPES)
    return "".join(f'<symbol id="op-{name.replace(" ", "-")}" viewBox="0 0 48 48">{SHAPES[name]}</symbol>' for name in names)


def body(cell: Cell) -> str:
    """The drawing of one piece around (0, 0), without its place and colour."""
    if cell.piece in SHAPES:
        return f'<use href="#op-{cell.piece.replace(" ", "-")}" x="-24" y="-24" width="48" height="48"/>' + _count(cell)
    if cell.piece == "card":
        return playing_card(cell.symbol)
    if cell.piece == "tile":
        letter = f'<text class="letter" y="1">{escape(cell.symbol.upper())}</text>' if cell.symbol.strip() else ""
        note = f'<text class="worth-note" x="14" y="14">{escape(cell.note)}</text>' if cell.note else ""
        return f'<rect class="tile" x="-22" y="-22" width="44" height="44" rx="5"/>{letter}{note}'
    if cell.piece == "number":
        size = 24 if len(cell.symbol) < 3 else 18
        return (
            f'<rect class="block" x="-22" y="-22" width="44" height="44" rx="6"/>'
            f'<text class="block-text" y="1" font-size="{size}">{escape(cell.symbol)}</text>'
        )
    if cell.piece == "sticker":
        return (
            f'<rect class="sticker" x="-22" y="-22" width="44" height="44" rx="6"/>'
            f'<text class="sticker-text" y="1">{escape(cell.symbol)}</text>'
        )
    if cell.piece == "die":
        return die(int(cell.symbol or 0))
    if cell.piece == "cube":
        return (
            '<rect class="cube" x="-16" y="-16" width="32" height="32" rx="5"/>'
            f'<text class="cube-text" y="1">{escape(cell.symbol)}</text>'
        )
    if cell.piece == "wall" or not cell.symbol.strip():
        return ""
    size = {1: 28, 2: 21, 3: 18}.get(len(cell.symbol), max(9, 52 // len(cell.symbol)))
    return f'<text class="letters" y="1" font-size="{size}">{escape(cell.symbol)}</text>'


def _count(cell: Cell) -> str:
    return f'<text class="count" y="1">{cell.count}</text>' if cell.count > 1 else ""


def playing_card(symbol: str) -> str:
    """A card, its face up if the symbol says which one it is."""
    wide, tall = CARD
    rank, suit = card(symbol)
    frame = f'<rect class="card{"" if suit else " back"}" x="{-wide / 2}" y="{-tall / 2}" width="{wide}" height="{tall}" rx="4"/>'
    if not suit:
        return frame + '<path class="weave" d="M-14-22L14 22M14-22L-14 22M0-22L14 0L0 22L-14 0Z"/>'
    red = " red" if suit in "♥♦" else ""
    size = 14 if len(rank) == 1 else 12
    return (
        f'{frame}<text class="rank{red}" x="-11.5" y="-18" font-size="{size}">{rank}</text>'
        f'<path class="suit{red}" d="{SUIT_SHAPES[suit]}" transform="translate(-11.5 -7) scale(.95)"/>'
        f'<path class="suit{red}" d="{SUIT_SHAPES[suit]}" transform="translate(5 10) scale(2.1)"/>'
    )


def die(pips: int) -> str:
    """A die that shows so many pips."""
    spots = "".join(f'<circle class="pip" cx="{8.5 * x}" cy="{8.5 * y}" r="3.4"/>' for x, y in PIPS.get(pips, ()))
    return f'<rect class="die" x="-16" y="-16" width="32" height="32" rx="6"/>{spots}'
