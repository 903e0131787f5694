"""One plan for all deals: the end of a hand of bridge as declarer really plays it, who must choose alike where deals look alike.

Averaging over open cards lets declarer guess right in every deal (strategy fusion, Frank and Basin 1998). Here a position is a
set of deals that declarer cannot tell apart, a plan's worth is a vector with the tricks in each deal, and what comes back is
the set of vectors that no other plan beats everywhere: at declarer's turn the union over the cards, at a defender's the least
of each deal over the cards that it could play there, declarer answering each card that is seen (Cazenave and Ventos's alpha-mu,
2019, without its limit of depth). The defenders see all cards. It is exact and grows fast: for the last three or four tricks.

>>> from outplay.games.bridge.notation import parse_hand
>>> north, south = parse_hand("KT2..."), parse_hand("AJ3...")
>>> deals = [(north, parse_hand("Q98..."), south, parse_hand("765...")), (north, parse_hand("987..."), south, parse_hand("Q65..."))]
>>> {card_text(card): worth for card, worth in plan(deals, "NT", "S").items()}                  # one guess in two
{'SA': 2.5, 'SJ': 2.5, 'S3': 2.5}
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from outplay.experts.bridge.double_dummy import card_text, winner_of
from outplay.games.bridge.notation import cards_of, seat, strain

Hands = tuple[int, int, int, int]
Vector = tuple[int, ...]


def plan(deals: Sequence[Sequence[int]], trump: int | str, leader: int | str, trick: Sequence[int] = (),
         worth: Callable[[int], float] = float) -> dict[int, float]:
    """For each card of declarer's side (North and South), who is to play: the best plan that begins with it, as the mean over the
    deals of its tricks, or of what they are worth (more tricks must not be worth less).
    """
    trump = strain(trump) if isinstance(trump, str) else trump
    leader = seat(leader) if isinstance(leader, str) else leader
    worlds = {number: tuple(int(hand) for hand in hands) for number, hands in enumerate(deals)}
    mover = (leader + len(trick)) % 4
    found = {}
    for card in legal(next(iter(worlds.values()))[mover], trick):
        vectors = after(worlds, trump, leader, tuple(trick), card)  # type: ignore[arg-type]  # four hands each, which mypy does not count
        found[card] = max(sum(map(worth, vector)) for vector in vectors) / len(deals)
    return found


def legal(hand: int, trick: Sequence[int]) -> list[int]:
    """The cards that may be played to a trick."""
    follows = hand & (0x1FFF << (trick[0] & 48)) if trick else 0
    return list(cards_of(follows or hand))


def after(worlds: dict[int, Hands], trump: int, leader: int, trick: tuple[int, ...], card: int) -> list[Vector]:
    """The vectors of the plans after a card: tricks of North and South in each of the worlds, in their order."""
    mover = (leader + len(trick)) % 4
    played = {}
    for number, hands in worlds.items():
        changed = list(hands)
        changed[mover] ^= 1 << card
        played[number] = (changed[0], changed[1], changed[2], changed[3])
    now = (*trick, card)
    if len(now) < 4:
        return front(played, trump, leader, now)
    winner = winner_of(now, leader, trump)
    won = 1 - winner % 2
    return [tuple(won + tricks for tricks in vector) for vector in front(played, trump, winner, ())]


def front(worlds: dict[int, Hands], trump: int, leader: int, trick: tuple[int, ...]) -> list[Vector]:
    """The vectors that no other plan beats everywhere."""
    first = next(iter(worlds.values()))
    mover = (leader + len(trick)) % 4
    if not any(first):
        return [(0,) * len(worlds)]
    if mover % 2 == 0:
        return undominated([vector for card in legal(first[mover], trick) for vector in after(worlds, trump, leader, trick, card)])
    order = list(worlds)
    cards: dict[int, list[int]] = {}
    for number, hands in worlds.items():
        for card in legal(hands[mover], trick):
            cards.setdefault(card, []).append(number)
    best: list[Vector] = [(99,) * len(order)]
    for card, numbers in cards.items():
        replies = after({number: worlds[number] for number in numbers}, trump, leader, trick, card)
        spread = []
        for vector in replies:
            by_world = dict(zip(numbers, vector, strict=True))
            spread.append(tuple(by_world.get(number, 99) for number in order))
        best = undominated([tuple(map(min, one, other)) for one, other in itertools.product(best, spread)])
    return best


def undominated(vectors: list[Vector]) -> list[Vector]:
    """Those that no other one equals or beats in every world."""
    kept: list[Vector] = []
    for vector in sorted(set(vectors), key=sum, reverse=True):
        if not any(all(a >= b for a, b in zip(other, vector, strict=True)) for other in kept):
            kept.append(vector)
    return kept


__all__ = ["card_text", "plan"]
