"""Words of hold'em for the judge: how much of the pot a hand wins against what the bets leave the others, and what that costs.

>>> from outplay.game import load
>>> view = load("hold'em").position("???? 7c2d")
>>> fold, call = (view.parse_action(text) for text in ("f", "c"))
>>> [(kind, facts["needs"]) for kind, _, _, facts in reasons(view, call, fold)]
[('price', 25)]
"""

from __future__ import annotations

from typing import Any

from outplay.experts.poker.ranges import Ranges
from outplay.game import Position
from outplay.games.holdem import CALL, FOLD
from outplay.judge.words import say
from outplay.values import Action

BOARDS, WHOLE = 1000, 5  # boards that are drawn, and what the share is rounded to, in percent


def reasons(view: Position, played: Action, best: Action) -> list[tuple[str, str, list[str], dict[str, Any]]]:
    """What the hand wins, beside what it has to."""
    if played == best or CALL not in view.actions() or FOLD not in (played, best):
        return []
    record, seat = view.game.record(view.state), view.player()
    pot = float(sum(int(each) for each in record.staked))
    call = min(float(record.asked()) - float(record.bets[seat]), float(record.stacks[seat]))
    if call <= 0:
        return []
    wins = (Ranges(seed=0, boards=BOARDS).worths(view)[CALL] + call) / (pot + call)
    share, needs = WHOLE * round(100 * wins / WHOLE), round(100 * call / (pot + call))
    told = say("price", seat=view.game.seat_name(seat), share=f"{share} %", cost=f"{call:g}", pot=f"{pot:g}", needs=f"{needs} %")
    return [("price", told, [], {"wins": share, "needs": needs})]
