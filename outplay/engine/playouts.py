"""Random games by the million: from a position to the end, choosing at random (or by the game's own `choose`).

>>> from outplay.game import load
>>> totals, moves = playouts(load("tic-tac-toe").start(), games=1000, seed=1)
>>> totals[0] > 0  # the first player wins most random games
True
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.game import Position
from outplay.jit import inlined, kernel, random_source, uniform
from outplay.values import CHANCE


@inlined
def play_out(state: Any, actions: Any, probabilities: Any, source: Any) -> Any:
    """Play one state to its end at random; returns the number of moves made."""
    moves = 0
    while True:  # no look at is_terminal: listing no actions says the same
        if state.player() == CHANCE:
            count = state.chances(actions, probabilities)
            if count == 0:
                break
            draw = uniform(source)
            pick = 0
            while pick < count - 1 and draw >= probabilities[pick]:
                draw -= probabilities[pick]
                pick += 1
            action = actions[pick]
        else:
            action = state.choose(actions, source)
            if action < 0:
                break
        state.play(action)
        moves += 1
    return moves


@kernel
def _playouts(roots: Any, states: Any, actions: Any, probabilities: Any, source: Any, games: Any, totals: Any) -> Any:
    moves = 0
    for _ in range(games):
        states[0] = roots[0]
        moves += play_out(states[0], actions, probabilities, source)
        for player in range(len(totals)):
            totals[player] += states[0].utility(player)
    return moves


def playouts(position: Position, games: int, seed: int = 0) -> tuple[tuple[float, ...], int]:
    """Play many random games from a position of a compiled game: each player's summed utility, and the moves made."""
    rules = position.game.rules  # type: ignore[attr-defined]
    roots, states = rules.states(1), rules.states(1)
    roots.view(np.uint8)[:] = np.frombuffer(position.state, np.uint8)  # type: ignore[call-overload]
    totals = np.zeros(rules.players)
    actions, probabilities = np.zeros(rules.most_actions, np.int32), np.zeros(rules.most_actions)
    moves = _playouts(roots, states, actions, probabilities, random_source(seed), games, totals)
    return tuple(totals.tolist()), int(moves)
