"""How bridge players write hands, strains and contracts (PBN 2.1): `N:QJ6.K652.J85.T98 873... ... ...`, `4S`, `3NTX`.

A hand is one word: sixteen bits a suit, clubs lowest, the deuce bit 0 of its suit; seats go North, East, South, West.

>>> hands = parse_hands("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
>>> hand_text(hands[2]), hands_text(hands, first=1)[:22]
('K5.T83.KQ9.A7652', 'E:873.J97.AT764.Q4 K5.')
>>> card_text(card("SQ")), strain("nt"), STRAINS[strain("hearts")]
('SQ', 4, 'H')
>>> parse_hands("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJQ")
Traceback (most recent call last):
outplay.errors.BadNotation: the deal gives out the club queen twice, to East and to West
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from outplay.cards import RANK_NAMES, RANKS, SUIT_NAMES
from outplay.errors import BadNotation, nearest, shorten

SEATS = ("North", "East", "South", "West")
SEAT_LETTERS = "NESW"
SUIT_LETTERS = "CDHS"
STRAINS = ("C", "D", "H", "S", "NT")
NOTRUMP = 4
LANE = 0x1FFF

STRAIN_WORDS = {"c": 0, "clubs": 0, "♣": 0, "d": 1, "diamonds": 1, "♦": 1, "h": 2, "hearts": 2, "♥": 2, "s": 3, "spades": 3, "♠": 3,
                "n": 4, "nt": 4, "notrump": 4, "notrumps": 4}  # fmt: skip


def card_number(suit: int, rank: int) -> int:
    """A card as the bit it is in a hand's word."""
    return 16 * suit + rank


def cards_of(word: int) -> Iterator[int]:
    """The cards of a word, the highest suit and card first."""
    word = int(word)
    while word:
        top = word.bit_length() - 1
        yield top
        word ^= 1 << top


def card_text(card: int) -> str:
    """A card as PBN writes it, suit first."""
    return SUIT_LETTERS[card >> 4] + RANKS[card & 15]


def card_name(card: int) -> str:
    """A card in words."""
    return f"the {SUIT_NAMES[card >> 4][:-1]} {RANK_NAMES[card & 15]}"


def card(text: str) -> int:
    """The card that a text means: SQ, Qs, S10, ♠Q."""
    found = text.strip().upper().replace("10", "T")
    for symbol, letter in zip("♣♦♥♠", SUIT_LETTERS, strict=True):
        found = found.replace(symbol, letter)
    for suit, rank in (found[:1], found[1:]), (found[1:], found[:1]):
        if len(found) == 2 and suit in SUIT_LETTERS and rank in RANKS:
            return card_number(SUIT_LETTERS.index(suit), RANKS.index(rank))
    raise BadNotation(f"expected a card such as SQ or HT, got {shorten(text)!r}")


def strain(text: str) -> int:
    """The strain that a text means: 0 clubs to 3 spades, 4 no trumps."""
    found = STRAIN_WORDS.get(text.strip().lower())
    if found is None:
        near = nearest(text.strip().lower(), list(STRAIN_WORDS))
        hint = f": did you mean {near!r}?" if near else ""
        raise BadNotation(f"expected a strain C, D, H, S or NT, got {shorten(text)!r}{hint}")
    return found


def seat(text: str) -> int:
    """The seat that a text means: N, E, S, W or the whole word."""
    found = text.strip().lower()
    for number, name in enumerate(SEATS):
        if found and name.lower().startswith(found):
            return number
    raise BadNotation(f"expected a seat N, E, S or W, got {shorten(text)!r}")


def hand_text(word: int) -> str:
    """A hand as PBN writes it: spades, hearts, diamonds, clubs between points."""
    return ".".join("".join(RANKS[card & 15] for card in cards_of(int(word) & (LANE << 16 * suit))) for suit in (3, 2, 1, 0))


def parse_hand(text: str) -> int:
    """The word of a hand."""
    suits = text.split(".")
    if len(suits) != 4:
        raise BadNotation(f"expected a hand such as QJ6.K652.J85.T98 (spades.hearts.diamonds.clubs), got {shorten(text)!r}")
    word = 0
    for suit, ranks in zip((3, 2, 1, 0), suits, strict=True):
        for letter in ranks.upper().replace("10", "T").replace("-", ""):
            rank = RANKS.find(letter)
            if rank < 0:
                raise BadNotation(f"expected ranks of {RANKS[::-1]} in a hand, got {shorten(letter)!r} in {shorten(text)!r}")
            bit = 1 << card_number(suit, rank)
            if word & bit:
                raise BadNotation(f"the hand {shorten(text)!r} holds {card_name(card_number(suit, rank))} twice")
            word |= bit
    return word


def hands_text(hands: Sequence[int], first: int = 0) -> str:
    """A deal as PBN writes it, from one seat on."""
    return f"{SEAT_LETTERS[first]}:" + " ".join(hand_text(hands[(first + k) % 4]) for k in range(4))


def parse_hands(text: str) -> tuple[int, int, int, int]:
    """The four hands of a deal; where three hands of thirteen are given, the fourth (`-`) gets the rest of the pack."""
    found = re.fullmatch(r"\s*(?:([NESWnesw])\s*:)?\s*(.*?)\s*", text, re.DOTALL)
    assert found is not None
    first = SEAT_LETTERS.index((found[1] or "N").upper())
    words = found[2].split()
    if len(words) != 4:
        raise BadNotation(f"expected four hands such as N:QJ6.K652.J85.T98 …, got {len(words)} in {shorten(text)!r}")
    hands = [0, 0, 0, 0]
    unknown = []
    for k, word in enumerate(words):
        if word == "-":
            unknown.append((first + k) % 4)
        else:
            hands[(first + k) % 4] = parse_hand(word)
    if len(unknown) == 1 and all(hands[s].bit_count() == 13 for s in range(4) if s not in unknown):
        hands[unknown[0]] = (LANE * 0x0001_0001_0001_0001) & ~(hands[0] | hands[1] | hands[2] | hands[3])
    elif unknown:
        raise BadNotation(f"all four hands must be known, got {shorten(text)!r}")
    for one in range(4):
        for other in range(one):
            both = hands[one] & hands[other]
            if both:
                who = sorted((one, other))
                raise BadNotation(f"the deal gives out {card_name(both.bit_length() - 1)} twice, "
                                  f"to {SEATS[who[0]]} and to {SEATS[who[1]]}")
    return hands[0], hands[1], hands[2], hands[3]
