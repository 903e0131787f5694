"""What people at a bridge table ask for beside a card: what the calls mean, a claim, and the board with open cards afterwards.

>>> from outplay.game import load
>>> game = load("bridge", compiled=False, phase="play", contract="1NT", declarer="S", ranks=2)
>>> board = game.position("N:AK... ..AK. .AK.. ...AK").play("CA")         # West leads against South's one no trump
>>> claim(board, 2).accepted, claim(board, 1).accepted                    # the other club, too, is West's: South gets nothing
(False, False)
>>> [lesson.text for lesson in review(board)]
['West: CA, good for 2 tricks']
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass

from outplay.errors import Unsuitable
from outplay.experts.bridge.double_dummy import DoubleDummy, Memory, winner_of
from outplay.experts.bridge.player import Board
from outplay.game import Position
from outplay.games.bridge import AUCTION, PLAY, call_text, contract_text
from outplay.games.bridge.bidding import explain
from outplay.games.bridge.notation import RANKS, SEATS, card_text
from outplay.values import Action

LAYOUTS = 30
"""Deals of the hidden cards in which a claim must hold."""


@dataclass(frozen=True)
class Claim:
    """A claim and what became of it."""

    tricks: int
    accepted: bool
    reason: str


@dataclass(frozen=True)
class Lesson:
    """A card that was played, and what each card was worth with open cards: tricks of that side, in the whole board."""

    seat: str
    card: str
    tricks: int
    best: int
    cards: dict[str, int]

    @property
    def text(self) -> str:
        """The lesson in words."""
        better = " ".join(card for card, tricks in self.cards.items() if tricks == self.best)
        told = f"{self.seat}: {self.card}, good for {self.tricks} trick{'' if self.tricks == 1 else 's'}"
        return told if self.tricks == self.best else f"{told}; {self.best} with {better}"


@dataclass(frozen=True)
class Trick:
    """One trick of a board that is replayed: the position before it, its cards as lessons, and who had won how many after it."""

    number: int
    before: Position
    cards: list[Lesson]
    winner: str
    won: tuple[int, int]  # by North and South, by East and West

    @property
    def text(self) -> str:
        """The trick in a line."""
        played = ", ".join(f"{lesson.seat} {lesson.card}" + ("" if lesson.tricks == lesson.best else "?") for lesson in self.cards)
        return f"trick {self.number}: {played}: {self.winner or 'not finished'}; North-South {self.won[0]}, East-West {self.won[1]}"


def calls_in_words(position: Position) -> list[str]:
    """Every call so far with its meaning, such as "North 1NT: 15-17 points, balanced"."""
    board = Board(position)
    told = explain(board.calls, board.dealer)
    return [f"{SEATS[(board.dealer + number) % 4]} {words}" for number, words in enumerate(told)]


def diagram(view: Position, suits: str = "SHDC") -> str:
    """The hands as newspapers print them, the trick between them, and the auction or the contract below.

    >>> from outplay.game import load
    >>> game = load("bridge", compiled=False, phase="play", contract="1NT", declarer="S", ranks=2)
    >>> print(diagram(game.position("N:AK... ..AK. .AK.. ...AK").play("CA").observe(2)))
                    North
                    S AK
                    H -
                    D -
                    C -
    West                            East
    1 card                          2 cards
                      CA
    <BLANKLINE>
    <BLANKLINE>
                    South
                    S -
                    H AK
                    D -
                    C -
    1NT by South; tricks: North-South 0, East-West 0
    """
    board = Board(view)
    blocks = []
    for seat, hand in enumerate(board.hands):
        left = board.ranks - board.seats.count(seat)
        if hand or not left:
            held = ["".join(RANKS[rank] for rank in range(12, -1, -1) if hand >> 16 * (3 - k) + rank & 1) for k in range(4)]
            blocks.append([SEATS[seat], *(f"{suits[k]} {held[k] or '-'}" for k in range(4))])
        else:
            blocks.append([SEATS[seat], f"{left} card{'' if left == 1 else 's'}"])
    lying = dict(zip(((board.leader + k) % 4 for k in range(4)), (_symbols(card, suits) for card in board.trick), strict=False))
    middle = ["", f"{lying.get(0, ''):>9}", f"{lying.get(3, ''):>4}{lying.get(1, ''):>10}", f"{lying.get(2, ''):>9}", ""]
    lines = [" " * 16 + line for line in blocks[0]]
    beside = itertools.zip_longest(blocks[3], middle, blocks[1], fillvalue="")
    lines += [f"{west:<16}{between:<16}{east}" for west, between, east in beside]
    lines += [" " * 16 + line for line in blocks[2]]
    if board.calls and not board.play:
        lines += ["", "".join(f"{SEATS[seat]:<7}" for seat in (3, 0, 1, 2))]
        calls = [""] * ((board.dealer + 1) % 4) + [call_text(call) for call in board.calls]
        lines += ["".join(f"{call:<7}" for call in calls[k : k + 4]) for k in range(0, len(calls), 4)]
    if board.stage >= PLAY and board.bid >= 0:
        lines.append(f"{contract_text(board.bid + 1, board.doubled)} by {SEATS[board.declarer]}"
                     + (f"; tricks: North-South {board.won[0]}, East-West {board.won[1]}" if board.play else ""))
    return "\n".join(line.rstrip() for line in lines)


def _symbols(card: int, suits: str) -> str:
    return suits[3 - (card >> 4)] + RANKS[card & 15]


def result(position: Position) -> str:
    """How a board ended, as the score sheet says it."""
    board = Board(position)
    if board.bid < 0:
        return "Passed out: nobody scores."
    need = board.ranks // 2 + board.bid // 5 + 1
    over = board.won[board.declarer % 2] - need
    made = "just made" if over == 0 else f"made with {over} over" if over > 0 else f"{-over} down"
    points = int(position.utilities()[board.declarer])
    side = board.declarer % 2 if points > 0 else 1 - board.declarer % 2
    return (f"{contract_text(board.bid + 1, board.doubled)} by {SEATS[board.declarer]}, {made}: "
            f"{abs(points)} for {('North and South', 'East and West')[side]}.")


def claim(position: Position, tricks: int, *, seed: int = 0, memory: Memory | None = None) -> Claim:
    """Declarer claims so many of the tricks to come, the one on the table included.

    It is accepted where defenders who see all cards can do nothing about it in deals that fit what declarer has seen; so a refusal
    tells declarer nothing. Each deal is looked at with open cards, so a claim that needs a guess can pass. One that is accepted
    ends the board, with the tricks that the cards as they lie are good for, if those are fewer.
    """
    board = Board(position)
    if board.stage == AUCTION or position.is_terminal():
        raise Unsuitable("only declarer may claim, between the opening lead and the end")
    if position.player() % 2 != board.declarer % 2:
        raise Unsuitable("only declarer may claim, when it is declarer's or dummy's turn")
    left = board.hands[board.turn].bit_count()
    if not 0 <= tricks <= left:
        raise Unsuitable(f"a claim is from 0 to {left} tricks here, got {tricks}")
    memory = memory or Memory()
    seen = Board(position.observe(position.player()))
    fit, source = seen.fit(), random.Random(seed)
    if fit.count() == 0:
        fit = seen.fit(use_auction=False)

    def good_for(hands: list[int]) -> int:
        north_south = DoubleDummy(hands, memory=memory).tricks(board.strain, board.leader, board.trick)
        return north_south if board.declarer % 2 == 0 else left - north_south

    for _ in range(LAYOUTS):
        drawn, _ = fit.draw(source)
        if good_for([drawn.get(seat, seen.hands[seat]) for seat in range(4)]) < tricks:
            return Claim(tricks, False, "the defence could take more: play on")
    got = min(tricks, good_for(board.hands))
    return Claim(got, True, f"{got} of the last {left} tricks" + (", as the cards lie" if got < tricks else ""))


def rest(position: Position, *, memory: Memory | None = None) -> list[Action]:
    """The cards that end the board after a claim, everybody playing with open cards."""
    memory = memory or Memory()
    cards = []
    while not position.is_terminal():
        board = Board(position)
        found = DoubleDummy(board.hands, memory=memory).cards(board.strain, board.leader, board.trick)
        best = max(found.values()) if board.turn % 2 == 0 else min(found.values())
        cards.append(board.action(min((card for card in found if found[card] == best), key=lambda card: (card & 15, card))))
        position = position.result(cards[-1])
    return cards


def review(position: Position, *, memory: Memory | None = None) -> list[Lesson]:
    """Each card of a board with the tricks that it and the others were good for; for after the board, for it knows all cards."""
    memory = memory or Memory()
    board = Board(position)
    hands = list(board.hands)
    for card, seat in zip(board.play, board.seats, strict=True):
        hands[seat] |= 1 << card
    lessons: list[Lesson] = []
    trick: list[int] = []
    won = [0, 0]
    for number, (card, seat) in enumerate(zip(board.play, board.seats, strict=True)):
        leader = board.seats[number - len(trick)]
        left = hands[seat].bit_count()
        found = DoubleDummy(hands, memory=memory).cards(board.strain, leader, trick)
        worth = {card_text(each): won[seat % 2] + (tricks if seat % 2 == 0 else left - tricks) for each, tricks in found.items()}
        lessons.append(Lesson(SEATS[seat], card_text(card), worth[card_text(card)], max(worth.values()), worth))
        hands[seat] ^= 1 << card
        trick.append(card)
        if len(trick) == 4:
            last = number + 1 == len(board.play)
            won[(board.leader if last else board.seats[number + 1]) % 2] += 1
            trick = []
    return lessons


def replay(position: Position, *, memory: Memory | None = None) -> list[Trick]:
    """A board trick by trick; like `review`, for after the board.

    >>> from outplay.game import load
    >>> game = load("bridge", compiled=False, phase="play", contract="1NT", declarer="S", ranks=2)
    >>> [trick.text for trick in replay(game.position("N:AK... ..AK. .AK.. ...AK").play("CA SA DA HA"))]
    ['trick 1: West CA, North SA, East DA, South HA: West; North-South 0, East-West 1']
    """
    board, lessons = Board(position), review(position, memory=memory)
    head, _, cards = position.text().rpartition("| ") if board.play else (position.text(), "", "")
    played, won, found = cards.split(), [0, 0], []
    for first in range(0, len(lessons), 4):
        some = lessons[first : first + 4]
        winner = ""
        if len(some) == 4:
            who = winner_of(board.play[first : first + 4], board.seats[first], board.strain)
            winner = SEATS[who]
            won[who % 2] += 1
        before = position.game.position(f"{head}| {' '.join(played[:first])}" if first else head.removesuffix(" "))
        found.append(Trick(first // 4 + 1, before, some, winner, (won[0], won[1])))
    return found
