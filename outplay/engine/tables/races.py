"""Tables of a race of one side: with which probability it needs how many rolls to the end, for every position of the race.

A side that can no longer meet the other plays against the dice alone. The rules number its positions (`race_index`, and
`race_place` as the way back; `race_size` says how many) so that every action leads to a smaller number, and 0 is the end: the
table is filled once, from 0 upwards, by the rules' own chances and actions. After each roll the action is taken that leaves the
fewest rolls on average. Two rows then say who wins: whoever is on roll, unless he needs more rolls than the other.

>>> from outplay.game import load
>>> odds = table(load("backgammon"))  # up to 15 checkers on 6 points
>>> odds.shape
(54264, 24)
>>> place = load("backgammon").rules.states(1)[0]
>>> place.checkers[0, 6], place.checkers[0, 0] = 1, 14  # the last checker, on the six point
>>> [round(36 * float(chance)) for chance in odds[place.race_index(0), :3]]  # off in one roll with 27 of 36, else in two
[0, 27, 9]
"""

from __future__ import annotations

import contextlib
import functools
from typing import Any

import numpy as np

from outplay.errors import BadValue, Unsuitable
from outplay.files import read_checked, write_checked
from outplay.game import CompiledGame, Game
from outplay.jit import cache_folder, i64, kernel


@kernel
def fill(odds: Any, means: Any, states: Any, rolls: Any, probabilities: Any, actions: Any) -> None:
    """Row after row: after each roll, the best action leads to a row that is there."""
    odds[0, 0] = 1.0
    for index in range(1, len(odds)):
        states[0].race_place(index)
        player = i64(states[0].turn)
        for roll in range(states[0].chances(rolls, probabilities)):
            states[1] = states[0]
            states[1].play(rolls[roll])
            best = i64(-1)
            for choice in range(states[1].actions(actions)):
                states[2] = states[1]
                states[2].play(actions[choice])
                after = i64(states[2].race_index(player))
                if best < 0 or means[after] < means[best]:
                    best = after
            means[index] += probabilities[roll] * (1.0 + means[best])
            for column in range(1, odds.shape[1]):
                odds[index, column] += probabilities[roll] * odds[best, column - 1]


def build(game: Game) -> np.ndarray:
    """The table, [position, rolls], made anew."""
    rules = getattr(game, "rules", None)
    if rules is None or not rules.race_size:
        raise Unsuitable(f"a race of one side needs rules that number its positions (race_index, race_place, race_size); "
                         f"{game.name} has none")  # fmt: skip
    odds, room = np.zeros((rules.race_size, rules.race_rolls)), int(rules.most_actions)
    lists = np.zeros(room, rules.action_type), np.zeros(room), np.zeros(room, rules.action_type)
    with np.errstate(over="ignore"):
        fill(odds, np.zeros(rules.race_size), rules.states(3), *lists)
    return odds


@functools.cache
def table(game: CompiledGame) -> np.ndarray:
    """The table, kept among the compiled kernels: it is made anew only where the rules have changed."""
    file = cache_folder() / f"race-{game.rules.definition.name}-{game.rules.layout.names[-1][:33]}.npz"
    held = read_checked(file)
    if held is None or "odds" not in held:
        held = {"odds": build(game).astype(np.float32)}
        with contextlib.suppress(BadValue):  # a full disk: then it is made anew next time
            write_checked(file, **held)
    return np.asarray(held["odds"])
