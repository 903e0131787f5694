"""Words of Scrabble for the judge: what two plays score and what each leaves on the rack, counted.

>>> from outplay.game import load
>>> game = load("scrabble")
>>> view = game.position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 NNORSSY/******* 0/0 0 0")
>>> played, best = (view.parse_action(text) for text in ("8H:YO", "8E:ROSY"))
>>> reasons(view, played, best)[0][1]
'8H:YO scores 10 and keeps NNRSS; 8E:ROSY scores 14 and keeps NNS.'
"""

from __future__ import annotations

from typing import Any

from outplay.game import Position
from outplay.judge.words import phrase, say
from outplay.values import Action


def scored(view: Position, action: Action) -> int:
    """The points of a play."""
    seat = view.player()
    here, there = (view.game.record(each.state) for each in (view, view.result(action)))
    return int(there.scores[seat]) - int(here.scores[seat])


def kept(view: Position, action: Action) -> str:
    """The letters that a play leaves on the rack, a blank as ?; what is swapped is gone."""
    rack = view.game.record(view.result(action).state).racks[view.player()]
    return "".join("?ABCDEFGHIJKLMNOPQRSTUVWXYZ"[k] * int(count) for k, count in enumerate(rack) if k) + "?" * int(rack[0])


def reasons(view: Position, played: Action, best: Action) -> list[tuple[str, str, list[str], dict[str, Any]]]:
    """What can be counted of two plays."""
    if played == best:
        return []
    points, left = [scored(view, each) for each in (played, best)], [kept(view, each) for each in (played, best)]
    text, better = view.action_text(played), view.action_text(best)
    names = [rest or phrase("nothing") for rest in left]
    told = say("leave", action=text, best=better, count=points[0], more=points[1], kept=names[0], instead=names[1])
    return [("leave", told, [better], {"scores": points, "keeps": left})]
