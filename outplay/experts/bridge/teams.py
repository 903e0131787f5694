"""A team match of bridge: each board is played at two tables with the seats changed, and the difference is scored in IMPs.

>>> from outplay.players import player
>>> boards = list(team_match(player("kitchen"), player("kitchen"), boards=2, seed=1))
>>> [board.imps for board in boards]                     # the same player at both tables
[0, 0]
"""

from __future__ import annotations

import math
import random
import statistics
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from outplay.game import Position, load
from outplay.games.bridge.notation import SEAT_LETTERS, hands_text
from outplay.games.bridge.scoring import VULNERABILITIES, imps
from outplay.players.base import Player

VULNERABLE = (0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2)
"""The vulnerability of the boards 1 to 16 (none, NS, EW, both), as the laws print it on them."""


@dataclass(frozen=True)
class Board:
    """One board of a team match: what North and South scored at both tables, and the IMPs of the first team."""

    number: int
    deal: str
    scores: tuple[int, int]  # the first team sits North and South at the first table, East and West at the second
    imps: int
    records: tuple[str, str]


def start_of(number: int, seed: int) -> Position:
    """Board `number` (from 1) with its dealer and vulnerability and a random deal."""
    source = random.Random(f"{seed} {number}")
    cards = [16 * suit + rank for suit in range(4) for rank in range(13)]
    source.shuffle(cards)
    hands = [sum(1 << card for card in cards[13 * seat : 13 * seat + 13]) for seat in range(4)]
    dealer, vulnerable = SEAT_LETTERS[(number - 1) % 4], VULNERABILITIES[VULNERABLE[(number - 1) % 16]]
    return load("bridge", compiled=False, dealer=dealer, vulnerable=vulnerable).position(hands_text(hands))


def play_board(start: Position, north_south: Player, east_west: Player, seed: int = 0,
               stop: threading.Event | None = None) -> Position:
    """Play a board to its end; one player sits in both seats of a side and sees each time what that seat sees."""
    position = start
    for each in (north_south, east_west):
        each.begin(start, seed=seed)
    while not position.is_terminal():
        if stop is not None and stop.is_set():
            raise KeyboardInterrupt
        mover = north_south if position.player() % 2 == 0 else east_west
        position = position.result(mover.choose(position))
    return position


def team_match(first: Player, second: Player, *, boards: int, seed: int = 0,
               stop: threading.Event | None = None) -> Iterator[Board]:
    """Play the boards one by one."""
    for number in range(1, boards + 1):
        start = start_of(number, seed)
        open_room = play_board(start, first, second, seed=2 * number, stop=stop)
        closed_room = play_board(start, second, first, seed=2 * number, stop=stop)
        scores = int(open_room.utilities()[0]), int(closed_room.utilities()[0])
        yield Board(number, start.text(), scores, imps(scores[0] - scores[1]), (open_room.text(), closed_room.text()))


def imps_a_board(boards: Iterable[Board]) -> tuple[float, float]:
    """The mean of the first team's IMPs a board, and how far its 95 % interval reaches to both sides."""
    won = [board.imps for board in boards]
    if len(won) < 2:
        return (float(won[0]) if won else 0.0), math.inf
    return statistics.fmean(won), 1.96 * statistics.stdev(won) / math.sqrt(len(won))
