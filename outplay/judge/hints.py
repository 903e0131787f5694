"""A hint: what to play, and beside it bars that add up and agree with it.

Where a good player mixes, a bar is how often it plays an action, and the hint is what it plays most. Where actions were tried again
and again, a bar is the share of the trials. Otherwise there are no bars, and the actions stand by what they are worth.

>>> from outplay.game import load
>>> from outplay.values import Choice, Result
>>> view = load("rock-paper-scissors").start()
>>> mixed = Result(2, 0.0, exact=False, choices=(Choice(2, 0.0, share=0.25), Choice(0, 0.1, share=0.45), Choice(1, 0.0, share=0.3)))
>>> told = hint(view, mixed)
>>> view.action_text(told.action), [(view.action_text(bar.action), bar.part) for bar in told.bars]
('rock', [('rock', 0.45), ('paper', 0.3), ('scissors', 0.25)])
"""

from __future__ import annotations

from dataclasses import dataclass

from outplay.game import Position
from outplay.judge.shares import unit_of
from outplay.judge.worth import in_full
from outplay.values import UTILITY, Action, Result


@dataclass(frozen=True)
class Bar:
    """One action of a hint."""

    action: Action
    part: float | None  # of all, adding up to 1; None where nothing is counted
    value: float | None  # to the mover, in the unit of the hint
    words: str  # the same with its unit


@dataclass(frozen=True)
class Hint:
    """What to play, and why."""

    action: Action
    bars: tuple[Bar, ...]
    column: str  # what the bars are: "played", "tried", or nothing
    unit: str


def hint(position: Position, found: Result) -> Hint:
    """The hint that a search's answer makes, for the player to move."""
    mover, unit, game = position.player(), unit_of(position.game), position.game
    is_mixed = any(one.share is not None for one in found.choices)
    column = "played" if is_mixed else "tried" if any(one.visits for one in found.choices) else ""
    counts = {one.action: float((one.share if is_mixed else one.visits) or 0.0) for one in found.choices}
    total = sum(counts.values())
    bars = []
    for one in found.choices:
        worth, words = None, ""
        if one.value is not None and "stake" in found.facts:  # a search with a unit of its own
            worth = in_full(one.value, game, 1.0)[mover]
            words = f"{worth:.2g} {found.unit}"
        elif one.value is not None:
            utility = in_full(one.value, game, 1.0 if found.unit == UTILITY and found.exact else found.scale)[mover]
            worth = (
                utility * (unit.utility or 1.0)
                if found.exact or unit.name == "games"
                else utility * game.traits.scale / unit.points
            )
            words = in_words(worth, unit.name, unit.signed)
        part = counts[one.action] / total if column and total > 0 else None
        bars.append(Bar(one.action, part, worth, words))
    if column and total > 0:
        bars.sort(key=lambda bar: (-(bar.part or 0.0), -(bar.value if bar.value is not None else -1e300)))
    else:
        bars.sort(key=lambda bar: -(bar.value if bar.value is not None else -1e300))
    best = found.action if not bars or (bars[0].part is None and bars[0].value is None) else bars[0].action
    if found.action is not None and not is_mixed and any(bar.action == found.action for bar in bars):
        best = found.action  # the search's own choice stands first
        bars.sort(key=lambda bar: bar.action != best)
    return Hint(best, tuple(bars), column, found.unit if "stake" in found.facts else unit.name)


def in_words(value: float, name: str, signed: object) -> str:
    """A value of a hint with its unit; of games where only the result counts, how many of a hundred are won more than lost."""
    if name == "games":
        return f"{50 + 50 * max(-1.0, min(1.0, value)):.0f} % won"
    return str(signed(value)) if callable(signed) else f"{value:+.3g}"
