"""Deals that fit: hidden hands drawn evenly among all that agree with what is known.

What is known of a hand: how many cards it still holds, how many of a suit at least and at most (a void shown is at most none), and
high-card points. Lengths are exact: the number of deals for every split of the suits is counted once (a product of multinomials),
and a split is drawn in proportion to it. Points are exact too, by drawing again; where hardly any deal has them, `draw` gives the
best of its tries instead and says so by a weight below 1.

>>> import random
>>> fit = Fit(0x1FFF, {1: Known(6), 3: Known(7)})                        # the thirteen clubs, six to East, seven to West
>>> fit.count() == math.comb(13, 6)
True
>>> hands, weight = fit.draw(random.Random(1))
>>> hands[1].bit_count(), hands[1] & hands[3], weight
(6, 0, 1.0)
>>> Fit(0x1FFF, {1: Known(6, most=(5, 13, 13, 13)), 3: Known(7)}).count()
0
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from outplay.games.bridge.notation import cards_of

ANY = (13, 13, 13, 13)
POINTS = {12: 4, 11: 3, 10: 2, 9: 1}
TRIES = 40


def points(hand: int) -> int:
    """High-card points: ace 4, king 3, queen 2, jack 1.

    >>> points(0b1111 << 9)
    10
    """
    hand = int(hand)
    return sum(worth * (hand & 0x0001_0001_0001_0001 << rank).bit_count() for rank, worth in POINTS.items())


@dataclass(frozen=True)
class Known:
    """What is known of the cards that a hidden hand still holds: clubs, diamonds, hearts, spades in a row."""

    cards: int
    least: tuple[int, int, int, int] = (0, 0, 0, 0)
    most: tuple[int, int, int, int] = ANY
    points: tuple[int, int] = (0, 40)


@dataclass
class Fit:
    """All ways to give the unknown cards to the hidden hands."""

    unknown: int
    hands: Mapping[int, Known]
    _ways: dict[tuple[int, ...], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.seats = sorted(self.hands)
        self.suits = [[card for card in cards_of(self.unknown) if card >> 4 == suit] for suit in range(4)]

    def splits(self, suit: int, rooms: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """The ways to split a suit's number of cards among the hands."""
        total = len(self.suits[suit])
        least = [self.hands[seat].least[suit] for seat in self.seats]
        most = [min(self.hands[seat].most[suit], room) for seat, room in zip(self.seats, rooms, strict=True)]

        def rest(k: int, left: int) -> Iterator[tuple[int, ...]]:
            if k == len(self.seats) - 1:
                if least[k] <= left <= most[k]:
                    yield (left,)
                return
            for here in range(least[k], min(most[k], left) + 1):
                for others in rest(k + 1, left - here):
                    yield (here, *others)

        return rest(0, total)

    def ways(self, suit: int, rooms: tuple[int, ...]) -> int:
        """How many deals of the suits from this one on fill the rooms."""
        if suit == 4:
            return 1 if not any(rooms) else 0
        key = (suit, *rooms)
        if key not in self._ways:
            self._ways[key] = sum(
                multinomial(split) * self.ways(suit + 1, tuple(room - n for room, n in zip(rooms, split, strict=True)))
                for split in self.splits(suit, rooms))
        return self._ways[key]

    def count(self) -> int:
        """The number of deals that fit the lengths (points are not counted)."""
        return self.ways(0, tuple(self.hands[seat].cards for seat in self.seats))

    def draw(self, source: random.Random) -> tuple[dict[int, int], float]:
        """One deal, and its weight: 1.0 where everything fits, below where no try had the points and the nearest was taken."""
        nearest: tuple[int, dict[int, int]] | None = None
        for _ in range(TRIES):
            found = self.draw_lengths(source)
            off = 0
            for seat, hand in found.items():
                low, high = self.hands[seat].points
                off += max(0, low - points(hand), points(hand) - high)
            if off == 0:
                return found, 1.0
            if nearest is None or off < nearest[0]:
                nearest = off, found
        assert nearest is not None
        return nearest[1], 1.0 / (1 + nearest[0])

    def draw_lengths(self, source: random.Random) -> dict[int, int]:
        """One deal, evenly among those that fit the lengths."""
        rooms = tuple(self.hands[seat].cards for seat in self.seats)
        found = dict.fromkeys(self.seats, 0)
        for suit in range(4):
            pick = source.randrange(self.ways(suit, rooms))
            for split in self.splits(suit, rooms):
                after = tuple(room - n for room, n in zip(rooms, split, strict=True))
                pick -= multinomial(split) * self.ways(suit + 1, after)
                if pick < 0:
                    break
            cards = self.suits[suit][:]
            source.shuffle(cards)
            for seat, n in zip(self.seats, split, strict=True):
                for _ in range(n):
                    found[seat] |= 1 << cards.pop()
            rooms = after
        return found


@functools.cache
def multinomial(split: tuple[int, ...]) -> int:
    """The ways to give out so many cards in these numbers."""
    ways = math.factorial(sum(split))
    for n in split:
        ways //= math.factorial(n)
    return ways
