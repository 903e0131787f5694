"""A game looked over by a search: for each move the better one, what it gave away, and how accurate the players were.

Every position of the game is searched once within the same limits. The loss of a move is what the value falls by for the player who
made it, from the position before it to the one after it, never below 0; in the unit of the search. For the accuracy, values become
chances to win (a logistic curve where they are points of an evaluation, the utility itself where it is exact), and a move counts
100 where nothing is lost, falling off as in the sum below: half a game thrown away leaves 12.

>>> from outplay.game import load
>>> seen = list(review(load("tic-tac-toe").start(), ["a1", "b1", "a2", "c2"], Limits(depth=9)))
>>> [(move.action, move.loss) for move in seen[:2]], seen[1].best  # only the centre holds against a corner
([('a1', 0.0), ('b1', 1.0)], 'b2')
>>> accuracy(seen, 1) < accuracy(seen, 0) == 100.0
True
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from outplay.errors import BadValue
from outplay.game import Position
from outplay.players.algorithms import resolve, search
from outplay.values import Limits, Result

WORDS = ((0.30, "blunder"), (0.15, "mistake"), (0.07, "inaccuracy"))
"""How much of a win a move must give away to be called so."""


@dataclass(frozen=True)
class Judged:
    """One move of a game, looked over."""

    ply: int
    player: int
    action: str
    best: str
    loss: float  # in the unit, 0 or more
    value: float  # of the position after the move, the first player's; the mover's among more than two
    best_value: float  # of the position before it, likewise
    win: float  # the mover's chance after it, from 0 to 1
    first: float  # the first player's chance after it
    given: float  # how much of that chance it gave away
    word: str  # blunder, mistake, inaccuracy, best, good; forced where there was no choice
    line: tuple[str, ...]  # what would have come after the best one
    unit: str
    exact: bool


def can_review(position: Position) -> str:
    """Why a game cannot be looked over, or nothing."""
    traits = position.game.traits
    if traits.information != "perfect":
        return f"{position.game.name} hides information: a move cannot be judged by what nobody could know"
    if traits.players > 2 and traits.sum in ("zero", "constant") and not traits.chance:
        return ""
    if traits.players > 2 or traits.sum != "zero":
        return f"{position.game.name}: what the players win must add up to a constant, without chance among more than two"
    return ""


def chance_to_win(value: float, result: Result) -> float:
    """A value of the first player as a chance to win, from 0 to 1.

    >>> chance_to_win(1.0, Result(None, 1.0)), round(chance_to_win(100, Result(None, 100, exact=False, unit="centipawns")), 2)
    (1.0, 0.59)
    """
    if result.unit == "utility" or result.exact:
        return min(1.0, max(0.0, (value / max(1.0, abs(value)) + 1) / 2))
    stake = 100.0 if result.unit == "centipawns" else max(result.scale / 10, 1e-9)
    return 1 / (1 + math.exp(-min(60.0, max(-60.0, 0.37 * value / stake))))


def share_of_win(values: Sequence[float], player: int, result: Result, bounds: tuple[float, float]) -> float:
    """One of more than two players' share of the win, from 0 to 1.

    >>> share_of_win((2500, 5000, 2500), 1, Result(None, (2500, 5000, 2500), exact=False, unit="points", scale=10000.0), (0.0, 1.0))
    0.5
    """
    value = values[player] if result.exact or result.unit == "utility" else values[player] / max(result.scale, 1e-12)
    low, high = bounds
    return min(1.0, max(0.0, (value - low) / (high - low)))


def review(
    start: Position,
    actions: Sequence[str],
    limits: Limits,
    algorithm: str = "auto",
    stop: threading.Event | None = None,
    **options: Any,
) -> Iterator[Judged]:
    """Judge every move of a game; chance's moves are passed over."""
    if problem := can_review(start):
        raise BadValue(problem)
    resolve(algorithm, start.game)
    kept: dict[Any, Any] = {}
    position = start
    before: tuple[float, Result] | None = None
    for ply, text in enumerate(actions):
        action = position.parse_action(text)
        after = position.result(action)
        if not position.is_chance():
            if before is None:
                before = _value(position, limits, algorithm, stop, kept, options)
            later = _value(after, limits, algorithm, stop, kept, options)
            yield _judge(ply, position, action, before, later)
            before = None if after.is_chance() else later
        else:
            before = None
        position = after


def _value(
    position: Position, limits: Limits, algorithm: str, stop: threading.Event | None, kept: dict[Any, Any], options: dict[str, Any]
) -> tuple[float, Result]:
    if position.is_terminal():
        worth = position.utilities()
        return worth[0], Result(None, worth[0] if len(worth) < 3 else tuple(worth))
    if position.is_chance():  # the mean over what chance may bring, each searched for its share of the time
        outcomes = position.chances()
        seconds = None if limits.seconds is None else limits.seconds / len(outcomes)
        share = Limits(limits.depth, seconds, limits.nodes, limits.simulations)
        pairs = [(p, _value(position.result(a), share, algorithm, stop, kept, options)) for a, p in outcomes]
        mean = sum(p * value for p, (value, _) in pairs)
        last = pairs[-1][1][1]
        return mean, Result(None, mean, exact=False, unit=last.unit, scale=last.scale)
    more = {"stop": stop, **options} if stop is not None else options
    found = None
    for found in search(position, algorithm, limits, keep=kept, **more):  # noqa: B007  the last one counts
        pass
    assert found is not None
    value = found.value[0] if isinstance(found.value, tuple) else found.value
    return float(value), found


def _judge(ply: int, position: Position, action: Any, before: tuple[float, Result], later: tuple[float, Result]) -> Judged:
    player, game = position.player(), position.game
    (value, result), (after, told) = before, later
    if game.players > 2:
        many, then = result.value, told.value
        assert isinstance(many, tuple) and isinstance(then, tuple)
        value, after, sign = float(many[player]), float(then[player]), 1.0
        win_before, win = (share_of_win(v, player, r, game.traits.bounds) for v, r in ((many, result), (then, told)))
        first = share_of_win(then, 0, told, game.traits.bounds)
    else:
        sign = 1.0 if player == 0 else -1.0
        first = chance_to_win(after, told)
        win_before, win = ((c if player == 0 else 1 - c) for c in (chance_to_win(value, result), first))
    best = result.action
    if action == best or len(position.actions()) == 1:
        loss = given = 0.0
    else:
        same = told.unit == result.unit or after == value
        scaled = after if same else after * result.scale if told.exact else after / max(told.scale, 1e-12) * result.scale
        loss = max(0.0, sign * (value - scaled))
        given = max(0.0, win_before - win)
    word = next((name for least, name in WORDS if given >= least), "best" if action == best else "good")
    if len(position.actions()) == 1:
        word = "forced"
    line, here = [], position
    for step in result.line[:8]:
        line.append(here.action_text(step))
        here = here.result(step)
    return Judged(
        ply, player, position.action_text(action), "" if best is None else position.action_text(best), round(loss, 4), after,
        value, win, first, round(given, 4), word, tuple(line), result.unit, result.exact,
    )  # fmt: skip


def accuracy(moves: Sequence[Judged], player: int | None = None) -> float | None:
    """The mean of 100 * exp(-4.2 * given) over the moves that were a choice, of one player or of all; None without any."""
    counted = [100 * math.exp(-4.2 * move.given) for move in moves if move.word != "forced" and player in (None, move.player)]
    return round(sum(counted) / len(counted), 1) if counted else None
