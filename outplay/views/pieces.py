"""The drawn set: chess men, checkers, discs, stones, cards, tiles, dice and the small folk of the problems, all our own.

Each piece is drawn around (0, 0) in a square of 48; its colours are the variables ``--fill``, ``--edge`` and ``--ink`` of its owner.

>>> body(Cell("♞", "knight", 1)).startswith("<use"), needed([Cell("", "knight", 1)])[:18]
(True, '<symbol id="op-kni')
>>> name_of(Cell("A♠", "card")), name_of(Cell("x", "disc", 1), ("red", "yellow"))
('ace of spades', 'yellow disc')
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from outplay.picture import Cell

_BASE = '<rect x="11" y="36" width="26" height="5" rx="2"/>'

SHAPES = {
    "pawn": '<path d="M20.4 22.5c0 6-2.3 10-5.2 13.5h17.6c-2.9-3.5-5.2-7.5-5.2-13.500z"/>'
    '<rect x="16.5" y="20" width="15" height="3.4" rx="1.7"/><circle cx="24" cy="13.5" r="6.3"/>'
    '<rect x="12.5" y="36" width="23" height="5" rx="2"/>',
    "rook": '<path d="M17 19.500h14l1.8 16.500h-17.600z"/>'
    '<path d="M12.5 8.500h5.200v3.600h3.700V8.500h5.200v3.600h3.700V8.500h5.200v8.200l-3.6 3.300h-15.800l-3.6-3.300z"/>' + _BASE,
    "knight": '<path d="M13.8 36C13.8 30 17.4 27.3 20.8 23.200C19.2 23.6 17.6 24 16.2 25.300C14.8 26.7 13.6 28.4 11.5 28.200C8.9 28 '
    "7.3 25.6 7.9 23.200C8.4 21.2 10.9 18.9 11.9 16.600C12.6 15 12.8 13.3 14.4 11.700C15.4 10.7 16.3 10 16.6 8.800L17.5 5.200L21 "
    '9.300C30.2 9.5 36.8 17 36.8 27C36.8 30.5 36.5 33.5 36.1 36Z"/>'
    '<path class="op-detail" d="M23.5 13c5.2 2.4 8.3 7.7 8.5 14.6"/><circle class="op-spot" cx="16.7" cy="15.3" r="1.5"/>'
    '<circle class="op-spot" cx="10.9" cy="24.2" r="1"/>' + _BASE,
    "bishop": '<path d="M19.3 31c.2 2-1 3.8-3.6 5h16.600c-2.6-1.2-3.8-3-3.6-5z"/>'
    '<path d="M24 9.600c5.7 4 8.6 8.5 8.6 12.800c0 3.6-1.8 6.1-4 7.600h-9.200c-2.2-1.5-4-4-4-7.600c0-4.3 2.9-8.8 8.6-12.800z"/>'
    '<path class="op-detail" d="M24 15.500v8M20.3 19.300h7.4"/><rect x="16.5" y="29" width="15" height="3.4" rx="1.7"/>'
    '<circle cx="24" cy="7.6" r="2.7"/>' + _BASE,
    "queen": '<path d="M13.3 31L8.8 14.800L16.4 22.500L17 11.500L21.6 21.500L24 9.500L26.4 21.500L31 11.500L31.6 22.500L39.2 14.800L34.7 31z"/>'
    '<path d="M13.3 30.500h21.400l-1.6 5.500h-18.200z"/><circle cx="8.5" cy="13.3" r="2.3"/><circle cx="16.8" cy="9.5" r="2.3"/>'
    '<circle cx="24" cy="7.6" r="2.3"/><circle cx="31.2" cy="9.5" r="2.3"/><circle cx="39.5" cy="13.3" r="2.3"/>' + _BASE,
    "king": '<path d="M22.5 4h3v3h3.200v3h-3.200v5h-3v-5h-3.200v-3h3.200z"/>'
    '<path d="M24 18.500c-1.8-4.6-9.6-6.2-13.2-1.300c-3.4 4.8-.2 9.3 3.4 13.800h19.600c3.6-4.5 6.8-9 3.4-13.800c-3.6-4.9-11.4-3.3-13.2 1.300z"/>'
    '<path class="op-detail" d="M24 19v11"/><path d="M13.6 30.500h20.800l-1.4 5.500h-18z"/>' + _BASE,
    "man": '<ellipse cx="24" cy="26" rx="17.5" ry="17.5" class="op-shadow"/><circle cx="24" cy="24" r="17.5"/>'
    '<circle class="op-detail" cx="24" cy="24" r="13"/><circle class="op-detail" cx="24" cy="24" r="8"/>',
    "crowned": '<circle cx="24" cy="27" r="17.5" class="op-shadow"/><circle cx="24" cy="25" r="17.5"/><circle cx="24" cy="22" r="17.5"/>'
    '<path class="op-crown" d="M15 28.500l-2-11.500l6 4.500l5-7.500l5 7.500l6-4.500l-2 11.500z"/>',
    "checker": '<circle cx="24" cy="24" r="22"/><circle class="op-detail" cx="24" cy="24" r="15.5"/>',
    "disc": '<circle cx="24" cy="24" r="18"/>',
    "stone": '<circle class="op-shadow" cx="24.8" cy="25.4" r="22"/><circle cx="24" cy="24" r="22"/>'
    '<ellipse class="op-shine" cx="17" cy="15.5" rx="8" ry="5.5" transform="rotate(-32 17 15.5)"/>',
    "cross": '<path class="op-bold" d="M11 11L37 37M37 11L11 37"/>',
    "ring": '<circle class="op-bold" cx="24" cy="24" r="14.5"/>',
    "coin": '<circle cx="24" cy="24" r="16"/><circle class="op-detail" cx="24" cy="24" r="12"/><path class="op-detail" d="M24 17.500v13"/>',
    "peg": '<circle class="op-shadow" cx="24.5" cy="26" r="13"/><circle cx="24" cy="24" r="13"/>'
    '<ellipse class="op-shine" cx="19.5" cy="19" rx="4.6" ry="3.2" transform="rotate(-35 19.5 19)"/>',
    "token": '<path d="M24 6c7 0 11.5 5 11.5 11.200c0 7.3-6 12.5-11.5 23.300c-5.5-10.8-11.5-16-11.5-23.300C12.5 11 17 6 24 6z"/>'
    '<circle class="op-hole" cx="24" cy="17.5" r="5"/>',
    "ship": '<rect x="3" y="9" width="42" height="30" rx="8"/><circle class="op-detail" cx="24" cy="24" r="6.5"/>',
    "hit": '<path class="op-burst" d="M24 5l4.5 10.500l10.5-5l-5 10.500L44 25l-10.5 4l4.5 10.500l-10.5-4.500L24 45l-4-10l-10.5 4.500l4.5-10.5'
    'L4 25l10-4l-5-10.500l10.5 5z"/><circle class="op-burst-core" cx="24" cy="25" r="6"/>',
    "miss": '<circle class="op-splash" cx="24" cy="24" r="7"/><circle class="op-splash op-ringed" cx="24" cy="24" r="13"/>',
    "pac-man": '<path d="M24 24L40.5 14.500A19 19 0 1 0 40.5 33.500z"/><circle class="op-spot" cx="25" cy="13" r="2.6"/>',
    "ghost": '<path d="M8 43V23a16 16 0 0 1 32 0v20l-5.3-5l-5.3 5l-5.4-5l-5.3 5l-5.4-5z"/><circle class="op-eye" cx="18" cy="22" r="4.6"/>'
    '<circle class="op-eye" cx="31" cy="22" r="4.6"/><circle class="op-pupil" cx="19.6" cy="22.5" r="2.2"/><circle class="op-pupil" cx="32.6" cy="22.5" r="2.2"/>',
    "food": '<circle class="op-food" cx="24" cy="24" r="4.5"/>',
    "dirt": '<path class="op-dirt" d="M9 37c2-7 7-5 9-10c2-4 8-4 10 0c2 5 8 3 11 10z"/><circle class="op-dirt" cx="14" cy="22" r="2"/>'
    '<circle class="op-dirt" cx="34" cy="20" r="2.5"/><circle class="op-dirt" cx="24" cy="15" r="1.7"/>',
    "vacuum": '<circle cx="24" cy="24" r="17"/><path class="op-detail" d="M10.5 16.500a16 16 0 0 1 27 0"/><circle class="op-spot" cx="24" cy="26" r="4.5"/>',
    "flag": '<path class="op-pole" d="M14 7v36"/><path d="M15 8h22l-6 7.500l6 7.500h-22z"/>',
    "robot": '<rect x="10" y="15" width="28" height="24" rx="6"/><path class="op-pole" d="M24 15V7"/><circle cx="24" cy="6.5" r="2.8"/>'
    '<circle class="op-eye" cx="18" cy="25" r="4"/><circle class="op-eye" cx="30" cy="25" r="4"/><circle class="op-pupil" cx="18" cy="25" r="1.8"/>'
    '<circle class="op-pupil" cx="30" cy="25" r="1.8"/><path class="op-detail" d="M18 33.500h12"/>',
    "star": '<path class="op-star" d="M24 7l5.2 11.300l12.3 1.300l-9.2 8.300l2.6 12.200L24 33.900l-10.9 6.200l2.6-12.200l-9.2-8.300l12.3-1.300z"/>',
    "rock": '<path d="M8 31l4-14l11-8l12 4l6 13l-6 12l-17 3z"/><path class="op-detail" d="M12 17l10 6l13-10M22 23l-4 18"/>',
    "paper": '<path d="M12 5h17l8 8v30H12z"/><path class="op-detail" d="M29 5v8h8M17 20h15M17 27h15M17 34h10"/>',
    "scissors": '<path class="op-bold op-thin" d="M14 6l15 24M34 6L19 30"/><circle class="op-bold op-thin" cx="15" cy="36" r="6"/><circle class="op-bold op-thin" cx="33" cy="36" r="6"/>',
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
RANK_WORDS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten", "10": "ten", "9": "nine", "8": "eight", "7": "seven",
              "6": "six", "5": "five", "4": "four", "3": "three", "2": "two"}  # fmt: skip
SUIT_SHAPES = {
    "♥": "M0 4.600C-6.6-.3-5-4.7-2.5-4.700C-1.1-4.7-.3-3.8 0-2.700C.3-3.8 1.1-4.7 2.5-4.700C5-4.7 6.6-.3 0 4.600Z",
    "♠": "M0-5C1-2.6 4.8-.7 4.8 1.700C4.8 3.5 2.3 4 .7 2.400L1.7 5H-1.700L-.7 2.400C-2.3 4-4.8 3.5-4.8 1.700C-4.8-.7-1-2.6 0-5Z",
    "♦": "M0-5.200L3.9 0L0 5.200L-3.9 0Z",
    "♣": "M-.7 1.200C-1.4 3-4.8 3.2-4.8.5C-4.8-1.5-3-2-1.9-1.500C-3.4-4.2-1.4-5-0-5C1.4-5 3.4-4.2 1.9-1.500C3-2 4.8-1.5 4.8.5C4.8 3.2 1.4 3 "
    ".7 1.200L1.7 5H-1.700Z",
}
PIPS = {1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)), 4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
        5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)), 6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1))}  # fmt: skip

CARD = (38, 54)
"""The width and height of a card."""


def colour(cell: Cell, colours: tuple[str, ...] = (), surface: str = "squares") -> str:
    """The colour of a piece: the picture's for its owner, else what its kind usually has."""
    if cell.owner is None:
        own = {"pac-man": "yellow", "star": "yellow", "flag": "green", "food": "yellow", "coin": "yellow", "peg": "blue", "robot": "blue"}
        return own.get(cell.piece, "grey")
    if colours:
        return colours[cell.owner % len(colours)]
    chess = ("pawn", "rook", "knight", "bishop", "queen", "king", "man", "crowned", "checker")
    kind = "chess" if cell.piece in chess else "stones" if cell.piece == "stone" else (
        "discs" if surface == "holes" else "players")  # fmt: skip
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
        return (f'<rect class="block" x="-22" y="-22" width="44" height="44" rx="6"/>'
                f'<text class="block-text" y="1" font-size="{size}">{escape(cell.symbol)}</text>')  # fmt: skip
    if cell.piece == "sticker":
        return (f'<rect class="sticker" x="-22" y="-22" width="44" height="44" rx="6"/>'
                f'<text class="sticker-text" y="1">{escape(cell.symbol)}</text>')  # fmt: skip
    if cell.piece == "die":
        return die(int(cell.symbol or 0))
    if cell.piece == "cube":
        return f'<rect class="cube" x="-16" y="-16" width="32" height="32" rx="5"/><text class="cube-text" y="1">{escape(cell.symbol)}</text>'
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
