"""The judge: how good a position is, what a move gave away, why, and puzzles: one answer for every door.

| module | what it holds |
|---|---|
| `shares` | values read as shares of won, drawn and lost; units; the fits of the games |
| `worth` | what a position is worth: proofs first, then searches by nodes |
| `hidden` | the same where something is hidden, by what the mover could see |
| `verdicts` | what a move is called: one rule for all games |
| `review` | a game looked over, from the last move back |
| `claims`, `words` | reasons, each with a predicate that is proved before it is said; the sentences |
| `hints` | what to play, with bars that add up and agree with it |
| `puzzles` | positions with one best action, proved |
| `calibrating` | the fits, made on games of a game's own |

The room can be called: it then shows EVAL of a position, feature by feature.

>>> import outplay
>>> outplay.judge(outplay.load("isolation:evaluation=my moves minus opponent's").start().play("c3 a1")).value
6.0
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    """This room, which answers calls as the function of its name did before there was a room."""

    def __call__(self, position: Any, weights: Any = None) -> Any:
        from outplay.players.judging import judge

        return judge(position, weights)


sys.modules[__name__].__class__ = _Room
