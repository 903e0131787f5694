"""Playout policies: how the rest of a game is played when nobody thinks.

>>> from outplay.game import load
>>> position = load("tic-tac-toe").position("xx./oo./... x")
>>> [position.action_text(decisive(position, random.Random(seed))) for seed in range(3)]
['c3', 'c3', 'c3']
"""

from __future__ import annotations

import random
from collections.abc import Callable

from outplay.game import Position
from outplay.values import CHANCE, Action

Policy = Callable[[Position, random.Random], Action]
"""The next action of a playout at a player's node."""


def any_action(position: Position, source: random.Random) -> Action:
    """Each action equally likely: the lecture's random playout."""
    return source.choice(position.actions())


def decisive(position: Position, source: random.Random) -> Action:
    """The best end of the game in one action where there is one, and else any action (Teytaud and Teytaud 2010)."""
    greatest = position.game.traits.bounds[1]
    ends = [(action, position.result(action)) for action in position.actions()]
    wins = [action for action, end in ends if end.is_terminal() and end.utility(position.player()) >= greatest]
    return source.choice(wins or position.actions())


POLICIES: dict[str, Policy] = {"random": any_action, "decisive": decisive}


def roll(position: Position, source: random.Random) -> Action:
    """An outcome of a chance node, by its probability."""
    return position.sample_chance(source.getrandbits(63))


LOOK_EVERY = 32
"""Plies of a playout between two looks at the clock: a random game of the fifteen puzzle practically never ends."""


def play_out(position: Position, policy: Policy, source: random.Random, is_over: Callable[[], bool] | None = None,
             ) -> tuple[Position, tuple[Action, ...]]:
    """The end of a game played by a policy, or where its horizon or the clock cuts it; and the actions that led there."""
    played: list[Action] = []
    horizon = position.game.horizon
    while not position.is_terminal() and (horizon is None or len(played) < horizon):
        if is_over is not None and len(played) % LOOK_EVERY == LOOK_EVERY - 1 and is_over():
            break
        played.append(roll(position, source) if position.player() == CHANCE else policy(position, source))
        position = position.result(played[-1])
    return position, tuple(played)


def outcome(end: Position) -> tuple[float, ...]:
    """What a playout came to: the utilities, and where it was cut the evaluation in their unit (else the middle of the bounds)."""
    if end.is_terminal():
        return end.utilities()
    traits = end.game.traits
    least, greatest = traits.bounds
    if not end.game.offers("evaluate"):
        return ((least + greatest) / 2,) * traits.players
    return tuple(min(max(end.evaluate(seat) / traits.scale, least), greatest) for seat in range(traits.players))
