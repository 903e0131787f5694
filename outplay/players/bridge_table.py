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

import random
from dataclasses import dataclass

from outplay.engine.double_dummy import DoubleDummy, Memory, winner_of
from outplay.errors import Unsuitable
from outplay.game import Position
from outplay.games.bridge import AUCTION
from outplay.games.bridge.bidding import explain
from outplay.games.bridge.notation import SEATS, card_text
from outplay.players.bridge import Board
from outplay.values import Action

LAYOUTS = 30
"""Deals of the hidden cards in which a claim must hold, beside the real one."""


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


def claim(position: Position, tricks: int, *, seed: int = 0, memory: Memory | None = None) -> Claim:
    """Declarer claims so many of the tricks to come, the one on the table included.

    It is accepted where defenders who see all cards can do nothing about it, neither as the cards lie nor in other deals that fit
    what declarer has seen. Each deal is looked at with open cards, so a claim that needs a guess can pass.
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
    layouts = [board.hands]
    for _ in range(LAYOUTS):
        drawn, _ = fit.draw(source)
        layouts.append([drawn.get(seat, seen.hands[seat]) for seat in range(4)])
    for hands in layouts:
        north_south = DoubleDummy(hands, memory=memory).tricks(board.strain, board.leader, board.trick)
        if (north_south if board.declarer % 2 == 0 else left - north_south) < tricks:
            return Claim(tricks, False, "the defence could take more: play on")
    return Claim(tricks, True, f"{tricks} of the last {left} tricks")


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
