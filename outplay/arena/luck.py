"""What in a game was luck, as far as the players know by what chance they drew: it can be taken off a result.

A level errs by a random error of judgement. What the action that it drew is worth, less what its actions are worth on average, is
nought on average, whoever plays and however badly the worths are known; so a sum of such differences may be taken from the points
of a game without moving their mean (a control variate; for poker, AIVAT by Burch, Schmid, Moravčík and Bowling, 2018). The better
the worths, the less the rest spreads. Of a program that is not ours nothing is known, and nothing is taken off for its moves.

>>> from outplay.game import load
>>> from outplay.players import player
>>> start, one = load("tic-tac-toe").position("xo./.x./... o"), player("auto:level=beginner")
>>> _ = one.choose(start)
>>> worths = levels.worths_of(start, one.last)
>>> luck_of(one, start, max(worths, key=worths.get)) > 0 > luck_of(one, start, min(worths, key=worths.get))
True
"""

from __future__ import annotations

import math
import random

from outplay.game import Position
from outplay.judge.shares import drawn_out, known, unit_of
from outplay.judge.worth import plies_left
from outplay.players import levels
from outplay.players.base import Player
from outplay.values import UTILITY, Action, Result

DRAWS = 60
"""So often a level is asked what else it might have played."""


def luck_of(one: Player, position: Position, action: Action) -> float:
    """How much better than its average the action is that a player drew, in shares of winning; nought where that is not known."""
    found, level = one.last, getattr(one, "level", None)
    if found is None or not isinstance(level, levels.Level):
        return 0.0
    level = level.of(position.game)
    worths = levels.worths_of(position, found)
    if level.slip == 0.0 or len(worths) < 2 or action not in worths:
        return 0.0
    shares = {each: share_of(position, found, worth) for each, worth in worths.items()}
    source = random.Random(DRAWS)
    return shares[action] - sum(shares[level.choose(position, found, source)] for _ in range(DRAWS)) / DRAWS


def share_of(position: Position, found: Result, worth: float) -> float:
    """What a worth of the player to move, in the unit of a result, is in shares of winning."""
    game, traits = position.game, position.game.traits
    if found.unit == UTILITY:
        low, high = traits.bounds
        return (worth - low) / (high - low)
    fit = known(game)
    if fit is None:
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, worth / (2 * levels.stake_of(position, found))))))
    unit = unit_of(game)
    return fit.shares(drawn_out(worth / found.scale * traits.scale / unit.points, unit), plies_left(position)).share
