"""EVAL, the estimate of what an unfinished position is worth: weighted features, or categories with their history (Shannon 1950).

    EVAL(s) = w1 f1(s) + w2 f2(s) + ... + wn fn(s)

>>> from outplay.game import load
>>> free = lambda position, player: position.text().count(".")
>>> middle = lambda position, player: position.text()[5] == "xo"[player]
>>> evaluate = weighted([0.5, 3], [free, middle])
>>> evaluate(load("tic-tac-toe").start().play("b2"), 0)
7.0
"""

from __future__ import annotations

from collections.abc import Sequence

from outplay.errors import BadValue
from outplay.textbook.search import Evaluate


def weighted(weights: Sequence[float], features: Sequence[Evaluate]) -> Evaluate:
    """A weighted linear function; each feature is a number that a position has for a player."""
    if len(weights) != len(features):
        raise BadValue(f"expected a weight for each feature, got {len(weights)} weights and {len(features)} features")
    return lambda position, player: float(sum(w * f(position, player) for w, f in zip(weights, features, strict=True)))


def expected(wins: float, losses: float, draws: float, *, win: float = 1.0, loss: float = 0.0, draw: float = 0.5) -> float:
    """What a category of positions is worth, from how often such positions were won, lost and drawn.

    >>> expected(wins=0.72, losses=0.20, draws=0.08)
    0.76
    """
    if min(wins, losses, draws) < 0 or wins + losses + draws <= 0:
        raise BadValue(f"expected how often a category was won, lost and drawn, got {wins:g}, {losses:g} and {draws:g}")
    return round((wins * win + losses * loss + draws * draw) / (wins + losses + draws), 12)
