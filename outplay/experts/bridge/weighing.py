"""What calls and cards are worth to a seat that sees only its own hand and dummy's: tricks and IMPs over deals that fit.

Each deal agrees with the cards that were played, the voids that were shown and the meaning of the calls, and is solved with open
cards. A card is worth its tricks, and its share of winning is how often the contract is made (or beaten). A call is bid to the end
by the system, beside the system's own calls, and worth IMPs against the best of them.

>>> from outplay.game import load
>>> position = load("bridge:phase=play").start()
>>> while position.is_chance():
...     position = position.result(position.sample_chance(7))
>>> found = weigh(position.observe(position.player()), position.actions()[0], 40_000)
>>> found.unit, sorted(found.values) == sorted(position.actions()), max(found.shares.values()) <= 1
('tricks', True, True)
"""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Sequence
from typing import Any

from outplay.experts.bridge.double_dummy import DoubleDummy, Memory
from outplay.experts.bridge.player import MOST_CALLS, Board
from outplay.game import Position
from outplay.games.bridge import AUCTION, FIRST_BID
from outplay.games.bridge.bidding import bid_out, candidates, contract_of
from outplay.games.bridge.fitting import Fit
from outplay.games.bridge.scoring import imps
from outplay.judge.hidden import Weighed

NODES = 5000
"""A deal that is dealt and solved counts as so many."""
FEWEST, MOST = 8, 60
SURE = 1.96
"""Standard errors by which one action is behind another before that is said."""
TRICK = 0.01
"""What a trick counts beside the contract, where the best card is chosen."""


def weigh(view: Position, action: Any, nodes: int, stop: threading.Event | None = None) -> Weighed | None:
    """What the cards, or the calls that come into question, are worth to the one who sees this."""
    board = Board(view)
    if board.stage == AUCTION:
        return _calls(board, view, action, nodes, stop)
    fit = board.fit()
    if fit.count() == 0:  # somebody's calls were not what the system says
        fit = board.fit(use_auction=False)
    sign, memory, source = 1 if board.turn % 2 == 0 else -1, Memory(), random.Random(view.text())
    tricks: dict[Any, list[float]] = {}
    made: dict[Any, list[float]] = {}
    weights: list[float] = []
    guess: int | None = None
    for _ in range(deals_for(nodes)):
        hands, weight = _deal(board, fit, source)
        found = DoubleDummy(hands, memory=memory, stop=stop).cards(board.strain, board.leader, board.trick, guess)
        guess = sorted(found.values())[len(found) // 2]
        weights.append(weight)
        for card, here in found.items():
            whole = board.won[0] + here
            tricks.setdefault(board.action(card), []).append(whole if sign == 1 else board.ranks - whole)
            made.setdefault(board.action(card), []).append(float(sign * board.worth(whole) > 0))
        if stop is not None and stop.is_set():
            return None
    mixed = {each: [share + TRICK * n for share, n in zip(made[each], tricks[each], strict=True)] for each in tricks}
    best = max(mixed, key=lambda each: (mean(mixed[each], weights), -each))
    values = {each: mean(numbers, weights) for each, numbers in tricks.items()}
    shares = {each: mean(numbers, weights) for each, numbers in made.items()}
    worse = {each for each in mixed if is_behind(mixed[best], mixed[each], weights)}
    return Weighed(best, values, shares, frozenset(worse), "tricks", f"{len(weights)} deals that fit")


def _calls(board: Board, view: Position, action: Any, nodes: int, stop: threading.Event | None) -> Weighed | None:
    """The call that was made beside those of the system, each bid to the end."""
    fit = board.fit()
    if board.ranks != 13 or fit.count() == 0:
        return None
    legal = set(view.actions())
    fitting = candidates(board.hands[board.seat], board.calls, board.dealer)[:MOST_CALLS]
    calls = [rule.call for rule in fitting if rule.call in legal]
    calls = calls if action in calls else [*calls, action]
    sign, memory, source = 1 if board.seat % 2 == 0 else -1, Memory(), random.Random(view.text())
    points: dict[Any, list[float]] = {call: [] for call in calls}
    weights: list[float] = []
    for _ in range(deals_for(nodes) if len(calls) > 1 else 0):
        hands, weight = _deal(board, fit, source)
        solver = DoubleDummy(hands, memory=memory, stop=stop)
        weights.append(weight)
        for call in calls:
            contract = contract_of(bid_out(hands, [*board.calls, call], board.dealer), board.dealer)
            worth = 0
            if contract is not None:
                taken = solver.tricks((contract[0] - FIRST_BID) % 5, (contract[2] + 1) % 4)
                worth = board.points_of(contract, taken)
            points[call].append(sign * worth)
        if stop is not None and stop.is_set():
            return None
    if not weights:
        return Weighed(action, {action: 0.0}, {action: 0.5}, frozenset(), "IMPs", "the only call that fits")
    best = max(calls, key=lambda call: mean(points[call], weights))
    against = {call: [imps(int(a - b)) for a, b in zip(points[call], points[best], strict=True)] for call in calls}
    values: dict[Any, float] = {call: mean(numbers, weights) for call, numbers in against.items()}
    shares: dict[Any, float] = {call: mean([(n > 0) + (n == 0) / 2 for n in numbers], weights) for call, numbers in against.items()}
    worse = {call for call in calls if is_behind(against[best], against[call], weights)}
    return Weighed(best, values, shares, frozenset(worse), "IMPs", f"{len(weights)} deals that fit")


def deals_for(nodes: int) -> int:
    """How many deals so many nodes are."""
    return min(MOST, max(FEWEST, nodes // NODES))


def _deal(board: Board, fit: Fit, source: random.Random) -> tuple[list[int], float]:
    drawn, weight = fit.draw(source)
    return [drawn.get(seat, board.hands[seat]) for seat in range(4)], weight


def mean(numbers: Sequence[float], weights: Sequence[float]) -> float:
    """The weighted mean."""
    return sum(n * w for n, w in zip(numbers, weights, strict=True)) / sum(weights)


def is_behind(best: Sequence[float], other: Sequence[float], weights: Sequence[float]) -> bool:
    """Whether one is worse than the other, deal by deal, by more than chance explains.

    >>> is_behind([1.0] * 9, [0.9] * 9, [1.0] * 9), is_behind([1, 0, 1, 0], [0, 1, 0, 0], [1] * 4)
    (True, False)
    """
    apart = [a - b for a, b in zip(best, other, strict=True)]
    middle = mean(apart, weights)
    spread = mean([(each - middle) ** 2 for each in apart], weights)
    many = sum(weights) ** 2 / sum(weight * weight for weight in weights)
    return middle > 1e-9 and middle > SURE * math.sqrt(spread / max(1.0, many - 1))
