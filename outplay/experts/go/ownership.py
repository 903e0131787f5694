"""Where random games end: who owns each point of a Go board once it is played out, a guess at which stones are dead.

>>> from outplay.game import load
>>> position = load("go:size=5").position(".xo../.xo../.xo../.xo../.xo.. x")
>>> owners = ownership(position, games=50)
>>> owners[0] > 0.2, owners[4] < -0.2  # the left side is mostly black's in the end, the right side white's
(True, True)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.engine.memory import HORIZON, action_list, load_state
from outplay.engine.montecarlo.playouts import play_out
from outplay.game import Position, need
from outplay.jit import kernel, random_source


@kernel
def _owners(roots: Any, states: Any, actions: Any, probabilities: Any, source: Any, games: Any, totals: Any) -> None:
    for _ in range(games):
        states[0] = roots[0]
        play_out(states[0], actions, probabilities, source, HORIZON)
        states[0].owners(totals)


def ownership(position: Position, games: int = 200, seed: int = 0) -> list[float]:
    """For each point the share of random games in which black owns it in the end, less white's share."""
    need("ownership by playouts", position.game, players=2)
    rules = position.game.rules
    roots, states = rules.states(1), rules.states(1)
    load_state(roots, 0, position)
    totals = np.zeros(rules.most_actions - 1, np.int64)
    actions, probabilities = action_list(rules), np.zeros(1)
    _owners(roots, states, actions, probabilities, random_source(seed), games, totals)
    return (totals / games).tolist()
