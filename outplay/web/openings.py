"""What chess players call the way a game began.

>>> name(["e4", "c5", "Nf3", "d6", "d4"]), name(["e4"]), name(["a4", "a5"])
('Sicilian Defence', "King's pawn", '')
>>> name("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6".split())
'Ruy Lopez, Morphy Defence'
"""

from __future__ import annotations

from collections.abc import Sequence

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


def name(words: Sequence[str]) -> str:
    """The opening of a game of chess by its moves in SAN; empty where it has no name here."""
    for plies in range(min(len(words), LONGEST), 0, -1):
        if (found := NAMES.get(" ".join(words[:plies]))) is not None:
            return found
    return ""
