"""Chess in the studio: moves in SAN, names of openings, what is taken, what is threatened, and why a move is not legal.

>>> opening(["e4", "c5", "Nf3", "d6", "d4"]), opening(["e4"]), opening(["a4", "a5"])
('Sicilian Defence', "King's pawn", '')
>>> opening("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6".split())
'Ruy Lopez, Morphy Defence'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from outplay.game import Position
from outplay.games.chess.exchange import holds
from outplay.games.chess.exchange import worth as worth_of
from outplay.games.chess.notation import write_san
from outplay.jit import u64
from outplay.picture import Cell, Picture, Spot
from outplay.views import svg, threats
from outplay.views.panel import Panel, Threats

WORDS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}


def spelled(position: Position, action: Any, text: str) -> str:
    """A move in SAN."""
    game: Any = position.game
    return write_san(game.record(position.state), action, position.actions())


def opening(words: Sequence[str]) -> str:
    """The opening of a game of chess by its moves in SAN; empty where it has no name here."""
    for plies in range(min(len(words), LONGEST), 0, -1):
        if (found := NAMES.get(" ".join(words[:plies]))) is not None:
            return found
    return ""


def standing(position: Position, words: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Pieces ahead, and their worth."""
    board = position.text().split(" ")[0]
    ahead = {letter: board.count(letter.upper()) - board.count(letter) for letter in WORTH}
    points = sum(WORTH[letter] * more for letter, more in ahead.items())
    found = []
    for seat, sign in ((0, 1), (1, -1)):
        taken = [letter for letter in "qrbnp" for _ in range(max(0, sign * ahead[letter]))]
        icons = [svg.icon(Cell(letter, WORDS[letter], 1 - seat), ("white", "black")) for letter in taken]
        found.append({"icons": icons, "words": f"+{sign * points}" if sign * points > 0 else "",
                      "about": ", ".join(WORDS[letter] for letter in taken)})  # fmt: skip
    return found


def threatened(position: Position) -> Threats:
    """Pieces that an exchange on their square would win, and mates in one."""
    fields = position.text().split(" ")
    passed = " ".join([fields[0], "b" if fields[1] == "w" else "w", fields[2], "-", *fields[4:]])
    return threats.taken(position, passed, pays, lambda here, action: spelled(here, action, ""))


def pays(position: Position, action: Any) -> bool:
    """Whether a capture wins something once both have taken back."""
    game: Any = position.game
    state = game.record(position.state)
    source, target = u64(int(action) & 63), u64(int(action) >> 6 & 63)
    with np.errstate(over="ignore"):
        return bool(holds(state, source, target, int(worth_of(state, u64(1) << target)) - 1))


def why(position: Position, picture: Picture, source: Spot | None, target: Spot) -> str:
    """Why a move is not legal."""
    board = {}
    for row, text in enumerate(position.text().split(" ")[0].split("/")):
        column = 0
        for letter in text:
            if letter.isdecimal():
                column += int(letter)
            else:
                board[row, column] = letter
                column += 1
    white = position.player() == 0
    if source is None:
        letter = board.get(target, "") if isinstance(target, tuple) else ""
        if not letter:
            return "choose a piece first"
        if letter.isupper() != white:
            return f"{'White' if white else 'Black'} is to move"
        checked = "check" in picture.marks.values()
        return f"this {WORDS[letter.lower()]} cannot move" + (": it does not help against the check" if checked else "")
    assert isinstance(source, tuple) and isinstance(target, tuple)
    letter = board[source]
    word = WORDS[letter.lower()]
    own = board.get(target)
    if own is not None and own.isupper() == white:
        return f"your own {WORDS[own.lower()]} is on {picture.spot_name(target)}"
    reached = _reaches(board, letter, source, target, white)
    if reached == "blocked":
        return f"something stands between {picture.spot_name(source)} and {picture.spot_name(target)}"
    if not reached and word == "king" and source[0] == target[0] and abs(source[1] - target[1]) == 2:
        return "castling is not possible now"
    if not reached:
        return f"a {word} does not move from {picture.spot_name(source)} to {picture.spot_name(target)}"
    if word == "king":
        return "the king would be in check there"
    if "check" in picture.marks.values():
        return "you are in check, and this does not end it"
    return f"the {word} is pinned: your king would be in check"


def _reaches(board: dict[tuple, str], letter: str, source: tuple, target: tuple, white: bool) -> str:
    """Whether a piece goes there by its own rule: "yes", "blocked" or nothing."""
    down, right = target[0] - source[0], target[1] - source[1]
    kind = letter.lower()
    if kind == "n":
        return "yes" if sorted((abs(down), abs(right))) == [1, 2] else ""
    if kind == "k":
        return "yes" if max(abs(down), abs(right)) == 1 else ""
    if kind == "p":
        on = -1 if white else 1
        if right == 0:
            far = down == 2 * on and source[0] == (6 if white else 1)
            if down != on and not far:
                return ""
            return "blocked" if (source[0] + on, source[1]) in board or target in board else "yes"
        return "yes" if abs(right) == 1 and down == on and target in board else ""
    straight, diagonal = (down == 0) != (right == 0), abs(down) == abs(right) != 0
    if not ((straight and kind in "rq") or (diagonal and kind in "bq")):
        return ""
    length = max(abs(down), abs(right))
    step = (down // length, right // length)
    between = [(source[0] + k * step[0], source[1] + k * step[1]) for k in range(1, length)]
    return "blocked" if any(place in board for place in between) else "yes"


NAMES = {
    "e4": "King's pawn", "d4": "Queen's pawn", "c4": "English Opening", "Nf3": "Réti Opening", "f4": "Bird's Opening",
    "b3": "Larsen's Opening", "g3": "King's Fianchetto", "b4": "Sokolsky Opening", "e4 e5": "Open Game",
    "e4 c5": "Sicilian Defence", "e4 e6": "French Defence", "e4 c6": "Caro-Kann Defence", "e4 d5": "Scandinavian Defence",
    "e4 Nf6": "Alekhine's Defence", "e4 d6": "Pirc Defence", "e4 g6": "Modern Defence", "e4 b6": "Owen's Defence",
    "e4 Nc6": "Nimzowitsch Defence", "e4 e5 f4": "King's Gambit", "e4 e5 f4 exf4": "King's Gambit Accepted",
    "e4 e5 Nc3": "Vienna Game", "e4 e5 Bc4": "Bishop's Opening", "e4 e5 d4": "Centre Game", "e4 e5 Nf3": "King's Knight",
    "e4 e5 Nf3 d6": "Philidor Defence", "e4 e5 Nf3 Nf6": "Petrov's Defence", "e4 e5 Nf3 Nc6": "King's Knight",
    "e4 e5 Nf3 Nc6 d4": "Scotch Game", "e4 e5 Nf3 Nc6 Nc3": "Three Knights", "e4 e5 Nf3 Nc6 Nc3 Nf6": "Four Knights",
    "e4 e5 Nf3 Nc6 Bc4": "Italian Game", "e4 e5 Nf3 Nc6 Bc4 Bc5": "Giuoco Piano", "e4 e5 Nf3 Nc6 Bc4 Bc5 b4": "Evans Gambit",
    "e4 e5 Nf3 Nc6 Bc4 Nf6": "Two Knights Defence", "e4 e5 Nf3 Nc6 Bb5": "Ruy Lopez",
    "e4 e5 Nf3 Nc6 Bb5 a6": "Ruy Lopez, Morphy Defence", "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6": "Ruy Lopez, Exchange",
    "e4 e5 Nf3 Nc6 Bb5 Nf6": "Ruy Lopez, Berlin Defence", "e4 c5 c3": "Sicilian, Alapin", "e4 c5 Nc3": "Closed Sicilian",
    "e4 c5 d4": "Smith-Morra Gambit", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6": "Sicilian, Najdorf",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6": "Sicilian, Dragon", "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5": "Sicilian, Sveshnikov",
    "e4 c5 Nf3 e6 d4 cxd4 Nxd4 a6": "Sicilian, Kan", "e4 c5 Nf3 e6 d4 cxd4 Nxd4 Nc6": "Sicilian, Taimanov",
    "e4 e6 d4 d5 e5": "French, Advance", "e4 e6 d4 d5 exd5": "French, Exchange", "e4 e6 d4 d5 Nd2": "French, Tarrasch",
    "e4 e6 d4 d5 Nc3 Bb4": "French, Winawer", "e4 e6 d4 d5 Nc3 Nf6": "French, Classical",
    "e4 c6 d4 d5 e5": "Caro-Kann, Advance", "e4 c6 d4 d5 exd5": "Caro-Kann, Exchange",
    "e4 c6 d4 d5 Nc3": "Caro-Kann, Classical", "d4 d5": "Closed Game", "d4 d5 c4": "Queen's Gambit",
    "d4 d5 c4 dxc4": "Queen's Gambit Accepted", "d4 d5 c4 e6": "Queen's Gambit Declined", "d4 d5 c4 c6": "Slav Defence",
    "d4 d5 c4 e5": "Albin Countergambit", "d4 d5 Bf4": "London System", "d4 d5 Nf3 Nf6 Bf4": "London System",
    "d4 Nf6 Bf4": "London System", "d4 Nf6 Bg5": "Trompowsky Attack", "d4 f5": "Dutch Defence", "d4 Nf6": "Indian Game",
    "d4 Nf6 c4 g6": "King's Indian Defence", "d4 Nf6 c4 g6 Nc3 d5": "Grünfeld Defence", "d4 Nf6 c4 e6": "Indian Game",
    "d4 Nf6 c4 e6 Nc3 Bb4": "Nimzo-Indian Defence", "d4 Nf6 c4 e6 Nf3 b6": "Queen's Indian Defence",
    "d4 Nf6 c4 e6 g3": "Catalan Opening", "d4 Nf6 c4 c5": "Benoni Defence", "d4 Nf6 c4 c5 d5 b5": "Benko Gambit",
    "d4 Nf6 c4 e5": "Budapest Gambit", "c4 e5": "English, Reversed Sicilian", "c4 c5": "English, Symmetrical",
}  # fmt: skip
"""Names by the moves that lead there; the longest beginning that is known gives the name."""

LONGEST = max(len(moves.split()) for moves in NAMES)

PANEL = Panel(spelled=spelled, opening=opening, standing=standing, threats=threatened, why=why)
