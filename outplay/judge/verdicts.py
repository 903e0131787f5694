"""What a move is called: one rule on shares of winning, the same in every game.

| verdict | when |
|---|---|
| blunder | it gives away 20 points of the share of winning or more (of 100) |
| mistake | 10 points or more; or any value at all, where it is proved what the position was worth and what it is now |
| inaccuracy | 5 points or more; or it lets the other side win by force within four moves, which the best action does not |
| only move | nothing is given away, and every other action would be a mistake or a blunder |
| best | nothing is given away: it is the judge's choice, or proved to be worth as much |
| good | everything else |
| forced | there was no choice |

No move is called brilliant: that would be a word on the person, not on the move.

>>> verdict(0.5, 0.0, proved=True, choices=9, is_best=False), verdict(0.0, 0.0, proved=False, choices=1, is_best=True)
('blunder', 'forced')
>>> verdict(0.0, 2.0, proved=True, choices=5, is_best=False)  # two discs of a game that stays won
'mistake'
"""

from __future__ import annotations

import math
from collections.abc import Iterable

BLUNDER, MISTAKE, INACCURACY = 0.20, 0.10, 0.05
"""The share of winning that a move must give away to be called so."""

FAULTS = ("inaccuracy", "mistake", "blunder")
LEAST = 1e-9


def verdict(
    given: float, loss: float, *, proved: bool, choices: int, is_best: bool, gap: float | None = None, hastens: bool = False
) -> str:
    """The word for a move that gave away so much: `given` in shares, `loss` in the unit; `gap` is what the second best gives.

    `hastens` is whether it lets the other side win by force soon, as the best action does not.
    """
    if choices == 1:
        return "forced"
    if given >= BLUNDER - LEAST:
        return "blunder"
    if given >= MISTAKE - LEAST or (proved and loss > LEAST):
        return "mistake"
    if given >= INACCURACY - LEAST or hastens:
        return "inaccuracy"
    if is_best:
        return "only move" if gap is not None and gap >= MISTAKE - LEAST else "best"
    return "good"


def accuracy(given: Iterable[float]) -> float | None:
    """From what each move gave away, where there was a choice: the mean of 100 e^(-4.2 given); None without any.

    >>> accuracy([0.0, 0.5]), accuracy([])
    (56.1, None)
    """
    counted = [100 * math.exp(-4.2 * each) for each in given]
    return round(sum(counted) / len(counted), 1) if counted else None
