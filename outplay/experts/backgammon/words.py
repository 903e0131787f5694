"""Words of backgammon for the judge: rolls that hit, and the race, each counted out.

>>> from outplay.game import load
>>> position = load("backgammon").start().play("x21")
>>> loose, tight = position.parse_action("13/11+6/5"), position.parse_action("13/11+11/10")
>>> shots(position.result(loose)), shots(position.result(tight))
(15, 5)
"""

from __future__ import annotations

from typing import Any

from outplay.game import Position
from outplay.judge.words import say
from outplay.values import Action

MANY = 4
"""So many more rolls of 36 that hit are a reason."""


def shots(after: Position) -> int | None:
    """With how many of 36 rolls the other player can hit; None where it does not roll next."""
    if after.is_terminal() or not after.is_chance():
        return None
    found = 0.0
    for roll, share in after.chances():
        there = after.result(roll)
        if any("*" in there.action_text(action) for action in there.actions()):
            found += 36 * share
    return round(found)


def pips(position: Position) -> tuple[int, int]:
    """What each player still has to run, counted from its own side."""
    game: Any = position.game
    checkers = game.record(position.state).checkers
    first, second = (sum(int(count) * point for point, count in enumerate(row)) for row in checkers)
    return first, second


def has_contact(position: Position) -> bool:
    """Whether a checker of one side still has one of the other before it."""
    game: Any = position.game
    checkers = game.record(position.state).checkers
    farthest = [max((point for point, count in enumerate(row) if count), default=0) for row in checkers]
    return farthest[0] + farthest[1] > 24


def points_made(position: Position, seat: int) -> int:
    """How many points of its home board a player holds with two checkers or more."""
    game: Any = position.game
    return int((game.record(position.state).checkers[seat][1:7] >= 2).sum())


def blots(position: Position, seat: int) -> int:
    """How many of a player's checkers stand alone on a point."""
    game: Any = position.game
    return int((game.record(position.state).checkers[seat][1:25] == 1).sum())


def reasons(position: Position, played: Action, best: Action) -> list[tuple[str, str, list[str], dict[str, Any]]]:
    """What can be counted of two plays."""
    found = []
    text, better = position.action_text(played), position.action_text(best)
    if played != best:
        mine, others = shots(position.result(played)), shots(position.result(best))
        if mine is not None and others is not None and mine - others >= MANY:
            found.append(("shots", say("shots", action=text, count=mine, best=better, fewer=others), [text],
                          {"shots": [mine, others]}))  # fmt: skip
        if better.count("*") > text.count("*"):
            found.append(("hit", say("hit", action=text, best=better), [better], {"hits": [text.count("*"), better.count("*")]}))
        made, more = (points_made(position.result(action), position.player()) for action in (played, best))
        if more > made:
            found.append(("points", say("points", action=text, count=made, best=better, more=more), [better],
                          {"points": [made, more]}))  # fmt: skip
        left, fewer = (blots(position.result(action), position.player()) for action in (played, best))
        if left > fewer and has_contact(position):
            found.append(("blots", say("blots", action=text, count=left, best=better, fewer=fewer), [text],
                          {"blots": [left, fewer]}))  # fmt: skip
    if not has_contact(position):
        mine, theirs = pips(position) if position.player() == 0 else pips(position)[::-1]
        found.append(("race", say("race", mine=mine, theirs=theirs), [], {"pips": [mine, theirs]}))
    return found
