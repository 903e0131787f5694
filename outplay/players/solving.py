"""What a solved game gives: the exact value of every action, and a strategy that answers everything.

>>> from outplay.game import load
>>> position = load("nim", heaps="1-2").start()
>>> {position.action_text(action): value for action, value in scores(position).items()}
{'b1': 1.0, 'a1': -1.0, 'b2': -1.0}
>>> plan = strategy(position)
>>> plan.answers[position.text()]
{'b1': 1.0}
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from outplay.errors import BadValue, Unavailable
from outplay.game import Position
from outplay.players.algorithms import as_position, is_a_problem, solve
from outplay.values import Action, Limits, Policy, Result, Value

MOST_POSITIONS = 100_000
"""More than this nobody looks up; a strategy for a larger game is a search."""


def scores(position: Position, limits: Limits | None = None, *, stop: threading.Event | None = None, memory: int = 64,
           watch: Callable[[int, int], None] | None = None) -> dict[Action, Value]:
    """The exact value of each action, the best for the player to move first; of a way to a goal, its cost (infinite: none)."""
    position = as_position(position, "scores")
    found: dict[Action, Value] = {}
    for action in position.actions():
        child = position.result(action)
        if is_a_problem(position.game):
            found[action] = _cost(position, action, child, limits, stop, memory)
        elif child.is_terminal():
            found[action] = _value_of(child)
        else:
            found[action] = solve(child, limits, memory=memory, watch=watch, stop=stop).value
    mover = position.player()

    def gain(action: Action) -> float:
        value = found[action]
        if is_a_problem(position.game):
            return -float(value)  # type: ignore[arg-type]  # a cost
        return value[mover] if isinstance(value, tuple) else value if mover == 0 else -value

    return dict(sorted(found.items(), key=lambda item: -gain(item[0])))


def _value_of(child: Position) -> Value:
    traits, utilities = child.game.traits, tuple(float(part) for part in child.utilities())
    return utilities[0] if traits.players == 2 and traits.sum == "zero" else utilities


def _cost(position: Position, action: Action, child: Position, limits: Limits | None, stop: Any, memory: int) -> float:
    if child.is_terminal():
        return float(position.cost(action)) if child.is_solved() else float("inf")
    rest = solve(child, limits, memory=memory, stop=stop).facts.get("cost")
    return float("inf") if rest is None else float(position.cost(action) + rest)


def strategist(position: Position, found: Result) -> int:
    """For whom a strategy is worth having: whoever wins, else the player to move."""
    value, mover = found.value, position.player()
    if isinstance(value, tuple):
        return max(mover, 0)
    return (0 if value > 0 else 1) if value != 0 else max(mover, 0)


def strategy(position: Position, found: Result | None = None, limits: Limits | None = None, *, player: int | None = None,
             stop: threading.Event | None = None, watch: Callable[[int], None] | None = None,
             most: int = MOST_POSITIONS) -> Policy:
    """What a player answers to everything that the others, or chance, may do: an action for each position that can come up.

    It is the winner's strategy where somebody wins, and the mover's otherwise.
    """
    game = as_position(position, "strategy").game
    found = found or solve(position, limits, stop=stop)
    me = strategist(position, found) if player is None else player
    if not 0 <= me < game.players:
        raise BadValue(f"a strategy is for one of {game.players} players, counted from 0, got {me}")
    answers: dict[str, dict[str, float]] = {}
    values: dict[str, Value] = {}
    seen: set[Any] = set()
    open_ones = [position]
    known = {position: found}
    while open_ones:
        here = open_ones.pop()
        if here in seen or here.is_terminal():
            continue
        seen.add(here)
        if len(seen) > most:
            raise Unavailable(f"a strategy for {game.name} from here has more than {most:,} positions: begin from a later one")
        if watch is not None:
            watch(len(seen))
        if here.player() != me:
            open_ones += [here.result(action) for action in here.actions()]
            continue
        result = known.pop(here, None) or solve(here, limits, memory=8, stop=stop)
        if result.action is None:
            continue
        text = here.text()
        answers[text] = {here.action_text(result.action): 1.0}
        values[text] = result.value
        open_ones.append(here.result(result.action))
    return Policy.of(game, answers, values)
