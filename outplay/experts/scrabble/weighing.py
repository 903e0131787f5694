"""What plays of Scrabble are worth to a rack: points, by simulated deals, by static equity, and exactly once the bag is empty.

>>> from outplay.game import load
>>> game = load("scrabble")
>>> position = game.start()
>>> while position.is_chance():
...     position = position.result(position.sample_chance(3))
>>> found = weigh(position.observe(0), position.actions()[-1], 20_000)
>>> found.unit, found.values[found.best] == max(found.values.values()) or found.best not in found.worse
('points', True)
"""

from __future__ import annotations

import functools
import math
import threading
from typing import Any

from outplay.experts.scrabble.search import Tiles
from outplay.game import Position
from outplay.judge.hidden import Weighed
from outplay.values import Action, Limits

NODES = 500
"""A simulated deal of all candidates counts as so many."""
FEWEST, MOST = 40, 600
DOUBT = 8.0
"""Static equity tells two plays apart that differ by so many points; simulation takes less."""


def weigh(view: Position, action: Action, nodes: int, stop: threading.Event | None = None) -> Weighed | None:
    """What the plays are worth to the one who sees this: how the lead changes."""
    game, seat = view.game, view.player()
    if game.players != 2:
        return None
    tiles, record = _search_of(game), game.record(view.state)
    if record.asked:
        return None
    tiles.clear(0)
    lead = int(record.scores[seat]) - int(record.scores[1 - seat])
    if record.left == 0 and tiles._is_open():
        return _end(tiles, view, action, lead, stop)
    found = tiles.best(view, Limits(simulations=min(MOST, max(FEWEST, nodes // NODES))), stop=stop)
    static: dict[Any, float] = {each: value / 1000 for each, value in tiles.listed(view)}
    if (stop is not None and stop.is_set()) or action not in static or found.action is None:
        return None
    best, sign = found.action, 1 if seat == 0 else -1
    values: dict[Action, float] = {}
    worse: set[Action] = set()
    simulated = {one.action: one for one in found.choices if one.value is not None}
    top = max((one.visits or 0 for one in simulated.values()), default=0)
    middle = sign * float(simulated[best].value) if best in simulated else static[best]  # type: ignore[arg-type]
    for each, equity in static.items():
        if each in simulated:
            values[each] = sign * float(simulated[each].value)  # type: ignore[arg-type]
            if (simulated[each].visits or 0) < top:  # the search gave it up
                worse.add(each)
        else:
            values[each] = min(middle, middle - (static[best] - equity))
            if static[best] - equity > DOUBT:
                worse.add(each)
    goal, scale = tiles._goal(view)
    shares = {each: 1 / (1 + math.exp(min(30.0, max(-30.0, (goal - value) / scale)))) for each, value in values.items()}
    worse = {each for each in worse if values[each] < values[best]}
    return Weighed(best, values, shares, frozenset(worse), "points", f"{found.facts.get('deals', 0)} deals")


SEVEN = 7


def puzzle(view: Position, best: Action) -> str:
    """What is to be found: a play of all seven letters, or another one that is far ahead."""
    here, there = (view.game.record(each.state) for each in (view, view.result(best)))
    laid = int((there.squares != 0).sum()) - int((here.squares != 0).sum())
    return "all seven letters" if laid == SEVEN else "the best play"


def _end(tiles: Tiles, view: Position, action: Action, lead: int, stop: threading.Event | None) -> Weighed | None:
    """The bag is empty, so that all is known: exact."""
    seat = view.player()
    whole = view.deal(seat, 0)
    here = tiles.best(whole, Limits(), stop=stop)
    after = whole.result(action)
    while after.is_chance():
        after = after.result(after.sample_chance(0))
    if here.action is None or (stop is not None and stop.is_set()):
        return None
    sign = 1 if seat == 0 else -1
    best = sign * float(here.facts["lead"])
    if after.is_terminal():
        record = view.game.record(after.state)
        played = float(int(record.scores[seat]) - int(record.scores[1 - seat]))
    else:
        there = tiles.best(after, Limits(), stop=stop)
        if "lead" not in there.facts or not there.exact:
            return None
        played = sign * float(there.facts["lead"])
    if not here.exact:
        return None
    ends: dict[Any, float] = {here.action: max(best, played), action: played}
    shares = {each: 1.0 if end > 0 else 0.0 if end < 0 else 0.5 for each, end in ends.items()}
    worse = {action} if played < best - 1e-9 else set()
    return Weighed(here.action, {each: end - lead for each, end in ends.items()}, shares, frozenset(worse), "points", "every line")


@functools.lru_cache(maxsize=4)
def _search_of(game: Any) -> Tiles:
    return Tiles(game, seed=0)
