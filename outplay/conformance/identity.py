"""Identity: keys, symmetries, representatives and derived fields."""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.conformance.checker import Checker
from outplay.errors import shorten
from outplay.game import Position

MOST_CHILDREN = 500
"""Twins with more actions than this are compared by their number alone."""


def remember_key(check: Checker, position: Position) -> None:
    """Positions of equal keys must be equal in all that a search asks of them."""
    if not check.rules:
        return
    with check.guarded("key"):
        key = check.game.key(position.state)
        facts = (position.player(), frozenset(position.actions()), position.utilities() if position.is_terminal() else ())
        known, where = check.keys.setdefault(key, (facts, position))
        if known != facts:
            check.need("key", False, f"{shorten(where.text(), 300)!r} has the same key {key:#x}")


def symmetries(check: Checker, position: Position) -> None:
    """Twins are worth the same, their actions correspond, and they have one representative."""
    game: Any = check.game
    twins = [position]
    if "transform" in check.rules.offered:
        for symmetry in range(game.symmetries):
            twin = position.transform(symmetry)
            twins.append(twin)
            check.need("symmetries", symmetry > 0 or twin == position, f"symmetry 0 leads to {twin.text()!r}")
            same(check, "symmetries", position, twin, f"the twin {twin.text()!r} by symmetry {symmetry}")
            if "transform_action" in check.rules.offered and not position.is_chance() and not position.is_terminal():
                mapped = {action: position.transform_action(symmetry, action) for action in position.actions()}
                right = sorted(mapped.values()) == sorted(twin.actions())
                check.need("symmetries", right, f"transform_action({symmetry}, ...) gives {sorted(mapped.values())}")
                for action, other in list(mapped.items())[:8] if right else ():
                    alike = position.result(action).transform(symmetry) == twin.result(other)
                    check.need("symmetries", alike, f"{position.action_text(action)} and symmetry {symmetry} do not commute")
    if "canonical" in check.rules.offered:
        chosen = [Position(game, game.canonical(each.state)[0]) for each in twins]
        other = next((each for each in chosen if each != chosen[0]), None)
        check.need("canonical", other is None, f"a twin of it has the representative {other}, it has {chosen[0]}")
        again = Position(game, game.canonical(chosen[0].state)[0])
        check.need("canonical", again == chosen[0], f"its representative {chosen[0].text()!r} has another, {again.text()!r}")
        same(check, "canonical", position, chosen[0], f"its representative {chosen[0].text()!r}")
        if "transform" in check.rules.offered:
            symmetry = game.canonical(position.state)[1]
            told = 0 <= symmetry < game.symmetries and position.transform(symmetry) == chosen[0]
            check.need("canonical", told, f"canonical returns {symmetry}, and the representative is {chosen[0].text()!r}")


def same(check: Checker, promise: str, position: Position, twin: Position, what: str) -> None:
    """What a search sees of two positions is the same, whatever the actions are called."""
    check.need(promise, twin.player() == position.player() and _ahead(twin) == _ahead(position), f"{what} differs")
    if check.game.offers("evaluate") and not position.is_terminal():
        both = twin.evaluate(0), position.evaluate(0)
        check.need(promise, abs(both[0] - both[1]) < 1e-6, f"it evaluates to {both[1]}, {what} to {both[0]}")


def derived(check: Checker, position: Position) -> None:
    """The derived fields follow from the others, whoever changed those."""
    if not check.rules.derived:
        return
    game: Any = check.game
    made = {"play, start or parse": position.state, "parse": game.parse(position.text())}
    for symmetry in range(game.symmetries) if "transform" in check.rules.offered else ():
        made[f"transform({symmetry})"] = game.transform(position.state, symmetry)
    if "canonical" in check.rules.offered:
        made["canonical"] = game.canonical(position.state)[0]
    for seat in range(game.players) if game.offers("observe") else ():
        made[f"observe({seat})"] = game.observe(position.state, seat)
        made[f"deal({seat}, ...)"] = position.deal(seat, check.seed).state
    for action in position.actions()[:16]:
        made[f"play({action})"] = position.result(action).state
    for what, state in made.items():
        record = game.record(state)
        with np.errstate(over="ignore"):
            record.refresh()
        wrong = [field for field in check.rules.derived if (record[field] != game.record(state)[field]).any()]
        check.need("derived", not wrong, f"after {what} {', '.join(wrong)} differs")


def _ahead(position: Position) -> Any:
    """What the next two moves can bring, whatever the actions are called."""
    if position.is_terminal():
        return position.utilities()
    if len(position.actions()) > MOST_CHILDREN or position.is_sampled():
        return len(position.actions())
    children = [position.result(action) for action in position.actions()]
    outcomes = [(child.player(), len(child.actions()), child.utilities() if child.is_terminal() else ()) for child in children]
    return len(position.actions()), sorted(outcomes)
