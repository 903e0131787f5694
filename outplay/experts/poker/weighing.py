"""What actions of hold'em are worth to a hand: chips, against the hands that the others' bets leave them.

What comes on later streets is not counted, so that no word is said on how much to raise, nor on calling where one might raise: only
on folding what is worth the price, and on paying or raising with what is not.

>>> from outplay.game import load
>>> position = load("hold'em").start()
>>> while position.is_chance():
...     position = position.result(position.sample_chance(1))
>>> found = weigh(position.observe(position.player()), position.actions()[0], 20_000)
>>> found.unit, len(found.values) == len(position.actions())
('chips', True)
"""

from __future__ import annotations

import threading
from typing import Any

from outplay.experts.poker.ranges import Ranges
from outplay.game import Position
from outplay.games.holdem import CALL, FOLD
from outplay.judge.hidden import Weighed

DOUBT, BLINDS = 0.15, 1.0
"""What others hold is a guess: two actions are told apart where they differ by so much of the pot, and by so many big blinds."""
STAKE = 5.0
"""What is won or lost stands beside the pot, or so many big blinds where it is less."""
BOARDS = 120


def weigh(view: Position, action: Any, nodes: int, stop: threading.Event | None = None) -> Weighed | None:
    """What each action is worth from here on, to fold being worth nothing."""
    expert = Ranges(seed=0, boards=min(1000, max(BOARDS, nodes // 500)))
    values: dict[Any, float] = expert.worths(view)
    record = view.game.record(view.state)
    pot, blind = float(sum(int(each) for each in record.staked)), float(view.game.rules.parameters.get("big", 2))
    doubt = max(BLINDS * blind, DOUBT * pot)
    least = min((each for each in values if each not in (FOLD, CALL)), default=None)
    known = [each for each in values if each in (FOLD, CALL) or (each == least and action == FOLD)]
    best = max(known, key=lambda each: values[each])
    is_worse = action != best and values[action] < values[best] - doubt
    shares = {each: min(1.0, max(0.0, 0.5 + value / (2 * max(pot, STAKE * blind)))) for each, value in values.items()}
    by = "the hands that their bets leave the others"
    return Weighed(best, values, shares, frozenset([action] if is_worse else []), "chips", by)
