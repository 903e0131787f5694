"""A natural bidding system as readable rules: what each call promises, used to choose calls and to read those of others.

A rule is a call with its promise: points, lengths, balanced or not. `rules` lists those that hold after an auction, the first that
fits being the call; it looks at nothing but the auction, and so the same list tells everybody else what the call meant.

>>> from outplay.games.bridge.notation import parse_hand
>>> hand = parse_hand("KQ942.A73.K6.Q84")
>>> chosen = choose(hand, [], 0)
>>> call_text(chosen.call), chosen.words
('1S', '12-21 points, 5 or more spades')
>>> read([FIRST_BID + 4], 0)[0].words                                     # North opened 1NT
'15-17 points, balanced'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from outplay.cards import SUIT_NAMES
from outplay.games.bridge import DOUBLE, FIRST_BID, PASS, call_text
from outplay.games.bridge.fitting import points

Four = tuple[int, int, int, int]
NOTRUMP = 4


@dataclass(frozen=True)
class Promise:
    """What is known of a hand: points and lengths (clubs, diamonds, hearts, spades)."""

    low: int = 0
    high: int = 40
    least: Four = (0, 0, 0, 0)
    most: Four = (13, 13, 13, 13)

    def fits(self, hand: int) -> bool:
        """Whether a hand keeps it."""
        lengths = lengths_of(hand)
        return self.low <= points(hand) <= self.high and all(
            low <= n <= high for low, n, high in zip(self.least, lengths, self.most, strict=True))

    def and_also(self, other: Promise) -> Promise:
        """Both promises; where they contradict each other, the later one."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        if low > high:
            low, high = other.low, other.high
        least = tuple(map(max, self.least, other.least))
        most = tuple(map(min, self.most, other.most))
        if any(a > b for a, b in zip(least, most, strict=True)) or sum(least) > 13 or sum(most) < 13:
            least, most = other.least, other.most
        return Promise(low, high, least, most)  # type: ignore[arg-type]  # four of each, uncounted by mypy

    @property
    def words(self) -> str:
        """The promise as players say it."""
        said = []
        if (self.low, self.high) != (0, 40):
            said.append(f"{self.low}-{self.high} points" if self.high < 40 else f"{self.low} or more points")
        if self.least == BALANCED_LEAST and self.most == BALANCED_MOST:
            return ", ".join([*said, "balanced"])
        for suit in (3, 2, 1, 0):
            if self.least[suit] > 0:
                said.append(f"{self.least[suit]} or more {SUIT_NAMES[suit]}")
            if self.most[suit] < 13:
                said.append(f"at most {self.most[suit]} {SUIT_NAMES[suit]}")
        return ", ".join(said) or "anything"


@dataclass(frozen=True)
class Rule:
    """A call and what it promises."""

    call: int
    promise: Promise

    @property
    def words(self) -> str:
        """What the call says."""
        return self.promise.words


BALANCED_LEAST, BALANCED_MOST = (2, 2, 2, 2), (5, 5, 5, 5)


def lengths_of(hand: int) -> Four:
    """How many clubs, diamonds, hearts and spades."""
    return tuple((int(hand) >> 16 * suit & 0x1FFF).bit_count() for suit in range(4))  # type: ignore[return-value]  # four


def bid(level: int, strain: int) -> int:
    """A bid as an action."""
    return FIRST_BID + 5 * (level - 1) + strain


def long(suit: int, least: int, low: int, high: int, others: int = 13) -> Promise:
    """A suit of some length with these points."""
    return Promise(low, high, tuple(least if s == suit else 0 for s in range(4)),  # type: ignore[arg-type]  # four
                   tuple(13 if s == suit else others for s in range(4)))  # type: ignore[arg-type]  # four


def balanced(low: int, high: int) -> Promise:
    """No void, no singleton, no suit of six."""
    return Promise(low, high, BALANCED_LEAST, BALANCED_MOST)


def read(calls: Sequence[int], dealer: int) -> list[Promise]:
    """What each seat (North first) has promised by the calls so far."""
    known = [Promise() for _ in range(4)]
    for number, call in enumerate(calls):
        seat = (dealer + number) % 4
        for rule in rules(calls[:number], dealer, known):
            if rule.call == call:
                known[seat] = known[seat].and_also(rule.promise)
                break
    return known


def choose(hand: int, calls: Sequence[int], dealer: int) -> Rule:
    """The call of the system for a hand."""
    known = read(calls, dealer)
    for rule in rules(calls, dealer, known):
        if rule.promise.fits(hand):
            return rule
    return Rule(PASS, Promise())


def candidates(hand: int, calls: Sequence[int], dealer: int) -> list[Rule]:
    """All calls whose promise a hand keeps, the system's choice first.

    >>> from outplay.games.bridge.notation import parse_hand
    >>> [call_text(rule.call) for rule in candidates(parse_hand("KQ942.A73.Q6.AJ4"), [], 0)]
    ['1NT', '1S', '1C', '1D']
    """
    found: list[Rule] = []
    for rule in rules(calls, dealer, read(calls, dealer)):
        if rule.promise.fits(hand) and all(rule.call != other.call for other in found):
            found.append(rule)
    return found or [Rule(PASS, Promise())]


def bid_out(hands: Sequence[int], calls: Sequence[int], dealer: int) -> list[int]:
    """The auction to its end, everybody calling by the system."""
    said = list(calls)
    while len(said) < 4 or any(call != PASS for call in said[-3:]):
        said.append(choose(hands[(dealer + len(said)) % 4], said, dealer).call)
    return said


def contract_of(calls: Sequence[int], dealer: int) -> tuple[int, int, int] | None:
    """The last bid (as an action), how often it is doubled, and the declarer: the first of the side who named the strain."""
    last = next((number for number in reversed(range(len(calls))) if calls[number] >= FIRST_BID), None)
    if last is None:
        return None
    doubled = sum(call not in (PASS,) for call in calls[last + 1 :])
    strain = (calls[last] - FIRST_BID) % 5
    first = next(number for number in range(len(calls)) if (number - last) % 2 == 0 and calls[number] >= FIRST_BID
                 and (calls[number] - FIRST_BID) % 5 == strain)
    return calls[last], doubled, (dealer + first) % 4


def rules(calls: Sequence[int], dealer: int, known: Sequence[Promise]) -> Iterator[Rule]:
    """The rules that hold now, the first that fits first; all of them are legal calls."""
    seat = (dealer + len(calls)) % 4
    bids = [(number, call) for number, call in enumerate(calls) if call >= FIRST_BID]
    highest = bids[-1][1] if bids else FIRST_BID - 1
    mine = [call for number, call in bids if (dealer + number) % 4 == seat]
    partners = [call for number, call in bids if (dealer + number) % 4 == (seat + 2) % 4]
    theirs = [call for number, call in bids if (dealer + number - seat) % 2 == 1]
    if not bids:
        found = openings()
    elif not mine and not partners:
        found = overcalls(theirs[-1], highest, calls)
    elif partners and not mine and len(partners) == 1 and highest == partners[0] and highest < bid(2, 0):
        found = responses(partners[0])
    else:
        found = placing(known[seat], known[(seat + 2) % 4], partners[-1] if partners else None, highest, bool(mine))
    for rule in found:
        if rule.call in (PASS, DOUBLE) or rule.call > highest:
            yield rule


def openings() -> Iterator[Rule]:
    """The first bid."""
    yield Rule(bid(2, 0), Promise(22, 40))
    yield Rule(bid(1, NOTRUMP), balanced(15, 17))
    yield Rule(bid(2, NOTRUMP), balanced(20, 21))
    for suit in (3, 2):
        yield Rule(bid(1, suit), long(suit, 5, 12, 21))
    yield Rule(bid(1, 1), long(1, 4, 12, 21))
    yield Rule(bid(1, 0), long(0, 3, 12, 21))
    yield Rule(bid(1, 1), Promise(12, 21))
    for suit in (3, 2, 1):
        yield Rule(bid(2, suit), long(suit, 6, 6, 10))
    yield Rule(PASS, Promise(0, 11))


def responses(opened: int) -> Iterator[Rule]:
    """To partner's opening of one in a suit or no trumps."""
    suit = (opened - FIRST_BID) % 5
    if suit == NOTRUMP:
        for major in (3, 2):
            yield Rule(bid(4, major), long(major, 6, 9, 15))
        yield Rule(bid(6, NOTRUMP), Promise(18, 40))
        yield Rule(bid(3, NOTRUMP), Promise(10, 17))
        yield Rule(bid(2, NOTRUMP), Promise(8, 9))
        for major in (3, 2):
            yield Rule(bid(2, major), long(major, 5, 0, 7))
        yield Rule(PASS, Promise(0, 7))
        return
    if suit >= 2:
        yield Rule(bid(4, suit), long(suit, 3, 13, 17))
        yield Rule(bid(3, suit), long(suit, 3, 10, 12))
        yield Rule(bid(2, suit), long(suit, 3, 5, 9))
    for major in (2, 3):
        yield Rule(bid(1, major), long(major, 4, 6, 40))
    yield Rule(bid(3, NOTRUMP), balanced(13, 16))
    yield Rule(bid(2, NOTRUMP), balanced(11, 12))
    if suit < 2:
        yield Rule(bid(3, suit), long(suit, 5, 10, 12))
        yield Rule(bid(2, suit), long(suit, 5, 6, 9))
    for minor in (0, 1):
        yield Rule(bid(2, minor), long(minor, 4, 11, 40))
    yield Rule(bid(1, NOTRUMP), Promise(6, 10))
    yield Rule(PASS, Promise(0, 5))


def overcalls(theirs: int, highest: int, calls: Sequence[int]) -> Iterator[Rule]:
    """Over the other side's bid, while partner is silent."""
    level, strain = (highest - FIRST_BID) // 5 + 1, (theirs - FIRST_BID) % 5
    if level == 1:
        yield Rule(bid(1, NOTRUMP), balanced(15, 18))
    for suit in (3, 2, 1, 0):
        cheapest = level if suit > (highest - FIRST_BID) % 5 else level + 1
        if suit != strain and cheapest <= 2:
            yield Rule(bid(cheapest, suit), long(suit, 5 if cheapest == 1 else 6, 8 if cheapest == 1 else 11, 17))
    last = [call for call in calls if call != PASS]
    if level <= 2 and strain < NOTRUMP and last and last[-1] >= FIRST_BID:
        shortage = tuple(2 if suit == strain else 13 for suit in range(4))
        length = tuple(0 if suit == strain else 3 for suit in range(4))
        yield Rule(DOUBLE, Promise(12, 40, length, shortage))  # type: ignore[arg-type]  # four of each
    yield Rule(PASS, Promise(0, 40))


def placing(me: Promise, partner: Promise, last: int | None, highest: int, has_bid: bool) -> Iterator[Rule]:
    """Later rounds: whoever knows enough of partner's hand bids the contract that the points of both are worth."""
    level = (highest - FIRST_BID) // 5 + 1
    for major in (3, 2):
        need = max(2, 8 - partner.least[major])
        if partner.least[major] >= 3 or (me.least[major] >= 5 and partner.least[major] >= 2):
            yield Rule(bid(6, major), long(major, need, max(0, 33 - partner.low), 40))
            yield Rule(bid(4, major), long(major, need, max(0, 25 - partner.low), 40))
            if level < 3 or highest == bid(2, major) or highest == bid(3, NOTRUMP):
                yield Rule(bid(3, major), long(major, need, max(0, 23 - partner.low), max(0, 24 - partner.low)))
            yield Rule(bid(2, major), long(major, need, 0 if has_bid else 6, max(0, 22 - partner.low)))
    yield Rule(bid(6, NOTRUMP), Promise(max(0, 33 - partner.low), 40))
    yield Rule(bid(3, NOTRUMP), Promise(max(0, 25 - partner.low), 40))
    forcing = last is not None and partner.high >= 40 and last < bid(3, NOTRUMP)
    if forcing and has_bid:  # partner's new suit has no upper limit: say what there is, cheaply
        for suit in (3, 2):
            yield Rule(bid(2, suit), long(suit, 6, 0, 40))
        yield Rule(bid(1, 3), long(3, 4, 0, 40))
        yield Rule(bid(1, NOTRUMP), Promise(0, 14))
        yield Rule(bid(2, NOTRUMP), Promise(max(0, 23 - partner.low), 40))
        for suit in (0, 1, 2, 3):
            yield Rule(bid(2, suit), long(suit, 5, 0, 40))
        yield Rule(bid(2, NOTRUMP), Promise(0, 40))
    yield Rule(PASS, Promise(0, 40))


def explain(calls: Sequence[int], dealer: int) -> list[str]:
    """Every call in words.

    >>> explain([FIRST_BID + 3, PASS], 0)
    ['1S: 12-21 points, 5 or more spades', 'pass: anything']
    """
    told = []
    for number, call in enumerate(calls):
        known = read(calls[:number], dealer)
        rule = next((rule for rule in rules(calls[:number], dealer, known) if rule.call == call), None)
        told.append(f"{call_text(call)}: {rule.words if rule else 'not in the system'}")
    return told
